#include "saltus/collision/edge_crossing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "saltus/geometry/pose.hpp"

namespace saltus::edge_crossing_test {
namespace {

// All twelve of a box of these half sizes.
std::vector<SharpEdge> edges_of_box(const Vec<3>& half, const Pose<3>& pose, double deepest = 10) {
  std::vector<SharpEdge> edges;
  for (int axis = 0; axis < 3; ++axis)
    for (const double u : {-1.0, 1.0})
      for (const double v : {-1.0, 1.0}) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        Vec<3> start = Vec<3>::Zero();
        start[i] = u * half[i], start[j] = v * half[j];
        Vec<3> end = start;
        start[axis] = -half[axis], end[axis] = half[axis];
        Vec<3> one = u * Vec<3>::Unit(i), two = v * Vec<3>::Unit(j);
        // The face on the left goes on along normal x edge, which leads away from the normal of the other.
        if (one.cross(Vec<3>(end - start)).dot(two) > 0) std::swap(one, two);
        edges.push_back({{pose.to_world(start), pose.to_world(end)},
                         {pose.rotation() * one, pose.rotation() * two},
                         deepest});
      }
  return edges;
}

std::vector<EdgeCrossing> crossings(const std::vector<SharpEdge>& some, const std::vector<SharpEdge>& others,
                                    double reach) {
  std::vector<EdgeCrossing> found;
  for (const SharpEdge& a : some)
    for (const SharpEdge& b : others)
      if (const auto crossing = find_crossing(a, b, reach)) found.push_back(*crossing);
  return found;
}

TEST(EdgeCrossing, a_ridge_across_a_ridge_has_its_distance_before_and_after_it_passes) {
  const double s = std::sqrt(0.5);
  const SharpEdge below{{Vec<3>(-1, 0, 0), Vec<3>(1, 0, 0)}, {Vec<3>(0, s, s), Vec<3>(0, -s, s)}, 0.2};
  for (const double gap : {0.05, 0.0, -0.05}) {
    const SharpEdge above{
        {Vec<3>(0.3, -1, gap), Vec<3>(0.3, 1, gap)}, {Vec<3>(s, 0, -s), Vec<3>(-s, 0, -s)}, 0.2};
    const auto found = find_crossing(below, above, 0.1);
    ASSERT_TRUE(found) << gap;
    EXPECT_NEAR(found->gap, gap, 1e-15);
    EXPECT_LT((found->normal - Vec<3>::UnitZ()).norm(), 1e-15);
    EXPECT_LT((found->point - Vec<3>(0.3, 0, gap / 2)).norm(), 1e-15);
    // From the other side: the same with the normal turned round.
    const auto turned = find_crossing(above, below, 0.1);
    ASSERT_TRUE(turned) << gap;
    EXPECT_NEAR(turned->gap, gap, 1e-15);
    EXPECT_LT((turned->normal + Vec<3>::UnitZ()).norm(), 1e-15);
    EXPECT_FALSE(find_crossing(below, above, gap - 0.01)) << "beyond reach";
  }
}

TEST(EdgeCrossing, bars_that_lie_flat_across_each_other_cross_at_four_places) {
  // Half the thickness is as deep as they look: the outer edges, 0.4 behind each other, are not meant.
  const auto below = edges_of_box(Vec<3>(1, 0.1, 0.1), Pose<3>(Vec<3>::Zero()), 0.1);
  const auto above = edges_of_box(Vec<3>(0.1, 1, 0.1), Pose<3>(Vec<3>(0, 0, 0.2 - 1e-3)), 0.1);
  const auto found = crossings(below, above, 1e-3);
  ASSERT_EQ(found.size(), 4u);
  for (const EdgeCrossing& c : found) {
    EXPECT_NEAR(c.gap, -1e-3, 1e-14);
    EXPECT_LT((c.normal - Vec<3>::UnitZ()).norm(), 1e-14);
    EXPECT_NEAR(std::abs(c.point.x()), 0.1, 1e-14);
    EXPECT_NEAR(std::abs(c.point.y()), 0.1, 1e-14);
  }
}

// Face against face, a micrometre within each other, and a third of the height up: their edges cross 0.6 deep, but past their ends it is
// a micrometre. Those that cross in the face do so along its normal.
TEST(EdgeCrossing, blocks_side_by_side_do_not_push_each_other_up) {
  const Vec<3> half(0.5, 0.5, 0.5);
  const auto left = edges_of_box(half, Pose<3>(Vec<3>::Zero()));
  const auto right = edges_of_box(half, Pose<3>(Vec<3>(1 - 1e-6, 0.2, 0.35)));
  const auto found = crossings(left, right, 1e-3);
  EXPECT_FALSE(found.empty());
  for (const EdgeCrossing& c : found) EXPECT_GT(std::abs(c.normal.x()), 0.999);
}

// Oracle: separating axes. Where the largest distance of two boxes, along normals of faces and products of edges, is along a product
// of edges, those edges cross with that gap; and no crossing is wider open than the boxes are apart.
TEST(EdgeCrossing, random_boxes_cross_where_their_separating_axis_says) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  int edges_meet = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Vec<3> half_a(0.5, 0.4, 0.3), half_b(0.3, 0.6, 0.4);
    const auto pose = [&](const Vec<3>& at) {
      return Pose<3>(at, exponential_map(Vec<3>(3 * number(random), 3 * number(random), 3 * number(random))));
    };
    const Vec<3> towards = Vec<3>(number(random), number(random), number(random)).normalized();
    const Pose<3> a = pose(Vec<3>::Zero()), b = pose((0.8 + 0.3 * number(random)) * towards);
    const Mat<3> turn_a = a.rotation(), turn_b = b.rotation();
    double widest = -1e9;
    bool by_edges = false;
    Vec<3> axis_found;
    const auto look = [&](Vec<3> axis, bool edges) {
      if (axis.norm() < 0.1) return;  // nearly parallel: not looked at
      axis.normalize();
      const double distance = std::abs(axis.dot(b.position)) -
                              (turn_a.transpose() * axis).cwiseAbs().dot(half_a) -
                              (turn_b.transpose() * axis).cwiseAbs().dot(half_b);
      if (distance > widest) widest = distance, by_edges = edges, axis_found = axis;
    };
    for (int i = 0; i < 3; ++i) {
      look(turn_a.col(i), false), look(turn_b.col(i), false);
      for (int j = 0; j < 3; ++j) look(turn_a.col(i).cross(turn_b.col(j)), true);
    }
    if (std::abs(widest) > 0.03) continue;
    const auto found = crossings(edges_of_box(half_a, a), edges_of_box(half_b, b), 0.05);
    if (by_edges) {
      // Apart along a product of edges the nearest points may still be a corner and a face; in overlap they are not.
      double nearest = 1;
      for (const EdgeCrossing& c : found)
        if (std::abs(c.normal.dot(axis_found)) > 1 - 1e-9)
          nearest = std::min(nearest, std::abs(c.gap - widest));
      if (widest < 0) {
        EXPECT_LT(nearest, 1e-12) << trial;
        ++edges_meet;
      }
    }
  }
  EXPECT_GT(edges_meet, 30);
}

}  // namespace
}  // namespace saltus::edge_crossing_test
