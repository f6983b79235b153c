#include "saltus/solvers/dof_parts.hpp"

#include <fmt/format.h>

#include <numeric>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;

class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // The smaller number represents the union, so that parts come in the order of their first dof.
  void join(int i, int j) {
    i = find(i), j = find(j);
    parent_[i < j ? j : i] = i < j ? i : j;
  }

 private:
  std::vector<int> parent_;
};

// A diagonal mass matrix does not show which degrees of freedom make a rigid body; taking
// them by body when the numbering allows it makes few dense products of many scalar ones.
bool is_made_of_bodies(const Eigen::SparseMatrix<double>& M, int body) {
  if (M.rows() % body != 0) return false;
  for (int j = 0; j < M.outerSize(); ++j)
    for (Entry it(M, j); it; ++it)
      if (it.row() / body != j / body) return false;
  return true;
}

DisjointSets join_dofs(const GlobalProblem& problem) {
  DisjointSets sets(problem.degrees_of_freedom());
  const int body = space_dimension(problem.cone) == 3 ? 6 : 3;
  if (is_made_of_bodies(problem.M, body)) {
    for (int i = 0; i < problem.degrees_of_freedom(); ++i) sets.join(i, i - i % body);
  } else {
    for (int j = 0; j < problem.M.outerSize(); ++j)
      for (Entry it(problem.M, j); it; ++it) sets.join(static_cast<int>(it.row()), j);
  }
  for (int j = 0; j < problem.G.outerSize(); ++j)
    for (Entry first(problem.G, j), it(problem.G, j); it; ++it)
      sets.join(static_cast<int>(first.row()), static_cast<int>(it.row()));
  return sets;
}

// Counting sort of 0..n-1 by part.
void sort_by_part(const std::vector<int>& part, int count, std::vector<int>& begin,
                  std::vector<int>& sorted) {
  begin.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const int p : part) ++begin[p + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int> next(begin.begin(), begin.end() - 1);
  sorted.resize(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) sorted[next[part[i]]++] = static_cast<int>(i);
}

}  // namespace

DofParts build_dof_parts(const GlobalProblem& problem) {
  DofParts parts;
  DisjointSets sets = join_dofs(problem);
  const int dofs = problem.degrees_of_freedom();
  int count = 0;
  parts.part_of_dof.resize(static_cast<std::size_t>(dofs));
  for (int i = 0; i < dofs; ++i)
    parts.part_of_dof[i] = sets.find(i) == i ? count++ : parts.part_of_dof[sets.find(i)];
  sort_by_part(parts.part_of_dof, count, parts.dof_begin, parts.dofs);
  parts.local.resize(static_cast<std::size_t>(dofs));
  for (int k = 0; k < dofs; ++k)
    parts.local[parts.dofs[k]] = k - parts.dof_begin[parts.part_of_dof[parts.dofs[k]]];
  std::vector<int> part_of_row;
  for (int j = 0; j < problem.bilateral(); ++j) {
    const Entry first(problem.G, j);
    if (!first) throw InputError("G", fmt::format("bilateral row {} has no entry", j));
    part_of_row.push_back(parts.part_of_dof[first.row()]);
  }
  sort_by_part(part_of_row, count, parts.row_begin, parts.rows);
  return parts;
}

}  // namespace saltus
