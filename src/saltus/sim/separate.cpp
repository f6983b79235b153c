// The verb `separate` of a step: overlaps that are left are taken back on positions (sim/separation.hpp), and accounted for.
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

// Points of systems move with their system.
template <int Dim>
void Simulation<Dim>::Engine::ignore_followers() {
  work.ignored.clear();
  if (model.parts.followers.empty()) return;
  const BodySet<Dim>& bodies = state.bodies;
  work.ignored.assign(bodies.slots(), false);
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.alive(s) && model.scene.bodies[bodies.id[s]].follows >= 0) work.ignored[s] = true;
}

template <int Dim>
void Simulation<Dim>::Engine::separate() {
  const SchemeOptions& scheme = work.scheme;
  work.separation.skip();
  if (!scheme.corrects_positions()) return;
  ignore_followers();
  const JointSet<Dim>& joints = state.parts.joints;
  const SeparationInput<Dim> in{model.laws,   model.thickness,   model.turning,       model.finest,
                                scheme.h,     scheme.mean(),     model.alert,         model.scene.period,
                                work.gravity, work.motion,       work.problem.bodies, work.ignored,
                                &joints,      work.parts.slot_of};
  if (!work.separation.may_overlap(in, state.bodies, state.contacts.contacts(), work.travel)) return;
  work.separation.run(in, work.detector, state.bodies);
  if (work.separation.result().passes == 0) return;
  if (model.is_soft) work.separation.follow_layers(in, state.bodies, state.contacts.contacts());
  if (joints.count() == 0) return;
  const double stored = joints.stored_energy(work.parts.slot_of);
  follow_joints();
  work.separation.add_elastic(stored - joints.stored_energy(work.parts.slot_of));
}

// Gravity, forces, elastic layers and springs of joints work on the displacements too; projection is what has to be done against them.
template <int Dim>
void Simulation<Dim>::Engine::audit_separation(StepReport& report) {
  const typename Separator<Dim>::Result& result = work.separation.result();
  report.separation_passes = result.passes;
  report.separation_sweeps = result.sweeps;
  report.overlaps_left = result.left;
  if (result.worst.depth > report.penetration) {
    report.penetration = result.worst.depth;
    report.penetration_contact = -1;  // none of the list
  }
  if (result.worst.relative > report.penetration_relative) {
    report.penetration_relative = result.worst.relative;
    report.penetration_a = state.bodies.id[result.worst.a];
    report.penetration_b = state.bodies.id[result.worst.b];
  }
  EnergyBalance& energy = report.energy;
  energy.gravity += result.gravity;
  energy.forces += result.forces;
  energy.elastic += result.elastic;
  energy.projection -= result.gravity + result.forces + result.elastic;
}

// Whether `separate` has measured the overlap of a contact at the end of the step.
template <int Dim>
bool Simulation<Dim>::Engine::is_found_again(const Contact<Dim>& contact) const {
  if (!work.separation.has_looked(contact.a, contact.b) || !is_separated(*contact.law)) return false;
  return work.ignored.empty() || !(work.ignored[contact.a] || work.ignored[contact.b]);
}

template void Simulation<2>::Engine::ignore_followers();
template void Simulation<3>::Engine::ignore_followers();
template void Simulation<2>::Engine::separate();
template void Simulation<3>::Engine::separate();
template void Simulation<2>::Engine::audit_separation(StepReport&);
template void Simulation<3>::Engine::audit_separation(StepReport&);
template bool Simulation<2>::Engine::is_found_again(const Contact<2>&) const;
template bool Simulation<3>::Engine::is_found_again(const Contact<3>&) const;

}  // namespace saltus
