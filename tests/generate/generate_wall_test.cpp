#include "saltus/generate/generate_wall.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/mass_properties.hpp"

namespace saltus::generate_wall_test {
namespace {

template <int Dim>
BrickWall<Dim> wall_of(Bond bond) {
  BrickWall<Dim> wall;
  if constexpr (Dim == 2)
    wall.brick = {0.21, 0.06};
  else
    wall.brick = {0.21, 0.1, 0.06};
  wall.courses = 8, wall.bricks = 7, wall.head_joint = 0.01, wall.bed_joint = 0.01, wall.bond = bond;
  return wall;
}

template <int Dim>
std::vector<Bounds<Dim>> boxes_of(const BrickWall<Dim>& wall) {
  std::vector<Bounds<Dim>> boxes;
  for (const auto& body : build_brick_wall(wall, {}))
    boxes.push_back(compute_bounds<Dim>(body.shape, body.pose));
  return boxes;
}

template <int Dim>
void expect_apart(const std::vector<Bounds<Dim>>& boxes) {
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double apart = -1e300;
      for (int d = 0; d < Dim; ++d)
        apart = std::max({apart, boxes[a].low[d] - boxes[b].high[d], boxes[b].low[d] - boxes[a].high[d]});
      EXPECT_GE(apart, -1e-12) << a << " " << b;
    }
}

const std::vector<Bond> kBonds = {Bond::running, Bond::stack,   Bond::header,
                                  Bond::english, Bond::flemish, Bond::rubble};

template <int Dim>
void expect_no_overlap_and_flush_ends(int leaves) {
  for (const Bond bond : kBonds) {
    BrickWall<Dim> wall = wall_of<Dim>(bond);
    wall.leaves =
        Dim == 3 && (bond == Bond::running || bond == Bond::stack || bond == Bond::rubble) ? leaves : 1;
    wall.collar_joint = 0.02;
    wall.length_spread = bond == Bond::rubble ? 0.4 : 0, wall.height_spread = bond == Bond::rubble ? 0.2 : 0;
    check(wall, "x");
    const auto boxes = boxes_of(wall);
    EXPECT_EQ(static_cast<std::int64_t>(boxes.size()), count_blocks(wall));
    expect_apart<Dim>(boxes);
    // Every course ends where the wall does, and no gap in it is wider than a joint.
    for (const auto& box : boxes) {
      EXPECT_GE(box.low[0], -0.5 * wall.length() - 1e-12);
      EXPECT_LE(box.high[0], 0.5 * wall.length() + 1e-12);
      const bool at_end = std::abs(box.high[0] - 0.5 * wall.length()) < 1e-12;
      const bool has_next = std::any_of(boxes.begin(), boxes.end(), [&](const Bounds<Dim>& next) {
        return std::abs(next.low[0] - box.high[0] - wall.head_joint) < 1e-12 &&
               std::abs(next.low[Dim - 1] - box.low[Dim - 1]) < 1e-12;
      });
      EXPECT_TRUE(at_end || has_next) << static_cast<int>(bond);
    }
  }
}

TEST(BrickWall, no_bond_overlaps_and_all_end_flush) {
  expect_no_overlap_and_flush_ends<2>(1);
  expect_no_overlap_and_flush_ends<3>(1);
  expect_no_overlap_and_flush_ends<3>(3);
}

// The smallest distance between head joints of neighbouring courses, where blocks are in front.
double least_overlap(const BrickWall<2>& wall) {
  const auto boxes = boxes_of(wall);
  double least = 1e300;
  for (const auto& a : boxes)
    for (const auto& b : boxes) {
      const bool above = b.low.y() > a.low.y() + 0.5 * wall.brick.y() && b.low.y() < a.high.y() + 0.02;
      const bool inner = std::abs(a.high.x()) < 0.5 * wall.length() - 1e-9 &&
                         std::abs(b.high.x()) < 0.5 * wall.length() - 1e-9;
      if (above && inner) least = std::min(least, std::abs(a.high.x() - b.high.x()));
    }
  return least;
}

TEST(BrickWall, joints_of_each_bond_are_covered_as_its_name_says) {
  const double pitch = 0.22;
  EXPECT_NEAR(least_overlap(wall_of<2>(Bond::running)), pitch / 2, 1e-12);
  EXPECT_NEAR(least_overlap(wall_of<2>(Bond::stack)), 0, 1e-12);
  EXPECT_NEAR(least_overlap(wall_of<2>(Bond::header)), pitch / 4, 1e-12);
  EXPECT_NEAR(least_overlap(wall_of<2>(Bond::english)), pitch / 4, 1e-12);
  // Flemish: a header of half a pitch in the middle of a stretcher: a quarter on either side.
  EXPECT_NEAR(least_overlap(wall_of<2>(Bond::flemish)), pitch / 4, 1e-12);
}

TEST(BrickWall, headers_of_space_go_through_and_stretchers_lie_in_two_rows) {
  const BrickWall<3> wall = wall_of<3>(Bond::english);
  int headers = 0, stretchers = 0;
  for (const auto& box : boxes_of(wall)) {
    const Vec<3> size = box.high - box.low;
    const bool header = size.y() > 0.15;
    (header ? headers : stretchers) += 1;
    if (header) {
      EXPECT_NEAR(size.y(), 0.21, 1e-12);
      EXPECT_NEAR(box.low.y(), -0.105, 1e-12);
    } else {
      EXPECT_NEAR(std::max(std::abs(box.low.y()), std::abs(box.high.y())), 0.105, 1e-12);
    }
  }
  EXPECT_EQ(stretchers, 4 * 7 * 2);
  // The wall is 7 pitches of 0.22 long: 14 pitches of headers, shifted by half of one: 13 whole and 2 halves.
  EXPECT_EQ(headers, 4 * 15);
}

TEST(BrickWall, an_opening_is_free_its_lintel_rests_on_the_wall_and_nothing_else_is_lost) {
  for (const Bond bond : kBonds) {
    BrickWall<2> wall = wall_of<2>(bond);
    wall.openings = {{-0.3, 0.2, 0.15, 1, 4, "o"}, {0.4, 0.6, 0, 0, 8, "p"}};
    check(wall, "x");
    BrickWall<2> whole = wall;
    whole.openings.clear();
    const auto area = [](const std::vector<Bounds<2>>& boxes) {
      double sum = 0;
      for (const auto& box : boxes) sum += (box.high - box.low).prod();
      return sum;
    };
    const auto boxes = boxes_of(wall);
    expect_apart<2>(boxes);
    const double bottom = 0.07, top = 4 * 0.07;
    for (const auto& box : boxes) {
      const bool clear = box.high.x() <= -0.3 + 1e-12 || box.low.x() >= 0.2 - 1e-12 ||
                         box.high.y() <= bottom + 1e-12 || box.low.y() >= top - 1e-12;
      EXPECT_TRUE(clear) << box.low.transpose() << " to " << box.high.transpose();
      EXPECT_TRUE(box.high.x() <= 0.4 + 1e-12 || box.low.x() >= 0.6 - 1e-12);
    }
    const auto bodies = build_brick_wall(wall, {});
    const auto lintel =
        std::find_if(bodies.begin(), bodies.end(), [](const auto& b) { return b.name == "brick-lintel-0"; });
    ASSERT_NE(lintel, bodies.end());
    EXPECT_NEAR(compute_volume<2>(lintel->shape), 0.8 * 0.06, 1e-12);
    // The openings' area, three courses of 0.5 m and eight of 0.2 m, is lost but for the joints that were in
    // it (one per brick or half brick at most) and the joints beside the lintel and of merged rests.
    const double lost = area(boxes_of(whole)) - area(boxes);
    EXPECT_NEAR(lost, (3 * 0.5 + 8 * 0.2) * 0.06, 11 * 6 * 0.01 * 0.06);
  }
}

TEST(BrickWall, pieces_beside_an_opening_are_not_slivers) {
  BrickWall<2> wall = wall_of<2>(Bond::running);
  const double pitch = 0.22, left = -0.5 * wall.length();
  wall.openings = {{left + 2 * pitch + 0.02, left + 4 * pitch - 0.03, 0, 2, 5, "o"}};
  for (const auto& box : boxes_of(wall)) EXPECT_GE(box.high.x() - box.low.x(), 0.25 * 0.1);
  expect_apart<2>(boxes_of(wall));
}

TEST(BrickWall, rubble_has_blocks_within_their_spread_and_differs_from_seed_to_seed) {
  BrickWall<2> wall = wall_of<2>(Bond::rubble);
  wall.bricks = 40, wall.length_spread = 0.4, wall.height_spread = 0.3;
  const auto boxes = boxes_of(wall);
  for (const auto& box : boxes) {
    const Vec<2> size = box.high - box.low;
    EXPECT_GE(size.y(), 0.7 * 0.06 - 1e-12);
    EXPECT_LE(size.y(), 1.3 * 0.06 + 1e-12);
    EXPECT_LE(size.x(), 1.25 * 1.4 * 0.21 + 1e-12);  // the last of a course may hold a rest of a quarter
  }
  EXPECT_GT(least_overlap(wall), 0.02);
  const auto same = boxes_of(wall);
  for (std::size_t i = 0; i < boxes.size(); ++i) EXPECT_EQ(same[i].low, boxes[i].low);
  wall.seed = 2;
  const auto other = boxes_of(wall);
  EXPECT_TRUE(other.size() != boxes.size() || other[0].high != boxes[0].high);
}

TEST(BrickWall, impossible_openings_are_errors) {
  const auto fails = [](const WallOpening& opening, int more = 0) {
    BrickWall<2> wall = wall_of<2>(Bond::running);
    wall.openings = {opening};
    if (more) wall.openings.push_back({0.05, 0.2, 0.05, 3, 5, "q"});
    try {
      check(wall, "x");
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(fails({-0.1, 0.1, 0, 0, 2, "o"}));
  EXPECT_TRUE(fails({-0.9, 0.1, 0, 0, 2, "o"}));     // beyond the wall, which ends at 0.765
  EXPECT_TRUE(fails({0.1, -0.1, 0, 0, 2, "o"}));     // turned around
  EXPECT_TRUE(fails({-0.1, 0.1, 0, 3, 9, "o"}));     // above the wall
  EXPECT_TRUE(fails({-0.1, 0.1, 0.1, 3, 8, "o"}));   // no course for the lintel
  EXPECT_TRUE(fails({-0.7, 0.1, 0.1, 3, 6, "o"}));   // a lintel beyond the wall
  EXPECT_TRUE(fails({-0.1, 0.1, 0, 4, 7, "o"}, 1));  // meets the other
  EXPECT_FALSE(fails({-0.3, -0.1, 0, 4, 7, "o"}, 1));
  EXPECT_TRUE(fails({-0.3, 0.02, 0, 5, 7, "o"}, 1));  // meets the other's lintel
  BrickWall<3> deep = wall_of<3>(Bond::flemish);
  deep.brick[1] = 0.15;
  EXPECT_THROW(check(deep, "x"), InputError);
}

}  // namespace
}  // namespace saltus::generate_wall_test
