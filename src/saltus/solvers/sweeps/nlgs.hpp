// `nlgs` on the canonical problem: matrix_sweeps.hpp until the residual suffices.
#pragma once

#include "saltus/solvers/solver.hpp"

namespace saltus {

// Sweeps until the true residual, evaluated when the change of a sweep promises it, is below
// the tolerance. Default limit 100000 sweeps. Forward sweeps: measured, they need about half as
// many as alternating ones. When twice the sweeps gain less than 5 % it starts again with alternating
// sweeps (they avoid some limit cycles of unsymmetric W) and, when these gain no more, ends as
// `stalled`; so it does when the iterates stop changing. r: warm start in (zero if it is
// of another size or not finite), best point out.
SolveReport solve_nlgs(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                       Eigen::VectorXd& u);

}  // namespace saltus
