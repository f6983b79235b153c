// Meshes of regular cells, mapped to any shape: what the generators of meshes/mesh_shapes.hpp are made of.
#pragma once

#include <functional>
#include <string>

#include "saltus/fem/solid_mesh.hpp"
#include "saltus/geometry/vec.hpp"

namespace saltus {

// How a cell of the plane is cut into triangles.
enum class TrianglePattern {
  alternating,  // two; diagonals alternate like the squares of a chessboard
  // Four, from the centre to the corners: five nodes.
  four,
  // Eight, from the centre to corners and middles of sides: nine nodes, and as symmetric as the cell. The block of Jean
  // (1999) fig. 7: eight T3 with mid points on its sides.
  eight
};

template <int Dim>
struct MeshGrid {
  ElementKind kind = Dim == 2 ? ElementKind::q4 : ElementKind::h8;
  IntVec<Dim> cells = IntVec<Dim>::Ones();
  // Size of the last cell over that of the first, in each direction; sizes between grow by one factor.
  Vec<Dim> grading = Vec<Dim>::Ones();
  TrianglePattern pattern = TrianglePattern::alternating;  // t3 and t6
};

// From [0, 1]^Dim to the body, right-handed.
template <int Dim>
using GridMap = std::function<Vec<Dim>(const Vec<Dim>&)>;

// Names of the sides at 0 and at 1 of each direction, two by two; "" for a side without a name.
template <int Dim>
using GridSides = std::array<std::string, 2 * Dim>;
template <int Dim>
GridSides<Dim> box_sides();  // left, right, bottom, top(, front, back): x, y(, z)

// Nodes are numbered along the first direction, then the second, then the third. Middle nodes of quadratic elements lie
// half way in the unit cube, so that curved sides are met by them. t4 and t10 come by six from a cell, cut alike (Kuhn),
// so that their faces fit. Throws InputError at `where`: a kind of the other dimension, counts below 1 or above 10^8
// elements in all, gradings outside of 1e-6 to 1e6.
template <int Dim>
SolidMesh<Dim> build_grid_mesh(const MeshGrid<Dim>& grid, const GridMap<Dim>& map,
                               const GridSides<Dim>& sides, const std::string& where);

// Throws as build_grid_mesh does.
template <int Dim>
void check_grid(const MeshGrid<Dim>& grid, const std::string& where);

}  // namespace saltus
