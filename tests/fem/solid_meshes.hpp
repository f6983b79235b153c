// Meshes of every kind of solid element for tests.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "saltus/fem/element_shape.hpp"
#include "saltus/fem/solid_mesh.hpp"

namespace saltus::testing {

inline const std::vector<ElementKind> kPlaneKinds = {ElementKind::t3, ElementKind::t6, ElementKind::q4,
                                                     ElementKind::q8};
inline const std::vector<ElementKind> kSpaceKinds = {ElementKind::t4, ElementKind::t10, ElementKind::h8,
                                                     ElementKind::h20};
template <int Dim>
const std::vector<ElementKind>& kinds_of() {
  return Dim == 2 ? kPlaneKinds : kSpaceKinds;
}
inline bool is_simplex(ElementKind kind) { return corner_count(kind) == dimension_of(kind) + 1; }
inline bool is_quadratic(ElementKind kind) { return node_count(kind) > corner_count(kind); }

// The corner elements of one cell, from its 4 or 8 corners in VTK's order.
inline std::vector<std::vector<int>> split_cell(ElementKind kind, const std::vector<int>& c) {
  if (!is_simplex(kind)) return {c};
  if (c.size() == 4) return {{c[0], c[1], c[2]}, {c[0], c[2], c[3]}};
  return {{c[0], c[1], c[2], c[6]}, {c[0], c[2], c[3], c[6]}, {c[0], c[3], c[7], c[6]},
          {c[0], c[7], c[4], c[6]}, {c[0], c[4], c[5], c[6]}, {c[0], c[5], c[1], c[6]}};
}

inline std::vector<std::array<int, 2>> middles_of(ElementKind kind) {
  if (!is_quadratic(kind)) return {};
  if (kind == ElementKind::t6) return {{0, 1}, {1, 2}, {2, 0}};
  if (kind == ElementKind::q8) return {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  if (kind == ElementKind::t10) return {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  return {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
}

// The unit square or cube in cells, its corners moved by `place`, middles put half way (or moved too: `curved`). Side
// groups "x0" "x1" "y0" ... and node groups of the same names: where a coordinate of the unit cube is 0 or 1.
template <int Dim>
SolidMesh<Dim> grid_mesh(
    ElementKind kind, const std::array<int, Dim>& cells,
    const std::function<Eigen::Matrix<double, Dim, 1>(Eigen::Matrix<double, Dim, 1>)>& place,
    bool curved = false) {
  using Point = Eigen::Matrix<double, Dim, 1>;
  SolidMesh<Dim> mesh;
  std::vector<Point> unit;
  const int nz = Dim == 3 ? cells[Dim - 1] : 0;
  const auto corner = [&](int i, int j, int k) { return (k * (cells[1] + 1) + j) * (cells[0] + 1) + i; };
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= cells[1]; ++j)
      for (int i = 0; i <= cells[0]; ++i) {
        Point p;
        p[0] = double(i) / cells[0];
        p[1] = double(j) / cells[1];
        if constexpr (Dim == 3) p[2] = double(k) / nz;
        unit.push_back(p);
      }
  for (const Point& p : unit) mesh.nodes.push_back(place(p));
  std::map<std::array<int, 2>, int> middles;
  for (int k = 0; k < std::max(1, nz); ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i) {
        std::vector<int> c = {corner(i, j, k), corner(i + 1, j, k), corner(i + 1, j + 1, k),
                              corner(i, j + 1, k)};
        if (Dim == 3)
          for (int t = 0; t < 4; ++t) c.push_back(c[t] + (cells[0] + 1) * (cells[1] + 1));
        for (std::vector<int> own : split_cell(kind, c)) {
          for (const auto& [a, b] : middles_of(kind)) {
            const std::array<int, 2> edge = {std::min(own[a], own[b]), std::max(own[a], own[b])};
            const auto [at, fresh] = middles.try_emplace(edge, static_cast<int>(mesh.nodes.size()));
            if (fresh) {
              unit.push_back(0.5 * (unit[own[a]] + unit[own[b]]));
              mesh.nodes.push_back(curved ? place(unit.back())
                                          : Point(0.5 * (mesh.nodes[own[a]] + mesh.nodes[own[b]])));
            }
            own.push_back(at->second);
          }
          mesh.add_element(kind, own);
        }
      }
  for (int d = 0; d < Dim; ++d)
    for (int end = 0; end < 2; ++end) {
      const std::string name = std::string(1, "xyz"[d]) + (end == 0 ? "0" : "1");
      typename SolidMesh<Dim>::NodeGroup nodes{name, {}};
      for (int n = 0; n < static_cast<int>(unit.size()); ++n)
        if (unit[n][d] == end) nodes.nodes.push_back(n);
      mesh.node_groups.push_back(nodes);
      typename SolidMesh<Dim>::SideGroup sides{name, {}};
      for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
        for (int f = 0; f < face_count(kind); ++f) {
          bool all = true;
          for (const int local : face_nodes(kind, f))
            all = all && unit[mesh.nodes_of(mesh.elements[e])[local]][d] == end;
          if (all) sides.sides.push_back({e, f});
        }
      mesh.side_groups.push_back(sides);
    }
  return mesh;
}

// No two elements alike; inner and outer nodes moved.
template <int Dim>
SolidMesh<Dim> distorted_mesh(ElementKind kind, int cells, double shift = 0) {
  std::array<int, Dim> count;
  count.fill(cells);
  return grid_mesh<Dim>(kind, count, [=](const Eigen::Matrix<double, Dim, 1>& p) {
    Eigen::Matrix<double, Dim, 1> x = p;
    for (int d = 0; d < Dim; ++d)
      x[d] += 0.12 / cells * std::sin(7.3 * p.sum() * cells + 2.9 * p[d] * cells + d);
    x[0] += shift;
    return x;
  });
}

template <int Dim>
const std::vector<int>& nodes_named(const SolidMesh<Dim>& mesh, const std::string& name) {
  for (const auto& group : mesh.node_groups)
    if (group.name == name) return group.nodes;
  throw std::runtime_error("no node group " + name);
}
template <int Dim>
const std::vector<MeshSide>& sides_named(const SolidMesh<Dim>& mesh, const std::string& name) {
  for (const auto& group : mesh.side_groups)
    if (group.name == name) return group.sides;
  throw std::runtime_error("no side group " + name);
}

}  // namespace saltus::testing
