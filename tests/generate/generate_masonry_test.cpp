#include "saltus/generate/generate_masonry.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/generate/generate_bodies.hpp"
#include "saltus/generate/generate_random.hpp"
#include "saltus/generate/generate_wall.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/mass_properties.hpp"

namespace saltus::generate_masonry_test {
namespace {

template <int Dim>
Bounds<Dim> bounds_of(const std::vector<SceneBody<Dim>>& bodies) {
  Bounds<Dim> bounds;
  for (const auto& body : bodies) bounds.add(compute_bounds<Dim>(body.shape, body.pose));
  return bounds;
}

template <int Dim>
double volume_of(const std::vector<SceneBody<Dim>>& bodies) {
  double volume = 0;
  for (const auto& body : bodies) volume += compute_volume<Dim>(body.shape);
  return volume;
}

// The wall of 205 bricks that codes were compared on: even courses begin at x = -3.8095, half bricks are
// 0.1995 m.
TEST(BrickWall, TheWallOf205BricksHasThePublishedLayout) {
  BrickWall<3> wall;
  wall.brick = {0.4, 0.2, 0.2}, wall.courses = 10, wall.bricks = 20, wall.head_joint = 0.001;
  const auto bodies = build_brick_wall(wall, {});
  ASSERT_EQ(bodies.size(), 205u);
  EXPECT_EQ(count_blocks(wall), 205);
  EXPECT_NEAR(bodies[0].pose.position.x(), -3.8095, 1e-12);
  EXPECT_NEAR(bodies[0].pose.position.z(), 0.1, 1e-15);
  EXPECT_NEAR(bodies[19].pose.position.x(), 3.8095, 1e-12);
  EXPECT_NEAR(compute_volume<3>(bodies[20].shape), 0.1995 * 0.04, 1e-12);
  EXPECT_NEAR(bodies[21].pose.position.x() - bodies[20].pose.position.x(), 0.1995 / 2 + 0.001 + 0.2, 1e-12);
  EXPECT_NEAR(bodies[40].pose.position.x() + 0.1995 / 2, 3.8095 + 0.2, 1e-12);
}

TEST(BrickWall, AStackBondHasNoHalfBricks) {
  BrickWall<2> wall;
  wall.brick = {2, 1}, wall.courses = 3, wall.bricks = 4, wall.bond = Bond::stack;
  wall.head_joint = 0.1, wall.bed_joint = 0.05;
  const auto bodies = build_brick_wall(wall, {});
  EXPECT_EQ(bodies.size(), 12u);
  const Bounds<2> bounds = bounds_of(bodies);
  EXPECT_NEAR(bounds.low.y(), 0, 1e-15);
  EXPECT_NEAR(bounds.high.y(), 3 + 2 * 0.05, 1e-14);
  EXPECT_NEAR(bounds.high.x() - bounds.low.x(), 4 * 2 + 3 * 0.1, 1e-14);
}

TEST(Arch, VoussoirsFillTheRingBetweenTheirChords) {
  Arch arch;
  arch.radius = 2;
  arch.thickness = 0.3;
  arch.voussoirs = 9;
  arch.springings = false;
  const auto bodies = build_arch<2>(arch, {});
  ASSERT_EQ(bodies.size(), 9u);
  // A sector between two chords has the area (outer^2 - inner^2) sin(a)/2.
  const double area = 9 * (2.15 * 2.15 - 1.85 * 1.85) * std::sin(M_PI / 9) / 2;
  EXPECT_NEAR(volume_of(bodies), area, 1e-12);
  EXPECT_NEAR(bounds_of(bodies).low.y(), 0, 1e-12);
  EXPECT_NEAR(bounds_of(bodies).high.x(), 2.15, 1e-12);
}

TEST(Arch, TheArchOfSpaceIsThatOfThePlaneTimesItsDepth) {
  Arch arch;
  arch.angle = 2;
  arch.depth = 0.7;
  const auto flat = build_arch<2>(arch, {});
  const auto solid = build_arch<3>(arch, {});
  ASSERT_EQ(solid.size(), flat.size());
  EXPECT_TRUE(solid[0].fixed && solid[1].fixed && !solid[2].fixed);
  EXPECT_NEAR(volume_of(solid), 0.7 * volume_of(flat), 1e-12);
}

TEST(Portico, DrumsAndBeamsStandOnEachOther) {
  Portico portico;
  portico.columns = 3;
  portico.drums = 4;
  const auto flat = build_portico<2>(portico, {});
  EXPECT_EQ(flat.size(), 3u * 4 + 2);
  EXPECT_EQ(count_blocks<2>(portico), 14);
  EXPECT_NEAR(bounds_of(flat).high.y(), 5, 1e-14);
  EXPECT_NEAR(bounds_of(flat).high.x(), 3.5, 1e-14);

  portico.rows = 2;
  portico.roof = 0.5;
  const auto temple = build_portico<3>(portico, {});
  EXPECT_EQ(temple.size(), 2u * 14 + 2);
  EXPECT_EQ(count_blocks<3>(portico), 30);
  EXPECT_NEAR(bounds_of(temple).high.z(), 5.5, 1e-14);
}

TEST(Tower, CoursesCoverTheJointsBelow) {
  const auto bodies = build_tower<3>({Vec<3>(2, 1, 0.5), 1, 3, 2}, {});
  ASSERT_EQ(bodies.size(), 24u);
  const Bounds<3> bounds = bounds_of(bodies);
  EXPECT_NEAR(bounds.high.x() - bounds.low.x(), 5, 1e-14);
  EXPECT_NEAR(bounds.high.y() - bounds.low.y(), 5, 1e-14);
  EXPECT_NEAR(bounds.high.z(), 1.5, 1e-14);
  // First bricks of the sides y- of two courses: mirrored, so the joints beside them are 1 m apart.
  EXPECT_NEAR(bodies[0].pose.position.x(), -1.5, 1e-14);
  EXPECT_NEAR(bodies[8].pose.position.x(), 1.5, 1e-14);
}

TEST(Tower, ATaperedPileNarrowsToItsTop) {
  const auto bodies = build_tower<2>({Vec<2>(3, 0.5), 1, 4, 1}, {});
  ASSERT_EQ(bodies.size(), 4u);
  EXPECT_NEAR(volume_of(bodies), (3 + 1) / 2.0 * 2, 1e-14);
}

TEST(Walls, SidesFaceTheInside) {
  const auto walls = build_walls<2>(Vec<2>(-1, 0), Vec<2>(1, 3), {0, 1, 2}, {});
  ASSERT_EQ(walls.size(), 3u);
  EXPECT_EQ(walls[1].name, "wall-x+");
  EXPECT_EQ(std::get<HalfPlane>(walls[1].shape).normal, Vec<2>(-1, 0));
  EXPECT_EQ(walls[1].pose.position.x(), 1);
  EXPECT_TRUE(walls[1].fixed);
}

TEST(JitteredLattice, TheFirstSphereFollowsThePublishedRule) {
  const auto grains = build_jittered_lattice({10, 10, 10}, 1000, 42);
  ASSERT_EQ(grains.size(), 1000u);
  SplitMix64 random(42);
  const double u0 = random.uniform(), u1 = random.uniform(), u2 = random.uniform(), u3 = random.uniform();
  EXPECT_DOUBLE_EQ(grains[0].radius, 0.09 + 0.02 * u0);
  EXPECT_NEAR(grains[0].position.x(), -1.2 + 0.12 + 0.01 * (2 * u1 - 1), 1e-15);
  EXPECT_NEAR(grains[0].position.y(), -1.2 + 0.12 + 0.01 * (2 * u2 - 1), 1e-15);
  EXPECT_NEAR(grains[0].position.z(), 0.12 + 0.01 * (2 * u3 - 1), 1e-15);
  EXPECT_NEAR(grains[1].position.x() - grains[0].position.x(), 0.24, 0.02);
}

TEST(Structures, AStructureStandsWhereItsPlaceSays) {
  Structure<2> structure;
  structure.place = Pose<2>(Vec<2>(5, 1), M_PI / 2);
  structure.model.density = 7;
  structure.model.name = "stone";
  BrickWall<2> wall;
  wall.brick = {2, 1};
  const auto bodies = build_brick_wall(wall, structure);
  EXPECT_NEAR((bodies[0].pose.position - Vec<2>(4.5, 1)).norm(), 0, 1e-15);
  EXPECT_EQ(bodies[0].density, 7);
  EXPECT_EQ(bodies[0].name, "stone-0");
}

}  // namespace
}  // namespace saltus::generate_masonry_test
