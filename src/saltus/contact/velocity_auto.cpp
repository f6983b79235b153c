#include "saltus/contact/velocity_auto.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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
// While sweeps wait for it: of the iterations it is expected to take, and not fewer than these. Where it converges it takes less (bench/choose).
constexpr double kInPassing = 3, kLeastInPassing = 40;
// Solvers that factorise may cost so many times the sweeps that the user allows, in all.
constexpr double kMostDirect = 15;
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
    sweep([this](std::int64_t k, double residual) { return ends(k, residual); });
    const bool is_done = solution_.converged || problem_.contacts.empty() || !can_afford(1);
    if (is_done && !asked_) return solution_;
    if (sweeps_ > recorded_sweeps_) record("nlgs", sweeps_ - recorded_sweeps_);
    keep_swept();
    if (!is_done && !reached()) use_others();
    return finish();
  }

 private:
  void sweep(const std::function<bool(std::int64_t, double)>& give_up) {
    VelocitySweepOptions sweeps;
    sweeps.tolerance = options_.tolerance;
    sweeps.max_sweeps = options_.max_iterations - sweeps_;
    sweeps.give_up = give_up;
    const VelocityReport report = velocity_sweeps_.solve(sweeps, problem_);
    const std::int64_t iterations = solution_.iterations, updates = solution_.contact_updates;
    read_report(report, solution_);
    solution_.iterations += iterations;
    solution_.contact_updates += updates;
    sweeps_ += report.sweeps;
    swept_residual_ = report.residual.rms;
  }

  // What sweeps left, on the impulses of the problem, whose bodies get their free velocities back.
  void keep_swept() {
    swept_ = read_impulses<Dim>(problem_, ProblemUnits::scaled);
    if (swept_residual_ < best_residual_) {
      best_ = swept_;
      best_residual_ = swept_residual_;
    }
    problem_.bodies = entry_.bodies;
  }

  void use_others() {
    prepare();
    if (is_small()) newton_at_once();
    // Of the many impulses that bonded bodies can have at rest the interior point method finds some amid the cones,
    // tensions as large as the bonds bear: last.
    if (!options_.bonded && !is_answered_ && !reached() && can_afford(iterations()))
      interior_point(kMostIterations);
    if (!reached() && sweeps_ < options_.max_iterations) sweep_on();
    if (!reached() && can_afford(kFirstFactorisations)) newton_while_gaining();
    if (options_.bonded && !reached() && can_afford(iterations())) interior_point(kMostBonded);
  }

  // The sweeps that were given up, from where they were.
  void sweep_on() {
    write_impulses<Dim>(swept_, ProblemUnits::scaled, problem_);
    problem_.bodies = entry_.bodies;
    recorded_sweeps_ = sweeps_;
    sweep({});
    keep_swept();
    record("nlgs", sweeps_ - recorded_sweeps_);
  }

  // After sweep k, judged: whether sweeps end there. When they are to be given up another solver is asked in passing; where it fails
  // they go on as though nothing had been. So neither costs more than once, whichever ends first. A small problem goes on
  // from what sweeps leave, so they end; one whose bodies are bonded asks others last, so they do not.
  bool ends(std::int64_t k, double residual) {
    if (reached()) return true;  // and sweeps began again (VelocitySweeps::solve)
    if (options_.bonded && !is_small()) return false;
    if (!asked_ && gives_up(k, residual)) return is_small() || is_solved_in_passing(k, residual);
    if (asked_ && !newton_asked_ && gives_up_for_newton(k, residual)) return is_solved_by_newton(k, residual);
    return false;
  }

  bool is_solved_in_passing(std::int64_t k, double residual) {
    asked_ = true;
    record_passing(k, residual);
    const double most = std::max(kInPassing * iterations(), kLeastInPassing);
    is_answered_ = interior_point(static_cast<int>(most)) != SolveStatus::max_iterations;
    return reached();
  }

  bool is_solved_by_newton(std::int64_t k, double residual) {
    newton_asked_ = true;
    record_passing(k, residual);
    newton_while_gaining();
    return reached();
  }

  void record_passing(std::int64_t k, double residual) {
    swept_residual_ = residual;
    const std::int64_t since = k >= passed_ ? k - passed_ : k;  // sweeps may have begun again
    record("nlgs", since);
    recorded_sweeps_ += since;
    passed_ = k;
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
      if (!budget_.is_spent(least_, patience())) return false;
      prepare();
      worth_ = iterations() * iteration_cost() / sweep_;
    }
    return can_afford(iterations()) && !is_nearly_done(k, worth_) && budget_.is_spent(worth_, patience());
  }

  // After the first two rounds of Newton it is known whether there is hope.
  bool gives_up_for_newton(std::int64_t k, double residual) {
    constexpr double kRounds = 5;
    budget_.look(k, residual);
    const double worth = kRounds * kFirstFactorisations * iteration_cost() / sweep_;
    return can_afford(kRounds * kFirstFactorisations) && !is_nearly_done(k, worth) && budget_.is_spent(worth);
  }

  // The sweeps that are still allowed cost next to nothing beside the other solver, which is asked after them in any case.
  bool is_nearly_done(std::int64_t k, double worth) const {
    constexpr double kLittle = 0.1;
    return static_cast<double>(options_.max_iterations - k) <= kLittle * worth;
  }

  void prepare() {
    if (prepared_) return;
    canonical_.emplace(build_contact_problem<Dim>(problem_, ProblemUnits::scaled));
    prepared_.emplace(*canonical_);
  }

  // Of groups of up to 400 contacts `ipm` solved 61 of 62 that sweeps were long at, of larger ones half (the tuned half of bench/choose).
  double patience() const {
    constexpr double kSure = 128, kPart = 0.5;
    return count() <= kSure ? kPart : 1.0;
  }
  bool is_small() const { return block() * count() <= kLargestDense; }
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
  SolveStatus interior_point(int most) {
    Eigen::VectorXd r = warm_start(), u;
    const SolveReport report = solve_ipm(*canonical_, *prepared_, limited(most), r, u);
    keep("ipm", report, r);
    return report.status;
  }

  // Contacts stay as they are: sweeps may be at work on them.
  Eigen::VectorXd warm_start() {
    exchange_entry();
    Eigen::VectorXd r = read_impulses<Dim>(problem_, ProblemUnits::scaled);
    exchange_entry();
    return r;
  }

  void exchange_entry() {
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      std::swap(problem_.contacts[i].r, entry_.r[i]);
      std::swap(problem_.contacts[i].moment, entry_.moment[i]);
    }
  }

  // From the warm start of the step, in rounds: on its way to the solution long before it is better than what sweeps left. Given
  // up where the rate of the last round promises no end within what is left to spend; it is slowest before its end, hence kHope.
  void newton_while_gaining() {
    constexpr double kHope = 2, kMostFactorisations = 1e6;
    double before = std::numeric_limits<double>::infinity(), next = kFirstFactorisations;
    while (!reached() && next >= 1) {
      const double now = newton(static_cast<int>(next));
      const double rate = std::log(before / now) / next;  // per factorisation
      if (!(rate > 0) || std::log(now / options_.tolerance) > kHope * rate * affordable()) return;
      before = now;
      next = std::min({4 * next, affordable(), kMostFactorisations});
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
        {solver, iterations, std::min(swept_residual_, best_residual_), now - recorded_});
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
  std::int64_t sweeps_ = 0, recorded_sweeps_ = 0, passed_ = 0;  // passed: when another was asked
  bool asked_ = false, is_answered_ = false;  // ipm, while sweeps were at work; and it came to an end
  bool newton_asked_ = false;                 // likewise
  double swept_residual_ = std::numeric_limits<double>::infinity();
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
