// The interior point iteration of ipm.hpp, for blocks of any kind.
//
// For ipm.cpp and ipm_mixed.cpp alone, and unnamed in each: compiled apart, problems of contacts alone give the
// bits they gave before there were others (what is inlined decides which products and sums are fused).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "saltus/solvers/direct/interior_block.hpp"
#include "saltus/solvers/direct/ipm.hpp"
#include "saltus/solvers/direct/newton.hpp"
#include "saltus/solvers/monitor.hpp"
#include "saltus/solvers/residual.hpp"

namespace saltus {

namespace {

// Iterations without halving the residual after which the steps have collapsed: a healthy run
// halves it at every other one.
constexpr int kPatience = 15;

template <class C>
class InteriorPoint {
 public:
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;

  InteriorPoint(PreparedProblem& prepared, const Eigen::VectorXd& start, double depth)
      : problem_(prepared.scaled.problem), lu_(prepared.lu), values_(problem_.W.value.size()), r_(start) {
    contacts_.resize(problem_.contacts());
    multiply(problem_.W, r_, u_);
    u_ += problem_.b;
    for (int c = 0; c < problem_.contacts(); ++c) {
      contacts_[c].others.set_law(law_of<C>(problem_, c));
      place_inside(c, depth);
      for_each_pair(c, [&](auto&) { ++pairs_; });
    }
  }

  const Eigen::VectorXd& impulses() const { return r_; }

  // From now on De Saxce's term is what it is at impulses r, or zero: the problem is convex, and its solution next to that of the law.
  void freeze(const Eigen::VectorXd* r) {
    frozen_.setZero(problem_.contacts());
    if (!r) return;
    Eigen::VectorXd u;
    multiply(problem_.W, *r, u);
    u += problem_.b;
    for (int c = 0; c < problem_.contacts(); ++c)
      for_each_part(c, [&](auto& part, int first, double mu) {
        constexpr int kPart = std::decay_t<decltype(part)>::kSize - 1;
        frozen_[c] += mu * u.segment<kPart>(c * C::kSize + first).norm();
      });
  }

  // The frozen problem, whose residual is about the root of what is left, to a tenth of `residual`, or to round-off.
  bool is_solved(double residual) {
    constexpr double kSmall = 1e-18, kPart = 0.1;
    return mean_gap(0) < std::max(kSmall, kPart * kPart * residual * residual);
  }

  // One predictor-corrector iteration; false when the factorisation fails or nothing is finite.
  bool iterate() {
    update_residual();
    if (!factor()) return false;
    const double gap = mean_gap(0);
    find_direction(0, false);
    const double predicted = std::min(1.0, longest_step());
    const double ratio = gap > 0 ? mean_gap(predicted) / gap : 0.0;
    const double sigma = std::clamp(ratio * ratio * ratio, 1e-8, 1.0);
    find_direction(sigma * gap, true);
    step_ = std::min(1.0, (predicted < 0.9 ? 0.95 : 0.99) * longest_step());
    if (!std::isfinite(step_) || !dr_.allFinite()) return false;
    advance();
    return true;
  }

 private:
  struct Contact {
    ConePart<C::kTangents> sliding;
    ConePart<C::kRollings ? C::kRollings : 1> rolling;  // idle when the cone does not roll
    Matrix inverse_slope;                               // S^-1
    OtherSets<C> others;                                // what is no contact, in a mixed problem
  };

  // f(part, index of its first component in the block, friction ratio), for each cone of a contact.
  template <class F>
  void for_each_part(int c, F&& f) {
    if (!contacts_[c].others.is_contact()) return;
    const auto friction = contacts_[c].others.friction(problem_, c);
    f(contacts_[c].sliding, 1, friction.mu);
    if constexpr (C::kRollings > 0) f(contacts_[c].rolling, 1 + C::kTangents, friction.mu_r);
  }

  // f(pair of points), for cones and balls alike.
  template <class F>
  void for_each_pair(int c, F&& f) {
    for_each_part(c, [&](auto& part, int, double) { f(part); });
    contacts_[c].others.for_ball(f);
  }

  auto block(Eigen::VectorXd& x, int c) { return x.segment<C::kSize>(c * C::kSize); }

  // Moves the impulse of a contact into its cones, and takes dual points as inside as that.
  void place_inside(int c, double depth) {
    double lift = 0;
    for_each_part(c, [&](auto& part, int first, double mu) {
      part.set_friction(mu);
      using Part = std::decay_t<decltype(part)>;
      if (part.tail == 0) block(r_, c).template segment<Part::kSize - 1>(first).setZero();
      const auto x = part.cone_point(block(r_, c), first);
      const double length = x.template tail<Part::kSize - 1>().norm();
      lift = std::max(lift, (depth + length - x[0]) / part.ratio);
    });
    r_[c * C::kSize] += std::max(0.0, lift);
    for_each_part(c, [&](auto& part, int first, double) {
      using Part = std::decay_t<decltype(part)>;
      part.x = part.cone_point(block(r_, c), first);
      const auto ut = u_.segment<Part::kSize - 1>(c * C::kSize + first);
      part.z.template tail<Part::kSize - 1>() =
          depth < 1 ? Eigen::VectorXd(part.tail * ut) : Eigen::VectorXd(0 * ut);
      part.z[0] = part.z.template tail<Part::kSize - 1>().norm() + depth;
    });
    contacts_[c].others.place_inside(depth, block(u_, c), block(r_, c));
  }

  // residual = W r + b + s n - J^T z, and the inverse of S.
  void update_residual() {
    multiply(problem_.W, r_, u_);
    u_ += problem_.b;
    residual_ = u_;
    for (int c = 0; c < problem_.contacts(); ++c) {
      const Vector u = block(u_, c);
      contacts_[c].inverse_slope = 2 * Matrix::Identity() - law_of<C>(problem_, c).de_saxce_jacobian(u);
      const bool is_frozen = frozen_.size() > 0;
      if (is_frozen) {
        contacts_[c].inverse_slope.setIdentity();
        residual_[c * C::kSize] += frozen_[c];
      }
      for_each_part(c, [&](auto& part, int first, double mu) {
        constexpr int kPart = std::decay_t<decltype(part)>::kSize - 1;
        const double slip = is_frozen ? 0.0 : u_.segment<kPart>(c * C::kSize + first).norm();
        residual_[c * C::kSize] += mu * slip - part.ratio * part.z[0];
        residual_.segment<kPart>(c * C::kSize + first) -= part.tail * part.z.template tail<kPart>();
      });
      contacts_[c].others.for_ball([&](auto& ball) { ball.subtract_dual(block(residual_, c)); });
    }
  }

  bool factor() {
    const BlockMatrix& W = problem_.W;
    std::copy(W.value.begin(), W.value.end(), values_.begin());
    for (int c = 0; c < problem_.contacts(); ++c) {
      Matrix curvature = Matrix::Zero();  // J^T T^2 J
      for_each_part(c, [&](auto& part, int first, double) {
        constexpr int kPart = std::decay_t<decltype(part)>::kSize - 1;
        part.update_scaling();
        const typename std::decay_t<decltype(part)>::Mat squared = part.T * part.T;
        curvature(0, 0) += part.ratio * part.ratio * squared(0, 0);
        curvature.template block<1, kPart>(0, first) +=
            part.ratio * part.tail * squared.template block<1, kPart>(0, 1);
        curvature.template block<kPart, 1>(first, 0) +=
            part.ratio * part.tail * squared.template block<kPart, 1>(1, 0);
        curvature.template block<kPart, kPart>(first, first) +=
            part.tail * squared.template bottomRightCorner<kPart, kPart>();
        if (part.tail == 0) curvature.diagonal().template segment<kPart>(first).array() += kRigid;
      });
      contacts_[c].others.add_curvature(curvature);
      Eigen::Map<Matrix>(values_.data() + std::size_t(W.diagonal[c]) * C::kSize * C::kSize) +=
          contacts_[c].inverse_slope * curvature;
    }
    return lu_.factor(values_);
  }

  void find_direction(double tau, bool correct) {
    dr_ = -residual_;
    for (int c = 0; c < problem_.contacts(); ++c) {
      for_each_part(c, [&](auto& part, int first, double) {
        constexpr int kPart = std::decay_t<decltype(part)>::kSize - 1;
        part.set_target(tau, correct);
        dr_[c * C::kSize] += part.ratio * part.target[0];
        dr_.segment<kPart>(c * C::kSize + first) += part.tail * part.target.template tail<kPart>();
      });
      contacts_[c].others.for_ball([&](auto& ball) { ball.add_target(tau, correct, block(dr_, c)); });
      block(dr_, c) = (contacts_[c].inverse_slope * block(dr_, c)).eval();
    }
    lu_.solve(dr_);
    for (int c = 0; c < problem_.contacts(); ++c) {
      for_each_part(c, [&](auto& part, int first, double) { part.set_direction(block(dr_, c), first); });
      contacts_[c].others.for_ball([&](auto& ball) { ball.set_direction(block(dr_, c)); });
    }
  }

  double longest_step() {
    double step = std::numeric_limits<double>::infinity();
    for (int c = 0; c < problem_.contacts(); ++c)
      for_each_pair(c, [&](auto& pair) { step = std::min(step, pair.longest_step()); });
    return step;
  }

  // Mean of x.z after a step along the direction at hand.
  double mean_gap(double step) {
    double sum = 0;
    for (int c = 0; c < problem_.contacts(); ++c)
      for_each_pair(c, [&](auto& pair) {
        sum += step == 0 ? pair.x.dot(pair.z) : (pair.x + step * pair.dx).dot(pair.z + step * pair.dz);
      });
    return sum / std::max(1, pairs_);
  }

  void advance() {
    r_ += step_ * dr_;
    for (int c = 0; c < problem_.contacts(); ++c)
      for_each_pair(c, [&](auto& pair) {
        pair.x += step_ * pair.dx;
        pair.z += step_ * pair.dz;
      });
  }

  const ContactProblem& problem_;
  BlockLu& lu_;
  std::vector<Contact> contacts_;
  int pairs_ = 0;
  AlignedVector values_;
  Eigen::VectorXd r_, u_, residual_, dr_;
  Eigen::VectorXd frozen_;  // De Saxce's term of each contact, if it is given
  double step_ = 0;
};

// The residual that no change of units touches: what is asked for may be a velocity.
double residual_without_units(const ContactProblem& problem, const Eigen::VectorXd& r) {
  Eigen::VectorXd u;
  multiply(problem.W, r, u);
  u += problem.b;
  return compute_residuals(problem, r, u).scaled;
}

// How far inside the cones of the scaled problem a warm start begins: by as much as it may be wrong, where a cold one
// starts at 1.
double start_depth(const ContactProblem& problem, const Eigen::VectorXd& r) {
  return std::clamp(std::sqrt(residual_without_units(problem, r)), 1e-3, 1.0);
}

// Close to the boundary of the cones interior point loses digits that Newton on the law itself
// does not: it takes over from the best point, with next to no regularisation.
std::int64_t cross_over(const ContactProblem& problem, PreparedProblem& prepared, SolveOptions options,
                        Monitor& monitor) {
  options.max_iterations = 8;
  if (options.time_limit > 0) options.time_limit = std::max(1e-9, options.time_limit - monitor.cpu_seconds());
  NewtonState state{{}, 1e-6};
  Eigen::VectorXd r = monitor.best_point(), u;
  const SolveReport report = solve_newton(problem, prepared, options, state, r, u);
  monitor.evaluate(r);
  return report.iterations;
}

// Steps collapse where contacts at rest hold more than they need to: of all that could stick some slip a little on the way, and De Saxce's
// term turns with every step. The convex problem with that term given has a central path always; a few of them, each with the term of the
// last solution, lead to the law. What sticks is there at once: its term is zero. For problems of up to kConvex blocks: in large ones `auto`
// would pay for a hundred factors more where it has other solvers to turn to.
constexpr int kConvex = 128;
template <class C>
std::int64_t solve_convex(const ContactProblem& problem, PreparedProblem& prepared, std::int64_t most,
                          Monitor& monitor) {
  constexpr int kProblems = 12, kIterations = 25;
  constexpr double kCoarse = 1e-3;  // residual that the first problems are solved for
  const Eigen::VectorXd& unit = prepared.scaled.impulse;
  std::int64_t iteration = 0;
  double before = std::numeric_limits<double>::infinity();
  Eigen::VectorXd last;
  for (int k = 0; k < kProblems; ++k) {
    InteriorPoint<C> method(prepared, Eigen::VectorXd::Zero(unit.size()), 1);
    method.freeze(k == 0 ? nullptr : &last);
    for (int i = 0; i < kIterations; ++i) {
      if (iteration >= most || monitor.out_of_time()) return iteration;
      ++iteration;
      if (!method.iterate()) break;
      monitor.evaluate(method.impulses().cwiseProduct(unit));
      if (monitor.converged()) return iteration;
      if (method.is_solved(std::min(kCoarse, before))) break;
    }
    last = method.impulses();
    // Solutions are compared with each other: all of them may be behind the point where steps collapsed.
    const double reached = residual_without_units(problem, last.cwiseProduct(unit));
    if (k > 1 && !(reached < 0.5 * before)) break;
    before = reached;
  }
  return iteration;
}

template <class C>
SolveReport solve_interior(const ContactProblem& problem, PreparedProblem& prepared,
                           const SolveOptions& options, Eigen::VectorXd& r, Eigen::VectorXd& u) {
  Monitor monitor(problem, options, 400);
  const bool warm = r.size() == problem.size() && r.allFinite() && !r.isZero();
  if (!warm) r = Eigen::VectorXd::Zero(problem.size());
  monitor.evaluate(r);
  if (monitor.converged()) return monitor.finish(0, SolveStatus::stalled, "", r, u);

  const Eigen::VectorXd& unit = prepared.scaled.impulse;
  const double depth = warm ? start_depth(problem, r) : 1.0;
  InteriorPoint<C> method(prepared, r.cwiseQuotient(unit), depth);
  std::int64_t iteration = 0;
  std::int64_t gained = 0;  // last iteration that halved the residual
  double halved = monitor.best_residual();
  const char* reason = "interior point steps collapsed";
  while (iteration < monitor.max_iterations() && !monitor.out_of_time() && iteration - gained < kPatience) {
    ++iteration;
    if (!method.iterate()) {
      reason = "interior point matrix became singular";
      break;
    }
    monitor.evaluate(method.impulses().cwiseProduct(unit));
    if (monitor.converged()) break;
    if (monitor.best_residual() < 0.5 * halved) {
      halved = monitor.best_residual();
      gained = iteration;
    }
  }
  const auto may_go_on = [&] {
    return !monitor.converged() && !monitor.out_of_time() && iteration < monitor.max_iterations();
  };
  if (may_go_on()) iteration += cross_over(problem, prepared, options, monitor);
  if (may_go_on() && problem.contacts() <= kConvex) {
    iteration += solve_convex<C>(problem, prepared, monitor.max_iterations() - iteration, monitor);
    if (may_go_on()) iteration += cross_over(problem, prepared, options, monitor);
  }
  return monitor.finish(iteration, SolveStatus::stalled, reason, r, u);
}

}  // namespace

}  // namespace saltus
