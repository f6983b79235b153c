#include "saltus/meshes/grid_mesh.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_surface.hpp"

namespace saltus {

namespace {

// A point of a cell in steps of its lattice.
template <int Dim>
using CellPoint = std::array<int, Dim>;

// The elements of a cell by their corners. `steps` is how many steps of the lattice a cell is wide.
template <int Dim>
struct CellPattern {
  int steps = 1;
  std::vector<std::vector<CellPoint<Dim>>> elements;
};

bool is_quadratic(ElementKind kind) { return node_count(kind) > corner_count(kind); }

CellPattern<2> plane_pattern(const MeshGrid<2>& grid, bool is_even) {
  if (corner_count(grid.kind) == 4) return {1, {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}};
  if (grid.pattern == TrianglePattern::alternating)
    return is_even ? CellPattern<2>{1, {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}}}
                   : CellPattern<2>{1, {{{0, 0}, {1, 0}, {0, 1}}, {{1, 0}, {1, 1}, {0, 1}}}};
  const int stride = grid.pattern == TrianglePattern::four ? 2 : 1;
  const CellPoint<2> round[8] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  CellPattern<2> pattern{2, {}};
  for (int k = 0; k < 8; k += stride) pattern.elements.push_back({round[k], round[(k + stride) % 8], {1, 1}});
  return pattern;
}

// Kuhn's cut: one tetrahedron for each order of the three axes, along the way from (0,0,0) to (1,1,1).
CellPattern<3> space_pattern(const MeshGrid<3>& grid) {
  if (corner_count(grid.kind) == 8)
    return {1, {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}};
  CellPattern<3> pattern;
  const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int k = 0; k < 6; ++k) {
    std::vector<CellPoint<3>> corners{{0, 0, 0}};
    for (const int axis : orders[k]) {
      corners.push_back(corners.back());
      ++corners.back()[axis];
    }
    if (k >= 3) std::swap(corners[1], corners[2]);  // the last three orders are left-handed
    pattern.elements.push_back(corners);
  }
  return pattern;
}

template <int Dim>
CellPattern<Dim> cell_pattern(const MeshGrid<Dim>& grid, bool is_even) {
  if constexpr (Dim == 2)
    return plane_pattern(grid, is_even);
  else
    return space_pattern(grid);
}

// Ends of the side whose middle is node `middle`, as in element_kind.hpp.
std::pair<int, int> ends_of(ElementKind kind, int middle) {
  static const std::array<std::pair<int, int>, 12> kHexahedron = {
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
  static const std::array<std::pair<int, int>, 6> kTetrahedron = {
      {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
  const int corners = corner_count(kind), k = middle - corners;
  if (kind == ElementKind::h20) return kHexahedron[k];
  if (kind == ElementKind::t10) return kTetrahedron[k];
  return {k, (k + 1) % corners};
}

// Places of the points of a lattice in [0, 1]: ends of cells in a geometric row, points within a cell at equal steps.
std::vector<double> lattice_places(int cells, int steps, double grading) {
  const double growth = cells > 1 ? std::log(grading) / (cells - 1) : 0;
  const auto end = [&](int i) {
    return growth == 0 ? static_cast<double>(i) / cells : std::expm1(growth * i) / std::expm1(growth * cells);
  };
  std::vector<double> places;
  for (int i = 0; i < cells; ++i)
    for (int k = 0; k < steps; ++k) places.push_back(end(i) + (end(i + 1) - end(i)) * k / steps);
  places.push_back(1);
  return places;
}

template <int Dim>
class GridBuilder {
 public:
  GridBuilder(const MeshGrid<Dim>& grid) : grid_(grid) {
    steps_ = cell_pattern(grid, true).steps * (is_quadratic(grid.kind) ? 2 : 1);
    for (int d = 0; d < Dim; ++d) places_[d] = lattice_places(grid.cells[d], steps_, grid.grading[d]);
    std::size_t size = 1;
    for (const auto& places : places_) size *= places.size();
    number_.assign(size, -1);
  }

  SolidMesh<Dim> build(const GridMap<Dim>& map, const GridSides<Dim>& sides) {
    const CellPattern<Dim> patterns[2] = {cell_pattern(grid_, true), cell_pattern(grid_, false)};
    IntVec<Dim> cell = IntVec<Dim>::Zero();
    for (int at = 0; at < Dim;) {
      add_cell(cell, patterns[cell.sum() % 2]);
      for (at = 0; at < Dim && ++cell[at] == grid_.cells[at]; ++at) cell[at] = 0;
    }
    add_nodes(map);
    add_sides(sides);
    return std::move(mesh_);
  }

 private:
  std::size_t lattice_index(const IntVec<Dim>& point) const {
    std::size_t index = 0;
    for (int d = Dim - 1; d >= 0; --d) index = index * places_[d].size() + static_cast<std::size_t>(point[d]);
    return index;
  }

  void add_cell(const IntVec<Dim>& cell, const CellPattern<Dim>& pattern) {
    const int scale = steps_ / pattern.steps, corners = corner_count(grid_.kind),
              count = node_count(grid_.kind);
    std::array<IntVec<Dim>, kMostElementNodes> points;
    std::array<int, kMostElementNodes> own{};
    for (const auto& element : pattern.elements) {
      for (int k = 0; k < corners; ++k)
        for (int d = 0; d < Dim; ++d) points[k][d] = cell[d] * steps_ + element[k][d] * scale;
      for (int k = corners; k < count; ++k) {
        const auto [a, b] = ends_of(grid_.kind, k);
        points[k] = (points[a] + points[b]) / 2;  // the lattice has a point there
      }
      for (int k = 0; k < count; ++k) {
        own[k] = static_cast<int>(lattice_index(points[k]));
        number_[own[k]] = 0;
      }
      mesh_.add_element(grid_.kind, {own.data(), static_cast<std::size_t>(count)});
    }
  }

  void add_nodes(const GridMap<Dim>& map) {
    for (std::size_t i = 0; i < number_.size(); ++i) {
      if (number_[i] < 0) continue;
      number_[i] = static_cast<int>(mesh_.nodes.size());
      Vec<Dim> place;
      IntVec<Dim> point;
      std::size_t rest = i;
      for (int d = 0; d < Dim; ++d) {
        point[d] = static_cast<int>(rest % places_[d].size());
        place[d] = places_[d][point[d]];
        rest /= places_[d].size();
      }
      mesh_.nodes.push_back(map(place));
      points_.push_back(point);
    }
    for (int& node : mesh_.connectivity) node = number_[node];
  }

  void add_sides(const GridSides<Dim>& names) {
    std::array<std::vector<MeshSide>, 2 * Dim> found;
    for (const MeshSide& side : compute_boundary_sides(mesh_)) {
      const auto& element = mesh_.elements[side.element];
      const auto local = face_nodes(element.kind, side.face);
      for (int d = 0; d < Dim; ++d)
        for (int end = 0; end < 2; ++end) {
          const int level = end == 0 ? 0 : static_cast<int>(places_[d].size()) - 1;
          bool on = true;
          for (const int k : local) on = on && points_[mesh_.nodes_of(element)[k]][d] == level;
          if (on) found[2 * d + end].push_back(side);
        }
    }
    for (int s = 0; s < 2 * Dim; ++s)
      if (!names[s].empty()) mesh_.side_groups.push_back({names[s], std::move(found[s])});
  }

  const MeshGrid<Dim>& grid_;
  int steps_ = 1;  // of the lattice in a cell
  std::array<std::vector<double>, Dim> places_;
  std::vector<int> number_;          // of a point of the lattice, -1: no node
  std::vector<IntVec<Dim>> points_;  // of the lattice, for each node
  SolidMesh<Dim> mesh_;
};

}  // namespace

template <int Dim>
GridSides<Dim> box_sides() {
  if constexpr (Dim == 2)
    return {"left", "right", "bottom", "top"};
  else
    return {"left", "right", "bottom", "top", "front", "back"};
}

template <int Dim>
void check_grid(const MeshGrid<Dim>& grid, const std::string& where) {
  if (dimension_of(grid.kind) != Dim)
    throw InputError(where, "kind of elements", name(grid.kind),
                     Dim == 2 ? "t3, t6, q4, q8" : "t4, t10, h8, h20");
  double elements = static_cast<double>(cell_pattern(grid, true).elements.size());
  for (int d = 0; d < Dim; ++d) {
    if (grid.cells[d] < 1)
      throw InputError(where, "cells in a direction", fmt::format("{}", grid.cells[d]), "1 or more");
    if (!(grid.grading[d] >= 1e-6 && grid.grading[d] <= 1e6))
      throw InputError(where, "grading (last cell over first)", fmt::format("{}", grid.grading[d]),
                       "1e-6 to 1e6");
    elements *= grid.cells[d];
  }
  // A lattice has up to eight points for each element that come into nodes: int must count them.
  if (elements > 1e8 / (is_quadratic(grid.kind) ? 8 : 1))
    throw InputError(where, "number of elements", fmt::format("{:g}", elements),
                     is_quadratic(grid.kind) ? "up to 1.25e7" : "up to 1e8");
}

template <int Dim>
SolidMesh<Dim> build_grid_mesh(const MeshGrid<Dim>& grid, const GridMap<Dim>& map,
                               const GridSides<Dim>& sides, const std::string& where) {
  check_grid(grid, where);
  return GridBuilder<Dim>(grid).build(map, sides);
}

template GridSides<2> box_sides<2>();
template GridSides<3> box_sides<3>();
template void check_grid(const MeshGrid<2>&, const std::string&);
template void check_grid(const MeshGrid<3>&, const std::string&);
template SolidMesh<2> build_grid_mesh(const MeshGrid<2>&, const GridMap<2>&, const GridSides<2>&,
                                      const std::string&);
template SolidMesh<3> build_grid_mesh(const MeshGrid<3>&, const GridMap<3>&, const GridSides<3>&,
                                      const std::string&);

}  // namespace saltus
