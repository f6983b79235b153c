#include "saltus/solvers/dof_parts.hpp"

#include <fmt/format.h>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;

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
  DisjointSets sets;
  sets.reset(problem.degrees_of_freedom());
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

}  // namespace

DofParts build_dof_parts(const GlobalProblem& problem) {
  DofParts parts;
  DisjointSets sets = join_dofs(problem);
  const int dofs = problem.degrees_of_freedom();
  int count = 0;
  parts.part_of_dof.resize(static_cast<std::size_t>(dofs));
  for (int i = 0; i < dofs; ++i)
    parts.part_of_dof[i] = sets.find(i) == i ? count++ : parts.part_of_dof[sets.find(i)];
  sort_by_set(parts.part_of_dof, count, parts.dof_begin, parts.dofs);
  parts.local.resize(static_cast<std::size_t>(dofs));
  for (int k = 0; k < dofs; ++k)
    parts.local[parts.dofs[k]] = k - parts.dof_begin[parts.part_of_dof[parts.dofs[k]]];
  std::vector<int> part_of_row;
  for (int j = 0; j < problem.bilateral(); ++j) {
    const Entry first(problem.G, j);
    if (!first) throw InputError("G", fmt::format("bilateral row {} has no entry", j));
    part_of_row.push_back(parts.part_of_dof[first.row()]);
  }
  sort_by_set(part_of_row, count, parts.row_begin, parts.rows);
  return parts;
}

}  // namespace saltus
