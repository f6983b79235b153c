#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/joints/joint_positions.hpp"
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

// m: gaps of bodies far from the origin are not known better.
template <int Dim>
double round_off_of_places(const BodySet<Dim>& bodies) {
  constexpr double kRoundings = 64;
  double farthest = 0;
  for (int slot = 0; slot < bodies.slots(); ++slot)
    if (bodies.is_moving(slot))
      farthest = std::max(farthest, bodies.pose[slot].position.cwiseAbs().maxCoeff());
  return kRoundings * std::numeric_limits<double>::epsilon() * farthest;
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

// Contacts found again at the present poses; returns the deepest overlap, m, or with `closed` the largest distance of
// those that carry an impulse.
template <int Dim>
double Simulation<Dim>::Engine::project_contacts(double reach, bool closed) {
  double worst = 0;
  const auto& points = work.detector.update(state.bodies.pose, {}, reach);
  for_each_namesake<Dim>(points, state.contacts.contacts(), [&](const ContactPoint<Dim>& p, Contact<Dim>* c) {
    const PairLaw& law =
        c ? *c->law : model.laws.require(state.bodies.model[p.a].material, state.bodies.model[p.b].material);
    if (!is_projected(law)) return;
    const SweepContact<Dim> row =
        place_contact<Dim>(p, state.bodies.pose, work.projection.problem.bodies, model.scene.period);
    if (is_immovable(work.projection.problem.bodies[p.a]) &&
        is_immovable(work.projection.problem.bodies[p.b]))
      return;
    const bool holds = closed && c && c->impulse[0] > 0;
    worst = std::max(worst, holds ? std::abs(p.gap) : -p.gap);
    if (holds)
      add_closed<Dim>(row, p.gap, work.projection.coupling);
    else
      work.projection.problem.contacts.push_back(row);
  });
  return worst;
}

// Gaps and constraints of systems, at time t; as above.
template <int Dim>
double Simulation<Dim>::Engine::project_gaps(double reach, bool closed) {
  double worst = 0;
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
    if (!holds && value > reach) continue;
    worst = std::max(worst, holds ? std::abs(value) : -value);
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
  return worst;
}

// Followers that contacts or joints move, and the metric of systems between the degrees of freedom that take part.
template <int Dim>
void Simulation<Dim>::Engine::project_systems() {
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
  coupling.index(state.bodies.slots());
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

template <int Dim>
void Simulation<Dim>::Engine::project(StepReport& report) {
  if (work.scheme.kind != SchemeKind::moreau_jean_projected) return;
  const ProjectionOptions& asked = work.scheme.projection;
  const double tolerance = std::max(asked.tolerance, round_off_of_places<Dim>(state.bodies));
  double worst = 0;
  for (const Contact<Dim>& c : state.contacts.contacts()) {
    const bool closes = asked.kind == ProjectionKind::combined && c.impulse[0] > 0;
    worst = std::max(worst, closes ? std::abs(c.gap_end) : -c.gap_end);
  }
  for (int pass = 0;; ++pass) {
    // Contacts that are held closed may contradict each other: then they only must not overlap.
    const bool closed = asked.kind == ProjectionKind::combined && 2 * pass < asked.passes;
    const double reach = kNear * std::max(worst, tolerance);
    start_projection();
    worst = std::max(project_contacts(reach, closed), project_gaps(reach, closed));
    worst = std::max(
        worst, add_position_blocks<Dim>(state.parts.joints, work.parts.slot_of, state.bodies.pose, reach,
                                        closed ? &work.parts.coupling : nullptr, work.projection.coupling));
    report.projection_left = worst;
    report.projection_passes = pass;
    if (!(worst > tolerance) || pass == asked.passes) break;
    project_systems();
    GroupSolverOptions options;
    options.tolerance = kInner * tolerance;
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
      if (c.impulse[0] > 0 && is_projected(*c.law) && std::abs(c.input.gap) <= kNear * tolerance)
        work_done += c.impulse[0] * c.gap_end / work.scheme.h;
    return work_done;
  };
  const double before = work_of_resting();
  read_gap_ends();
  const double put_back = work_of_resting() - before;
  report.energy.impact += put_back;
  report.energy.projection -= put_back;
  if (!(report.projection_left <= tolerance) && report.status == StepStatus::converged) {
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
