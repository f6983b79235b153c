#include "saltus/sim/crossing_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "saltus/collision/edge_crossing.hpp"

namespace saltus {

namespace {

constexpr double kSharp = 0.5;        // rad, between the normals of two facets
constexpr double kAtNode = 0.01;      // of the edge
constexpr double kSameNormal = 0.95;  // cosine
constexpr std::uint64_t kEdges = 3;   // of a facet

const FollowerPlace<3>& place_of(const SurfaceModel<3>& surface, int facet,
                                 std::span<const FollowerPlace<3>> places) {
  return places[surface.first_facet + facet];
}

Vec<3> corner(const FollowerPlace<3>& place, int k) { return place.pose.position + place.corners[k]; }

Segment segment_of(const FacetOfSurface& of, int k, const Vec<3>& offset,
                   std::span<const FollowerPlace<3>> places) {
  const FollowerPlace<3>& place = place_of(*of.surface, of.facet, places);
  return {corner(place, k) + offset, corner(place, (k + 1) % 3) + offset};
}

SharpEdge sharp_edge(const Segment& segment, const FacetOfSurface& of, int k,
                     std::span<const FollowerPlace<3>> places) {
  const FacetEdges& edges = of.surface->edges[of.facet];
  const auto normal_of = [&](int facet) {
    return facet_normal(std::span<const Vec<3>>(place_of(*of.surface, facet, places).corners));
  };
  return {segment, {normal_of(of.facet), normal_of(edges.beyond[k])}, edges.deepest};
}

bool has_edges(const FacetOfSurface& of) {
  const auto& beyond = of.surface->edges[of.facet].beyond;
  return std::any_of(beyond.begin(), beyond.end(), [](int facet) { return facet >= 0; });
}

// Follower of the point that is a corner of a facet; -1: it is none that touches.
int point_at(const FacetOfSurface& of, int k) {
  const ContactSurface<3>& surface = of.surface->surface;
  for (const int point : of.surface->points_of[of.facet])
    if (surface.touching[point] == surface.facets[of.facet].corners[k])
      return of.surface->first_point + point;
  return -1;
}

// `point`: where the crossing is on the edge.
bool ends_at_touching_node(const FacetOfSurface& of, int k, const Vec<3>& point,
                           const ContactPoint<3>& crossing, const Vec<3>& offset, int other_system,
                           std::span<const FollowerPlace<3>> places, const TouchedNodes& touched) {
  const FollowerPlace<3>& place = place_of(*of.surface, of.facet, places);
  const double near = kAtNode * (place.corners[(k + 1) % 3] - place.corners[k]).norm();
  const auto is_before = [](const TouchedPoint& p, const std::pair<int, int>& key) {
    return std::pair(p.body, p.follower) < key;
  };
  for (const int end : {k, (k + 1) % 3}) {
    const double distance = (corner(place, end) + offset - point).norm();
    const bool is_deep = distance < -crossing.gap - near;
    if (distance > near && !is_deep) continue;
    const int node = point_at(of, end);
    auto at = std::lower_bound(touched.points.begin(), touched.points.end(), std::pair(other_system, node),
                               is_before);
    for (; at != touched.points.end() && at->body == other_system && at->follower == node; ++at) {
      const bool is_same = std::abs(touched.contacts[at->slot].normal.dot(crossing.normal)) > kSameNormal;
      if ((is_deep || is_same) && at->gap <= near + std::max(0.0, crossing.gap)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<FacetEdges> find_sharp_edges(const ContactSurface<3>& surface, const SolidMesh<3>& mesh,
                                         std::span<const double> depths) {
  const auto place = [&](int point) {
    Vec<3> x = Vec<3>::Zero();
    const SurfacePoint& own = surface.points[point];
    for (std::size_t i = 0; i < own.nodes.size(); ++i) x += own.weights[i] * mesh.nodes[own.nodes[i]];
    return x;
  };
  const auto corners_of = [&](int facet) {
    const auto& own = surface.facets[facet].corners;
    return std::array{place(own[0]), place(own[1]), place(own[2])};
  };
  std::vector<FacetEdges> all(surface.facets.size());
  std::map<std::pair<int, int>, std::pair<int, int>>
      seen;  // an edge, by its ends: facet and which of its edges
  for (int f = 0; f < static_cast<int>(surface.facets.size()); ++f) {
    all[f].deepest = depths[f];
    for (int k = 0; k < 3; ++k) {
      const auto& own = surface.facets[f].corners;
      const auto [at, is_new] = seen.try_emplace(std::minmax(own[k], own[(k + 1) % 3]), f, k);
      if (is_new) continue;
      const auto [first, edge] = at->second;
      const auto one = corners_of(first), two = corners_of(f);
      const Vec<3> normal = facet_normal(one);
      const bool turns = normal.dot(facet_normal(two)) < std::cos(kSharp);
      if (!turns || normal.dot(two[0] + two[1] + two[2] - 3 * one[edge]) >= 0) continue;
      all[first].beyond[edge] = f;
      all[first].deepest = std::min(all[first].deepest, depths[f]);
    }
  }
  return all;
}

void add_crossings(const ContactPoint<3>& pair, const FacetOfSurface& a, const FacetOfSurface& b,
                   const Vec<3>& offset, std::span<const FollowerPlace<3>> places,
                   std::vector<ContactPoint<3>>& contacts) {
  if (!has_edges(a) || !has_edges(b)) return;
  const FacetEdges &edges_a = a.surface->edges[a.facet], &edges_b = b.surface->edges[b.facet];
  const double farthest = std::max(pair.gap, std::min(edges_a.deepest, edges_b.deepest));
  for (int i = 0; i < 3; ++i) {
    if (edges_a.beyond[i] < 0) continue;
    const Segment segment_a = segment_of(a, i, Vec<3>::Zero(), places);
    for (int j = 0; j < 3; ++j) {
      if (edges_b.beyond[j] < 0) continue;
      const Segment segment_b = segment_of(b, j, offset, places);
      if (!may_cross(segment_a, segment_b, farthest)) continue;
      const auto found =
          find_crossing(sharp_edge(segment_a, a, i, places), sharp_edge(segment_b, b, j, places), pair.gap);
      if (!found) continue;
      const std::uint64_t feature = kEdges * static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(j);
      contacts.push_back({pair.a, pair.b, feature, found->point, found->normal, found->gap, pair.image});
    }
  }
}

bool is_at_touching_node(const ContactPoint<3>& crossing, const FacetOfSurface& a, const FacetOfSurface& b,
                         const Vec<3>& offset, std::span<const FollowerPlace<3>> places,
                         const TouchedNodes& touched) {
  const int edge_a = static_cast<int>(crossing.feature / kEdges),
            edge_b = static_cast<int>(crossing.feature % kEdges);
  const Vec<3> half = 0.5 * crossing.gap * crossing.normal;
  return ends_at_touching_node(a, edge_a, crossing.point - half, crossing, Vec<3>::Zero(), b.surface->system,
                               places, touched) ||
         ends_at_touching_node(b, edge_b, crossing.point + half, crossing, offset, a.surface->system, places,
                               touched);
}

}  // namespace saltus
