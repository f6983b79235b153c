// Contacts of bodies that are thin for their speed, under laws that act where a contact is forecast.
//
// Contacts are looked for once in a step, and these laws act from the time on at which one is closed there: until then a body
// goes on by up to h |u|. Taking overlaps back (sim/separation.hpp) copes with that while it is a small part of the thickness; beyond the
// middle of the other body it would lead out on the wrong side, or the body has passed. Such a contact acts now, at the distance
// where it is: with its rebound, and where the law has none, so that the bodies meet where contacts are looked for next
// (laws/pair_law.cpp).
#include <algorithm>

#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

constexpr double kDeepest = 0.5;  // of the thickness of the thinner body, where contacts are looked for next

// No two bodies approach by enough in a step: most steps end here.
template <int Dim>
bool all_are_slow(const SimulationModel<Dim>& model, const BodySet<Dim>& bodies,
                  std::span<const SweepBody<Dim>> solved, double h) {
  double fastest = 0;
  for (int s = 0; s < bodies.slots(); ++s) {
    if (!bodies.alive(s)) continue;
    const double spin = Eigen::Map<const Spin<Dim>>(solved[s].w).norm();
    const BodyId id = bodies.id[s];
    if (spin > 0 && model.thickness[id] == 0) return false;  // a wall that turns
    fastest = std::max(fastest, Eigen::Map<const Vec<Dim>>(solved[s].v).norm() + spin * model.turning[id]);
  }
  return 2 * h * fastest <= kDeepest * model.finest;
}

}  // namespace

// Lists the contacts that are taken in. Pairs of balls are left alone, whose surfaces no turn brings nearer: fast ones are told. Points of
// systems too.
template <int Dim>
void Simulation<Dim>::Engine::take_swift_in(std::vector<int>& taken) {
  taken.clear();
  if (all_are_slow<Dim>(model, state.bodies, work.problem.bodies, work.scheme.h)) return;
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
    const double opens = c.normal.dot(point_velocity<Dim>(work.problem.bodies[c.b], arm_b) -
                                      point_velocity<Dim>(work.problem.bodies[c.a], arm_a));
    if (-work.scheme.h * opens - c.input.gap_consistent <= kDeepest * model.thinner(a, b)) continue;
    c.input.forecast = true;
    taken.push_back(index);
  }
}

// Contacts are only ever taken in, so that the search ends; in each connected group by itself.
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

template void Simulation<2>::Engine::take_swift_in(std::vector<int>&);
template void Simulation<3>::Engine::take_swift_in(std::vector<int>&);
template void Simulation<2>::Engine::settle_swift(StepReport&);
template void Simulation<3>::Engine::settle_swift(StepReport&);

}  // namespace saltus
