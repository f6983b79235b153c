#include "saltus/sim/coupled_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/schemes/schatzman_paoli.hpp"
#include "saltus/sim/beam_parts.hpp"
#include "saltus/sim/deformable_parts.hpp"
#include "saltus/sim/mesh_ends.hpp"
#include "saltus/sim/simulation_engine.hpp"
#include "saltus/sim/solid_scheme.hpp"
#include "saltus/sim/system_gaps.hpp"

namespace saltus {

namespace {

template <int Dim>
void put_velocity(const Eigen::Matrix<double, kDofs<Dim>, 1>& v, BodyVelocity<Dim>& body) {
  for (int i = 0; i < Dim; ++i) body.v[i] = v[i];
  for (int i = 0; i < kSpins<Dim>; ++i) body.w[i] = v[Dim + i];
}

}  // namespace

template <int Dim>
int CoupledWork<Dim>::take_part(int system, int dof) {
  int& place = part_place[system][dof];
  if (place < 0) {
    place = static_cast<int>(coupling.systems[system].dofs.size());
    coupling.systems[system].dofs.push_back(dof);
  }
  return place;
}

template <int Dim>
void build_systems(SimulationModel<Dim>& model, CoupledState<Dim>& state) {
  Scene<Dim>& scene = model.scene;
  // A scene that was run before brings its followers along: they are made anew.
  std::erase_if(scene.bodies, [](const SceneBody<Dim>& body) { return body.follows >= 0; });
  forget_ties(scene);
  for (const SceneLinearSystem& system : scene.systems) add_linear_system<Dim>(system, model, state);
  for (const SceneDeformable<Dim>& body : deformables(scene)) add_deformable<Dim>(body, model, state);
  for (const SceneLagrangianSystem<Dim>& system : scene.lagrangian)
    add_lagrangian_system<Dim>(system, model, state);
  for (const SceneBeam<Dim>& body : scene.beams) add_beam<Dim>(body, model, state);
  add_mesh_ends<Dim>(model, state);
  std::sort(model.parts.neighbours.begin(), model.parts.neighbours.end());
  model.parts.follower_of.assign(scene.bodies.size(), -1);
  for (std::size_t i = 0; i < model.parts.followers.size(); ++i) {
    FollowerModel<Dim>& follower = model.parts.followers[i];
    model.parts.follower_of[follower.body] = static_cast<int>(i);
    find_moves<Dim>(*state.systems[follower.system], follower);
  }
  check_solid_scheme<Dim>(model, state);
  if (state.systems.empty()) return;
  if (scene.scheme.activation == Activation::implicit)
    throw InputError("", "activation \"implicit\" with systems or deformable bodies", "implicit",
                     "consistent, start, end, free or middle");
}

template <int Dim>
void Simulation<Dim>::Engine::find_slots() {
  work.parts.slot_of.assign(model.scene.bodies.size(), -1);
  for (int slot = 0; slot < state.bodies.slots(); ++slot)
    if (state.bodies.alive(slot)) work.parts.slot_of[state.bodies.id[slot]] = slot;
}

template <int Dim>
void Simulation<Dim>::Engine::keep_joined_apart() {
  if (state.parts.empty()) return;
  find_slots();
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [node, edge] : model.parts.neighbours)
    pairs.emplace_back(work.parts.slot_of[node], work.parts.slot_of[edge]);
  find_joined(pairs);
  work.detector.exclude_pairs(pairs);
  begin_joints();
}

// Systems tell their free velocity, and their points where they are and how fast they go.
template <int Dim>
void Simulation<Dim>::Engine::predict_systems() {
  if (state.parts.empty()) return;
  find_slots();
  find_surfaces();
  const StepWeights weights = step_weights(work.scheme);
  const std::span<const double> g(work.gravity.data(), Dim);
  for (const std::unique_ptr<System>& system : state.parts.systems) system->predict(weights, time(), g);
  const double advance =
      work.scheme.jacobian_at == JacobianAt::detection ? (1 - work.scheme.mean()) * work.scheme.h : 0.0;
  work.parts.places.resize(model.parts.followers.size());
  for (std::size_t i = 0; i < model.parts.followers.size(); ++i) {
    const FollowerModel<Dim>& follower = model.parts.followers[i];
    const int slot = work.parts.slot_of[follower.body];
    const System& system = *state.parts.systems[follower.system];
    FollowerPlace<Dim>& place = work.parts.places[i];
    place_follower<Dim>(follower, system.coordinates(), system.velocity(), advance, work.parts.scratch,
                        place);
    work.motion.detection[slot] = place.pose;
    if (follower.is_facet()) work.detector.move_corners(slot, place.corners);
    put_velocity<Dim>(follower_velocity<Dim>(follower, place.placement, system.velocity()),
                      work.motion.start[slot]);
    if (follower.is_facet())
      work.parts.stretch_start[slot] = follower_stretch<Dim>(follower, place, system.velocity());
    Eigen::Map<Vec<Dim>>(work.motion.free[slot].inverse_mass) = follower.moves;
  }
  put_free_velocities();
}

// As the system of the follower moves with v.
template <int Dim>
void Simulation<Dim>::Engine::put_stretch(int index, const Eigen::VectorXd& v) {
  const FollowerModel<Dim>& follower = model.parts.followers[index];
  if (follower.is_facet())
    work.parts.stretch[work.parts.slot_of[follower.body]] =
        follower_stretch<Dim>(follower, work.parts.places[index], v);
}

// Facets are pieces of the surface of their system; bodies have no stretch.
template <int Dim>
void Simulation<Dim>::Engine::find_surfaces() {
  if (model.parts.surfaces.empty()) return;
  work.parts.stretch_start.assign(state.bodies.slots(), Mat<Dim>::Zero());
  work.parts.stretch.assign(state.bodies.slots(), Mat<Dim>::Zero());
  work.parts.surface_of.assign(state.bodies.slots(), -1);
  for (const FollowerModel<Dim>& follower : model.parts.followers)
    if (follower.is_facet()) work.parts.surface_of[work.parts.slot_of[follower.body]] = follower.system;
}

template <int Dim>
void Simulation<Dim>::Engine::put_free_velocities() {
  for (std::size_t i = 0; i < model.parts.followers.size(); ++i) {
    const FollowerModel<Dim>& follower = model.parts.followers[i];
    put_velocity<Dim>(follower_velocity<Dim>(follower, work.parts.places[i].placement,
                                             state.parts.systems[follower.system]->free_velocity()),
                      work.motion.free[work.parts.slot_of[follower.body]]);
    put_stretch(static_cast<int>(i), state.parts.systems[follower.system]->free_velocity());
  }
}

template <int Dim>
void Simulation<Dim>::Engine::couple() {
  if (state.parts.empty()) return;
  Coupling<Dim>& coupling = work.parts.coupling;
  note_blocks();
  coupling.systems.resize(state.parts.systems.size());
  coupling.clear_followers();
  coupling.clear_blocks();
  work.parts.part_place.resize(state.parts.systems.size());
  work.parts.start.resize(state.parts.systems.size());
  work.parts.tied.resize(state.parts.systems.size());
  work.parts.impulse.resize(state.parts.systems.size());
  for (std::size_t s = 0; s < state.parts.systems.size(); ++s) {
    coupling.systems[s].dofs.clear();
    work.parts.part_place[s].assign(state.parts.systems[s]->degrees_of_freedom(), -1);
  }
  add_followers();
  couple_joints();
  add_gaps();
  restore_blocks();
  for (std::size_t s = 0; s < state.parts.systems.size(); ++s) {
    SystemPart& part = coupling.systems[s];
    state.parts.systems[s]->fill_inverse(part.dofs, part.inverse);
    Eigen::VectorXd& start = work.parts.start[s];
    start.resize(static_cast<Eigen::Index>(part.dofs.size()));
    for (std::size_t i = 0; i < part.dofs.size(); ++i)
      start[static_cast<Eigen::Index>(i)] = state.parts.systems[s]->velocity()[part.dofs[i]];
  }
  start_systems();
  coupling.index(state.bodies.slots());
}

// Before a solve: systems have their free velocity and no impulse.
template <int Dim>
void Simulation<Dim>::Engine::start_systems() {
  for (std::size_t s = 0; s < work.parts.coupling.systems.size(); ++s) {
    if (!work.kept.empty() && work.kept[system_node(static_cast<int>(s))]) continue;
    SystemPart& part = work.parts.coupling.systems[s];
    part.velocity.resize(static_cast<Eigen::Index>(part.dofs.size()));
    for (std::size_t i = 0; i < part.dofs.size(); ++i)
      part.velocity[i] = state.parts.systems[s]->free_velocity()[part.dofs[i]];
    part.impulse.setZero(part.velocity.size());
  }
}

// Those that contacts of the step act on.
template <int Dim>
void Simulation<Dim>::Engine::add_followers() {
  if (model.parts.followers.empty()) return;
  std::vector<char>& touched = work.parts.touched;
  touched.assign(state.bodies.slots(), 0);
  for (const SweepContact<Dim>& c : work.problem.contacts) touched[c.a] = touched[c.b] = 1;
  const auto touch = [&](BodyId id) {
    if (id >= 0 && work.parts.slot_of[id] >= 0) touched[work.parts.slot_of[id]] = 1;
  };
  for (int i = 0; i < state.parts.joints.count(); ++i) {
    const Joint<Dim>& joint = state.parts.joints.joint(i);
    touch(joint.pair.a), touch(joint.pair.b);
    for (const CombinedTerm<Dim>& term : joint.combined) touch(term.pair.a), touch(term.pair.b);
  }
  for (std::size_t i = 0; i < model.parts.followers.size(); ++i) {
    const FollowerModel<Dim>& own = model.parts.followers[i];
    const int slot = work.parts.slot_of[own.body];
    if (!touched[slot]) continue;
    Follower<Dim>& follower = work.parts.coupling.add_follower();
    follower.slot = slot;
    follower.system = own.system;
    follower.placement = work.parts.places[i].placement;
    follower.stretch = work.parts.places[i].stretch;
    for (const int dof : own.dofs) follower.dofs.push_back(work.parts.take_part(own.system, dof));
  }
}

template <int Dim>
const Eigen::VectorXd& Simulation<Dim>::Engine::block_impulse(int system) {
  const SystemPart& part = work.parts.coupling.systems[system];
  Eigen::VectorXd& impulse = work.parts.impulse[static_cast<std::size_t>(system)];
  impulse.setZero(state.parts.systems[system]->degrees_of_freedom());
  for (std::size_t i = 0; i < part.dofs.size(); ++i)
    impulse[part.dofs[i]] = part.impulse[static_cast<Eigen::Index>(i)];
  return impulse;
}

// Systems that are not linear: the step is solved again with v = v_free + Mhat^-1 P about the last solution, until that
// is one of the systems too. The error falls by a factor of the order of h in a turn. Groups whose systems are there are left
// alone while others go on.
template <int Dim>
void Simulation<Dim>::Engine::settle_systems(StepReport& report) {
  constexpr int kTurns = 30;
  constexpr double kSettled = 1e-11;  // of momentum
  constexpr double kSharper = 1e-3;
  if (std::all_of(state.parts.systems.begin(), state.parts.systems.end(),
                  [](const auto& system) { return system->is_linear(); }))
    return;
  const int systems = static_cast<int>(state.parts.systems.size());
  std::vector<char> open(systems);
  for (int s = 0; s < systems; ++s) open[s] = !state.parts.systems[s]->is_linear();
  work.kept.clear();
  for (int turn = 0; turn < kTurns; ++turn) {
    open_none();
    bool settled = true;
    for (int s = 0; s < systems; ++s) {
      if (!open[s]) continue;
      open[s] = !(state.parts.systems[s]->relinearise(block_impulse(s)) <= kSettled);
      settled &= !open[s];
      if (open[s]) open_node(system_node(s));
    }
    if (settled) {
      work.kept.clear();
      return;
    }
    keep_others();
    // A system that is there goes on with those of its group.
    for (int s = 0; s < systems; ++s)
      if (const int group = work.solver.groups().group_of_node(system_node(s)); group >= 0)
        open[s] = work.open_groups[group] && !state.parts.systems[s]->is_linear();
    put_free_velocities();
    ContactStep step = contact_step();
    step.forecast_known = true;
    step.points = work.law_points;
    step.kept = work.kept;
    state.contacts.build_problem(step, model.scene.period, views(), work.problem);
    if (std::any_of(state.parts.systems.begin(), state.parts.systems.end(),
                    [](const auto& system) { return system->linearised_at() != nullptr; })) {
      couple();
      work.sharper = kSharper;
    }
    solve_again(report);
    if (!model.is_linear) settle_laws(report);
    work.sharper = 1;
  }
  work.kept.clear();
  report.status = StepStatus::unconverged;
  report.solid_failed = !state.parts.solids.empty() || !state.parts.beams.empty();
  report.reason = "a system that is not linear and its contacts did not settle: a smaller step may help";
}

// Points get the velocities that the solve gave their systems, before contacts are read back.
template <int Dim>
void Simulation<Dim>::Engine::correct_systems() {
  if (state.parts.empty()) return;
  for (std::size_t s = 0; s < state.parts.systems.size(); ++s)
    state.parts.systems[s]->correct(block_impulse(static_cast<int>(s)));
  for (std::size_t i = 0; i < model.parts.followers.size(); ++i) {
    const FollowerModel<Dim>& follower = model.parts.followers[i];
    put_velocity<Dim>(follower_velocity<Dim>(follower, work.parts.places[i].placement,
                                             state.parts.systems[follower.system]->velocity()),
                      work.problem.bodies[work.parts.slot_of[follower.body]]);
    put_stretch(static_cast<int>(i), state.parts.systems[follower.system]->velocity());
  }
  correct_gaps();
}

// After the bodies: points are where their systems are.
template <int Dim>
void Simulation<Dim>::Engine::place_followers() {
  if (state.parts.empty()) return;
  work.parts.places.resize(model.parts.followers.size());
  for (std::size_t i = 0; i < model.parts.followers.size(); ++i) {
    const FollowerModel<Dim>& follower = model.parts.followers[i];
    const int slot = work.parts.slot_of[follower.body];
    const System& system = *state.parts.systems[follower.system];
    FollowerPlace<Dim>& place = work.parts.places[i];  // that of the step is not needed any more
    Eigen::Matrix<double, kDofs<Dim>, 1> v;
    if (follower.is_on_surface()) {
      v = move_on_surface<Dim>(follower, system.coordinates(), system.velocity(), place);
    } else {
      place_follower<Dim>(follower, system.coordinates(), system.velocity(), 0, work.parts.scratch, place);
      v = follower_velocity<Dim>(follower, place.placement, system.velocity());
    }
    state.bodies.pose[slot] = place.pose;
    if (follower.is_facet()) work.detector.move_corners(slot, place.corners);
    state.bodies.velocity[slot] = v.template head<Dim>();
    state.bodies.set_spin_world(slot, Spin<Dim>(v.template tail<kSpins<Dim>>()));
  }
  follow_joints();
}

// What a run must not hide: small displacements that are not, joints that come apart. Rotations take many steps to grow: after the first
// ones they are looked at now and then.
template <int Dim>
void Simulation<Dim>::Engine::watch_parts() {
  constexpr std::int64_t kLook = 8;  // steps
  if (state.steps > kLook && state.steps % kLook != 0) return watch_joints();
  auto& worst = state.parts.worst;
  for (std::size_t i = 0; i < state.parts.solids.size(); ++i) {
    Continuum<Dim>& solid = *state.parts.solids[i];
    if (solid.options().kinematics != Kinematics::small) continue;
    const System& system = *state.parts.systems[model.parts.surfaces[i].system];
    if (system.is_linear() && solid.is_linear() && solid.evaluate(system.coordinates(), 0, {}))
      solid.accept();
    if (const double rotation = solid.largest_rotation(); rotation > worst.rotation)
      worst.rotation = rotation, worst.rotation_time = time(), worst.rotated = static_cast<int>(i);
  }
  const std::size_t others = state.parts.systems.size() - state.parts.beams.size();
  for (std::size_t i = 0; i < state.parts.beams.size(); ++i) {
    const Beams<Dim>& beams = *state.parts.beams[i];
    if (!beams.is_linear()) continue;
    if (const double rotation = beams.largest_rotation(state.parts.systems[others + i]->coordinates());
        rotation > worst.rotation)
      worst.rotation = rotation, worst.rotation_time = time(),
      worst.rotated = static_cast<int>(state.parts.solids.size() + i);
  }
  watch_joints();
}

template <int Dim>
void Simulation<Dim>::Engine::audit_systems(StepReport& report, double& change) {
  EnergyBalance& energy = report.energy;
  for (const std::unique_ptr<System>& system : state.parts.systems) {
    const SystemEnergy own = system->audit();
    change += own.kinetic_change;
    energy.kinetic += own.kinetic;
    energy.potential += own.potential;
    energy.elastic_stored += own.stored;
    energy.hardening_stored += own.hardening;
    energy.gravity += own.gravity;
    energy.forces += own.forces;
    energy.drives += own.drives;
    energy.damping += own.damping;
    energy.plastic += own.plastic;
    energy.viscous += own.viscous;
    energy.elastic += own.elastic;
    energy.scheme += own.scheme;
    energy.projection += own.projection;
    if (own.momentum_scale > 0)
      report.momentum = std::max(report.momentum, own.momentum_defect / own.momentum_scale);
    // In free fall internal forces are round-off: inertia is then all that answers the loads, a ratio of 1.
    if (const double acting = std::max(own.internal, own.outer); acting > 0)
      report.inertia_ratio = std::max(report.inertia_ratio, own.inertia / acting);
  }
  audit_gaps(report);
}

template void build_systems<2>(SimulationModel<2>&, CoupledState<2>&);
template void build_systems<3>(SimulationModel<3>&, CoupledState<3>&);
template void Simulation<2>::Engine::find_slots();
template void Simulation<3>::Engine::find_slots();
template void Simulation<2>::Engine::keep_joined_apart();
template void Simulation<3>::Engine::keep_joined_apart();
template void Simulation<2>::Engine::predict_systems();
template void Simulation<3>::Engine::predict_systems();
template void Simulation<2>::Engine::put_stretch(int, const Eigen::VectorXd&);
template void Simulation<3>::Engine::put_stretch(int, const Eigen::VectorXd&);
template void Simulation<2>::Engine::find_surfaces();
template void Simulation<3>::Engine::find_surfaces();
template void Simulation<2>::Engine::couple();
template void Simulation<3>::Engine::couple();
template void Simulation<2>::Engine::start_systems();
template void Simulation<3>::Engine::start_systems();
template void Simulation<2>::Engine::settle_systems(StepReport&);
template void Simulation<3>::Engine::settle_systems(StepReport&);
template int CoupledWork<2>::take_part(int, int);
template int CoupledWork<3>::take_part(int, int);
template void Simulation<2>::Engine::correct_systems();
template void Simulation<3>::Engine::correct_systems();
template void Simulation<2>::Engine::place_followers();
template void Simulation<3>::Engine::place_followers();
template void Simulation<2>::Engine::watch_parts();
template void Simulation<3>::Engine::watch_parts();
template void Simulation<2>::Engine::audit_systems(StepReport&, double&);
template void Simulation<3>::Engine::audit_systems(StepReport&, double&);

}  // namespace saltus
