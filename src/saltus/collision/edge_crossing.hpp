// Where a sharp edge of one solid crosses one of another: the contact that no corner and no face tells of.
//
// d, a unit vector at right angles to both edges, points out of a and into b. The edges touch along it where each of them is the
// farthest that its solid reaches: both faces beside it fall away from d (for b, from -d). Then
//
//     gap = d . (x_b - x_a)          x_a, x_b: the points of the two edges that are nearest to each other
//
// which is negative where the edges have passed each other. The angle between d and a face may be off by some (kSlack), so that edges of
// faces that lie flat on each other cross too, and those of soft bodies, whose facets lean as they swing.
#pragma once

#include <array>
#include <optional>

#include "saltus/geometry/contact_axes.hpp"

namespace saltus {

struct Segment {
  Vec<3> start, end;
};

struct SharpEdge : Segment {
  std::array<Vec<3>, 2>
      normals;         // outward unit normals of the faces on its left and on its right, seen from outside
  double deepest = 0;  // m: what is farther behind it is not meant
};

struct EdgeCrossing {
  Vec<3> point, normal;  // midway between the edges; from a to b
  double gap;
};

// Could they cross with a distance, of either sign, up to `farthest`? Cheap, and asked of edges before their normals are needed.
bool may_cross(const Segment& a, const Segment& b, double farthest);

// None: they do not cross (within a hundredth past their ends, where a corner that slides off may be on no face yet), are parallel
// (within kParallel), open by more than `reach`, or too deep: also much deeper than they are away from one of their ends, where the
// nearer way out is past it.
std::optional<EdgeCrossing> find_crossing(const SharpEdge& a, const SharpEdge& b, double reach);

}  // namespace saltus
