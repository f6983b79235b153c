#include "saltus/viewing/view_shapes.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "saltus/exchange/surface_mesh.hpp"

namespace saltus {

namespace {

constexpr int kSidesOfRound = 24;
// Below it two faces are one round surface: neighbours on 24 sides are 15 degrees apart.
constexpr double kSharpCosine = 0.85;

Vec<3> normal_of(const SurfaceMesh& mesh, std::int32_t begin, std::int32_t end) {
  Vec<3> sum = Vec<3>::Zero();
  const auto at = [&](std::int32_t k) -> const Vec<3>& {
    return mesh.points[static_cast<std::size_t>(mesh.corners[static_cast<std::size_t>(k)])];
  };
  for (std::int32_t k = begin + 1; k + 1 < end; ++k) sum += (at(k) - at(begin)).cross(at(k + 1) - at(begin));
  return sum.norm() > 0 ? Vec<3>(sum.normalized()) : sum;
}

// Borders, and edges between faces that are not of one round surface.
std::vector<std::pair<std::int32_t, std::int32_t>> find_edges(const SurfaceMesh& mesh) {
  struct Edge {
    Vec<3> normal;
    int faces = 0;
    bool sharp = false;
  };
  std::map<std::pair<std::int32_t, std::int32_t>, Edge> found;
  std::int32_t begin = 0;
  for (const std::int32_t end : mesh.ends) {
    const Vec<3> normal = normal_of(mesh, begin, end);
    for (std::int32_t k = begin; k < end; ++k) {
      const std::int32_t next = k + 1 < end ? k + 1 : begin;
      Edge& edge = found[std::minmax(mesh.corners[static_cast<std::size_t>(k)],
                                     mesh.corners[static_cast<std::size_t>(next)])];
      if (edge.faces++ > 0)
        edge.sharp |= edge.normal.dot(normal) < kSharpCosine;
      else
        edge.normal = normal;
    }
    begin = end;
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (const auto& [ends, edge] : found)
    if (edge.faces == 1 || edge.sharp) edges.push_back(ends);
  return edges;
}

}  // namespace

template <int Dim>
int ViewShapes::add(const Shape<Dim>& shape, double extent, const Vec<3>& middle) {
  ViewShape row;
  row.point_begin = static_cast<std::int32_t>(points_.size() / 3);
  row.triangle_begin = static_cast<std::int32_t>(triangles_.size() / 3);
  row.edge_begin = static_cast<std::int32_t>(edges_.size() / 2);
  if (const auto* ball = std::get_if<Ball<Dim>>(&shape)) {
    row.radius = ball->radius;
  } else {
    SurfaceOptions options;
    options.sides = kSidesOfRound, options.extent = extent, options.middle = middle;
    const SurfaceMesh mesh = build_surface_mesh<Dim>(shape, options);
    for (const Vec<3>& x : mesh.points)
      for (int k = 0; k < 3; ++k) points_.push_back(static_cast<float>(x[k]));
    std::int32_t begin = 0;
    for (const std::int32_t end : mesh.ends) {
      for (std::int32_t k = begin + 1; k + 1 < end; ++k)
        for (const std::int32_t corner : {begin, k, k + 1})
          triangles_.push_back(mesh.corners[static_cast<std::size_t>(corner)]);
      begin = end;
    }
    for (const auto& [from, to] : find_edges(mesh)) edges_.push_back(from), edges_.push_back(to);
  }
  row.point_count = static_cast<std::int32_t>(points_.size() / 3) - row.point_begin;
  row.triangle_count = static_cast<std::int32_t>(triangles_.size() / 3) - row.triangle_begin;
  row.edge_count = static_cast<std::int32_t>(edges_.size() / 2) - row.edge_begin;
  shapes_.push_back(row);
  return static_cast<int>(shapes_.size()) - 1;
}

template int ViewShapes::add<2>(const Shape<2>&, double, const Vec<3>&);
template int ViewShapes::add<3>(const Shape<3>&, double, const Vec<3>&);

}  // namespace saltus
