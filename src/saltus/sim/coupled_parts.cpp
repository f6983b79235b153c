#include "saltus/sim/coupled_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/schemes/schatzman_paoli.hpp"
#include "saltus/sim/simulation_state.hpp"
#include "saltus/systems/elastic_body.hpp"

namespace saltus {

namespace {

void put_velocity(const Eigen::Vector3d& v, BodyVelocity<2>& body) {
  body.v[0] = v[0], body.v[1] = v[1], body.w[0] = v[2];
}

template <int Dim>
void add_linear_system(const SceneLinearSystem& from, CoupledParts<Dim>& parts) {
  LinearModel model = build_model(from);
  const int system = static_cast<int>(parts.systems.size());
  for (const SceneGap& gap : from.gaps) {
    if (gap.law.friction > 0 || gap.law.cohesion > 0 || gap.law.viscosity > 0)
      throw InputError(gap.where, "a gap of a system has neither friction, cohesion nor viscosity");
    for (const auto& [dof, coefficient] : gap.row)
      if (dof < 0 || dof >= model.q.size())
        throw InputError(gap.where, "degree of freedom of a gap", fmt::format("{}", dof),
                         fmt::format("0 to {}", model.q.size() - 1));
    parts.gaps.push_back(gap);
    parts.gap_system.push_back(system);
    parts.gap_states.emplace_back();
  }
  parts.systems.push_back(std::make_unique<LinearSystem>(std::move(model)));
}

}  // namespace

template <int Dim>
void build_systems(typename Simulation<Dim>::State& state) {
  Scene<Dim>& scene = state.scene;
  // A scene that was run before brings its followers along: they are made anew.
  std::erase_if(scene.bodies, [](const SceneBody<Dim>& body) { return body.follows >= 0; });
  for (const SceneLinearSystem& system : scene.systems) add_linear_system<Dim>(system, state.parts);
  if constexpr (Dim == 2) {
    for (const SceneElasticBody& from : scene.elastic) {
      auto body = std::make_unique<ElasticBody>(build_model(from));
      add_followers(from, *body, static_cast<int>(state.parts.systems.size()), scene, state.parts.followers);
      state.parts.systems.push_back(std::move(body));
    }
  } else if (!scene.elastic.empty()) {
    throw InputError(scene.elastic.front().where,
                     "an elastic body is a thing of the plane: it needs dimension 2");
  }
  if (state.parts.systems.empty()) return;
  if (scene.scheme.activation == Activation::implicit)
    throw InputError("", "activation \"implicit\" with systems or elastic bodies", "implicit",
                     "consistent, start, end, free or middle");
}

template <int Dim>
void Simulation<Dim>::State::find_slots() {
  parts.slot_of.assign(scene.bodies.size(), -1);
  for (int slot = 0; slot < bodies.slots(); ++slot)
    if (bodies.alive(slot)) parts.slot_of[bodies.id[slot]] = slot;
}

template <int Dim>
void Simulation<Dim>::State::keep_joined_apart() {
  if (parts.empty()) return;
  find_slots();
  for (const FollowerModel& edge : parts.followers)
    for (const FollowerModel& point : parts.followers)
      if (edge.is_edge() && !point.is_edge() && edge.system == point.system &&
          (point.nodes[0] == edge.nodes[0] || point.nodes[0] == edge.nodes[1]))
        detector.exclude_pair(parts.slot_of[point.body], parts.slot_of[edge.body]);
  exclude_joined();
}

// Systems tell their free velocity, and their points where they are and how fast they go.
template <int Dim>
void Simulation<Dim>::State::predict_systems() {
  if (parts.empty()) return;
  find_slots();
  const StepWeights weights = step_weights(scene.scheme);
  const std::span<const double> g(gravity.data(), Dim);
  for (const std::unique_ptr<System>& system : parts.systems) system->predict(weights, time(), g);
  const double advance =
      scene.scheme.jacobian_at == JacobianAt::detection ? (1 - scene.scheme.mean()) * scene.scheme.h : 0.0;
  if constexpr (Dim == 2) {
    parts.places.resize(parts.followers.size());
    for (std::size_t i = 0; i < parts.followers.size(); ++i) {
      const FollowerModel& follower = parts.followers[i];
      const int slot = parts.slot_of[follower.body];
      const System& system = *parts.systems[follower.system];
      FollowerPlace& place = parts.places[i];
      place = place_follower(follower, system.coordinates(), system.velocity(), advance);
      motion.detection[slot] = place.pose;
      put_velocity(follower_velocity(follower, place.placement, system.velocity()), motion.start[slot]);
      put_velocity(follower_velocity(follower, place.placement, system.free_velocity()), motion.free[slot]);
      // Of its own it has no mass: it only must not count as immovable.
      motion.free[slot].inverse_mass[0] = motion.free[slot].inverse_mass[1] = 1;
    }
  }
}

template <int Dim>
void Simulation<Dim>::State::couple() {
  if (parts.empty()) return;
  Coupling<Dim>& coupling = parts.coupling;
  coupling.systems.resize(parts.systems.size());
  coupling.followers.clear();
  coupling.clear_blocks();
  parts.part_place.resize(parts.systems.size());
  for (std::size_t s = 0; s < parts.systems.size(); ++s) {
    coupling.systems[s].dofs.clear();
    parts.part_place[s].assign(parts.systems[s]->degrees_of_freedom(), -1);
  }
  const auto take_part = [&](int system, int dof) {
    int& place = parts.part_place[system][dof];
    if (place < 0) {
      place = static_cast<int>(coupling.systems[system].dofs.size());
      coupling.systems[system].dofs.push_back(dof);
    }
    return place;
  };
  add_followers(take_part);
  couple_joints();
  add_gaps(take_part);
  for (std::size_t s = 0; s < parts.systems.size(); ++s) {
    SystemPart& part = coupling.systems[s];
    part.inverse = parts.systems[s]->inverse_between(part.dofs);
    part.velocity.resize(static_cast<Eigen::Index>(part.dofs.size()));
    for (std::size_t i = 0; i < part.dofs.size(); ++i)
      part.velocity[i] = parts.systems[s]->free_velocity()[part.dofs[i]];
    part.impulse = Eigen::VectorXd::Zero(part.velocity.size());
  }
  coupling.index(bodies.slots());
}

// Those that contacts of the step act on.
template <int Dim>
template <class TakePart>
void Simulation<Dim>::State::add_followers(TakePart&& take_part) {
  if constexpr (Dim == 2) {
    if (parts.followers.empty()) return;
    std::vector<char> touched(bodies.slots(), 0);
    for (const SweepContact<2>& c : problem.contacts) touched[c.a] = touched[c.b] = 1;
    for (std::size_t i = 0; i < parts.followers.size(); ++i) {
      const FollowerModel& model = parts.followers[i];
      const int slot = parts.slot_of[model.body];
      if (!touched[slot]) continue;
      Follower<2> follower;
      follower.slot = slot;
      follower.system = model.system;
      follower.placement = parts.places[i].placement;
      for (const int dof : follower_dofs(model)) follower.dofs.push_back(take_part(model.system, dof));
      parts.coupling.followers.push_back(std::move(follower));
    }
  }
}

template <int Dim>
template <class TakePart>
void Simulation<Dim>::State::add_gaps(TakePart&& take_part) {
  for (std::size_t i = 0; i < parts.gaps.size(); ++i) {
    const SceneGap& gap = parts.gaps[i];
    GapState& now = parts.gap_states[i];
    const System& system = *parts.systems[parts.gap_system[i]];
    now.gap = gap.offset;
    now.before = 0;
    double free = 0;
    for (const auto& [dof, coefficient] : gap.row) {
      now.gap += coefficient * system.coordinates()[dof];
      now.before += coefficient * system.velocity()[dof];
      free += coefficient * system.free_velocity()[dof];
    }
    LawInput input;
    input.gap = now.gap;
    input.u[0] = now.before;
    input.u_free[0] = free;
    input.duration = scene.scheme.h;
    input.mean = scene.scheme.mean();
    input.gap_consistent = now.gap + (1 - input.mean) * input.duration * now.before;
    input.activation = scene.scheme.activation;
    input.on_positions = scene.scheme.kind == SchemeKind::schatzman_paoli;
    if (needs_forecast(gap.law.kind) && !input.on_positions) {
      input.gap -= gap.active_below;
      input.gap_consistent -= gap.active_below;
    }
    const LawTerms terms = compute_terms(gap.law, input, ContactHistory());
    now.block = -1;
    now.velocity = free;
    if (!terms.active) {
      now.r = 0;
      continue;
    }
    TiedBlock block;
    block.set = {SetKind::half_line, 1, 0};
    block.ends[0].system = parts.gap_system[i];
    block.ends[0].jacobian.resize(static_cast<Eigen::Index>(gap.row.size()), 1);
    for (std::size_t k = 0; k < gap.row.size(); ++k) {
      block.ends[0].dofs.push_back(take_part(parts.gap_system[i], gap.row[k].first));
      block.ends[0].jacobian(static_cast<Eigen::Index>(k), 0) = gap.row[k].second;
    }
    block.shift = Eigen::VectorXd::Constant(1, terms.shift[0]);
    block.compliance = Eigen::VectorXd::Zero(1);
    block.turns.assign(1, 0);
    block.r = Eigen::VectorXd::Constant(1, now.r);
    now.block = static_cast<int>(parts.coupling.blocks.size());
    parts.coupling.blocks.push_back(std::move(block));
  }
}

// Points get the velocities that the solve gave their systems, before contacts are read back.
template <int Dim>
void Simulation<Dim>::State::correct_systems() {
  if (parts.empty()) return;
  for (std::size_t s = 0; s < parts.systems.size(); ++s) {
    const SystemPart& part = parts.coupling.systems[s];
    System& system = *parts.systems[s];
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(system.degrees_of_freedom());
    for (std::size_t i = 0; i < part.dofs.size(); ++i) impulse[part.dofs[i]] = part.impulse[i];
    system.correct(impulse);
  }
  if constexpr (Dim == 2)
    for (std::size_t i = 0; i < parts.followers.size(); ++i) {
      const FollowerModel& follower = parts.followers[i];
      put_velocity(
          follower_velocity(follower, parts.places[i].placement, parts.systems[follower.system]->velocity()),
          problem.bodies[parts.slot_of[follower.body]]);
    }
  for (GapState& gap : parts.gap_states) {
    if (gap.block < 0) continue;
    gap.r = parts.coupling.blocks[gap.block].r[0];
    gap.velocity = parts.coupling.blocks[gap.block].u[0];
  }
}

// After the bodies: points are where their systems are.
template <int Dim>
void Simulation<Dim>::State::place_followers() {
  if (parts.empty()) return;
  if constexpr (Dim == 2)
    for (const FollowerModel& follower : parts.followers) {
      const int slot = parts.slot_of[follower.body];
      const System& system = *parts.systems[follower.system];
      const FollowerPlace place = place_follower(follower, system.coordinates(), system.velocity(), 0);
      const Eigen::Vector3d v = follower_velocity(follower, place.placement, system.velocity());
      bodies.pose[slot] = place.pose;
      bodies.velocity[slot] = v.head<2>();
      bodies.spin[slot] = Spin<2>(v[2]);
    }
  follow_joints();
}

// What a run must not hide: small displacements that are not, joints that come apart.
template <int Dim>
void Simulation<Dim>::State::watch_parts() {
  auto& worst = parts.worst;
  for (std::size_t i = 0; i < scene.elastic.size(); ++i) {
    const auto& body = static_cast<const ElasticBody&>(*parts.systems[scene.systems.size() + i]);
    if (const double rotation = body.largest_rotation(); rotation > worst.rotation)
      worst.rotation = rotation, worst.rotation_time = time(), worst.rotated = static_cast<int>(i);
  }
  watch_joints();
}

template <int Dim>
void Simulation<Dim>::State::audit_systems(StepReport& report, double& change) {
  EnergyBalance& energy = report.energy;
  const double mean = scene.scheme.mean();
  for (const std::unique_ptr<System>& system : parts.systems) {
    const SystemEnergy own = system->audit();
    change += own.kinetic_change;
    energy.kinetic += own.kinetic;
    energy.potential += own.potential;
    energy.elastic_stored += own.stored;
    energy.gravity += own.gravity;
    energy.forces += own.forces;
    energy.drives += own.drives;
    energy.damping += own.damping;
    energy.elastic += own.elastic;
    energy.scheme += own.scheme;
    if (own.momentum_scale > 0)
      report.momentum = std::max(report.momentum, own.momentum_defect / own.momentum_scale);
  }
  for (const GapState& gap : parts.gap_states) {
    report.penetration = std::max(
        report.penetration, -(gap.gap + scene.scheme.h * (mean * gap.velocity + (1 - mean) * gap.before)));
    if (gap.block >= 0) energy.impact += gap.r * (mean * gap.velocity + (1 - mean) * gap.before);
  }
}

template void build_systems<2>(Simulation<2>::State&);
template void build_systems<3>(Simulation<3>::State&);
template void Simulation<2>::State::find_slots();
template void Simulation<3>::State::find_slots();
template void Simulation<2>::State::keep_joined_apart();
template void Simulation<3>::State::keep_joined_apart();
template void Simulation<2>::State::predict_systems();
template void Simulation<3>::State::predict_systems();
template void Simulation<2>::State::couple();
template void Simulation<3>::State::couple();
template void Simulation<2>::State::correct_systems();
template void Simulation<3>::State::correct_systems();
template void Simulation<2>::State::place_followers();
template void Simulation<3>::State::place_followers();
template void Simulation<2>::State::watch_parts();
template void Simulation<3>::State::watch_parts();
template void Simulation<2>::State::audit_systems(StepReport&, double&);
template void Simulation<3>::State::audit_systems(StepReport&, double&);

}  // namespace saltus
