// `auto`: cheap first, direct when it pays, and never a silent failure.
//
//   1. nlgs, as long as its measured rate promises the tolerance within what a direct method
//      would cost;
//   2. once the contacts have settled into open, sticking and sliding: Newton from there;
//   3. a short admm where contacts are densely coupled, then ipm, from a cold start;
//   4. rounds of growing budget of nlgs and proximal Newton, until one of them gets there or a
//      whole round gains nothing.
//
// Decisions depend on counts and residuals, never on a clock: the same input takes the same
// path. The best point of all stages is returned and the report lists what was done.
#pragma once

#include "saltus/solvers/solver.hpp"

namespace saltus {

SolveReport solve_auto(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                       Eigen::VectorXd& u);

}  // namespace saltus
