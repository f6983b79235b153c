#include "saltus/geometry/mass_properties.hpp"

#include <gtest/gtest.h>

#include <random>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/bounds.hpp"

namespace saltus::mass_properties_test {
namespace {

constexpr double kPi = 3.14159265358979323846;

TEST(MassProperties, closed_forms_of_plane_shapes) {
  const auto disk = compute_mass_properties<2>(Disk{2}, 3);
  EXPECT_NEAR(disk.mass, 12 * kPi, 1e-13);
  EXPECT_NEAR(disk.inertia(0), disk.mass * 4 / 2, 1e-12);
  const auto plate = compute_mass_properties<2>(build_convex_polygon({{1, 1}, {1, 4}, {5, 4}, {5, 1}}), 2);
  EXPECT_NEAR(plate.mass, 24, 1e-13);
  EXPECT_NEAR((plate.centre - Vec<2>(3, 2.5)).norm(), 0, 1e-14);
  EXPECT_NEAR(plate.inertia(0), 24 * (16 + 9) / 12.0, 1e-12);
}

TEST(MassProperties, closed_forms_of_solid_shapes) {
  const auto ball = compute_mass_properties<3>(Sphere{2}, 1);
  EXPECT_NEAR(ball.mass, 32 * kPi / 3, 1e-12);
  EXPECT_NEAR((ball.inertia - 0.4 * ball.mass * 4 * Mat<3>::Identity()).norm(), 0, 1e-12);
  const auto box = compute_mass_properties<3>(build_box(Vec<3>(1, 2, 3)), 2);
  EXPECT_NEAR(box.mass, 12, 1e-13);
  EXPECT_NEAR((box.inertia.diagonal() - Vec<3>(13, 10, 5)).norm(), 0, 1e-12);
  const auto cylinder = compute_mass_properties<3>(Cylinder{1, 2}, 1);
  EXPECT_NEAR(cylinder.inertia(2, 2), cylinder.mass / 2, 1e-12);
  EXPECT_NEAR(cylinder.inertia(0, 0), cylinder.mass * (3 + 16) / 12.0, 1e-12);
}

// A capsule as the sum over random points: the statistical error of a mean of 4e5 samples in a box is
// below 4 / sqrt(4e5) = 0.7 % of the box at four standard deviations.
template <int Dim>
void compare_with_sampling(const Shape<Dim>& shape, bool (*inside)(const Vec<Dim>&), double half) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> coordinate(-half, half);
  constexpr int kSamples = 400000;
  int hits = 0;
  Vec<Dim> first = Vec<Dim>::Zero();
  Mat<Dim> second = Mat<Dim>::Zero();
  for (int n = 0; n < kSamples; ++n) {
    Vec<Dim> x;
    for (int k = 0; k < Dim; ++k) x(k) = coordinate(engine);
    if (!inside(x)) continue;
    ++hits;
    first += x;
    second += x * x.transpose();
  }
  const double box = std::pow(2 * half, Dim), tolerance = 0.007 * box;
  const auto m = compute_mass_properties<Dim>(shape, 1);
  EXPECT_NEAR(m.mass, box * hits / kSamples, tolerance);
  const Vec<Dim> centre = first / hits;
  EXPECT_LT((m.centre - centre).norm(), 0.007 * half);
  const Mat<Dim> about = (second / hits - centre * centre.transpose()) * m.mass;
  Inertia<Dim> expected;
  if constexpr (Dim == 2) {
    expected(0) = about.trace();
  } else {
    expected = about.trace() * Mat<3>::Identity() - about;
  }
  EXPECT_LT((m.inertia - expected).norm(), 0.014 * m.mass * half * half);
}

TEST(MassProperties, capsules_agree_with_sampling) {
  compare_with_sampling<2>(
      Capsule<2>{Vec<2>(-0.5, 0), Vec<2>(0.6, 0), 0.4},
      [](const Vec<2>& x) { return std::hypot(x.x() - std::clamp(x.x(), -0.5, 0.6), x.y()) <= 0.4; }, 1);
  compare_with_sampling<3>(
      Capsule<3>{Vec<3>(-0.5, 0, 0), Vec<3>(0.6, 0, 0), 0.4},
      [](const Vec<3>& x) { return std::hypot(x.x() - std::clamp(x.x(), -0.5, 0.6), x.y(), x.z()) <= 0.4; },
      1);
}

TEST(MassProperties, a_compound_of_two_halves_is_the_whole) {
  const auto half = build_box(Vec<3>(1, 2, 3));
  Pose<3> turned(Vec<3>(0.5, 0, 0), exponential_map(Vec<3>(kPi, 0, 0)));
  const auto m =
      compute_mass_properties<3>(Compound<3>{{{half, Pose<3>(Vec<3>(-0.5, 0, 0))}, {half, turned}}}, 1);
  const auto whole = compute_mass_properties<3>(build_box(Vec<3>(2, 2, 3)), 1);
  EXPECT_NEAR(m.mass, whole.mass, 1e-13);
  EXPECT_NEAR((m.inertia - whole.inertia).norm(), 0, 1e-12);
}

TEST(MassProperties, shapes_far_from_their_origin_keep_their_inertia) {
  const auto near = compute_mass_properties<2>(build_rectangle(0.01, 0.01), 1);
  const auto far =
      compute_mass_properties<2>(moved<2>(build_rectangle(0.01, 0.01), Pose<2>(Vec<2>(1000, 2000))), 1);
  // Corners at 1000 have an error of 1e-13, which is 1e-11 of the side; the inertia goes with its fourth
  // power.
  EXPECT_NEAR(far.inertia(0) / near.inertia(0), 1, 2e-10);
}

TEST(MassProperties, a_shape_without_volume_is_an_error) {
  EXPECT_THROW(compute_mass_properties<2>(HalfPlane{}, 1), InputError);
  EXPECT_THROW(compute_mass_properties<2>(Capsule<2>{Vec<2>(0, 0), Vec<2>(1, 0), 0}, 1), InputError);
  EXPECT_THROW(compute_mass_properties<3>(Sphere{1}, -1), InputError);
}

TEST(MassProperties, an_impossible_inertia_is_an_error) {
  const auto diagonal = [](double x, double y, double z) { return Mat<3>(Vec<3>(x, y, z).asDiagonal()); };
  EXPECT_NO_THROW(check_inertia<3>(1, diagonal(1, 1, 2)));
  EXPECT_THROW(check_inertia<3>(1, diagonal(1, 1, 2.1)), InputError);
  EXPECT_THROW(check_inertia<3>(1, diagonal(1, 1, 0)), InputError);
  EXPECT_THROW(check_inertia<3>(0, diagonal(1, 1, 1)), InputError);
  Mat<3> skew = diagonal(1, 1, 1);
  skew(0, 1) = 0.1;
  EXPECT_THROW(check_inertia<3>(1, skew), InputError);
  EXPECT_THROW(check_inertia<2>(1, Inertia<2>(-1)), InputError);
}

TEST(Bounds, hold_every_corner_and_touch_the_shape) {
  const Pose<3> pose(Vec<3>(1, 2, 3), exponential_map(Vec<3>(0.3, -0.7, 1.1)));
  const auto box = compute_bounds<3>(Cylinder{0.5, 2}, pose);
  Bounds<3> sampled;
  for (int k = 0; k < 100000; ++k) {
    const double angle = 2 * kPi * k / 100000;
    for (const double z : {-2.0, 2.0})
      sampled.add(pose.to_world({0.5 * std::cos(angle), 0.5 * std::sin(angle), z}));
  }
  // The nearest of 1e5 points of a rim misses its top by at most radius (pi / 1e5)^2 / 2 = 3e-10.
  EXPECT_LT((box.low - sampled.low).norm() + (box.high - sampled.high).norm(), 2e-9);
  EXPECT_TRUE(box.contains(sampled));
}

}  // namespace
}  // namespace saltus::mass_properties_test
