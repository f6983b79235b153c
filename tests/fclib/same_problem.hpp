// Equality of problems to the last bit, for round trips.
#pragma once

#include <gtest/gtest.h>

#include "saltus/fclib/fc_problem_file.hpp"

namespace saltus {

inline void expect_same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a == b);
}

inline void expect_same(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  ASSERT_EQ(a.nonZeros(), b.nonZeros());
  if (a.size() > 0) {  // Eigen asserts on an empty sum
    EXPECT_EQ((a - b).norm(), 0.0);
  }
}

inline void expect_same(const ContactProblem& a, const ContactProblem& b) {
  EXPECT_EQ(a.cone, b.cone);
  EXPECT_EQ(a.W.row_begin, b.W.row_begin);
  EXPECT_EQ(a.W.column, b.W.column);
  EXPECT_EQ(a.W.value, b.W.value);
  expect_same(a.b, b.b);
  expect_same(a.mu, b.mu);
  expect_same(a.mu_r, b.mu_r);
}

inline void expect_same(const GlobalProblem& a, const GlobalProblem& b) {
  EXPECT_EQ(a.cone, b.cone);
  expect_same(a.M, b.M);
  expect_same(a.H, b.H);
  expect_same(a.G, b.G);
  expect_same(a.f, b.f);
  expect_same(a.w, b.w);
  expect_same(a.c, b.c);
  expect_same(a.mu, b.mu);
  expect_same(a.mu_r, b.mu_r);
}

inline void expect_same(const FcSolution& a, const FcSolution& b) {
  expect_same(a.r, b.r);
  expect_same(a.u, b.u);
  expect_same(a.v, b.v);
  expect_same(a.l, b.l);
}

inline void expect_same_file(const FcProblemFile& a, const FcProblemFile& b) {
  ASSERT_EQ(a.is_global(), b.is_global());
  if (a.is_global())
    expect_same(std::get<GlobalProblem>(a.problem), std::get<GlobalProblem>(b.problem));
  else
    expect_same(std::get<ContactProblem>(a.problem), std::get<ContactProblem>(b.problem));
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.math_info, b.math_info);
  ASSERT_EQ(a.solution.has_value(), b.solution.has_value());
  if (a.solution) expect_same(*a.solution, *b.solution);
  ASSERT_EQ(a.guesses.size(), b.guesses.size());
  for (std::size_t k = 0; k < a.guesses.size(); ++k) expect_same(a.guesses[k], b.guesses[k]);
}

}  // namespace saltus
