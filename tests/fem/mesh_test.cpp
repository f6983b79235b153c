#include "saltus/fem/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/t3.hpp"

namespace saltus {
namespace {

std::string message_of(const PlaneMesh& mesh) {
  try {
    check_mesh(mesh, "mesh");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

double area_of(const PlaneMesh& mesh) {
  double area = 0;
  for (const auto& t : mesh.triangles)
    area += T3(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]]).area();
  return area;
}

TEST(PlaneMesh, ARectangleHasItsAreaAndItsCorners) {
  const PlaneMesh mesh = build_rectangle(3, 2, 5, 4);
  EXPECT_EQ(message_of(mesh), "no error");
  EXPECT_EQ(mesh.nodes.size(), 30u);
  EXPECT_EQ(mesh.triangles.size(), 40u);
  EXPECT_NEAR(area_of(mesh), 6, 1e-14);
  EXPECT_EQ(mesh.nodes.front(), Eigen::Vector2d(-1.5, -1));
  EXPECT_EQ(mesh.nodes.back(), Eigen::Vector2d(1.5, 1));
}

TEST(PlaneMesh, AnEvenRectangleIsItsOwnMirrorImage) {
  constexpr int nx = 4, ny = 3;
  const PlaneMesh mesh = build_rectangle(1, 1, nx, ny);
  const auto sorted = [](std::array<int, 3> t) { return std::sort(t.begin(), t.end()), t; };
  std::vector<std::array<int, 3>> here, there;
  for (const auto& t : mesh.triangles) {
    here.push_back(sorted(t));
    std::array<int, 3> image{};
    for (int k = 0; k < 3; ++k) image[k] = t[k] / (nx + 1) * (nx + 1) + nx - t[k] % (nx + 1);
    there.push_back(sorted(image));
  }
  std::sort(here.begin(), here.end());
  std::sort(there.begin(), there.end());
  EXPECT_EQ(here, there);
}

TEST(PlaneMesh, TheBoundaryGoesRoundCounterClockwise) {
  const PlaneMesh mesh = build_rectangle(3, 2, 3, 2);
  const auto edges = boundary_edges(mesh);
  ASSERT_EQ(edges.size(), 10u);
  double twice_area = 0, length = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    EXPECT_EQ(edges[i][1], edges[(i + 1) % edges.size()][0]);
    const Eigen::Vector2d a = mesh.nodes[edges[i][0]], b = mesh.nodes[edges[i][1]];
    twice_area += a.x() * b.y() - a.y() * b.x();
    length += (b - a).norm();
    // The outward normal is on the right of the edge: away from the centre.
    EXPECT_GT(Eigen::Vector2d(b.y() - a.y(), a.x() - b.x()).dot(a + b), 0);
  }
  EXPECT_NEAR(twice_area, 12, 1e-14);
  EXPECT_NEAR(length, 10, 1e-14);
  const std::vector<int> nodes = boundary_nodes(edges);
  EXPECT_EQ(nodes, (std::vector<int>{0, 1, 2, 3, 7, 11, 10, 9, 8, 4}));
}

TEST(PlaneMesh, AHoleIsFollowedClockwise) {
  PlaneMesh mesh = build_rectangle(3, 3, 3, 3);
  mesh.triangles.erase(mesh.triangles.begin() + 8, mesh.triangles.begin() + 10);  // the middle cell
  EXPECT_EQ(message_of(mesh), "no error");
  double twice_area = 0;
  const auto edges = boundary_edges(mesh);
  for (const auto& [from, to] : edges)
    twice_area += mesh.nodes[from].x() * mesh.nodes[to].y() - mesh.nodes[from].y() * mesh.nodes[to].x();
  EXPECT_EQ(edges.size(), 16u);
  EXPECT_NEAR(twice_area, 2 * (9 - 1), 1e-14);
}

TEST(PlaneMesh, MistakesNameTheElement) {
  const PlaneMesh good = build_rectangle(1, 1, 2, 1);
  PlaneMesh mesh = good;
  mesh.triangles[2][1] = 6;
  EXPECT_EQ(message_of(mesh), "mesh: node of element 2: got 6, allowed: 0 to 5");
  mesh = good;
  std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);
  EXPECT_EQ(message_of(mesh),
            "mesh: area of element 3: got -0.25, allowed: above 0, nodes counter-clockwise");
  mesh = good;
  mesh.nodes.emplace_back(5, 5);
  EXPECT_EQ(message_of(mesh), "mesh: node 6 belongs to no element");
  mesh = good;
  mesh.triangles.push_back(mesh.triangles[1]);
  EXPECT_EQ(message_of(mesh).substr(0, 52), "mesh: side 0-4 of element 4 in one direction with el");
  mesh = good;
  mesh.nodes[2].x() = std::nan("");
  EXPECT_EQ(message_of(mesh), "mesh: node 2 has a coordinate that is not finite");
  EXPECT_EQ(message_of({}), "mesh: a mesh without elements");
}

}  // namespace
}  // namespace saltus
