#include "saltus/solvers/direct/admm.hpp"

#include <cmath>

#include "saltus/solvers/block_law.hpp"
#include "saltus/solvers/monitor.hpp"
#include "saltus/solvers/scaled_problem.hpp"

namespace saltus {

namespace {

constexpr double kRelaxation = 1.6;
constexpr int kLook = 5;          // iterations between evaluations of the residual
constexpr int kAdapt = 20;        // and between looks at the penalty
constexpr double kImbalance = 4;  // ratio of residuals that makes a new penalty worth a factorisation
constexpr int kPatience = 2000;   // iterations without gain before it gives up

template <class C>
class Admm {
 public:
  using Vector = typename C::Vector;

  Admm(PreparedProblem& prepared, const Eigen::VectorXd& start)
      : problem_(prepared.scaled.problem), lu_(prepared.lu), p_(start) {
    multiply(problem_.W, p_, y_);
    y_ = -(y_ + problem_.b) / rho_;  // the velocity that goes with the start
  }

  bool refactor() {
    values_ = problem_.W.value;
    const int block = C::kSize;
    for (int c = 0; c < problem_.contacts(); ++c)
      for (int i = 0; i < block; ++i)
        values_[std::size_t(problem_.W.diagonal[c]) * block * block + i * (block + 1)] += rho_;
    return lu_.factor(values_);
  }

  void iterate() {
    r_ = rho_ * (p_ - y_) - problem_.b;
    for (int c = 0; c < problem_.contacts(); ++c) {
      const Vector velocity = -rho_ * part(y_, c);
      r_[c * C::kSize] -= law_of<C>(problem_, c).de_saxce(velocity)[0] - velocity[0];
    }
    lu_.solve(r_);
    double primal = 0, dual = 0;
    for (int c = 0; c < problem_.contacts(); ++c) {
      const Vector relaxed = kRelaxation * part(r_, c) + (1 - kRelaxation) * part(p_, c);
      const Vector next = law_of<C>(problem_, c).project(relaxed + part(y_, c));
      primal += (part(r_, c) - next).squaredNorm();
      dual += (next - part(p_, c)).squaredNorm();
      y_.segment<C::kSize>(c * C::kSize) += relaxed - next;
      p_.segment<C::kSize>(c * C::kSize) = next;
    }
    primal_ = std::sqrt(primal) / (1e-300 + p_.norm());
    dual_ = std::sqrt(dual) / (1e-300 + y_.norm());
  }

  // A penalty that balances the two residuals; true when it changed (and was factored).
  bool adapt() {
    const double ratio = std::sqrt(primal_ / std::max(dual_, 1e-300));
    if (!(ratio > kImbalance || ratio < 1 / kImbalance) || !std::isfinite(ratio)) return false;
    const double next = std::clamp(rho_ * std::clamp(ratio, 0.1, 10.0), 1e-8, 1e8);
    if (next == rho_) return false;
    y_ *= rho_ / next;
    rho_ = next;
    return refactor();
  }

  const Eigen::VectorXd& impulses() const { return p_; }

 private:
  Vector part(const Eigen::VectorXd& x, int c) const { return x.segment<C::kSize>(c * C::kSize); }

  const ContactProblem& problem_;
  BlockLu& lu_;
  double rho_ = 1;  // the scaled problem has unit diagonal blocks
  Eigen::VectorXd p_, y_, r_;
  AlignedVector values_;
  double primal_ = 0, dual_ = 0;
};

template <class C>
SolveReport solve(const ContactProblem& problem, PreparedProblem& prepared, const SolveOptions& options,
                  Eigen::VectorXd& r, Eigen::VectorXd& u) {
  Monitor monitor(problem, options, 20000);
  if (r.size() != problem.size() || !r.allFinite()) r = Eigen::VectorXd::Zero(problem.size());
  monitor.evaluate(r);
  if (monitor.converged()) return monitor.finish(0, SolveStatus::stalled, "", r, u);
  Admm<C> method(prepared, r.cwiseQuotient(prepared.scaled.impulse));
  std::int64_t iteration = 0, gained = 0;
  double best = monitor.best_residual();
  if (!method.refactor()) return monitor.finish(0, SolveStatus::failed, "W + rho is singular", r, u);
  while (iteration < monitor.max_iterations() && !monitor.out_of_time() && iteration - gained < kPatience) {
    method.iterate();
    if (++iteration % kLook != 0) continue;
    monitor.evaluate(method.impulses().cwiseProduct(prepared.scaled.impulse));
    if (monitor.converged()) break;
    if (monitor.best_residual() < 0.95 * best) {
      best = monitor.best_residual();
      gained = iteration;
    }
    if (iteration % kAdapt == 0) method.adapt();
  }
  return monitor.finish(iteration, SolveStatus::stalled, "admm no longer improves", r, u);
}

}  // namespace

SolveReport solve_admm(const ContactProblem& problem, PreparedProblem& prepared, const SolveOptions& options,
                       Eigen::VectorXd& r, Eigen::VectorXd& u) {
  return with_blocks(problem,
                     [&](auto block) { return solve<decltype(block)>(problem, prepared, options, r, u); });
}

SolveReport solve_admm(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                       Eigen::VectorXd& u) {
  PreparedProblem prepared(problem);
  return solve_admm(problem, prepared, options, r, u);
}

}  // namespace saltus
