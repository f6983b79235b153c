#include "saltus/solvers/monitor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "saltus/solvers/natural_map.hpp"

namespace saltus {

namespace {

constexpr int kFewContacts = 50;

}  // namespace

void project_on_cones(const ContactProblem& problem, Eigen::VectorXd& r) {
  with_blocks(problem, [&](auto block) {
    using B = decltype(block);
    for (int c = 0; c < problem.contacts(); ++c) {
      auto rc = r.segment<B::kSize>(c * B::kSize);
      if constexpr (std::is_same_v<B, typename B::Plain> && B::kRollings == 0) {  // most are inside: no call
        const double limit = problem.mu[c] * rc[0];
        if (rc[0] >= 0 && rc.template tail<B::kTangents>().squaredNorm() <= limit * limit) continue;
      }
      rc = law_of<B>(problem, c).project(rc);
    }
  });
}

Monitor::Monitor(const ContactProblem& problem, const SolveOptions& options, std::int64_t default_iterations)
    : problem_(problem),
      options_(options),
      max_iterations_(options.max_iterations > 0 ? options.max_iterations : default_iterations),
      clock_(problem.contacts() < kFewContacts ? Clock::wall : Clock::thread_cpu),
      start_(options.time_limit > 0 ? seconds(clock_) : 0) {
  const double speed = problem.b.norm();
  speed_ = speed > 0 ? speed : 1.0;
  best_ = std::numeric_limits<double>::infinity();
  best_r_ = Eigen::VectorXd::Zero(problem.size());
  best_u_ = problem.b;
}

double Monitor::evaluate(const Eigen::VectorXd& r) {
  if (!r.allFinite()) return std::numeric_limits<double>::infinity();
  trial_r_ = r;
  if (trial_r_.isZero(0)) {  // a start from nothing, often all there is to it
    trial_u_ = problem_.b;
  } else {
    project_on_cones(problem_, trial_r_);
    multiply(problem_.W, trial_r_, trial_u_);
    trial_u_ += problem_.b;
  }
  const double value = compute_residual(trial_r_, trial_u_);
  if (value < best_) {
    best_ = value;
    best_r_.swap(trial_r_);
    best_u_.swap(trial_u_);
  }
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

// The two kinds that need nothing but |e| without the sums of the others: solvers look often.
double Monitor::compute_residual(const Eigen::VectorXd& r, const Eigen::VectorXd& u) const {
  const ResidualKind kind = options_.residual;
  if (kind != ResidualKind::natural && kind != ResidualKind::relative_b)
    return compute_residuals(problem_, r, u).of(kind);
  const double absolute =
      std::sqrt(with_blocks(problem_, [&](auto block) { return natural_map_square(block, problem_, r, u); }));
  return kind == ResidualKind::natural ? absolute : absolute / speed_;
}

bool Monitor::is_at_round_off() const {
  // Rows of W have some tens of terms of one size, rounded at random: a few units in the last place of their
  // sum.
  constexpr double kUnits = 8;
  const BlockMatrix& W = problem_.W;
  double square = 0;
  for (int c = 0; c < W.rows; ++c) {
    const Eigen::Index at = Eigen::Index(c) * W.block;
    Eigen::VectorXd size =
        problem_.b.segment(at, W.block).cwiseAbs() + best_r_.segment(at, W.block).cwiseAbs();
    for (int k = W.row_begin[c]; k < W.row_begin[c + 1]; ++k)
      size += W.view(k).cwiseAbs() * best_r_.segment(Eigen::Index(W.column[k]) * W.block, W.block).cwiseAbs();
    square += size.squaredNorm();
  }
  return compute_residuals(problem_, best_r_, best_u_).absolute <=
         kUnits * std::numeric_limits<double>::epsilon() * std::sqrt(square);
}

double Monitor::cpu_seconds() const { return seconds(clock_) - start_; }

bool Monitor::out_of_time() const { return options_.time_limit > 0 && cpu_seconds() > options_.time_limit; }

SolveReport Monitor::finish(std::int64_t iterations, SolveStatus give_up, const std::string& reason,
                            Eigen::VectorXd& r, Eigen::VectorXd& u) const {
  r = best_r_;
  u = best_u_;
  SolveReport report;
  report.iterations = iterations;
  report.residuals = compute_residuals(problem_, r, u);
  const double reached = std::isfinite(best_) ? best_ : report.residuals.of(options_.residual);
  if (reached <= options_.tolerance) {
    report.status = SolveStatus::converged;
    report.reason = fmt::format("residual {:.1e} within {:.1e}", reached, options_.tolerance);
  } else if (out_of_time()) {
    report.status = SolveStatus::time_limit;
    report.reason =
        fmt::format("time limit of {} s reached with residual {:.1e}", options_.time_limit, reached);
  } else if (iterations >= max_iterations_) {
    report.status = SolveStatus::max_iterations;
    report.reason = fmt::format("{} iterations done with residual {:.1e}", iterations, reached);
  } else {
    report.status = give_up;
    report.reason = fmt::format("{}; best residual {:.1e}", reason, reached);
  }
  return report;
}

}  // namespace saltus
