#include "saltus/math/runge_kutta.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::runge_kutta_test {
namespace {

// y'' = -y as two equations, and a right side that depends on time: z' = cos t.
void swing(double t, const Eigen::VectorXd& y, Eigen::VectorXd& slope) {
  slope[0] = y[1];
  slope[1] = -y[0];
  slope[2] = std::cos(t);
}
Eigen::VectorXd exact(double t) { return Eigen::Vector3d(std::cos(t), -std::sin(t), std::sin(t)); }

double error_after(int steps, bool dense) {
  RungeKuttaStep step;
  const double h = 1.0 / steps;
  Eigen::VectorXd y = exact(0), middle;
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    step.take(swing, k * h, y, h);
    y = step.end();
    step.interpolate(0.37, middle);
    // Against the solution through the end of the step, so that only the interpolation counts.
    if (dense) worst = std::max(worst, (middle - exact((k + 0.37) * h)).norm());
  }
  return dense ? worst : (y - exact(1)).norm();
}

// Halving the step divides the error by 2^5 and, of the dense output, whose local error is of order 5, by 2^5 too; less the
// next order.
TEST(RungeKutta, is_of_order_five) {
  EXPECT_GT(error_after(8, false) / error_after(16, false), 28);
  EXPECT_GT(error_after(8, true) / error_after(16, true), 24);
  EXPECT_LT(error_after(16, true), 1e-7);
}

TEST(RungeKutta, dense_output_begins_and_ends_with_the_step) {
  RungeKuttaStep step;
  Eigen::VectorXd y;
  step.take(swing, 0.3, exact(0.3), 0.2);
  step.interpolate(0, y);
  EXPECT_EQ(y, exact(0.3));
  step.interpolate(1, y);
  EXPECT_LT((y - step.end()).norm(), 1e-15);
}

// The estimate is of the solution of order 4: of order h^5, above the true error and not beyond all measure.
TEST(RungeKutta, tells_its_error) {
  RungeKuttaStep step;
  step.take(swing, 0, exact(0), 0.2);
  const double told = step.error(1.0), is = (step.end() - exact(0.2)).norm();
  EXPECT_GT(told, 0.1 * is);
  EXPECT_LT(told, 1e-4);
  step.take(swing, 0, exact(0), 0.1);
  EXPECT_NEAR(told / step.error(1.0), 32, 8);
}

TEST(RungeKutta, the_next_step_follows_the_error_within_bounds) {
  EXPECT_DOUBLE_EQ(next_step_size(1, 1), 0.9);
  EXPECT_DOUBLE_EQ(next_step_size(1, 0), 5);
  EXPECT_DOUBLE_EQ(next_step_size(1, 1e9), 0.2);
  EXPECT_DOUBLE_EQ(next_step_size(1, std::nan("")), 0.2);
}

}  // namespace
}  // namespace saltus::runge_kutta_test
