// Joints in a step: their blocks, their forces, their part of the audit.
#include <algorithm>
#include <cmath>

#include "saltus/sim/joined_contacts.hpp"
#include "saltus/sim/line_followers.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

template <int Dim>
JointStep Simulation<Dim>::Engine::joint_step() const {
  return {work.scheme.h, work.scheme.mean(),           work.scheme.activation_rule(),
          time(),        work.scheme.activation_gamma, work.scheme.jacobian_at == JacobianAt::predicted};
}

template <int Dim>
void Simulation<Dim>::Engine::find_joined(std::vector<std::pair<int, int>>& pairs) const {
  for (int i = 0; i < state.parts.joints.count(); ++i) {
    const FramePair<Dim>& pair = state.parts.joints.joint(i).pair;
    if (pair.a < 0 || pair.b < 0 || model.scene.joints[i].collide) continue;
    const int a = work.parts.slot_of[pair.a], b = work.parts.slot_of[pair.b];
    if (a >= 0 && b >= 0) pairs.emplace_back(a, b);
    // At a node of a line, the elements about it too.
    for (const auto& [node, other] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)})
      for (const int element :
           elements_at_node<Dim>(model.scene, model.parts.followers, model.parts.follower_of[node]))
        pairs.emplace_back(work.parts.slot_of[element], work.parts.slot_of[other]);
  }
}

template <int Dim>
void Simulation<Dim>::Engine::list_joined() {
  std::vector<std::pair<int, int>>& joined = work.parts.joined;
  joined.clear();
  for (int i = 0; i < state.parts.joints.count(); ++i) {
    const FramePair<Dim>& pair = state.parts.joints.joint(i).pair;
    if (pair.a < 0 || pair.b < 0 || !model.scene.joints[i].collide) continue;
    const int low = std::min(work.parts.slot_of[pair.a], work.parts.slot_of[pair.b]);
    if (low >= 0) joined.emplace_back(low, i);
  }
  std::sort(joined.begin(), joined.end());
}

// Of contacts between bodies of a joint. gap-signorini asks for a velocity that takes back an overlap, which may be the joint's, and no impulse
// opens it: there it stays. And what a contact has moved along the surfaces differs from contact to contact, so that those on either side of a
// hinge could contradict each other: their laws read u- as it is (sim/joined_contacts.hpp).
template <int Dim>
void Simulation<Dim>::Engine::set_joined_laws() {
  list_joined();
  const std::vector<std::pair<int, int>>& joined = work.parts.joined;
  if (joined.empty()) return;
  for (Contact<Dim>& c : state.contacts.contacts()) {
    if (find_joint_of<Dim>(joined, state.parts.joints, work.parts.slot_of, c.a, c.b) < 0) continue;
    c.input.carried = false;
    if (c.law->kind == LawKind::gap_signorini && !model.joined_laws.empty())
      c.law = &model.joined_laws[static_cast<std::size_t>(c.law - model.laws.laws().data())];
  }
}

template <int Dim>
std::span<const Spin<Dim>> Simulation<Dim>::Engine::expected_moments() {
  if (Dim == 2 || state.parts.joints.count() == 0) return {};
  find_slots();
  work.parts.expected.assign(state.bodies.pose.size(), Spin<Dim>::Zero());
  state.parts.joints.add_expected(work.parts.slot_of, work.parts.expected);
  return work.parts.expected;
}

// Motors whose force is given push in the free motion, like other forces.
template <int Dim>
void Simulation<Dim>::Engine::push_joints() {
  if (state.parts.joints.count() == 0) return;
  find_slots();
  for (const JointLoad<Dim>& load :
       state.parts.joints.compute_forces(joint_step(), work.parts.slot_of, work.motion.detection)) {
    if (work.motion.load_place[load.slot] < 0) {
      work.motion.load_place[load.slot] = static_cast<int>(work.motion.loads.size());
      work.motion.loads.emplace_back();
    }
    StepLoad<Dim>& total = work.motion.loads[work.motion.load_place[load.slot]];
    total.force += load.impulse;
    total.torque += load.moment;
    add_impulse(work.motion.free[load.slot], load.impulse, load.moment);
  }
}

// Where the Jacobians of joints are taken: as those of contacts, but that all of a joint is at one pose.
template <int Dim>
std::span<const Pose<Dim>> Simulation<Dim>::Engine::joint_poses() {
  if (work.scheme.jacobian_at == JacobianAt::detection) return work.motion.detection;
  if (work.scheme.jacobian_at == JacobianAt::start) return state.bodies.pose;
  work.parts.predicted = state.bodies.pose;
  for (int slot = 0; slot < state.bodies.slots(); ++slot) {
    if (!state.bodies.alive(slot)) continue;
    work.parts.predicted[slot].position += work.scheme.h * state.bodies.velocity[slot];
    work.parts.predicted[slot].rotate(Spin<Dim>(work.scheme.h * state.bodies.spin_world(slot)));
  }
  return work.parts.predicted;
}

template <int Dim>
void Simulation<Dim>::Engine::couple_joints() {
  if (state.parts.joints.count() == 0) return;
  state.parts.joints.add_blocks(joint_step(), work.parts.slot_of,
                                {state.bodies.pose, joint_poses(), work.motion.start, work.motion.free},
                                work.parts.coupling);
}

// Values and rates at the end of the step.
template <int Dim>
void Simulation<Dim>::Engine::follow_joints() {
  if (state.parts.joints.count() == 0) return;
  std::vector<BodyVelocity<Dim>>& now = work.parts.velocities;
  now.resize(state.bodies.pose.size());
  for (int slot = 0; slot < state.bodies.slots(); ++slot) {
    if (!state.bodies.alive(slot)) continue;
    Eigen::Map<Vec<Dim>>(now[slot].v) = state.bodies.velocity[slot];
    Eigen::Map<Spin<Dim>>(now[slot].w) = state.bodies.spin_world(slot);
  }
  state.parts.joints.update_values(work.parts.slot_of, state.bodies.pose, now);
}

template <int Dim>
void Simulation<Dim>::Engine::watch_joints() {
  if (state.parts.joints.count() == 0) return;
  auto& worst = state.parts.worst;
  const auto off = state.parts.joints.largest_off(work.parts.slot_of, state.bodies.pose);
  if (off.distance > worst.gap) worst.gap = off.distance, worst.gap_time = time(), worst.joint = off.farthest;
  if (off.angle > worst.turn) worst.turn = off.angle, worst.turn_time = time(), worst.turned = off.turned;
}

// Whether the step is too long for what joints carry. The force of a step may be that of an impact: only one that lasts counts.
template <int Dim>
void Simulation<Dim>::Engine::watch_swing() {
  constexpr int kEvery = 8, kInARow = 3;
  if (state.steps % kEvery != 0) return;
  auto& worst = state.parts.worst;
  const auto fastest =
      work.parts.swing.find(state.parts.joints, work.parts.slot_of, state.bodies, work.scheme.h);
  worst.swift_looks = work.scheme.h * fastest.rate > 2 ? worst.swift_looks + 1 : 0;
  if (worst.swift_looks >= kInARow && fastest.rate > worst.swing)
    worst.swing = fastest.rate, worst.swing_time = time(), worst.swinging = fastest.joint;
}

// Joints push bodies as contacts do.
template <int Dim>
void Simulation<Dim>::Engine::audit_joints(StepReport& report) {
  if (state.parts.joints.count() == 0) return;
  JointStep step = joint_step();
  step.time -= step.h;  // the step is counted already
  const JointWork done =
      state.parts.joints.update(step, work.parts.coupling, work.motion.start, work.problem.bodies);
  EnergyBalance& energy = report.energy;
  energy.joints += done.joints;
  energy.impact += done.impact;
  energy.elastic += done.elastic;
  energy.elastic_stored += state.parts.joints.stored_energy(work.parts.slot_of);
  energy.damping += done.damping;
  energy.friction += done.friction;
  energy.drives += done.drives;
  energy.scale += done.size;
  state.parts.joints.add_impulses(work.parts.coupling, work.contact_impulse, work.contact_moment);
  watch_swing();
}

template JointStep Simulation<2>::Engine::joint_step() const;
template JointStep Simulation<3>::Engine::joint_step() const;
template void Simulation<2>::Engine::push_joints();
template void Simulation<3>::Engine::push_joints();
template std::span<const Spin<2>> Simulation<2>::Engine::expected_moments();
template std::span<const Spin<3>> Simulation<3>::Engine::expected_moments();
template std::span<const Pose<2>> Simulation<2>::Engine::joint_poses();
template std::span<const Pose<3>> Simulation<3>::Engine::joint_poses();
template void Simulation<2>::Engine::follow_joints();
template void Simulation<3>::Engine::follow_joints();
template void Simulation<2>::Engine::find_joined(std::vector<std::pair<int, int>>&) const;
template void Simulation<3>::Engine::find_joined(std::vector<std::pair<int, int>>&) const;
template void Simulation<2>::Engine::list_joined();
template void Simulation<3>::Engine::list_joined();
template void Simulation<2>::Engine::set_joined_laws();
template void Simulation<3>::Engine::set_joined_laws();
template void Simulation<2>::Engine::couple_joints();
template void Simulation<3>::Engine::couple_joints();
template void Simulation<2>::Engine::watch_joints();
template void Simulation<3>::Engine::watch_joints();
template void Simulation<2>::Engine::watch_swing();
template void Simulation<3>::Engine::watch_swing();
template void Simulation<2>::Engine::audit_joints(StepReport&);
template void Simulation<3>::Engine::audit_joints(StepReport&);

}  // namespace saltus
