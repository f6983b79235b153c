// Joints in a step: their blocks, their forces, their part of the audit.
#include <algorithm>
#include <cmath>

#include "saltus/sim/simulation_state.hpp"

namespace saltus {

template <int Dim>
JointStep Simulation<Dim>::State::joint_step() const {
  return {scene.scheme.h, scene.scheme.mean(),           scene.scheme.activation,
          time(),         scene.scheme.activation_gamma, scene.scheme.jacobian_at == JacobianAt::predicted};
}

template <int Dim>
void Simulation<Dim>::State::exclude_joined() {
  for (int i = 0; i < parts.joints.count(); ++i) {
    const FramePair<Dim>& pair = parts.joints.joint(i).pair;
    if (pair.a < 0 || pair.b < 0 || scene.joints[i].collide) continue;
    const int a = parts.slot_of[pair.a], b = parts.slot_of[pair.b];
    if (a >= 0 && b >= 0) detector.exclude_pair(a, b);
  }
}

template <int Dim>
std::span<const Spin<Dim>> Simulation<Dim>::State::expected_moments() {
  if (Dim == 2 || parts.joints.count() == 0) return {};
  find_slots();
  parts.expected.assign(bodies.pose.size(), Spin<Dim>::Zero());
  parts.joints.add_expected(parts.slot_of, parts.expected);
  return parts.expected;
}

// Motors whose force is given push in the free motion, like other forces.
template <int Dim>
void Simulation<Dim>::State::push_joints() {
  if (parts.joints.count() == 0) return;
  find_slots();
  for (const JointLoad<Dim>& load :
       parts.joints.compute_forces(joint_step(), parts.slot_of, motion.detection)) {
    if (motion.load_place[load.slot] < 0) {
      motion.load_place[load.slot] = static_cast<int>(motion.loads.size());
      motion.loads.emplace_back();
    }
    StepLoad<Dim>& total = motion.loads[motion.load_place[load.slot]];
    total.force += load.impulse;
    total.torque += load.moment;
    add_impulse(motion.free[load.slot], load.impulse, load.moment);
  }
}

// Where the Jacobians of joints are taken: as those of contacts, but that all of a joint is at one pose.
template <int Dim>
std::span<const Pose<Dim>> Simulation<Dim>::State::joint_poses() {
  if (scene.scheme.jacobian_at == JacobianAt::detection) return motion.detection;
  if (scene.scheme.jacobian_at == JacobianAt::start) return bodies.pose;
  parts.predicted = bodies.pose;
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies.alive(slot)) continue;
    parts.predicted[slot].position += scene.scheme.h * bodies.velocity[slot];
    parts.predicted[slot].rotate(Spin<Dim>(scene.scheme.h * bodies.spin_world(slot)));
  }
  return parts.predicted;
}

template <int Dim>
void Simulation<Dim>::State::couple_joints() {
  if (parts.joints.count() == 0) return;
  parts.joints.add_blocks(joint_step(), parts.slot_of, {bodies.pose, joint_poses(), motion.start},
                          parts.coupling);
}

// Values and rates at the end of the step.
template <int Dim>
void Simulation<Dim>::State::follow_joints() {
  if (parts.joints.count() == 0) return;
  std::vector<BodyVelocity<Dim>>& now = parts.velocities;
  now.resize(bodies.pose.size());
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies.alive(slot)) continue;
    Eigen::Map<Vec<Dim>>(now[slot].v) = bodies.velocity[slot];
    Eigen::Map<Spin<Dim>>(now[slot].w) = bodies.spin_world(slot);
  }
  parts.joints.update_values(parts.slot_of, bodies.pose, now);
}

template <int Dim>
void Simulation<Dim>::State::watch_joints() {
  if (parts.joints.count() == 0) return;
  auto& worst = parts.worst;
  const auto off = parts.joints.largest_off(parts.slot_of, bodies.pose);
  if (off.distance > worst.gap) worst.gap = off.distance, worst.gap_time = time(), worst.joint = off.farthest;
  if (off.angle > worst.turn) worst.turn = off.angle, worst.turn_time = time(), worst.turned = off.turned;
}

// Joints push bodies as contacts do.
template <int Dim>
void Simulation<Dim>::State::audit_joints(StepReport& report) {
  if (parts.joints.count() == 0) return;
  JointStep step = joint_step();
  step.time -= step.h;  // the step is counted already
  const JointWork work = parts.joints.update(step, parts.coupling, motion.start, problem.bodies);
  EnergyBalance& energy = report.energy;
  energy.joints += work.joints;
  energy.impact += work.impact;
  energy.elastic += work.elastic;
  energy.elastic_stored += parts.joints.stored_energy(parts.slot_of);
  energy.damping += work.damping;
  energy.friction += work.friction;
  energy.drives += work.drives;
  energy.scale += work.size;
  parts.joints.add_impulses(parts.coupling, contact_impulse, contact_moment);
}

template JointStep Simulation<2>::State::joint_step() const;
template JointStep Simulation<3>::State::joint_step() const;
template void Simulation<2>::State::push_joints();
template void Simulation<3>::State::push_joints();
template std::span<const Spin<2>> Simulation<2>::State::expected_moments();
template std::span<const Spin<3>> Simulation<3>::State::expected_moments();
template std::span<const Pose<2>> Simulation<2>::State::joint_poses();
template std::span<const Pose<3>> Simulation<3>::State::joint_poses();
template void Simulation<2>::State::follow_joints();
template void Simulation<3>::State::follow_joints();
template void Simulation<2>::State::exclude_joined();
template void Simulation<3>::State::exclude_joined();
template void Simulation<2>::State::couple_joints();
template void Simulation<3>::State::couple_joints();
template void Simulation<2>::State::watch_joints();
template void Simulation<3>::State::watch_joints();
template void Simulation<2>::State::audit_joints(StepReport&);
template void Simulation<3>::State::audit_joints(StepReport&);

}  // namespace saltus
