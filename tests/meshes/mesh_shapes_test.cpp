#include "saltus/meshes/mesh_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "meshes/mesh_volume.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_check.hpp"

namespace saltus::mesh_shapes_test {
namespace {

// Sums of some thousand products of numbers of order one.
constexpr double kRoundOff = 1e-12;

constexpr ElementKind kPlaneKinds[] = {ElementKind::t3, ElementKind::t6, ElementKind::q4, ElementKind::q8};
constexpr ElementKind kSpaceKinds[] = {ElementKind::t4, ElementKind::t10, ElementKind::h8, ElementKind::h20};

template <int Dim>
std::size_t count_sides(const SolidMesh<Dim>& mesh, const std::string& name) {
  return find_sides(mesh, name, "test").size();
}

template <int Dim>
std::size_t named_sides(const SolidMesh<Dim>& mesh) {
  std::size_t count = 0;
  for (const auto& group : mesh.side_groups) count += group.sides.size();
  return count;
}

template <typename Make>
std::string message_of(const Make& make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MeshShapes, a_rectangle_of_every_kind_and_pattern_has_its_area_and_named_sides) {
  for (const ElementKind kind : kPlaneKinds)
    for (const TrianglePattern pattern :
         {TrianglePattern::alternating, TrianglePattern::four, TrianglePattern::eight}) {
      SCOPED_TRACE(name(kind));
      const auto mesh = build_box_mesh<2>({3, 2}, {kind, {5, 4}, {3, 0.25}, pattern}, "test");
      check_mesh(mesh, "test");
      EXPECT_NEAR(compute_volume(mesh), 6, kRoundOff);
      EXPECT_EQ(named_sides(mesh), compute_boundary_sides(mesh).size());
      for (const int node : compute_group_nodes(mesh, "left", "test"))
        EXPECT_DOUBLE_EQ(mesh.nodes[node].x(), -1.5);
      for (const int node : compute_group_nodes(mesh, "right", "test"))
        EXPECT_DOUBLE_EQ(mesh.nodes[node].x(), 1.5);
      for (const int node : compute_group_nodes(mesh, "bottom", "test"))
        EXPECT_DOUBLE_EQ(mesh.nodes[node].y(), -1);
      for (const int node : compute_group_nodes(mesh, "top", "test"))
        EXPECT_DOUBLE_EQ(mesh.nodes[node].y(), 1);
    }
}

TEST(MeshShapes, a_box_of_every_kind_has_its_volume_and_named_sides) {
  for (const ElementKind kind : kSpaceKinds) {
    SCOPED_TRACE(name(kind));
    const auto mesh = build_box_mesh<3>({3, 2, 0.5}, {kind, {4, 3, 2}, {1, 2, 0.5}}, "test");
    check_mesh(mesh, "test");
    EXPECT_NEAR(compute_volume(mesh), 3, kRoundOff);
    EXPECT_EQ(named_sides(mesh), compute_boundary_sides(mesh).size());
    const std::size_t per_cell = corner_count(kind) == 4 ? 2 : 1;
    EXPECT_EQ(count_sides(mesh, "left"), 6 * per_cell);
    EXPECT_EQ(count_sides(mesh, "top"), 8 * per_cell);
    EXPECT_EQ(count_sides(mesh, "front"), 12 * per_cell);
    for (const int node : compute_group_nodes(mesh, "front", "test"))
      EXPECT_DOUBLE_EQ(mesh.nodes[node].z(), -0.25);
    for (const int node : compute_group_nodes(mesh, "back", "test"))
      EXPECT_DOUBLE_EQ(mesh.nodes[node].z(), 0.25);
  }
}

TEST(MeshShapes, counts_of_nodes_are_those_of_the_lattice) {
  const auto count = [](ElementKind kind) {
    return build_box_mesh<3>({1, 1, 1}, {kind, {2, 3, 4}}, "test").nodes.size();
  };
  EXPECT_EQ(count(ElementKind::h8), 3u * 4 * 5);
  EXPECT_EQ(count(ElementKind::t4), 3u * 4 * 5);
  EXPECT_EQ(count(ElementKind::t10), 5u * 7 * 9);  // Kuhn's cut has an edge through every face and cell
  EXPECT_EQ(count(ElementKind::h20), 60u + 2 * 4 * 5 + 3 * 3 * 5 + 3 * 4 * 4);  // corners and edges
  const auto plane = build_box_mesh<2>({1, 1}, {ElementKind::q4, {3, 2}}, "test");
  EXPECT_EQ(plane.nodes[1], Vec<2>(1.0 / 3 - 0.5, -0.5));  // along x first
}

TEST(MeshShapes, the_block_of_eight_triangles_has_its_nine_nodes_and_both_symmetries) {
  const auto mesh =
      build_box_mesh<2>({0.1, 0.05}, {ElementKind::t3, {1, 1}, {1, 1}, TrianglePattern::eight}, "test");
  ASSERT_EQ(mesh.nodes.size(), 9u);
  ASSERT_EQ(mesh.elements.size(), 8u);
  for (const auto& group : mesh.side_groups) EXPECT_EQ(group.sides.size(), 2u) << group.name;
  // Every triangle has the centre, node 4, and the mirror images of triangles are triangles.
  std::vector<std::array<int, 3>> triangles, mirrored_x, mirrored_y;
  for (const auto& element : mesh.elements) {
    std::array<int, 3> own{}, x{}, y{};
    for (int k = 0; k < 3; ++k) {
      own[k] = mesh.nodes_of(element)[k];
      x[k] = own[k] / 3 * 3 + 2 - own[k] % 3;
      y[k] = (2 - own[k] / 3) * 3 + own[k] % 3;
    }
    EXPECT_TRUE(std::count(own.begin(), own.end(), 4));
    for (auto* t : {&own, &x, &y}) std::sort(t->begin(), t->end());
    triangles.push_back(own), mirrored_x.push_back(x), mirrored_y.push_back(y);
  }
  for (auto* all : {&triangles, &mirrored_x, &mirrored_y}) std::sort(all->begin(), all->end());
  EXPECT_EQ(triangles, mirrored_x);
  EXPECT_EQ(triangles, mirrored_y);
  const auto four =
      build_box_mesh<2>({0.1, 0.05}, {ElementKind::t3, {1, 1}, {1, 1}, TrianglePattern::four}, "test");
  EXPECT_EQ(four.nodes.size(), 5u);
  EXPECT_EQ(four.elements.size(), 4u);
}

TEST(MeshShapes, grading_is_the_ratio_of_the_last_cell_to_the_first) {
  const auto mesh = build_bar_mesh<2>({10, 1}, {ElementKind::q4, {6, 1}, {8, 1}}, "test");
  std::vector<double> x;
  for (int i = 0; i < 7; ++i) x.push_back(mesh.nodes[i].x());
  EXPECT_DOUBLE_EQ(x.front(), 0);
  EXPECT_DOUBLE_EQ(x.back(), 10);
  EXPECT_NEAR((x[6] - x[5]) / (x[1] - x[0]), 8, 1e-12);
  for (int i = 1; i < 6; ++i) EXPECT_NEAR((x[i + 1] - x[i]) / (x[i] - x[i - 1]), std::pow(8, 0.2), 1e-12);
}

TEST(MeshShapes, cooks_membrane_has_its_area_and_tip) {
  for (const ElementKind kind : kPlaneKinds) {
    const auto mesh =
        build_quadrilateral_mesh({{{0, 0}, {48, 44}, {48, 60}, {0, 44}}}, {kind, {6, 4}}, "test");
    check_mesh(mesh, "test");
    EXPECT_NEAR(compute_volume(mesh), 48 * (44 + 16) / 2.0, 1440 * kRoundOff);
    for (const int node : compute_group_nodes(mesh, "right", "test"))
      EXPECT_NEAR(mesh.nodes[node].x(), 48, 48 * kRoundOff);
    EXPECT_EQ(count_sides(mesh, "left"), 4u);
    bool has_tip = false;
    for (const auto& x : mesh.nodes) has_tip = has_tip || (x - Vec<2>(48, 52)).norm() < 1e-12;
    EXPECT_TRUE(has_tip);
  }
}

// Chords of the circle for straight sides: m R^2 sin(2 pi / m) / 2. Sides through three points of the circle are
// parabolas, which add 2/3 of chord times height to each chord.
double polygon_area(double radius, int sides, bool quadratic) {
  const double half = std::numbers::pi / sides;
  const double triangle = radius * radius * std::sin(2 * half) / 2;
  const double segment = 2.0 / 3 * 2 * radius * std::sin(half) * radius * (1 - std::cos(half));
  return sides * (triangle + (quadratic ? segment : 0));
}

TEST(MeshShapes, a_disk_has_the_area_of_its_polygon_and_its_circle) {
  for (const ElementKind kind : kPlaneKinds)
    for (const int n : {1, 2, 5}) {
      SCOPED_TRACE(std::string(name(kind)) + " " + std::to_string(n));
      const auto mesh = build_disk_mesh(2, {kind, n, 3, 0.5}, "test");
      check_mesh(mesh, "test");
      const bool quadratic = node_count(kind) > corner_count(kind);
      EXPECT_NEAR(compute_volume(mesh), polygon_area(2, 4 * n, quadratic), 12 * kRoundOff);
      EXPECT_EQ(count_sides(mesh, "outer"), 4u * n);
      EXPECT_EQ(compute_boundary_sides(mesh).size(), 4u * n);
      for (const int node : compute_group_nodes(mesh, "outer", "test"))
        EXPECT_NEAR(mesh.nodes[node].norm(), 2, 2 * kRoundOff);
    }
}

TEST(MeshShapes, a_cylinder_has_the_volume_of_its_prism_and_its_sides) {
  for (const ElementKind kind : {ElementKind::h8, ElementKind::h20}) {
    const auto mesh = build_cylinder_mesh(3.2e-3, 32.4e-3, {kind, 2, 2, 0.7}, 4, "test", 2);
    check_mesh(mesh, "test");
    const double volume = polygon_area(3.2e-3, 8, kind == ElementKind::h20) * 32.4e-3;
    EXPECT_NEAR(compute_volume(mesh), volume, volume * kRoundOff);
    EXPECT_EQ(count_sides(mesh, "outer"), 8u * 4);
    EXPECT_EQ(count_sides(mesh, "front"), 4u + 16);
    EXPECT_EQ(count_sides(mesh, "back"), 4u + 16);
    EXPECT_EQ(named_sides(mesh), compute_boundary_sides(mesh).size());
  }
}

TEST(MeshShapes, a_quarter_of_a_ring_and_a_closed_one_have_their_areas) {
  const double pi = std::numbers::pi;
  for (const ElementKind kind : kPlaneKinds) {
    SCOPED_TRACE(name(kind));
    const bool quadratic = node_count(kind) > corner_count(kind);
    const auto quarter = build_ring_mesh<2>({1, 2, 0, pi / 2}, {kind, {3, 6}}, "test");
    check_mesh(quarter, "test");
    const double area = polygon_area(2, 24, quadratic) - polygon_area(1, 24, quadratic);
    EXPECT_NEAR(compute_volume(quarter), area / 4, 10 * kRoundOff);
    for (const int node : compute_group_nodes(quarter, "bottom", "test"))
      EXPECT_NEAR(quarter.nodes[node].y(), 0, kRoundOff);
    for (const int node : compute_group_nodes(quarter, "top", "test"))
      EXPECT_NEAR(quarter.nodes[node].x(), 0, kRoundOff);
    const auto closed = build_ring_mesh<2>({1, 2}, {kind, {3, 24}}, "test");
    check_mesh(closed, "test");
    EXPECT_NEAR(compute_volume(closed), area, 10 * kRoundOff);
    EXPECT_EQ(closed.side_groups.size(), 2u);
    EXPECT_EQ(compute_boundary_sides(closed).size(), 48u);
  }
  for (const ElementKind kind : kSpaceKinds) {
    const auto tube = build_ring_mesh<3>({1, 2, 0, 2 * pi, 3}, {kind, {2, 12, 2}}, "test");
    check_mesh(tube, "test");
    EXPECT_EQ(tube.side_groups.size(), 4u);
    if (corner_count(kind) != 8) continue;  // faces of t10 are curved across, too
    const bool quadratic = kind == ElementKind::h20;
    EXPECT_NEAR(compute_volume(tube), 3 * (polygon_area(2, 12, quadratic) - polygon_area(1, 12, quadratic)),
                30 * kRoundOff);
  }
}

TEST(MeshShapes, what_cannot_be_meshed_is_refused_with_a_reason) {
  const auto box = [](double width, MeshGrid<2> grid) {
    return message_of([&] { build_box_mesh<2>({width, 1}, grid, "scene:4"); });
  };
  EXPECT_EQ(box(0, {}), "scene:4: size of the mesh: got 0, allowed: above 0");
  EXPECT_EQ(box(1, {ElementKind::h8}), "scene:4: kind of elements: got h8, allowed: t3, t6, q4, q8");
  EXPECT_EQ(box(1, {ElementKind::q4, {0, 1}}), "scene:4: cells in a direction: got 0, allowed: 1 or more");
  EXPECT_EQ(box(1, {ElementKind::q4, {100000, 100000}}),
            "scene:4: number of elements: got 1e+10, allowed: up to 1e8");
  EXPECT_EQ(box(1, {ElementKind::q4, {1, 1}, {-1, 1}}),
            "scene:4: grading (last cell over first): got -1, allowed: 1e-6 to 1e6");
  EXPECT_EQ(message_of([] {
              build_quadrilateral_mesh({{{0, 0}, {0, 1}, {1, 1}, {1, 0}}}, {}, "q");
            }),
            "q: corner 1 of a quadrilateral: got (0, 0), allowed: corners counter-clockwise, angles below "
            "half a turn");
  EXPECT_EQ(message_of([] {
              build_ring_mesh<2>({2, 1}, {}, "r");
            }),
            "r: outer radius: got 1, allowed: above the inner one");
  EXPECT_EQ(message_of([] {
              build_ring_mesh<2>({1, 2, 0, 7}, {}, "r");
            }),
            "r: angle of a ring: got 7, allowed: above 0, up to a full turn, 2 pi");
  EXPECT_EQ(message_of([] {
              build_disk_mesh(1, {ElementKind::q4, 0}, "d");
            }),
            "d: cells along a side of the core: got 0, allowed: 1 or more");
  EXPECT_EQ(message_of([] { build_cylinder_mesh(1, 1, {ElementKind::t4}, 2, "c"); }),
            "c: kind of elements of a cylinder: got t4, allowed: h8 or h20");
}

}  // namespace
}  // namespace saltus::mesh_shapes_test
