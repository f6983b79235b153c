"""The canonical problem on its own: impulses r and velocities u with u = W r + b, in Coulomb's law contact by contact."""

from __future__ import annotations

import os
from typing import Any

from . import _saltus
from ._saltus import Solution

__all__ = ["FclibProblem", "Problem", "Solution", "solve"]


class Problem(_saltus.Problem):
    """``Problem(W, b, mu, dim=3)``: W (scipy.sparse or an array) in blocks of ``dim`` rows per contact, components (n, t, s).

    ``b`` in m/s, ``W`` in 1/kg (r then is in N s); any other consistent units do. ``mu`` is one number or one per contact.
    ``mu_r`` adds rolling friction: blocks of 3 rows in 2D (n, t, w), of 5 in 3D (n, t, s, w1, w2).
    """


class FclibProblem(_saltus.Problem):
    """A problem from an FCLib (HDF5) or Siconos text file; one in global form is condensed to (W, b, mu)."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(_saltus.Problem.read(os.fspath(path)))


def solve(
    W: Any,
    b: Any,
    mu: Any,
    dim: int = 3,
    solver: str = "auto",
    tolerance: float = 1e-8,
    *,
    mu_r: Any = None,
    residual: str = "scaled",
    max_iterations: int = 0,
    time_limit: float = 0.0,
    start: Any = None,
) -> Solution:
    """Solves u = W r + b with Coulomb's law. `Problem` tells what W, b and mu are.

    ``solver`` is auto, nlgs, newton, ipm, admm or apgd. ``tolerance`` is of the residual of the kind ``residual`` (scaled:
    free of units; natural, relative_b, siconos: docs/notation.md). ``start``: a first guess of r. Numerical failure does
    not raise: look at ``solution.converged`` and ``solution.reason``.
    """
    problem = _saltus.Problem(W, b, mu, mu_r, dim)
    return problem.solve(solver, tolerance, residual, max_iterations, time_limit, start)
