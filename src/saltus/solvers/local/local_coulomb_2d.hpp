// One 2D contact, solved in closed form: given u = W r + b, find r in Coulomb's law.
//
// With b_n < 0 (otherwise r = 0 solves), eliminate u_n = 0 and write sliding as u_t = -l r_t,
// l >= 0 (l = 0: stick). In units where W_nn = 1,
//
//     r_t = -q / (A + l),   r_n = -b_n + W_nt q / (A + l),
//     q = b_t - W_tn b_n,   A = W_tt - W_tn W_nt.
//
// If W_nn > 0 and A > 0 ("regular": W a P-matrix), |r_t| - mu r_n has exactly one root l or
// is negative at l = 0: stick, or slide against the sign of q. W need not be symmetric.
//
// Painleve: with W_nn <= mu |W_nt| a contact with b_n >= 0 may have other solutions with
// r_n > 0; the choice is r = 0, the smallest. Blocks that are not regular (singular, zero,
// indefinite) try every case, keep the first that solves, and otherwise the bounded candidate
// of least error; `solve` then returns false.
#pragma once

#include <cmath>

#include "saltus/solvers/cone.hpp"

namespace saltus {

class LocalCoulomb2 {
 public:
  using ConeType = Coulomb2;
  using Vector = Coulomb2::Vector;
  using Matrix = Coulomb2::Matrix;

  LocalCoulomb2(const Matrix& W, double mu, double mu_r);

  // Replaces r by the solution; W is the block given to the constructor.
  [[gnu::always_inline]] bool solve(const double* W, const Vector& b, Vector& r) {
    if (b[0] >= 0) {
      r.setZero();
      return true;
    }
    if (!regular_) [[unlikely]]
      return solve_irregular(W, b, r);
    const double beta = -b[0];
    const double q = b[1] + tn_ * beta;
    const double t = q * inverse_A_;
    const double n = beta + nt_ * t;
    if (std::abs(t) <= mu_ * n) {
      r[0] = inverse_a_ * n;
      r[1] = -inverse_a_ * t;
    } else {
      r[0] = beta * (q > 0 ? slide_forward_ : slide_back_);
      r[1] = q > 0 ? -mu_ * r[0] : mu_ * r[0];
    }
    return true;
  }

  double normal_compliance() const { return a_; }
  bool ambiguous() const { return ambiguous_; }  // Painleve: several solutions may exist

 private:
  bool solve_irregular(const double* W, const Vector& b, Vector& r) const;

  double a_, inverse_a_ = 0, nt_ = 0, tn_ = 0, inverse_A_ = 0, mu_;
  double slide_forward_ = 0, slide_back_ = 0;  // r_n / -b_n when u_t > 0, u_t < 0
  bool regular_ = false, ambiguous_;
};

}  // namespace saltus
