// Meshes of simple bodies by rule. Lengths in m, angles in rad.
//
// Sides are named: left, right at the ends of x, bottom, top of y, front, back of z; outer and inner where a body is round.
// All throw InputError at `where` for sizes that are not positive, and as build_grid_mesh does.
#pragma once

#include <array>
#include <numbers>
#include <string>

#include "saltus/meshes/grid_mesh.hpp"

namespace saltus {

// A rectangle or a box about the origin.
template <int Dim>
SolidMesh<Dim> build_box_mesh(const Vec<Dim>& size, const MeshGrid<Dim>& grid, const std::string& where);

// A bar along x from 0 to size[0], its section about the axis.
template <int Dim>
SolidMesh<Dim> build_bar_mesh(const Vec<Dim>& size, const MeshGrid<Dim>& grid, const std::string& where);

// A quadrilateral by its corners counter-clockwise, convex; bottom is the side from the first to the second, right the next.
// Cook's membrane: (0,0), (48,44), (48,60), (0,44).
SolidMesh<2> build_quadrilateral_mesh(const std::array<Vec<2>, 4>& corners, const MeshGrid<2>& grid,
                                      const std::string& where);

// Between two radii about the origin, from one angle to another; cells along the radius, round(, along z). Sides: inner,
// outer, bottom at the first angle, top at the last(, front, back). A full turn closes and has no bottom nor top. In space
// `height` is along z, about the origin.
template <int Dim>
struct RingSector {
  double inner = 1, outer = 2;
  double from = 0, to = 2 * std::numbers::pi;
  double height = 1;
};
template <int Dim>
SolidMesh<Dim> build_ring_mesh(const RingSector<Dim>& ring, const MeshGrid<Dim>& grid,
                               const std::string& where);

// A disk about the origin: a core of n x n cells and rings of 4 n cells round it. Side: outer.
struct DiskGrid {
  ElementKind kind = ElementKind::q4;
  int core = 4;        // n: cells along a side of the core
  int rings = 4;       // cells from the core to the circle
  double grading = 1;  // last ring over first
};
SolidMesh<2> build_disk_mesh(double radius, const DiskGrid& grid, const std::string& where);

// The disk (q4 for h8, q8 for h20) drawn along z, about the origin. Sides: outer, front, back.
SolidMesh<3> build_cylinder_mesh(double radius, double height, const DiskGrid& grid, int layers,
                                 const std::string& where, double layer_grading = 1);

}  // namespace saltus
