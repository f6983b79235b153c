#include "saltus/math/small_eigen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace saltus::small_eigen_test {
namespace {

// Turns by the three angles about the axes.
Eigen::Matrix3d turn(double x, double y, double z) {
  Eigen::Matrix3d X, Y, Z;
  X << 1, 0, 0, 0, std::cos(x), -std::sin(x), 0, std::sin(x), std::cos(x);
  Y << std::cos(y), 0, std::sin(y), 0, 1, 0, -std::sin(y), 0, std::cos(y);
  Z << std::cos(z), -std::sin(z), 0, std::sin(z), std::cos(z), 0, 0, 0, 1;
  return X * Y * Z;
}

TEST(SmallEigen, turned_diagonal_matrices_give_their_diagonals_back) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-4, 4), value(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    Eigen::Vector3d expected(value(random), value(random), value(random));
    if (i % 3 == 0) expected[1] = expected[0];  // twice the same
    if (i % 5 == 0) expected *= 1e-150;
    if (i % 7 == 0) expected[2] *= 1e-9;
    const Eigen::Matrix3d Q = turn(angle(random), angle(random), angle(random));
    const Eigen::Vector3d found = symmetric_eigenvalues<3>(Q * expected.asDiagonal() * Q.transpose());
    std::sort(expected.data(), expected.data() + 3);
    // Making the matrix and each of some fifteen rotations round nine numbers.
    const double round_off = 100 * std::numeric_limits<double>::epsilon() * expected.cwiseAbs().maxCoeff();
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), round_off);
  }
}

TEST(SmallEigen, two_rows_agree_with_the_closed_form) {
  Eigen::Matrix2d A;
  A << 3, -1, -1, 2;
  const Eigen::Vector2d found = symmetric_eigenvalues<2>(A);
  EXPECT_NEAR(found[0], 2.5 - std::sqrt(1.25), 1e-15);
  EXPECT_NEAR(found[1], 2.5 + std::sqrt(1.25), 1e-15);
}

TEST(SmallEigen, zero_and_not_finite_matrices_end) {
  EXPECT_EQ(symmetric_eigenvalues<3>(Eigen::Matrix3d::Zero()).norm(), 0);
  Eigen::Matrix2d A;
  A << 1, 0, std::numeric_limits<double>::quiet_NaN(), 1;
  EXPECT_FALSE(symmetric_eigenvalues<2>(A).allFinite());
}

}  // namespace
}  // namespace saltus::small_eigen_test
