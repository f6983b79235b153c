// The verb `separate` of a step: overlaps that are left are taken back on positions (sim/separation.hpp), and accounted for.
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

// Bodies of joints stand like walls: moved alone they would leave their joint. Points of systems move with their system.
template <int Dim>
void Simulation<Dim>::Engine::hold_parts() {
  const BodySet<Dim>& bodies = state.bodies;
  work.held.clear();
  if (state.parts.empty()) return;
  work.held.assign(bodies.slots(), Separation<Dim>::kFree);
  for (int i = 0; i < state.parts.joints.count(); ++i)
    for (const BodyId id : {state.parts.joints.joint(i).pair.a, state.parts.joints.joint(i).pair.b})
      if (id >= 0 && work.parts.slot_of[id] >= 0)
        work.held[work.parts.slot_of[id]] = Separation<Dim>::kStands;
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.alive(s) && model.scene.bodies[bodies.id[s]].follows >= 0)
      work.held[s] = Separation<Dim>::kIgnored;
}

template <int Dim>
void Simulation<Dim>::Engine::separate() {
  const SchemeOptions& scheme = work.scheme;
  work.separation.skip();
  if (!scheme.corrects_positions()) return;
  hold_parts();
  const SeparationInput<Dim> in{model.laws,         model.thickness, model.turning, model.finest,
                                scheme.h,           scheme.mean(),   model.alert,   work.mean_mass,
                                model.scene.period, work.gravity,    work.motion,   work.problem.bodies,
                                work.held};
  if (!work.separation.may_overlap(in, state.bodies, state.contacts.contacts(), work.travel)) return;
  work.separation.run(in, work.detector, state.bodies);
  if (model.is_soft && work.separation.result().passes > 0)
    work.separation.follow_layers(in, state.bodies, state.contacts.contacts());
}

// Gravity, forces and elastic layers work on the displacements too; projection is what has to be done against them.
template <int Dim>
void Simulation<Dim>::Engine::audit_separation(StepReport& report) {
  const typename Separation<Dim>::Result& result = work.separation.result();
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
  energy.elastic += result.layers;
  energy.projection -= result.gravity + result.forces + result.layers;
}

// Whether `separate` has measured the overlap of a contact at the end of the step.
template <int Dim>
bool Simulation<Dim>::Engine::is_found_again(const Contact<Dim>& contact) const {
  if (!work.separation.has_looked(contact.a, contact.b) || !is_separated(*contact.law)) return false;
  const auto follows = [&](int slot) { return work.held[slot] == Separation<Dim>::kIgnored; };
  return work.held.empty() || !(follows(contact.a) || follows(contact.b));
}

template void Simulation<2>::Engine::hold_parts();
template void Simulation<3>::Engine::hold_parts();
template void Simulation<2>::Engine::separate();
template void Simulation<3>::Engine::separate();
template void Simulation<2>::Engine::audit_separation(StepReport&);
template void Simulation<3>::Engine::audit_separation(StepReport&);
template bool Simulation<2>::Engine::is_found_again(const Contact<2>&) const;
template bool Simulation<3>::Engine::is_found_again(const Contact<3>&) const;

}  // namespace saltus
