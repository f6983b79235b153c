#include "saltus/collision/narrow_phase.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/collision/walls.hpp"

namespace saltus {

namespace {

template <int Dim>
Pose<Dim> relative(const Pose<Dim>& pose, const Vec<Dim>& origin) {
  Pose<Dim> result = pose;
  result.position -= origin;
  return result;
}

template <int Dim>
bool is_identity(const Pose<Dim>& pose) {
  return pose.position.isZero(0) && pose.rotation().isIdentity(0);
}

template <int Dim>
void touch_balls(double radius_a, const Vec<Dim>& a, double radius_b, const Vec<Dim>& b, double reach,
                 std::vector<ManifoldPoint<Dim>>& points) {
  const Vec<Dim> arm = b - a;
  const double distance = arm.norm();
  const double gap = distance - radius_a - radius_b;
  if (gap > reach) return;
  const Vec<Dim> normal = distance > 0 ? Vec<Dim>(arm / distance) : Vec<Dim>(Vec<Dim>::Unit(Dim - 1));
  points.push_back({a + (radius_a + gap / 2) * normal, normal, gap, mix_labels(0, 0)});
}

std::uint64_t part_label(int a, int b) {
  return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
}

}  // namespace

template <int Dim>
Collider<Dim> build_collider(const Shape<Dim>& shape) {
  Collider<Dim> c;
  const auto add_part = [&](const ConvexShape<Dim>& part, const Pose<Dim>& pose) {
    c.parts.push_back({part, pose, is_identity(pose), compute_bounding_radius<Dim>(to_shape<Dim>(part))});
  };
  std::visit(
      [&](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Ball<Dim>>) {
          c.is_ball = true;
        } else if constexpr (std::is_constructible_v<ConvexShape<Dim>, S>) {
          add_part(s, Pose<Dim>());
        } else if constexpr (std::is_same_v<S, Compound<Dim>>) {
          for (const auto& part : s.parts) add_part(part.shape, part.pose);
        } else if constexpr (requires { build_ground(s); }) {
          c.ground.reset(new typename Collider<Dim>::FixedGround{build_ground(s),
                                                                 compute_bounds<Dim>(shape, Pose<Dim>())});
        } else {
          c.wall = s;
        }
      },
      shape);
  c.radius = compute_bounding_radius<Dim>(shape);
  c.unbounded = is_unbounded<Dim>(shape);
  return c;
}

template <int Dim>
Bounds<Dim> Collider<Dim>::bounds(const Pose<Dim>& pose) const {
  if (is_ball) return {pose.position.array() - radius, pose.position.array() + radius};
  if (parts.size() == 1 && parts[0].at_origin) return compute_convex_bounds<Dim>(parts[0].shape, pose);
  Bounds<Dim> box;
  if (ground) {
    const Bounds<Dim>& own = ground->bounds;
    const Vec<Dim> half = (own.high - own.low) / 2;
    const Vec<Dim> centre = pose.to_world((own.high + own.low) / 2);
    const Vec<Dim> half_width = pose.rotation().cwiseAbs() * half;
    return {centre - half_width, centre + half_width};
  }
  for (const Part& part : parts) {
    const Vec<Dim> centre = pose.to_world(part.pose.position);
    box.add(Bounds<Dim>{centre.array() - part.radius, centre.array() + part.radius});
  }
  return box;
}

template <int Dim>
std::span<const typename Collider<Dim>::Part> NarrowPhase<Dim>::parts_of(const Collider<Dim>& collider,
                                                                         Part& ball) {
  if (!collider.is_ball) return collider.parts;
  ball.shape = Ball<Dim>{collider.radius};
  ball.radius = collider.radius;
  return {&ball, 1};
}

template <int Dim>
void NarrowPhase<Dim>::collide_parts(const Collider<Dim>& a, const Pose<Dim>& pose_a, const Collider<Dim>& b,
                                     const Pose<Dim>& pose_b, double reach, Points& points) {
  const std::span<const Part> parts_a = parts_of(a, ball_a_), parts_b = parts_of(b, ball_b_);
  for (int i = 0; i < static_cast<int>(parts_a.size()); ++i) {
    const Part& part_a = parts_a[i];
    const Vec<Dim> centre_a = pose_a.to_world(part_a.pose.position);
    for (int j = 0; j < static_cast<int>(parts_b.size()); ++j) {
      const Part& part_b = parts_b[j];
      const Vec<Dim> centre_b = pose_b.to_world(part_b.pose.position);
      const double near = part_a.radius + part_b.radius + reach;
      if ((centre_b - centre_a).squaredNorm() > near * near) continue;
      if (placed_ != &part_a)
        place<Dim>(part_a.shape, part_a.at_origin ? pose_a : pose_a * part_a.pose, piece_a_);
      placed_ = &part_a;
      place<Dim>(part_b.shape, part_b.at_origin ? pose_b : pose_b * part_b.pose, piece_b_);
      piece_a_.rolls = piece_b_.rolls = rolls_;
      const double far = reach + piece_a_.radius + piece_b_.radius;
      const Separation<Dim> separation = compute_signed_distance<Dim>(piece_a_, piece_b_, far);
      if (separation.value > far) continue;
      const std::size_t first = points.size();
      builder_.build(piece_a_, piece_b_, separation, reach, false, points);
      for (std::size_t k = first; k < points.size(); ++k) {
        points[k].feature = mix_labels(points[k].feature, part_label(i, j));
      }
    }
  }
}

// a is a wall or ground, b is solid.
template <int Dim>
void NarrowPhase<Dim>::collide_wall(const Collider<Dim>& a, const Pose<Dim>& pose_a, const Collider<Dim>& b,
                                    const Pose<Dim>& pose_b, double reach, Points& points) {
  if (!a.ground && wall_clearance<Dim>(a.wall, pose_a, pose_b.position, b.radius) > reach) return;
  const std::span<const Part> parts = parts_of(b, ball_b_);
  for (int j = 0; j < static_cast<int>(parts.size()); ++j) {
    const Part& part = parts[j];
    const std::size_t first = points.size();
    place<Dim>(part.shape, part.at_origin ? pose_b : pose_b * part.pose, piece_b_);
    piece_b_.rolls = rolls_;
    if (a.ground) {
      a.ground->surface.collide(pose_a, piece_b_, reach, ground_, points);
    } else {
      collide_with_wall<Dim>(a.wall, pose_a, piece_b_, reach, corners_, points);
    }
    for (std::size_t k = first; k < points.size(); ++k) {
      points[k].feature = mix_labels(points[k].feature, part_label(0, j));
    }
  }
}

template <int Dim>
void NarrowPhase<Dim>::collide(const Collider<Dim>& a, const Pose<Dim>& pose_a, const Collider<Dim>& b,
                               const Pose<Dim>& pose_b, double reach, Points& points, bool same_a,
                               bool rolls) {
  points.clear();
  rolls_ = rolls;
  if (!same_a) placed_ = nullptr;
  if (a.is_ball && b.is_ball) {
    return touch_balls<Dim>(a.radius, pose_a.position, b.radius, pose_b.position, reach, points);
  }
  // Coordinates relative to a body that has its parts near its origin.
  const Vec<Dim> origin = a.is_solid() ? pose_a.position : pose_b.position;
  const Pose<Dim> near_a = relative(pose_a, origin), near_b = relative(pose_b, origin);
  if (a.is_solid() && b.is_solid()) {
    collide_parts(a, near_a, b, near_b, reach, points);
  } else if (b.is_solid()) {
    collide_wall(a, near_a, b, near_b, reach, points);
  } else if (a.is_solid()) {
    collide_wall(b, near_b, a, near_a, reach, points);
    for (ManifoldPoint<Dim>& p : points) p.normal = -p.normal;
  }
  for (ManifoldPoint<Dim>& p : points) p.point += origin;
  std::sort(points.begin(), points.end(), [](const auto& p, const auto& q) { return p.feature < q.feature; });
}

template Collider<2> build_collider<2>(const Shape<2>&);
template Collider<3> build_collider<3>(const Shape<3>&);
template struct Collider<2>;
template struct Collider<3>;
template class NarrowPhase<2>;
template class NarrowPhase<3>;

}  // namespace saltus
