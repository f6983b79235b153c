"""Simulations: stepped from Python, looked at through arrays, controlled between steps."""

from __future__ import annotations

import copy
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from . import _saltus
from ._saltus import Energy, Snapshot, Step
from ._scene import Scene, as_scene

Array = npt.NDArray[np.float64]
SceneLike = Scene | str | os.PathLike[str] | Mapping[str, Any]


class NotConverged(RuntimeError):
    """A step of a strict run missed its tolerance; the text tells which, and why."""


def _find(names: Sequence[str], key: str | int, what: str) -> int:
    """Place of a name, or a place that is there (from the end when negative)."""
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        if not -len(names) <= key < len(names):
            raise IndexError(f"{what} {key}: there are {len(names)}")
        return int(key) % len(names)
    if not isinstance(key, str):
        raise TypeError(f"a {what}: got {type(key).__name__}, allowed: its name or number")
    places = [i for i, name in enumerate(names) if name == key]
    if len(places) == 1:
        return places[0]
    if places:
        raise KeyError(f'{what} "{key}": {len(places)} have this name; their numbers begin with {places[:3]}')
    import difflib

    near = difflib.get_close_matches(key, [name for name in names if name], 1)
    hint = f' (did you mean "{near[0]}"?)' if near else ""
    raise KeyError(f'no {what} "{key}"{hint}')


class Body:
    """A rigid body of a simulation. Arrays are live: read-only, and filled again in place after every step."""

    __slots__ = ("_simulation", "number", "name")

    def __init__(self, simulation: Simulation, number: int) -> None:
        self._simulation = simulation
        self.number = number
        self.name = simulation.body_names[number]

    def __repr__(self) -> str:
        return f"<saltus.Body {self.number} {self.name!r}>"

    @property
    def position(self) -> Array:
        """Of the centre of mass, m. Live; nan while the body is not there."""
        return cast(Array, self._simulation.positions[self.number])

    @property
    def velocity(self) -> Array:
        """Of the centre of mass, m/s. Live."""
        return cast(Array, self._simulation.velocities[self.number])

    @property
    def orientation(self) -> Any:
        """2D: the angle, rad (a number, not live). 3D: the quaternion w, x, y, z (live)."""
        return self._simulation.orientations[self.number]

    @property
    def spin(self) -> Any:
        """2D: rad/s (a number, not live). 3D: along the world axes (live)."""
        return self._simulation.spins[self.number]

    @property
    def force(self) -> Array:
        """Of all contacts on the body in the last step (impulse over h), N, world axes. Live."""
        return cast(Array, self._simulation.forces[self.number])

    @property
    def torque(self) -> Any:
        """Of all contacts about the centre of mass in the last step, N m. 2D: a number (not live). 3D: live."""
        return self._simulation.torques[self.number]

    @property
    def is_present(self) -> bool:
        """It has been added, and not yet removed."""
        return self._simulation._is_present(self.number)

    def _model(self, key: str) -> Any:
        model = self._simulation._body_model(self.number)
        if model is None:
            raise _saltus.InputError(f'body "{self.name}": is not there now')
        return model[key]

    @property
    def mass(self) -> float:
        """kg."""
        return float(self._model("mass"))

    @property
    def inertia(self) -> Any:
        """About the centre of mass, body axes, kg m^2: a number in 2D, 3 x 3 in 3D."""
        return self._model("inertia")

    @property
    def material(self) -> str:
        return str(self._model("material"))

    @property
    def applied_force(self) -> Array:
        """What `apply` set, N, world axes (a copy)."""
        return cast(Array, self._simulation._load(self.number)[0])

    @property
    def applied_torque(self) -> Any:
        """What `apply` set, N m (a copy)."""
        return self._simulation._load(self.number)[1]

    def apply(self, force: Any = None, torque: Any = None) -> None:
        """Force (N, at the centre of mass) and torque (N m), world axes, from the next step on until set again.

        They act beside the forces of the scene. None leaves what is set; zeros end it.
        """
        self._simulation._set_load(self.number, force, torque)

    def drive(self, direction: str, speed: float) -> None:
        """Speed (m/s, rad/s) of a degree of freedom (x, y, z, rx, ry, rz) that the scene drives by a velocity."""
        self._simulation._set_drive(self.number, direction, speed)


class Joint:
    """A joint of a simulation. Values are copies, as they are now."""

    __slots__ = ("_simulation", "number", "name")

    def __init__(self, simulation: Simulation, number: int) -> None:
        self._simulation = simulation
        self.number = number
        self.name = simulation.joint_names[number]

    def __repr__(self) -> str:
        return f"<saltus.Joint {self.number} {self.name!r} {self.kind}>"

    def state(self) -> dict[str, Any]:
        """All of the following at once."""
        return self._simulation._joint(self.number)

    @property
    def kind(self) -> str:
        return str(self.state()["kind"])

    @property
    def directions(self) -> list[str]:
        """Names of its free directions."""
        return list(self.state()["directions"])

    @property
    def value(self) -> Array:
        """Along each free direction, m or rad."""
        return cast(Array, self.state()["value"])

    @property
    def angle(self) -> float:
        """Along the first free direction, rad or m."""
        value = self.value
        return float(value[0]) if len(value) else 0.0

    @property
    def rate(self) -> Array:
        """Along each free direction, m/s or rad/s."""
        return cast(Array, self.state()["rate"])

    @property
    def effort(self) -> Array:
        """Of springs, friction, limits and motors along each free direction in the last step, N or N m."""
        return cast(Array, self.state()["effort"])

    @property
    def motor_effort(self) -> Array:
        """The part of motors in it, N or N m."""
        return cast(Array, self.state()["motor"])

    @property
    def power(self) -> float:
        """Of its motors in the last step, W."""
        return float(self.state()["power"])

    @property
    def force(self) -> Array:
        """Of the joint on its second body in the last step, N, world axes."""
        return cast(Array, self.state()["force"])

    @property
    def moment(self) -> Any:
        """About its point on the second body, N m, world axes (2D: a number)."""
        return self.state()["moment"]

    @property
    def gap(self) -> float:
        """How far its points are apart, m."""
        return float(self.state()["gap"])

    def _direction(self, direction: str | int) -> int:
        return _find(self.directions, direction, "direction")

    def drive(self, target: float | None = None, *, limit: float | None = None, direction: str | int = 0) -> None:
        """Target of a motor that the scene has (m/s, m or N; rad for rotations), and the most force it may use (N, N m).

        They act from the next step on until set again; None leaves what is set.
        """
        self._simulation._set_motor(self.number, self._direction(direction), target, limit)


class System:
    """What moves and is not a rigid body: a deformable body, a linear or a Lagrangian system. Arrays are copies."""

    __slots__ = ("_simulation", "number", "name", "coordinate_names", "reference_nodes", "elements")

    def __init__(self, simulation: Simulation, number: int) -> None:
        self._simulation = simulation
        self.number = number
        self.name = simulation.system_names[number]
        constants = simulation._system(number)
        self.coordinate_names: list[str] = constants["coordinate_names"]
        self.reference_nodes: Array = constants["reference_nodes"]
        """Nodes of its mesh without stress, m; no rows: it has no place in space."""
        self.elements: npt.NDArray[np.int64] = constants["elements"]
        """Triangles or tetrahedra, by the numbers of their nodes."""

    def __repr__(self) -> str:
        return f"<saltus.System {self.number} {self.name!r}, {len(self.reference_nodes)} nodes>"

    @property
    def coordinates(self) -> Array:
        """q: displacements of nodes (m) for deformable bodies."""
        return self._simulation._system_state(self.number, False)

    @property
    def velocity(self) -> Array:
        return self._simulation._system_state(self.number, True)

    def _by_node(self, values: Array) -> Array:
        count, dimension = self.reference_nodes.shape
        if values.size < count * dimension or count == 0:
            raise _saltus.InputError(f'system "{self.name}": has no nodes in space')
        return values[: count * dimension].reshape(count, dimension)

    @property
    def nodes(self) -> Array:
        """Where the nodes of its mesh are, m."""
        return self.reference_nodes + self._by_node(self.coordinates)

    @property
    def node_velocities(self) -> Array:
        """m/s."""
        return self._by_node(self.velocity)


class Simulation(_saltus.Simulation):
    """A scene that is advanced step by step. ``scene``: a `Scene`, a file or name, or a dictionary. Raises `InputError`.

    Live, the same object each time, read-only and filled again in place after every step (row = number of the body, nan
    while it is not there): ``positions`` (m), ``velocities`` (m/s), ``orientations`` (2D rad, 3D quaternions w x y z),
    ``spins`` (rad/s, world axes), ``forces`` and ``torques`` of contacts in the last step (N, N m). Everything else is a copy.

    `step` lets other threads of Python run. A simulation is used by one thread at a time; two simulations share nothing.
    """

    _threads_started = False  # some simulation of this process ran on several threads: it must not fork

    def __init__(self, scene: SceneLike) -> None:
        self.scene = as_scene(scene).copy()
        super().__init__(self.scene._read())
        if self.threads > 1:
            Simulation._threads_started = True

    def __repr__(self) -> str:
        return f"<saltus.Simulation t = {self.time:.6g} s, {self.body_count} bodies>"

    def body(self, key: str | int) -> Body:
        """A body by its name or number."""
        return Body(self, _find(self.body_names, key, "body"))

    @property
    def bodies(self) -> list[Body]:
        return [Body(self, i) for i in range(self.body_count)]

    def joint(self, key: str | int) -> Joint:
        """A joint by its name or number."""
        return Joint(self, _find(self.joint_names, key, "joint"))

    @property
    def joints(self) -> list[Joint]:
        return [Joint(self, i) for i in range(len(self.joint_names))]

    def system(self, key: str | int) -> System:
        """A deformable body, linear or Lagrangian system by its name or number."""
        return System(self, _find(self.system_names, key, "system"))

    @property
    def systems(self) -> list[System]:
        return [System(self, i) for i in range(len(self.system_names))]

    @property
    def gaps(self) -> list[dict[str, Any]]:
        """Gaps and constraints of systems: name, gap (m), force (n, t, s; N), velocity (m/s), status."""
        return self._gaps()

    def apply(self, forces: Any = None, torques: Any = None) -> None:
        """`Body.apply` for all bodies at once: arrays with a row per body."""
        self._set_loads(forces, torques)

    @property
    def measures(self) -> npt.NDArray[Any]:
        """The measures of the scene so far: a structured array with the fields step, time (s) and the names of measures."""
        steps, times, values = self._measures()
        names = self.measure_names
        table = np.empty(len(steps), dtype=[("step", "i8"), ("time", "f8"), *((name, "f8") for name in names)])
        table["step"], table["time"] = steps, times
        for i, name in enumerate(names):
            table[name] = values[:, i]
        return table

    @property
    def energy_at_start(self) -> Energy:
        """Kinetic, potential and stored energy, J, of the present state if no step was taken yet."""
        return self._energy_at_start()

    @property
    def certificate(self) -> dict[str, Any]:
        """The summary of the run so far, as ``saltus run --summary`` writes it: residuals, balances, penetration, cost."""
        return cast("dict[str, Any]", json.loads(self._summary()))

    def run(
        self,
        until: float | None = None,
        *,
        callback: Callable[[Simulation], Any] | None = None,
        every: float | None = None,
        strict: bool = False,
        output: str | os.PathLike[str] | None = None,
        output_every: float | None = None,
        force: bool = False,
    ) -> Simulation:
        """Steps to the time ``until`` (s; the end of the scene by default), or until the scene's own conditions stop it.

        ``callback(sim)`` is called every ``every`` seconds of simulated time (every step by default); the run stops early
        when it returns something true. ``strict``: a step that misses its tolerance raises `NotConverged`. ``output``: a trajectory
        (see `record`). `RunFailed` when the state is not finite; Ctrl-C stops between two steps. Returns self.
        """
        if output is not None:
            with self.record(output, every=output_every, force=force):
                return self.run(until, callback=callback, every=every, strict=strict)
        end = self._step_at(self.end_time if until is None else until)
        stride = self._stride(every)
        while self.steps < end and not self.stopped:
            count = end - self.steps if callback is None else min(end - self.steps, stride)
            self._advance(count, strict)
            if strict and not self.report.converged:
                raise NotConverged(f"step {self.report.step} at t = {self.report.time:g} s: {self.report.reason}")
            if callback is not None and callback(self):
                break
        return self

    def _step_at(self, time: float) -> int:
        """The number of the first step that ends at this time, or within half a step of it."""
        if not math.isfinite(time):
            raise _saltus.InputError(f"until: got {time}, allowed: a finite time, s")
        return max(self.steps, math.ceil((time - self.start_time) / self.h - 0.5))

    def _stride(self, every: float | None) -> int:
        if every is None:
            return 1
        if not (math.isfinite(every) and every > 0):
            raise _saltus.InputError(f"every: got {every}, allowed: seconds above 0")
        return max(1, round(every / self.h))

    @contextmanager
    def record(
        self, path: str | os.PathLike[str], *, every: float | None = None, force: bool = False
    ) -> Iterator[None]:
        """While the context lasts, steps write a trajectory, a frame every ``every`` s (by default as the scene says).

        ``force`` overwrites a file that is there. Raises `InputError` and `OutputError`.
        """
        if every is None:
            every = float(self.scene.values.get("output", {}).get("every", 0.0))
        self._record(os.fspath(path), every, force)
        try:
            yield
        finally:
            self._finish_record()

    def snapshot(self) -> Snapshot:
        """The complete state, kept in memory: a copy. `restore` goes on from it to the same bits. It can be pickled."""
        return self._save()

    def save(self, path: str | os.PathLike[str]) -> None:
        """The same in a file."""
        self._save_file(os.fspath(path))

    def restore(self, state: Snapshot | str | os.PathLike[str]) -> None:
        """Back to a snapshot, or to a file of `save`, of the same scene; InputError otherwise. Live arrays follow."""
        if isinstance(state, Snapshot):
            self._restore(state)
        else:
            self._restore_file(os.fspath(state))

    def copy(self) -> Simulation:
        """A deep copy: it goes on to the same bits and shares nothing with this one."""
        twin = Simulation.__new__(Simulation)
        _saltus.Simulation.__init__(twin, self)
        twin.scene = self.scene.copy()
        return twin

    def __copy__(self) -> Simulation:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (copy.deepcopy(self.scene), self.snapshot())


def _rebuild(scene: Scene, state: Snapshot) -> Simulation:
    simulation = Simulation(scene)
    simulation.restore(state)
    return simulation


def run(scene: SceneLike, output: str | os.PathLike[str] | None = None, **options: Any) -> Simulation:
    """``Simulation(scene).run(...)``: the simulation at its end. Options are those of `Simulation.run`."""
    return Simulation(scene).run(output=output, **options)


__all__ = ["Body", "Energy", "Joint", "NotConverged", "Simulation", "Snapshot", "Step", "System", "run"]
