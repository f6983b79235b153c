// A scanned stone: the hull of 10^5 points, all of them corners.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "saltus/base/timer.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/geometry/thickness.hpp"

namespace saltus::large_hull_slow_test {
namespace {

// Evenly on an ellipsoid, by the golden angle.
std::vector<Vec<3>> stone_points(int count) {
  std::vector<Vec<3>> points;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * i;
    points.emplace_back(r * std::cos(turn), 0.8 * r * std::sin(turn), 0.6 * z);
  }
  return points;
}

// CPU seconds of all that a scene asks of a shape once; the better of two, as what else runs disturbs it.
double work_of(int count) {
  double least = 1e300;
  for (int trial = 0; trial < 2; ++trial) {
    const Stopwatch cpu(Clock::process_cpu);
    const Shape<3> stone = build_convex_polyhedron(stone_points(count));
    EXPECT_NEAR(compute_thickness<3>(stone), 1.2, 1e-3);
    // Between the ellipsoid and a hull whose sides cut 10/count off it, by area.
    EXPECT_NEAR(compute_volume<3>(stone), 4 * M_PI / 3 * 0.48, 4 * M_PI / 3 * 0.48 * 20 / count);
    EXPECT_NEAR(compute_bounding_radius<3>(stone), 1, 1e-2);
    least = std::min(least, cpu.seconds());
  }
  return least;
}

TEST(LargeHull, four_times_the_points_are_about_four_times_the_work) {
  // n log n: 4 log(1e5)/log(2.5e4) = 4.5, and caches that 10^5 corners do not fit in; quadratic work would be 16.
  EXPECT_LT(work_of(100'000), 9 * work_of(25'000));
}

// As a scanner leaves them: at random, in single precision, with the tolerance of such files.
TEST(LargeHull, points_at_random_in_single_precision_have_a_hull) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::vector<Vec<3>> points(100'000);
  for (Vec<3>& x : points)
    x = Vec<3>(normal(engine), normal(engine), normal(engine)).normalized().cast<float>().cast<double>();
  const ConvexPolyhedron stone = build_convex_polyhedron(points, {}, 1e-6);
  EXPECT_GT(stone.vertices.size(), 99'000u);
  EXPECT_NEAR(compute_thickness<3>(stone), 2,
              1e-3);  // faces of 0.01: 0.01^2/8 is cut off at either end, and less
}

}  // namespace
}  // namespace saltus::large_hull_slow_test
