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
      open_node(system_node(gap.system));
    }
    system.set_state(q, v);
  }
  return changed;
}

// Contacts are only ever taken in, so that the search ends; in each connected group by itself.
template <int Dim>
void Simulation<Dim>::Engine::settle_landing(StepReport& report) {
  ContactStep step = contact_step();
  step.forecast_known = true;
  std::vector<int> joints;
  for (;;) {
    open_none();
    state.contacts.take_in(step, model.scene.period, views(), work.problem, work.changed);
    open_contacts(work.changed);
    const bool gaps = take_gaps_in();
    state.parts.joints.take_in(joint_step(), work.problem.bodies, joints);
    for (const int joint : joints) {
      const FramePair<Dim>& pair = state.parts.joints.joint(joint).pair;
      for (const BodyId id : {pair.a, pair.b})
        if (id >= 0) open_slot(work.parts.slot_of[id]);
    }
    if (work.changed.empty() && !gaps && joints.empty()) break;
    keep_others();
    step.kept = work.kept;
    state.contacts.build_problem(step, model.scene.period, views(), work.problem);
    couple();
    solve_again(report);
  }
  work.kept.clear();
}

template void Simulation<2>::Engine::settle_landing(StepReport&);
template void Simulation<3>::Engine::settle_landing(StepReport&);

}  // namespace saltus
