#include "saltus/math/block_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace saltus::block_lu_test {
namespace {

// Blocks on a random graph of n nodes with about `degree` neighbours each, plus a diagonal.
Eigen::MatrixXd make_matrix(int n, int block, double degree, double diagonal, unsigned seed, bool symmetric) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::bernoulli_distribution linked(degree / n);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n * block, n * block);
  const auto fill = [&](int i, int j) {
    for (int p = 0; p < block; ++p)
      for (int q = 0; q < block; ++q) a(i * block + p, j * block + q) = uniform(random);
  };
  for (int i = 0; i < n; ++i) {
    fill(i, i);
    for (int j = 0; j < i; ++j)
      if (linked(random)) fill(i, j), fill(j, i);
  }
  if (symmetric) a = (a + a.transpose()).eval();
  a.diagonal().array() += diagonal;
  return a;
}

TEST(BlockLu, solves_what_dense_lu_solves) {
  for (const int block : {2, 3, 5})
    for (const int n : {1, 2, 7, 40, 120})
      for (const bool symmetric : {false, true}) {
        const Eigen::MatrixXd a = make_matrix(n, block, 3, 4 * block, unsigned(n + block), symmetric);
        const BlockMatrix matrix = build_block_matrix(a.sparseView(), block);
        BlockLu lu;
        lu.analyse(matrix);
        ASSERT_TRUE(lu.factor(matrix.value));
        const Eigen::VectorXd exact = Eigen::VectorXd::Random(a.rows());
        Eigen::VectorXd x = a * exact;
        lu.solve(x);
        // Backward stable elimination: error within a modest multiple of n eps cond(A), with
        // the condition bounded through the inverse that dense LU gives.
        const double condition = a.norm() * a.partialPivLu().inverse().norm();
        EXPECT_LT((x - exact).norm(), 1e-15 * condition * double(a.rows()) * exact.norm());
      }
}

TEST(BlockLu, an_analysis_serves_new_values) {
  const Eigen::MatrixXd first = make_matrix(30, 3, 4, 12, 1, false);
  const BlockMatrix pattern = build_block_matrix(first.sparseView(), 3);
  BlockLu lu;
  lu.analyse(pattern);
  ASSERT_TRUE(lu.factor(pattern.value));
  AlignedVector values = pattern.value;
  for (double& value : values) value *= 2;
  ASSERT_TRUE(lu.factor(values));
  Eigen::VectorXd x = first * Eigen::VectorXd::Ones(90);
  lu.solve(x);
  EXPECT_LT((x - Eigen::VectorXd::Constant(90, 0.5)).norm(), 1e-12);
}

TEST(BlockLu, a_singular_matrix_is_refused) {
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(6, 6);
  const BlockMatrix matrix = build_block_matrix(zero.sparseView(), 3);
  BlockLu lu;
  lu.analyse(matrix);
  EXPECT_FALSE(lu.factor(matrix.value));
}

TEST(BlockLu, a_chain_of_fronts_with_a_zero_leading_entry_needs_the_exchange_of_rows) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(4, 4);
  a << 0, 1, 0.1, 0, 1, 0, 0, 0.1, 0.1, 0, 0, 2, 0, 0.1, 2, 0;
  const BlockMatrix matrix = build_block_matrix(a.sparseView(), 2);
  BlockLu lu;
  lu.analyse(matrix);
  ASSERT_TRUE(lu.factor(matrix.value));
  Eigen::VectorXd x = a * Eigen::Vector4d(1, 2, 3, 4);
  lu.solve(x);
  EXPECT_LT((x - Eigen::Vector4d(1, 2, 3, 4)).norm(), 1e-14);
}

}  // namespace
}  // namespace saltus::block_lu_test
