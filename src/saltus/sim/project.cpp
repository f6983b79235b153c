#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/joints/joint_positions.hpp"
#include "saltus/sim/joined_contacts.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

// A contact closer than this part of the deepest overlap may close when that is taken back.
constexpr double kNear = 4;
// Of the tolerance, what the solver may leave of a pass: what is left should be that of the linearisation.
constexpr double kInner = 1e-3;

template <int Dim>
void set_identity(SweepBody<Dim>& body) {
  for (double& m : body.inverse_mass) m = m != 0 ? 1 : 0;
  double* inertia = body.inverse_inertia;
  if constexpr (Dim == 2) {
    inertia[0] = inertia[0] != 0 ? 1 : 0;
  } else {
    for (const int off : {1, 2, 4}) inertia[off] = 0;
    for (const int diagonal : {0, 3, 5}) inertia[diagonal] = inertia[diagonal] != 0 ? 1 : 0;
  }
}

// Where a displacement of a contact acts: on the moving body's surface where the other stands (contact_set.cpp).
template <int Dim>
SweepContact<Dim> place_contact(const ContactPoint<Dim>& p, std::span<const Pose<Dim>> poses,
                                std::span<const SweepBody<Dim>> bodies, const Vec<Dim>& period) {
  SweepContact<Dim> row;
  row.a = p.a, row.b = p.b;
  row.normal = p.normal;
  row.point = p.point;
  Vec<Dim> at = p.point;
  if (is_immovable(bodies[p.a]))
    at += 0.5 * p.gap * p.normal;
  else if (is_immovable(bodies[p.b]))
    at -= 0.5 * p.gap * p.normal;
  row.arm_a = at - poses[p.a].position;
  row.arm_b = at - poses[p.b].position - p.image.template cast<double>().cwiseProduct(period);
  row.shift[0] = p.gap;
  return row;
}

template <int Dim>
void add_closed(const SweepContact<Dim>& row, double gap, Coupling<Dim>& coupling) {
  TiedBlock& block = coupling.add_block();
  block.set = {SetKind::space, 1, 0};
  block.shift.setConstant(1, gap);
  block.compliance.setZero(1);
  block.r.setZero(1);
  block.turns.assign(1, 0);
  const auto set_end = [&](int slot, double sign, const Vec<Dim>& arm, TiedEnd& end) {
    end.slot = slot;
    end.jacobian.resize(kDofs<Dim>, 1);
    end.jacobian.col(0) << sign * row.normal, sign * moment(arm, row.normal);
  };
  set_end(row.a, -1, row.arm_a, block.ends[0]);
  set_end(row.b, 1, row.arm_b, block.ends[1]);
}

// Contacts of the step and those found now, both in the order of names: calls f(contact) for a namesake, f(null) else.
template <int Dim, class F>
void for_each_namesake(std::span<const ContactPoint<Dim>> points, std::vector<Contact<Dim>>& contacts,
                       F&& f) {
  std::size_t cursor = 0;
  for (const ContactPoint<Dim>& p : points) {
    const auto name = contact_order(p.a, p.b, p.image, p.feature);
    const auto name_at = [&](std::size_t i) {
      const Contact<Dim>& c = contacts[i];
      return contact_order(c.a, c.b, c.image, c.feature);
    };
    while (cursor < contacts.size() && name_at(cursor) < name) ++cursor;
    const bool same = cursor < contacts.size() && name_at(cursor) == name;
    f(p, same ? &contacts[cursor] : nullptr);
  }
}

bool is_projected(const PairLaw& law) {
  return !is_layer(law.kind) && law.kind != LawKind::pressure && law.cohesion == 0;
}

// m: gaps of a body far from the origin are not known better.
template <int Dim>
double round_off_of_place(const BodySet<Dim>& bodies, int slot) {
  constexpr double kRoundings = 64;
  if (!bodies.is_moving(slot)) return 0;
  return kRoundings * std::numeric_limits<double>::epsilon() *
         bodies.pose[slot].position.cwiseAbs().maxCoeff();
}

// What a block is off, m or rad.
double off_of(const TiedBlock& block) {
  return block.set.kind == SetKind::space ? block.shift.lpNorm<Eigen::Infinity>() : -block.shift[0];
}

// Raises what all nodes of a group have to the most that one of them has.
template <int Dim>
void share(const ContactGroups<Dim>& groups, std::vector<double>& of_node) {
  std::vector<double> most(groups.count(), 0.0);
  for (int node = 0; node < groups.nodes(); ++node)
    if (const int group = groups.group_of_node(node); group >= 0)
      most[group] = std::max(most[group], of_node[node]);
  for (int node = 0; node < groups.nodes(); ++node)
    if (const int group = groups.group_of_node(node); group >= 0) of_node[node] = most[group];
}

}  // namespace

// Bodies and systems as they stand, with nothing that holds them. The metric of the mass is that of the step.
template <int Dim>
void Simulation<Dim>::Engine::start_projection() {
  work.projection.problem.bodies = work.motion.free;
  for (SweepBody<Dim>& body : work.projection.problem.bodies) {
    static_cast<BodyVelocity<Dim>&>(body) = {};
    if (work.scheme.projection.metric == ProjectionMetric::identity) set_identity(body);
  }
  work.projection.problem.contacts.clear();
  work.projection.problem.mass = work.mean_mass;
  work.projection.problem.length = work.mean_length;
  work.projection.still.assign(state.bodies.slots(), BodyVelocity<Dim>());
  Coupling<Dim>& coupling = work.projection.coupling;
  coupling.systems.resize(state.parts.systems.size());
  coupling.followers.clear();
  coupling.clear_blocks();
  work.projection.part_place.resize(state.parts.systems.size());
  for (std::size_t s = 0; s < state.parts.systems.size(); ++s) {
    coupling.systems[s].dofs.clear();
    work.projection.part_place[s].assign(state.parts.systems[s]->degrees_of_freedom(), -1);
  }
}

// Contacts found again at the present poses: with `closed` those that carry an impulse are to be closed.
template <int Dim>
void Simulation<Dim>::Engine::project_contacts(std::span<const double> reach, bool closed) {
  const auto& points = work.detector.update(state.bodies.pose, reach, 0);
  for_each_namesake<Dim>(points, state.contacts.contacts(), [&](const ContactPoint<Dim>& p, Contact<Dim>* c) {
    const PairLaw& law =
        c ? *c->law : model.laws.require(state.bodies.model[p.a].material, state.bodies.model[p.b].material);
    if (!is_projected(law) || p.gap > std::max(reach[p.a], reach[p.b])) return;
    // An overlap between bodies of a joint that was there before the step may be the joint's, which nothing opens: it stays.
    if (!work.parts.joined.empty() && p.gap < 0 &&
        (!c || -c->input.gap >
                   kNear * std::max({work.scheme.projection.tolerance, round_off_of_place(state.bodies, p.a),
                                     round_off_of_place(state.bodies, p.b)})) &&
        find_joint_of<Dim>(work.parts.joined, state.parts.joints, work.parts.slot_of, p.a, p.b) >= 0)
      return;
    const SweepContact<Dim> row =
        place_contact<Dim>(p, state.bodies.pose, work.projection.problem.bodies, model.scene.period);
    if (is_immovable(work.projection.problem.bodies[p.a]) &&
        is_immovable(work.projection.problem.bodies[p.b]))
      return;
    if (closed && c && c->impulse[0] > 0)
      add_closed<Dim>(row, p.gap, work.projection.coupling);
    else
      work.projection.problem.contacts.push_back(row);
  });
}

// Gaps and constraints of systems, at time t; as above.
template <int Dim>
void Simulation<Dim>::Engine::project_gaps(std::span<const double> reach, bool closed) {
  for (std::size_t i = 0; i < model.parts.gaps.size(); ++i) {
    const SystemGap& gap = model.parts.gaps[i];
    GapStep& now = work.parts.gaps[i];
    const CoordinateFunction& f = *gap.rows[0];
    Eigen::VectorXd gradient(static_cast<Eigen::Index>(f.dofs().size()));
    double rate = 0;
    const double value = f.evaluate(state.parts.systems[gap.system]->coordinates(), time(), gradient, rate);
    const bool pushed = now.block >= 0 && work.parts.coupling.blocks[now.block].r[0] > 0;
    const bool holds = gap.is_constraint || (closed && pushed);
    now.gap_end = value;
    if (!holds && value > reach[system_node(gap.system)]) continue;
    TiedBlock& block = work.projection.coupling.add_block();
    block.set = {holds ? SetKind::space : SetKind::half_line, 1, 0};
    block.shift.setConstant(1, value);
    block.compliance.setZero(1);
    block.r.setZero(1);
    block.turns.assign(1, 0);
    block.ends[0].system = gap.system;
    block.ends[0].jacobian = gradient;
    for (const int dof : f.dofs()) block.ends[0].dofs.push_back(work.projection.take_part(gap.system, dof));
  }
}

// Followers that contacts or joints move.
template <int Dim>
void Simulation<Dim>::Engine::project_followers() {
  Coupling<Dim>& coupling = work.projection.coupling;
  std::vector<char> touched(model.parts.followers.empty() ? 0 : state.bodies.slots(), 0);
  if (!touched.empty()) {
    for (const SweepContact<Dim>& c : work.projection.problem.contacts) touched[c.a] = touched[c.b] = 1;
    for (const TiedBlock& block : coupling.blocks)
      for (const TiedEnd& end : block.ends)
        if (end.slot >= 0) touched[end.slot] = 1;
  }
  for (const FollowerModel<Dim>& from : model.parts.followers) {
    const int slot = work.parts.slot_of[from.body];
    if (!touched[slot]) continue;
    const System& system = *state.parts.systems[from.system];
    Follower<Dim> follower;
    follower.slot = slot;
    follower.system = from.system;
    FollowerPlace<Dim> place;
    place_follower<Dim>(from, system.coordinates(), system.velocity(), 0, work.parts.scratch, place);
    follower.placement = place.placement;
    for (const int dof : from.dofs) follower.dofs.push_back(work.projection.take_part(from.system, dof));
    coupling.followers.push_back(std::move(follower));
  }
  coupling.index(state.bodies.slots());
}

// The metric of systems between the degrees of freedom that take part.
template <int Dim>
void Simulation<Dim>::Engine::project_systems() {
  Coupling<Dim>& coupling = work.projection.coupling;
  const bool by_mass = work.scheme.projection.metric == ProjectionMetric::mass;
  for (std::size_t s = 0; s < state.parts.systems.size(); ++s) {
    SystemPart& part = coupling.systems[s];
    const auto count = static_cast<Eigen::Index>(part.dofs.size());
    part.inverse.resize(count, count);
    for (Eigen::Index j = 0; j < count; ++j) {
      Eigen::VectorXd column =
          Eigen::VectorXd::Unit(state.parts.systems[s]->degrees_of_freedom(), part.dofs[j]);
      state.parts.systems[s]->solve_metric(by_mass, column);
      for (Eigen::Index i = 0; i < count; ++i) part.inverse(i, j) = column[part.dofs[i]];
    }
    part.velocity.setZero(count);
    part.impulse.setZero(count);
  }
}

// The displacements of the pass; what gravity and forces did on the way is what the projection paid for.
template <int Dim>
void Simulation<Dim>::Engine::displace(EnergyBalance& energy) {
  for (int slot = 0; slot < state.bodies.slots(); ++slot) {
    if (!state.bodies.is_moving(slot) || model.scene.bodies[state.bodies.id[slot]].follows >= 0) continue;
    const SweepBody<Dim>& by = work.projection.problem.bodies[slot];
    const Vec<Dim> d = Eigen::Map<const Vec<Dim>>(by.v);
    const Spin<Dim> turn = Eigen::Map<const Spin<Dim>>(by.w);
    if (d.isZero(0) && turn.isZero(0)) continue;
    const BodyModel<Dim>& body = state.bodies.model[slot];
    const StepLoad<Dim>& load = work.motion.load(slot);
    const double weight = body.mass * work.gravity.dot(d),
                 force = (load.force.dot(d) + load.torque.dot(turn)) / work.scheme.h;
    energy.gravity += weight, energy.forces += force;
    energy.projection -= weight + force;
    const Spin<Dim> spin = state.bodies.spin_world(slot);
    state.bodies.pose[slot].position += d;
    state.bodies.pose[slot].rotate(turn);
    if (body.spherical) state.bodies.set_spin_world(slot, spin);
  }
  const bool by_mass = work.scheme.projection.metric == ProjectionMetric::mass;
  for (std::size_t s = 0; s < state.parts.systems.size(); ++s) {
    const SystemPart& part = work.projection.coupling.systems[s];
    if (part.impulse.isZero(0)) continue;
    Eigen::VectorXd d = Eigen::VectorXd::Zero(state.parts.systems[s]->degrees_of_freedom());
    for (std::size_t i = 0; i < part.dofs.size(); ++i)
      d[part.dofs[i]] = part.impulse[static_cast<Eigen::Index>(i)];
    state.parts.systems[s]->solve_metric(by_mass, d);
    state.parts.systems[s]->displace(d);
  }
  place_followers();
}

// How near a constraint must be to take part, per node: as far as the worst of its group may take it. Before the first pass this
// is what the velocities left of contacts.
template <int Dim>
void Simulation<Dim>::Engine::start_reach(std::vector<double>& worst) const {
  worst.assign(system_node(static_cast<int>(state.parts.systems.size())), 0.0);
  for (const Contact<Dim>& c : state.contacts.contacts()) {
    const bool closes = work.scheme.projection.kind == ProjectionKind::combined && c.impulse[0] > 0;
    for (const int slot : {c.a, c.b})
      worst[slot] = std::max(worst[slot], closes ? std::abs(c.gap_end) : -c.gap_end);
  }
  for (int slot = 0; slot < state.bodies.slots(); ++slot)
    if (is_immovable(work.motion.free[slot])) worst[slot] = 0;
  share(work.solver.groups(), worst);
}

// The groups of the pass: those whose constraints are all within their tolerance stay where they are, and are left out. Tells the
// worst of each group to its nodes, and returns that of all.
template <int Dim>
double Simulation<Dim>::Engine::judge_projection(std::vector<double>& worst) {
  Projection<Dim>& p = work.projection;
  const int slots = state.bodies.slots();
  p.groups.build(p.problem, p.coupling.empty() ? GroupTies() : p.coupling.ties());
  std::vector<double> off(p.groups.count(), 0.0),
      tolerance(p.groups.count(), work.scheme.projection.tolerance);
  for (std::size_t i = 0; i < p.problem.contacts.size(); ++i) {
    double& most = off[p.groups.group_of_contact(static_cast<int>(i))];
    most = std::max(most, -p.problem.contacts[i].shift[0]);
  }
  for (std::size_t i = 0; i < p.coupling.blocks.size(); ++i) {
    double& most = off[p.groups.group_of_block(static_cast<int>(i))];
    most = std::max(most, off_of(p.coupling.blocks[i]));
  }
  for (int slot = 0; slot < slots; ++slot)
    if (const int group = p.groups.group_of_body(slot); group >= 0)
      tolerance[group] = std::max(tolerance[group], round_off_of_place(state.bodies, slot));
  worst.assign(system_node(static_cast<int>(state.parts.systems.size())), 0.0);
  p.least.assign(slots, 0.0);
  for (int node = 0; node < p.groups.nodes(); ++node) {
    const int group = p.groups.group_of_node(node);
    if (group < 0) continue;
    worst[node] = std::max(off[group], tolerance[group]);
    if (node < slots) p.least[node] = kInner * tolerance[group];
  }
  const auto is_settled = [&](int group) { return off[group] <= tolerance[group]; };
  std::size_t rows = 0, blocks = 0;
  for (std::size_t i = 0; i < p.problem.contacts.size(); ++i)
    if (!is_settled(p.groups.group_of_contact(static_cast<int>(i))))
      p.problem.contacts[rows++] = p.problem.contacts[i];
  for (std::size_t i = 0; i < p.coupling.blocks.size(); ++i)
    if (!is_settled(p.groups.group_of_block(static_cast<int>(i))))
      std::swap(p.coupling.blocks[blocks++], p.coupling.blocks[i]);
  p.problem.contacts.resize(rows);
  p.coupling.blocks.resize(blocks);
  p.coupling.index(slots);
  return off.empty() ? 0.0 : std::max(0.0, *std::max_element(off.begin(), off.end()));
}

template <int Dim>
void Simulation<Dim>::Engine::project(StepReport& report) {
  if (work.scheme.kind != SchemeKind::moreau_jean_projected) return;
  const ProjectionOptions& asked = work.scheme.projection;
  std::vector<double> reach;
  start_reach(reach);
  bool settled = false;
  for (int pass = 0;; ++pass) {
    // Contacts that are held closed may contradict each other: then they only must not overlap.
    const bool closed = asked.kind == ProjectionKind::combined && 2 * pass < asked.passes;
    for (std::size_t node = 0; node < reach.size(); ++node)
      reach[node] = kNear * std::max({reach[node], asked.tolerance,
                                      node < static_cast<std::size_t>(state.bodies.slots())
                                          ? round_off_of_place(state.bodies, static_cast<int>(node))
                                          : 0.0});
    start_projection();
    project_contacts(reach, closed);
    project_gaps(reach, closed);
    add_position_blocks<Dim>(state.parts.joints, work.parts.slot_of, state.bodies.pose, reach,
                             closed ? &work.parts.coupling : nullptr, work.projection.coupling);
    project_followers();
    report.projection_left = judge_projection(reach);
    report.projection_passes = pass;
    settled = work.projection.problem.contacts.empty() && work.projection.coupling.blocks.empty();
    if (settled || pass == asked.passes) break;
    project_systems();
    GroupSolverOptions options;
    options.tolerance = kInner * asked.tolerance;
    options.least = work.projection.least;
    options.max_iterations = model.scene.solver.max_iterations;
    options.threads = model.scene.solver.threads;
    const GroupSolution solved =
        work.projection.solver.solve(options, work.projection.still, work.projection.problem,
                                     work.projection.coupling.empty() ? nullptr : &work.projection.coupling);
    report.iterations += solved.iterations;
    report.contact_updates += solved.contact_updates;
    displace(report.energy);
  }
  // What rests sinks by what the solver leaves of its velocity, and is put back. The impulses of contacts that were closed and are again
  // act on both ways: without that the one would be told as an impact, the other as work of the projection.
  const auto work_of_resting = [&] {
    double work_done = 0;
    for (const Contact<Dim>& c : state.contacts.contacts())
      if (c.impulse[0] > 0 && is_projected(*c.law) &&
          std::abs(c.input.gap) <= kNear * std::max({asked.tolerance, round_off_of_place(state.bodies, c.a),
                                                     round_off_of_place(state.bodies, c.b)}))
        work_done += c.impulse[0] * c.gap_end / work.scheme.h;
    return work_done;
  };
  const double before = work_of_resting();
  read_gap_ends();
  const double put_back = work_of_resting() - before;
  report.energy.impact += put_back;
  report.energy.projection -= put_back;
  if (!settled && report.status == StepStatus::converged) {
    report.status = StepStatus::unconverged;
    report.reason = fmt::format(
        "the projection on the constraints left {:.3g} m or rad after {} passes: constraints that contradict "
        "each "
        "other, or more passes or a wider projection_tolerance are needed",
        report.projection_left, asked.passes);
  }
}

// Contacts that were looked for at the end of the projection have their true gap; others are open.
template <int Dim>
void Simulation<Dim>::Engine::read_gap_ends() {
  for (Contact<Dim>& c : state.contacts.contacts())
    if (is_projected(*c.law)) c.gap_end = std::max(c.gap_end, 0.0);
  for_each_namesake<Dim>(work.detector.contacts(), state.contacts.contacts(),
                         [](const ContactPoint<Dim>& p, Contact<Dim>* c) {
                           if (c && is_projected(*c->law)) c->gap_end = p.gap;
                         });
}

template void Simulation<2>::Engine::project(StepReport&);
template void Simulation<3>::Engine::project(StepReport&);

}  // namespace saltus
