"""Figures by matplotlib, where it is installed. Every function draws into ``axes`` (new ones by default) and returns them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._simulation import Simulation
from ._trajectory import Frame, Trajectory


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("figures need matplotlib (Debian: python3-matplotlib)") from None
    return plt.subplots()[1]


def measures(source: Simulation | Trajectory, *names: str, axes: Any = None) -> Any:
    """Measures over time: those named, or all."""
    axes = _axes(axes)
    table = source.measures
    for name in names or [n for n in table.dtype.names or () if n not in ("step", "time")]:
        axes.plot(table["time"], table[name], label=name)
    axes.set_xlabel("time (s)")
    axes.legend()
    return axes


def series(trajectory: Trajectory, *names: str, axes: Any = None) -> Any:
    """Series of a trajectory over time (`Trajectory.series_names`)."""
    axes = _axes(axes)
    for name in names:
        axes.plot(trajectory.times, trajectory.series(name), label=name)
    axes.set_xlabel("time (s)")
    axes.legend()
    return axes


def energy(trajectory: Trajectory, axes: Any = None) -> Any:
    """Kinetic, potential and stored energy, and their sum, J."""
    axes = _axes(axes)
    names = ("kinetic", "potential", "elastic_stored")
    parts = {name: trajectory.series(f"energy.{name}") for name in names}
    for name, values in parts.items():
        axes.plot(trajectory.times, values, label=name.replace("_", " "))
    axes.plot(trajectory.times, sum(parts.values()), "k--", label="sum")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("energy (J)")
    axes.legend()
    return axes


def path(trajectory: Trajectory, body: str | int, axes: Any = None) -> Any:
    """The way of a body: y over x in 2D, z over x in 3D, m."""
    axes = _axes(axes)
    places = trajectory.body(body)["position"]
    axes.plot(places[:, 0], places[:, -1])
    axes.set_xlabel("x (m)")
    axes.set_ylabel("y (m)" if trajectory.dimension == 2 else "z (m)")
    axes.set_aspect("equal", adjustable="datalim")
    return axes


def contacts(source: Simulation | Frame, axes: Any = None, scale: float | None = None) -> Any:
    """Contact points with their forces, as lines along the force (3D: seen along y). ``scale``: m per N."""
    from matplotlib.collections import LineCollection

    axes = _axes(axes)
    table = source.contacts
    points, forces = table["point"][:, [0, -1]], table["force"][:, [0, -1]]
    size = np.linalg.norm(forces, axis=1)
    if scale is None:
        extent = float(np.ptp(points, axis=0).max()) if len(points) else 1.0
        scale = 0.05 * (extent or 1.0) / (float(size.max()) or 1.0) if len(size) else 1.0
    ends = scale * forces / 2
    axes.add_collection(LineCollection(np.stack([points - ends, points + ends], axis=1), linewidths=1.5))
    axes.plot(points[:, 0], points[:, 1], "k.", markersize=3)
    axes.autoscale()
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("x (m)")
    return axes
