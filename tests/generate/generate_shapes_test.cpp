#include "saltus/generate/generate_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/math/small_eigen.hpp"

namespace saltus::generate_shapes_test {
namespace {

GrainShape cornered(DrawnCount corners, double elongation, double angularity, double flatness = 1) {
  GrainShape shape;
  shape.kind = GrainShape::Kind::corners;
  shape.corners = corners;
  shape.elongation = {elongation, elongation}, shape.flatness = {flatness, flatness};
  shape.angularity = {angularity, angularity};
  shape.where = "x";
  return shape;
}

template <int Dim>
void expect_within_the_radius(const GrainShape& shape, std::uint64_t seed) {
  SplitMix64 random(seed);
  for (int i = 0; i < 200; ++i) {
    const double radius = random.uniform(0.1, 2);
    const Shape<Dim> drawn = draw_shape<Dim>(shape, radius, random);
    check<Dim>(drawn, "x");
    EXPECT_NEAR(compute_bounding_radius<Dim>(drawn), radius, 1e-9 * radius);
  }
}

TEST(GrainShapes, every_kind_reaches_its_radius_and_no_further) {
  GrainShape capsule, cluster;
  capsule.kind = GrainShape::Kind::capsule, capsule.elongation = {1, 4};
  cluster.kind = GrainShape::Kind::cluster, cluster.corners = {2, 7};
  for (const double angularity : {0.0, 0.5, 1.0}) {
    expect_within_the_radius<2>(cornered({3, 12}, 1.7, angularity), 1);
    expect_within_the_radius<3>(cornered({5, 30}, 1.7, angularity, 1.4), 2);
  }
  expect_within_the_radius<2>(capsule, 3);
  expect_within_the_radius<3>(capsule, 4);
  expect_within_the_radius<2>(cluster, 5);
  expect_within_the_radius<3>(cluster, 6);
}

TEST(GrainShapes, the_number_of_corners_is_drawn_evenly) {
  SplitMix64 random(7);
  int found[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4000; ++i)
    ++found[std::get<ConvexPolygon>(draw_shape<2>(cornered({5, 8}, 1, 0.5), 1, random)).vertices.size() - 5];
  // Binomial with a deviation of sqrt(4000 * 3/16) = 27; five times that.
  for (const int count : found) EXPECT_NEAR(count, 1000, 140);
}

TEST(GrainShapes, an_even_polygon_is_regular_and_an_angular_one_has_sharp_corners) {
  SplitMix64 random(8);
  const auto polygon = std::get<ConvexPolygon>(draw_shape<2>(cornered({6, 6}, 1, 0), 2, random));
  // A regular hexagon in a circle of radius 2.
  EXPECT_NEAR(compute_volume<2>(Shape<2>(polygon)), 12 * std::sqrt(0.75), 1e-9);
  const auto sharpest = [&](double angularity) {
    double mean = 0;
    for (int i = 0; i < 300; ++i) {
      const auto drawn = std::get<ConvexPolygon>(draw_shape<2>(cornered({6, 6}, 1, angularity), 1, random));
      double least = M_PI;
      for (std::size_t k = 0; k < 6; ++k) {
        const Vec<2> a = drawn.vertices[k] - drawn.vertices[(k + 5) % 6],
                     b = drawn.vertices[(k + 1) % 6] - drawn.vertices[k];
        least = std::min(least, M_PI - std::atan2(cross2(a, b), a.dot(b)));
      }
      mean += least / 300;
    }
    return mean;
  };
  EXPECT_NEAR(sharpest(0), 2 * M_PI / 3, 1e-9);
  EXPECT_GT(sharpest(0), sharpest(0.5) + 0.1);
  EXPECT_GT(sharpest(0.5), sharpest(1) + 0.1);
}

// The inertia of a grain of many corners tells the axes of its ellipsoid: a moment is m/5 (b^2 + c^2).
TEST(GrainShapes, elongation_and_flatness_are_those_of_the_body_that_is_made) {
  SplitMix64 random(9);
  const Shape<3> drawn = draw_shape<3>(cornered({200, 200}, 2, 0, 1.5), 1, random);
  const MassProperties<3> mass = compute_mass_properties<3>(drawn, 1);
  const Vec<3> moments = symmetric_eigenvalues<3>(mass.inertia);  // ascending: about the longest axis first
  const auto axis2 = [&](int i) { return moments.sum() / 2 - moments[i]; };
  // 200 corners on the surface: the polyhedron is within a few percent of the ellipsoid, the same in every
  // direction before it is stretched.
  EXPECT_NEAR(std::sqrt(axis2(0) / axis2(1)), 2, 0.05);
  EXPECT_NEAR(std::sqrt(axis2(1) / axis2(2)), 1.5, 0.05);
}

TEST(GrainShapes, balls_of_a_cluster_touch_and_do_not_overlap) {
  GrainShape cluster;
  cluster.kind = GrainShape::Kind::cluster, cluster.corners = {5, 5};
  SplitMix64 random(10);
  for (int i = 0; i < 50; ++i) {
    const auto made = std::get<Compound<3>>(draw_shape<3>(cluster, 1, random));
    ASSERT_EQ(made.parts.size(), 5u);
    const double radius = std::get<Sphere>(made.parts[0].shape).radius;
    int touching = 0;
    for (std::size_t a = 0; a < 5; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const double gap = (made.parts[a].pose.position - made.parts[b].pose.position).norm() - 2 * radius;
        EXPECT_GE(gap, -1e-11);
        touching += gap < 1e-11;
      }
    EXPECT_GE(touching, 4);  // joined
  }
}

TEST(GrainShapes, the_same_seed_draws_the_same_shapes) {
  SplitMix64 first(12), second(12);
  for (int i = 0; i < 20; ++i) {
    const auto a = std::get<ConvexPolyhedron>(draw_shape<3>(cornered({6, 20}, 2, 1), 1, first)),
               b = std::get<ConvexPolyhedron>(draw_shape<3>(cornered({6, 20}, 2, 1), 1, second));
    EXPECT_EQ(a.vertices, b.vertices);
  }
}

}  // namespace
}  // namespace saltus::generate_shapes_test
