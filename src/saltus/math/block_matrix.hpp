// Sparse matrix of small dense blocks, all of one size, in compressed rows.
//
// Blocks of a row are sorted by column and every row has its diagonal block.
// A block is stored column by column (entry (i, j) at i + block * j), so that a row
// times a vector is a sum of columns: the form a processor's vector unit likes.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "saltus/math/aligned.hpp"

namespace saltus {

struct BlockMatrix {
  int block = 0;               // rows and columns of a block
  int rows = 0;                // number of block rows (= block columns)
  std::vector<int> row_begin;  // rows + 1 offsets into `column` and, times block^2, `value`
  std::vector<int> column;     // block column of each block
  std::vector<int> diagonal;   // position of the diagonal block of each row
  AlignedVector value;         // blocks, padded at the end so that 4-wide loads stay inside

  int size() const { return rows * block; }
  int blocks() const { return static_cast<int>(column.size()); }
  const double* block_at(int position) const { return value.data() + std::size_t(position) * block * block; }
  double* block_at(int position) { return value.data() + std::size_t(position) * block * block; }
  Eigen::Map<const Eigen::MatrixXd> view(int position) const { return {block_at(position), block, block}; }
  Eigen::Map<const Eigen::MatrixXd> diagonal_view(int row) const { return view(diagonal[row]); }
};

// Blocks that hold only zeros are left out, diagonal ones excepted.
BlockMatrix build_block_matrix(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix, int block);

Eigen::SparseMatrix<double> build_sparse(const BlockMatrix& matrix);

// y = A x, in the order of the rows.
void multiply(const BlockMatrix& matrix, const Eigen::VectorXd& x, Eigen::VectorXd& y);

// max |A - A^T| / max |A|: 0 for a symmetric matrix.
double compute_asymmetry(const BlockMatrix& matrix);

}  // namespace saltus
