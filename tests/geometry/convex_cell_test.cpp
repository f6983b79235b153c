#include "saltus/geometry/convex_cell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "saltus/geometry/line_span.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/geometry/overlap.hpp"

namespace saltus::convex_cell_test {
namespace {

const Bounds<3> kCube{Vec<3>::Zero(), Vec<3>::Ones()};

TEST(ConvexCell, a_corner_cut_off_a_cube_is_a_sixth_of_the_product_of_its_edges) {
  ConvexCell<3> cell(kCube);
  // x/a + y/b + z/c >= 1 keeps all but the corner tetrahedron of volume a b c/6.
  const Vec<3> normal(1 / 0.3, 1 / 0.5, 1 / 0.7);
  cell.cut({-normal, -1});
  EXPECT_NEAR(cell.volume(), 1 - 0.3 * 0.5 * 0.7 / 6, 4e-16);
  EXPECT_EQ(cell.faces().size(), 7u);
  EXPECT_EQ(cell.corners().size(), 10u);
}

TEST(ConvexCell, the_two_sides_of_any_cut_add_up_and_have_the_same_common_centre) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    ConvexCell<3> cell(kCube);
    for (int k = 0; k < 12; ++k) {
      const Vec<3> normal(u(engine), u(engine), u(engine));
      cell.cut({normal, normal.dot(Vec<3>(0.5, 0.5, 0.5)) + 0.2 + 0.2 * std::abs(u(engine))});
    }
    const Vec<3> normal(u(engine), u(engine), u(engine));
    const double offset = normal.dot(cell.centre()) + 0.05 * u(engine);
    ConvexCell<3> below = cell, above = cell;
    below.cut({normal, offset});
    above.cut({-normal, -offset});
    const double whole = cell.volume();
    // Some dozen cuts of numbers of order one: round-off.
    EXPECT_NEAR(below.volume() + above.volume(), whole, 1e-14);
    const Vec<3> common = (below.volume() * below.centre() + above.volume() * above.centre()) / whole;
    EXPECT_LT((common - cell.centre()).norm(), 1e-13);
  }
}

TEST(ConvexCell, a_cut_through_corners_and_along_a_face_is_exact) {
  ConvexCell<3> cell(kCube);
  cell.cut({Vec<3>(1, 0, 0), 1});  // its own face
  EXPECT_EQ(cell.volume(), 1);
  cell.cut({Vec<3>(1, -1, 0), 0});  // through four corners
  EXPECT_EQ(cell.volume(), 0.5);
  cell.cut({Vec<3>(0, 0, 1), -1});  // beyond it
  EXPECT_TRUE(cell.empty());
}

TEST(Overlap, a_turned_box_is_cut_by_another_box_as_inclusion_says) {
  // A cube of side 1 turned by 45 degrees about z has the square |x| + |y| <= sqrt(1/2) for its section: the
  // part with x >= 0, y >= 0 is a quarter.
  const Shape<3> shape = build_box(Vec<3>::Ones());
  const Pose<3> pose(Vec<3>::Zero(), exponential_map(Vec<3>(0, 0, M_PI / 4)));
  EXPECT_NEAR(compute_overlap<3>(shape, pose, {Vec<3>(0, 0, -9), Vec<3>(9, 9, 9)}), 0.25, 1e-15);
  EXPECT_NEAR(compute_overlap<3>(shape, pose, {Vec<3>(0, 0, 0), Vec<3>(9, 9, 9)}), 0.125, 1e-15);
}

// Parts in slabs against the same shape turned and cut along an axis.
template <int Dim>
void expect_slab_is_a_turned_box(const Shape<Dim>& shape, const Pose<Dim>& pose, const Pose<Dim>& turn,
                                 double tolerance) {
  const Bounds<Dim> wide{Vec<Dim>::Constant(-9), Vec<Dim>::Constant(9)};
  for (const double low : {-0.4, -0.1, 0.2}) {
    Bounds<Dim> sheet = wide;
    sheet.low[0] = low, sheet.high[0] = low + 0.25;
    const double along = compute_overlap<Dim>(shape, pose, sheet);
    const Slab<Dim> slab{turn.rotated(Vec<Dim>::Unit(0)), low, low + 0.25};
    EXPECT_NEAR(compute_overlap<Dim>(shape, turn * pose, wide, slab), along, tolerance);
  }
}

TEST(Overlap, a_slab_along_a_direction_holds_what_a_turned_box_holds) {
  const Pose<2> turn2(Vec<2>::Zero(), 0.7);
  expect_slab_is_a_turned_box<2>(Disk{0.3}, Pose<2>(Vec<2>(0.1, 0.2)), turn2, 1e-15);
  expect_slab_is_a_turned_box<2>(build_rectangle(0.5, 0.3), Pose<2>(Vec<2>(0.1, 0.2), 0.4), turn2, 1e-15);
  const Pose<3> turn3(Vec<3>::Zero(), exponential_map(Vec<3>(0.5, -0.3, 0.7)));
  const Pose<3> place(Vec<3>(0.1, 0.2, -0.1), exponential_map(Vec<3>(0.1, 0.9, 0.3)));
  expect_slab_is_a_turned_box<3>(build_box(Vec<3>(0.5, 0.4, 0.3)), place, turn3, 1e-15);
  // Spheres are summed by 64 slices, said to be within 1e-3 of the volume; the slices differ.
  expect_slab_is_a_turned_box<3>(Sphere{0.3}, place, turn3, 1e-3 * 4.19 * 0.027);
}

TEST(Overlap, slabs_of_a_box_fill_it) {
  const Bounds<3> box{Vec<3>(-1, 0, 2), Vec<3>(1, 3, 3)};
  const Vec<3> direction = Vec<3>(1, 2, -0.5).normalized();
  double sum = 0;
  for (int i = -80; i < 80; ++i) sum += compute_volume<3>(box, Slab<3>{direction, 0.1 * i, 0.1 * (i + 1)});
  EXPECT_NEAR(sum, 6, 1e-13);
}

// Every span against a fine walk along the line through the distance of a point to the shape, here by
// membership of simple sets.
TEST(LineSpan, a_line_enters_and_leaves_where_the_sets_of_points_end) {
  const Vec<3> up = Vec<3>::UnitZ();
  const LineSpan sphere = compute_line_span<3>(Sphere{2}, Pose<3>(Vec<3>(0, 0, 5)), Vec<3>(1, 1, 0), up);
  EXPECT_NEAR(sphere.low, 5 - std::sqrt(2), 1e-14);
  EXPECT_NEAR(sphere.high, 5 + std::sqrt(2), 1e-14);
  EXPECT_TRUE(compute_line_span<3>(Sphere{2}, Pose<3>(Vec<3>(0, 0, 5)), Vec<3>(2, 1, 0), up).empty());
  // A box standing on an edge: at |x| its top is sqrt(2)/2 - |x|.
  const Pose<3> edge(Vec<3>::Zero(), exponential_map(Vec<3>(0, M_PI / 4, 0)));
  const LineSpan box = compute_line_span<3>(build_box(Vec<3>::Ones()), edge, Vec<3>(0.2, 0.1, 0), up);
  EXPECT_NEAR(box.high, std::sqrt(0.5) - 0.2, 1e-15);
  EXPECT_NEAR(box.low, -std::sqrt(0.5) + 0.2, 1e-15);
  // A cylinder on its side: a circle; upright: its caps.
  const Pose<3> lying(Vec<3>::Zero(), exponential_map(Vec<3>(M_PI / 2, 0, 0)));
  EXPECT_NEAR(compute_line_span<3>(Cylinder{1, 3}, lying, Vec<3>(0.6, 2, 0), up).high, 0.8, 1e-15);
  EXPECT_NEAR(compute_line_span<3>(Cylinder{1, 3}, Pose<3>(), Vec<3>(0.6, 0.2, 0), up).high, 3, 1e-15);
  // A capsule along x: in its middle the radius, beyond its end the cap.
  const Capsule<2> capsule{Vec<2>(-1, 0), Vec<2>(1, 0), 0.5};
  EXPECT_NEAR(compute_line_span<2>(capsule, Pose<2>(), Vec<2>(0.3, 0), Vec<2>::UnitY()).high, 0.5, 1e-15);
  EXPECT_NEAR(compute_line_span<2>(capsule, Pose<2>(), Vec<2>(1.3, 0), Vec<2>::UnitY()).high, 0.4, 1e-15);
  EXPECT_TRUE(compute_line_span<2>(capsule, Pose<2>(), Vec<2>(1.6, 0), Vec<2>::UnitY()).empty());
  EXPECT_NEAR(
      compute_line_span<2>(build_rectangle(2, 1), Pose<2>(Vec<2>(0, 1)), Vec<2>(0.9, 0), Vec<2>::UnitY())
          .high,
      1.5, 1e-15);
}

}  // namespace
}  // namespace saltus::convex_cell_test
