#include "saltus/solvers/bilateral.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Entry = Sparse::InnerIterator;

bool is_space(const BlockSet& set) {
  return set.kind == SetKind::space || (set.kind == SetKind::ball && std::isinf(set.radius));
}

bool share_a_row(const Sparse& matrix, int a, int b) {
  for (Entry x(matrix, a), y(matrix, b); x && y;) {
    if (x.row() == y.row()) return true;
    x.row() < y.row() ? ++x : ++y;
  }
  return false;
}

// Columns of `from` that `chosen` lists, in its order; -1 stands for a column of zeros.
Sparse pick_columns(const Sparse& from, const std::vector<int>& chosen) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t j = 0; j < chosen.size(); ++j)
    if (chosen[j] >= 0)
      for (Entry it(from, chosen[j]); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(j), it.value());
  Sparse result(from.rows(), static_cast<Eigen::Index>(chosen.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Sparse join_columns(const Sparse& a, const Sparse& b) {
  Sparse result(a.rows(), a.cols() + b.cols());
  result.leftCols(a.cols()) = a;
  result.rightCols(b.cols()) = b;
  return result;
}

// Friction of the contacts among the blocks, without sets: what is no contact of the cone has none.
template <class Problem>
void keep_contacts(const Problem& problem, Problem& contacts) {
  const int dimension = space_dimension(problem.cone);
  std::vector<double> mu, mu_r;
  for (int c = 0; c < problem.contacts(); ++c) {
    const BlockSet& set = problem.sets[c];
    if (is_space(set)) continue;
    if (set.kind == SetKind::ball)
      throw InputError(fmt::format("block {}", c), "an impulse bounded by a given radius",
                       fmt::format("{}", set.radius), "contacts and bilateral rows, all that FCLib can say");
    mu.push_back(set.size > 1 ? problem.mu[c] : 0.0);
    mu_r.push_back(set.size > dimension && problem.mu_r.size() ? problem.mu_r[c] : 0.0);
  }
  const auto count = static_cast<Eigen::Index>(mu.size());
  contacts.mu = Eigen::Map<const Eigen::VectorXd>(mu.data(), count);
  if (is_rolling(problem.cone)) contacts.mu_r = Eigen::Map<const Eigen::VectorXd>(mu_r.data(), count);
  contacts.sets.clear();
}

}  // namespace

BilateralSplit split_bilateral(const std::vector<BlockSet>& sets, int block) {
  BilateralSplit split;
  for (int c = 0; c < static_cast<int>(sets.size()); ++c) {
    std::vector<int>& kind = is_space(sets[c]) ? split.equations : split.contacts;
    const int count = is_space(sets[c]) ? sets[c].size : block;
    for (int i = 0; i < count; ++i) kind.push_back(c * block + i);
  }
  return split;
}

GlobalProblem build_bilateral_blocks(const GlobalProblem& problem) {
  const int block = block_size(problem.cone);
  GlobalProblem mixed = problem;
  if (mixed.sets.empty())
    mixed.sets.assign(static_cast<std::size_t>(problem.contacts()), {SetKind::coulomb, block});
  std::vector<int> columns;
  for (int row = 0; row < problem.bilateral(); ++row) {
    const bool begins =
        columns.empty() || mixed.sets.back().size == block || !share_a_row(problem.G, row - 1, row);
    if (begins) {
      columns.resize((columns.size() + block - 1) / block * block, -1);
      mixed.sets.push_back({SetKind::space, 0});
    }
    ++mixed.sets.back().size;
    columns.push_back(row);
  }
  columns.resize((columns.size() + block - 1) / block * block, -1);
  const auto added = static_cast<Eigen::Index>(columns.size());
  mixed.H = join_columns(problem.H, pick_columns(problem.G, columns));
  mixed.w.conservativeResize(problem.w.size() + added);
  for (Eigen::Index j = 0; j < added; ++j)
    mixed.w[problem.w.size() + j] = columns[j] >= 0 ? problem.c[columns[j]] : 0.0;
  const auto blocks = static_cast<Eigen::Index>(mixed.sets.size());
  for (Eigen::VectorXd* friction : {&mixed.mu, &mixed.mu_r})
    if (friction == &mixed.mu || is_rolling(problem.cone))
      friction->conservativeResizeLike(Eigen::VectorXd::Zero(blocks));
  mixed.G.resize(problem.degrees_of_freedom(), 0);
  mixed.c.resize(0);
  return mixed;
}

GlobalProblem build_bilateral_rows(const GlobalProblem& problem) {
  if (problem.sets.empty()) return problem;
  const BilateralSplit split = split_bilateral(problem.sets, block_size(problem.cone));
  GlobalProblem plain = problem;
  keep_contacts(problem, plain);
  plain.H = pick_columns(problem.H, split.contacts);
  plain.w = problem.w(split.contacts);
  plain.G = join_columns(problem.G, pick_columns(problem.H, split.equations));
  plain.c.resize(problem.c.size() + static_cast<Eigen::Index>(split.equations.size()));
  plain.c << problem.c, problem.w(split.equations);
  return plain;
}

LocalEqualities build_local_equalities(const ContactProblem& problem) {
  const int block = problem.W.block;
  const double asymmetry = compute_asymmetry(problem.W);
  if (asymmetry > 1e-12)
    throw InputError("W", "asymmetry", fmt::format("{:.1e}", asymmetry),
                     "a symmetric W, the only one FCLib can say with bilateral rows");
  const BilateralSplit split = split_bilateral(problem.sets, block);
  LocalEqualities result;
  result.contacts = problem;
  keep_contacts(problem, result.contacts);
  const Sparse W = build_sparse(problem.W);
  const auto part = [&](const std::vector<int>& rows, const std::vector<int>& columns) {
    const Sparse some = pick_columns(W, columns);
    return Sparse(pick_columns(some.transpose(), rows).transpose());
  };
  result.contacts.W = build_block_matrix(part(split.contacts, split.contacts), block);
  result.contacts.b = problem.b(split.contacts);
  result.V = part(split.contacts, split.equations);
  result.R = part(split.equations, split.equations);
  result.s = problem.b(split.equations);
  return result;
}

}  // namespace saltus
