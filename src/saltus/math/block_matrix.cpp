#include "saltus/math/block_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {
constexpr std::size_t kPadding = 4;  // doubles after the last block
}

BlockMatrix build_block_matrix(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix, int block) {
  using Iterator = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;
  BlockMatrix result;
  result.block = block;
  result.rows = static_cast<int>(matrix.rows()) / block;
  result.row_begin.assign(1, 0);
  std::vector<int> seen(result.rows, -1);  // last row in which a block column was met
  for (int row = 0; row < result.rows; ++row) {
    const std::size_t first = result.column.size();
    result.column.push_back(row);
    seen[row] = row;
    for (int i = 0; i < block; ++i)
      for (Iterator it(matrix, row * block + i); it; ++it) {
        const int column = static_cast<int>(it.col()) / block;
        if (it.value() == 0 || seen[column] == row) continue;
        seen[column] = row;
        result.column.push_back(column);
      }
    std::sort(result.column.begin() + first, result.column.end());
    const auto here = std::lower_bound(result.column.begin() + first, result.column.end(), row);
    result.diagonal.push_back(static_cast<int>(here - result.column.begin()));
    result.row_begin.push_back(static_cast<int>(result.column.size()));
  }
  result.value.assign(result.column.size() * block * block + kPadding, 0.0);
  std::vector<int> position(result.rows);
  for (int row = 0; row < result.rows; ++row) {
    for (int k = result.row_begin[row]; k < result.row_begin[row + 1]; ++k) position[result.column[k]] = k;
    for (int i = 0; i < block; ++i)
      for (Iterator it(matrix, row * block + i); it; ++it) {
        if (it.value() == 0) continue;
        const int column = static_cast<int>(it.col());
        result.block_at(position[column / block])[i + block * (column % block)] += it.value();
      }
  }
  return result;
}

Eigen::SparseMatrix<double> build_sparse(const BlockMatrix& matrix) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(matrix.blocks()) * matrix.block * matrix.block);
  const int block = matrix.block;
  for (int row = 0; row < matrix.rows; ++row)
    for (int k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k)
      for (int j = 0; j < block; ++j)
        for (int i = 0; i < block; ++i)
          entries.emplace_back(row * block + i, matrix.column[k] * block + j,
                               matrix.block_at(k)[i + block * j]);
  Eigen::SparseMatrix<double> result(matrix.size(), matrix.size());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

namespace {

template <int Block>
void multiply_blocks(const BlockMatrix& matrix, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  using Vector = Eigen::Matrix<double, Block, 1>;
  using Matrix = Eigen::Matrix<double, Block, Block>;
  for (int row = 0; row < matrix.rows; ++row) {
    Vector sum = Vector::Zero();
    for (int k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k)
      sum.noalias() += Eigen::Map<const Matrix>(matrix.block_at(k)) *
                       Eigen::Map<const Vector>(x.data() + std::ptrdiff_t(matrix.column[k]) * Block);
    Eigen::Map<Vector>(y.data() + std::ptrdiff_t(row) * Block) = sum;
  }
}

}  // namespace

void multiply(const BlockMatrix& matrix, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  y.resize(matrix.size());
  switch (matrix.block) {
    case 2: return multiply_blocks<2>(matrix, x, y);
    case 3: return multiply_blocks<3>(matrix, x, y);
    case 5: return multiply_blocks<5>(matrix, x, y);
    default: y.setZero();
  }
}

double compute_asymmetry(const BlockMatrix& matrix) {
  double largest = 0, difference = 0;
  const int block = matrix.block;
  for (int row = 0; row < matrix.rows; ++row)
    for (int k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k) {
      const int column = matrix.column[k];
      const auto first = matrix.column.begin() + matrix.row_begin[column];
      const auto last = matrix.column.begin() + matrix.row_begin[column + 1];
      const auto mirror = std::lower_bound(first, last, row);
      const double* other = mirror != last && *mirror == row
                                ? matrix.block_at(static_cast<int>(mirror - matrix.column.begin()))
                                : nullptr;
      for (int j = 0; j < block; ++j)
        for (int i = 0; i < block; ++i) {
          const double here = matrix.block_at(k)[i + block * j];
          largest = std::max(largest, std::abs(here));
          difference = std::max(difference, std::abs(here - (other ? other[j + block * i] : 0.0)));
        }
    }
  return largest > 0 ? difference / largest : 0.0;
}

}  // namespace saltus
