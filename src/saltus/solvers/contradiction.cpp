#include "saltus/solvers/contradiction.hpp"

#include <algorithm>

#include "saltus/solvers/scaled_problem.hpp"

namespace saltus {

namespace {

// In the scaled problem W and b are of order one. What is left of b after the steps lies in directions that W
// sees by less than kProximal; more than kContradiction of it is no round-off.
constexpr double kProximal = 1e-10, kContradiction = 1e-6;
constexpr int kSteps = 3;

bool is_equation(const ContactProblem& problem, int c, int i) {
  return problem.sets[c].kind == SetKind::space && i < problem.sets[c].size;
}

// W + kProximal on the equations, the identity on the rest.
AlignedVector equations_alone(const ContactProblem& problem) {
  const BlockMatrix& W = problem.W;
  AlignedVector values = W.value;
  for (int row = 0; row < W.rows; ++row)
    for (int k = W.row_begin[row]; k < W.row_begin[row + 1]; ++k)
      for (int j = 0; j < W.block; ++j)
        for (int i = 0; i < W.block; ++i) {
          double& value = values[std::size_t(k) * W.block * W.block + i + W.block * j];
          const bool kept = is_equation(problem, row, i) && is_equation(problem, W.column[k], j);
          if (!kept) value = 0;
          if (k == W.diagonal[row] && i == j) value += kept ? kProximal : 1.0;
        }
  return values;
}

}  // namespace

std::vector<int> find_contradiction(const ContactProblem& problem) {
  if (!problem.is_mixed()) return {};
  PreparedProblem prepared(problem);
  const ContactProblem& scaled = prepared.scaled.problem;
  if (!prepared.lu.factor(equations_alone(scaled))) return {};
  const int block = scaled.W.block;
  Eigen::VectorXd y = scaled.b;
  for (int c = 0; c < scaled.contacts(); ++c)
    for (int i = 0; i < block; ++i)
      if (!is_equation(scaled, c, i)) y[c * block + i] = 0;
  for (int step = 0; step < kSteps; ++step) {
    y *= kProximal;
    prepared.lu.solve(y);
  }
  std::vector<int> blocks;
  const double largest = y.size() ? y.cwiseAbs().maxCoeff() : 0.0;
  if (!(largest > kContradiction)) return blocks;
  for (int c = 0; c < scaled.contacts(); ++c)
    if (y.segment(c * block, block).cwiseAbs().maxCoeff() > 1e-3 * largest) blocks.push_back(c);
  return blocks;
}

}  // namespace saltus
