#include "saltus/solvers/auto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "saltus/base/timer.hpp"
#include "saltus/solvers/direct/admm.hpp"
#include "saltus/solvers/direct/dense_newton.hpp"
#include "saltus/solvers/direct/direct_cost.hpp"
#include "saltus/solvers/direct/ipm.hpp"
#include "saltus/solvers/direct/newton.hpp"
#include "saltus/solvers/monitor.hpp"
#include "saltus/solvers/sweeps/matrix_sweeps.hpp"
#include "saltus/solvers/sweeps/sweep_budget.hpp"

namespace saltus {

namespace {

// Nanoseconds of a sweep that reads W, per contact and per block (direct_cost.hpp for what they are weighed
// against).
constexpr double kPlaneContact = 12, kSpaceContact = 20, kPlaneBlock = 1.5, kSpaceBlock = 2.5;
// Per try, which must gain a factor of ten. From the right statuses two are enough for what takes ipm 20; from wrong
// ones, the rule where sweeps are slow, more are lost as well.
constexpr int kPolishFactorisations = 2;
constexpr double kPolishAlpha = 1e-6;
// Flat bodies in stacks couple each contact with many others and mostly stick; there admm
// reaches high accuracy in a few dozen iterations of one factorisation.
constexpr int kDenseRow = 20;  // blocks of W per contact
constexpr int kAdmmIterations = 60;
constexpr double kSolvedEntry = 0.4;  // ns, per entry of a factor that an iteration of admm solves with
constexpr int kRounds = 6;
// A problem of a few contacts: sweeps first (one contact needs one), then all at once.
constexpr int kSmallSweeps = 3;
constexpr int kDenseSteps = 30;

enum class Contact : unsigned char { open, stick, slide };

class Auto {
 public:
  Auto(const ContactProblem& problem, const SolveOptions& options, const Eigen::VectorXd& start)
      : problem_(problem),
        options_(options),
        monitor_(problem, options, std::int64_t(1) << 40),
        swept_(start),
        status_(problem.contacts(), Contact::open) {
    residual_ = monitor_.evaluate(start);
  }

  bool done() const {
    return monitor_.converged() || monitor_.out_of_time() || iterations_ >= monitor_.max_iterations();
  }

  // Sweeps while their measured rate promises the tolerance for less than a solver that factorises costs.
  void sweep_while_cheaper() {
    SweepBudget budget(options_.tolerance);
    sweep(monitor_.max_iterations(), [&](std::int64_t k) {
      budget.look(k, residual_);
      if (k < SweepBudget::kFirst) return false;
      if (worth_ == 0) {
        const double analysis = analysis_cost(dimension(), count(), problem_.W.blocks()) / sweep_cost();
        if (4 * static_cast<double>(k) < analysis || budget.remaining() < analysis) return false;
        count_worth();
      }
      return budget.is_spent(worth_);
    });
  }

  void sweep_for(std::int64_t most) {
    sweep(most, [](std::int64_t) { return false; });
  }

  bool small() const { return problem_.size() <= kLargestDense; }

  void dense_newton() {
    const Stopwatch watch;
    Eigen::VectorXd r = monitor_.best_point();
    const int steps = improve_by_dense_newton(problem_, kDenseSteps, r);
    monitor_.evaluate(r);
    record("dense newton", steps, watch.seconds());
  }

  bool settled() const { return changed_ * 200 <= problem_.contacts(); }

  // Newton with next to no regularisation from the best point: quadratic when the statuses are
  // right, cheap to try.
  void polish() {
    const Stopwatch watch;
    NewtonState state{{}, kPolishAlpha};
    Eigen::VectorXd r = monitor_.best_point(), u;
    std::int64_t iterations = 0;
    double before;
    do {
      before = best();
      iterations +=
          solve_newton(problem_, prepared(), remaining(kPolishFactorisations), state, r, u).iterations;
      monitor_.evaluate(r);
    } while (!done() && best() < 0.1 * before);
    record("newton from nlgs", iterations, watch.seconds());
  }

  bool densely_coupled() const { return problem_.W.blocks() >= kDenseRow * problem_.contacts(); }

  void alternate() { run("admm", solve_admm, kAdmmIterations); }

  void interior_point() { run("ipm", solve_ipm, 200); }

  // Continues the proximal Newton iteration where the last call left it; it starts from zero,
  // which on hyperstatic problems is better than any sweep's result.
  void newton(std::int64_t factorisations) {
    const Stopwatch watch;
    Eigen::VectorXd r, u;
    const SolveReport report =
        solve_newton(problem_, prepared(), remaining(factorisations), newton_state_, r, u);
    monitor_.evaluate(r);
    record("newton", report.iterations, watch.seconds());
  }

  double best() const { return monitor_.best_residual(); }

  SolveReport finish(const std::string& reason, Eigen::VectorXd& r, Eigen::VectorXd& u) const {
    SolveReport report = monitor_.finish(iterations_, SolveStatus::stalled, reason, r, u);
    report.contact_updates = sweeper_ ? sweeper_->contact_updates() : 0;
    report.stages = stages_;
    return report;
  }

 private:
  // Sweeps up to `most` times, looking at the residual at growing intervals; ends when `gives_up` says so.
  template <class GivesUp>
  void sweep(std::int64_t most, GivesUp&& gives_up) {
    const Stopwatch watch;
    if (!sweeper_) sweeper_.emplace(problem_, options_.local);
    std::int64_t count = 0;
    most = std::min(most, monitor_.max_iterations() - iterations_);
    for (std::int64_t next = std::min<std::int64_t>(1, most); count < most && !done();) {
      for (; count < next; ++count) sweeper_->sweep(swept_);
      residual_ = monitor_.evaluate(swept_);
      changed_ = update_status();
      if (!std::isfinite(residual_)) {
        swept_ = monitor_.best_point();
        break;
      }
      next = std::min(most, count + (count < 12 ? count + 1 : std::max<std::int64_t>(10, count / 8)));
      if (gives_up(count)) break;
    }
    record("nlgs", count, watch.seconds());
  }

  int dimension() const { return space_dimension(problem_.cone); }
  double count() const { return problem_.contacts(); }
  double sweep_cost() const {
    const bool plane = dimension() == 2;
    return (plane ? kPlaneContact : kSpaceContact) * count() +
           (plane ? kPlaneBlock : kSpaceBlock) * problem_.W.blocks();
  }
  void count_worth() {
    const double iteration = iteration_cost(prepared().lu.flops(), problem_.W.blocks());
    double cost = expected_iterations(count()) * iteration;
    if (densely_coupled())
      cost = std::min(cost, iteration + kAdmmIterations * kSolvedEntry * prepared().lu.factor_entries());
    worth_ = cost / sweep_cost();
  }

  PreparedProblem& prepared() {
    if (!prepared_) prepared_.emplace(problem_);
    return *prepared_;
  }

  SolveOptions remaining(std::int64_t most) const {
    SolveOptions options = options_;
    options.max_iterations =
        std::max<std::int64_t>(1, std::min(most, monitor_.max_iterations() - iterations_));
    if (options.time_limit > 0)
      options.time_limit = std::max(1e-9, options.time_limit - monitor_.cpu_seconds());
    return options;
  }

  using Solve = SolveReport (*)(const ContactProblem&, PreparedProblem&, const SolveOptions&,
                                Eigen::VectorXd&, Eigen::VectorXd&);

  void run(const char* name, Solve solve, std::int64_t iterations) {
    const Stopwatch watch;
    Eigen::VectorXd r, u;  // a cold start is the more reliable one
    const SolveReport report = solve(problem_, prepared(), remaining(iterations), r, u);
    monitor_.evaluate(r);
    record(name, report.iterations, watch.seconds());
  }

  void record(const char* solver, std::int64_t iterations, double seconds) {
    iterations_ += iterations;
    stages_.push_back({solver, iterations, monitor_.best_residual(), seconds});
  }

  // How many contacts changed between open, stick and slide since the last look. Equations never do; a ball
  // sticks inside and slides at its radius.
  int update_status() {
    int changed = 0;
    const int block = problem_.W.block, tangents = space_dimension(problem_.cone) - 1;
    for (int c = 0; c < problem_.contacts(); ++c) {
      if (problem_.is_mixed() && problem_.sets[c].kind == SetKind::space) continue;
      if (problem_.is_mixed() && problem_.sets[c].kind == SetKind::ball) {
        const bool is_inside = swept_.segment(c * block, block).norm() < (1 - 1e-9) * problem_.sets[c].radius;
        changed += change_status(c, is_inside ? Contact::stick : Contact::slide);
        continue;
      }
      const double n = swept_[c * block];
      const double t = swept_.segment(c * block + 1, tangents).norm();
      const Contact now = n <= 0                                ? Contact::open
                          : t < (1 - 1e-9) * problem_.mu[c] * n ? Contact::stick
                                                                : Contact::slide;
      changed += change_status(c, now);
    }
    return changed;
  }

  int change_status(int c, Contact now) { return std::exchange(status_[c], now) != now; }

  const ContactProblem& problem_;
  SolveOptions options_;
  Monitor monitor_;
  std::optional<MatrixSweeps> sweeper_;  // built when there is something to sweep
  Eigen::VectorXd swept_;
  NewtonState newton_state_;
  std::vector<Contact> status_;
  std::optional<PreparedProblem> prepared_;
  std::vector<SolveStage> stages_;
  std::int64_t iterations_ = 0;
  double residual_ = 0;
  double worth_ = 0;  // of a solver that factorises, in sweeps; 0: not counted yet
  int changed_ = 0;
};

}  // namespace

SolveReport solve_auto(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                       Eigen::VectorXd& u) {
  if (r.size() != problem.size() || !r.allFinite()) r = Eigen::VectorXd::Zero(problem.size());
  Auto method(problem, options, r);
  if (!method.done() && method.small()) method.sweep_for(kSmallSweeps);
  if (!method.done() && method.small()) method.dense_newton();
  if (!method.done()) method.sweep_while_cheaper();
  if (!method.done() && method.settled()) method.polish();
  if (!method.done() && method.densely_coupled()) method.alternate();
  if (!method.done()) method.interior_point();
  double before = method.best();
  for (int round = 0; round < kRounds && !method.done(); ++round) {
    const std::int64_t budget = std::int64_t(50) << (2 * round);
    method.sweep_for(10 * budget);
    if (!method.done() && method.settled()) method.polish();
    if (!method.done()) method.newton(budget);
    if (round > 1 && method.best() > 0.95 * before)
      return method.finish("every method has stopped gaining", r, u);
    before = method.best();
  }
  return method.finish("every budget is spent", r, u);
}

}  // namespace saltus
