#include "saltus/solvers/apgd.hpp"

#include <cmath>

#include "saltus/solvers/block_law.hpp"
#include "saltus/solvers/monitor.hpp"
#include "saltus/solvers/scaled_problem.hpp"

namespace saltus {

namespace {

constexpr int kLook = 10;        // iterations between evaluations of the true residual
constexpr int kPatience = 5000;  // iterations without gain before it gives up
constexpr double kInner = 0.1;   // the program is solved to this fraction of the error of s

template <class C>
class AcceleratedGradient {
 public:
  using Vector = typename C::Vector;

  AcceleratedGradient(const ContactProblem& problem, const Eigen::VectorXd& start)
      : problem_(problem), r_(start), previous_(start), extrapolated_(start) {
    multiply(problem_.W, r_, w_r_);
    w_extrapolated_ = w_r_;
    shift_ = Eigen::VectorXd::Zero(problem.contacts());
    renew_shift();
  }

  const Eigen::VectorXd& impulses() const { return r_; }

  // One projected step from the extrapolated point. W is applied once per trial step length.
  void iterate() {
    gradient_ = w_extrapolated_ + problem_.b;
    for (int c = 0; c < problem_.contacts(); ++c) gradient_[c * C::kSize] += shift_[c];
    previous_.swap(r_);
    w_previous_.swap(w_r_);
    for (int trial = 0; trial < 60; ++trial) {
      r_ = extrapolated_ - gradient_ / lipschitz_;
      project_on_cones(problem_, r_);
      multiply(problem_.W, r_, w_r_);
      difference_ = r_ - extrapolated_;
      // f(r) <= f(y) + g.(r - y) + L/2 |r - y|^2, in the form free of cancellation
      if (difference_.dot(w_r_ - w_extrapolated_) <= lipschitz_ * difference_.squaredNorm() * (1 + 1e-12))
        break;
      lipschitz_ *= 2;
    }
    change_ = lipschitz_ * difference_.norm();
    const bool uphill = gradient_.dot(r_ - previous_) > 0;
    const double next = uphill ? 1.0 : (1 + std::sqrt(1 + 4 * weight_ * weight_)) / 2;
    const double beta = uphill ? 0.0 : (weight_ - 1) / next;
    weight_ = next;
    extrapolated_ = r_ + beta * (r_ - previous_);
    w_extrapolated_ = w_r_ + beta * (w_r_ - w_previous_);
    lipschitz_ *= 0.98;
    if (change_ <= kInner * shift_error()) renew_shift();
  }

 private:
  double slip_of(int c) const {
    const Vector u = w_r_.segment<C::kSize>(c * C::kSize) + problem_.b.segment<C::kSize>(c * C::kSize);
    return law_of<C>(problem_, c).de_saxce(u)[0] - u[0];
  }

  double shift_error() const {
    double sum = 0;
    for (int c = 0; c < problem_.contacts(); ++c) {
      const double error = slip_of(c) - shift_[c];
      sum += r_[c * C::kSize] > 0 ? error * error : 0.0;  // an open contact's term does not matter
    }
    return std::sqrt(sum);
  }

  void renew_shift() {
    for (int c = 0; c < problem_.contacts(); ++c) shift_[c] = slip_of(c);
  }

  const ContactProblem& problem_;
  Eigen::VectorXd r_, previous_, extrapolated_, w_r_, w_previous_, w_extrapolated_;
  Eigen::VectorXd gradient_, difference_, shift_;
  double lipschitz_ = 1;  // the scaled problem has unit diagonal blocks; grows by backtracking
  double weight_ = 1, change_ = 0;
};

template <class C>
SolveReport solve(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                  Eigen::VectorXd& u) {
  Monitor monitor(problem, options, 100000);
  if (r.size() != problem.size() || !r.allFinite()) r = Eigen::VectorXd::Zero(problem.size());
  monitor.evaluate(r);
  if (monitor.converged()) return monitor.finish(0, SolveStatus::stalled, "", r, u);
  const ScaledProblem scaled = build_scaled_problem(problem);
  AcceleratedGradient<C> method(scaled.problem, r.cwiseQuotient(scaled.impulse));
  std::int64_t iteration = 0, gained = 0;
  double best = monitor.best_residual();
  while (iteration < monitor.max_iterations() && !monitor.out_of_time() && iteration - gained < kPatience) {
    method.iterate();
    if (++iteration % kLook != 0) continue;
    if (!std::isfinite(monitor.evaluate(method.impulses().cwiseProduct(scaled.impulse))))
      return monitor.finish(iteration, SolveStatus::failed, "impulses are no longer finite", r, u);
    if (monitor.converged()) break;
    if (monitor.best_residual() < 0.95 * best) {
      best = monitor.best_residual();
      gained = iteration;
    }
  }
  return monitor.finish(iteration, SolveStatus::stalled, "apgd no longer improves", r, u);
}

}  // namespace

SolveReport solve_apgd(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                       Eigen::VectorXd& u) {
  return with_blocks(problem, [&](auto block) { return solve<decltype(block)>(problem, options, r, u); });
}

}  // namespace saltus
