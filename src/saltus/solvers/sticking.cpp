#include "saltus/solvers/sticking.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/math/dense_factor.hpp"
#include "saltus/solvers/block_law.hpp"

namespace saltus {

namespace {

constexpr int kMaxSteps = 60;
// Where there is a solution a few steps bring most of the way from no impulses at all; without one nothing is gained.
constexpr int kPatience = 12;
constexpr double kGain = 0.5, kRoundOff = 1e-13;
constexpr double kRank = 1e-10;  // of the diagonal of scaled W: what is left of it by then is round-off
constexpr double kLeastSmoothing = 1e-8;
constexpr int kMaxHalvings = 20;
constexpr double kRegularisation = 1e-12;  // of the mean diagonal of Newton's matrix

// L with W = L L^T and as many columns as W has rank: Cholesky's factor, the largest pivot first, until none is above `least`.
Eigen::MatrixXd factor_to_rank(const Eigen::MatrixXd& W, double least) {
  const Eigen::Index size = W.rows();
  Eigen::MatrixXd L(size, size);
  Eigen::VectorXd left = W.diagonal();
  Eigen::Index rank = 0, pivot = 0;
  for (; rank < size && left.maxCoeff(&pivot) > least; ++rank) {
    L.col(rank) = W.col(pivot);
    L.col(rank).noalias() -= L.leftCols(rank) * L.row(pivot).head(rank).transpose();
    L.col(rank) /= std::sqrt(left[pivot]);
    left -= L.col(rank).cwiseAbs2();
    left[pivot] = 0;
  }
  return L.leftCols(rank);
}

// All that depends on the kind of the blocks.
class Cones {
 public:
  virtual ~Cones() = default;
  // r_c := P_K(z_c); in place with one vector for both.
  virtual void project(int c, const Eigen::VectorXd& z, Eigen::VectorXd& r) const = 0;
  // Rows of c times P_K'(z_c), which vanishes at the apex, where a start without impulses is: `smooth` of the identity is added.
  virtual void turn_rows(int c, const Eigen::VectorXd& z, double smooth, Eigen::MatrixXd& rows) const = 0;
};

template <class B>
class ConesOf final : public Cones {
 public:
  explicit ConesOf(const ContactProblem& problem) : problem_(problem) {}

  void project(int c, const Eigen::VectorXd& z, Eigen::VectorXd& r) const override {
    r.segment<B::kSize>(c * B::kSize) = law_of<B>(problem_, c).project(z.segment<B::kSize>(c * B::kSize));
  }

  void turn_rows(int c, const Eigen::VectorXd& z, double smooth, Eigen::MatrixXd& rows) const override {
    const typename B::Matrix J = law_of<B>(problem_, c).projection_jacobian(z.segment<B::kSize>(c * B::kSize));
    const typename B::Matrix turn = (1 - smooth) * J + smooth * B::Matrix::Identity();
    for (Eigen::Index j = 0; j < rows.cols(); ++j) {
      const typename B::Vector column = rows.col(j).segment<B::kSize>(c * B::kSize);
      rows.col(j).segment<B::kSize>(c * B::kSize) = turn * column;
    }
  }

 private:
  const ContactProblem& problem_;
};

// With W = B B^T the unknowns are t = B^T y, as many as the contacts have freedoms:
//
//     r = P_K(r0 - B t),    F = B^T r + a = 0,    B a the part of b in the range of W
class Sticking {
 public:
  Sticking(const ContactProblem& problem, const Cones& cones, const std::vector<char>& sticks,
           const Eigen::VectorXd& near)
      : problem_(problem), cones_(cones), sticks_(sticks), near_(near), W_(dense(problem.W)), b_(problem.b) {
    for (int c = 0; c < problem.contacts(); ++c)
      if (!sticks[c]) clear(c);
    // Rows and columns of one size: rank is judged alike for light bodies and for heavy ones.
    row_scale_ = W_.diagonal().unaryExpr([](double w) { return w > 0 ? 1 / std::sqrt(w) : 1.0; });
    W_ = row_scale_.asDiagonal() * W_ * row_scale_.asDiagonal();
    b_ = row_scale_.cwiseProduct(b_);
  }

  bool solve(double tolerance, Eigen::VectorXd& r) {
    const DenseCholesky factor(with_full_diagonal());
    const bool is_independent = factor.is_definite() && factor.least_pivot() > kRank;
    return is_independent ? solve_independent(factor, tolerance, r) : solve_dependent(tolerance, r);
  }

 private:
  // Those that do not stick have rows of their own.
  Eigen::MatrixXd with_full_diagonal() const {
    Eigen::MatrixXd full = W_;
    for (Eigen::Index i = 0; i < full.rows(); ++i)
      if (full(i, i) == 0) full(i, i) = 1;
    return full;
  }

  // Rows that do not depend on each other leave no choice: the impulses are W^-1 of what is asked, if the cones have them.
  bool solve_independent(const DenseCholesky& factor, double tolerance, Eigen::VectorXd& r) const {
    Eigen::VectorXd found = -row_scale_.cwiseProduct(factor.solved(b_));
    for (int c = 0; c < problem_.contacts(); ++c) cones_.project(c, found, found);
    const Eigen::VectorXd missing = W_ * found.cwiseQuotient(row_scale_) + b_;
    if (!(missing.cwiseQuotient(row_scale_).norm() <= tolerance)) return false;
    r = found;
    return true;
  }

  void factor() {
    const Eigen::MatrixXd L = factor_to_rank(W_, kRank);
    B_ = row_scale_.cwiseInverse().asDiagonal() * L;
    // What no impulses can do is not asked of them: gaps of the size of earlier residuals, between more contacts than
    // bodies have freedoms, do not close all at once. Nearest with rows scaled.
    a_ = Eigen::VectorXd::Zero(L.cols());
    if (L.cols() > 0) a_ = solve_least_squares(L, b_);
    scale_ = B_.colwise().norm().cwiseInverse();
  }

  bool solve_dependent(double tolerance, Eigen::VectorXd& r) {
    factor();
    t_ = Eigen::VectorXd::Zero(a_.size());
    const double asked = (B_ * a_).norm();
    double value = evaluate(t_);
    Eigen::VectorXd missing = B_.transpose() * r_ + a_;
    for (int step = 0; step < kMaxSteps && missing.allFinite(); ++step) {
      const double speed = (B_ * missing).norm();
      if (speed <= tolerance) {
        r = r_;
        return true;
      }
      if (step >= kPatience && speed > kGain * asked) return false;
      const Eigen::VectorXd direction = newton_direction(missing);
      const double slope = missing.dot(direction);
      double length = 2, next;
      Eigen::VectorXd trial;
      bool is_lower = false;
      for (int k = 0; k < kMaxHalvings && !is_lower; ++k) {
        length /= 2;
        trial = t_ + length * direction;
        next = evaluate(trial);
        // Near the end the function is flat to round-off, and its gradient tells.
        is_lower = next <= value - 1e-4 * length * slope ||
                   (next <= value + kRoundOff * std::abs(value) &&
                    (B_ * (B_.transpose() * r_ + a_)).norm() <= 0.5 * speed);
      }
      if (!is_lower) return false;
      smooth_ = length == 1 ? std::max(kLeastSmoothing, 0.1 * smooth_) : std::min(1.0, 10 * smooth_);
      t_ = trial;
      value = next;
      missing = B_.transpose() * r_ + a_;
    }
    return false;
  }

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
    const int size = problem_.W.block;
    W_.middleRows(c * size, size).setZero();
    W_.middleCols(c * size, size).setZero();
    b_.segment(c * size, size).setZero();
  }

  // |P_K(r0 - B t)|^2 / 2 - a t, which Newton makes smallest; sets z and r = P_K(z).
  double evaluate(const Eigen::VectorXd& t) {
    z_ = near_ - B_ * t;
    r_.setZero(z_.size());
    for (int c = 0; c < problem_.contacts(); ++c)
      if (sticks_[c]) cones_.project(c, z_, r_);
    return 0.5 * r_.squaredNorm() - a_.dot(t);
  }

  Eigen::VectorXd newton_direction(const Eigen::VectorXd& missing) {
    Eigen::MatrixXd moved = B_;
    for (int c = 0; c < problem_.contacts(); ++c)
      if (sticks_[c]) cones_.turn_rows(c, z_, smooth_, moved);
    Eigen::MatrixXd matrix = scale_.asDiagonal() * (B_.transpose() * moved) * scale_.asDiagonal();
    matrix = 0.5 * (matrix + matrix.transpose()).eval();
    matrix.diagonal().array() += kRegularisation * std::max(matrix.diagonal().mean(), 1e-300);
    const Eigen::VectorXd right = scale_.cwiseProduct(missing);
    return scale_.cwiseProduct(solve_semidefinite(matrix, right));
  }

  const ContactProblem& problem_;
  const Cones& cones_;
  const std::vector<char>& sticks_;
  const Eigen::VectorXd& near_;
  Eigen::MatrixXd W_;              // rows and columns scaled
  Eigen::VectorXd b_, row_scale_;  // b scaled likewise
  Eigen::MatrixXd B_;
  Eigen::VectorXd a_, scale_, t_, z_, r_;
  double smooth_ = 0.1;  // less and less of it
};

}  // namespace

bool solve_sticking(const ContactProblem& problem, const std::vector<char>& sticks, double tolerance,
                    Eigen::VectorXd& r) {
  if (r.size() != problem.size() || !r.allFinite()) return false;
  return with_blocks(problem, [&](auto block) {
    const Eigen::VectorXd near = r;
    const ConesOf<decltype(block)> cones(problem);
    return Sticking(problem, cones, sticks, near).solve(tolerance, r);
  });
}

}  // namespace saltus
