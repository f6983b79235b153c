// One 3D contact: given u = W r + b, find r in Coulomb's law. A cascade: take-off and stick
// by test, sliding by a safeguarded search for one number, then a fallback for odd blocks.
//
// With b_n < 0 (otherwise r = 0 solves), eliminate u_n = 0 and write sliding as u_t = -l r_t,
// l >= 0 (l = 0: stick). In units where W_nn = 1, with
//
//     q = b_t - W_tn b_n,   A = W_tt - W_tn W_nt,   p = adj(A) q,   D(l) = det(A + l I),
//
// adj(A + l I) q = p + l q, so that r_t = -(p + l q) / D and r_n = -b_n + W_nt (p + l q) / D:
//
//     |p + l q| = mu ( -b_n D(l) + W_nt (p + l q) ).
//
// This is the quartic of Bonnefon & Daviet (2011) before it is squared. If W_nn > 0,
// tr A >= 0 and det A > 0 ("regular", which every positive definite block is) D > 0 for all
// l >= 0; the right side wins for large l, and the left one at 0 unless the contact sticks:
// a root exists and is bracketed. W need not be symmetric. Newton on right / left, which is
// nearly linear in l, starts from the l of the last solve. mu = 0 has its own line.
//
// Painleve (W_nn <= mu |W_nt|): other solutions may exist when b_n >= 0; the choice is r = 0.
// Blocks that are not regular go through candidates that are verified one by one: least-norm
// stick, the root above, a scan of the sliding angle. If none solves, `solve` returns false
// with the bounded candidate of least error.
#pragma once

#include <cmath>

#include "saltus/solvers/cone.hpp"

namespace saltus {

class LocalCoulomb3 {
 public:
  using ConeType = Coulomb3;
  using Vector = Coulomb3::Vector;
  using Matrix = Coulomb3::Matrix;

  LocalCoulomb3(const Matrix& W, double mu, double mu_r);

  // Replaces r by the solution; W is the block given to the constructor. Inline: the inner loop of sweeps.
  [[gnu::always_inline]] bool solve(const double* W, const Vector& b, Vector& r) {
    if (b[0] >= 0) {
      r.setZero();
      return true;
    }
    if (!regular_) [[unlikely]]
      return solve_irregular(W, b, r);
    const Reduced z = reduce(b);
    const double limit = mu_ * (z.beta * det_ + z.wp);
    if (limit >= 0 && z.p0 * z.p0 + z.p1 * z.p1 <= limit * limit) {
      // A^-1 q by elimination, not as p / det: backward stable when A is ill-conditioned.
      const double t1 = (z.q1 - A10_over_A00_ * z.q0) * inverse_pivot_;
      const double t0 = (z.q0 - A01_ * t1) * inverse_A00_;
      r = {inverse_a_ * (z.beta + nt0_ * t0 + nt1_ * t1), -inverse_a_ * t0, -inverse_a_ * t1};
    } else {
      slide(z, r);
    }
    return true;
  }

  double normal_compliance() const { return a_; }
  bool ambiguous() const { return ambiguous_; }  // Painleve: several solutions may exist

 private:
  struct Reduced {
    double beta, q0, q1, p0, p1, wp;  // beta = -b_n, wp = W_nt p
  };

  Reduced reduce(const Vector& b) const {
    Reduced z;
    z.beta = -b[0];
    z.q0 = b[1] + tn0_ * z.beta;
    z.q1 = b[2] + tn1_ * z.beta;
    z.p0 = A11_ * z.q0 - A01_ * z.q1;
    z.p1 = A00_ * z.q1 - A10_ * z.q0;
    z.wp = nt0_ * z.p0 + nt1_ * z.p1;
    return z;
  }

  void slide(const Reduced& z, Vector& r) {
    if (mu_ == 0) {
      r = {inverse_a_ * z.beta, 0, 0};
      return;
    }
    const double wq = nt0_ * z.q0 + nt1_ * z.q1;
    const double pq = z.p0 * z.q0 + z.p1 * z.q1, qq = z.q0 * z.q0 + z.q1 * z.q1;
    double l = lambda_ > 0 ? lambda_ : guess(z, qq), low = 0, high = kNone;
    double v0, v1, left;
    for (int i = 0;; ++i) {
      v0 = z.p0 + l * z.q0;
      v1 = z.p1 + l * z.q1;
      const double left2 = v0 * v0 + v1 * v1;
      left = std::sqrt(left2);
      const double D = (l + trace_) * l + det_;
      const double right = mu_ * (z.beta * D + z.wp + l * wq);
      const double excess = right - left;
      if (std::abs(excess) <= kRootTolerance * left || i == kMaxRootSteps) break;
      (excess < 0 ? low : high) = l;
      const double slope = mu_ * (z.beta * (2 * l + trace_) + wq) * left2 - right * (pq + l * qq);
      double next = l - excess * left2 / slope;
      if (!(next > low && next < high)) [[unlikely]] {
        next = middle(z, low, high);
        if (!(next > low && next < high)) break;
      }
      l = next;
    }
    lambda_ = l;
    // The normal impulse from u_n = 0 along the direction found: exact to round-off.
    const double d0 = -mu_ * v0 / left, d1 = -mu_ * v1 / left;
    r[0] = inverse_a_ * z.beta / (1 + nt0_ * d0 + nt1_ * d1);
    r[1] = r[0] * d0;
    r[2] = r[0] * d1;
  }

  double guess(const Reduced& z, double qq) const;
  double middle(const Reduced& z, double low, double high) const;
  bool solve_irregular(const double* W, const Vector& b, Vector& r);

  static constexpr double kNone = 1e300;           // no upper end of the bracket yet
  static constexpr double kRootTolerance = 1e-13;  // relative, of |r_t| = mu r_n
  static constexpr int kMaxRootSteps = 300;        // bisection of any bracket ends before

  double a_, inverse_a_ = 0, nt0_ = 0, nt1_ = 0, tn0_ = 0, tn1_ = 0;
  double A00_ = 0, A01_ = 0, A10_ = 0, A11_ = 0, det_ = 0, trace_ = 0;
  double inverse_A00_ = 0, A10_over_A00_ = 0, inverse_pivot_ = 0;
  double mu_, lambda_ = 0;
  bool regular_ = false, ambiguous_;
};

}  // namespace saltus
