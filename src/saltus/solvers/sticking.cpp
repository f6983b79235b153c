#include "saltus/solvers/sticking.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace saltus {

namespace {

constexpr int kMaxSteps = 60;
// Where there is a solution a few steps bring most of the way from no impulses at all; without one nothing is gained.
constexpr int kPatience = 12;
constexpr double kGain = 0.5, kRoundOff = 1e-13;
constexpr double kRank = 1e-10;  // eigenvalues of scaled W below, of the largest, are round-off
constexpr double kLeastSmoothing = 1e-8;
constexpr int kMaxHalvings = 20;
constexpr double kRegularisation = 1e-12;  // of the mean diagonal of Newton's matrix

template <class C>
class Sticking {
 public:
  Sticking(const ContactProblem& problem, const std::vector<char>& sticks, const Eigen::VectorXd& near)
      : problem_(problem), sticks_(sticks), near_(near), W_(dense(problem.W)) {
    b_ = problem.b;
    for (int c = 0; c < problem.contacts(); ++c)
      if (!sticks[c]) clear(c);
    // Rows and columns of one size: the regularisation is then as small for light bodies as for heavy ones.
    scale_ = W_.diagonal().unaryExpr([](double w) { return w > 0 ? 1 / std::sqrt(w) : 1.0; });
    leave_out_of_reach();
  }

  bool solve(double tolerance, Eigen::VectorXd& r) {
    y_ = Eigen::VectorXd::Zero(b_.size());
    double value = evaluate(y_);
    Eigen::VectorXd missing = W_ * r_ + b_;
    for (int step = 0; step < kMaxSteps && missing.allFinite(); ++step) {
      if (missing.norm() <= tolerance) {
        r = r_;
        return true;
      }
      if (step >= kPatience && missing.norm() > kGain * b_.norm()) return false;
      const Eigen::VectorXd direction = newton_direction(missing);
      const double slope = missing.dot(direction);
      double length = 2, next;
      Eigen::VectorXd trial;
      bool is_lower = false;
      for (int k = 0; k < kMaxHalvings && !is_lower; ++k) {
        length /= 2;
        trial = y_ + length * direction;
        next = evaluate(trial);
        // Near the end the function is flat to round-off, and its gradient tells.
        is_lower = next <= value - 1e-4 * length * slope || (next <= value + kRoundOff * std::abs(value) &&
                                                             (W_ * r_ + b_).norm() <= 0.5 * missing.norm());
      }
      if (!is_lower) return false;
      smooth_ = length == 1 ? std::max(kLeastSmoothing, 0.1 * smooth_) : std::min(1.0, 10 * smooth_);
      y_ = trial;
      value = next;
      missing = W_ * r_ + b_;
    }
    return false;
  }

 private:
  static Eigen::MatrixXd dense(const BlockMatrix& W) {
    Eigen::MatrixXd full = Eigen::MatrixXd::Zero(W.rows * W.block, W.rows * W.block);
    for (int row = 0; row < W.rows; ++row)
      for (int k = W.row_begin[row]; k < W.row_begin[row + 1]; ++k)
        full.block(row * W.block, W.column[k] * W.block, W.block, W.block) =
            Eigen::Map<const Eigen::MatrixXd>(W.block_at(k), W.block, W.block);
    return full;
  }

  // Takes a contact that does not stick out of the equations.
  void clear(int c) {
    W_.middleRows(c * C::kSize, C::kSize).setZero();
    W_.middleCols(c * C::kSize, C::kSize).setZero();
    b_.segment<C::kSize>(c * C::kSize).setZero();
  }

  // What no impulses can do is not asked of them: gaps of the size of earlier residuals, between more contacts than bodies
  // have freedoms, do not close all at once. b becomes its nearest part in the range of W (rows scaled).
  void leave_out_of_reach() {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(scale_.asDiagonal() * W_ *
                                                               scale_.asDiagonal());
    const double least = kRank * modes.eigenvalues().tail(1)[0];
    Eigen::VectorXd parts = modes.eigenvectors().transpose() * scale_.cwiseProduct(b_);
    for (int i = 0; i < parts.size(); ++i)
      if (modes.eigenvalues()[i] <= least) parts[i] = 0;
    b_ = (modes.eigenvectors() * parts).cwiseQuotient(scale_);
  }

  // |P_K(r0 - W y)|^2 / 2 - b y, which Newton makes smallest; sets z and r = P_K(z).
  double evaluate(const Eigen::VectorXd& y) {
    z_ = near_ - W_ * y;
    r_.setZero(z_.size());
    for (int c = 0; c < problem_.contacts(); ++c)
      if (sticks_[c])
        r_.segment<C::kSize>(c * C::kSize) =
            project<C>(z_.segment<C::kSize>(c * C::kSize), problem_.mu[c], problem_.rolling(c));
    return 0.5 * r_.squaredNorm() - b_.dot(y);
  }

  // P_K' vanishes at the apex, where a start without impulses is: part of the identity is added, less and
  // less.
  typename C::Matrix smoothed_jacobian(int c) const {
    const typename C::Matrix J =
        projection_jacobian<C>(z_.segment<C::kSize>(c * C::kSize), problem_.mu[c], problem_.rolling(c));
    return (1 - smooth_) * J + smooth_ * C::Matrix::Identity();
  }

  Eigen::VectorXd newton_direction(const Eigen::VectorXd& missing) {
    Eigen::MatrixXd moved = W_;
    for (int c = 0; c < problem_.contacts(); ++c)
      if (sticks_[c])
        moved.middleRows(c * C::kSize, C::kSize) =
            (smoothed_jacobian(c) * W_.middleRows(c * C::kSize, C::kSize)).eval();
    Eigen::MatrixXd matrix = scale_.asDiagonal() * (W_.transpose() * moved) * scale_.asDiagonal();
    matrix = 0.5 * (matrix + matrix.transpose()).eval();
    matrix.diagonal().array() += kRegularisation * std::max(matrix.diagonal().mean(), 1e-300);
    const Eigen::VectorXd right = scale_.cwiseProduct(missing);
    return scale_.cwiseProduct(matrix.ldlt().solve(right));
  }

  const ContactProblem& problem_;
  const std::vector<char>& sticks_;
  const Eigen::VectorXd& near_;
  Eigen::MatrixXd W_;
  Eigen::VectorXd b_, scale_, y_, z_, r_;
  double smooth_ = 0.1;
};

}  // namespace

bool solve_sticking(const ContactProblem& problem, const std::vector<char>& sticks, double tolerance,
                    Eigen::VectorXd& r) {
  if (r.size() != problem.size() || !r.allFinite()) return false;
  return with_cone(problem.cone, [&](auto cone) {
    const Eigen::VectorXd near = r;
    return Sticking<decltype(cone)>(problem, sticks, near).solve(tolerance, r);
  });
}

}  // namespace saltus
