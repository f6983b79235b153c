#include "saltus/fem/mesh_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_nodes.hpp"
#include "saltus/fem/mesh_surface.hpp"

namespace saltus::mesh_check_test {
namespace {

// Two unit squares side by side, named.
SolidMesh<2> two_squares() {
  SolidMesh<2> mesh;
  for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}})
    mesh.nodes.emplace_back(x, y);
  mesh.add_element(ElementKind::q4, std::vector{0, 1, 4, 3});
  mesh.add_element(ElementKind::q4, std::vector{1, 2, 5, 4});
  mesh.side_groups = {{"bottom", {{0, 0}, {1, 0}}}, {"right", {{1, 1}}}};
  mesh.node_groups = {{"corner", {0}}};
  return mesh;
}

template <int Dim>
std::string complaint(const SolidMesh<Dim>& mesh, const MeshCheckOptions& options = {}) {
  try {
    check_mesh(mesh, "mesh", options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SolidMeshCheck, a_good_mesh_passes) { EXPECT_EQ(complaint(two_squares()), "no error"); }

TEST(SolidMeshCheck, what_is_wrong_is_named) {
  using Mesh = SolidMesh<2>;
  const auto broken = [](auto&& change) {
    Mesh mesh = two_squares();
    change(mesh);
    return complaint(mesh);
  };
  EXPECT_EQ(complaint(Mesh()), "mesh: a mesh without elements");
  EXPECT_EQ(broken([](Mesh& m) { m.connectivity[2] = 6; }),
            "mesh: a node of element 0 (q4): got 6, allowed: 0 to 5");
  EXPECT_EQ(broken([](Mesh& m) { m.connectivity[2] = -1; }),
            "mesh: a node of element 0 (q4): got -1, allowed: 0 to 5");
  EXPECT_EQ(broken([](Mesh& m) { m.nodes.emplace_back(5, 5); }), "mesh: node 6 belongs to no element");
  EXPECT_EQ(broken([](Mesh& m) { m.nodes[3].x() = std::nan(""); }),
            "mesh: coordinates of node 3: got nan 1, allowed: finite numbers up to 1e100");
  EXPECT_EQ(broken([](Mesh& m) { m.elements[1].material = 1; }),
            "mesh: material of element 1 (q4): got 1, allowed: 0 to 0");
  EXPECT_EQ(broken([](Mesh& m) { m.materials.push_back("steel"); }),
            "mesh: group of elements 'steel' is empty");
  EXPECT_EQ(broken([](Mesh& m) { m.side_groups[1].sides.clear(); }), "mesh: group of sides 'right' is empty");
  EXPECT_EQ(broken([](Mesh& m) { m.side_groups[1].name = "bottom"; }),
            "mesh: a second group of sides of this name: got 'bottom'");
  EXPECT_EQ(
      broken([](Mesh& m) {
        m.side_groups[1].sides[0] = {0, 1};
      }),
      "mesh: group of sides 'right': got face 1 of element 0, allowed: faces on the boundary of the mesh");
  EXPECT_EQ(broken([](Mesh& m) { m.node_groups[0].nodes = {7}; }),
            "mesh: group of nodes 'corner': got node 7, allowed: nodes of the mesh, ascending, each once");
  EXPECT_EQ(broken([](Mesh& m) {
              m.nodes[4] = {0.2, 0.2};
            }).substr(0, 37),
            "mesh: element 0 (q4) is inverted: its");
  EXPECT_EQ(broken([](Mesh& m) { m.elements[0].kind = ElementKind::t4; }),
            "mesh: element 0 (t4) does not fit a mesh of dimension 2");
}

TEST(SolidMeshCheck, a_cube_whose_corner_is_pushed_in_is_inverted_at_that_corner) {
  SolidMesh<3> cube;
  for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) cube.nodes.emplace_back(x, y, 0);
  for (int k = 0; k < 4; ++k) cube.nodes.push_back(cube.nodes[k] + Eigen::Vector3d::UnitZ());
  cube.add_element(ElementKind::h8, std::vector{0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(complaint(cube), "no error");
  for (int k = 0; k < 8; ++k) {
    SolidMesh<3> pushed = cube;
    pushed.nodes[k] += 1.6 * (Eigen::Vector3d::Constant(0.5) - cube.nodes[k]);
    EXPECT_NE(complaint(pushed).find("is inverted"), std::string::npos) << k;
  }
}

TEST(SolidMeshCheck, middles_must_be_shared) {
  SolidMesh<2> mesh;
  for (const auto& [x, y] :
       {std::pair(0., 0.), {1., 0.}, {0., 1.}, {1., 1.}, {0.5, 0.}, {0.5, 0.5}, {0., 0.5}})
    mesh.nodes.emplace_back(x, y);
  mesh.add_element(ElementKind::t6, std::vector{0, 1, 2, 4, 5, 6});
  mesh.add_element(ElementKind::t3, std::vector{1, 3, 2});
  EXPECT_EQ(complaint(mesh),
            "mesh: element 0 (t6) and element 1 (t3) share the side of nodes 1 2, but not its middle nodes");
}

TEST(SolidMeshCheck, merging_joins_meshes_and_takes_inner_sides_out_of_groups) {
  SolidMesh<2> mesh = two_squares(), other = two_squares();
  other.materials = {"soft"};
  for (auto& x : other.nodes) x.x() += 2;
  append_mesh(other, mesh);
  EXPECT_EQ(complaint(mesh).substr(0, 42), "mesh: node 2 and node 6 are at one place, ");
  MeshCheckOptions allowed;
  allowed.coincidence = 0;
  EXPECT_EQ(complaint(mesh, allowed), "no error");
  merge_nodes(1e-9, mesh);
  EXPECT_EQ(complaint(mesh), "no error");
  EXPECT_EQ(mesh.nodes.size(), 10u);
  EXPECT_EQ(mesh.materials, (std::vector<std::string>{"", "soft"}));
  EXPECT_EQ(find_sides(mesh, "bottom", "").size(), 4u);
  ASSERT_EQ(find_sides(mesh, "right", "").size(), 1u);  // the other is inside now
  EXPECT_EQ(find_sides(mesh, "right", "")[0].element, 3);
  EXPECT_EQ(compute_boundary_sides(mesh).size(), 10u);
}

TEST(SolidMeshSurface, the_boundary_is_in_the_order_of_elements_and_groups_give_their_nodes) {
  const SolidMesh<2> mesh = two_squares();
  std::vector<std::pair<int, int>> sides;
  for (const MeshSide& side : compute_boundary_sides(mesh)) sides.emplace_back(side.element, side.face);
  EXPECT_EQ(sides, (std::vector<std::pair<int, int>>{{0, 0}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(compute_group_nodes(mesh, "bottom", "here"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(compute_group_nodes(mesh, "corner", "here"), std::vector<int>{0});
  try {
    compute_group_nodes(mesh, "botom", "scene:7");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "scene:7: the mesh has no group of this name: got 'botom', allowed: 'corner', 'bottom', 'right'");
  }
}

}  // namespace
}  // namespace saltus::mesh_check_test
