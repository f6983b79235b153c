#include "saltus/math/definite_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace saltus::definite_factor_test {
namespace {

using Sparse = DefiniteFactor::Sparse;

// Springs between neighbours of a square of n x n, two directions tied, and one to the ground: `ground` + what neighbours add.
Sparse net(int n, double ground) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto place = [n](int i, int j, int k) { return 2 * (i * n + j) + k; };
  const auto tie = [&](int a, int b, double stiffness) {
    entries.emplace_back(a, a, stiffness), entries.emplace_back(b, b, stiffness);
    entries.emplace_back(a, b, -stiffness), entries.emplace_back(b, a, -stiffness);
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < 2; ++k) {
        entries.emplace_back(place(i, j, k), place(i, j, k), ground);
        if (i + 1 < n) tie(place(i, j, k), place(i + 1, j, k), 1 + 0.1 * k);
        if (j + 1 < n) tie(place(i, j, k), place(i, j + 1, k), 2 - 0.3 * k);
      }
      tie(place(i, j, 0), place(i, j, 1), 0.5);
    }
  Sparse matrix(2 * n * n, 2 * n * n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

class Factors : public testing::TestWithParam<DefiniteFactor::Kind> {};

// Of eigenvalues between 0.1 and 0.1 + 2 (1.1 + 1.1) + 2 (2 + 2) + 1 at most, some 135 apart: 135 and a row's 2 n n sums of round-off.
constexpr double kCondition = 135, kRoundOff = 2.3e-16;

TEST_P(Factors, solves_as_a_dense_matrix_does) {
  const Sparse matrix = net(12, 0.1);
  DefiniteFactor factor(GetParam());
  ASSERT_TRUE(factor.compute(matrix));
  const Eigen::VectorXd exact = Eigen::VectorXd::LinSpaced(matrix.rows(), -1, 2);
  Eigen::VectorXd x = matrix * exact;
  factor.solve(x);
  EXPECT_LT((x - exact).norm(), kCondition * 24 * kRoundOff * exact.norm());
  const Eigen::MatrixXd dense(matrix);
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(matrix.rows(), matrix.rows());
  factor.solve(inverse);
  EXPECT_LT((inverse - dense.inverse()).norm(), kCondition * 24 * kRoundOff * inverse.norm());
}

TEST_P(Factors, an_order_serves_every_matrix_of_its_pattern) {
  DefiniteFactor factor(GetParam());
  factor.analyse(net(9, 5));
  for (const double ground : {0.1, 40.0}) {
    const Sparse matrix = net(9, ground);
    ASSERT_TRUE(factor.factor(matrix));
    Eigen::VectorXd x = matrix * Eigen::VectorXd::Ones(matrix.rows());
    factor.solve(x);
    EXPECT_LT((x - Eigen::VectorXd::Ones(x.size())).cwiseAbs().maxCoeff(), kCondition * 24 * kRoundOff);
  }
}

TEST_P(Factors, a_column_has_the_same_bits_whatever_is_solved_with_it) {
  const Sparse matrix = net(20, 0.1);
  DefiniteFactor factor(GetParam());
  ASSERT_TRUE(factor.compute(matrix));
  constexpr int kColumns = 75;
  Eigen::MatrixXd together = Eigen::MatrixXd::Identity(matrix.rows(), kColumns);
  factor.solve(together);
  for (int first = 0, width = 1; first < kColumns; first += width, width = 2 * width + 1) {
    const int count = std::min(width, kColumns - first);
    Eigen::MatrixXd few = Eigen::MatrixXd::Identity(matrix.rows(), kColumns).middleCols(first, count);
    factor.solve(few);
    EXPECT_TRUE(few == together.middleCols(first, count)) << "columns from " << first;
  }
}

TEST_P(Factors, what_is_not_definite_is_refused) {
  DefiniteFactor factor(GetParam());
  EXPECT_FALSE(factor.compute(net(6, -0.1)));
  // Without ground the whole net moves freely: a pivot is round-off.
  EXPECT_FALSE(factor.compute(net(6, 0), 1e-13));
  EXPECT_TRUE(factor.compute(net(6, 1e-6), 1e-13));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Factors,
                         testing::Values(DefiniteFactor::Kind::simplicial, DefiniteFactor::Kind::supernodal));

TEST(DefiniteFactor, large_matrices_go_by_supernodes) {
  const int n = static_cast<int>(std::sqrt(DefiniteFactor::kLarge / 2)) + 1;
  DefiniteFactor factor;
  ASSERT_TRUE(factor.compute(net(n, 1)));
  EXPECT_TRUE(factor.is_supernodal());
  ASSERT_TRUE(factor.compute(net(n - 2, 1)));
  EXPECT_FALSE(factor.is_supernodal());
}

}  // namespace
}  // namespace saltus::definite_factor_test
