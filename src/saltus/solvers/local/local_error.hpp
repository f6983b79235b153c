// How far an impulse is from solving one contact, without units, and the search for the
// best of several candidates. Local solvers verify with it what they cannot prove.
//
// With u = W r + b the error is the norm of the function of Jean & Moreau
//
//     r_n - (r_n - u_n)_+,   r_t - P_disc(mu r_n)(r_t - u_t),   r_w - P_disc(mu_r r_n)(r_w - u_w)
//
// over |b| + |r|, impulses in units of velocity / w with w the largest entry of the normal and
// tangential part of W, rolling components brought to the same units by the length
// sqrt(w / w_r). It vanishes with the natural map of residual.hpp, but stays a fair measure for
// mu >> 1, where the natural map of any r falls like 1 / mu^2.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/solvers/cone.hpp"

namespace saltus {

// A local answer counts as a solution below this error. Round-off of u = W r + b leaves about
// 1e-15; the rest is for blocks whose solution is itself ill-conditioned.
inline constexpr double kLocalTolerance = 1e-11;

// Impulses beyond this multiple of |b| / w are not offered as answers to a contact that has
// no solution: a nearly singular direction would otherwise give an arbitrarily large one.
inline constexpr double kLargestImpulse = 1e10;

template <class C>
struct LocalUnits {
  double w = 1;       // unit of velocity / unit of impulse
  double length = 1;  // of the rolling components

  explicit LocalUnits(const typename C::Matrix& W) {
    const double plain =
        W.template topLeftCorner<C::kSize - C::kRollings, C::kSize - C::kRollings>().cwiseAbs().maxCoeff();
    if (plain > 0) w = plain;
    if constexpr (C::kRollings > 0) {
      const double rolling = W.template bottomRightCorner<C::kRollings, C::kRollings>().cwiseAbs().maxCoeff();
      if (rolling > 0) length = std::sqrt(w / rolling);
    }
  }
  typename C::Vector velocity(typename C::Vector u) const {
    u.template tail<C::kRollings>() *= length;
    return u;
  }
  typename C::Vector impulse(typename C::Vector r) const {
    r *= w;
    r.template tail<C::kRollings>() /= length;
    return r;
  }
};

// |r - P_disc(radius)(r - u)|^2
template <class Part>
double disc_error_square(const Part& r, const Part& u, double radius) {
  const Part y = r - u;
  const double length = y.norm();
  return length > radius ? (r - radius / length * y).squaredNorm() : u.squaredNorm();
}

template <class C>
double compute_local_error(const typename C::Matrix& W, const typename C::Vector& b, double mu, double mu_r,
                           const typename C::Vector& r) {
  const LocalUnits<C> units(W);
  const typename C::Vector u = units.velocity(W * r + b), x = units.impulse(r);
  const double size = units.velocity(b).norm() + x.norm();
  if (size == 0) return 0;
  using Tangent = Eigen::Matrix<double, C::kTangents, 1>;
  const double normal = std::min(x[0], u[0]), n = std::max(x[0], 0.0);
  double square = normal * normal + disc_error_square<Tangent>(x.template segment<C::kTangents>(1),
                                                               u.template segment<C::kTangents>(1), mu * n);
  if constexpr (C::kRollings > 0) {
    using Rolling = Eigen::Matrix<double, C::kRollings, 1>;
    square += disc_error_square<Rolling>(x.template tail<C::kRollings>(), u.template tail<C::kRollings>(),
                                         mu_r / units.length * n);
  }
  return std::sqrt(square) / size;
}

// Keeps the candidate with the smallest error. Starts from r = 0.
template <class C>
class BestCandidate {
 public:
  BestCandidate(const typename C::Matrix& W, const typename C::Vector& b, double mu, double mu_r)
      : W_(W), b_(b), mu_(mu), mu_r_(mu_r) {
    const LocalUnits<C> units(W);
    limit_ = kLargestImpulse * units.velocity(b).norm() / units.w;
    offer(C::Vector::Zero());
  }
  // Whether the best so far is a solution.
  bool offer(const typename C::Vector& r) {
    if (!(r.norm() <= limit_)) return solved();
    const double error = compute_local_error<C>(W_, b_, mu_, mu_r_, r);
    if (error < error_) {
      error_ = error;
      r_ = r;
    }
    return solved();
  }
  bool solved() const { return error_ <= kLocalTolerance; }
  const typename C::Vector& impulse() const { return r_; }

 private:
  const typename C::Matrix& W_;
  const typename C::Vector& b_;
  double mu_, mu_r_, limit_;
  double error_ = std::numeric_limits<double>::infinity();
  typename C::Vector r_ = C::Vector::Zero();
};

}  // namespace saltus
