// The natural map of one block and of a whole problem: what residuals are made of (residual.hpp).
#pragma once

#include <cmath>

#include "saltus/solvers/block_law.hpp"

namespace saltus {

// |r - P_K(r - u~)|^2. Written out for Coulomb's cone: solvers evaluate it often enough for the
// general projection to cost as much as several sweeps.
template <class C>
double natural_map_square(const ConeLaw<C>& law, const typename C::Vector& r, const typename C::Vector& u) {
  if constexpr (C::kRollings > 0) {
    return (r - law.project(r - law.de_saxce(u))).squaredNorm();
  } else {
    const double mu = law.mu;
    const auto r_t = r.template tail<C::kTangents>(), u_t = u.template tail<C::kTangents>();
    const double square_t = u_t.squaredNorm();
    const double u_n = u[0] + mu * std::sqrt(square_t), z_n = r[0] - u_n;
    const Eigen::Matrix<double, C::kTangents, 1> z_t = r_t - u_t;
    const double length = std::sqrt(z_t.squaredNorm());
    if (z_n >= 0 && length <= mu * z_n) return u_n * u_n + square_t;
    if (mu * length <= -z_n) return r.squaredNorm();
    const double n = (z_n + mu * length) / (1 + mu * mu);
    return (r[0] - n) * (r[0] - n) + (r_t - (mu * n / length) * z_t).squaredNorm();
  }
}

template <class C>
double natural_map_square(const MixedLaw<C>& law, const typename C::Vector& r, const typename C::Vector& u) {
  return (r - law.project(r - law.de_saxce(u))).squaredNorm();
}

// |e|^2 of the problem as it is given.
template <class B>
double natural_map_square(B, const ContactProblem& problem, const Eigen::VectorXd& r,
                          const Eigen::VectorXd& u) {
  double sum = 0;
  for (int c = 0; c < problem.contacts(); ++c)
    sum += natural_map_square<typename B::Plain>(law_of<B>(problem, c), r.segment<B::kSize>(c * B::kSize),
                                                 u.segment<B::kSize>(c * B::kSize));
  return sum;
}

}  // namespace saltus
