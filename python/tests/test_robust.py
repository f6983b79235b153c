"""Nothing kills the interpreter; Ctrl-C works."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import saltus
from conftest import make_ball, make_free


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, check=False)


def test_ctrl_c_ends_a_long_call_between_two_steps() -> None:
    done = run_python(
        """
        import os, signal, threading, saltus
        sim = saltus.Simulation("bouncing-ball-2d")
        sim.positions
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            sim.step(10**9)
        except KeyboardInterrupt:
            before = sim.steps
            sim.step()                      # a whole state, that goes on
            print("stopped", before > 0, sim.steps == before + 1, sim.positions[1, 1] == sim.body("ball").position[1])
        """
    )
    assert done.stdout.split() == ["stopped", "True", "True", "True"], done.stderr


def test_a_state_that_is_not_finite_is_an_exception_each_time() -> None:
    # Finite all through its run, and stepped beyond it, to where exp(1000 t) overflows at 0.71 s.
    simulation = saltus.Simulation(make_free(force={"x": "exp(1000*t)"}).copy(run={"until": 0.01}))
    with pytest.raises(saltus.RunFailed, match="force.x"):
        simulation.step(200)
    with pytest.raises(saltus.RunFailed):
        simulation.step()
    simulation.contacts, simulation.positions, simulation.certificate, simulation.energy, simulation.warnings


@pytest.mark.parametrize("count", [-1, 2**70, 1.5, "3", None])
def test_numbers_of_steps_that_cannot_be(count: object) -> None:
    with pytest.raises((saltus.InputError, TypeError)):
        saltus.Simulation(make_ball()).step(count)


@pytest.mark.parametrize("key", [2, -3, 2**40, 1.0, None, "", "nobody", b"ball", [0], np.float64(1)])
def test_bodies_that_are_not_there(key: object) -> None:
    with pytest.raises((KeyError, IndexError, TypeError)):
        saltus.Simulation(make_ball()).body(key)


def test_raw_calls_with_wrong_numbers_raise() -> None:
    simulation = saltus.Simulation(make_ball())
    for number in (-1, 2, 2**31, 2**62):
        for call in (
            lambda n: simulation._body_model(n),
            lambda n: simulation._set_load(n, [0, 0], 0),
            lambda n: simulation._load(n),
            lambda n: simulation._set_drive(n, "x", 1.0),
            lambda n: simulation._joint(n),
            lambda n: simulation._system(n),
            lambda n: simulation._system_state(n, False),
            lambda n: simulation._set_motor(n, 0, 1.0, None),
        ):
            with pytest.raises((IndexError, TypeError, saltus.InputError)):
                call(number)


def test_objects_that_nobody_initialised_raise_or_are_empty() -> None:
    class Forgetful(saltus.Simulation):
        def __init__(self) -> None:
            pass

    with pytest.raises(TypeError):
        Forgetful()
    from saltus import _saltus

    for kind in ("Simulation", "SceneData", "Problem", "Solution", "Snapshot", "Step", "Energy", "TrajectoryFile"):
        cls = getattr(_saltus, kind)
        raw = cls.__new__(cls)
        for name in dir(cls):
            if name.startswith("__") and name not in ("__repr__", "__eq__"):
                continue
            try:
                value = getattr(raw, name)
                if callable(value):
                    value()
            except (TypeError, ValueError):
                pass
    for call in (raw_simulation().step, raw_simulation().copy, lambda: repr(raw_simulation())):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        _saltus.Simulation(_saltus.SceneData.__new__(_saltus.SceneData))


def raw_simulation() -> saltus.Simulation:
    return saltus.Simulation.__new__(saltus.Simulation)


@pytest.mark.parametrize("until", [np.nan, np.inf, -np.inf])
def test_ends_that_are_no_times(until: float) -> None:
    with pytest.raises(saltus.InputError):
        saltus.Simulation(make_ball()).run(until=until)


@pytest.mark.parametrize("every", [0, -1, np.nan, np.inf])
def test_intervals_that_are_none(every: float) -> None:
    with pytest.raises(saltus.InputError):
        saltus.Simulation(make_ball()).run(callback=lambda s: None, every=every)
    with pytest.raises(saltus.InputError):
        if every == 0:
            raise saltus.InputError("0 is every step")
        saltus.Simulation(make_ball()).run(output="/dev/null/x", output_every=every)


def test_the_interpreter_ends_well_with_things_left_over(tmp_path) -> None:
    done = run_python(
        f"""
        import threading, saltus
        sim = saltus.Simulation("bouncing-ball-2d")
        view = sim.positions
        sim._record({str(tmp_path / 'left.h5')!r}, 0.0, False)
        threading.Thread(target=sim.step, args=(10**9,), daemon=True).start()
        trajectory = None
        """
    )
    assert done.returncode == 0, (done.returncode, done.stderr)


def test_signals_are_those_of_the_host() -> None:
    before = signal.getsignal(signal.SIGINT)
    saltus.Simulation(make_ball()).run(until=0.01)
    assert signal.getsignal(signal.SIGINT) is before
