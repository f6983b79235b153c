// Joints whose bodies' velocities jump in a step: an impact anywhere in their connected group, or a motor that is switched. They take away
// at once what breaks them since (joints/joint_set.hpp).
#include <algorithm>

#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

bool pushed(const ContactHistory& history) {
  return history.status == ContactStatus::stick || history.status == ContactStatus::slide;
}

// Of a contact that pushes: it did not in the last step, or its bodies still approach, as what is reached in two steps does in the second
// (quasi-inelastic). What rolls or slides approaches by h times its accelerations.
template <int Dim>
bool is_impact(const Contact<Dim>& contact, std::span<const BodyVelocity<Dim>> start) {
  constexpr double kApproaches = 0.05;  // of the velocities
  double speed = contact.input.u.norm();
  for (const int slot : {contact.a, contact.b})
    speed = std::max(speed, Eigen::Map<const Vec<Dim>>(start[slot].v).norm());
  return !pushed(contact.history) || -contact.input.u[0] > kApproaches * speed;
}

}  // namespace

// Before anything of the step is remembered. A contact or a bound that pushed in the last step too goes on as it was.
template <int Dim>
void Simulation<Dim>::Engine::note_jolts() {
  JointSet<Dim>& joints = state.parts.joints;
  if (joints.count() == 0) return;
  const ContactGroups<Dim>& groups = work.solver.groups();
  std::vector<char>& jolted = work.parts.jolted;
  jolted.assign(static_cast<std::size_t>(groups.count()), 0);
  for (const Contact<Dim>& c : state.contacts.contacts())
    if (c.row >= 0 && work.problem.contacts[c.row].r[0] > 0 && is_impact<Dim>(c, work.motion.start))
      jolted[groups.group_of_contact(c.row)] = 1;
  for (std::size_t i = 0; i < model.parts.gaps.size(); ++i) {
    const int block = work.parts.gaps[i].block;
    if (block >= 0 && !model.parts.gaps[i].is_constraint && work.parts.coupling.blocks[block].r[0] > 0 &&
        !pushed(state.parts.gaps[i].history) && groups.group_of_block(block) >= 0)
      jolted[groups.group_of_block(block)] = 1;
  }
  joints.find_jolts(work.parts.coupling, work.motion.start, work.parts.jolts);
  for (const int block : work.parts.jolts)
    if (const int group = groups.group_of_block(block); group >= 0) jolted[group] = 1;
  joints.set_jolted([&](int block) {
    const int group = groups.group_of_block(block);
    return group >= 0 && jolted[group];
  });
}

template void Simulation<2>::Engine::note_jolts();
template void Simulation<3>::Engine::note_jolts();

}  // namespace saltus
