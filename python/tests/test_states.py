"""Snapshots, checkpoints, recordings."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import saltus
from conftest import make_ball, make_free


def test_a_snapshot_is_a_copy_that_brings_the_state_back_to_the_bit(ball: saltus.Scene) -> None:
    ball.add("measures", kind="body", name="ball", body="ball")
    simulation = saltus.Simulation(ball)
    simulation.step(300)
    kept, live, then = simulation.snapshot(), simulation.positions, simulation.positions.copy()
    simulation.step(400)
    end, table = simulation.state_hash, simulation.measures
    assert not np.array_equal(live, then)
    simulation.restore(pickle.loads(pickle.dumps(kept)))
    assert simulation.steps == kept.steps == 300 and len(simulation.measures) == 300
    assert np.array_equal(live, then)  # views follow
    simulation.step(400)
    assert simulation.state_hash == end and (simulation.measures == table).all()


def test_a_checkpoint_file_does_the_same_in_another_simulation(ball: saltus.Scene, tmp_path: Path) -> None:
    ball.add("measures", kind="body", name="ball", body="ball")
    simulation, other = saltus.Simulation(ball), saltus.Simulation(ball)
    simulation.step(300)
    simulation.save(tmp_path / "ball.state")
    simulation.step(100)
    other.restore(tmp_path / "ball.state")
    assert len(other.measures) == 300
    other.step(100)
    assert other.state_hash == simulation.state_hash and (other.measures == simulation.measures).all()


def test_states_of_another_scene_and_damaged_ones_are_refused_and_change_nothing(ball: saltus.Scene, tmp_path: Path) -> None:
    simulation = saltus.Simulation(ball)
    simulation.step(10)
    before = simulation.state_hash
    with pytest.raises(saltus.InputError, match="another scene"):
        simulation.restore(saltus.Simulation(make_free()).snapshot())
    with pytest.raises(saltus.InputError, match="no such checkpoint"):
        simulation.restore(tmp_path / "none")
    simulation.save(tmp_path / "state")
    whole = (tmp_path / "state").read_bytes()
    for damaged in (b"", whole[:100], whole[:-1], b"x" + whole[1:], whole[:200] + b"\xff" * 8 + whole[208:]):
        (tmp_path / "state").write_bytes(damaged)
        with pytest.raises(saltus.InputError):
            simulation.restore(tmp_path / "state")
    state = list(simulation.snapshot().__getstate__())
    for length in (0, 7, 50, len(state[0]) - 1):
        broken = saltus.Snapshot.__new__(saltus.Snapshot)
        broken.__setstate__((state[0][:length], *state[1:]))
        with pytest.raises(saltus.InputError):
            simulation.restore(broken)
    assert simulation.state_hash == before


def test_a_recording_is_a_trajectory_with_frames_and_measures(ball: saltus.Scene, tmp_path: Path) -> None:
    ball.add("measures", kind="body", name="ball", body="ball")
    simulation = saltus.Simulation(ball)
    simulation.run(output=tmp_path / "ball.h5", output_every=0.1)
    trajectory = saltus.Trajectory(tmp_path / "ball.h5")
    assert trajectory.is_finished and trajectory.summary["outcome"] == "finished"
    assert trajectory.times == pytest.approx(0.1 * np.arange(11))
    assert (trajectory.measures == simulation.measures).all()
    assert trajectory[-1].positions[1] == pytest.approx(simulation.positions[1])


def test_a_recording_refuses_to_overwrite_and_to_go_back(ball: saltus.Scene, tmp_path: Path) -> None:
    simulation = saltus.Simulation(ball)
    kept = simulation.snapshot()
    with simulation.record(tmp_path / "a.h5"):
        simulation.step(5)
        with pytest.raises(saltus.InputError, match="while a trajectory is recorded"):
            simulation.restore(kept)
        with pytest.raises(saltus.InputError, match="one at a time"):
            simulation.run(until=0.1, output=tmp_path / "b.h5")
    simulation.step(5)  # not recorded
    assert len(saltus.Trajectory(tmp_path / "a.h5")) == 6
    with pytest.raises(saltus.InputError, match="is there already"):
        simulation.run(until=0.1, output=tmp_path / "a.h5")
    with pytest.raises((saltus.OutputError, saltus.InputError)):
        simulation.run(until=0.1, output=tmp_path / "no" / "such" / "folder.h5")
    simulation.run(until=0.02, output=tmp_path / "a.h5", force=True)


def test_a_recording_survives_an_exception_and_a_simulation_that_goes(ball: saltus.Scene, tmp_path: Path) -> None:
    def fail(simulation: saltus.Simulation) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        saltus.Simulation(ball).run(output=tmp_path / "a.h5", callback=fail, every=0.02)
    assert len(saltus.Trajectory(tmp_path / "a.h5")) == 21
