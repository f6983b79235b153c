#include "saltus/solvers/local/local_coulomb_3d.hpp"

#include <numbers>

#include "saltus/math/small_solve.hpp"
#include "saltus/solvers/local/local_error.hpp"
#include "saltus/solvers/local/local_newton.hpp"

namespace saltus {

namespace {

// A determinant below this fraction of (tr W_tt)^2 is round-off: treated as singular.
constexpr double kSmallestDeterminant = 1e-12;

// The impulse of a contact that slides against direction (cos, sin) with u_n = 0, and the part
// of u_t across that direction. No impulse (n <= 0) where the normal equation has no root.
struct Sliding {
  Coulomb3::Vector r;
  double across;
  bool valid;
};

Sliding slide_at(const Coulomb3::Matrix& W, const Coulomb3::Vector& b, double mu, double angle) {
  const Eigen::Vector2d d(std::cos(angle), std::sin(angle));
  const double stiffness = W(0, 0) + mu * W.topRightCorner<1, 2>() * d;
  if (!(stiffness > 0)) return {Coulomb3::Vector::Zero(), 0, false};
  const double n = -b[0] / stiffness;
  const Coulomb3::Vector r(n, mu * n * d[0], mu * n * d[1]);
  const Eigen::Vector2d u = (W * r + b).tail<2>();
  return {r, d[0] * u[1] - d[1] * u[0], true};
}

// Offers every sliding angle at which u_t is parallel to r_t.
void scan_angles(const Coulomb3::Matrix& W, const Coulomb3::Vector& b, double mu,
                 BestCandidate<Coulomb3>& best) {
  constexpr int kAngles = 64;
  const auto angle_of = [](int i) { return 2 * std::numbers::pi * i / kAngles; };
  Sliding before = slide_at(W, b, mu, angle_of(0));
  for (int i = 1; i <= kAngles && !best.solved(); ++i) {
    const Sliding after = slide_at(W, b, mu, angle_of(i));
    if (after.valid) best.offer(after.r);
    if (before.valid && after.valid && (before.across < 0) != (after.across < 0)) {
      double low = angle_of(i - 1), high = angle_of(i);
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        const Sliding here = slide_at(W, b, mu, middle);
        ((here.across < 0) == (before.across < 0) ? low : high) = middle;
      }
      best.offer(slide_at(W, b, mu, low).r);
    }
    before = after;
  }
}

}  // namespace

LocalCoulomb3::LocalCoulomb3(const Matrix& W, double mu, double)
    : a_(W(0, 0)), mu_(mu), ambiguous_(W(0, 0) <= mu * std::hypot(W(0, 1), W(0, 2))) {
  if (!(a_ > 0)) return;
  inverse_a_ = 1 / a_;
  nt0_ = W(0, 1) * inverse_a_;
  nt1_ = W(0, 2) * inverse_a_;
  tn0_ = W(1, 0) * inverse_a_;
  tn1_ = W(2, 0) * inverse_a_;
  A00_ = W(1, 1) * inverse_a_ - tn0_ * nt0_;
  A01_ = W(1, 2) * inverse_a_ - tn0_ * nt1_;
  A10_ = W(2, 1) * inverse_a_ - tn1_ * nt0_;
  A11_ = W(2, 2) * inverse_a_ - tn1_ * nt1_;
  trace_ = A00_ + A11_;
  det_ = A00_ * A11_ - A01_ * A10_;
  const double size = (std::abs(W(1, 1)) + std::abs(W(2, 2))) * inverse_a_;
  regular_ = trace_ >= 0 && det_ > kSmallestDeterminant * size * size;
  // Elimination in this order needs A00 to be no small pivot: it is not when A is definite.
  regular_ = regular_ && A00_ > kSmallestDeterminant * size;
  if (!regular_) return;
  inverse_A00_ = 1 / A00_;
  A10_over_A00_ = A10_ * inverse_A00_;
  inverse_pivot_ = 1 / (A11_ - A10_over_A00_ * A01_);
}

// Exact when A is a multiple of the identity and W_nt = 0.
double LocalCoulomb3::guess(const Reduced& z, double qq) const {
  return std::max(std::sqrt(qq) / (mu_ * z.beta) - 0.5 * trace_, 0.01 * trace_);
}

// A point of the bracket when Newton leaves it. Without an upper end: the value at which
// mu beta l^2 outweighs every other term.
double LocalCoulomb3::middle(const Reduced& z, double low, double high) const {
  if (high < kNone) return low > 0 && high > 4 * low ? std::sqrt(low) * std::sqrt(high) : 0.5 * (low + high);
  const double gain = 1 + mu_ * std::hypot(nt0_, nt1_);
  const double k = mu_ * z.beta;
  return 2 * (gain * std::hypot(z.q0, z.q1) / k + std::sqrt(gain * std::hypot(z.p0, z.p1) / k));
}

bool LocalCoulomb3::solve_irregular(const double* block, const Vector& b, Vector& r) {
  const Matrix W = Eigen::Map<const Matrix>(block);
  BestCandidate<Coulomb3> best(W, b, mu_, 0);
  best.offer(solve_least_norm<3>(W, -b));
  if (!best.solved() && a_ > 0) {
    Vector sliding;
    slide(reduce(b), sliding);
    if (sliding[0] >= 0) best.offer(sliding);
  }
  if (!best.solved()) scan_angles(W, b, mu_, best);
  if (!best.solved()) {
    Vector polished = best.impulse();
    if (solve_newton<Coulomb3>(W, b, mu_, 0, polished)) best.offer(polished);
  }
  r = best.impulse();
  return best.solved();
}

}  // namespace saltus
