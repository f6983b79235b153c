#include "saltus/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/geometry/thickness.hpp"

namespace saltus::shapes_test {
namespace {

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ConvexPolygon, corners_are_put_in_counter_clockwise_order_without_idle_ones) {
  const auto p = build_convex_polygon({{0, 0}, {0, 1}, {0, 1}, {1, 1}, {1, 0.5}, {1, 0}});
  EXPECT_EQ(p.vertices.size(), 4u);
  EXPECT_NEAR(compute_volume<2>(p), 1, 1e-15);
}

TEST(ConvexPolygon, a_reflex_corner_is_an_error_that_suggests_a_compound) {
  const auto message = message_of([] {
    build_convex_polygon({{0, 0}, {2, 0}, {1, 0.5}, {1, 2}}, "scene.toml:3");
  });
  EXPECT_NE(message.find("scene.toml:3"), std::string::npos) << message;
  EXPECT_NE(message.find("compound"), std::string::npos) << message;
}

TEST(ConvexPolygon, a_star_and_a_line_are_errors) {
  std::vector<Vec<2>> star;
  for (int k = 0; k < 5; ++k)
    star.push_back({std::cos(k * 4 * 3.14159265358979 / 5), std::sin(k * 4 * 3.14159265358979 / 5)});
  EXPECT_THROW(build_convex_polygon(star), InputError);
  EXPECT_THROW(build_convex_polygon({{0, 0}, {1, 1}, {2, 2}}), InputError);
  EXPECT_THROW(build_convex_polygon({{0, 0}, {1, 1}}), InputError);
  EXPECT_THROW(build_convex_polygon({{0, 0}, {1, 0}, {std::nan(""), 1}}), InputError);
}

TEST(ConvexPolyhedron, a_box_has_six_faces_twelve_edges_and_eight_corners) {
  const auto box = build_box(Vec<3>(1, 2, 3));
  EXPECT_EQ(box.vertices.size(), 8u);
  EXPECT_EQ(box.faces(), 6);
  EXPECT_EQ(box.edges.size(), 12u);
  for (int f = 0; f < 6; ++f) EXPECT_EQ(box.corners(f), 4);
}

TEST(ConvexPolyhedron, a_grid_of_points_is_still_a_box) {
  std::vector<Vec<3>> points;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      for (int k = 0; k < 6; ++k) points.push_back(Vec<3>(i, 0.3 * j, 7 * k) / 5 + Vec<3>(0.1, 0.2, 0.3));
    }
  }
  const auto box = build_convex_polyhedron(points);
  EXPECT_EQ(box.faces(), 6);
  EXPECT_EQ(box.vertices.size(), 8u);
}

// The hull must hold every point, have only given points as corners and close on itself: its volume by faces
// is then that of the hull. Points on a sphere are all corners.
TEST(ConvexPolyhedron, random_hulls_are_closed_and_hold_all_points) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Vec<3>> points;
    const double thin = trial % 3 == 0 ? 1e-3 : 1;
    const int count = 4 + trial % 60;
    for (int k = 0; k < count; ++k) {
      Vec<3> x(normal(engine), normal(engine), normal(engine));
      if (trial % 2) x.normalize();
      points.push_back(Vec<3>(x.x(), x.y(), thin * x.z()));
    }
    const auto hull = build_convex_polyhedron(points);
    if (trial % 2) {
      EXPECT_EQ(hull.vertices.size(), points.size()) << "trial " << trial;
    }
    EXPECT_EQ(hull.vertices.size() + hull.faces(), hull.edges.size() + 2) << "trial " << trial;
    Vec<3> area = Vec<3>::Zero();
    for (int f = 0; f < hull.faces(); ++f) {
      // Round-off of a plane through points of size 4: a few 1e-15 and, where a face is thin, 1e3 times that.
      for (const Vec<3>& x : points)
        EXPECT_LT(hull.normal[f].dot(x) - hull.offset[f], 1e-9) << "trial " << trial;
      for (int k = 1; k + 1 < hull.corners(f); ++k) {
        const int* v = hull.face_vertex.data() + hull.face_begin[f];
        area +=
            (hull.vertices[v[k]] - hull.vertices[v[0]]).cross(hull.vertices[v[k + 1]] - hull.vertices[v[0]]);
      }
    }
    EXPECT_LT(area.norm(), 1e-12) << "trial " << trial;
  }
}

// Among very many points at random some neighbours lie in one plane within the tolerance of a file, and chains of them on
// a ball go round it: the hull then takes less as flat.
TEST(ConvexPolyhedron, many_points_at_random_on_a_ball_have_a_hull) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::vector<Vec<3>> points(10'000);
  for (Vec<3>& x : points) x = Vec<3>(normal(engine), normal(engine), normal(engine)).normalized();
  const auto hull = build_convex_polyhedron(points, {}, 1e-5);
  EXPECT_GT(hull.vertices.size(), 9900u);
  // Corners are 0.035 apart on average: faces cut off some 0.035^2/2 of the radius, three times that of the volume.
  EXPECT_NEAR(compute_volume<3>(hull), 4 * M_PI / 3, 4 * M_PI / 3 * 2e-3);
}

// Meridians and parallels as a file of single precision has them: near the poles faces are a thousand times longer than wide.
TEST(ConvexPolyhedron, no_face_of_a_fine_grid_is_turned_inside_out) {
  constexpr int kAround = 300, kRows = 150;
  std::vector<Vec<3>> points{{0, 0, 0.1}, {0, 0, -0.1}};
  for (int i = 1; i < kRows; ++i)
    for (int j = 0; j < kAround; ++j) {
      const double b = M_PI * i / kRows, a = 2 * M_PI * j / kAround;
      const Vec<3> x(0.2 * std::sin(b) * std::cos(a), 0.15 * std::sin(b) * std::sin(a), 0.1 * std::cos(b));
      points.emplace_back(x.cast<float>().cast<double>());
    }
  const auto hull = build_convex_polyhedron(points, {}, 1e-6);
  // The middle lies 0.1 m and more below every face, less what 1e-6 of 0.4 m calls flat.
  for (int f = 0; f < hull.faces(); ++f) ASSERT_GT(hull.offset[f], 0.0999) << f;
  EXPECT_NEAR(compute_thickness<3>(hull), 0.2, 1e-4);
}

TEST(ConvexPolyhedron, points_that_are_flat_within_the_tolerance_are_an_error) {
  std::vector<Vec<3>> points;
  for (int i = 0; i < 50; ++i) points.emplace_back(std::cos(i), std::sin(i), 1e-7 * std::sin(3 * i));
  EXPECT_THROW(build_convex_polyhedron(points, {}, 1e-6), InputError);
  EXPECT_NO_THROW(build_convex_polyhedron(points));
}

TEST(ConvexPolyhedron, flat_points_are_an_error) {
  EXPECT_THROW(build_convex_polyhedron({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 0}}),
               InputError);
  EXPECT_THROW(build_convex_polyhedron({}), InputError);
}

TEST(HeightField, heights_are_where_they_were_given) {
  const auto mesh = build_height_field(3, 2, 1, 2, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_EQ(mesh.vertices[4], Vec<3>(1, 2, 4));
  EXPECT_THROW(build_height_field(3, 2, 1, 2, {0, 1, 2}), InputError);
}

TEST(Shapes, impossible_sizes_are_errors) {
  EXPECT_THROW(check<2>(Disk{0}), InputError);
  EXPECT_THROW(check<2>(Disk{std::nan("")}), InputError);
  EXPECT_THROW(check<3>(Plane{Vec<3>(0, 0, 2), 0}), InputError);
  EXPECT_THROW(check<2>(Polyline{{{0, 0}}, false}), InputError);
  EXPECT_THROW(check<2>(Polyline{{{0, 0}, {0, 0}}, false}), InputError);
  EXPECT_THROW(check<3>(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}}}), InputError);
  EXPECT_THROW(check<2>(Compound<2>{}), InputError);
}

TEST(Pose, turning_by_small_steps_keeps_the_quaternion_one_long_and_adds_up) {
  Pose<3> pose;
  for (int k = 0; k < 1000; ++k) pose.rotate(Vec<3>(0, 0, 1e-3));
  // One rounding per step: 1000 times 1e-16.
  EXPECT_NEAR(pose.orientation().norm(), 1, 1e-15);
  EXPECT_NEAR((pose.rotated(Vec<3>(1, 0, 0)) - Vec<3>(std::cos(1.0), std::sin(1.0), 0)).norm(), 0, 1e-12);
  const Pose<3> other(Vec<3>(1, 2, 3), exponential_map(Vec<3>(0.1, 0.2, 0.3)));
  const Vec<3> x(4, 5, 6);
  EXPECT_NEAR(((other * pose).to_world(x) - other.to_world(pose.to_world(x))).norm(), 0, 1e-14);
  EXPECT_NEAR((other.inverse().to_world(other.to_world(x)) - x).norm(), 0, 1e-14);
}

}  // namespace
}  // namespace saltus::shapes_test
