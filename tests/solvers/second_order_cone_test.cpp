#include "saltus/solvers/direct/second_order_cone.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus::soc {
namespace {

template <int N>
Vec<N> draw_inside(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vec<N> x;
  for (int i = 0; i < N; ++i) x[i] = uniform(random);
  x[0] = x.template tail<N - 1>().norm() + 0.01 + std::abs(x[0]);
  return x;
}

template <int N>
void check_scaling() {
  std::mt19937 random(3);
  for (int sample = 0; sample < 1000; ++sample) {
    const Vec<N> x = draw_inside<N>(random), z = draw_inside<N>(random);
    const Mat<N> T = scaling<N>(x, z);
    // Entries are at most a few hundred for points 0.01 inside the cone: 1e-10 is round-off.
    EXPECT_LT((T * T * x - z).norm(), 1e-10);
    EXPECT_LT((T - T.transpose()).norm(), 1e-14);
  }
}

TEST(SecondOrderCone, the_scaling_maps_the_primal_point_to_the_dual_one) {
  check_scaling<2>();
  check_scaling<3>();
}

TEST(SecondOrderCone, division_undoes_the_product) {
  std::mt19937 random(4);
  for (int sample = 0; sample < 1000; ++sample) {
    const Vec<3> x = draw_inside<3>(random), y = Vec<3>::Random();
    EXPECT_LT((divide<3>(product<3>(x, y), x) - y).norm(), 1e-11);  // determinants down to 1e-4
  }
}

TEST(SecondOrderCone, the_longest_step_ends_on_the_boundary) {
  std::mt19937 random(5);
  int bounded = 0;
  for (int sample = 0; sample < 1000; ++sample) {
    const Vec<3> x = draw_inside<3>(random), dx = Vec<3>::Random();
    const double step = longest_step<3>(x, dx);
    if (!std::isfinite(step)) {
      const Vec<3> far = x + 1e6 * dx;
      EXPECT_GE(far[0], far.tail<2>().norm() * (1 - 1e-9));
      continue;
    }
    ++bounded;
    const Vec<3> end = x + step * dx, before = x + 0.999 * step * dx;
    EXPECT_NEAR(end[0], end.tail<2>().norm(), 1e-9 * (1 + step));  // round-off of a root of a quadratic
    EXPECT_GT(determinant<3>(before), 0);
    EXPECT_GT(before[0], 0);
  }
  EXPECT_GT(bounded, 100);
}

}  // namespace
}  // namespace saltus::soc
