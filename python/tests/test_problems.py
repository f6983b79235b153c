"""Solvers on problems of one's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import saltus
from conftest import make_ball

SOLVERS = ["auto", "nlgs", "newton", "ipm", "admm"]


def random_problem(contacts: int, dim: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    H = rng.standard_normal((dim * contacts, dim * contacts + 6))
    return H @ H.T / 10 + 0.1 * np.eye(dim * contacts), rng.standard_normal(dim * contacts), rng.uniform(0.1, 0.8, contacts)


def law_violation(r: np.ndarray, u: np.ndarray, mu: np.ndarray, dim: int) -> float:
    """Of Signorini's and Coulomb's laws, written out: no solver, no projection."""
    worst = 0.0
    for r_c, u_c, m in zip(r.reshape(-1, dim), u.reshape(-1, dim), mu):
        rt, ut = np.linalg.norm(r_c[1:]), np.linalg.norm(u_c[1:])
        worst = max(worst, -r_c[0], -u_c[0], abs(r_c[0] * u_c[0]), rt - m * r_c[0])
        worst = max(worst, abs(r_c[1:] @ u_c[1:] + m * r_c[0] * ut))  # sliding: against the velocity, at the bound
    return worst


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("dim", [2, 3])
def test_solutions_obey_the_laws_written_out(solver: str, dim: int) -> None:
    W, b, mu = random_problem(8, dim, 3)
    solution = saltus.solve(W, b, mu, dim=dim, solver=solver, tolerance=1e-10)
    assert solution.converged, solution.reason
    assert solution.u == pytest.approx(W @ solution.r + b, abs=1e-12)
    # Products of impulses of order 1 and residuals of 1e-10 |b|, some tens of them.
    assert law_violation(solution.r, solution.u, mu, dim) < 1e-8
    assert solution.residuals["scaled"] <= 1e-10


def test_sparse_and_dense_matrices_give_the_same() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    W, b, mu = random_problem(6, 3, 1)
    dense = saltus.solve(W, b, mu)
    for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.bsr_matrix):
        assert np.array_equal(saltus.solve(form(W), b, mu).r, dense.r)


def test_one_contact_has_the_answer_by_hand() -> None:
    # Pressed with 2 m/s and pulled along with 1 m/s: sticks where mu = 0.6, slides where mu = 0.4.
    sticks = saltus.solve(np.eye(2), [-2, 1], 0.6, dim=2)
    assert sticks.r == pytest.approx([2, -1]) and sticks.u == pytest.approx([0, 0], abs=1e-8)
    slides = saltus.solve(np.eye(2), [-2, 1], 0.4, dim=2)
    assert slides.r == pytest.approx([2, -0.8]) and slides.u == pytest.approx([0, 0.2], abs=1e-8)


def test_rolling_friction_takes_blocks_of_five() -> None:
    W = np.diag([1.0, 1, 1, 2, 2])
    solution = saltus.solve(W, [-2, 0.1, 0, 3, 0], 0.5, mu_r=0.1)
    assert solution.converged and len(solution.r) == 5
    assert np.linalg.norm(solution.r[3:]) == pytest.approx(0.1 * solution.r[0])


def test_a_solver_that_may_not_iterate_says_so() -> None:
    W, b, mu = random_problem(30, 3, 2)
    solution = saltus.solve(W, b, mu, solver="nlgs", tolerance=1e-14, max_iterations=1)
    assert not solution.converged and solution.status == "max_iterations" and solution.reason
    again = saltus.solve(W, b, mu, solver="nlgs", tolerance=1e-8, start=saltus.solve(W, b, mu, tolerance=1e-10).r)
    assert again.converged and again.iterations <= 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"W": np.eye(4)}, "blocks of 3"),
        ({"W": np.ones((3, 4))}, "W"),
        ({"W": np.zeros((0, 0))}, "W"),
        ({"W": np.full((3, 3), np.nan)}, "W.*nan"),
        ({"W": "abc"}, "W"),
        ({"W": None}, "W"),
        ({"b": [1, 2]}, "b"),
        ({"b": [1, 2, np.inf]}, "b.*inf"),
        ({"b": 1.0}, "b"),
        ({"mu": -0.1}, "mu"),
        ({"mu": [0.1, 0.2]}, "mu"),
        ({"dim": 4}, "dim"),
        ({"solver": "magic"}, "magic"),
        ({"tolerance": 0}, "tolerance"),
        ({"tolerance": np.nan}, "tolerance"),
        ({"residual": "none"}, "residual"),
        ({"max_iterations": -1}, "max_iterations"),
        ({"time_limit": np.nan}, "time_limit"),
        ({"start": [1]* 2}, "start"),
    ],
)
def test_what_is_no_problem_is_an_error(change: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {"W": np.eye(3), "b": [-1.0, 0, 0], "mu": 0.5, **change}
    with pytest.raises(saltus.InputError, match=message):
        saltus.solve(**arguments)


def test_problems_go_to_fclib_files_and_back(tmp_path: Path) -> None:
    W, b, mu = random_problem(5, 3, 4)
    problem = saltus.Problem(W, b, mu)
    solution = problem.solve(tolerance=1e-10)
    problem.write(str(tmp_path / "p.hdf5"), solution)
    back = saltus.FclibProblem(tmp_path / "p.hdf5")
    assert back.contacts == 5 and back.b == pytest.approx(b) and back.mu == pytest.approx(mu)
    assert back.residuals(solution.r, solution.u)["scaled"] < 1e-9
    assert np.array_equal(np.asarray(back.W.todense()), W)
    assert back.solve(tolerance=1e-8).converged
    with pytest.raises(saltus.InputError):
        saltus.FclibProblem(tmp_path / "none.hdf5")


def test_the_problem_of_the_next_step_has_the_solution_of_that_step() -> None:
    scene = make_ball()
    scene["bodies"][1]["position"] = [0.0, 0.1]
    simulation = saltus.Simulation(scene)
    simulation.step(3)
    problem = simulation.contact_problem()
    solution = problem.solve(tolerance=1e-12)
    simulation.step()
    assert problem.contacts == 1 and solution.converged
    assert solution.r == pytest.approx(simulation.contacts[0]["impulse"], rel=1e-3, abs=1e-12)
