// `apgd`: accelerated projected gradient inside a fixed point on De Saxce's term.
//
// With s frozen the problem is the convex program min 1/2 r.W r + (b + s n).r over the cones,
// solved by Nesterov's accelerated projected gradient with a backtracked step and a restart
// when the extrapolation points uphill. s = mu |u_t| + mu_r |u_w| is renewed whenever the program is
// solved well enough for its present error: the fixed point is Coulomb's law itself, not its
// convex relaxation. Nothing is factored: memory and work per iteration are those of W r. For very
// large problems at moderate accuracy. Source of the inner method: H. Mazhar, T. Heyn, D. Negrut,
// A. Tasora, "Using Nesterov's method to accelerate multibody dynamics with friction and
// contact", ACM TOG 34 (2015).
#pragma once

#include "saltus/solvers/solver.hpp"

namespace saltus {

SolveReport solve_apgd(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                       Eigen::VectorXd& u);

}  // namespace saltus
