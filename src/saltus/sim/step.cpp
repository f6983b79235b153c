#include <algorithm>
#include <cmath>

#include "saltus/base/large_buffer.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/contact/canonical.hpp"
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

// One step, read top to bottom (docs/ARCHITECTURE.md).
template <int Dim>
StepReport Simulation<Dim>::step() {
  State& s = *state_;
  const ThreadScope threads(s.threads);
  StepReport report;
  PhaseTimes& cpu = s.summary.cpu;
  Laps laps;

  s.apply_events();
  s.compute_loads();
  compute_free_motion<Dim>(s.bodies, s.gravity, s.extra, s.scene.scheme, s.time(), s.motion);
  cpu.free_motion += laps.lap();

  const auto& points = s.detect();
  cpu.detection += laps.lap();

  s.contacts.match(points, s.bodies, s.laws, s.steps == 0);
  s.detector.drop_contacts();
  s.contacts.build_problem(s.contact_step(), s.scene.period, s.views(), s.problem);
  cpu.problem += laps.lap();

  s.solve_contacts(report);
  if (s.scene.scheme.activation == Activation::implicit) s.settle_forecast(report);
  cpu.solve += laps.lap();

  s.contacts.update(s.contact_step(), s.scene.period, s.views(), s.problem);
  update_bodies<Dim>(s.motion, s.problem.bodies, s.scene.scheme, s.bodies);
  ++s.steps;
  cpu.update += laps.lap();

  report.lost_membranes = s.lost_membranes;
  s.audit(report);
  s.check_finite(report);
  s.summary.add(report);
  release_if_large(s.problem.contacts);
  cpu.audit += laps.lap();
  return report;
}

template <int Dim>
ContactStep Simulation<Dim>::State::contact_step() const {
  ContactStep step;
  step.h = scene.scheme.h;
  step.theta = scene.scheme.theta;
  step.activation = scene.scheme.activation;
  step.velocity_tolerance = velocity_tolerance;
  step.detected_at_start = scene.scheme.jacobian_at != JacobianAt::detection;
  step.predicted_arms = scene.scheme.jacobian_at == JacobianAt::predicted;
  return step;
}

template <int Dim>
void Simulation<Dim>::State::apply_events() {
  const std::size_t before = next_event;
  // Half a step of slack: times are multiples of h only to round-off.
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
      const BodyFlags flags{bodies.model[slot].all_prescribed, body.group, body.mask};
      [[maybe_unused]] const int same = detector.add(shape_about_mass(event.body), flags, body.where);
      assert(same == slot);
    } else {
      const int slot = bodies.find(event.body);
      bodies.remove(slot);
      detector.remove(slot);
      contacts.forget_body(slot);
    }
  }
  if (next_event != before) update_means();
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
const std::vector<ContactPoint<Dim>>& Simulation<Dim>::State::detect() {
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
  return detector.update(motion.detection, margin, alert);
}

template <int Dim>
double Simulation<Dim>::State::absolute_tolerance() const {
  const SolverSettings& solver = scene.solver;
  if (solver.tolerance_velocity > 0) return solver.tolerance_velocity;
  if (gravity_step() > 0) return solver.tolerance * gravity_step();
  double sum = 0;
  for (const SweepContact<Dim>& c : problem.contacts)
    sum += (relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], c) + c.shift).squaredNorm();
  const double count = std::max(1.0, static_cast<double>(problem.contacts.size()));
  return std::max(solver.tolerance * std::sqrt(sum / count), std::numeric_limits<double>::min());
}

// `auto` sweeps first: most steps are done in a few, and what is left is a good start for the solvers of
// the canonical problem. In the plane a direct solve costs a few hundred sweeps; in space factors fill in:
// seconds at 6000 unknowns of settling spheres, more than 8 minutes at 26000.
template <int Dim>
void Simulation<Dim>::State::solve_contacts(StepReport& report) {
  constexpr std::int64_t kSweepsOfAuto = 500;
  constexpr std::size_t kDirectUnknowns = 10000, kFewContacts = 200;
  problem.mass = mean_mass;
  problem.length = mean_length;
  report.tolerance = absolute_tolerance();
  const std::size_t count = problem.contacts.size();
  const bool sweeps_only = scene.solver.name == "nlgs" || scene.solver.margins || is_too_dense<Dim>(problem);
  const bool automatic = scene.solver.name == "auto" && !sweeps_only;
  if (sweeps_only || automatic) {
    const bool is_cheap = automatic && (Dim == 2 || count <= kFewContacts);
    const bool is_direct = automatic && count * Dim <= kDirectUnknowns;
    if (is_direct) free_bodies = problem.bodies;
    const std::int64_t limit = scene.solver.max_iterations;
    solve_sweeps(report, is_direct && is_cheap ? std::min(kSweepsOfAuto, limit) : limit);
    if (is_direct && report.status == StepStatus::unconverged) {
      problem.bodies = free_bodies;
      solve_canonical(report);
    }
  } else if (!problem.contacts.empty()) {
    solve_canonical(report);
  }
  velocity_tolerance = std::max(report.tolerance, report.residual_max);
  if (gravity_step() > 0) {
    report.residual_rms_gh = report.residual_rms / gravity_step();
    report.residual_max_gh = report.residual_max / gravity_step();
  }
}

template <int Dim>
void Simulation<Dim>::State::solve_sweeps(StepReport& report, std::int64_t limit) {
  VelocityNlgsOptions options;
  options.tolerance = report.tolerance;
  options.max_sweeps = limit;
  if (const auto& m = scene.solver.margins)
    options.margins = VelocityMargins{m->gap / scene.scheme.h, m->velocity, m->force * scene.scheme.h};
  const VelocityReport solved = nlgs.solve(options, problem);
  report.iterations = solved.sweeps;
  report.contact_updates = solved.contact_updates;
  report.residual_rms = solved.residual.rms;
  report.residual_max = solved.residual.max;
  report.residual_contact = solved.residual.worst;
  report.unsolved = solved.unsolved;
  if (solved.status != SolveStatus::converged) {
    report.status = StepStatus::unconverged;
    report.reason = std::string("nlgs ended with status ") + name(solved.status);
  }
}

template <int Dim>
void Simulation<Dim>::State::solve_canonical(StepReport& report) {
  const ContactProblem canonical = saltus::build_contact_problem<Dim>(problem, ProblemUnits::scaled);
  SolveOptions options;
  options.residual = ResidualKind::natural;
  options.tolerance = report.tolerance * std::sqrt(static_cast<double>(problem.contacts.size()));
  options.max_iterations = scene.solver.name == "auto" ? 0 : scene.solver.max_iterations;
  options.threads = scene.solver.threads;
  options.local = scene.solver.local;
  Eigen::VectorXd r = read_impulses<Dim>(problem, ProblemUnits::scaled), u;
  const SolveReport solved = solve(scene.solver.name, canonical, options, r, u);
  write_impulses<Dim>(r, ProblemUnits::scaled, problem);
  const VelocityResidual residual = compute_residual<Dim>(problem);
  report.iterations += solved.iterations;
  report.contact_updates += solved.contact_updates;
  report.residual_rms = residual.rms;
  report.residual_max = residual.max;
  report.residual_contact = residual.worst;
  report.stages = solved.stages;
  // Velocities here are rebuilt from the impulses, so round-off may differ from the solver's own figure.
  const bool reached = residual.rms <= report.tolerance * (1 + 1e-6);
  report.status = reached ? StepStatus::converged : StepStatus::unconverged;
  report.reason = reached ? std::string() : scene.solver.name + ": " + solved.reason;
}

template struct Simulation<2>::State;
template struct Simulation<3>::State;
template StepReport Simulation<2>::step();
template StepReport Simulation<3>::step();

}  // namespace saltus
