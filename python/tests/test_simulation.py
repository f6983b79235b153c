"""Stepping, callbacks and what a simulation shows."""

from __future__ import annotations

import copy
import gc
import pickle
import threading

import numpy as np
import pytest
import saltus
from conftest import make_ball, make_cart, make_free

G = 9.81


def test_free_fall_follows_the_parabola(ball: saltus.Scene) -> None:
    simulation = saltus.Simulation(ball)
    simulation.step(200)
    # theta = 1/2 is exact for a constant force; 1e-12: round-off of 200 steps.
    assert simulation.time == pytest.approx(0.2)
    assert simulation.body("ball").position[1] == pytest.approx(0.6 - G * 0.2**2 / 2, abs=1e-12)
    assert simulation.body("ball").velocity[1] == pytest.approx(-G * 0.2, abs=1e-12)


def test_steps_one_by_one_and_all_at_once_give_the_same_bits(ball: saltus.Scene) -> None:
    one, all_at_once = saltus.Simulation(ball), saltus.Simulation(ball)
    for _ in range(500):
        one.step()
    all_at_once.step(500)
    assert one.state_hash == all_at_once.state_hash


def test_a_run_ends_at_the_end_of_its_scene_and_goes_on_when_asked(ball: saltus.Scene) -> None:
    simulation = saltus.Simulation(ball).run()
    assert simulation.steps == 1000 and simulation.finished
    simulation.run(until=1.5)
    assert simulation.steps == 1500


def test_callbacks_come_at_their_interval_and_may_stop_the_run(ball: saltus.Scene) -> None:
    times: list[float] = []
    saltus.Simulation(ball).run(callback=lambda s: times.append(s.time), every=0.1)
    assert times == pytest.approx([0.1 * i for i in range(1, 11)])
    stopped = saltus.Simulation(ball).run(callback=lambda s: s.body("ball").position[1] < 0.3)
    # sqrt(2 (0.6 - 0.3)/g) = 0.2473 s: the first step after that.
    assert stopped.steps == 248


def test_an_exception_in_a_callback_reaches_the_caller_and_leaves_a_whole_state(ball: saltus.Scene) -> None:
    def fail(simulation: saltus.Simulation) -> None:
        raise ZeroDivisionError

    simulation = saltus.Simulation(ball)
    with pytest.raises(ZeroDivisionError):
        simulation.run(callback=fail, every=0.01)
    assert simulation.steps == 10
    simulation.step()


def test_live_views_follow_every_step_without_a_new_array(ball: saltus.Scene) -> None:
    simulation = saltus.Simulation(ball)
    positions, height = simulation.positions, simulation.body("ball").position
    simulation.step(10)
    assert simulation.positions is positions
    assert height[1] == positions[1, 1] == pytest.approx(0.6 - G * 0.01**2 / 2, abs=1e-12)


def test_live_views_are_read_only(ball: saltus.Scene) -> None:
    simulation = saltus.Simulation(ball)
    with pytest.raises(ValueError, match="read-only"):
        simulation.positions[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        simulation.body("ball").velocity[0] = 1


def test_views_outlive_their_simulation(ball: saltus.Scene) -> None:
    view = saltus.Simulation(ball).body("ball").position
    gc.collect()
    junk = [np.empty(1000) for _ in range(100)]  # takes memory that was freed
    assert view[1] == 0.6 and len(junk) == 100


def test_views_stay_with_their_body_when_slots_are_reused() -> None:
    scene = make_free()
    scene["bodies"][0]["removed_at"] = 0.1
    scene.add_body(name="late", shape={"kind": "disk", "radius": 0.1}, position=[5, 0], velocity=[1, 0], added_at=0.2)
    scene.add_body(name="other", shape={"kind": "disk", "radius": 0.1}, position=[-5, 0])
    simulation = saltus.Simulation(scene)
    gone, late = simulation.body("body").position, simulation.body("late").position
    assert np.isfinite(gone).all() and np.isnan(late).all()
    simulation.step(15)
    assert np.isnan(gone).all() and np.isnan(late).all()
    simulation.step(10)  # "late" takes the slot that "body" had
    assert np.isnan(gone).all() and late[0] == pytest.approx(5 + 0.05, abs=1e-12)
    assert not simulation.body("body").is_present and simulation.body("late").is_present
    with pytest.raises(saltus.InputError, match="is not there now"):
        simulation.body("body").mass


def test_arrays_in_space_have_quaternions_and_spins_along_world_axes() -> None:
    simulation = saltus.Simulation(make_free(3, spin=[0, 0, 2.0]))
    simulation.step(50)
    assert simulation.orientations[0] == pytest.approx([np.cos(0.5), 0, 0, np.sin(0.5)], abs=1e-12)
    assert simulation.spins[0] == pytest.approx([0, 0, 2], abs=1e-12)


def test_contacts_carry_the_weight_and_forces_agree(ball: saltus.Scene) -> None:
    ball["bodies"][1]["position"] = [0.0, 0.1]
    simulation = saltus.Simulation(ball)
    simulation.step(10)
    (contact,) = simulation.contacts
    # The solver's tolerance is 1e-3 of g h per unit of mass: 1e-3 of the weight.
    assert contact["force"] == pytest.approx([0, 2 * G], rel=1e-3, abs=1e-9)
    assert contact["impulse"][0] == pytest.approx(2 * G * 1e-3, rel=1e-3)
    assert contact["status"] == "stick" and not contact["bonded"]
    assert (contact["a"], contact["b"]) == (0, 1) and contact["normal"] == pytest.approx([0, 1])
    assert simulation.body("ball").force == pytest.approx(contact["force"])
    assert simulation.forces[0] == pytest.approx(-contact["force"])
    assert simulation.body("ball").torque == pytest.approx(0, abs=1e-12)


def test_friction_turns_a_sliding_ball_as_its_torque_says() -> None:
    scene = make_ball(law={"friction": 0.3})
    scene["bodies"][1] |= {"position": [0, 0.1], "velocity": [3, 0]}
    simulation = saltus.Simulation(scene)
    simulation.step(5)
    body = simulation.body("ball")
    # Sliding: force -mu m g, moment about the centre -mu m g R (clockwise).
    assert body.force[0] == pytest.approx(-0.3 * 2 * G, rel=1e-3)
    assert body.torque == pytest.approx(-0.3 * 2 * G * 0.1, rel=1e-3)


def test_the_certificate_of_a_step_and_of_a_run(ball: saltus.Scene) -> None:
    simulation = saltus.Simulation(ball)
    report = simulation.step(600)
    assert report.converged and report.status == "converged" and report.step == 600
    assert 0 <= report.residual <= report.tolerance
    assert report.penetration >= 0 and report.energy.relative_defect < 1e-9
    summary = simulation.certificate
    assert summary["steps"] == 600 and summary["unconverged_steps"] == 0
    energy = simulation.energy
    # All that the ball lost of m g (0.5 m) is in the works of impact; both to the defect that the step certifies.
    lost = 2 * G * 0.6 - energy.kinetic - energy.potential
    assert lost == pytest.approx(-(energy.impact + energy.scheme + energy.defect + energy.projection), abs=1e-9)


def test_energy_before_the_first_step_is_that_of_the_start(ball: saltus.Scene) -> None:
    assert saltus.Simulation(ball).energy.potential == pytest.approx(2 * G * 0.6)


def test_a_strict_run_raises_when_a_step_misses_its_tolerance() -> None:
    scene = saltus.load("arch", {"solver.max_iterations": 1, "solver.name": "nlgs", "solver.tolerance": 1e-12})
    with pytest.raises(saltus.NotConverged, match=r"step \d+ at t"):
        saltus.Simulation(scene).run(until=0.1, strict=True)


def test_measures_come_as_a_table_and_conditions_stop_the_run(ball: saltus.Scene) -> None:
    ball.add("measures", kind="body", name="ball", body="ball")
    ball["run"]["stop"] = [{"when": "ball.y", "below": 0.3}]
    simulation = saltus.Simulation(ball).run()
    table = simulation.measures
    assert simulation.steps == 248 and "ball.y" in simulation.stopped
    assert len(table) == 248 and table["step"][-1] == 248
    assert table["ball.y"] == pytest.approx(0.6 - G * table["time"] ** 2 / 2, abs=1e-12)


def test_two_simulations_share_nothing(ball: saltus.Scene) -> None:
    first, second = saltus.Simulation(ball), saltus.Simulation(ball)
    first.step(300)
    assert second.steps == 0 and second.body("ball").position[1] == 0.6
    ball["bodies"][1]["position"] = [9, 9]
    assert first.body("ball").position[0] == 0


def test_threads_step_their_own_simulations_at_the_same_time(ball: saltus.Scene) -> None:
    simulations = [saltus.Simulation(ball) for _ in range(4)]
    threads = [threading.Thread(target=s.step, args=(2000,)) for s in simulations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({s.state_hash for s in simulations}) == 1


def test_a_simulation_in_the_middle_of_a_step_refuses_other_threads() -> None:
    simulation = saltus.Simulation(saltus.load("spheres-1000", {"run.until": 100.0}))
    seen, refused = threading.Event(), []

    def step() -> None:
        while not seen.is_set():
            simulation.step(5)

    thread = threading.Thread(target=step)
    thread.start()
    while not refused:  # between two calls it is free; in the middle of one it must say so
        try:
            simulation.positions, simulation.contacts, simulation.snapshot()
        except RuntimeError as error:
            refused.append(str(error))
    seen.set()
    thread.join()
    assert "another thread" in refused[0]
    simulation.contacts


def test_copies_go_on_alone_and_to_the_same_bits(ball: saltus.Scene) -> None:
    ball.add("measures", kind="body", name="ball", body="ball")
    simulation = saltus.Simulation(ball)
    simulation.step(400)
    twins = [simulation.copy(), copy.deepcopy(simulation), pickle.loads(pickle.dumps(simulation))]
    simulation.step(300)
    for twin in twins:
        assert twin.steps == 400 and len(twin.measures) == 400
        twin.step(300)
        assert twin.state_hash == simulation.state_hash
        assert (twin.measures == simulation.measures).all()


def test_names_and_numbers_find_bodies(ball: saltus.Scene) -> None:
    simulation = saltus.Simulation(ball)
    assert simulation.body("ball").number == simulation.body(1).number == simulation.body(-1).number == 1
    assert [body.name for body in simulation.bodies] == ["floor", "ball"]
    assert simulation.body("ball").mass == 2 and simulation.body("ball").inertia == pytest.approx(2 * 0.1**2 / 2)
    with pytest.raises(KeyError, match='did you mean "ball"'):
        simulation.body("bal")
    with pytest.raises(IndexError):
        simulation.body(2)


def test_joints_tell_angles_rates_and_loads() -> None:
    # A physical pendulum of 1 m, let go level: m l^2/3 a = m g l/2 gives 14.715 rad/s^2 at once.
    scene = saltus.Scene(dimension=2, gravity=[0, -G], scheme={"h": 1e-4}, law={"friction": 0.0})
    scene.add_body(name="rod", shape={"kind": "rectangle", "size": [1, 0.01]}, position=[0.5, 0], mass=3.0, inertia=0.25)
    scene.add_joint(name="pin", kind="revolute", bodies=["rod"], point=[0, 0])
    simulation = saltus.Simulation(scene)
    simulation.step(10)
    pin = simulation.joint("pin")
    assert pin.kind == "revolute" and pin.directions == ["angle"]
    # First order in the angle turned, 7e-6 rad.
    assert pin.rate[0] == pytest.approx(-1.5 * G * 1e-3, rel=1e-4)
    assert pin.angle == pytest.approx(-1.5 * G * 1e-6 / 2, rel=1e-3)
    # On the rod: m (g - 3/4 g) upwards.
    assert pin.force == pytest.approx([0, 3 * G / 4], rel=1e-3, abs=1e-3)
    assert pin.gap < 1e-9


def test_nodes_of_a_deformable_body_sag_under_their_weight() -> None:
    scene = saltus.Scene(dimension=2, gravity=[0, -G], scheme={"h": 1e-3}, law={"friction": 0.0})
    scene.add(
        "elastic", name="block", centre=[0, 0.5], size=[2, 1], divisions=[8, 4], young=1e6, density=1200, clamped=["bottom"]
    )
    simulation = saltus.Simulation(scene)
    block = simulation.system("block")
    rest = block.nodes
    assert rest == pytest.approx(block.reference_nodes) and len(rest) == 9 * 5
    assert block.elements.shape == (64, 3)
    simulation.step(5)
    sag = block.nodes - rest
    top = rest[:, 1] > 0.99
    # Waves come from the clamped side at 29 m/s: in 5 ms they are at 0.14 m, so the top falls freely.
    assert sag[top, 1] == pytest.approx(-G * 0.005**2 / 2, rel=0.02)
    assert np.abs(sag[rest[:, 1] < 0.01]).max() < 1e-12
    assert block.node_velocities[top, 1] == pytest.approx(-G * 0.005, rel=0.02)


def test_gaps_of_a_lagrangian_system_are_told() -> None:
    simulation = saltus.Simulation("woodpecker")
    simulation.step(50)
    assert simulation.systems and simulation.gaps
    assert {"name", "gap", "force", "status"} <= set(simulation.gaps[0])


def test_a_cart_without_control_loses_its_pole() -> None:
    simulation = saltus.Simulation(make_cart()).run(until=1.0)
    assert abs(simulation.joint("hinge").angle) > 0.5
