"""Studies: one function, or one scene, over many values of its parameters, in several processes."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _saltus
from ._scene import Scene, as_scene
from ._simulation import Simulation


class CaseFailed(RuntimeError):
    """A case of a study raised; the text tells which, and what it raised."""


@dataclass
class Case:
    """One case of a study."""

    parameters: dict[str, Any]
    result: Any = None
    error: str | None = None  # what it raised; None: it came to its end
    seconds: float = 0.0  # on the wall clock


@dataclass
class Study(Sequence[Case]):
    """The cases, in the order of the parameters."""

    cases: list[Case] = field(default_factory=list)

    @overload
    def __getitem__(self, index: int) -> Case: ...

    @overload
    def __getitem__(self, index: slice) -> list[Case]: ...

    def __getitem__(self, index: int | slice) -> Case | list[Case]:
        return self.cases[index]

    def __len__(self) -> int:
        return len(self.cases)

    @property
    def results(self) -> list[Any]:
        return [case.result for case in self.cases]

    def column(self, name: str) -> npt.NDArray[Any]:
        """A parameter, or a number of the results (``result`` where these are single numbers); nan where there is none."""
        if any(name in case.parameters for case in self.cases):
            return np.array([case.parameters.get(name, np.nan) for case in self.cases])
        if name == "result":
            return np.array([np.nan if case.result is None else case.result for case in self.cases])
        values = [case.result.get(name) if isinstance(case.result, Mapping) else None for case in self.cases]
        if all(value is None for value in values):
            raise KeyError(f'no parameter and no number of the results "{name}"')
        return np.array([np.nan if value is None else value for value in values])


class _SceneTask:
    """What a case of a scene does: run it with its keys, then collect."""

    def __init__(self, scene: Scene, collect: Callable[[Simulation], Any] | None) -> None:
        self.scene = scene
        self.collect = collect

    def __call__(self, **parameters: Any) -> Any:
        simulation = Simulation(self.scene.copy(parameters)).run()
        if self.collect is not None:
            return self.collect(simulation)
        result: dict[str, Any] = {"time": simulation.time, "unconverged": simulation.certificate["unconverged_steps"]}
        rows = simulation.measures
        if len(rows):
            result |= {name: float(rows[name][-1]) for name in simulation.measure_names}
        return result


_task: Callable[..., Any] | None = None  # of this worker


def _start_worker(task: Callable[..., Any]) -> None:
    global _task
    _task = task
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which ends the workers


def _run_case(parameters: dict[str, Any]) -> Case:
    assert _task is not None
    return _try_case(_task, parameters)


def _try_case(task: Callable[..., Any], parameters: dict[str, Any]) -> Case:
    case, begin = Case(parameters), time.perf_counter()
    try:
        case.result = task(**parameters)
    except Exception as error:  # noqa: BLE001 (told to the parent)
        case.error = "".join(traceback.format_exception_only(type(error), error)).strip()
    case.seconds = time.perf_counter() - begin
    return case


def _cases(parameters: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if isinstance(parameters, Mapping):
        values = [list(v) for v in parameters.values()]
        return [dict(zip(parameters, choice)) for choice in itertools.product(*values)]
    return [dict(case) for case in parameters]


def _may_fork() -> bool:
    """Threads do not survive a fork: of Python, and of simulations on several (solver.threads)."""
    return threading.active_count() == 1 and not Simulation._threads_started


def _context(method: str | None, task: Callable[..., Any]) -> Any:
    method = method or ("fork" if _may_fork() else "spawn")
    if method == "fork" and not _may_fork():
        raise _saltus.InputError('method: got "fork" after threads were started, allowed: "spawn"')
    if method != "fork":
        try:
            pickle.dumps(task)
        except Exception as error:
            raise _saltus.InputError(
                f"the function of a study: cannot be given to another process ({error}), allowed: a function of a module"
            ) from None
    return multiprocessing.get_context(method)


def _raise_failed(cases: Iterable[Case]) -> None:
    for case in cases:
        if case.error is not None:
            raise CaseFailed(f"{_name(case.parameters)}: {case.error}")


def _name(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in parameters.items()) or "(no parameters)"


def _run_pool(task: Callable[..., Any], cases: list[dict[str, Any]], processes: int, method: str | None, keep: bool) -> list[Case]:
    context = _context(method, task)
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_start_worker, initargs=(task,))
    try:
        futures = [pool.submit(_run_case, case) for case in cases]
        for future in futures:
            if not keep:
                future.add_done_callback(lambda f: _stop_on_error(f, futures))
        wait(futures, return_when=FIRST_EXCEPTION)
        done = [f.result() for f in futures if f.done() and not f.cancelled()]
        pool.shutdown(wait=True, cancel_futures=True)
        return done
    except BrokenProcessPool:
        raise CaseFailed("a process of the study was killed (out of memory?)") from None
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def _stop_on_error(future: Any, futures: list[Any]) -> None:
    if not future.cancelled() and future.exception() is None and future.result().error is not None:
        for other in futures:
            other.cancel()


def study(
    target: Callable[..., Any] | Scene | Mapping[str, Any] | str | os.PathLike[str],
    parameters: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]],
    *,
    collect: Callable[[Simulation], Any] | None = None,
    processes: int | None = None,
    method: str | None = None,
    keep_errors: bool = False,
) -> Study:
    """Runs ``target`` once per case, on ``processes`` processes (by default as many as there are processors).

    ``parameters``: values by name, of which all combinations are cases; or a list of cases. A function gets them as
    keywords, and returns what is to be kept. A scene gets them as keys (``{"law.friction": [0.1, 0.5]}``); ``collect(sim)``
    at the end of its run says what is to be kept, by default its time, steps that missed their tolerance, and the last row
    of its measures.

    Processes are forked, so that any function will do, unless threads were started before; then (or with
    ``method="spawn"``) they are started afresh, and the function must be importable. A case that raises ends the study with
    `CaseFailed`, unless ``keep_errors``, which notes it in ``case.error``. Same cases, same numbers, for any number of
    processes.
    """
    task: Callable[..., Any]
    if isinstance(target, (Scene, Mapping, str, os.PathLike)):
        task = _SceneTask(as_scene(target), collect)
    elif not callable(target):
        raise TypeError(f"target: got {type(target).__name__}, allowed: a function or a scene")
    elif collect is not None:
        raise _saltus.InputError("collect: got one beside a function, allowed: with a scene")
    else:
        task = target
    if processes is not None and processes < 1:
        raise _saltus.InputError(f"processes: got {processes}, allowed: 1 or more")
    cases = _cases(parameters)
    count = min(processes or os.cpu_count() or 1, max(1, len(cases)))
    if count == 1:
        done = []
        for case in cases:
            done.append(_try_case(task, case))
            if not keep_errors:
                _raise_failed(done[-1:])
    else:
        done = _run_pool(task, cases, count, method, keep_errors)
    if not keep_errors:
        _raise_failed(done)
    return Study(done)
