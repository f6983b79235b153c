// A mesh of triangles in the plane, and its boundary.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

namespace saltus {

struct PlaneMesh {
  std::vector<Eigen::Vector2d> nodes;         // m
  std::vector<std::array<int, 3>> triangles;  // nodes counter-clockwise
};

// Throws InputError that names the element or node: a node that does not exist, an area that is not positive, a
// node of no element, a side of two elements in one direction (they overlap, or three meet).
void check_mesh(const PlaneMesh& mesh, const std::string& where);

// width x height about the origin, nx x ny cells of two triangles. Their diagonals alternate like the squares of
// a chessboard: with an even number of cells in a direction the mesh is its own mirror image in it. Node (i, j),
// counted from the lower left corner, is number j (nx + 1) + i.
PlaneMesh build_rectangle(double width, double height, int nx, int ny);

// Sides of one element only, each from its first to its second node with the body on its left: outlines are
// counter-clockwise, holes clockwise, and the outward normal is on the right. An outline follows the other,
// edges of each in a row.
std::vector<std::array<int, 2>> boundary_edges(const PlaneMesh& mesh);
// The first nodes of these edges: each node of the boundary once (unless two outlines touch there).
std::vector<int> boundary_nodes(const std::vector<std::array<int, 2>>& edges);

}  // namespace saltus
