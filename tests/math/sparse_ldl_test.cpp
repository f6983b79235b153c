// L D L^T of random sparse matrices against dense algebra: solutions, rows that others imply, components.
#include "saltus/math/sparse_ldl.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace saltus::sparse_ldl_test {
namespace {

struct Columns {
  std::vector<int> begin, row;
  std::vector<double> value;
};

Columns upper_part(const Eigen::MatrixXd& A) {
  Columns columns;
  columns.begin.push_back(0);
  for (int k = 0; k < A.cols(); ++k) {
    for (int i = 0; i <= k; ++i)
      if (i == k || A(i, k) != 0) {
        columns.row.push_back(i);
        columns.value.push_back(A(i, k));
      }
    columns.begin.push_back(static_cast<int>(columns.row.size()));
  }
  return columns;
}

// J^T J of rows that act on few of the unknowns: semidefinite, of the rank of J.
Eigen::MatrixXd random_gram(int size, int unknowns, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> pick(-1, 1);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(unknowns, size);
  for (int k = 0; k < size; ++k)
    for (int i = 0; i < 3; ++i) J(static_cast<int>(random() % unknowns), k) += pick(random);
  return J.transpose() * J;
}

TEST(SparseLdl, solves_what_dense_algebra_solves) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Eigen::MatrixXd A = random_gram(30, 60, seed);
    A.diagonal().array() += 0.1;
    const Columns columns = upper_part(A);
    SparseLdl ldl;
    ldl.analyse(columns.begin, columns.row);
    ldl.factor(columns.value, 1e-12);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(30, -1, 2);
    Eigen::VectorXd x = b;
    ldl.solve(0, 30, x.data());
    EXPECT_TRUE(ldl.dependent().empty());
    // Condition below 1e3: round-off of some 30 operations per row.
    EXPECT_LT((A * x - b).norm(), 1e-11 * b.norm()) << seed;
  }
}

TEST(SparseLdl, leaves_out_as_many_rows_as_others_imply_and_solves_consistent_equations) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Eigen::MatrixXd A = random_gram(12, 60, seed);
    // The last two rows say what the first two say.
    Eigen::MatrixXd repeat = Eigen::MatrixXd::Zero(12, 14);
    repeat.leftCols(12).setIdentity();
    repeat(0, 12) = 1;
    repeat(0, 13) = 2, repeat(1, 13) = -1;
    A = (repeat.transpose() * A * repeat).eval();
    const Columns columns = upper_part(A);
    SparseLdl ldl;
    ldl.analyse(columns.begin, columns.row);
    ldl.factor(columns.value, 1e-10);
    EXPECT_EQ(ldl.dependent().size(), 2u) << seed;
    const Eigen::VectorXd b = A * Eigen::VectorXd::LinSpaced(14, 1, 3);
    Eigen::VectorXd x = b;
    ldl.solve(0, 14, x.data());
    EXPECT_LT((A * x - b).norm(), 1e-9 * b.norm()) << seed;
    for (const int row : ldl.dependent()) EXPECT_EQ(x[row], 0);
  }
}

TEST(SparseLdl, solves_a_component_by_itself) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(40, 40);
  A.topLeftCorner(15, 15) = random_gram(15, 40, 1);
  A.bottomRightCorner(25, 25) = random_gram(25, 60, 2);
  A.diagonal().array() += 0.1;
  const Columns columns = upper_part(A);
  SparseLdl ldl;
  ldl.analyse(columns.begin, columns.row);
  ldl.factor(columns.value, 1e-12);
  Eigen::VectorXd x = Eigen::VectorXd::Ones(40), all = x;
  ldl.solve(15, 40, x.data());
  ldl.solve(0, 40, all.data());
  EXPECT_EQ(x.head(15), Eigen::VectorXd::Ones(15));
  EXPECT_EQ(x.tail(25), all.tail(25));
}

}  // namespace
}  // namespace saltus::sparse_ldl_test
