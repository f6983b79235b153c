// The degrees of freedom of a global problem split into parts that the mass matrix and the
// bilateral rows leave independent: bodies, or bodies held together by joints.
#pragma once

#include <vector>

#include "saltus/solvers/problem.hpp"

namespace saltus {

struct DofParts {
  std::vector<int> part_of_dof;  // part of each degree of freedom
  std::vector<int> local;        // its place within the part
  std::vector<int> dof_begin;    // count + 1 offsets into `dofs`
  std::vector<int> dofs;         // by part, ascending within each
  std::vector<int> row_begin;    // count + 1 offsets into `rows`
  std::vector<int> rows;         // bilateral rows, by part

  int count() const { return static_cast<int>(dof_begin.size()) - 1; }
  int dof_count(int part) const { return dof_begin[part + 1] - dof_begin[part]; }
  int row_count(int part) const { return row_begin[part + 1] - row_begin[part]; }
};

// Throws InputError for a bilateral row without an entry: nothing could satisfy or feel it.
DofParts build_dof_parts(const GlobalProblem& problem);

}  // namespace saltus
