#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "saltus/base/large_buffer.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/sim/alpha_step.hpp"
#include "saltus/sim/joined_contacts.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

// CPU time between calls.
class Laps {
 public:
  double lap() {
    const double now = seconds(Clock::thread_cpu), passed = now - last_;
    last_ = now;
    return passed;
  }

 private:
  double last_ = seconds(Clock::thread_cpu);
};

// Velocity a driven degree of freedom starts with.
template <int Dim>
void start_drives(const BodyModel<Dim>& model, double t, Vec<Dim>& velocity, Spin<Dim>& spin) {
  for (int i = 0; i < kDofs<Dim>; ++i) {
    double& v = i < Dim ? velocity[i] : spin[i - Dim];
    const Drive& drive = model.drive[i];
    if (drive.kind == Drive::Kind::locked) v = 0;
    if (drive.kind == Drive::Kind::velocity) v = drive.function.at(t);
    if (drive.kind == Drive::Kind::position) v = drive.function.slope_before(t);
  }
}

}  // namespace

// One step, read top to bottom (docs/ARCHITECTURE.md). The export of the next problem and the relaxation of
// overlaps go by the same verbs.
template <int Dim>
StepReport Simulation<Dim>::Engine::take() {
  StepReport report;
  PhaseTimes& cpu = state.summary.cpu;
  Laps laps;

  if (advance_by_events(report)) {
    cpu.solve += laps.lap();
    return report;
  }
  predict();
  cpu.free_motion += laps.lap();
  const auto points = detect();
  cpu.detection += laps.lap();
  build(points);
  cpu.problem += laps.lap();
  solve(report);
  cpu.solve += laps.lap();
  correct(report);
  project(report);
  cpu.update += laps.lap();
  separate();
  cpu.separation += laps.lap();
  audit(report);
  release_if_large(work.problem.contacts);
  cpu.audit += laps.lap();
  return report;
}

template <int Dim>
StepReport Simulation<Dim>::step() {
  Engine& engine = *engine_;
  const ThreadScope threads(engine.work.threads);
  if (engine.alpha) return engine.alpha->take();
  if (engine.may_cut_steps()) return engine.take_controlled();
  StepReport report = engine.take();
  engine.state.summary.add(report);
  return report;
}

// Who is there, what acts on them, and how they would move without contacts and joints.
template <int Dim>
void Simulation<Dim>::Engine::predict() {
  apply_events();
  compute_loads();
  compute_free_motion<Dim>(state.bodies, work.gravity, work.extra, work.scheme, time(), work.motion,
                           expected_moments());
  push_joints();
  predict_systems();
}

template <int Dim>
std::span<const ContactPoint<Dim>> Simulation<Dim>::Engine::detect() {
  return with_membranes(detect_bodies());
}

// The problem of the step: contacts with their laws, and what else ties.
template <int Dim>
void Simulation<Dim>::Engine::build(std::span<const ContactPoint<Dim>> points) {
  state.contacts.match(points, state.bodies, model.laws, work.scheme.h, is_start(), work.parts.surface_of);
  set_membrane_laws();
  set_joined_laws();
  work.detector.drop_contacts();
  work.law_points.clear();
  work.kept.clear();
  for (GapStep& gap : work.parts.gaps) gap.lands = false;
  state.contacts.build_problem(contact_step(), model.scene.period, views(), work.problem);
  couple();
}

template <int Dim>
void Simulation<Dim>::Engine::solve(StepReport& report) {
  solve_contacts(report);
  if (work.scheme.activation == Activation::implicit) settle_forecast(report);
  if (work.scheme.lands()) settle_landing(report);
  settle_swift(report);
  if (!model.is_linear) settle_laws(report);
  if (!state.parts.empty()) settle_systems(report);
}

// Impulses become memory, velocities and places.
template <int Dim>
void Simulation<Dim>::Engine::correct(StepReport& report) {
  note_jolts();
  correct_systems();
  count_bonds(state.contacts.update(contact_step(), model.scene.period, views(), work.problem), report);
  update_bodies<Dim>(work.motion, work.problem.bodies, work.scheme, state.bodies);
  place_followers();
  end_step();
}

template <int Dim>
ContactStep Simulation<Dim>::Engine::contact_step() const {
  ContactStep step;
  step.h = work.scheme.h;
  step.mean = work.scheme.mean();
  step.activation = work.scheme.activation_rule();
  step.activation_gamma = work.scheme.activation_gamma;
  step.velocity_tolerance = work.velocity_tolerance;
  step.velocity_tolerances = work.row_tolerances;
  step.left_open = left_open();
  step.on_positions = work.scheme.kind == SchemeKind::schatzman_paoli;
  step.detected_at_start = work.scheme.jacobian_at != JacobianAt::detection;
  step.predicted_arms = work.scheme.jacobian_at == JacobianAt::predicted;
  return step;
}

// The tolerance is a root mean square over the contacts of a group: single ones may be worse. Without gravity it is known once the group is
// solved, and nothing falls.
template <int Dim>
double Simulation<Dim>::Engine::left_open() const {
  constexpr double kWorst = 10;
  const GroupSolverOptions asked = solver_options();
  return asked.of_free_velocity ? 0.0 : kWorst * work.scheme.h * asked.tolerance;
}

// A bond whose contact is no longer listed is broken too: its body is gone, or another feature touches now.
template <int Dim>
void Simulation<Dim>::Engine::count_bonds(const BondCount& count, StepReport& report) {
  const int made = is_start() ? count.before : 0;
  report.bonds_formed = made + count.formed;
  report.bonds_broken = count.broken + state.bonds + made - count.before;
  report.bonds = state.bonds = count.after();
}

template <int Dim>
void Simulation<Dim>::Engine::apply_events() {
  const std::size_t before = state.next_event;
  // A millionth of a step of slack: times are multiples of h only to round-off.
  for (; state.next_event < model.events.size() &&
         model.events[state.next_event].time <= time() + 1e-6 * work.scheme.h;
       ++state.next_event) {
    const BodyEvent& event = model.events[state.next_event];
    if (event.appears) {
      const SceneBody<Dim>& body = model.scene.bodies[event.body];
      Vec<Dim> velocity = body.velocity;
      Spin<Dim> spin = body.spin;
      BodyModel<Dim> made = model.build_body(event.body);
      start_drives<Dim>(made, time(), velocity, spin);
      const int slot =
          state.bodies.add(event.body, std::move(made), model.initial_pose(event.body), velocity, spin);
      const bool stands = state.bodies.model[slot].all_prescribed && body.follows < 0;
      const BodyFlags flags = flags_of(body, stands);
      [[maybe_unused]] const int same =
          work.detector.add(model.shape_about_mass(event.body), flags, body.where);
      assert(same == slot);
    } else {
      const int slot = state.bodies.find(event.body);
      state.bodies.remove(slot);
      work.detector.remove(slot);
      state.contacts.forget_body(slot);
    }
  }
  if (state.next_event == before) return;
  update_means();
  keep_joined_apart();
  apply_controls();  // to bodies and joints that are there now
}

template <int Dim>
void Simulation<Dim>::Engine::update_means() {
  double mass = 0, length = 0;
  int moving = 0;
  for (int slot = 0; slot < state.bodies.slots(); ++slot) {
    if (!state.bodies.is_moving(slot)) continue;
    const BodyModel<Dim>& m = state.bodies.model[slot];
    mass += m.mass;
    length += std::sqrt(m.inertia.trace() / (kSpins<Dim> * m.mass));
    ++moving;
  }
  work.mean_mass = moving ? mass / moving : 1;
  work.mean_length = moving ? length / moving : 1;
}

namespace {

bool has_bonds(const LawTable& laws) {
  return std::any_of(laws.laws().begin(), laws.laws().end(),
                     [](const PairLaw& law) { return bond_reach(law) > 0; });
}

// m, of a material with any other.
double farthest_bond(const LawTable& laws, int material) {
  double reach = 0;
  for (int other = 0; other < static_cast<int>(laws.materials().size()); ++other)
    if (laws.has(material, other)) reach = std::max(reach, bond_reach(laws.at(material, other)));
  return reach;
}

}  // namespace

// A contact must be listed if it can close in the step: a body travels at most h |v| + h^2 |g|, its far end
// h |w| times its radius more; and as far as its bonds reach, half of which is each body's.
template <int Dim>
const std::vector<ContactPoint<Dim>>& Simulation<Dim>::Engine::detect_bodies() {
  work.travel.assign(state.bodies.slots(), 0.0);
  const double h = work.scheme.h;
  constexpr std::int64_t kGrain = 1024;
  parallel_for(state.bodies.slots(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      if (!state.bodies.alive(static_cast<int>(slot))) continue;
      const auto bound = [&](const BodyVelocity<Dim>& body) {
        return h *
               (Eigen::Map<const Vec<Dim>>(body.v).norm() +
                model.bounding_radius[state.bodies.id[slot]] * Eigen::Map<const Spin<Dim>>(body.w).norm());
      };
      work.travel[slot] = std::max(bound(work.motion.start[slot]), bound(work.motion.free[slot]));
      if (!std::isfinite(work.travel[slot])) work.travel[slot] = 0;
    }
  });
  if (has_bonds(model.laws))
    for (int slot = 0; slot < state.bodies.slots(); ++slot)
      if (state.bodies.alive(slot))
        work.travel[slot] += 0.5 * farthest_bond(model.laws, state.bodies.model[slot].material);
  try {
    return true_contacts(work.detector.update(work.motion.detection, work.travel, model.alert));
  } catch (const std::domain_error&) {
    // A body without a place: the step goes on without contacts, and its audit tells which body it is.
    static const std::vector<ContactPoint<Dim>> none;
    return none;
  }
}

// What the scene asks of the solver, for this step.
template <int Dim>
GroupSolverOptions Simulation<Dim>::Engine::solver_options() const {
  const SolverSettings& asked = model.scene.solver;
  GroupSolverOptions options;
  options.solver = asked.kind;
  options.of_free_velocity = !(asked.tolerance_velocity > 0) && !(gravity_step() > 0);
  options.tolerance = asked.tolerance_velocity > 0 ? asked.tolerance_velocity
                      : gravity_step() > 0         ? asked.tolerance * gravity_step()
                                                   : asked.tolerance * work.sharper;
  options.gap_rate = 1 / (work.scheme.mean() * work.scheme.mean() * work.scheme.h);
  options.max_iterations = asked.max_iterations;
  options.threads = asked.threads;
  options.local = asked.local;
  if (const auto& m = asked.margins)
    options.margins = VelocityMargins{m->gap / work.scheme.h, m->velocity, m->force * work.scheme.h};
  return options;
}

template <int Dim>
void Simulation<Dim>::Engine::solve_contacts(StepReport& report) {
  work.problem.mass = work.mean_mass;
  work.problem.length = work.mean_length;
  if (!work.parts.joined.empty())
    take_joints_off<Dim>(work.parts.joined, state.parts.joints, work.parts.slot_of, work.scheme.mean(),
                         work.parts.coupling, state.contacts.contacts(), work.problem);
  GroupSolution solved = work.solver.solve(solver_options(), work.motion.start, work.problem,
                                           state.parts.empty() ? nullptr : &work.parts.coupling,
                                           state.contacts.pulls(), work.kept);
  report.status = solved.converged ? StepStatus::converged : StepStatus::unconverged;
  report.reason = std::move(solved.reason);
  report.tolerance = solved.tolerance;
  report.iterations = solved.iterations;
  report.contact_updates = solved.contact_updates;
  report.residual_rms = solved.residual.rms;
  report.residual_max = solved.residual.max;
  report.residual_contact = solved.residual.worst;
  report.unsolved = solved.unsolved;
  report.groups = solved.groups;
  report.held = solved.held;
  report.held_contact = solved.held_contact;
  report.several = solved.several;
  report.several_contact = solved.several_contact;
  report.stages = std::move(solved.stages);
  const double margin = model.scene.solver.margins ? model.scene.solver.margins->velocity : 0.0;
  work.velocity_tolerance = std::max(report.tolerance, margin);
  work.row_tolerances.clear();
  if (solver_options().of_free_velocity)
    for (std::size_t row = 0; row < work.problem.contacts.size(); ++row)
      work.row_tolerances.push_back(std::max(
          work.solver.tolerance_of(work.solver.groups().group_of_contact(static_cast<int>(row))), margin));
  if (gravity_step() > 0) {
    report.residual_rms_gh = report.residual_rms / gravity_step();
    report.residual_max_gh = report.residual_max / gravity_step();
  }
}

template <int Dim>
double Simulation<Dim>::Engine::tolerance_of_block(int block) const {
  const double margin = model.scene.solver.margins ? model.scene.solver.margins->velocity : 0.0;
  return std::max(work.solver.tolerance_of(work.solver.groups().group_of_block(block)), margin);
}

template struct Simulation<2>::Engine;
template struct Simulation<3>::Engine;
template StepReport Simulation<2>::step();
template StepReport Simulation<3>::step();

}  // namespace saltus
