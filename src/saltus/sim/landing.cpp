// Which contacts, gaps and bounds of joints are active under the combined projection (schemes/projected.hpp): those that the step without
// them would leave overlapping. And, where overlaps are taken back after a step, contacts of bodies that are thin for their speed.
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

// A contact that is not forecast closes by theta h |u| at most until the step ends, and the next step sends it back: that is how laws of
// impact reach a body, and taking overlaps back (sim/separation.hpp) copes with it while it is a small part of the body's thickness. Beyond, the
// body would be at the other side, or nearer to it. Such a contact acts at once, at the distance where it is. Lists those that are taken
// in. Pairs of balls are left alone: fast ones are told; points of systems too.
template <int Dim>
void Simulation<Dim>::Engine::take_swift_in(std::vector<int>& taken) {
  constexpr double kSwift = 0.25;  // of the thickness of the thinner body
  const double ahead = work.scheme.mean() * work.scheme.h;
  taken.clear();
  int index = -1;
  for (Contact<Dim>& c : state.contacts.contacts()) {
    ++index;
    if (c.row >= 0 || c.input.forecast || !needs_forecast(c.law->kind)) continue;
    const BodyId a = state.bodies.id[c.a], b = state.bodies.id[c.b];
    if (model.scene.bodies[a].follows >= 0 || model.scene.bodies[b].follows >= 0) continue;
    if (model.turning[a] == 0 && model.turning[b] == 0) continue;
    const Vec<Dim> image = c.image.template cast<double>().cwiseProduct(model.scene.period);
    const Vec<Dim> arm_a = c.point - work.motion.detection[c.a].position,
                   arm_b = c.point - work.motion.detection[c.b].position - image;
    const double closes = -ahead * c.normal.dot(point_velocity<Dim>(work.problem.bodies[c.b], arm_b) -
                                                point_velocity<Dim>(work.problem.bodies[c.a], arm_a));
    if (closes <= kSwift * model.thinner(a, b) || c.input.gap_consistent > closes) continue;
    c.input.forecast = true;
    taken.push_back(index);
  }
}

// Contacts are only ever taken in, so that the search ends.
template <int Dim>
void Simulation<Dim>::Engine::settle_swift(StepReport& report) {
  if (!model.has_swift || !work.scheme.corrects_positions() || work.scheme.activation == Activation::implicit)
    return;
  for (take_swift_in(work.changed); !work.changed.empty(); take_swift_in(work.changed)) {
    open_none();
    open_contacts(work.changed);
    keep_others();
    ContactStep step = contact_step();
    step.kept = work.kept;
    state.contacts.build_problem(step, model.scene.period, views(), work.problem);
    couple();
    solve_again(report);
  }
  work.kept.clear();
}

template void Simulation<2>::Engine::settle_landing(StepReport&);
template void Simulation<3>::Engine::settle_landing(StepReport&);
template void Simulation<2>::Engine::take_swift_in(std::vector<int>&);
template void Simulation<3>::Engine::take_swift_in(std::vector<int>&);
template void Simulation<2>::Engine::settle_swift(StepReport&);
template void Simulation<3>::Engine::settle_swift(StepReport&);

}  // namespace saltus
