// The loop around the sweeps: when to evaluate the true residual, and when to end.
#include "saltus/solvers/sweeps/nlgs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/timer.hpp"
#include "saltus/solvers/sweeps/matrix_sweeps.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kDefaultSweeps = 100000;
constexpr std::int64_t kFirstCheck = 8;          // sweeps after which the residual is looked at anyway
constexpr std::int64_t kLongestGap = 1000;       // sweeps between two looks at the residual
constexpr std::int64_t kShortestStall = 1000;    // sweeps before a stall is believed
constexpr double kStallFactor = 0.95;            // gain that twice the sweeps must make
constexpr std::int64_t kUpdatesPerClock = 4000;  // reading the clock costs about 5 updates

// The best point met, by the residual asked for.
struct Best {
  Eigen::VectorXd r;
  Residuals residuals;
  double residual = std::numeric_limits<double>::infinity();
};

class Run {
 public:
  Run(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r, Eigen::VectorXd& u)
      : problem_(problem),
        options_(options),
        iteration_(problem, options.local),
        r_(r),
        u_(u),
        limit_(options.max_iterations > 0 ? options.max_iterations : kDefaultSweeps) {
    const double speed = problem.b.norm();
    if (options.residual != ResidualKind::natural && speed > 0) ratio_ = 1 / speed;
  }

  SolveReport solve() {
    start_ = options_.time_limit > 0 ? seconds(Clock::thread_cpu) : 0;
    const bool cold = r_.size() != problem_.size() || !r_.allFinite();
    if (cold) r_ = Eigen::VectorXd::Zero(problem_.size());
    if (!cold || problem_.contacts() == 0) evaluate();
    while (status_ == SolveStatus::failed && reason_.empty()) advance();
    return finish();
  }

 private:
  void end(SolveStatus status, std::string reason) {
    status_ = status;
    reason_ = std::move(reason);
  }

  void advance() {
    const bool backward = alternate_ && iteration_.sweeps() % 2 == 1;
    const double change = iteration_.sweep(r_, backward ? SweepDirection::backward : SweepDirection::forward);
    const std::int64_t sweeps = iteration_.sweeps();
    if (!std::isfinite(change)) {
      end(SolveStatus::failed, fmt::format("impulses overflowed in sweep {}; W may be indefinite", sweeps));
      return;
    }
    const bool last = sweeps >= limit_;
    if (last || change == 0 || sweeps >= next_check_ ||
        (change * ratio_ <= options_.tolerance && sweeps >= earliest_check_)) {
      evaluate();
      if (!reason_.empty()) return;
      ratio_ = change > 0 ? residual_ / change : 0;
      if (change == 0)
        end(SolveStatus::stalled, "the impulses no longer change");
      else
        check_stall();
    }
    if (!reason_.empty()) return;
    if (last)
      end(SolveStatus::max_iterations, fmt::format("{} sweeps done", sweeps));
    else if (out_of_time())
      end(SolveStatus::time_limit, fmt::format("time limit after {} sweeps", sweeps));
  }

  void evaluate() {
    multiply(problem_.W, r_, u_);
    u_ += problem_.b;
    const Residuals residuals = compute_residuals(problem_, r_, u_);
    residual_ = residuals.of(options_.residual);
    if (!std::isfinite(residual_)) {
      end(SolveStatus::failed, "the residual is not finite: W, b or mu holds NaN or inf");
      return;
    }
    if (residual_ < best_.residual) best_ = {r_, residuals, residual_};
    if (residual_ <= options_.tolerance) end(SolveStatus::converged, "residual below the tolerance");
    const std::int64_t sweeps = iteration_.sweeps();
    next_check_ = sweeps + std::clamp(sweeps, kFirstCheck, kLongestGap);
    earliest_check_ = sweeps + 1 + sweeps / 20;
  }

  void check_stall() {
    const std::int64_t sweeps = iteration_.sweeps();
    if (sweeps < 2 * stall_since_) return;
    if (sweeps >= 2 * kShortestStall && best_.residual > kStallFactor * stall_residual_) {
      if (alternate_) {
        end(SolveStatus::stalled, fmt::format("residual gained less than {:.0f} % between sweeps {} and {}",
                                              100 * (1 - kStallFactor), stall_since_, sweeps));
        return;
      }
      alternate_ = true;
      r_.setZero();  // a limit cycle of the one order may hold the other
    }
    stall_since_ = std::max(sweeps, kShortestStall / 2);
    stall_residual_ = best_.residual;
  }

  bool out_of_time() {
    if (!(options_.time_limit > 0) || iteration_.contact_updates() < next_clock_) return false;
    next_clock_ = iteration_.contact_updates() + kUpdatesPerClock;
    return seconds(Clock::thread_cpu) - start_ >= options_.time_limit;
  }

  SolveReport finish() {
    SolveReport report;
    if (best_.residual == std::numeric_limits<double>::infinity())
      best_.r = Eigen::VectorXd::Zero(problem_.size());
    if (r_ != best_.r) {
      r_ = best_.r;
      multiply(problem_.W, r_, u_);
      u_ += problem_.b;
    }
    report.status = status_;
    report.reason = std::move(reason_);
    if (alternate_) report.reason += "; forward sweeps stalled, alternating ones took over";
    if (iteration_.unsolved() > 0)
      report.reason += fmt::format("; no solution of its own block of W: {} of {} contacts",
                                   iteration_.unsolved(), problem_.contacts());
    if (iteration_.ambiguous() > 0)
      report.reason += fmt::format(
          "; W_nn <= mu |W_nt|, several solutions possible, no impulse preferred: {} of {} contacts",
          iteration_.ambiguous(), problem_.contacts());
    report.iterations = iteration_.sweeps();
    report.contact_updates = iteration_.contact_updates();
    report.residuals = best_.residuals;
    return report;
  }

  const ContactProblem& problem_;
  const SolveOptions& options_;
  MatrixSweeps iteration_;
  Eigen::VectorXd &r_, &u_;
  std::int64_t limit_, next_check_ = kFirstCheck, earliest_check_ = 0, next_clock_ = 0, stall_since_ = 0;
  double ratio_ = 1;  // residual over the change of a sweep, as last seen
  double residual_ = 0, stall_residual_ = std::numeric_limits<double>::infinity(), start_ = 0;
  bool alternate_ = false;  // forward and backward in turn
  SolveStatus status_ = SolveStatus::failed;
  std::string reason_;
  Best best_;
};

}  // namespace

SolveReport solve_nlgs(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                       Eigen::VectorXd& u) {
  return Run(problem, options, r, u).solve();
}

}  // namespace saltus
