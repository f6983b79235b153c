#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "saltus/base/large_buffer.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/sim/simulation_state.hpp"

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
StepReport Simulation<Dim>::step() {
  State& s = *state_;
  const ThreadScope threads(s.threads);
  StepReport report;
  PhaseTimes& cpu = s.summary.cpu;
  Laps laps;

  if (s.advance_by_events(report)) {
    s.summary.add(report);
    cpu.solve += laps.lap();
    return report;
  }
  s.predict();
  cpu.free_motion += laps.lap();
  const auto points = s.detect();
  cpu.detection += laps.lap();
  s.build(points);
  cpu.problem += laps.lap();
  s.solve(report);
  cpu.solve += laps.lap();
  s.correct(report);
  s.project(report);
  cpu.update += laps.lap();
  s.audit(report);
  s.summary.add(report);
  release_if_large(s.problem.contacts);
  cpu.audit += laps.lap();
  return report;
}

// Who is there, what acts on them, and how they would move without contacts and joints.
template <int Dim>
void Simulation<Dim>::State::predict() {
  apply_events();
  compute_loads();
  compute_free_motion<Dim>(bodies, gravity, extra, scene.scheme, time(), motion, expected_moments());
  push_joints();
  predict_systems();
}

template <int Dim>
std::span<const ContactPoint<Dim>> Simulation<Dim>::State::detect() {
  return with_membranes(detect_bodies());
}

// The problem of the step: contacts with their laws, and what else ties.
template <int Dim>
void Simulation<Dim>::State::build(std::span<const ContactPoint<Dim>> points) {
  contacts.match(points, bodies, laws, steps == 0);
  set_membrane_laws();
  detector.drop_contacts();
  law_points.clear();
  for (GapState& gap : parts.gap_states) gap.lands = false;
  contacts.build_problem(contact_step(), scene.period, views(), problem);
  couple();
}

template <int Dim>
void Simulation<Dim>::State::solve(StepReport& report) {
  solve_contacts(report);
  if (scene.scheme.activation == Activation::implicit) settle_forecast(report);
  if (scene.scheme.lands()) settle_landing(report);
  if (!is_linear) settle_laws(report);
  if (!parts.empty()) settle_systems(report);
}

// Impulses become memory, velocities and places.
template <int Dim>
void Simulation<Dim>::State::correct(StepReport& report) {
  correct_systems();
  count_bonds(contacts.update(contact_step(), scene.period, views(), problem), report);
  update_bodies<Dim>(motion, problem.bodies, scene.scheme, bodies);
  place_followers();
  ++steps;
}

template <int Dim>
ContactStep Simulation<Dim>::State::contact_step() const {
  ContactStep step;
  step.h = scene.scheme.h;
  step.mean = scene.scheme.mean();
  step.activation = scene.scheme.activation_rule();
  step.activation_gamma = scene.scheme.activation_gamma;
  step.velocity_tolerance = velocity_tolerance;
  step.on_positions = scene.scheme.kind == SchemeKind::schatzman_paoli;
  step.detected_at_start = scene.scheme.jacobian_at != JacobianAt::detection;
  step.predicted_arms = scene.scheme.jacobian_at == JacobianAt::predicted;
  return step;
}

// A bond whose contact is no longer listed is broken too: its body is gone, or another feature touches now.
template <int Dim>
void Simulation<Dim>::State::count_bonds(const BondCount& count, StepReport& report) {
  const int made = steps == 0 ? count.before : 0;
  report.bonds_formed = made + count.formed;
  report.bonds_broken = count.broken + bonds + made - count.before;
  report.bonds = bonds = count.after();
}

template <int Dim>
void Simulation<Dim>::State::apply_events() {
  const std::size_t before = next_event;
  // A millionth of a step of slack: times are multiples of h only to round-off.
  for (; next_event < events.size() && events[next_event].time <= time() + 1e-6 * scene.scheme.h;
       ++next_event) {
    const BodyEvent& event = events[next_event];
    if (event.appears) {
      const SceneBody<Dim>& body = scene.bodies[event.body];
      Vec<Dim> velocity = body.velocity;
      Spin<Dim> spin = body.spin;
      BodyModel<Dim> model = build_model(event.body);
      start_drives<Dim>(model, time(), velocity, spin);
      const int slot = bodies.add(event.body, std::move(model), initial_pose(event.body), velocity, spin);
      const bool stands = bodies.model[slot].all_prescribed && body.follows < 0;
      const BodyFlags flags{stands, body.group, body.mask};
      [[maybe_unused]] const int same = detector.add(shape_about_mass(event.body), flags, body.where);
      assert(same == slot);
    } else {
      const int slot = bodies.find(event.body);
      bodies.remove(slot);
      detector.remove(slot);
      contacts.forget_body(slot);
    }
  }
  if (next_event == before) return;
  update_means();
  keep_joined_apart();
}

template <int Dim>
void Simulation<Dim>::State::update_means() {
  double mass = 0, length = 0;
  int moving = 0;
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies.is_moving(slot)) continue;
    const BodyModel<Dim>& m = bodies.model[slot];
    mass += m.mass;
    length += std::sqrt(m.inertia.trace() / (kSpins<Dim> * m.mass));
    ++moving;
  }
  mean_mass = moving ? mass / moving : 1;
  mean_length = moving ? length / moving : 1;
}

// A contact must be listed if it can close in the step: a body travels at most h |v| + h^2 |g|, its far end
// h |w| times its reach more.
template <int Dim>
const std::vector<ContactPoint<Dim>>& Simulation<Dim>::State::detect_bodies() {
  margin.assign(bodies.slots(), 0.0);
  const double h = scene.scheme.h;
  constexpr std::int64_t kGrain = 1024;
  parallel_for(bodies.slots(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      if (!bodies.alive(static_cast<int>(slot))) continue;
      const auto travel = [&](const BodyVelocity<Dim>& body) {
        return h * (Eigen::Map<const Vec<Dim>>(body.v).norm() +
                    reach[bodies.id[slot]] * Eigen::Map<const Spin<Dim>>(body.w).norm());
      };
      margin[slot] = std::max(travel(motion.start[slot]), travel(motion.free[slot]));
      if (!std::isfinite(margin[slot])) margin[slot] = 0;
    }
  });
  try {
    return detector.update(motion.detection, margin, alert);
  } catch (const std::domain_error&) {
    // A body without a place: the step goes on without contacts, and its audit tells which body it is.
    static const std::vector<ContactPoint<Dim>> none;
    return none;
  }
}

// What the scene asks of the solver, for this step.
template <int Dim>
GroupSolverOptions Simulation<Dim>::State::solver_options() const {
  const SolverSettings& asked = scene.solver;
  GroupSolverOptions options;
  options.solver = asked.name;
  options.of_free_velocity = !(asked.tolerance_velocity > 0) && !(gravity_step() > 0);
  options.tolerance = asked.tolerance_velocity > 0 ? asked.tolerance_velocity
                      : gravity_step() > 0         ? asked.tolerance * gravity_step()
                                                   : asked.tolerance;
  options.max_iterations = asked.max_iterations;
  options.threads = asked.threads;
  options.local = asked.local;
  if (const auto& m = asked.margins)
    options.margins = VelocityMargins{m->gap / scene.scheme.h, m->velocity, m->force * scene.scheme.h};
  return options;
}

template <int Dim>
void Simulation<Dim>::State::solve_contacts(StepReport& report) {
  problem.mass = mean_mass;
  problem.length = mean_length;
  GroupSolution solved =
      solver.solve(solver_options(), motion.start, problem, parts.empty() ? nullptr : &parts.coupling);
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
  report.several = solved.several;
  report.several_contact = solved.several_contact;
  report.stages = std::move(solved.stages);
  velocity_tolerance =
      std::max(report.tolerance, scene.solver.margins ? scene.solver.margins->velocity : 0.0);
  if (gravity_step() > 0) {
    report.residual_rms_gh = report.residual_rms / gravity_step();
    report.residual_max_gh = report.residual_max / gravity_step();
  }
}

template struct Simulation<2>::State;
template struct Simulation<3>::State;
template StepReport Simulation<2>::step();
template StepReport Simulation<3>::step();

}  // namespace saltus
