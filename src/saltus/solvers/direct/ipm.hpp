// `ipm`: a primal-dual interior point method on the full problem, De Saxce's term included.
//
// In the scaled problem, x = J r collects (mu r_n, r_t) and, with rolling friction,
// (mu_r r_n, r_w), each in a second-order cone; z in the same cones is their dual:
//
//     W r + b + s(r) n = J^T z,   x o z = tau e,   s = mu |u_t| + mu_r |u_w|,   tau -> 0.
//
// Newton's matrix is W + S^-1 J^T T^2 J with the Nesterov-Todd scaling T and S the derivative
// of u + s n: a block diagonal added to W, factored by the multifrontal LU. Mehrotra's
// predictor and corrector share a factorisation. The problem is not monotone, so convergence is not guaranteed: when steps collapse,
// Newton is given a chance from the best point, then a few convex problems in which s is given; if that fails the
// status is `stalled`.
//
// Blocks of a mixed problem: (radius, r) of a ball is in a second-order cone whose first component does not
// move; rows of the whole space are equations (interior_block.hpp).
//
// A method of this kind for the Coulomb problem: V. Acary, P. Armand, H. M. Nguyen,
// A. Shpakovych, "Second-order cone programming for frictional contact mechanics using
// interior point algorithm", Optim. Methods Softw. 39 (2024).
#pragma once

#include "saltus/solvers/scaled_problem.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

// `prepared` belongs to `problem` and is shared between methods by `auto`.
SolveReport solve_ipm(const ContactProblem& problem, PreparedProblem& prepared, const SolveOptions& options,
                      Eigen::VectorXd& r, Eigen::VectorXd& u);

SolveReport solve_ipm(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                      Eigen::VectorXd& u);

// solve_ipm of problems whose blocks differ.
SolveReport solve_mixed_ipm(const ContactProblem& problem, PreparedProblem& prepared,
                            const SolveOptions& options, Eigen::VectorXd& r, Eigen::VectorXd& u);

}  // namespace saltus
