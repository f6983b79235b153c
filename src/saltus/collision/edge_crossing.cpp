#include "saltus/collision/edge_crossing.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr double kParallel = 0.02;  // sine of the angle between the edges
constexpr double kSlack = 0.3,
                 kDeepSlack = 0.1;  // sine of the angle between d and a face; of what is deeper than `kNear`
constexpr double kBeyond = 0.01;    // of an edge: so far past its end it crosses still
constexpr double kNear = 0.05;      // of the shorter edge: this deep is near whatever is beside it

// Where two lines are nearest to each other, if they are not parallel.
struct Meeting {
  Vec<3> across;            // along_a x along_b
  double square;            // of it
  double share_a, share_b;  // of the way along each
  bool is_on_both = false;
};

Meeting meet(const Segment& a, const Segment& b) {
  const Vec<3> along_a = a.end - a.start, along_b = b.end - b.start, arm = b.start - a.start;
  Meeting m{along_a.cross(along_b), 0, 0, 0, false};
  m.square = m.across.squaredNorm();
  if (!(m.square > kParallel * kParallel * along_a.squaredNorm() * along_b.squaredNorm())) return m;
  m.share_a = arm.cross(along_b).dot(m.across) / m.square;
  m.share_b = arm.cross(along_a).dot(m.across) / m.square;
  const auto is_on = [](double share) { return share >= -kBeyond && share <= 1 + kBeyond; };
  m.is_on_both = is_on(m.share_a) && is_on(m.share_b);
  return m;
}

// Do both faces beside the edge fall away from d, and is what lies behind it along d within the solid?
bool reaches_out(const SharpEdge& edge, const Vec<3>& along, const Vec<3>& d, double slack) {
  const Vec<3> left = edge.normals[0].cross(along), right = along.cross(edge.normals[1]);  // into the faces
  return left.dot(d) <= slack && right.dot(d) <= slack && edge.normals[0].dot(d) >= -slack &&
         edge.normals[1].dot(d) >= -slack;
}

}  // namespace

bool may_cross(const Segment& a, const Segment& b, double farthest) {
  const Meeting m = meet(a, b);
  if (!m.is_on_both) return false;
  const double height = m.across.dot(b.start - a.start);
  return height * height <= farthest * farthest * m.square;
}

std::optional<EdgeCrossing> find_crossing(const SharpEdge& a, const SharpEdge& b, double reach) {
  const Meeting m = meet(a, b);
  if (!m.is_on_both) return std::nullopt;
  const Vec<3> along_a = a.end - a.start, along_b = b.end - b.start;
  const double length_a = along_a.norm(), length_b = along_b.norm();
  Vec<3> d = m.across / std::sqrt(m.square);
  if (d.dot(a.normals[0] + a.normals[1]) < 0) d = -d;
  const double gap = d.dot(b.start - a.start);
  if (!(gap <= reach) || -gap > std::min(a.deepest, b.deepest)) return std::nullopt;
  const double to_end =
      std::min(length_a * std::min(m.share_a, 1 - m.share_a), length_b * std::min(m.share_b, 1 - m.share_b));
  const double near = kNear * std::min(length_a, length_b), slack = -gap > near ? kDeepSlack : kSlack;
  if (-gap > to_end + near) return std::nullopt;
  if (!reaches_out(a, along_a / length_a, d, slack) || !reaches_out(b, along_b / length_b, -d, slack))
    return std::nullopt;
  return EdgeCrossing{a.start + m.share_a * along_a + 0.5 * gap * d, d, gap};
}

}  // namespace saltus
