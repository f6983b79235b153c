// Newton's method on all contacts of a small problem at once, with dense matrices on the stack: for the
// few contacts of a mechanism or one body, where sweeps creep and the sparse solvers cost more to set up
// than to run.
//
// The function is that of Alart & Curnier (local_newton.hpp), y = r - rho u with rho = 1 / W_ii averaged
// over the normal, tangential and rolling part of each contact, damped by halving. It may fail (singular
// Jacobian, no descent): r is then only a point to be judged by the true residual.
#pragma once

#include <Eigen/Core>

#include "saltus/solvers/problem.hpp"

namespace saltus {

inline constexpr int kLargestDense = 24;  // unknowns

// Improves r, for problems of kLargestDense unknowns at most. Returns the number of steps taken.
int improve_by_dense_newton(const ContactProblem& problem, int max_steps, Eigen::VectorXd& r);

}  // namespace saltus
