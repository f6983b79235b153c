"""Scenes from files and from code: one reader, one set of messages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import saltus
from conftest import make_ball


def test_the_library_lists_scenes_with_titles() -> None:
    scenes = saltus.library()
    assert scenes["bouncing-ball-2d"] == "A disk falls on a floor and bounces until it rests"


def test_a_scene_of_the_library_loads_with_overrides_given_either_way() -> None:
    by_dict = saltus.load("bouncing-ball-2d", {"scheme.h": 2e-3, "bodies.1.position": [0, 2]})
    by_keyword = saltus.load("bouncing-ball-2d", scheme__h=2e-3, bodies__1__position=np.array([0, 2]))
    assert by_dict["scheme"]["h"] == 2e-3
    assert by_dict == by_keyword
    assert saltus.Simulation(by_dict).h == 2e-3


def test_a_scene_in_code_and_its_toml_run_to_the_same_bits(tmp_path: Path) -> None:
    scene = make_ball()
    scene.save(tmp_path / "ball.toml")
    in_code, from_file = saltus.Simulation(scene), saltus.Simulation(tmp_path / "ball.toml")
    in_code.step(700), from_file.step(700)
    assert in_code.state_hash == from_file.state_hash


def test_a_mistake_in_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('dimension = 2\n[[bodies]]\nshape = { kind = "disk", radius = -1 }\n')
    with pytest.raises(saltus.InputError, match=rf"{path}:3:35: bodies.0.shape.radius: got -1"):
        saltus.Simulation(path)


def test_a_mistake_in_code_is_told_with_its_key() -> None:
    with pytest.raises(saltus.InputError, match=r"^bodies.1.shape.radius: got -1, allowed: "):
        saltus.Simulation(make_ball(**{"bodies.1.shape.radius": -1}))


def test_a_misspelt_key_in_code_is_told_with_the_nearest() -> None:
    with pytest.raises(saltus.InputError, match=r'unknown key "scheme.thet".*did you mean "theta"'):
        saltus.Simulation(make_ball(scheme__thet=0.5))


def test_what_only_the_simulation_sees_is_told_with_the_body() -> None:
    scene = make_ball()
    del scene["law"]
    with pytest.raises(saltus.InputError, match=r"bodies\.[01]"):
        saltus.Simulation(scene)


def test_a_scene_that_was_loaded_and_changed_is_read_as_changed() -> None:
    scene = saltus.load("bouncing-ball-2d")
    scene["bodies"][1]["shape"]["radius"] = -2
    with pytest.raises(saltus.InputError, match=r"^bodies.1.shape.radius: got -2"):
        saltus.Simulation(scene)


def test_an_unknown_scene_is_told_with_the_nearest_name() -> None:
    with pytest.raises(saltus.InputError, match="did you mean"):
        saltus.load("bouncing-ball-2e")


def test_a_wrong_override_is_told_as_the_program_tells_it() -> None:
    with pytest.raises(saltus.InputError, match=r"--set bodies.7.mass=1.*allowed"):
        saltus.load("bouncing-ball-2d", {"bodies.7.mass": 1})


@pytest.mark.parametrize("value", [object(), {1: 2}, b"x", 10**30, complex(1, 2)])
def test_values_that_no_scene_can_hold_are_errors(value: object) -> None:
    with pytest.raises(saltus.InputError):
        saltus.Simulation(make_ball(title=value))


def test_a_dictionary_that_holds_itself_is_an_error() -> None:
    scene = make_ball()
    scene["run"]["self"] = scene.values
    with pytest.raises((saltus.InputError, RecursionError)):
        saltus.Simulation({**scene.values})


def test_none_leaves_a_key_out() -> None:
    assert saltus.Simulation(make_ball(title=None)).body_count == 2


def test_a_copy_of_a_scene_shares_nothing() -> None:
    scene = make_ball()
    twin = scene.copy(law__restitution=0.1)
    twin["bodies"][0]["name"] = "ground"
    assert scene["law"]["restitution"] == 0.5
    assert scene["bodies"][0]["name"] == "floor"


def test_check_tells_what_a_run_would_do() -> None:
    report = make_ball().check()
    assert isinstance(report["warnings"], list) and len(report) > 3


def test_a_scene_with_a_file_finds_it_beside_the_scene(tmp_path: Path) -> None:
    (tmp_path / "push.txt").write_text("0 0\n1 4\n")
    scene = make_ball()
    scene["bodies"][1]["force"] = {"x": {"file": "push.txt"}}
    scene.save(tmp_path / "pushed.toml")
    simulation = saltus.Simulation(tmp_path / "pushed.toml")
    simulation.step(100)
    # m v = integral of 4 t = 2 t^2, by the trapezoidal rule exact for a linear force.
    assert simulation.body("ball").velocity[0] == pytest.approx(2 * 0.1**2 / 2, rel=1e-12)
