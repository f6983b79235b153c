// The verb `separate` of a step: overlaps that are left are taken back on positions (sim/separation.hpp), and accounted for.
#include <algorithm>

#include "saltus/sim/simulation_state.hpp"

namespace saltus {

// Bodies of joints stand like walls: moved alone they would leave their joint. Points of systems move with their system.
template <int Dim>
void Simulation<Dim>::State::hold_parts() {
  held.clear();
  if (parts.empty()) return;
  held.assign(bodies.slots(), Separation<Dim>::kFree);
  for (int i = 0; i < parts.joints.count(); ++i)
    for (const BodyId id : {parts.joints.joint(i).pair.a, parts.joints.joint(i).pair.b})
      if (id >= 0 && parts.slot_of[id] >= 0) held[parts.slot_of[id]] = Separation<Dim>::kStands;
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.alive(s) && scene.bodies[bodies.id[s]].follows >= 0) held[s] = Separation<Dim>::kIgnored;
}

template <int Dim>
void Simulation<Dim>::State::separate() {
  separation.skip();
  if (!scene.scheme.corrects_positions()) return;
  hold_parts();
  const SeparationInput<Dim> in{laws,      thickness, turning, finest, scene.scheme.h, scene.scheme.mean(), alert,
                                mean_mass, scene.period, gravity, motion, problem.bodies, held};
  if (separation.may_overlap(in, bodies, contacts.contacts(), margin)) separation.run(in, detector, bodies);
}

// Gravity, forces and elastic layers work on the displacements too; projection is what has to be done against them.
template <int Dim>
void Simulation<Dim>::State::audit_separation(StepReport& report) {
  const typename Separation<Dim>::Result& result = separation.result();
  report.separation_passes = result.passes;
  report.separation_sweeps = result.sweeps;
  report.overlaps_left = result.left;
  if (result.depth > report.penetration) {
    report.penetration = result.depth;
    report.penetration_contact = -1;  // none of the list
  }
  if (result.relative > report.penetration_relative) {
    report.penetration_relative = result.relative;
    report.penetration_a = bodies.id[result.a];
    report.penetration_b = bodies.id[result.b];
  }
  EnergyBalance& energy = report.energy;
  energy.gravity += result.gravity;
  energy.forces += result.forces;
  energy.projection -= result.gravity + result.forces;
}

template void Simulation<2>::State::hold_parts();
template void Simulation<3>::State::hold_parts();
template void Simulation<2>::State::separate();
template void Simulation<3>::State::separate();
template void Simulation<2>::State::audit_separation(StepReport&);
template void Simulation<3>::State::audit_separation(StepReport&);

}  // namespace saltus
