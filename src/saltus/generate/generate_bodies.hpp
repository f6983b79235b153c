// Bodies from lists of grains, and the walls of a box.
#pragma once

#include <string>
#include <vector>

#include "saltus/generate/generate_grid.hpp"
#include "saltus/generate/generate_masonry.hpp"
#include "saltus/generate/generate_shapes.hpp"
#include "saltus/geometry/convex_cell.hpp"

namespace saltus {

// Disks or spheres, named after the model (or "grain") and numbered.
template <int Dim>
std::vector<SceneBody<Dim>> build_grains(const std::vector<Grain<Dim>>& grains,
                                         const Structure<Dim>& structure);

// Shapes drawn within the circles (spheres) of the grains, named alike.
template <int Dim>
std::vector<SceneBody<Dim>> build_grains(const std::vector<Grain<Dim>>& grains, const GrainShape& shape,
                                         SplitMix64& random, const Structure<Dim>& structure);

// Cells as polygons or polyhedra, each in a frame at its centre of mass; named after the model (or "cell").
template <int Dim>
std::vector<SceneBody<Dim>> build_cells(const std::vector<ConvexCell<Dim>>& cells,
                                        const Structure<Dim>& structure);

// Fixed half-planes or planes that close a box from outside. Side 2 d is the one at low[d], side 2 d + 1 at
// high[d]; only those in `sides` are built, named wall-x-, wall-x+, ...
template <int Dim>
std::vector<SceneBody<Dim>> build_walls(const Vec<Dim>& low, const Vec<Dim>& high,
                                        const std::vector<int>& sides, const Structure<Dim>& structure);
// x-, x+, y-, y+ (, z-, z+)
template <int Dim>
const std::vector<std::string>& side_names();

// The lattice of spheres that codes of this field were compared on: loop z, y, x; pitch 0.24 m; draws in the
// order radius, x, y, z from splitmix64: radius 0.1 (0.9 + 0.2 u), each coordinate off its site by 0.01 (2u -
// 1).
std::vector<Grain<3>> build_jittered_lattice(const IntVec<3>& sites, std::int64_t count, std::uint64_t seed);

}  // namespace saltus
