"""Trajectories, read lazily: a frame when it is asked for, contacts and nodes of it only then."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, cast, overload

import numpy as np
import numpy.typing as npt

from . import _saltus

Array = npt.NDArray[np.float64]

_STATUS = np.array(_saltus.contact_status_names())


class Frame:
    """One frame of a trajectory; rows are the bodies that were there. What was not stored is an InputError."""

    def __init__(self, trajectory: Trajectory, index: int) -> None:
        self._trajectory = trajectory
        self.index = index
        self.time = float(trajectory.times[index])  # s
        self.step = int(trajectory._frames["step"][index])

    def __repr__(self) -> str:
        return f"<saltus.Frame {self.index} t = {self.time:.6g} s>"

    def _rows(self, kind: str, counted: str | None = None) -> dict[str, Any]:
        frames, counted = self._trajectory._frames, counted or kind
        begin, count = frames.get(f"{counted}_begin"), frames.get(f"{counted}_count")
        if begin is None or count is None:
            return {}
        return self._trajectory._file.read(kind, int(begin[self.index]), int(count[self.index]))

    @cached_property
    def _bodies(self) -> dict[str, Any]:
        return self._rows("body")

    @staticmethod
    def _column(rows: dict[str, Any], name: str, field: str) -> Any:
        if name not in rows:
            raise _saltus.InputError(f'the trajectory has no {name}: store the field "{field}" (output.fields of the scene)')
        return rows[name]

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """Numbers of the bodies in the scene."""
        return cast("npt.NDArray[np.int64]", self._bodies["id"])

    @property
    def positions(self) -> Array:
        """Of centres of mass, m."""
        return cast(Array, self._column(self._bodies, "position", "positions")[:, : self._trajectory.dimension])

    @property
    def orientations(self) -> Array:
        """2D: angles, rad. 3D: quaternions w, x, y, z."""
        column = self._column(self._bodies, "position", "positions")
        return cast(Array, column[:, 2] if self._trajectory.dimension == 2 else column[:, 3:])

    @property
    def velocities(self) -> Array:
        """Of centres of mass, m/s."""
        return cast(Array, self._column(self._bodies, "velocity", "velocities")[:, : self._trajectory.dimension])

    @property
    def spins(self) -> Array:
        """rad/s, world axes."""
        column = self._column(self._bodies, "velocity", "velocities")
        return cast(Array, column[:, 2] if self._trajectory.dimension == 2 else column[:, 3:])

    def body(self, key: str | int) -> dict[str, Any]:
        """Position (m), orientation (rad, or a quaternion), velocity (m/s) and spin (rad/s) of one body, by its name in the scene or its
        number; those that were stored."""
        number = self._trajectory._body_number(key)
        rows = np.flatnonzero(self.ids == number)
        if len(rows) == 0:
            raise KeyError(f"body {key!r} is not in the frame at t = {self.time:g} s")
        return _body_values(self._bodies, rows[0], self._trajectory.dimension)

    @cached_property
    def contacts(self) -> npt.NDArray[Any]:
        """A structured array: bodies a and b, point (m), normal, gap (m), residual (of its law, m/s), impulse (n, t, s; N s), force (N, world axes, on
        b), velocity (n, t, s; m/s), status. Only what was stored."""
        return _contact_table(self._rows("contact"), self._trajectory.dimension, self._trajectory.h)

    @cached_property
    def joints(self) -> dict[str, dict[str, Any]]:
        """By name (or number): point (m), value, rate, effort, force (N) and moment (N m) on the second body, gap (m)."""
        return self._trajectory._joint_tables(self._rows("joint"))

    @cached_property
    def coordinates(self) -> dict[str, Array]:
        """Of the systems, by name (or number)."""
        return self._trajectory._split_systems(self._rows("coordinate"), "position")

    @cached_property
    def nodes(self) -> dict[str, Array]:
        """Where the nodes of deformable bodies are, m, by name (or number)."""
        return self._trajectory._nodes(self.coordinates)

    @cached_property
    def node_fields(self) -> dict[str, dict[str, Array]]:
        """Of deformable bodies, by name (or number): stress (Pa; xx, yy, zz, xy, in space yz, zx too), strain, plastic_strain,
        reaction (N, of supports) at each node. Only what was stored."""
        return self._trajectory._split_fields(self._rows("node_value", "node"), "node_count")

    @cached_property
    def cell_fields(self) -> dict[str, dict[str, Array]]:
        """The same of each finite element, without reaction: means over it."""
        return self._trajectory._split_fields(self._rows("cell_value", "cell"), "cell_count")


def _body_values(rows: dict[str, Any], at: Any, dimension: int) -> dict[str, Any]:
    values = {}
    for column, first, second in (("position", "position", "orientation"), ("velocity", "velocity", "spin")):
        if column in rows:
            numbers = rows[column][at]
            values[first], values[second] = numbers[:dimension].copy(), numbers[2] if dimension == 2 else numbers[3:].copy()
    return values


def _contact_table(rows: dict[str, Any], dimension: int, h: float) -> npt.NDArray[Any]:
    count = len(rows["a"]) if "a" in rows else 0
    columns: dict[str, npt.NDArray[Any]] = {name: rows[name] for name in ("a", "b") if name in rows}
    columns |= {name: rows[name] for name in ("point", "gap", "residual", "impulse", "velocity", "moment") if name in rows}
    if "frame" in rows:
        axes = rows["frame"].reshape(count, dimension, dimension)  # column by column: n, t, s
        columns["normal"] = axes[:, 0, :]
        if "impulse" in rows:
            columns["force"] = np.einsum("ck,ckx->cx", rows["impulse"], axes) / h
    if "status" in rows:
        columns["status"] = _STATUS[rows["status"]]
    if "bonded" in rows:
        columns["bonded"] = rows["bonded"].astype(bool)
    table = np.empty(count, dtype=[(name, c.dtype, c.shape[1:]) for name, c in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table


class Trajectory(Sequence[Frame]):
    """A file that a run wrote. ``len``, ``trajectory[i]``, slices and iteration give frames; nothing is read before.

    A file that is still being written shows what it held when it was opened; `refresh` looks again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.refresh()

    def refresh(self) -> None:
        """Opens the file again: frames that were added since are there."""
        self._file = _saltus.TrajectoryFile(self.path)
        self._header = self._file.header()
        self.dimension: int = self._file.dimension
        self._frames: dict[str, Any] = self._file.read("frame", 0, self._file.frames)
        for name in ("_systems", "_tables"):
            self.__dict__.pop(name, None)

    def __repr__(self) -> str:
        return f"<saltus.Trajectory {self.path!r}, {len(self)} frames>"

    def __len__(self) -> int:
        return self._file.frames

    @overload
    def __getitem__(self, index: int) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...

    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        if isinstance(index, slice):
            return [Frame(self, i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"frame {index}: there are {len(self)}")
        return Frame(self, index % len(self))

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self, i) for i in range(len(self)))

    @property
    def times(self) -> Array:
        """Of the frames, s."""
        return cast(Array, self._frames["time"])

    def at(self, time: float) -> Frame:
        """The frame nearest to a time, s."""
        if len(self) == 0:
            raise IndexError("the trajectory has no frame")
        return self[int(np.argmin(np.abs(self.times - time)))]

    @property
    def h(self) -> float:
        """Length of a step, s."""
        return float(self._header["h"])

    @property
    def title(self) -> str:
        return str(self._header["title"] or self._header["name"])

    @property
    def scene_text(self) -> str:
        """The scene that was run, as TOML."""
        return str(self._header["scene_text"])

    @property
    def body_names(self) -> list[str]:
        return list(self._header["body_names"])

    @property
    def is_finished(self) -> bool:
        return self._file.is_finished

    @property
    def summary(self) -> dict[str, Any]:
        """The certificate of the run; empty if it was killed."""
        text = self._file.summary()
        return cast("dict[str, Any]", json.loads(text)) if text else {}

    @cached_property
    def _tables(self) -> dict[str, Array]:
        names, values = _saltus.read_series(self.path)
        return {name: values[:, i] for i, name in enumerate(names)}

    @property
    def series_names(self) -> list[str]:
        """What `series` gives: ``energy.kinetic``, ``solver.residual_rms``..., one number per frame."""
        return list(self._tables)

    def series(self, name: str) -> Array:
        """One number per frame: energies (J), figures of the solver; `series_names` lists them."""
        if name not in self._tables:
            raise KeyError(f'no series "{name}": there are {", ".join(self._tables)}')
        return self._tables[name]

    @property
    def measures(self) -> npt.NDArray[Any]:
        """The rows of measures that the run wrote: a structured array with step, time (s) and the names of measures."""
        return _measure_table(*_saltus.read_measures(self.path))

    def measure(self, *measures: str, start: float = -np.inf, end: float = np.inf) -> npt.NDArray[Any]:
        """Measures computed now from the frames, as ``saltus measure`` takes them; none: those of the scene."""
        return _measure_table(*_saltus.compute_measures(self.path, list(measures), start, end))

    def body(self, key: str | int) -> dict[str, Array]:
        """Positions, orientations, velocities and spins of one body over all frames; nan where it is not there."""
        number = self._body_number(key)
        rows: dict[str, list[Any]] = {}
        place = -1
        for i in range(len(self)):
            row, place = self._find_row(i, number, place)
            for name, value in (_body_values(row, 0, self.dimension) if row else {}).items():
                rows.setdefault(name, [np.full(np.shape(value), np.nan)] * len(self))[i] = value
        return {name: np.array(values) for name, values in rows.items()}

    def _find_row(self, index: int, number: int, guess: int) -> tuple[dict[str, Any] | None, int]:
        """The one row of a body in a frame, and its place there: mostly where it was in the frame before, so that no more is read."""
        begin, count = int(self._frames["body_begin"][index]), int(self._frames["body_count"][index])
        if 0 <= guess < count:
            row = self._file.read("body", begin + guess, 1)
            if row["id"][0] == number:
                return row, guess
        places = np.flatnonzero(self._file.read("body", begin, count)["id"] == number)
        if len(places) == 0:
            return None, guess
        return self._file.read("body", begin + int(places[0]), 1), int(places[0])

    def _body_number(self, key: str | int) -> int:
        from ._simulation import _find

        if isinstance(key, str):
            return _find(self.body_names, key, "body")
        return int(key)

    def _label(self, kind: str, number: int) -> str:
        names: list[str] = self._header[f"{kind}_names"]
        return names[number] if number < len(names) and names[number] else str(number)

    def _joint_tables(self, rows: dict[str, Any]) -> dict[str, dict[str, Any]]:
        tables = {}
        for i, number in enumerate(rows.get("joint", ())):
            row = {name: column[i] for name, column in rows.items() if name != "joint"}
            for impulse, load in (("impulse", "force"), ("moment", "moment"), ("effort", "effort")):
                if impulse in row:
                    row[load] = row[impulse] / self.h
            tables[self._label("joint", int(number))] = row
        return tables

    @cached_property
    def _systems(self) -> dict[str, Any]:
        read = self._file.read
        count = self._file.rows
        return {**read("system", 0, count("system")), **read("node", 0, count("node"))}

    def _split_systems(self, rows: dict[str, Any], column: str) -> dict[str, Array]:
        if "system" not in rows or column not in rows:
            return {}
        numbers = rows["system"]
        return {self._label("system", int(n)): rows[column][numbers == n] for n in np.unique(numbers)}

    def _split_fields(self, rows: dict[str, Any], counts: str) -> dict[str, dict[str, Array]]:
        fields: dict[str, dict[str, Array]] = {}
        begin = 0
        for i, count in enumerate(map(int, self._systems.get(counts, ()) if rows else ())):
            if count > 0:
                fields[self._label("system", i)] = {name: rows[name][begin : begin + count] for name in rows}
            begin += count
        return fields

    def _nodes(self, coordinates: dict[str, Array]) -> dict[str, Array]:
        systems, nodes = self._systems, {}
        for i in range(len(systems.get("node_count", ()))):
            begin, count = int(systems["node_begin"][i]), int(systems["node_count"][i])
            q = coordinates.get(self._label("system", i))
            if count == 0 or q is None:
                continue
            rest = systems["nodes"][begin : begin + count]
            nodes[self._label("system", i)] = rest + q[: rest.size].reshape(rest.shape)
        return nodes


def _measure_table(names: list[str], values: Array) -> npt.NDArray[Any]:
    table = np.empty(len(values), dtype=[(name, "i8" if name == "step" else "f8") for name in names])
    for i, name in enumerate(names):
        table[name] = values[:, i]
    return table
