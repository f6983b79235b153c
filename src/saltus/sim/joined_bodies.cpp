// Joints in a simulation: made from the scene, their blocks in a step, their part of the audit.
#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/simulation_state.hpp"

namespace saltus {

namespace {

template <int Dim>
int find_body(const Scene<Dim>& scene, const std::string& name, const SceneJoint<Dim>& joint) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].name == name) return static_cast<int>(i);
  throw InputError(joint.where, "a joint names a body that is not there", name, "the name of a body");
}

template <int Dim>
RevoluteJoint<Dim> build_joint(const SceneJoint<Dim>& from, const typename Simulation<Dim>::State& state) {
  const Scene<Dim>& scene = state.scene;
  RevoluteJoint<Dim> joint;
  if (from.b.empty()) throw InputError(from.where, "a joint needs a body", "b = \"\"", "the name of a body");
  if (!from.a.empty()) joint.a = find_body(scene, from.a, from);
  joint.b = find_body(scene, from.b, from);
  if (joint.a == joint.b)
    throw InputError(from.where, "a joint between a body and itself", from.b,
                     "two bodies, or none for `a`: the world");
  if (!from.point.allFinite()) throw InputError(from.where, "the point of a joint is not finite");
  if (!(from.stabilisation >= 0 && from.stabilisation <= 1))
    throw InputError(from.where, "stabilisation", fmt::format("{}", from.stabilisation), "0 to 1");
  if (!(from.restitution >= 0 && from.restitution <= 1))
    throw InputError(from.where, "restitution of a stop", fmt::format("{}", from.restitution), "0 to 1");
  if (!(from.lower <= 0) || !(from.upper >= 0))
    throw InputError(from.where, "bounds of an angle", fmt::format("{} to {}", from.lower, from.upper),
                     "lower 0 or less, upper 0 or more: the angle is 0 at the start");
  const auto to_local = [&](BodyId id, const Vec<Dim>& point) {
    return id < 0 ? point : state.initial_pose(static_cast<int>(id)).to_local(point);
  };
  joint.point_a = to_local(joint.a, from.point);
  joint.point_b = to_local(joint.b, from.point);
  if constexpr (Dim == 2) {
    joint.angle = state.initial_pose(static_cast<int>(joint.b)).angle() -
                  (joint.a < 0 ? 0.0 : state.initial_pose(static_cast<int>(joint.a)).angle());
  } else {
    if (!(from.axis.norm() > 0) || !from.axis.allFinite())
      throw InputError(from.where, "the axis of a joint has no direction");
    const Vec<3> axis = from.axis.normalized();
    const Vec<3> across =
        axis.cross(std::abs(axis.x()) < 0.6 ? Vec<3>(Vec<3>::UnitX()) : Vec<3>(Vec<3>::UnitY())).normalized();
    const auto turn = [&](BodyId id, const Vec<3>& v) {
      return id < 0 ? v : state.initial_pose(static_cast<int>(id)).unrotated(v);
    };
    joint.axis_a = turn(joint.a, axis), joint.axis_b = turn(joint.b, axis);
    joint.across_a = turn(joint.a, across), joint.across_b = turn(joint.b, across);
  }
  joint.stabilisation = from.stabilisation;
  if (std::isfinite(from.lower) || std::isfinite(from.upper))
    joint.stop = AngleStop{from.lower, from.upper, from.restitution};
  return joint;
}

}  // namespace

template <int Dim>
void build_joints(typename Simulation<Dim>::State& state) {
  for (const SceneJoint<Dim>& joint : state.scene.joints) {
    state.parts.joints.add(build_joint<Dim>(joint, state));
    if (state.scene.scheme.kind == SchemeKind::schatzman_paoli)
      throw InputError(joint.where, "a joint under the scheme", "schatzman-paoli", "moreau-jean");
  }
}

template <int Dim>
JointStep Simulation<Dim>::State::joint_step() const {
  return {scene.scheme.h, scene.scheme.mean(), scene.scheme.activation};
}

template <int Dim>
void Simulation<Dim>::State::exclude_joined() {
  for (int i = 0; i < parts.joints.count(); ++i) {
    const RevoluteJoint<Dim>& joint = parts.joints.joint(i);
    if (joint.a < 0 || joint.b < 0) continue;
    const int a = parts.slot_of[joint.a], b = parts.slot_of[joint.b];
    if (a >= 0 && b >= 0) detector.exclude_pair(a, b);
  }
}

template <int Dim>
void Simulation<Dim>::State::couple_joints() {
  parts.joints.add_blocks(joint_step(), parts.slot_of, {bodies.pose, motion.detection, motion.start},
                          parts.coupling);
}

template <int Dim>
void Simulation<Dim>::State::watch_joints() {
  if (parts.joints.count() == 0) return;
  auto& worst = parts.worst;
  const auto [gap, joint] = parts.joints.largest_gap(parts.slot_of, bodies.pose);
  if (gap > worst.gap) worst.gap = gap, worst.gap_time = time(), worst.joint = joint;
}

// Joints push bodies as contacts do.
template <int Dim>
void Simulation<Dim>::State::audit_joints(StepReport& report) {
  if (parts.joints.count() == 0) return;
  const auto work = parts.joints.update(joint_step(), parts.coupling);
  report.energy.joints += work.joints;
  report.energy.impact += work.impact;
  report.energy.scale += work.size;
  parts.joints.add_impulses(contact_impulse, contact_moment);
}

template void build_joints<2>(Simulation<2>::State&);
template void build_joints<3>(Simulation<3>::State&);
template JointStep Simulation<2>::State::joint_step() const;
template JointStep Simulation<3>::State::joint_step() const;
template void Simulation<2>::State::exclude_joined();
template void Simulation<3>::State::exclude_joined();
template void Simulation<2>::State::couple_joints();
template void Simulation<3>::State::couple_joints();
template void Simulation<2>::State::watch_joints();
template void Simulation<3>::State::watch_joints();
template void Simulation<2>::State::audit_joints(StepReport&);
template void Simulation<3>::State::audit_joints(StepReport&);

}  // namespace saltus
