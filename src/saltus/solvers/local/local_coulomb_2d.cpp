#include "saltus/solvers/local/local_coulomb_2d.hpp"

#include "saltus/math/small_solve.hpp"
#include "saltus/solvers/local/local_error.hpp"

namespace saltus {

namespace {
// A pivot below this fraction of W_tt is round-off: the block is treated as singular.
constexpr double kSmallestPivot = 1e-12;
}  // namespace

LocalCoulomb2::LocalCoulomb2(const Matrix& W, double mu, double)
    : a_(W(0, 0)), mu_(mu), ambiguous_(W(0, 0) <= mu * std::abs(W(0, 1))) {
  if (!(a_ > 0)) return;
  inverse_a_ = 1 / a_;
  nt_ = W(0, 1) * inverse_a_;
  tn_ = W(1, 0) * inverse_a_;
  const double A = W(1, 1) * inverse_a_ - tn_ * nt_;
  regular_ = A > kSmallestPivot * W(1, 1) * inverse_a_ && W(1, 1) > 0;
  if (!regular_) return;
  inverse_A_ = 1 / A;
  slide_forward_ = inverse_a_ / (1 - mu * nt_);
  slide_back_ = inverse_a_ / (1 + mu * nt_);
}

bool LocalCoulomb2::solve_irregular(const double* block, const Vector& b, Vector& r) const {
  const Matrix W = Eigen::Map<const Matrix>(block);
  BestCandidate<Coulomb2> best(W, b, mu_, 0);
  const auto offer_slide = [&](double direction) {
    const double stiffness = W(0, 0) - direction * mu_ * W(0, 1);
    if (!(stiffness > 0)) return best.solved();
    const double n = -b[0] / stiffness;
    return best.offer({n, -direction * mu_ * n});
  };
  // The least-norm solution of W r = -b first: it is the stick of a block of rank one.
  best.offer(solve_least_norm<2>(W, -b)) || offer_slide(1) || offer_slide(-1);
  r = best.impulse();
  return best.solved();
}

}  // namespace saltus
