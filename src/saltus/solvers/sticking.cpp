#include "saltus/solvers/sticking.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace saltus {

namespace {

constexpr int kMaxSteps = 40;
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
    scale_ = W_.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  }

  bool solve(double tolerance, Eigen::VectorXd& r) {
    y_ = Eigen::VectorXd::Zero(b_.size());
    double value = evaluate(y_);
    for (int step = 0; step < kMaxSteps; ++step) {
      const Eigen::VectorXd missing = W_ * r_ + b_;
      if (!missing.allFinite()) return false;
      if (missing.norm() <= tolerance) {
        r = r_;
        return true;
      }
      const Eigen::VectorXd direction = newton_direction(missing);
      if (!direction.allFinite()) return false;
      const double slope = missing.dot(direction);
      double length = 1;
      Eigen::VectorXd trial = y_ + direction;
      double next = evaluate(trial);
      for (int k = 0; k < kMaxHalvings && !(next <= value - 1e-4 * length * slope); ++k) {
        length /= 2;
        trial = y_ + length * direction;
        next = evaluate(trial);
      }
      if (!(next < value)) return false;
      y_ = trial;
      value = next;
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

  Eigen::VectorXd newton_direction(const Eigen::VectorXd& missing) {
    Eigen::MatrixXd moved = W_;
    for (int c = 0; c < problem_.contacts(); ++c)
      if (sticks_[c])
        moved.middleRows(c * C::kSize, C::kSize) =
            (projection_jacobian<C>(z_.segment<C::kSize>(c * C::kSize), problem_.mu[c], problem_.rolling(c)) *
             W_.middleRows(c * C::kSize, C::kSize))
                .eval();
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
