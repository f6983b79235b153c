// What is wrong with a joint that has been made.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/joint_places.hpp"

namespace saltus {

template <int Dim>
void check_aligned(const SceneJoint<Dim>& from, const Vec<Dim>& one, const FramePair<Dim>& pair,
                   const JointPlaces<Dim>& places) {
  Vec<3> axis = Vec<3>::Zero();
  axis.template head<Dim>() = one;
  const Vec<3> other = places.in_world(pair.b, *from.axis_b).normalized();
  if (const double off = std::atan2(axis.cross(other).norm(), axis.dot(other));
      off > places.closed() && !from.may_be_off)
    throw InputError(from.where,
                     "the joint does not close: " + places.moment() + " its axes in the two bodies are",
                     fmt::format("{:.4g} degrees apart", off * 180 / M_PI), "one line");
}

namespace {

template <int Dim>
void check_closed(const SceneJoint<Dim>& from, const std::string& what, const Joint<Dim>& joint,
                  const JointSet<Dim>& joints, const JointPlaces<Dim>& places) {
  const auto [distance, angle] = joints.off(joint, places.placed(joint.pair));
  double radius = 0;
  for (const BodyId id : {joint.pair.a, joint.pair.b}) {
    if (id < 0) continue;
    // A node is as large as its body.
    const double own = places.body(id).part != SurfacePart::none ? places.model().thickness[id]
                                                                 : places.model().bounding_radius[id];
    if (own > 0) radius = radius > 0 ? std::min(radius, own) : own;
  }
  const bool is_open = distance > places.closed() * (radius > 0 ? radius : 1);
  if (const PlacedFrames<Dim> at = places.placed(joint.pair); is_open && from.kind == JointKind::rod)
    throw InputError(from.where, what + " does not close: " + places.moment() + " its points are",
                     fmt::format("{:.6g} m apart", (at.point_b - at.point_a).norm()),
                     fmt::format("its length {:.6g} m, or no length: that of the start", joint.length));
  if (is_open)
    throw InputError(from.where, what + " does not close: " + places.moment() + " its points are apart by",
                     fmt::format("{:.6g} m", distance),
                     "points that meet, but for what the joint leaves free");
  if (angle > places.closed())
    throw InputError(from.where, what + " does not close: " + places.moment() + " its axes are apart by",
                     fmt::format("{:.4g} rad", angle), "axes that agree");
}

template <int Dim>
void check_limits(const SceneJoint<Dim>& from, const Joint<Dim>& joint, const JointPlaces<Dim>& places) {
  const std::vector<std::string> names = direction_names<Dim>(from.kind);
  for (std::size_t i = 0; i < joint.free.size(); ++i) {
    const FreeDirection& free = joint.free[i];
    if (!free.limits) continue;
    const JointLimits& limits = *free.limits;
    if (!(limits.restitution >= 0 && limits.restitution <= 1))
      throw InputError(from.where, "restitution of a limit", fmt::format("{}", limits.restitution), "0 to 1");
    const double slack =
        places.closed() * (is_angle(free.coordinate) ? 1 : std::max(1.0, std::abs(free.start)));
    if (from.may_be_off || places.waits(joint)) continue;
    if (free.start < limits.lower - slack || free.start > limits.upper + slack ||
        !(limits.lower <= limits.upper))
      throw InputError(from.where, fmt::format("{} {}", names[i], places.moment()),
                       fmt::format("{:.6g}", free.start),
                       fmt::format("within its limits, {:.6g} to {:.6g}", limits.lower, limits.upper));
  }
}

// A twist is not defined where the axes point against each other, and the moment that holds it grows without bound on the way there.
template <int Dim>
void check_twist(const SceneJoint<Dim>& from, const Joint<Dim>& joint, const JointPlaces<Dim>& places) {
  constexpr double kLargestSwing = 3;  // rad: rates of the twist are up to 14 times those of the bodies
  if (from.kind != JointKind::spherical) return;
  const FreeDirection &swing = joint.free[0], &twist = joint.free[2];
  if ((twist.limits || twist.spring || twist.friction || twist.motor) &&
      !(swing.limits && swing.limits->upper <= kLargestSwing))
    throw InputError(from.where, "what acts along twist, with a swing of up to",
                     swing.limits ? fmt::format("{:.6g} rad", swing.limits->upper) : "any angle",
                     "swing = { upper = ... } of at most 3 rad: at half a turn of swing there is no twist");
  if (from.starts.size() > 2 && from.starts[2] && !places.waits(joint) && !from.may_be_off)
    if (std::abs(*from.starts[2] - twist.start) > places.closed())
      throw InputError(
          from.where, "start of twist", fmt::format("{:.6g} rad", *from.starts[2]),
          fmt::format("what follows from start of rotation, {:.6g} rad and whole turns", twist.start));
}

// A given force pushes in the free motion of rigid bodies, and a point of a system has none of its own.
template <int Dim>
void check_motors(const SceneJoint<Dim>& from, const Joint<Dim>& joint, const JointPlaces<Dim>& places) {
  for (const FreeDirection& free : joint.free) {
    if (free.motor && free.rotation && free.motor->kind == JointMotor::Kind::force)
      throw InputError(from.where, "a motor along rotation", "a given force", "velocity or position");
    if (free.motor && !free.rotation && free.coordinate == Coordinate::swing)
      throw InputError(from.where, "a motor along swing, which does not say in which plane to go",
                       name(from.kind), "one along rotation");
    for (const BodyId id : {joint.pair.a, joint.pair.b})
      if (free.motor && free.motor->kind == JointMotor::Kind::force && id >= 0 &&
          places.body(id).follows >= 0)
        throw InputError(from.where, "a motor of given force at a point of a system or of an elastic body",
                         places.body(id).name,
                         "velocity or position with a limit, or a force of the system itself");
  }
}

}  // namespace

template <int Dim>
void check_joint(const SceneJoint<Dim>& from, const std::string& label, const Joint<Dim>& joint,
                 const JointSet<Dim>& joints, const JointPlaces<Dim>& places) {
  check_twist(from, joint, places);
  check_limits(from, joint, places);
  check_motors(from, joint, places);
  if (!from.may_be_off && !places.waits(joint)) check_closed(from, label, joint, joints, places);
}

template void check_joint<2>(const SceneJoint<2>&, const std::string&, const Joint<2>&, const JointSet<2>&,
                             const JointPlaces<2>&);
template void check_aligned<2>(const SceneJoint<2>&, const Vec<2>&, const FramePair<2>&,
                               const JointPlaces<2>&);
template void check_joint<3>(const SceneJoint<3>&, const std::string&, const Joint<3>&, const JointSet<3>&,
                             const JointPlaces<3>&);
template void check_aligned<3>(const SceneJoint<3>&, const Vec<3>&, const FramePair<3>&,
                               const JointPlaces<3>&);

}  // namespace saltus
