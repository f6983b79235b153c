// Thickness of shapes whose width is known.
#include "saltus/geometry/thickness.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::thickness_test {
namespace {

constexpr double kRoundOff = 1e-14;  // of numbers around 1, a few operations each

TEST(Thickness, of_round_shapes_is_a_diameter_and_of_a_cylinder_the_smaller_of_two) {
  EXPECT_EQ(compute_thickness<2>(Disk{0.3}), 0.6);
  EXPECT_EQ(compute_thickness<3>(Sphere{0.3}), 0.6);
  EXPECT_EQ(compute_thickness<3>(Capsule<3>{Vec<3>(0, 0, 0), Vec<3>(2, 0, 0), 0.1}), 0.2);
  EXPECT_EQ(compute_thickness<3>(Cylinder{0.3, 1}), 0.6);
  EXPECT_EQ(compute_thickness<3>(Cylinder{0.3, 0.05}), 0.1);
}

TEST(Thickness, of_a_brick_is_its_smallest_side_however_it_is_turned_in_its_frame) {
  for (const double angle : {0.0, 0.3, std::acos(-1.0) / 4}) {
    const Shape<2> flat = moved<2>(build_rectangle(0.5, 0.2), Pose<2>(Vec<2>(3, -1), angle));
    EXPECT_NEAR(compute_thickness<2>(flat), 0.2, kRoundOff) << angle;
    const Shape<3> brick =
        moved<3>(build_box({0.5, 0.2, 0.3}),
                 Pose<3>(Vec<3>(1, 2, 3), exponential_map(Vec<3>(angle, 2 * angle, -angle))));
    EXPECT_NEAR(compute_thickness<3>(brick), 0.2, 1e-13) << angle;  // corners of size 4
  }
}

TEST(Thickness, of_a_triangle_is_its_smallest_height) {
  // 3-4-5: the height on the longest side is 12/5.
  EXPECT_NEAR(compute_thickness<2>(build_convex_polygon({{0, 0}, {3, 0}, {0, 4}})), 2.4, kRoundOff);
}

TEST(Thickness, of_a_compound_is_that_of_its_thickest_part) {
  Compound<2> angle_iron;
  angle_iron.parts.push_back({build_rectangle(1, 0.1), Pose<2>(Vec<2>(0.5, 0))});
  angle_iron.parts.push_back({build_rectangle(0.15, 1), Pose<2>(Vec<2>(0, 0.5))});
  EXPECT_NEAR(compute_thickness<2>(angle_iron), 0.15, kRoundOff);
}

TEST(Thickness, of_walls_ground_and_bare_segments_is_none) {
  EXPECT_EQ(compute_thickness<2>(HalfPlane{}), 0);
  EXPECT_EQ(compute_thickness<2>(HollowDisk{1}), 0);
  EXPECT_EQ(compute_thickness<2>(Polyline{{{0, 0}, {1, 0.01}}}), 0);
  EXPECT_EQ(compute_thickness<3>(HollowCylinder{1}), 0);
  EXPECT_EQ(compute_thickness<2>(Capsule<2>{Vec<2>(0, 0), Vec<2>(1, 0), 0}), 0);
}

// A stone of 4000 corners, beyond the size at which all of them are tried: an ellipsoid that is 1.2 m thick.
TEST(Thickness, of_many_faces_is_that_of_all_corners_against_all_faces) {
  std::vector<Vec<3>> points;
  for (int i = 0; i < 4000; ++i) {  // evenly on a sphere, by the golden angle
    const double z = 1 - (2 * i + 1) / 4000.0, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * i;
    points.emplace_back(r * std::cos(turn), 0.8 * r * std::sin(turn), 0.6 * z);
  }
  const ConvexPolyhedron stone = build_convex_polyhedron(points);
  double least = 1e300;
  for (int f = 0; f < stone.faces(); ++f) {
    double farthest = 0;
    for (const Vec<3>& x : stone.vertices)
      farthest = std::max(farthest, stone.offset[f] - stone.normal[f].dot(x));
    least = std::min(least, farthest);
  }
  EXPECT_NEAR(compute_thickness<3>(stone), least, kRoundOff);
  // Sides of the faces are about 0.07 m long: they cut 0.07^2/8 m off at either end, and less.
  EXPECT_NEAR(least, 1.2, 2e-3);
}

}  // namespace
}  // namespace saltus::thickness_test
