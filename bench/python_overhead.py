"""What Python costs per step of a controlled simulation: the inverted pendulum of docs/python.md.

    build/python-venv/bin/python bench/python_overhead.py

CPU time per step of (1) many steps in one call, (2) one call per step, (3) one call per step with a controller that reads four live
numbers and applies a force. Best of five, so that other programs on the machine do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import cos, sin

import saltus

STEPS = 5000


def make() -> saltus.Simulation:
    scene = saltus.Scene(dimension=2, gravity=[0, -9.81], scheme={"h": 1e-3}, run={"until": 1e6}, law={"friction": 0.0})
    scene.add_body(name="cart", shape={"kind": "rectangle", "size": [0.4, 0.2]}, mass=1.0)
    place = [-0.5 * sin(0.1), 0.5 * cos(0.1)]
    scene.add_body(name="pole", shape={"kind": "rectangle", "size": [0.02, 1.0]}, mass=0.1, position=place, angle=0.1)
    scene.add_joint(name="rail", kind="prismatic", bodies=["cart"], point=[0, 0], axis=[1, 0])
    scene.add_joint(name="hinge", kind="revolute", bodies=["cart", "pole"], point=[0, 0])
    return saltus.Simulation(scene)


def in_one_call(simulation: saltus.Simulation) -> None:
    simulation.step(STEPS)


def call_by_call(simulation: saltus.Simulation) -> None:
    for _ in range(STEPS):
        simulation.step()


def controlled(simulation: saltus.Simulation) -> None:
    cart = simulation.body("cart")
    x, v, angles, spins = cart.position, cart.velocity, simulation.orientations, simulation.spins
    for _ in range(STEPS):
        cart.apply(force=[1.0 * x[0] + 1.99 * v[0] - 30.24 * angles[1] - 7.69 * spins[1], 0.0])
        simulation.step()
    assert abs(angles[1]) < 0.1  # it stands


def microseconds_per_step(way: Callable[[saltus.Simulation], None]) -> float:
    best = float("inf")
    for _ in range(5):
        simulation = make()
        begin = time.process_time()
        way(simulation)
        best = min(best, (time.process_time() - begin) / STEPS)
    return best * 1e6


if __name__ == "__main__":
    base = microseconds_per_step(in_one_call)
    print(f"step(n)                  {base:6.2f} us per step")
    for name, way in (("step() one by one", call_by_call), ("step() with a controller", controlled)):
        took = microseconds_per_step(way)
        print(f"{name:24} {took:6.2f} us per step: {took - base:.2f} us of Python")
