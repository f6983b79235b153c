// `admm`: alternating direction method of multipliers on the scaled problem.
//
// The impulse is split into r, which satisfies the dynamics, and its copy p in the cone; y is the
// multiplier of r = p, scaled so that -rho y estimates u~ in the dual cone:
//
//     (W + rho) r = rho (p - y) - b - s n,   p = P_K(r~ + y),   y += r~ - p,
//     r~ = a r + (1 - a) p,  s = mu |u_t| + mu_r |u_w| from u = -rho y.
//
// W + rho is regular whatever the rank of W and is factored once per value of the penalty rho,
// which is adapted when primal and dual residuals drift apart. Suits heavy on light and badly
// conditioned problems at moderate accuracy. Source: S. Boyd et al., Found. Trends Mach.
// Learn. 3 (2011), with the update of s at each iteration as in V. Acary, M. Bremond, O. Huber,
// "On solving contact problems with Coulomb friction" (2018).
#pragma once

#include "saltus/solvers/scaled_problem.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

// `prepared` belongs to `problem` and is shared between methods by `auto`.
SolveReport solve_admm(const ContactProblem& problem, PreparedProblem& prepared, const SolveOptions& options,
                       Eigen::VectorXd& r, Eigen::VectorXd& u);

SolveReport solve_admm(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                       Eigen::VectorXd& u);

}  // namespace saltus
