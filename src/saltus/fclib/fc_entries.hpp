// A matrix as files give it: a list of entries. It becomes a compressed matrix only once its
// sizes have been confirmed by vectors that are really there, so that a false size in a small
// file cannot ask for much memory.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <string>
#include <vector>

#include "saltus/fclib/fc_problem_file.hpp"

namespace saltus {

struct FcEntries {
  std::int64_t rows = 0, cols = 0;
  std::vector<Eigen::Triplet<double, int>> entries;  // within the sizes; repeated ones add up

  void add(std::int64_t row, std::int64_t col, double value) {
    entries.emplace_back(static_cast<int>(row), static_cast<int>(col), value);
  }
};

// Zeros are dropped.
Eigen::SparseMatrix<double> build_sparse(const FcEntries& matrix);
BlockMatrix build_block_matrix(const FcEntries& matrix, int block);

// The cone of blocks of `block` components; nothing when there is none.
std::optional<ConeKind> find_cone(std::int64_t block, bool rolling);

// Relative asymmetry of W (or M) above which a reader warns: text files have six digits at
// worst, yet exchange both halves alike, so anything above round-off is in the problem.
constexpr double kAsymmetryThreshold = 1e-10;
void warn_if_asymmetric(const std::string& where, FcProblemFile& file);

}  // namespace saltus
