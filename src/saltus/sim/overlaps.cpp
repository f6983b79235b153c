#include <algorithm>

#include "saltus/sim/simulation_state.hpp"

namespace saltus {

namespace {

// Less than this part of the mean size is touching, not overlapping.
constexpr double kTouching = 1e-6;
constexpr int kLargestPasses = 200;

template <int Dim>
void count_overlaps(const std::vector<ContactPoint<Dim>>& points,
                    const typename Simulation<Dim>::State& state, double touching,
                    InitialOverlaps& overlaps) {
  const BodySet<Dim>& bodies = state.bodies;
  for (const ContactPoint<Dim>& p : points) {
    if (-p.gap <= touching) continue;
    const PairLaw& law = state.laws.require(bodies.model[p.a].material, bodies.model[p.b].material);
    if (is_layer(law.kind)) {
      ++overlaps.layers;
      overlaps.compression = std::max(overlaps.compression, -p.gap);
      continue;
    }
    ++overlaps.count;
    if (-p.gap <= overlaps.deepest) continue;
    overlaps.deepest = -p.gap;
    overlaps.a = bodies.id[p.a];
    overlaps.b = bodies.id[p.b];
  }
}

template <int Dim>
const ContactPoint<Dim>* find_deepest(const std::vector<ContactPoint<Dim>>& points) {
  const auto deepest = std::min_element(points.begin(), points.end(),
                                        [](const auto& p, const auto& q) { return p.gap < q.gap; });
  return deepest == points.end() ? nullptr : &*deepest;
}

}  // namespace

// Each pass is a step of duration 1 with bodies at rest, no forces and no friction, under Signorini's
// condition on the gap: the smallest motion, in the metric of the masses, that ends all overlaps to first
// order.
template <int Dim>
void relax(typename Simulation<Dim>::State& state, double touching) {
  BodySet<Dim> still = state.bodies;
  for (int s = 0; s < still.slots(); ++s) {
    BodyModel<Dim>& model = still.model[s];
    model.has_force = false;
    if (model.all_free) continue;
    for (int i = 0; i < kDofs<Dim>; ++i)
      if (!still.is_free(s, i)) model.drive[i] = {Drive::Kind::locked, {}};
  }
  LawTable laws;
  for (const std::string& name : state.laws.materials()) laws.add_material(name);
  PairLaw push;
  push.kind = LawKind::gap_signorini;
  for (int a = 0; a < static_cast<int>(laws.materials().size()); ++a)
    for (int b = a; b < static_cast<int>(laws.materials().size()); ++b) laws.set(a, b, push);
  SchemeOptions scheme;
  scheme.h = scheme.theta = 1;
  ContactSet<Dim> contacts;
  FreeMotion<Dim> motion;
  VelocityProblem<Dim> problem;
  problem.mass = state.mean_mass;
  problem.length = state.mean_length;
  GroupSolverOptions options;
  options.solver = "nlgs";
  options.tolerance = 0.01 * touching;
  options.max_iterations = 2000;
  for (int pass = 0;; ++pass) {
    std::fill(still.velocity.begin(), still.velocity.end(), Vec<Dim>::Zero());
    std::fill(still.spin.begin(), still.spin.end(), Spin<Dim>::Zero());
    compute_free_motion<Dim>(still, Vec<Dim>::Zero(), {}, scheme, 0.0, motion);
    const auto& points = state.detector.update(motion.detection, {}, state.alert);
    const ContactPoint<Dim>* deepest = find_deepest(points);
    if (!deepest || -deepest->gap <= touching) break;
    if (pass == kLargestPasses) {
      state.overlaps.left = -deepest->gap;
      state.overlaps.left_a = still.id[deepest->a];
      state.overlaps.left_b = still.id[deepest->b];
      break;
    }
    contacts.match(points, still, laws, false);
    ContactStep step;
    step.h = step.mean = 1;
    contacts.build_problem(step, state.scene.period, {motion.detection, motion.start, motion.free, {}},
                           problem);
    state.solver.solve(options, motion.start, problem);
    update_bodies<Dim>(motion, problem.bodies, scheme, still);
    state.overlaps.relaxation_passes = pass + 1;
  }
  state.bodies.pose = still.pose;
}

template <int Dim>
void treat_overlaps(typename Simulation<Dim>::State& state) {
  double size = 0;
  for (int s = 0; s < state.bodies.slots(); ++s)
    if (state.bodies.alive(s)) size = std::max(size, state.bodies.model[s].size);
  const double touching = kTouching * size;
  count_overlaps<Dim>(state.detector.update(state.bodies.pose, {}, state.alert), state, touching,
                      state.overlaps);
  if (state.overlaps.count + state.overlaps.layers > 0 && state.scene.relax_overlaps)
    relax<Dim>(state, touching);
  find_buried<Dim>(state);
}

template void treat_overlaps<2>(Simulation<2>::State&);
template void treat_overlaps<3>(Simulation<3>::State&);

}  // namespace saltus
