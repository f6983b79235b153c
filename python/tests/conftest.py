"""Small scenes that several tests use."""

from __future__ import annotations

from typing import Any

import pytest
import saltus


def make_ball(**keys: Any) -> saltus.Scene:
    """A disk of 0.1 m let fall on a floor."""
    scene = saltus.Scene(
        dimension=2, gravity=[0, -9.81], scheme={"h": 1e-3}, run={"until": 1.0}, law={"kind": "newton", "restitution": 0.5}
    )
    scene.add_body(name="floor", shape={"kind": "half-plane"}, fixed=True)
    scene.add_body(name="ball", shape={"kind": "disk", "radius": 0.1}, position=[0, 0.6], mass=2.0)
    return scene.copy(**keys)


def make_free(dimension: int = 2, **body: Any) -> saltus.Scene:
    """One body alone, without gravity."""
    shape = {"kind": "disk" if dimension == 2 else "sphere", "radius": 0.1}
    scene = saltus.Scene(dimension=dimension, scheme={"h": 1e-2}, law={"friction": 0.0})
    scene.add_body(name="body", shape=shape, mass=2.0, **body)
    return scene


def make_cart(tilt: float = 0.1, **motor: Any) -> saltus.Scene:
    """A pole of 1 m that stands on a cart on a rail."""
    from math import cos, sin

    scene = saltus.Scene(dimension=2, gravity=[0, -9.81], scheme={"h": 1e-3}, run={"until": 10.0}, law={"friction": 0.0})
    scene.add_body(name="cart", shape={"kind": "rectangle", "size": [0.4, 0.2]}, mass=1.0)
    scene.add_body(
        name="pole",
        shape={"kind": "rectangle", "size": [0.02, 1.0]},
        mass=0.1,
        position=[-0.5 * sin(tilt), 0.5 * cos(tilt)],
        angle=tilt,
    )
    slide = {"motor": motor} if motor else None
    scene.add_joint(name="rail", kind="prismatic", bodies=["cart"], point=[0, 0], axis=[1, 0], slide=slide)
    scene.add_joint(name="hinge", kind="revolute", bodies=["cart", "pole"], point=[0, 0], angle={"start": tilt})
    return scene


@pytest.fixture
def ball() -> saltus.Scene:
    return make_ball()
