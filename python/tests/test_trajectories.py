"""Trajectories read back against the simulation that wrote them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import saltus
from conftest import make_ball, make_cart


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[saltus.Trajectory, list[dict[str, np.ndarray]]]:
    """A box that slides and stays on an incline, with what the simulation showed at each frame."""
    path = tmp_path_factory.mktemp("trajectory") / "run.h5"
    simulation, shown = saltus.Simulation(saltus.load("incline", {"run.until": 0.2})), []

    def look(s: saltus.Simulation) -> None:
        names = ("positions", "velocities", "orientations", "spins")
        shown.append({**{n: getattr(s, n).copy() for n in names}, "contacts": s.contacts, "time": s.time})

    with simulation.record(path, every=0.0):
        look(simulation)
        simulation.run(callback=look)
    return saltus.Trajectory(path), shown


def test_frames_hold_what_the_simulation_showed(written) -> None:
    trajectory, shown = written
    assert len(trajectory) == len(shown)
    for frame, then in zip(trajectory, shown):
        assert frame.time == pytest.approx(then["time"])
        for name in ("positions", "velocities", "orientations", "spins"):
            assert np.array_equal(getattr(frame, name), then[name][frame.ids]), name


def test_contacts_of_frames_are_those_of_the_simulation(written) -> None:
    trajectory, shown = written
    frame, then = trajectory[-1], shown[-1]["contacts"]
    assert len(then) and set(frame.contacts.dtype.names) <= set(then.dtype.names)
    for name in frame.contacts.dtype.names:
        if then[name].dtype.kind == "f":
            assert frame.contacts[name] == pytest.approx(then[name], rel=1e-12, abs=1e-15), name
        else:
            assert (frame.contacts[name] == then[name]).all(), name


def test_indices_slices_and_times_find_frames(written) -> None:
    trajectory, _ = written
    assert trajectory[-1].index == len(trajectory) - 1
    assert [frame.index for frame in trajectory[2:8:3]] == [2, 5]
    assert trajectory.at(0.1).time == pytest.approx(0.1)
    for index in (len(trajectory), -len(trajectory) - 1):
        with pytest.raises(IndexError):
            trajectory[index]


def test_series_and_the_way_of_a_body(written) -> None:
    trajectory, shown = written
    assert len(trajectory.series("energy.kinetic")) == len(trajectory)
    assert "solver.residual_rms" in trajectory.series_names
    with pytest.raises(KeyError, match="energy.kinetic"):
        trajectory.series("energy.kinetik")
    name = next(name for name in reversed(trajectory.body_names) if name)
    number = trajectory.body_names.index(name)
    way = trajectory.body(name)["position"]
    assert np.array_equal(way, np.array([s["positions"][number] for s in shown]))


def test_the_way_of_a_body_reads_one_row_of_each_frame(written) -> None:
    trajectory, shown = written

    class Counted:
        """The file, and how many rows were read of it."""

        rows = 0

        def read(self, kind: str, begin: int, count: int) -> dict[str, np.ndarray]:
            self.rows += count
            return file.read(kind, begin, count)

        @property
        def frames(self) -> int:
            return file.frames

    file, counted = trajectory._file, Counted()
    trajectory._file = counted
    try:
        way = trajectory.body(1)
    finally:
        trajectory._file = file
    # Those of the first frame, to find it, and itself in each.
    assert counted.rows <= len(trajectory) + len(trajectory[0].ids)
    assert np.array_equal(way["position"], [then["positions"][1] for then in shown])
    assert all(values.base is None or values.base.nbytes == values.nbytes for values in way.values())


def test_measures_are_computed_from_frames(written) -> None:
    trajectory, _ = written
    table = trajectory.measure("motion")
    assert len(table) == len(trajectory) and "motion.speed_max" in table.dtype.names
    with pytest.raises(saltus.InputError):
        trajectory.measure("nonsense")


def test_joints_and_nodes_of_frames(tmp_path: Path) -> None:
    simulation = saltus.Simulation(make_cart()).run(until=0.05, output=tmp_path / "cart.h5")
    joint = saltus.Trajectory(tmp_path / "cart.h5")[-1].joints["hinge"]
    assert joint["value"][0] == simulation.joint("hinge").angle
    assert joint["force"] == pytest.approx(simulation.joint("hinge").force)
    bar = saltus.Simulation(saltus.load("impacting-bar")).run(until=1e-4, output=tmp_path / "bar.h5")
    frame = saltus.Trajectory(tmp_path / "bar.h5")[-1]
    name = bar.system_names[0] or "0"
    assert np.array_equal(frame.coordinates[name], bar.system(0).coordinates)


def test_fields_that_were_not_stored_are_told(tmp_path: Path) -> None:
    scene = make_ball(output={"fields": ["energies"]})
    saltus.Simulation(scene).run(until=0.01, output=tmp_path / "a.h5")
    frame = saltus.Trajectory(tmp_path / "a.h5")[0]
    with pytest.raises(saltus.InputError, match='store the field "positions"'):
        frame.positions
    assert len(frame.contacts) == 0


def test_files_that_are_no_trajectories_are_errors(tmp_path: Path) -> None:
    (tmp_path / "text.h5").write_text("hello")
    for path in (tmp_path / "none.h5", tmp_path / "text.h5", tmp_path):
        with pytest.raises(saltus.InputError):
            saltus.Trajectory(path)


def test_a_file_of_the_program_reads_the_same(tmp_path: Path) -> None:
    out = tmp_path / "ball.h5"
    done = subprocess.run(
        [sys.executable, "-m", "saltus", "run", "bouncing-ball-2d", "--out", str(out), "--quiet", "--set", "run.until=0.5"],
        capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stderr
    simulation = saltus.Simulation(saltus.load("bouncing-ball-2d", {"run.until": 0.5})).run()
    trajectory = saltus.Trajectory(out)
    assert np.array_equal(trajectory[-1].positions, simulation.positions)
    assert int(trajectory.summary["state_hash"], 16) == simulation.state_hash


def test_the_command_line_ends_quietly_where_its_reader_leaves() -> None:
    command = f"'{sys.executable}' -m saltus schema | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "{" and "Broken pipe" not in done.stderr


def test_the_command_line_runs_by_python() -> None:
    done = subprocess.run([sys.executable, "-m", "saltus", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "saltus" and done.stdout.split()[1] == saltus.__version__
    bad = subprocess.run([sys.executable, "-m", "saltus", "run", "nothing"], capture_output=True, text=True, check=False)
    assert bad.returncode == 2 and "no such scene" in bad.stderr
