#include "saltus/contact/velocity_auto.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "saltus/base/timer.hpp"
#include "saltus/contact/canonical.hpp"
#include "saltus/solvers/direct/dense_newton.hpp"
#include "saltus/solvers/direct/direct_cost.hpp"
#include "saltus/solvers/direct/ipm.hpp"
#include "saltus/solvers/direct/newton.hpp"
#include "saltus/solvers/monitor.hpp"
#include "saltus/solvers/sweeps/sweep_budget.hpp"

namespace saltus {

namespace {

// Of ipm, which ends by itself where its steps collapse. Where bodies are bonded the more it goes on, the larger its tensions.
constexpr int kMostIterations = 250, kMostBonded = 60;
// Solvers that factorise may cost so many times the sweeps that the user allows, in all.
constexpr double kMostDirect = 10;
constexpr int kDenseSteps = 30;
constexpr int kFirstFactorisations = 50;

template <int Dim>
SolveOptions canonical_options(const GroupSolverOptions& options, const VelocityProblem<Dim>& problem) {
  SolveOptions result;
  result.residual = ResidualKind::natural;
  result.tolerance = options.tolerance * std::sqrt(static_cast<double>(problem.contacts.size()));
  result.max_iterations = options.max_iterations;
  result.threads = options.threads;
  result.local = options.local;
  result.time_limit = options.time_limit;
  return result;
}

// Blocks of W: contacts that share a moving body, counted without looking for those that share two.
template <int Dim>
double count_blocks(const VelocityProblem<Dim>& problem, std::vector<int>& touching) {
  touching.assign(problem.bodies.size(), 0);
  for (const SweepContact<Dim>& c : problem.contacts) {
    ++touching[c.a];
    ++touching[c.b];
  }
  double blocks = 0;
  for (std::size_t i = 0; i < touching.size(); ++i)
    if (!is_immovable<Dim>(problem.bodies[i])) blocks += static_cast<double>(touching[i]) * touching[i];
  return blocks;
}

void read_report(const VelocityReport& report, PartSolution& solution) {
  solution.converged = report.status == SolveStatus::converged;
  if (!solution.converged) solution.reason = std::string("nlgs ended with status ") + name(report.status);
  solution.residual = report.residual;
  solution.iterations = report.sweeps;
  solution.contact_updates = report.contact_updates;
  solution.unsolved = report.unsolved;
}

template <int Dim>
class Automatic {
 public:
  Automatic(const GroupSolverOptions& options, VelocitySweeps<Dim>& velocity_sweeps, EntryState<Dim>& entry,
            VelocityProblem<Dim>& problem)
      : options_(options),
        velocity_sweeps_(velocity_sweeps),
        problem_(problem),
        entry_(entry),
        budget_(options.tolerance) {}

  PartSolution solve() {
    entry_.keep(problem_);
    sweep_ = sweep_cost<Dim>(problem_);
    sweep(options_.max_iterations);
    if (solution_.converged || problem_.contacts.empty() || !can_afford(1)) return solution_;
    const std::int64_t sweeps_left = options_.max_iterations - solution_.iterations;
    record("nlgs", solution_.iterations);
    keep_swept();
    prepare();
    if (canonical_->size() <= kLargestDense) newton_at_once();
    // Of the many impulses that bonded bodies can have at rest the interior point method finds some amid the cones,
    // tensions as large as the bonds bear: last.
    if (!options_.bonded && !reached() && can_afford(iterations())) interior_point();
    if (!reached() && sweeps_left > 0) sweep_on(sweeps_left);
    if (!reached() && can_afford(kFirstFactorisations)) newton_while_gaining();
    if (options_.bonded && !reached() && can_afford(iterations())) interior_point();
    return finish();
  }

 private:
  void sweep(std::int64_t most) {
    VelocitySweepOptions sweeps;
    sweeps.tolerance = options_.tolerance;
    sweeps.max_sweeps = most;
    sweeps.give_up = [this](std::int64_t k, double residual) { return gives_up(k, residual); };
    read_report(velocity_sweeps_.solve(sweeps, problem_), solution_);
  }

  // What sweeps left, on the impulses of the problem, whose bodies get their free velocities back.
  void keep_swept() {
    swept_ = read_impulses<Dim>(problem_, ProblemUnits::scaled);
    if (solution_.residual.rms < best_residual_) {
      best_ = swept_;
      best_residual_ = solution_.residual.rms;
    }
    problem_.bodies = entry_.bodies;
  }

  // The sweeps that were given up, from where they were.
  void sweep_on(std::int64_t most) {
    write_impulses<Dim>(swept_, ProblemUnits::scaled, problem_);
    problem_.bodies = entry_.bodies;
    VelocitySweepOptions sweeps;
    sweeps.tolerance = options_.tolerance;
    sweeps.max_sweeps = most;
    const std::int64_t iterations = solution_.iterations, updates = solution_.contact_updates;
    read_report(velocity_sweeps_.solve(sweeps, problem_), solution_);
    const std::int64_t swept = solution_.iterations;
    solution_.iterations += iterations;
    solution_.contact_updates += updates;
    keep_swept();
    record("nlgs", swept);
  }

  // Bodies hold free velocities while sweeps are at work. The analysis of a factor is a price of its own: it waits until sweeps
  // are to be given up even if the factor were free.
  bool gives_up(std::int64_t k, double residual) {
    budget_.look(k, residual);
    if (least_ == 0) {
      const double blocks = count_blocks(problem_, entry_.touching),
                   analysis = analysis_cost(blocks) / sweep_;
      first_ = std::clamp<double>(analysis, SweepBudget::kFewest, SweepBudget::kFirst);
      least_ = analysis + iterations() * least_iteration_cost(block(), count(), blocks) / sweep_;
    }
    if (static_cast<double>(k) < first_) return false;
    if (worth_ == 0) {
      if (!budget_.is_spent(least_)) return false;
      prepare();
      worth_ = iterations() * iteration_cost() / sweep_;
    }
    return can_afford(iterations()) && !is_nearly_done(k) && budget_.is_spent(worth_);
  }

  // The sweeps that are still allowed cost little beside the other solver. They are made in any case where it fails, which it does
  // on one problem in three.
  bool is_nearly_done(std::int64_t k) const {
    constexpr double kLittle = 0.5;
    return static_cast<double>(options_.max_iterations - k) <= kLittle * worth_;
  }

  void prepare() {
    if (prepared_) return;
    canonical_.emplace(build_contact_problem<Dim>(problem_, ProblemUnits::scaled));
    prepared_.emplace(*canonical_);
  }

  double count() const { return static_cast<double>(problem_.contacts.size()); }
  int block() const { return Dim + (problem_.rolling ? Dim - 1 : 0); }

  double iterations() const { return expected_iterations(count()); }

  double analysis_cost(double blocks) const { return group_analysis_cost(problem_.rolling, count(), blocks); }

  double iteration_cost() const {
    return saltus::iteration_cost(prepared_->lu.flops(), block(), count(), canonical_->W.blocks());
  }

  double allowed() const { return kMostDirect * sweep_ * static_cast<double>(options_.max_iterations); }
  double affordable() const { return (allowed() - spent_) / iteration_cost(); }  // iterations, once prepared
  bool can_afford(double iterations) const {
    return prepared_ ? iterations <= affordable()
                     : analysis_cost(count_blocks(problem_, entry_.touching)) <= allowed();
  }

  bool reached() const { return best_residual_ <= options_.tolerance; }

  // All contacts of a small group, from what sweeps left: the impulses stay near those of the last step.
  void newton_at_once() {
    Eigen::VectorXd r = best_, u;
    SolveReport report;
    report.iterations = improve_by_dense_newton(*canonical_, kDenseSteps, r);
    project_on_cones(*canonical_, r);
    multiply(canonical_->W, r, u);
    u += canonical_->b;
    report.residuals = compute_residuals(*canonical_, r, u);
    report.reason = "does not converge";
    keep("dense newton", report, r);
  }

  // From the warm start of the step. What sweeps made of it is too near the edge of the cones: steps
  // collapse.
  void interior_point() {
    Eigen::VectorXd r = warm_start(), u;
    keep("ipm",
         solve_ipm(*canonical_, *prepared_, limited(options_.bonded ? kMostBonded : kMostIterations), r, u),
         r);
  }

  Eigen::VectorXd warm_start() {
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      problem_.contacts[i].r = entry_.r[i];
      problem_.contacts[i].moment = entry_.moment[i];
    }
    return read_impulses<Dim>(problem_, ProblemUnits::scaled);
  }

  // From the warm start of the step, in rounds: on its way to the solution long before it is better than what sweeps left. Given
  // up where the rate of the last round promises no end within what is left to spend; it is slowest before its end, hence kHope.
  void newton_while_gaining() {
    constexpr double kHope = 2, kMostFactorisations = 1e6;
    double before = std::numeric_limits<double>::infinity(), next = kFirstFactorisations;
    for (; !reached() && next >= 1; next = std::min({4 * next, affordable(), kMostFactorisations})) {
      const double now = newton(static_cast<int>(next));
      const double rate = std::log(before / now) / next;  // per factorisation
      if (!(rate > 0) || std::log(now / options_.tolerance) > kHope * rate * affordable()) return;
      before = now;
    }
  }

  // Goes on where the last call left it; returns the residual there.
  double newton(int factorisations) {
    Eigen::VectorXd r = warm_start(), u;
    const SolveReport report = solve_newton(*canonical_, *prepared_, limited(factorisations), newton_, r, u);
    return keep("newton", report, r);
  }

  SolveOptions limited(int iterations) const {
    SolveOptions limited = canonical_options(options_, problem_);
    limited.max_iterations = iterations;
    return limited;
  }

  // Returns the residual, rms.
  double keep(const char* solver, const SolveReport& report, const Eigen::VectorXd& r) {
    const double count = static_cast<double>(problem_.contacts.size());
    const double residual = report.residuals.of(ResidualKind::natural) / std::sqrt(count);
    if (residual < best_residual_) {
      best_residual_ = residual;
      best_ = r;
      solution_.reason = solver + (": " + report.reason);
    }
    spent_ += static_cast<double>(report.iterations) * iteration_cost();
    solution_.iterations += report.iterations;
    solution_.contact_updates += report.contact_updates;
    record(solver, report.iterations);
    return residual;
  }

  void record(const char* solver, std::int64_t iterations) {
    const double now = watch_.seconds();
    solution_.stages.push_back(
        {solver, iterations, std::min(solution_.residual.rms, best_residual_), now - recorded_});
    recorded_ = now;
  }

  PartSolution finish() {
    write_impulses<Dim>(best_, ProblemUnits::scaled, problem_);
    solution_.residual = update_residuals<Dim>(problem_);
    // Velocities here are rebuilt from the impulses, so round-off may differ from the solver's own figure.
    solution_.converged = solution_.residual.rms <= options_.tolerance * (1 + 1e-6);
    if (solution_.converged) solution_.reason.clear();
    return solution_;
  }

  const GroupSolverOptions& options_;
  VelocitySweeps<Dim>& velocity_sweeps_;
  VelocityProblem<Dim>& problem_;
  EntryState<Dim>& entry_;
  SweepBudget budget_;
  double sweep_ = 0;  // cost of one
  // In sweeps: when the first question is asked; of a solver that factorises, without and with its factor; 0: not counted yet.
  double first_ = 0, least_ = 0, worth_ = 0;
  PartSolution solution_;
  Stopwatch watch_;
  double recorded_ = 0;  // when the last stage ended
  std::optional<ContactProblem> canonical_;
  std::optional<PreparedProblem> prepared_;
  NewtonState newton_;
  double spent_ = 0;              // by solvers that factorise
  Eigen::VectorXd best_, swept_;  // impulses: of the least residual, and where sweeps were
  double best_residual_ = std::numeric_limits<double>::infinity();
};

}  // namespace

template <int Dim>
PartSolution solve_by_sweeps(const GroupSolverOptions& options, VelocitySweeps<Dim>& velocity_sweeps,
                             VelocityProblem<Dim>& problem) {
  VelocitySweepOptions sweeps;
  sweeps.tolerance = options.tolerance;
  sweeps.max_sweeps = options.max_iterations;
  sweeps.margins = options.margins;
  PartSolution solution;
  read_report(velocity_sweeps.solve(sweeps, problem), solution);
  return solution;
}

template <int Dim>
PartSolution solve_canonically(const GroupSolverOptions& options, VelocityProblem<Dim>& problem) {
  const ContactProblem canonical = build_contact_problem<Dim>(problem, ProblemUnits::scaled);
  PartSolution solution;
  Eigen::VectorXd r = read_impulses<Dim>(problem, ProblemUnits::scaled), u;
  const SolveReport report = solve(options.solver, canonical, canonical_options(options, problem), r, u);
  write_impulses<Dim>(r, ProblemUnits::scaled, problem);
  solution.residual = update_residuals<Dim>(problem);
  solution.iterations = report.iterations;
  solution.contact_updates = report.contact_updates;
  solution.stages = report.stages;
  // Velocities here are rebuilt from the impulses, so round-off may differ from the solver's own figure.
  solution.converged = solution.residual.rms <= options.tolerance * (1 + 1e-6);
  if (!solution.converged) solution.reason = name(options.solver) + (": " + report.reason);
  return solution;
}

template <int Dim>
PartSolution solve_automatically(const GroupSolverOptions& options, VelocitySweeps<Dim>& velocity_sweeps,
                                 EntryState<Dim>& entry, VelocityProblem<Dim>& problem) {
  return Automatic<Dim>(options, velocity_sweeps, entry, problem).solve();
}

template PartSolution solve_by_sweeps<2>(const GroupSolverOptions&, VelocitySweeps<2>&, VelocityProblem<2>&);
template PartSolution solve_by_sweeps<3>(const GroupSolverOptions&, VelocitySweeps<3>&, VelocityProblem<3>&);
template PartSolution solve_canonically<2>(const GroupSolverOptions&, VelocityProblem<2>&);
template PartSolution solve_canonically<3>(const GroupSolverOptions&, VelocityProblem<3>&);
template PartSolution solve_automatically<2>(const GroupSolverOptions&, VelocitySweeps<2>&, EntryState<2>&,
                                             VelocityProblem<2>&);
template PartSolution solve_automatically<3>(const GroupSolverOptions&, VelocitySweeps<3>&, EntryState<3>&,
                                             VelocityProblem<3>&);

}  // namespace saltus
