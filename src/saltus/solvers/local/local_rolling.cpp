#include "saltus/solvers/local/local_rolling.hpp"

#include <Eigen/LU>
#include <cmath>

#include "saltus/math/small_solve.hpp"
#include "saltus/solvers/local/local_coulomb_3d.hpp"
#include "saltus/solvers/local/local_error.hpp"
#include "saltus/solvers/local/local_newton.hpp"

namespace saltus {

namespace {

// One of the nine cases of a closed 2D contact: signs of u_t and u_w, 0 for stuck.
struct Rolling2Case {
  int tangent, rolling;
  explicit Rolling2Case(int index) : tangent(index % 3 - 1), rolling(index / 3 - 1) {}
};
constexpr int kCases = 9, kStuck = 4;

Rolling2::Vector solve_case(const Rolling2::Matrix& W, const Rolling2::Vector& b, double mu, double mu_r,
                            Rolling2Case state) {
  Rolling2::Matrix system = W;
  Rolling2::Vector right = -b;
  const auto set_limit = [&](int row, double ratio, int sign) {
    system.row(row).setZero();
    system(row, row) = 1;
    system(row, 0) = sign * ratio;
    right[row] = 0;
  };
  if (state.tangent != 0) set_limit(1, mu, state.tangent);
  if (state.rolling != 0) set_limit(2, mu_r, state.rolling);
  return solve_small<3>(system, right);
}

struct RollingGuess {
  Rolling3::Vector r;
  double excess;  // |r_w| - mu_r r_n
};

// The Coulomb contact left when rolling follows u_w = -l r_w.
RollingGuess solve_inner(const Rolling3::Matrix& W, const Rolling3::Vector& b, double mu, double mu_r,
                         double l) {
  const Eigen::Matrix2d inverse = (W.bottomRightCorner<2, 2>() + l * Eigen::Matrix2d::Identity()).inverse();
  const Eigen::Matrix<double, 3, 2> gain = W.topRightCorner<3, 2>() * inverse;
  const Coulomb3::Matrix inner_W = W.topLeftCorner<3, 3>() - gain * W.bottomLeftCorner<2, 3>();
  const Coulomb3::Vector inner_b = b.head<3>() - gain * b.tail<2>();
  Coulomb3::Vector plain = Coulomb3::Vector::Zero();
  LocalCoulomb3(inner_W, mu, 0).solve(inner_W.data(), inner_b, plain);
  RollingGuess result;
  result.r.head<3>() = plain;
  result.r.tail<2>() = -inverse * (b.tail<2>() + W.bottomLeftCorner<2, 3>() * plain);
  result.excess = result.r.tail<2>().norm() - mu_r * plain[0];
  return result;
}

Rolling3::Vector search_rolling(const Rolling3::Matrix& W, const Rolling3::Vector& b, double mu,
                                double mu_r) {
  constexpr int kMaxGrowths = 200, kMaxHalvings = 200;
  double low = 0, high = 1;
  RollingGuess at = solve_inner(W, b, mu, mu_r, low);
  if (at.r.allFinite() && at.excess <= 0) return at.r;
  at = solve_inner(W, b, mu, mu_r, high);
  for (int i = 0; i < kMaxGrowths && !(at.excess <= 0); ++i) {
    low = high;
    high *= 4;
    at = solve_inner(W, b, mu, mu_r, high);
  }
  for (int i = 0; i < kMaxHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    const RollingGuess trial = solve_inner(W, b, mu, mu_r, middle);
    (trial.excess <= 0 ? high : low) = middle;
    if (trial.excess <= 0) at = trial;
  }
  const double length = at.r.tail<2>().norm();
  if (length > 0) at.r.tail<2>() *= mu_r * at.r[0] / length;
  return at.r;
}

// The same with the parts of sliding and rolling exchanged.
Rolling3::Vector search_sliding(const Rolling3::Matrix& W, const Rolling3::Vector& b, double mu,
                                double mu_r) {
  const Eigen::Vector<int, 5> swap(0, 3, 4, 1, 2);
  const Rolling3::Vector r = search_rolling(W(swap, swap), b(swap), mu_r, mu);
  return r(swap);
}

}  // namespace

template <class C>
ScaledBlock<C>::ScaledBlock(const typename C::Matrix& W, double mu, double mu_r) : a_(W(0, 0)), mu_(mu) {
  const LocalUnits<C> units(W);
  w_ = units.w;
  length_ = units.length;
  mu_r_ = mu_r / length_;
  typename C::Vector scale = C::Vector::Ones();
  scale.template tail<C::kRollings>().setConstant(length_);
  W_ = scale.asDiagonal() * W * scale.asDiagonal() / w_;
  ambiguous_ = W_(0, 0) <= mu_ * W_.row(0).template segment<C::kTangents>(1).norm() +
                               mu_r_ * W_.row(0).template tail<C::kRollings>().norm();
}

LocalRolling2::LocalRolling2(const Rolling2::Matrix& W, double mu, double mu_r)
    : ScaledBlock(W, mu, mu_r), inverse_(W_.inverse()), last_case_(ambiguous() ? 0 : kStuck) {}

// Scaled. Inside both limits all that is left of the error is the velocity.
bool LocalRolling2::goes_on_sticking(const Vector& b, Vector& r) const {
  r.noalias() = inverse_ * -b;
  if (!(std::abs(r[1]) <= mu_ * r[0] && std::abs(r[2]) <= mu_r_ * r[0])) return false;
  return (W_ * r + b).norm() <= kLocalTolerance * (b.norm() + r.norm());
}

bool LocalRolling2::solve(const double*, const Vector& b, Vector& r) {
  if (b[0] >= 0) {
    r.setZero();
    return true;
  }
  const Vector b1(b[0], b[1], b[2] * length_);
  if (Vector x; last_case_ == kStuck && goes_on_sticking(b1, x)) {
    r = x / w_;
    r[2] *= length_;
    return true;
  }
  BestCandidate<Rolling2> best(W_, b1, mu_, mu_r_);
  for (int i = 0; i < kCases && !best.solved(); ++i) {
    const int index = (last_case_ + i) % kCases;
    const Vector candidate = solve_case(W_, b1, mu_, mu_r_, Rolling2Case(index));
    if (candidate[0] > 0 && best.offer(project<Rolling2>(candidate, mu_, mu_r_))) last_case_ = index;
  }
  if (!best.solved()) best.offer(solve_least_norm<3>(W_, -b1));
  r = best.impulse() / w_;
  r[2] *= length_;
  return best.solved();
}

bool LocalRolling3::solve(const double*, const Vector& b, Vector& r) {
  if (b[0] >= 0) {
    r.setZero();
    return true;
  }
  Vector b1 = b, x = r * w_;
  b1.tail<2>() *= length_;
  x.tail<2>() /= length_;
  bool solved = solve_newton<Rolling3>(W_, b1, mu_, mu_r_, x);
  if (!solved) {
    BestCandidate<Rolling3> best(W_, b1, mu_, mu_r_);
    best.offer(search_rolling(W_, b1, mu_, mu_r_)) || best.offer(search_sliding(W_, b1, mu_, mu_r_)) ||
        best.offer(solve_least_norm<5>(W_, -b1));
    x = best.impulse();
    solved = best.solved() || solve_newton<Rolling3>(W_, b1, mu_, mu_r_, x);
  }
  r = x / w_;
  r.tail<2>() *= length_;
  return solved;
}

template class ScaledBlock<Rolling2>;
template class ScaledBlock<Rolling3>;

}  // namespace saltus
