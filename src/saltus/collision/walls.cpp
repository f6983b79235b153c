#include "saltus/collision/walls.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

// Where a wall faces a point: the direction from wall to point, and the distance along it.
template <int Dim>
struct Facing {
  Vec<Dim> normal = Vec<Dim>::Zero();
  double distance = 0;
};

template <int Dim>
Facing<Dim> face(const HalfSpace<Dim>& wall, const Pose<Dim>& pose, const Vec<Dim>& x) {
  const Vec<Dim> normal = pose.rotated(wall.normal);
  return {normal, normal.dot(x - pose.position) - wall.offset};
}

// On the axis of a drum every direction is as good; one is taken, for a body too large for it.
template <int Dim>
Facing<Dim> face(const Hollow<Dim>& wall, const Pose<Dim>& pose, const Vec<Dim>& x) {
  const Vec<Dim> arm = x - pose.position;
  const double length = arm.norm();
  return {length > 0 ? Vec<Dim>(-arm / length) : Vec<Dim>(Vec<Dim>::UnitX()), wall.radius - length};
}

Facing<3> face(const HollowCylinder& wall, const Pose<3>& pose, const Vec<3>& x) {
  Vec<3> arm = pose.to_local(x);
  arm.z() = 0;
  const double length = arm.norm();
  const Vec<3> inwards = length > 0 ? Vec<3>(-arm / length) : Vec<3>(Vec<3>::UnitX());
  return {pose.rotated(inwards), wall.radius - length};
}

template <int Dim>
Facing<Dim> face(const Wall<Dim>& wall, const Pose<Dim>& pose, const Vec<Dim>& x) {
  return std::visit(
      [&](const auto& w) -> Facing<Dim> {
        if constexpr (requires { face(w, pose, x); }) {
          return face(w, pose, x);
        } else {
          return {};
        }
      },
      wall);
}

// The nearest points of a cylinder that its fixed rim points miss: on each rim the point nearest to
// the wall. Moving to the support along -normal can only come nearer, and settles in a few rounds.
void add_round_corners(const Wall<3>& wall, const Pose<3>& pose, const Piece<3>& piece, Feature<3>& corners) {
  const Vec<3> axis = piece.pose.rotation().col(2);
  for (const int side : {-1, 1}) {
    const Vec<3> cap = piece.centre + side * piece.half_length * axis;
    Vec<3> x = cap;
    for (int round = 0; round < 20; ++round) {
      const Vec<3> down = -face<3>(wall, pose, x).normal;
      const Vec<3> across = down - axis.dot(down) * axis;
      // Seen flat on, no point of the rim is nearer than the others.
      if (across.norm() < 1e-6) break;
      x = cap + piece.rim_radius * across.normalized();
    }
    if (x == cap) continue;
    corners.points.push_back(x);
    corners.labels.push_back(corner_label(2 * kRimPoints + (side + 1) / 2));
  }
}

// The points of an ellipsoid nearest to the wall: supports along -normal, followed until they stay, from the centre and, in a
// drum, where it may touch in more than one place, from the ends of its axes.
void add_smooth_points(const Wall<3>& wall, const Pose<3>& pose, const Piece<3>& piece, Feature<3>& corners) {
  constexpr int kRounds = 50;
  constexpr double kSame = 1e-6;
  const int starts = std::holds_alternative<HalfSpace<3>>(wall) ? 1 : 7;
  for (int k = 0; k < starts; ++k) {
    const int axis = (k + 1) / 2 - 1;
    Vec<3> x = piece.centre;
    if (k > 0) x += (k % 2 ? 1 : -1) * piece.semi_axes[axis] * piece.pose.rotation().col(axis);
    for (int round = 0; round < kRounds; ++round) {
      const Vec<3> last = x;
      x = support<3>(piece, -face<3>(wall, pose, x).normal);
      if ((x - last).norm() <= 1e-15 * piece.size) break;
    }
    const auto is_there = [&](const Vec<3>& y) { return (x - y).norm() < kSame * piece.size; };
    if (std::any_of(corners.points.begin(), corners.points.end(), is_there)) continue;
    corners.points.push_back(x);
    corners.labels.push_back(corner_label(k));
  }
}

}  // namespace

template <int Dim>
double wall_clearance(const Wall<Dim>& wall, const Pose<Dim>& pose, const Vec<Dim>& centre, double radius) {
  return face<Dim>(wall, pose, centre).distance - radius;
}

template <int Dim>
void collide_with_wall(const Wall<Dim>& wall, const Pose<Dim>& pose, const Piece<Dim>& piece, double reach,
                       Feature<Dim>& corners, std::vector<ManifoldPoint<Dim>>& points) {
  corners.clear();
  const auto* plane = std::get_if<HalfSpace<Dim>>(&wall);
  if (!plane || !touches_by_rim<Dim>(piece, pose.rotated(plane->normal), reach))
    collect_corners(piece, corners);
  if constexpr (Dim == 3) {
    if (piece.smooth())
      add_smooth_points(wall, pose, piece, corners);
    else if (piece.round)
      add_round_corners(wall, pose, piece, corners);
  }
  for (std::size_t k = 0; k < corners.points.size(); ++k) {
    const Facing<Dim> facing = face<Dim>(wall, pose, corners.points[k]);
    const double gap = facing.distance - piece.radius;
    if (gap > reach) continue;
    points.push_back({corners.points[k] - (piece.radius + gap / 2) * facing.normal, facing.normal, gap,
                      mix_labels(0, corners.labels[k])});
  }
}

template double wall_clearance<2>(const Wall<2>&, const Pose<2>&, const Vec<2>&, double);
template double wall_clearance<3>(const Wall<3>&, const Pose<3>&, const Vec<3>&, double);
template void collide_with_wall<2>(const Wall<2>&, const Pose<2>&, const Piece<2>&, double, Feature<2>&,
                                   std::vector<ManifoldPoint<2>>&);
template void collide_with_wall<3>(const Wall<3>&, const Pose<3>&, const Piece<3>&, double, Feature<3>&,
                                   std::vector<ManifoldPoint<3>>&);

}  // namespace saltus
