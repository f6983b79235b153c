// Which contacts, gaps and bounds of joints are active under the combined projection (schemes/projected.hpp): those that the step without
// them would leave overlapping.
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

// Gaps that are not active, where their system would end with the impulses of the last solve.
template <int Dim>
bool Simulation<Dim>::Engine::take_gaps_in() {
  bool changed = false;
  for (std::size_t s = 0; s < state.parts.systems.size(); ++s) {
    System& system = *state.parts.systems[s];
    const Eigen::VectorXd q = system.coordinates(), v = system.velocity();
    system.correct(block_impulse(static_cast<int>(s)));
    for (std::size_t i = 0; i < model.parts.gaps.size(); ++i) {
      const SystemGap& gap = model.parts.gaps[i];
      GapStep& now = work.parts.gaps[i];
      if (gap.system != static_cast<int>(s) || gap.is_constraint || now.block >= 0) continue;
      const double end = gap.rows[0]->value(system.coordinates(), time() + work.scheme.h);
      if (!(end <= gap.active_below)) continue;
      now.lands = changed = true;
    }
    system.set_state(q, v);
  }
  return changed;
}

// Contacts are only ever taken in, so that the search ends.
template <int Dim>
void Simulation<Dim>::Engine::settle_landing(StepReport& report) {
  ContactStep step = contact_step();
  step.forecast_known = true;
  for (;;) {
    bool changed = state.contacts.take_in(step, model.scene.period, views(), work.problem);
    changed |= take_gaps_in();
    changed |= state.parts.joints.take_in(joint_step(), work.problem.bodies);
    if (!changed) return;
    state.contacts.build_problem(step, model.scene.period, views(), work.problem);
    couple();
    solve_again(report);
  }
}

template void Simulation<2>::Engine::settle_landing(StepReport&);
template void Simulation<3>::Engine::settle_landing(StepReport&);

}  // namespace saltus
