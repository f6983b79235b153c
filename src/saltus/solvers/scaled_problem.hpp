// A copy of the canonical problem in variables of order one.
//
// With r = s r' |b|_max and u = u' |b|_max / s, s = 1/sqrt(mean diagonal of W_cc) contact by
// contact (rolling components have a factor of their own), the copy has a diagonal near one
// and the largest free velocity is one, whatever the units and the masses were. The law keeps its
// form because s is the same for all components that share a cone; mu_r is scaled with the
// two factors, the radius of a ball with one. Rows that stand for themselves, the equations of a mixed
// problem, have a factor each; rows and columns of padding are zeros.
#pragma once

#include <Eigen/Core>

#include "saltus/math/block_lu.hpp"
#include "saltus/solvers/problem.hpp"

namespace saltus {

struct ScaledProblem {
  ContactProblem problem;   // in the primed variables
  Eigen::VectorXd impulse;  // r = impulse .* r'
};

ScaledProblem build_scaled_problem(const ContactProblem& problem);

// The scaled problem with its matrix analysed for factorisation: what the direct methods share.
struct PreparedProblem {
  explicit PreparedProblem(const ContactProblem& problem);
  ScaledProblem scaled;
  BlockLu lu;
};

}  // namespace saltus
