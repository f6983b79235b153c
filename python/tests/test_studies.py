"""Studies in several processes."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest
import saltus
from conftest import make_ball


def height_after_one_bounce(restitution: float, h: float = 1e-3) -> dict[str, float]:
    simulation = saltus.Simulation(make_ball(law__restitution=restitution, scheme__h=h))
    highest = 0.0

    def look(s: saltus.Simulation) -> None:
        nonlocal highest
        if s.time > 0.35:
            highest = max(highest, float(s.body("ball").position[1]))

    simulation.run(callback=look)
    return {"highest": highest, "process": os.getpid()}


def test_a_sweep_on_two_processes_has_the_numbers_of_one() -> None:
    values = {"restitution": [0.2, 0.5, 0.8], "h": [1e-3, 2e-3]}
    two, one = (saltus.study(height_after_one_bounce, values, processes=n) for n in (2, 1))
    assert len(two) == 6 and two[0].parameters == {"restitution": 0.2, "h": 1e-3}
    assert np.array_equal(two.column("highest"), one.column("highest"))
    assert os.getpid() not in two.column("process") and set(one.column("process")) == {os.getpid()}
    # e^2 of the height fallen, 0.5 m; a step of the first impact is off by at most h v: 3.13 m/s h, twice (down and up).
    expected = 0.1 + 0.5 * two.column("restitution") ** 2
    assert np.all(np.abs(two.column("highest") - expected) < 2 * 3.13 * two.column("h"))


def test_a_scene_is_swept_by_its_keys() -> None:
    scene = make_ball(run__until=0.2)
    scene.add("measures", kind="body", name="ball", body="ball")
    done = saltus.study(scene, {"gravity": [[0, -9.81], [0, -1.62]]}, processes=2)
    assert done.column("ball.y") == pytest.approx([0.6 - 9.81 * 0.02, 0.6 - 1.62 * 0.02])
    collected = saltus.study(scene, [{"scheme.h": 1e-2}, {"scheme.h": 1e-3}], collect=lambda s: s.steps, processes=2)
    assert collected.results == [20, 200] and collected.column("result").tolist() == [20, 200]


def test_a_case_that_fails_names_itself() -> None:
    with pytest.raises(saltus.CaseFailed, match=r"restitution=2: .*InputError.*restitution"):
        saltus.study(height_after_one_bounce, {"restitution": [0.5, 2]}, processes=2)
    kept = saltus.study(height_after_one_bounce, {"restitution": [0.5, 2]}, processes=2, keep_errors=True)
    assert kept[0].error is None and "InputError" in (kept[1].error or "")
    assert np.isnan(kept.column("highest")[1])


def end_the_process(x: int) -> int:
    os._exit(7)


def test_a_process_that_dies_is_an_error_not_a_hang() -> None:
    with pytest.raises(saltus.CaseFailed, match="killed"):
        saltus.study(end_the_process, {"x": [1, 2]}, processes=2)


def square(x: int) -> int:
    return x * x


def test_processes_are_started_afresh_where_threads_are() -> None:
    release = threading.Event()
    thread = threading.Thread(target=release.wait)
    thread.start()
    try:
        assert saltus.study(square, {"x": [1, 2, 3]}, processes=2).results == [1, 4, 9]
        with pytest.raises(saltus.InputError, match="after threads were started"):
            saltus.study(square, {"x": [1, 2]}, processes=2, method="fork")
        with pytest.raises(saltus.InputError, match="cannot be given to another process"):
            saltus.study(lambda x: x, {"x": [1, 2]}, processes=2)
    finally:
        release.set()
        thread.join()


def test_mistakes_are_told() -> None:
    with pytest.raises(saltus.InputError, match="processes"):
        saltus.study(square, {"x": [1]}, processes=0)
    with pytest.raises(KeyError):
        saltus.study(square, {"x": [1, 2]}, processes=1).column("y")
    assert len(saltus.study(square, {}, processes=1, keep_errors=True)) == 1
