#include "saltus/systems/kept_operator.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

namespace saltus::kept_operator_test {
namespace {

// Sparse matrices on some of the degrees of freedom, one of them not symmetric: against dense algebra, twice with the same patterns.
TEST(KeptOperator, solves_what_dense_algebra_solves_and_refuses_what_is_not_positive_definite) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const int size = 30;
  std::vector<int> free;
  for (int i = 0; i < size; ++i)
    if (i % 7 != 3) free.push_back(i);
  Eigen::SparseMatrix<double> mass(size, size), tangent(size, size), none;
  for (int i = 0; i < size; ++i) mass.insert(i, i) = 8;
  for (int i = 0; i < size; ++i)
    for (const int j : {i, (i + 1) % size, (i + 11) % size}) tangent.coeffRef(i, j) += number(random);
  KeptOperator kept;
  for (const double weight : {1.0, 0.3}) {
    const OperatorTerm terms[] = {{1, mass}, {0.5, none}, {weight, tangent}};
    ASSERT_TRUE(kept.factor(free, terms));
    const Eigen::MatrixXd whole = Eigen::MatrixXd(mass) + weight * Eigen::MatrixXd(tangent);
    const Eigen::MatrixXd part = (0.5 * (whole + whole.transpose()))(free, free);
    const Eigen::VectorXd rhs = Eigen::VectorXd::LinSpaced(size, -1, 2);
    Eigen::VectorXd x, expected = Eigen::VectorXd::Zero(size);
    kept.solve(free, rhs, x);
    const Eigen::VectorXd there = rhs(free), solved = part.llt().solve(there);
    expected(free) = solved;
    EXPECT_LT((x - expected).norm(), 1e-14 * size);  // round-off of numbers of order 1, condition below 3
  }
  const OperatorTerm indefinite[] = {{-0.01, mass}, {0.5, none}, {1, tangent}};
  EXPECT_FALSE(kept.factor(free, indefinite));
}

}  // namespace
}  // namespace saltus::kept_operator_test
