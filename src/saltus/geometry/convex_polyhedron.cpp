#include "saltus/geometry/convex_polyhedron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/corner_tree.hpp"
#include "saltus/geometry/hull.hpp"

namespace saltus {

namespace {

using Loop = std::vector<int>;
using Triangles = std::vector<std::array<int, 3>>;

// Number of the triangle that has each directed edge.
std::map<std::pair<int, int>, int> build_edge_owners(const Triangles& triangles) {
  std::map<std::pair<int, int>, int> owner;
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) owner[{triangles[t][k], triangles[t][(k + 1) % 3]}] = t;
  }
  return owner;
}

// Neighbours are one face when each lies in the plane of the larger one within the tolerance:
// growing outwards from the largest triangles keeps slivers from deciding where a face ends.
std::vector<int> group_coplanar(const std::vector<Vec<3>>& points, const Triangles& triangles,
                                double tolerance) {
  const int count = static_cast<int>(triangles.size());
  std::vector<Vec<3>> area(count);
  for (int t = 0; t < count; ++t) {
    const auto& [u, v, w] = triangles[t];
    area[t] = (points[v] - points[u]).cross(points[w] - points[u]);
  }
  std::vector<int> order(count), group(count, -1);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int s, int t) { return area[s].norm() > area[t].norm(); });
  const auto owner = build_edge_owners(triangles);
  std::vector<int> front;
  for (const int seed : order) {
    if (group[seed] >= 0) continue;
    const Vec<3> normal = area[seed].stableNormalized();
    const double offset = normal.dot(points[triangles[seed][0]]);
    group[seed] = seed;
    front.assign(1, seed);
    while (!front.empty()) {
      const auto t = triangles[front.back()];
      front.pop_back();
      for (int k = 0; k < 3; ++k) {
        const int next = owner.at({t[(k + 1) % 3], t[k]});
        const auto& c = triangles[next];
        const bool flat = std::all_of(
            c.begin(), c.end(), [&](int v) { return std::abs(normal.dot(points[v]) - offset) <= tolerance; });
        if (group[next] >= 0 || !flat) continue;
        group[next] = seed;
        front.push_back(next);
      }
    }
  }
  return group;
}

// The boundary of each group as a loop of corners; empty when a group is not a simple disk.
std::vector<Loop> build_loops(const Triangles& triangles, const std::vector<int>& group) {
  const auto owner = build_edge_owners(triangles);
  std::map<int, std::map<int, int>> next;  // per group: corner -> following corner
  for (const auto& [edge, t] : owner) {
    if (group[owner.at({edge.second, edge.first})] == group[t]) continue;
    if (!next[group[t]].emplace(edge.first, edge.second).second) return {};
  }
  std::vector<Loop> loops;
  for (const auto& [g, follow] : next) {
    Loop loop{follow.begin()->first};
    while (follow.at(loop.back()) != loop.front() && loop.size() <= follow.size()) {
      loop.push_back(follow.at(loop.back()));
    }
    if (loop.size() != follow.size()) return {};
    loops.push_back(std::move(loop));
  }
  return loops;
}

// A corner where only two faces meet lies inside an edge.
void drop_flat_corners(std::vector<Loop>& loops) {
  std::map<int, int> faces;
  for (const Loop& loop : loops) {
    for (const int v : loop) ++faces[v];
  }
  for (Loop& loop : loops) std::erase_if(loop, [&](int v) { return faces[v] < 3; });
}

void add_faces(const std::vector<Vec<3>>& points, const std::vector<Loop>& loops, ConvexPolyhedron& p) {
  std::map<int, int> number;
  for (const Loop& loop : loops) {
    for (const int v : loop) number.emplace(v, 0);
  }
  for (auto& [v, n] : number) {
    n = static_cast<int>(p.vertices.size());
    p.vertices.push_back(points[v]);
  }
  p.face_begin.assign(1, 0);
  for (const Loop& loop : loops) {
    Vec<3> normal = Vec<3>::Zero();
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
      normal += (points[loop[k]] - points[loop[0]]).cross(points[loop[k + 1]] - points[loop[0]]);
    }
    p.normal.push_back(normal.stableNormalized());
    double offset = -1e300;
    for (const int v : loop) {
      p.face_vertex.push_back(number[v]);
      offset = std::max(offset, p.normal.back().dot(points[v]));
    }
    p.offset.push_back(offset);
    p.face_begin.push_back(static_cast<int>(p.face_vertex.size()));
  }
}

bool add_edges(ConvexPolyhedron& p) {
  std::map<std::pair<int, int>, int> owner;
  p.around_begin.assign(p.vertices.size() + 1, 0);
  for (int f = 0; f < p.faces(); ++f) {
    if (p.corners(f) < 3) return false;
    for (int k = 0; k < p.corners(f); ++k) {
      const int u = p.face_vertex[p.face_begin[f] + k];
      const int v = p.face_vertex[p.face_begin[f] + (k + 1) % p.corners(f)];
      if (!owner.emplace(std::pair(u, v), f).second) return false;
      ++p.around_begin[u + 1];
    }
  }
  for (const auto& [edge, f] : owner) {
    const auto twin = owner.find({edge.second, edge.first});
    if (twin == owner.end()) return false;
    if (edge.first < edge.second) p.edges.push_back({{edge.first, edge.second}, {f, twin->second}});
  }
  std::partial_sum(p.around_begin.begin(), p.around_begin.end(), p.around_begin.begin());
  p.around.resize(p.around_begin.back());
  std::vector<int> fill(p.around_begin.begin(), p.around_begin.end() - 1);
  for (int f = 0; f < p.faces(); ++f) {
    for (int k = p.face_begin[f]; k < p.face_begin[f + 1]; ++k) p.around[fill[p.face_vertex[k]]++] = f;
  }
  // Euler: corners - edges + faces = 2 for a closed surface without holes.
  return p.vertices.size() + p.normal.size() == p.edges.size() + 2;
}

// No point lies above a face. (To ask this at the edges alone is not enough: near a flat place a face that is turned
// inside out passes within the tolerance.)
bool holds_all(const ConvexPolyhedron& p, const std::vector<Vec<3>>& points, double tolerance) {
  const CornerTree tree(points);
  int farthest = 0;
  for (std::size_t f = 0; f < p.normal.size(); ++f) {
    farthest = tree.farthest(p.normal[f], farthest);
    if (p.normal[f].dot(points[static_cast<std::size_t>(farthest)]) - p.offset[f] > tolerance) return false;
  }
  return true;
}

// The hull with triangles that lie in one plane within the tolerance (m) as one face; none where what is taken as flat
// and the round-off of the points do not make a closed convex surface.
std::optional<ConvexPolyhedron> try_polyhedron(const std::vector<Vec<3>>& points, double tolerance) {
  const Triangles triangles = compute_hull_triangles(points, tolerance);
  if (triangles.empty()) return std::nullopt;
  std::vector<Loop> loops = build_loops(triangles, group_coplanar(points, triangles, tolerance));
  drop_flat_corners(loops);
  ConvexPolyhedron p;
  add_faces(points, loops, p);
  if (p.faces() >= 4 && add_edges(p) && holds_all(p, points, 10 * tolerance)) return p;
  return std::nullopt;
}

}  // namespace

ConvexPolyhedron build_convex_polyhedron(const std::vector<Vec<3>>& points, const std::string& where,
                                         double flatness) {
  if (points.empty()) throw InputError(where, "a convex polyhedron needs points");
  Vec<3> low = points[0], high = points[0];
  for (const Vec<3>& x : points) {
    if (!x.allFinite()) throw InputError(where, "a corner of a convex polyhedron is not finite");
    low = low.cwiseMin(x), high = high.cwiseMax(x);
  }
  const double size = std::max((high - low).maxCoeff(), 1e-300);
  // Round-off of a plane through points far from the origin scales with their coordinates.
  const double extent = std::max(size, points[0].cwiseAbs().maxCoeff());
  const double round_off = 1e-14 * extent;
  // Each retry takes more of the nearly flat corners as flat.
  for (double tolerance = flatness * size + round_off; tolerance < 1e-4 * size; tolerance *= 10)
    if (auto p = try_polyhedron(points, tolerance)) return std::move(*p);
  // Of very many points on a round stone neighbours lie in one plane within any such tolerance, by chance and by
  // curvature, and more so the coarser it is: then less is taken as flat, as long as the whole is not.
  if (spans_volume(points, flatness * size + round_off))
    for (double part = flatness / 10; part > 1e-13; part /= 10)
      if (auto p = try_polyhedron(points, part * size + round_off)) return std::move(*p);
  throw InputError(where, "the points of a convex polyhedron do not span a volume",
                   fmt::format("{} points in a box of {} x {} x {}", points.size(), high.x() - low.x(),
                               high.y() - low.y(), high.z() - low.z()),
                   "at least 4 points that do not lie in one plane");
}

}  // namespace saltus
