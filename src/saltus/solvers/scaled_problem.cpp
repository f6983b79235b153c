#include "saltus/solvers/scaled_problem.hpp"

#include <cmath>

namespace saltus {

namespace {

double positive_or(double value, double other) { return value > 0 && std::isfinite(value) ? value : other; }

// Factors of a block that is not Coulomb's: one for all components of a ball, which must stay one; for
// equations one each, since their units may differ.
void scale_set(const BlockSet& set, const Eigen::VectorXd& diagonal, double mean,
               Eigen::Ref<Eigen::VectorXd> scale) {
  const double own = positive_or(diagonal.head(set.size).mean(), mean);
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    const bool is_alone = set.kind == SetKind::space && i < set.size;
    scale[i] = 1 / std::sqrt(is_alone ? positive_or(diagonal[i], own) : own);
  }
}

// Whatever the builder left in rows and columns that are not meant.
void clear_padding(ContactProblem& problem) {
  const int block = problem.W.block;
  const auto size = [&](int c) { return problem.sets[c].size; };
  for (int row = 0; row < static_cast<int>(problem.sets.size()); ++row) {
    problem.b.segment(row * block + size(row), block - size(row)).setZero();
    for (int k = problem.W.row_begin[row]; k < problem.W.row_begin[row + 1]; ++k) {
      Eigen::Map<Eigen::MatrixXd> entries(problem.W.block_at(k), block, block);
      entries.bottomRows(block - size(row)).setZero();
      entries.rightCols(block - size(problem.W.column[k])).setZero();
    }
  }
}

}  // namespace

ScaledProblem build_scaled_problem(const ContactProblem& problem) {
  ScaledProblem scaled{problem, Eigen::VectorXd(problem.size())};
  const int block = problem.W.block;
  const int rolling = is_rolling(problem.cone) ? space_dimension(problem.cone) - 1 : 0;
  const int sliding = block - rolling;
  double mean = 0;  // over blocks of all kinds: only for those whose own diagonal is zero
  for (int c = 0; c < problem.contacts(); ++c)
    mean += problem.W.diagonal_view(c).diagonal().head(sliding).mean();
  mean = positive_or(mean / std::max(1, problem.contacts()), 1.0);

  Eigen::VectorXd scale(problem.size());
  for (int c = 0; c < problem.contacts(); ++c) {
    if (problem.is_mixed() && problem.sets[c].kind != SetKind::coulomb) {
      scale_set(problem.sets[c], problem.W.diagonal_view(c).diagonal(), mean,
                scale.segment(c * block, block));
      continue;
    }
    const auto diagonal = problem.W.diagonal_view(c).diagonal();
    const double s = 1 / std::sqrt(positive_or(diagonal.head(sliding).mean(), mean));
    scale.segment(c * block, sliding).setConstant(s);
    if (rolling == 0) continue;
    const double s_w = 1 / std::sqrt(positive_or(diagonal.tail(rolling).mean(), mean));
    scale.segment(c * block + sliding, rolling).setConstant(s_w);
    scaled.problem.mu_r[c] *= s / s_w;
  }
  BlockMatrix& W = scaled.problem.W;
  for (int row = 0; row < W.rows; ++row)
    for (int k = W.row_begin[row]; k < W.row_begin[row + 1]; ++k) {
      double* entry = W.block_at(k);
      for (int j = 0; j < block; ++j)
        for (int i = 0; i < block; ++i) *entry++ *= scale[row * block + i] * scale[W.column[k] * block + j];
    }
  scaled.problem.b = problem.b.cwiseProduct(scale);
  clear_padding(scaled.problem);
  const double speed =
      positive_or(scaled.problem.b.size() ? scaled.problem.b.cwiseAbs().maxCoeff() : 0.0, 1.0);
  scaled.problem.b /= speed;
  for (int c = 0; c < static_cast<int>(problem.sets.size()); ++c)
    scaled.problem.sets[c].radius /= scale[c * block] * speed;
  scaled.impulse = scale * speed;
  return scaled;
}

PreparedProblem::PreparedProblem(const ContactProblem& problem) : scaled(build_scaled_problem(problem)) {
  lu.analyse(scaled.problem.W);
}

}  // namespace saltus
