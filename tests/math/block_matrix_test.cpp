#include "saltus/math/block_matrix.hpp"

#include <gtest/gtest.h>

namespace saltus::block_matrix_test {
namespace {

TEST(BlockMatrix, a_product_equals_the_sparse_one) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Random(12, 12);
  dense.block(0, 3, 3, 3).setZero();
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = dense.sparseView();
  for (const int block : {2, 3}) {
    const BlockMatrix matrix = build_block_matrix(sparse, block);
    const Eigen::VectorXd x = Eigen::VectorXd::Random(12);
    Eigen::VectorXd y;
    multiply(matrix, x, y);
    // Sums of 12 products of numbers below 1: round-off is at most a few times 12 eps.
    EXPECT_LT((y - dense * x).norm(), 1e-14);
    EXPECT_LT((Eigen::MatrixXd(build_sparse(matrix)) - dense).norm(), 1e-300);
  }
}

TEST(BlockMatrix, a_row_without_entries_still_has_its_diagonal_block) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> empty(6, 6);
  const BlockMatrix matrix = build_block_matrix(empty, 3);
  EXPECT_EQ(matrix.blocks(), 2);
  EXPECT_EQ(matrix.diagonal_view(1).norm(), 0.0);
}

TEST(BlockMatrix, asymmetry_is_zero_only_for_symmetric_matrices) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Random(6, 6);
  dense = (dense + dense.transpose()).eval();
  EXPECT_EQ(compute_asymmetry(build_block_matrix(dense.sparseView(), 3)), 0.0);
  dense(0, 5) += 1;
  EXPECT_GT(compute_asymmetry(build_block_matrix(dense.sparseView(), 3)), 0.1);
}

}  // namespace
}  // namespace saltus::block_matrix_test
