"""Loads, drives and motors set between steps."""

from __future__ import annotations

import numpy as np
import pytest
import saltus
from conftest import make_ball, make_cart, make_free


def test_an_applied_force_and_torque_accelerate_a_free_body() -> None:
    simulation = saltus.Simulation(make_free())
    body = simulation.body("body")
    body.apply(force=[4.0, 0], torque=0.03)
    simulation.step(100)
    # 2 kg, 4 N, 1 s: exact under theta = 1/2, to round-off. Inertia m R^2/2 = 0.01 kg m^2.
    assert body.position == pytest.approx([1, 0], abs=1e-12)
    assert body.velocity == pytest.approx([2, 0], abs=1e-12)
    assert body.spin == pytest.approx(3, abs=1e-12)
    assert simulation.energy.forces == pytest.approx(4 * 1 + 0.03 * 1.5, abs=1e-12)
    body.apply(force=[0, 0])
    simulation.step(100)
    assert body.velocity == pytest.approx([2, 0], abs=1e-12)
    assert body.spin == pytest.approx(6, abs=1e-12)  # the torque was left as it is


def test_loads_in_space_act_along_world_axes() -> None:
    simulation = saltus.Simulation(make_free(3))
    simulation.apply(forces=[[0, 0, 2.0]], torques=[[0.008, 0, 0]])
    simulation.step(100)
    # Sphere: 2/5 m R^2 = 0.008 kg m^2.
    assert simulation.velocities[0] == pytest.approx([0, 0, 1], abs=1e-12)
    assert simulation.spins[0] == pytest.approx([1, 0, 0], abs=1e-12)


@pytest.mark.parametrize("own", [3.0, "3", {"times": [0, 9], "values": [3, 3]}, {"amplitude": 0, "frequency": 1, "mean": 3}])
def test_an_applied_force_acts_beside_that_of_the_scene(own: object) -> None:
    simulation = saltus.Simulation(make_free(force={"x": own}))
    simulation.body(0).apply(force=[1, 0])
    simulation.step(100)
    assert simulation.velocities[0, 0] == pytest.approx((3 + 1) / 2, abs=1e-12)
    simulation.body(0).apply(force=[0, 0])
    simulation.step(100)
    assert simulation.velocities[0, 0] == pytest.approx((3 + 1) / 2 + 3 / 2, abs=1e-12)


@pytest.mark.parametrize("scheme", ["generalized-alpha", "moreau-jean-projected", "schatzman-paoli"])
def test_applied_forces_act_under_the_other_schemes(scheme: str) -> None:
    law = {"kind": "newton"} if scheme == "schatzman-paoli" else {"friction": 0.0}
    simulation = saltus.Simulation(make_free().copy(scheme__kind=scheme, law=law))
    simulation.body(0).apply(force=[4, 0])
    simulation.step(100)
    # Alpha starts from the acceleration of the scene, zero; Schatzman and Paoli show the velocity of the middle of a step:
    # half a step of 2 m/s^2 at most.
    assert simulation.velocities[0, 0] == pytest.approx(2, abs=0.011)


def test_the_event_driven_scheme_refuses_loads() -> None:
    simulation = saltus.Simulation(make_free().copy(scheme__kind="event-driven"))
    with pytest.raises(saltus.InputError, match='a load under the scheme: got event-driven'):
        simulation.body(0).apply(force=[4, 0])


def test_a_load_on_a_body_that_comes_later_waits_for_it() -> None:
    simulation = saltus.Simulation(make_free(added_at=0.5))
    simulation.body(0).apply(force=[4, 0])
    simulation.step(100)
    assert simulation.velocities[0, 0] == pytest.approx(1, abs=1e-12)


def test_the_speed_of_a_drive_follows_python() -> None:
    simulation = saltus.Simulation(make_free(drive={"x": {"velocity": "sin(t)"}}))
    for speed in (1.0, -2.0):
        simulation.body(0).drive("x", speed)
        simulation.step(10)
    assert simulation.velocities[0, 0] == -2
    # A new speed is reached at the end of a step, which goes at the mean of the two: 0 to 1, then 1 to -2.
    assert simulation.positions[0, 0] == pytest.approx(0.095 - 0.005 - 0.18, abs=1e-12)


def test_motors_take_targets_and_limits() -> None:
    scene = make_cart(tilt=0.0, velocity=0.0, limit=100.0)
    simulation = saltus.Simulation(scene)
    rail = simulation.joint("rail")
    rail.drive(0.5)
    simulation.step(10)
    assert rail.rate[0] == pytest.approx(0.5, abs=1e-9)
    rail.drive(5.0, limit=2.0)
    simulation.step(10)
    # 1 kg and the pole, which gives way: between 2 N on 1.1 kg and on 1 kg, for 10 ms.
    assert 0.5 + 2 * 0.01 / 1.1 < rail.rate[0] < 0.5 + 2 * 0.01 / 1.0
    assert rail.motor_effort[0] == pytest.approx(2.0, rel=1e-6)
    assert rail.power == pytest.approx(2.0 * 0.5, rel=0.1)


def test_a_force_motor_pushes_with_what_it_is_told() -> None:
    simulation = saltus.Simulation(make_cart(tilt=0.0, force=0.0))
    simulation.joint("rail").drive(3.0)
    simulation.step(1)
    assert simulation.joint("rail").motor_effort[0] == pytest.approx(3.0)
    with pytest.raises(saltus.InputError, match="limit of a motor whose force is given"):
        simulation.joint("rail").drive(limit=1.0)


def test_controls_are_part_of_the_state() -> None:
    simulation = saltus.Simulation(make_cart(tilt=0.05, velocity=0.0, limit=10.0))
    simulation.body("pole").apply(force=[0.2, 0], torque=-0.1)
    simulation.joint("rail").drive(0.3, limit=4.0)
    simulation.step(20)
    saved, twin = simulation.snapshot(), simulation.copy()
    simulation.step(100)
    twin.step(100)
    assert twin.state_hash == simulation.state_hash
    fresh = saltus.Simulation(simulation.scene)
    fresh.restore(saved)
    assert fresh.body("pole").applied_force == pytest.approx([0.2, 0])
    assert fresh.body("pole").applied_torque == -0.1
    fresh.step(100)
    assert fresh.state_hash == simulation.state_hash


@pytest.mark.parametrize(
    "force", [[np.nan, 0], [np.inf, 0], [1, 2, 3], [1], "ab", [None, 1], 5, [[1, 2]], np.zeros((2, 2))]
)
def test_loads_that_cannot_be_are_errors_and_change_nothing(force: object) -> None:
    simulation = saltus.Simulation(make_free())
    with pytest.raises(saltus.InputError):
        simulation.body(0).apply(force=force)
    simulation.step(5)
    assert simulation.velocities[0] == pytest.approx([0, 0])


def test_what_is_not_there_to_be_controlled_is_told() -> None:
    simulation = saltus.Simulation(make_ball())
    with pytest.raises(saltus.InputError, match='body "ball".*that no velocity drives'):
        simulation.body("ball").drive("x", 1.0)
    with pytest.raises(saltus.InputError, match='a degree of freedom: got "q", allowed: x, y, rz'):
        simulation.body("ball").drive("q", 1.0)
    with pytest.raises(saltus.InputError, match="shape"):
        simulation.apply(forces=np.zeros((3, 2)))
    cart = saltus.Simulation(make_cart())
    with pytest.raises(saltus.InputError, match='joint "rail": no motor'):
        cart.joint("rail").drive(1.0)
    with pytest.raises(KeyError):
        cart.joint("rail").drive(1.0, direction="angle")
    driven = saltus.Simulation(make_cart(velocity=0.0, limit=1.0))
    for wrong in ({"target": np.nan}, {"limit": -1.0}, {"target": np.inf}):
        with pytest.raises(saltus.InputError):
            driven.joint("rail").drive(**wrong)


def test_a_load_on_a_fixed_body_is_an_error() -> None:
    simulation = saltus.Simulation("bouncing-ball-2d")
    with pytest.raises(saltus.InputError, match="fixed changes nothing.*floor"):
        simulation.body("floor").apply(force=[1, 0])
    simulation.body("floor").apply(force=[0, 0])


GAINS = np.array([1.0, -30.24, 1.99, -7.69])  # force = GAINS . (x, angle, v, rate): a linear quadratic regulator


def linear_answer(time: float, angle: float) -> np.ndarray:
    """(x, angle, v, rate) of the linearised cart and pole under these gains: exp(A t) applied to the start."""
    cart, pole, half, inertia = 1.0, 0.1, 0.5, 0.1 * (1 + 0.02**2) / 12
    inverse = np.linalg.inv([[cart + pole, -pole * half], [-pole * half, inertia + pole * half**2]])
    A = np.zeros((4, 4))
    A[0, 2] = A[1, 3] = 1
    A[2:, 1] = inverse @ [0, pole * 9.81 * half]
    A[2:] += np.outer(inverse @ [1, 0], GAINS)
    values, vectors = np.linalg.eig(A)
    assert values.real.max() < -0.6
    return (vectors @ (np.exp(values * time) * np.linalg.solve(vectors, [0, angle, 0, 0]))).real


def test_an_inverted_pendulum_is_kept_up_by_a_force_computed_at_each_step() -> None:
    simulation = saltus.Simulation(make_cart(tilt=0.1))
    cart, hinge = simulation.body("cart"), simulation.joint("hinge")

    def state() -> np.ndarray:
        now = hinge.state()
        return np.array([cart.position[0], now["value"][0], cart.velocity[0], now["rate"][0]])

    def control(_: saltus.Simulation) -> None:
        cart.apply(force=[GAINS @ state(), 0])

    control(simulation)
    for time in (0.5, 1.0, 2.0):
        simulation.run(until=time, callback=control)
        # Terms left out are of the order of angle^2: 1 % of the state; the force is held for a step, 0.1 %.
        assert state() == pytest.approx(linear_answer(time, 0.1), abs=0.01 * np.abs(linear_answer(time, 0.1)).max())
    simulation.run(until=10.0, callback=control)
    assert simulation.steps == 10000
    assert np.abs(state()).max() < 1.1 * np.abs(linear_answer(10.0, 0.1)).max()


def test_a_body_put_to_rest_starts_anew_where_it_is() -> None:
    simulation = saltus.Simulation(make_free())
    body = simulation.body("body")
    body.apply(force=[4.0, 0], torque=0.03)
    simulation.step(100)
    simulation.rest()
    assert body.velocity == pytest.approx([0, 0], abs=0)
    assert body.spin == 0
    assert body.position == pytest.approx([1, 0], abs=1e-12)
    simulation.step(100)
    assert body.position == pytest.approx([2, 0], abs=1e-12)
