"""Nonsmooth contact dynamics with a certificate.

    import saltus
    sim = saltus.Simulation(saltus.load("bouncing-ball-2d"))
    sim.run()
    print(sim.body("ball").position, sim.report)

SI units throughout. Signs: normals go from body ``a`` to body ``b``, impulses act on ``b``, components are (n, t, s).
docs/python.md is the tutorial and the reference.
"""

from __future__ import annotations

from pathlib import Path as _Path

from . import _saltus, plot
from ._problem import FclibProblem, Problem, Solution, solve
from ._saltus import Energy, InputError, OutputError, RunFailed, Snapshot, Step
from ._scene import Scene, library, load
from ._simulation import Body, Joint, NotConverged, Simulation, System, run
from ._study import Case, CaseFailed, Study, study
from ._trajectory import Frame, Trajectory

__version__: str = _saltus.version

__all__ = [
    "Body",
    "Case",
    "CaseFailed",
    "Energy",
    "FclibProblem",
    "Frame",
    "InputError",
    "Joint",
    "NotConverged",
    "OutputError",
    "Problem",
    "RunFailed",
    "Scene",
    "Simulation",
    "Snapshot",
    "Solution",
    "Step",
    "Study",
    "System",
    "Trajectory",
    "library",
    "load",
    "plot",
    "run",
    "solve",
    "study",
]

_scenes = _Path(__file__).parent / "share" / "saltus" / "scenes"
if _scenes.is_dir():
    _saltus.add_scene_folder(str(_scenes))
del _scenes
