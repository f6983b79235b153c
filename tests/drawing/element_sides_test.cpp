#include "saltus/drawing/element_sides.hpp"

#include <gtest/gtest.h>

namespace saltus::element_sides_test {
namespace {

TEST(ElementSides, a_diagonal_that_cuts_a_quadrangle_is_none) {
  SystemMesh<2> mesh;
  mesh.cells = {ElementKind::q4, ElementKind::t3};
  mesh.connectivity = {0, 1, 2, 3, 1, 4, 2};
  const ElementSides sides(mesh);
  EXPECT_TRUE(sides.contains(1, 0));
  EXPECT_TRUE(sides.contains(2, 1));  // of both
  EXPECT_TRUE(sides.contains(4, 2));
  EXPECT_FALSE(sides.contains(0, 2));
  EXPECT_FALSE(sides.contains(1, 3));
}

TEST(ElementSides, of_quadratic_elements_go_over_the_middles) {
  SystemMesh<2> mesh;
  mesh.cells = {ElementKind::q8};
  mesh.connectivity = {0, 1, 2, 3, 4, 5, 6, 7};
  const ElementSides sides(mesh);
  EXPECT_TRUE(sides.contains(0, 4));
  EXPECT_TRUE(sides.contains(4, 1));
  EXPECT_TRUE(sides.contains(7, 0));
  EXPECT_FALSE(sides.contains(4, 7));
  EXPECT_FALSE(sides.contains(4, 5));
}

TEST(ElementSides, of_a_brick_are_its_twelve_edges) {
  SystemMesh<3> mesh;
  mesh.cells = {ElementKind::h8};
  mesh.connectivity = {0, 1, 2, 3, 4, 5, 6, 7};
  const ElementSides sides(mesh);
  int count = 0;
  for (int a = 0; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b) count += sides.contains(a, b);
  EXPECT_EQ(count, 12);
  EXPECT_TRUE(sides.contains(2, 6));
  EXPECT_FALSE(sides.contains(0, 6));
}

TEST(ElementSides, of_a_mesh_that_tells_no_elements_are_those_of_its_simplices) {
  EXPECT_TRUE(ElementSides(SystemMesh<2>()).contains(0, 1));
}

}  // namespace
}  // namespace saltus::element_sides_test
