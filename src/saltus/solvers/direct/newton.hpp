// `newton`: semi-smooth Newton on a complementarity function, inside a proximal point loop.
//
// The outer loop replaces u = W r + b by u = (W + alpha) r + b - alpha r_k: a problem whose
// matrix is regular even when contacts outnumber degrees of freedom, and whose solution is a
// fixed point of the loop exactly when it solves the problem asked. Newton solves it in a few
// factorisations when alpha is large and slowly or not at all when alpha is too small; the
// loop moves alpha accordingly, and with alpha going to zero the whole converges superlinearly.
// Works on the scaled problem, where 1 is the size of a diagonal block.
#pragma once

#include "saltus/solvers/local/complementarity.hpp"
#include "saltus/solvers/scaled_problem.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {

// How the outer loop moves alpha: Newton's iterations at one of them, what success and failure make of it. From a warm start that knows
// most of what sticks and slides Newton is given more room, and alpha is moved faster.
struct NewtonPace {
  int inner = 20;
  double shrink = 0.5, grow = 4;
};
constexpr NewtonPace kWarmPace{40, 0.1, 10};

// What the outer loop needs to go on where it stopped: its centre and regularisation.
struct NewtonState {
  Eigen::VectorXd center;  // in the units of the scaled problem; empty: the warm start
  double alpha = 1.0;
  NewtonPace pace = {};
};

// `prepared` belongs to `problem` and is shared between methods by `auto`.
SolveReport solve_newton(const ContactProblem& problem, PreparedProblem& prepared,
                         const SolveOptions& options, NewtonState& state, Eigen::VectorXd& r,
                         Eigen::VectorXd& u, Complementarity function = Complementarity::alart_curnier);

SolveReport solve_newton(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                         Eigen::VectorXd& u, Complementarity function = Complementarity::alart_curnier);

}  // namespace saltus
