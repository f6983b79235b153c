#include "saltus/collision/ground.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/random_shapes.hpp"
#include "saltus/collision/detector.hpp"
#include "saltus/collision/narrow_phase.hpp"

namespace saltus::ground_test {
namespace {

template <int Dim>
std::vector<ManifoldPoint<Dim>> touch(const Shape<Dim>& ground, const Shape<Dim>& body, const Pose<Dim>& pose,
                                      double reach) {
  NarrowPhase<Dim> narrow_phase;
  std::vector<ManifoldPoint<Dim>> points;
  narrow_phase.collide(build_collider<Dim>(ground), Pose<Dim>(), build_collider<Dim>(body), pose, reach,
                       points);
  return points;
}

TriangleMesh flat_mesh(int cells) {
  return build_height_field(cells + 1, cells + 1, 1, 1,
                            std::vector<double>(std::size_t((cells + 1) * (cells + 1)), 0.0));
}

// A flat mesh must be a plane to whatever slides over it: no seam may turn a normal.
TEST(Ground, bodies_sliding_on_a_flat_mesh_feel_a_plane) {
  RandomShapes random(31);
  const Shape<3> mesh = flat_mesh(8), plane = Plane{};
  for (int trial = 0; trial < 3000; ++trial) {
    ConvexShape<3> body = random.polyhedron(random.uniform(0.1, 2));
    if (trial % 3 == 1) body = Sphere{random.uniform(0.1, 2)};
    if (trial % 3 == 2) body = Capsule<3>{random.vector<3>(), random.vector<3>(), random.uniform(0.05, 0.5)};
    if (trial % 12 == 0) body = Cylinder{random.uniform(0.1, 1), random.uniform(0.1, 1)};
    Pose<3> pose = random.turned<3>(Vec<3>(random.uniform(3.5, 4.5), random.uniform(3.5, 4.5), 0));
    // Resting on a seam within round-off, above and below.
    Piece<3> piece;
    place<3>(body, pose, piece);
    const double lowest = -support_height<3>(piece, -Vec<3>::UnitZ()) - piece.radius;
    const double gap = random.uniform(-0.02, 0.02);
    pose.position.z() = gap - lowest;
    if (trial % 5 == 0) pose.position.head<2>().setConstant(4);
    const auto on_plane = touch<3>(plane, to_shape<3>(body), pose, 0.03);
    const auto on_mesh = touch<3>(mesh, to_shape<3>(body), pose, 0.03);
    ASSERT_FALSE(on_mesh.empty()) << "trial " << trial;
    double nearest = 1;
    for (const auto& p : on_mesh) {
      ASSERT_NEAR((p.normal - Vec<3>::UnitZ()).norm(), 0, 1e-12) << "trial " << trial;
      nearest = std::min(nearest, p.gap);
    }
    ASSERT_NEAR(nearest, gap, 1e-9) << "trial " << trial;
    // A plane counts every corner within reach, the mesh those of the lowest face; seams add nothing.
    ASSERT_LE(on_mesh.size(), on_plane.size()) << "trial " << trial;
    if (trial % 3) {
      ASSERT_EQ(on_mesh.size(), on_plane.size()) << "trial " << trial;
    }
  }
}

TEST(Ground, bodies_sliding_on_a_straight_polyline_feel_a_line) {
  RandomShapes random(32);
  Polyline line;
  for (int k = 0; k <= 20; ++k) line.points.push_back({k * 0.5, 0});
  for (int trial = 0; trial < 3000; ++trial) {
    ConvexShape<2> body = random.polygon(random.uniform(0.1, 2));
    if (trial % 2) body = Disk{random.uniform(0.1, 2)};
    Pose<2> pose = random.turned<2>(Vec<2>(random.uniform(4, 6), 0));
    Piece<2> piece;
    place<2>(body, pose, piece);
    const double gap = random.uniform(-0.02, 0.02);
    pose.position.y() = gap + support_height<2>(piece, -Vec<2>::UnitY()) + piece.radius;
    const auto points = touch<2>(line, to_shape<2>(body), pose, 0.03);
    ASSERT_FALSE(points.empty()) << "trial " << trial;
    double nearest = 1;
    for (const auto& p : points) {
      ASSERT_NEAR((p.normal - Vec<2>::UnitY()).norm(), 0, 1e-12) << "trial " << trial;
      nearest = std::min(nearest, p.gap);
    }
    ASSERT_NEAR(nearest, gap, 1e-9) << "trial " << trial;
  }
}

TEST(Ground, a_disk_touches_a_ridge_at_its_tip_and_a_valley_on_both_sides) {
  const Polyline ridge{{{-2, -2}, {0, 0}, {2, -2}}, false};
  const auto tip = touch<2>(ridge, Disk{1}, Pose<2>(Vec<2>(0.1, 1)), 0.1);
  ASSERT_EQ(tip.size(), 1u);
  EXPECT_NEAR(tip[0].gap, std::hypot(0.1, 1) - 1, 1e-12);
  const Polyline valley{{{-2, 2}, {0, 0}, {2, 2}}, false};
  const auto sides = touch<2>(valley, Disk{1}, Pose<2>(Vec<2>(0, std::sqrt(2.0))), 0.1);
  ASSERT_EQ(sides.size(), 2u);
  EXPECT_NE(sides[0].feature, sides[1].feature);
  for (const auto& p : sides) EXPECT_NEAR(p.gap, 0, 1e-12);
}

TEST(Ground, a_ball_in_a_corner_of_a_mesh_touches_floor_and_walls_once_each) {
  const TriangleMesh corner{{{0, 0, 0}, {9, 0, 0}, {0, 9, 0}, {0, 0, 9}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}};
  const auto points = touch<3>(corner, Sphere{1}, Pose<3>(Vec<3>(1.01, 1.02, 1.03)), 0.1);
  ASSERT_EQ(points.size(), 3u);
  double sum = 0;
  for (const auto& p : points) sum += p.gap;
  EXPECT_NEAR(sum, 0.06, 1e-12);
}

TEST(Ground, a_mesh_of_a_ridge_gives_one_contact_to_a_ball) {
  const TriangleMesh roof{{{-1, -5, -1}, {-1, 5, -1}, {0, -5, 0}, {0, 5, 0}, {1, -5, -1}, {1, 5, -1}},
                          {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}}};
  for (const double y : {0.0, 1.0, -2.3}) {
    const auto points = touch<3>(roof, Sphere{1}, Pose<3>(Vec<3>(0.05, y, 0.99)), 0.1);
    ASSERT_EQ(points.size(), 1u) << y;
    EXPECT_NEAR(points[0].gap, std::hypot(0.05, 0.99) - 1, 1e-12);
  }
}

TEST(Ground, a_body_wholly_behind_does_not_touch) {
  EXPECT_TRUE(touch<3>(flat_mesh(4), Sphere{0.5}, Pose<3>(Vec<3>(2, 2, -0.6)), 1).empty());
  EXPECT_FALSE(touch<3>(flat_mesh(4), Sphere{0.5}, Pose<3>(Vec<3>(2, 2, -0.4)), 1).empty());
}

// A patch of the surface of a body: its front is touched by points as deep behind it as it is thick, by corners and balls
// above it, and at its ends by balls alone, which may bend over them.
TEST(Ground, a_patch_is_touched_inside_and_as_deep_as_it_is) {
  const Shape<2> patch = Polyline{{Vec<2>(0, 0), Vec<2>(1, 0)}, false, 0.2};  // faces up
  const Shape<2> point = Disk{1e-7}, box = build_rectangle(0.2, 0.2);
  const auto gap_at = [&](const Shape<2>& body, double x, double y, double angle = 0) {
    const auto points = touch<2>(patch, body, Pose<2>(Vec<2>(x, y), angle), 0.05);
    if (points.empty()) return 1.0;
    EXPECT_NEAR((points[0].normal - Vec<2>(0, 1)).norm(), 0, 1e-12);
    return points[0].gap;
  };
  EXPECT_NEAR(gap_at(point, 0.3, 0.01), 0.01, 1e-6);
  EXPECT_NEAR(gap_at(point, 0.3, -0.15), -0.15, 1e-6);
  EXPECT_EQ(gap_at(point, 0.3, -0.25), 1);
  EXPECT_EQ(gap_at(point, -0.01, 0.001), 1);
  EXPECT_EQ(gap_at(point, 1.01, -0.001), 1);
  // A box that lies over it touches with its corners, and those beyond the end do not.
  EXPECT_EQ(touch<2>(patch, box, Pose<2>(Vec<2>(0.5, 0.1)), 0.05).size(), 2u);
  EXPECT_EQ(touch<2>(patch, box, Pose<2>(Vec<2>(0.95, 0.1)), 0.05).size(), 1u);
  EXPECT_EQ(touch<2>(patch, build_rectangle(3, 0.2), Pose<2>(Vec<2>(0.5, 0.1)), 0.05).size(), 0u);
  // A box beside it, whose side is flush with its end.
  EXPECT_EQ(touch<2>(patch, box, Pose<2>(Vec<2>(-0.1, 0)), 0.05).size(), 0u);
  EXPECT_NEAR(gap_at(Disk{0.3}, 0.9, 0.31), 0.01, 1e-12);
  const auto at_end = touch<2>(patch, Disk{0.3}, Pose<2>(Vec<2>(1.1, 0.28), 0.0), 0.05);
  ASSERT_EQ(at_end.size(), 1u);
  EXPECT_NEAR(at_end[0].gap, std::hypot(0.1, 0.28) - 0.3, 1e-12);
  EXPECT_NEAR((at_end[0].normal - Vec<2>(0.1, 0.28).normalized()).norm(), 0, 1e-12);
}

TEST(Ground, a_patch_in_space_is_touched_inside) {
  const TriangleMesh triangle{{Vec<3>(0, 0, 0), Vec<3>(1, 0, 0), Vec<3>(0, 1, 0)}, {{0, 1, 2}}, 0.2};
  const auto count = [&](const Shape<3>& body, const Vec<3>& at) {
    return touch<3>(triangle, body, Pose<3>(at), 0.05).size();
  };
  EXPECT_EQ(count(Sphere{1e-7}, Vec<3>(0.2, 0.2, -0.1)), 1u);
  EXPECT_EQ(count(Sphere{1e-7}, Vec<3>(0.2, 0.2, -0.3)), 0u);
  EXPECT_EQ(count(Sphere{1e-7}, Vec<3>(0.6, 0.6, -0.01)), 0u);
  EXPECT_EQ(count(build_box(Vec<3>(0.1, 0.1, 0.1)), Vec<3>(0.3, 0.3, 0.05)), 4u);
  EXPECT_EQ(count(build_box(Vec<3>(4, 4, 0.1)), Vec<3>(0.3, 0.3, 0.05)), 0u);
  EXPECT_EQ(count(Cylinder{0.1, 0.1}, Vec<3>(0.3, 0.3, 0.1)), std::size_t(kRimPoints));
}

// Corners of ground move: what it was built from is forgotten, but the names.
TEST(Ground, corners_that_moved_are_where_they_are) {
  Detector<2> detector;
  const int ground = detector.add(Polyline{{Vec<2>(0, 0), Vec<2>(1, 0)}, false, 0.2});
  const int ball = detector.add(Disk{0.1});
  const std::vector<Pose<2>> poses = {Pose<2>(), Pose<2>(Vec<2>(1.5, 0.6))};
  EXPECT_TRUE(detector.update(poses, {}, 0.05).empty());
  const std::vector<Vec<2>> corners = {Vec<2>(0, 0.5), Vec<2>(2, 0.5)};
  detector.move_corners(ground, corners);
  ASSERT_EQ(detector.update(poses, {}, 0.05).size(), 1u);
  EXPECT_NEAR(detector.contacts()[0].gap, 0, 1e-12);
  EXPECT_EQ(detector.contacts()[0].b, ball);
}

}  // namespace
}  // namespace saltus::ground_test
