// Ellipsoids: against balls, planes and what sampling their surfaces finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "saltus/collision/narrow_phase.hpp"
#include "saltus/geometry/mass_properties.hpp"

namespace saltus::ellipsoid_test {
namespace {

std::vector<ManifoldPoint<3>> touch(const Shape<3>& a, const Pose<3>& at_a, const Shape<3>& b,
                                    const Pose<3>& at_b) {
  std::vector<ManifoldPoint<3>> points;
  NarrowPhase<3>().collide(build_collider<3>(a), at_a, build_collider<3>(b), at_b, 1.0, points);
  return points;
}

TEST(Ellipsoid, with_equal_axes_it_touches_as_a_ball_does) {
  const Pose<3> a(Vec<3>(0.1, 0.2, -0.3)), apart(Vec<3>(1.2, 0.9, 0.4)), inside(Vec<3>(0.5, 0.4, 0.1));
  const Ellipsoid round{Vec<3>::Constant(0.5)};
  for (const Pose<3>& b : {apart, inside}) {
    const auto found = touch(round, a, round, b), balls = touch(Sphere{0.5}, a, Sphere{0.5}, b);
    ASSERT_EQ(found.size(), 1u);
    // Polished to round-off of the coordinates.
    EXPECT_NEAR(found[0].gap, balls[0].gap, 1e-14);
    EXPECT_LT((found[0].normal - balls[0].normal).norm(), 1e-10);
    EXPECT_LT((found[0].point - balls[0].point).norm(), 1e-10);
  }
}

TEST(Ellipsoid, on_a_plane_the_gap_is_that_of_its_support) {
  Pose<3> at(Vec<3>(0.3, -0.2, 0.5));
  at.rotate(Vec<3>(0.4, 0.7, -0.2));
  const Vec<3> semi_axes(0.3, 0.2, 0.1);
  const auto found = touch(Plane{}, Pose<3>(), Ellipsoid{semi_axes}, at);
  ASSERT_EQ(found.size(), 1u);
  const double support = semi_axes.cwiseProduct(at.unrotated(Vec<3>::UnitZ())).norm();
  EXPECT_NEAR(found[0].gap, 0.5 - support, 1e-15);
  EXPECT_NEAR(found[0].point.z(), found[0].gap / 2, 1e-15);
}

// The distance is the largest over all directions of what lies between the supports: brute force over a fine net of them.
TEST(Ellipsoid, two_of_them_are_as_far_apart_as_the_best_direction_says) {
  const Vec<3> axes_a(0.4, 0.25, 0.15), axes_b(0.1, 0.3, 0.2);
  Pose<3> a(Vec<3>(0, 0, 0)), b(Vec<3>(0.45, 0.3, 0.1));
  a.rotate(Vec<3>(0.3, -0.5, 1.1));
  b.rotate(Vec<3>(-0.8, 0.2, 0.6));
  const auto found = touch(Ellipsoid{axes_a}, a, Ellipsoid{axes_b}, b);
  ASSERT_EQ(found.size(), 1u);
  const auto between = [&](const Vec<3>& n) {
    return n.dot(b.position - a.position) - axes_a.cwiseProduct(a.unrotated(n)).norm() -
           axes_b.cwiseProduct(b.unrotated(n)).norm();
  };
  double best = -1;
  constexpr int kNet = 600;
  for (int i = 0; i <= kNet; ++i)
    for (int j = 0; j < 2 * kNet; ++j) {
      const double polar = i * std::numbers::pi / kNet, turn = j * std::numbers::pi / kNet;
      best = std::max(best, between(Vec<3>(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn),
                                           std::cos(polar))));
    }
  EXPECT_NEAR(between(found[0].normal), found[0].gap, 1e-14);
  // A direction of the net is off by up to half its mesh, 2.6e-3, of which the second power counts, times lengths up to 1 m.
  EXPECT_GE(found[0].gap, best - 1e-14);
  EXPECT_LT(found[0].gap - best, 1e-5);
}

TEST(Ellipsoid, a_box_carries_it_at_one_point_under_its_lowest) {
  Pose<3> at(Vec<3>(0.05, 0.02, 0.5 + 0.12));
  at.rotate(Vec<3>(0.2, 0.1, 0));
  const Vec<3> semi_axes(0.3, 0.2, 0.1);
  const auto found = touch(build_box(Vec<3>(1, 1, 1)), Pose<3>(), Ellipsoid{semi_axes}, at);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT((found[0].normal - Vec<3>::UnitZ()).norm(), 1e-9);
  EXPECT_NEAR(found[0].gap, 0.12 - semi_axes.cwiseProduct(at.unrotated(Vec<3>::UnitZ())).norm(), 1e-12);
}

TEST(Ellipsoid, volume_and_inertia_are_those_of_the_formula) {
  const MassProperties<3> solid = compute_mass_properties<3>(Ellipsoid{Vec<3>(0.3, 0.2, 0.1)}, 1000);
  const double mass = 1000 * 4 * std::numbers::pi / 3 * 0.3 * 0.2 * 0.1;
  EXPECT_NEAR(solid.mass, mass, 1e-12 * mass);
  EXPECT_NEAR(solid.inertia(0, 0), mass / 5 * (0.04 + 0.01), 1e-12 * mass);
  EXPECT_NEAR(solid.inertia(2, 2), mass / 5 * (0.09 + 0.04), 1e-12 * mass);
}

}  // namespace
}  // namespace saltus::ellipsoid_test
