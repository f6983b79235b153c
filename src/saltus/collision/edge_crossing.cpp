#include "saltus/collision/edge_crossing.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr double kParallel = 0.02;  // sine of the angle between the edges
constexpr double kSlack = 0.1;      // sine of the angle between d and a face
constexpr double kBeyond = 0.01;    // of an edge: so far past its end it crosses still
constexpr double kNear = 0.05;      // of the shorter edge: this deep is near whatever is beside it

// Do both faces beside the edge fall away from d, and is what lies behind it along d within the solid?
bool reaches_out(const SharpEdge& edge, const Vec<3>& along, const Vec<3>& d) {
  const Vec<3> left = edge.normals[0].cross(along), right = along.cross(edge.normals[1]);  // into the faces
  return left.dot(d) <= kSlack && right.dot(d) <= kSlack && edge.normals[0].dot(d) >= -kSlack &&
         edge.normals[1].dot(d) >= -kSlack;
}

}  // namespace

std::optional<EdgeCrossing> find_crossing(const SharpEdge& a, const SharpEdge& b, double reach) {
  const Vec<3> along_a = a.end - a.start, along_b = b.end - b.start, across = along_a.cross(along_b);
  const double length_a = along_a.norm(), length_b = along_b.norm(), square = across.squaredNorm();
  if (!(square > std::pow(kParallel * length_a * length_b, 2))) return std::nullopt;
  Vec<3> d = across / std::sqrt(square);
  if (d.dot(a.normals[0] + a.normals[1]) < 0) d = -d;
  const Vec<3> arm = b.start - a.start;
  const double gap = d.dot(arm);
  if (!(gap <= reach) || -gap > std::min(a.deepest, b.deepest)) return std::nullopt;
  const double share_a = arm.cross(along_b).dot(across) / square;
  const double share_b = arm.cross(along_a).dot(across) / square;
  const auto is_on_edge = [](double share) { return share >= -kBeyond && share <= 1 + kBeyond; };
  if (!is_on_edge(share_a) || !is_on_edge(share_b)) return std::nullopt;
  const double to_end =
      std::min(length_a * std::min(share_a, 1 - share_a), length_b * std::min(share_b, 1 - share_b));
  if (-gap > to_end + kNear * std::min(length_a, length_b)) return std::nullopt;
  if (!reaches_out(a, along_a / length_a, d) || !reaches_out(b, along_b / length_b, -d)) return std::nullopt;
  return EdgeCrossing{a.start + share_a * along_a + 0.5 * gap * d, d, gap};
}

}  // namespace saltus
