// How much (r, u = W r + b) breaks the contact law, read off its definition and so independent of
// projections and natural maps. Dimensionless: 0 for an exact solution.
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/solvers/cone.hpp"

namespace saltus::testing {

template <class C>
double law_violation(const typename C::Matrix& W, const typename C::Vector& b, double mu, double mu_r,
                     const typename C::Vector& r) {
  constexpr int kPlain = 1 + C::kTangents;
  const double w = W.template topLeftCorner<kPlain, kPlain>().cwiseAbs().maxCoeff();
  double length = 1;
  if constexpr (C::kRollings > 0)
    length = std::sqrt(w / W.template bottomRightCorner<C::kRollings, C::kRollings>().cwiseAbs().maxCoeff());
  typename C::Vector u = W * r + b, x = w * r, speed = b;
  u.template tail<C::kRollings>() *= length;
  speed.template tail<C::kRollings>() *= length;
  x.template tail<C::kRollings>() /= length;
  const double size = speed.norm() + x.norm();
  if (size == 0) return 0;
  u /= size;
  x /= size;
  // Zero or full friction: |x_t| <= ratio x_n, and ratio x_n u_t = -|u_t| x_t. Velocity errors are
  // multiplied by the ratio there: divided out.
  const auto disc = [&](const auto& impulse, const auto& velocity, double ratio) {
    const double outside = std::max(0.0, impulse.norm() - ratio * x[0]);
    return std::max(outside, (ratio * x[0] * velocity + velocity.norm() * impulse).norm() / (1 + ratio));
  };
  double worst = std::max({-x[0], -u[0], std::min(std::abs(x[0]), std::abs(u[0]))});
  worst = std::max(worst, disc(x.template segment<C::kTangents>(1), u.template segment<C::kTangents>(1), mu));
  if constexpr (C::kRollings > 0)
    worst = std::max(worst,
                     disc(x.template tail<C::kRollings>(), u.template tail<C::kRollings>(), mu_r / length));
  return worst;
}

// The local solvers verify to 1e-11 (kLocalTolerance); the definition is as sharp up to a small factor.
inline constexpr double kLawTolerance = 3e-11;

}  // namespace saltus::testing
