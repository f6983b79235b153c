// The natural map of one block and of a whole problem: what residuals are made of (residual.hpp).
#pragma once

#include <cmath>
#include <type_traits>

#include "saltus/solvers/block_law.hpp"

namespace saltus {

// |r - P_K(r - u~)|^2 for Coulomb's cone, written out, on plain numbers: solvers evaluate it often enough for the general
// projection to cost as much as several sweeps, and copies of three numbers as much as the roots.
template <int Tangents>
double coulomb_natural_map_square(double mu, const double* r, const double* u) {
  double slip2 = 0, length2 = 0, impulse2 = 0, z_t[Tangents];
  for (int k = 0; k < Tangents; ++k) {
    slip2 += u[1 + k] * u[1 + k];
    z_t[k] = r[1 + k] - u[1 + k];
    length2 += z_t[k] * z_t[k];
    impulse2 += r[1 + k] * r[1 + k];
  }
  const double u_n = u[0] + mu * std::sqrt(slip2), z_n = r[0] - u_n;
  if (z_n >= 0 && length2 <= mu * mu * z_n * z_n) return u_n * u_n + slip2;
  const double length = std::sqrt(length2);
  if (mu * length <= -z_n) return r[0] * r[0] + impulse2;
  const double n = (z_n + mu * length) / (1 + mu * mu), factor = mu * n / length;
  double square = (r[0] - n) * (r[0] - n);
  for (int k = 0; k < Tangents; ++k) square += (r[1 + k] - factor * z_t[k]) * (r[1 + k] - factor * z_t[k]);
  return square;
}

template <class C>
double natural_map_square(const ConeLaw<C>& law, const typename C::Vector& r, const typename C::Vector& u) {
  if constexpr (C::kRollings > 0)
    return (r - law.project(r - law.de_saxce(u))).squaredNorm();
  else
    return coulomb_natural_map_square<C::kTangents>(law.mu, r.data(), u.data());
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
  for (int c = 0; c < problem.contacts(); ++c) {
    const int at = c * B::kSize;
    if constexpr (std::is_same_v<B, typename B::Plain> && B::kRollings == 0)
      sum += coulomb_natural_map_square<B::kTangents>(problem.mu[c], r.data() + at, u.data() + at);
    else
      sum += natural_map_square<typename B::Plain>(law_of<B>(problem, c), r.segment<B::kSize>(at),
                                                   u.segment<B::kSize>(at));
  }
  return sum;
}

}  // namespace saltus
