#include <algorithm>
#include <set>
#include <span>
#include <string>

#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

// Less than this part of the largest body is touching, not overlapping.
constexpr double kTouching = 1e-6;
constexpr int kLargestPasses = 200;

// The balls that stand for nodes of elastic bodies are no matter: what is in overlap is the node, their centre. Radius
// per slot; 0: all of the body counts.
template <int Dim>
std::vector<double> node_radii(const SimulationModel<Dim>& model, const BodySet<Dim>& bodies) {
  std::vector<double> radii(bodies.slots(), 0.0);
  if (model.parts.followers.empty()) return radii;
  std::vector<char> is_node(model.scene.bodies.size(), 0);
  for (const FollowerModel<Dim>& follower : model.parts.followers)
    is_node[follower.body] = follower.is_on_surface() && !follower.is_facet();
  for (int slot = 0; slot < bodies.slots(); ++slot)
    if (bodies.alive(slot) && is_node[bodies.id[slot]]) radii[slot] = 0.5 * bodies.model[slot].size;
  return radii;
}

// The size of the largest body that is there; of an elastic one as a whole.
template <int Dim>
double largest_size(const SimulationModel<Dim>& model, const BodySet<Dim>& bodies) {
  double size = 0;
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.alive(s)) size = std::max(size, bodies.model[s].size);
  for (const FollowerModel<Dim>& follower : model.parts.followers) size = std::max(size, follower.thickness);
  return size;
}

template <int Dim>
void count_overlaps(const std::vector<ContactPoint<Dim>>& points, const SimulationModel<Dim>& model,
                    const BodySet<Dim>& bodies, double touching, InitialOverlaps& overlaps) {
  const std::vector<double> radii = node_radii(model, bodies);
  for (const ContactPoint<Dim>& p : points) {
    const double depth = -p.gap - radii[p.a] - radii[p.b];
    if (depth <= touching) continue;
    const PairLaw& law = model.laws.require(bodies.model[p.a].material, bodies.model[p.b].material);
    if (is_layer(law.kind)) {
      ++overlaps.layers;
      overlaps.compression = std::max(overlaps.compression, depth);
      continue;
    }
    ++overlaps.count;
    if (depth <= overlaps.deepest) continue;
    overlaps.deepest = depth;
    overlaps.a = bodies.id[p.a];
    overlaps.b = bodies.id[p.b];
  }
}

template <int Dim>
const ContactPoint<Dim>* find_deepest(std::span<const ContactPoint<Dim>> points) {
  const auto deepest = std::min_element(points.begin(), points.end(),
                                        [](const auto& p, const auto& q) { return p.gap < q.gap; });
  return deepest == points.end() ? nullptr : &*deepest;
}

// What holds points that are left out holds nothing.
template <int Dim>
void drop_joints_of_systems(Scene<Dim>& still) {
  std::set<std::string> there = {""}, joints;
  for (const SceneBody<Dim>& body : still.bodies)
    if (body.follows < 0) there.insert(body.name);
  still.ties.clear();
  std::erase_if(still.joints, [&](const SceneJoint<Dim>& joint) {
    return joint.tie >= 0 || !there.contains(joint.a) || !there.contains(joint.b);
  });
  for (const SceneJoint<Dim>& joint : still.joints) joints.insert(joint.name);
  std::erase_if(still.joints, [&](const SceneJoint<Dim>& joint) {
    return joint.kind == JointKind::gear &&
           (!joints.contains(joint.joints[0]) || !joints.contains(joint.joints[1]));
  });
}

// The scene at rest: steps of duration 1 without forces and without friction, under Signorini's condition on the gap.
// A step is then the smallest motion, in the metric of the masses, that ends all overlaps to first order.
template <int Dim>
Scene<Dim> build_still_scene(const Scene<Dim>& scene, double touching) {
  Scene<Dim> still = scene;
  still.gravity.setZero();
  still.tilt = {};
  still.laws.clear();
  still.default_law = PairLaw();
  still.default_law->kind = LawKind::gap_signorini;
  still.membranes.clear();
  still.servos.clear();
  still.systems.clear();
  still.elastic.clear();
  still.deformable.clear();
  still.lagrangian.clear();
  still.beams.clear();
  // Points of systems stand; surfaces of elastic bodies are left out, and what comes after them.
  if (scene.elastic.empty() && scene.deformable.empty() && scene.beams.empty())
    for (SceneBody<Dim>& body : still.bodies) body.follows = -1;
  drop_joints_of_systems(still);
  still.scheme = {};
  still.scheme.h = still.scheme.theta = 1;
  still.solver = {};
  still.solver.kind = SolverKind::nlgs;
  still.solver.tolerance_velocity = 0.01 * touching;
  still.solver.max_iterations = 2000;
  still.relax_overlaps = false;
  for (SceneBody<Dim>& body : still.bodies) {
    body.velocity.setZero();
    body.spin.setZero();
    body.force = {};
    for (int i = 0; i < kDofs<Dim>; ++i)
      if (!body.drive[i].is_free()) body.drive[i] = {Drive::Kind::locked, {}};
  }
  return still;
}

}  // namespace

template <int Dim>
void relax(typename Simulation<Dim>::Engine& engine, double touching) {
  InitialOverlaps& overlaps = engine.state.overlaps;
  typename Simulation<Dim>::Engine still(build_still_scene(engine.model.scene, touching));
  BodySet<Dim>& bodies = still.state.bodies;
  still.state.next_event = still.model.events.size();  // nobody comes or goes
  for (int pass = 0;; ++pass) {
    std::fill(bodies.velocity.begin(), bodies.velocity.end(), Vec<Dim>::Zero());
    std::fill(bodies.spin.begin(), bodies.spin.end(), Spin<Dim>::Zero());
    still.predict();
    const std::span<const ContactPoint<Dim>> points = still.detect();
    const ContactPoint<Dim>* deepest = find_deepest<Dim>(points);
    if (!deepest || -deepest->gap <= touching) break;
    if (pass == kLargestPasses) {
      overlaps.left = -deepest->gap;
      overlaps.left_a = bodies.id[deepest->a];
      overlaps.left_b = bodies.id[deepest->b];
      break;
    }
    StepReport report;
    still.build(points);
    still.solve(report);
    still.correct(report);
    overlaps.relaxation_passes = pass + 1;
  }
  // Followers of elastic bodies come after the others, and stay.
  std::copy(bodies.pose.begin(), bodies.pose.end(), engine.state.bodies.pose.begin());
}

template <int Dim>
void treat_overlaps(typename Simulation<Dim>::Engine& engine) {
  const SimulationModel<Dim>& model = engine.model;
  const BodySet<Dim>& bodies = engine.state.bodies;
  InitialOverlaps& overlaps = engine.state.overlaps;
  Detector<Dim>& detector = engine.work.detector;
  const double touching = kTouching * largest_size(model, bodies);
  if (!model.parts.surfaces.empty()) engine.find_slots(), engine.place_followers();
  count_overlaps<Dim>(engine.true_contacts(detector.update(bodies.pose, {}, model.alert)), model, bodies,
                      touching, overlaps);
  if (overlaps.count + overlaps.layers > 0 && model.scene.relax_overlaps) relax<Dim>(engine, touching);
  find_buried<Dim>(model, bodies, detector, overlaps);
}

template void treat_overlaps<2>(Simulation<2>::Engine&);
template void treat_overlaps<3>(Simulation<3>::Engine&);

}  // namespace saltus
