#include "saltus/solvers/direct/newton.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/math/block_lu.hpp"
#include "saltus/solvers/monitor.hpp"
#include "saltus/solvers/scaled_problem.hpp"

namespace saltus {

namespace {

// The pace without a warm start, measured on the problems of public collections: a regularisation that changes gently and
// gives Newton room needs the fewest factorisations overall.
constexpr double kLargestAlpha = 1e6, kSmallestAlpha = 1e-14;
// Over-relaxation of the proximal point iteration (any factor below 2 keeps it convergent for
// monotone problems): worth a factor of ten where contacts outnumber degrees of freedom. Off
// when a step was fast, because it would then leave 70 % of the error in place.
constexpr double kRelaxation = 1.7, kFast = 0.2;
constexpr int kIdle = 10;  // proximal steps without gain before round-off is suspected

template <class C>
class ProximalNewton {
 public:
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;

  ProximalNewton(PreparedProblem& prepared, Complementarity function)
      : problem_(prepared.scaled.problem),
        lu_(prepared.lu),
        function_(function),
        values_(problem_.W.value.size()) {}

  // One proximal step from r: returns whether Newton solved it well enough. r is left at the
  // last iterate either way.
  bool solve_proximal(double alpha, const Eigen::VectorXd& center, int most, Eigen::VectorXd& r) {
    alpha_ = alpha;
    multiply(problem_.W, r, u_);
    u_ += problem_.b + alpha * (r - center);
    double size = evaluate(r, u_);
    const double first = size;
    for (iterations_ = 0; iterations_ < most; ++iterations_) {
      const double moved = alpha * (r - center).norm();
      if (iterations_ > 0 && (size <= 0.05 * moved || size <= 1e-3 * first)) return true;
      if (size < 1e-15 * std::sqrt(double(r.size()))) return true;
      if (!factor(r)) return false;
      ++factorisations_;
      step_ = -value_;
      lu_.solve(step_);
      if (!step_.allFinite()) return false;
      multiply(problem_.W, step_, step_u_);
      step_u_ += alpha * step_;
      double length = 1;
      for (;; length /= 2) {
        trial_r_ = r + length * step_;
        trial_u_ = u_ + length * step_u_;
        const double trial = evaluate(trial_r_, trial_u_);
        if (trial <= (1 - 1e-4 * length) * size || length < 1e-3) {
          size = trial;
          break;
        }
      }
      r.swap(trial_r_);
      u_.swap(trial_u_);
    }
    return false;
  }

  int iterations() const { return iterations_; }
  std::int64_t factorisations() const { return factorisations_; }

 private:
  Vector part(const Eigen::VectorXd& x, int c) const { return x.segment<C::kSize>(c * C::kSize); }

  double evaluate(const Eigen::VectorXd& r, const Eigen::VectorXd& u) {
    value_.resize(r.size());
    for (int c = 0; c < problem_.contacts(); ++c)
      value_.segment<C::kSize>(c * C::kSize) =
          complementarity<C>(function_, part(r, c), part(u, c), law_of<C>(problem_, c), kRho);
    return value_.norm();
  }

  // F' = by_r + by_u (W + alpha), row by row.
  bool factor(const Eigen::VectorXd& r) {
    const BlockMatrix& W = problem_.W;
    for (int c = 0; c < problem_.contacts(); ++c) {
      const Linearised<typename C::Plain> local =
          linearise<C>(function_, part(r, c), part(u_, c), law_of<C>(problem_, c), kRho);
      for (int k = W.row_begin[c]; k < W.row_begin[c + 1]; ++k)
        Eigen::Map<Matrix>(values_.data() + std::size_t(k) * C::kSize * C::kSize).noalias() =
            local.by_u * Eigen::Map<const Matrix>(W.block_at(k));
      Eigen::Map<Matrix>(values_.data() + std::size_t(W.diagonal[c]) * C::kSize * C::kSize) +=
          alpha_ * local.by_u + local.by_r;
    }
    return lu_.factor(values_);
  }

  static constexpr double kRho = 1;  // the scaled problem has unit diagonal blocks
  const ContactProblem& problem_;
  BlockLu& lu_;
  Complementarity function_;
  AlignedVector values_;
  Eigen::VectorXd u_, value_, step_, step_u_, trial_r_, trial_u_;
  double alpha_ = 1;
  int iterations_ = 0;
  std::int64_t factorisations_ = 0;
};

template <class C>
SolveReport solve(const ContactProblem& problem, PreparedProblem& prepared, const SolveOptions& options,
                  NewtonState& state, Complementarity function, Eigen::VectorXd& r, Eigen::VectorXd& u) {
  Monitor monitor(problem, options, 5000);
  if (r.size() != problem.size() || !r.allFinite()) r = Eigen::VectorXd::Zero(problem.size());
  double last = monitor.evaluate(r);
  if (monitor.converged()) return monitor.finish(0, SolveStatus::stalled, "", r, u);

  const Eigen::VectorXd& unit = prepared.scaled.impulse;
  Eigen::VectorXd& center = state.center;
  double& alpha = state.alpha;
  if (center.size() == 0) center = r.cwiseQuotient(unit);
  ProximalNewton<C> loop(prepared, function);
  Eigen::VectorXd point;
  int idle = 0;  // proximal steps since the best residual fell
  // Proximal steps are counted too: one whose first factor fails, or that has nothing left to do, costs no factorisation, and
  // where there is no solution the two may take turns for ever.
  for (std::int64_t steps = 0; std::max(steps, loop.factorisations()) < monitor.max_iterations() &&
                               !monitor.out_of_time() && alpha < kLargestAlpha;
       ++steps) {
    point = center;
    const int left = static_cast<int>(
        std::min<std::int64_t>(state.pace.inner, monitor.max_iterations() - loop.factorisations()));
    const bool solved = loop.solve_proximal(alpha, center, left, point);
    const double best = monitor.best_residual();
    const double residual = monitor.evaluate(point.cwiseProduct(unit));
    if (monitor.converged()) break;
    idle = monitor.best_residual() < 0.9 * best ? 0 : idle + 1;
    if (idle % kIdle == kIdle - 1 && monitor.is_at_round_off())
      return monitor.finish(loop.factorisations(), SolveStatus::stalled,
                            "the residual is at the round-off of the problem", r, u);
    if (!solved) {
      alpha *= state.pace.grow;
      continue;
    }
    center += (residual < kFast * last ? 1.0 : kRelaxation) * (point - center);
    last = residual;
    if (loop.iterations() <= 8) alpha = std::max(kSmallestAlpha, state.pace.shrink * alpha);
  }
  return monitor.finish(loop.factorisations(), SolveStatus::stalled,
                        "Newton does not converge however large its regularisation", r, u);
}

}  // namespace

SolveReport solve_newton(const ContactProblem& problem, PreparedProblem& prepared,
                         const SolveOptions& options, NewtonState& state, Eigen::VectorXd& r,
                         Eigen::VectorXd& u, Complementarity function) {
  return with_blocks(problem, [&](auto block) {
    return solve<decltype(block)>(problem, prepared, options, state, function, r, u);
  });
}

SolveReport solve_newton(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                         Eigen::VectorXd& u, Complementarity function) {
  PreparedProblem prepared(problem);
  NewtonState state;
  return solve_newton(problem, prepared, options, state, r, u, function);
}

}  // namespace saltus
