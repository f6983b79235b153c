#include "saltus/solvers/velocity_nlgs.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "saltus/solvers/local_coulomb_2d.hpp"
#include "saltus/solvers/local_coulomb_3d.hpp"
#include "saltus/solvers/local_rolling.hpp"

namespace saltus {

namespace {

template <class C>
using LocalOf = std::conditional_t<
    std::is_same_v<C, Coulomb2>, LocalCoulomb2,
    std::conditional_t<std::is_same_v<C, Coulomb3>, LocalCoulomb3,
                       std::conditional_t<std::is_same_v<C, Rolling2>, LocalRolling2, LocalRolling3>>>;

template <class C>
inline constexpr int kDim = C::kTangents + 1;

// All that an update of one contact needs, in the order of use.
template <class C>
struct Record {
  using Vector = typename C::Vector;
  int a = 0, b = 0;
  int viscous = -1;  // index of its viscous part
  Mat<kDim<C>> frame;
  Vec<kDim<C>> arm_a, arm_b;
  Vector shift, compliance, r;
  typename C::Matrix W;  // of the local problem: compliance and viscous part included
  LocalOf<C> local;
};

// Change of r in the last sweep, and in the last iteration: the sweep and the push after it.
template <class C>
struct Change {
  typename C::Vector sweep, total;
};

// With the bodies feeling p = r - D u (D on the tangent), u = W p + q0 is u = A (W r + q0), A = (I + W D)^-1.
template <class C>
struct ViscousPart {
  typename C::Matrix W, A;
  typename C::Vector D, p;
};

template <class C>
typename C::Vector velocity(const SweepBody<kDim<C>>& a, const SweepBody<kDim<C>>& b, const Record<C>& c) {
  constexpr int Dim = kDim<C>;
  typename C::Vector u;
  u.template head<Dim>() =
      c.frame.transpose() * (point_velocity<Dim>(b, c.arm_b) - point_velocity<Dim>(a, c.arm_a));
  if constexpr (C::kRollings > 0)
    u.template tail<C::kRollings>() = rolling_axes(c.frame).transpose() * relative_spin<Dim>(a, b);
  return u;
}

template <class C>
void apply(const Record<C>& c, const typename C::Vector& dp, SweepBody<kDim<C>>& a, SweepBody<kDim<C>>& b) {
  constexpr int Dim = kDim<C>;
  const Vec<Dim> p = c.frame * dp.template head<Dim>();
  Spin<Dim> turn_a = moment(c.arm_a, p), turn_b = moment(c.arm_b, p);
  if constexpr (C::kRollings > 0) {
    const Spin<Dim> roll = rolling_axes(c.frame) * dp.template tail<C::kRollings>();
    turn_a += roll;
    turn_b += roll;
  }
  add_impulse(a, Vec<Dim>(-p), Spin<Dim>(-turn_a));
  add_impulse(b, p, turn_b);
}

// W_cc: what a unit impulse of each component does to the velocity of its own contact.
template <class C>
typename C::Matrix compute_block(const SweepBody<kDim<C>>& a, const SweepBody<kDim<C>>& b,
                                 const Record<C>& c) {
  typename C::Matrix W;
  for (int i = 0; i < C::kSize; ++i) {
    SweepBody<kDim<C>> at_a = a, at_b = b;
    std::fill(std::begin(at_a.v), std::end(at_a.v), 0.0);
    std::fill(std::begin(at_a.w), std::end(at_a.w), 0.0);
    std::fill(std::begin(at_b.v), std::end(at_b.v), 0.0);
    std::fill(std::begin(at_b.w), std::end(at_b.w), 0.0);
    apply<C>(c, C::Vector::Unit(i), at_a, at_b);
    W.col(i) = velocity<C>(at_a, at_b, c);
  }
  return 0.5 * (W + W.transpose());
}

template <class C>
double natural_map_square(const typename C::Vector& r, const typename C::Vector& u, double mu, double mu_r,
                          double mass, double length) {
  typename C::Vector impulse = r / mass, speed = u;
  impulse.template tail<C::kRollings>() /= length;
  speed.template tail<C::kRollings>() *= length;
  const double ratio = mu_r / length;
  return (impulse - project<C>(impulse - de_saxce<C>(speed, mu, ratio), mu, ratio)).squaredNorm();
}

template <int Dim, class C>
typename C::Vector impulse_of(const SweepContact<Dim>& c) {
  typename C::Vector r;
  r.template head<Dim>() = c.r;
  if constexpr (C::kRollings > 0) r.template tail<C::kRollings>() = c.moment;
  return r;
}

template <class C>
typename C::Vector compliance_of(const SweepContact<kDim<C>>& c) {
  typename C::Vector compliance = C::Vector::Zero();
  compliance[0] = c.compliance_normal;
  compliance.template segment<C::kTangents>(1).setConstant(c.compliance_tangent);
  return compliance;
}

template <int Dim, class C>
VelocityResidual residual_of(const VelocityProblem<Dim>& problem) {
  VelocityResidual result;
  double sum = 0, largest = -1;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const SweepContact<Dim>& c = problem.contacts[i];
    const typename C::Vector r = impulse_of<Dim, C>(c);
    typename C::Vector u;
    u.template head<Dim>() = relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], c) + c.shift;
    if constexpr (C::kRollings > 0)
      u.template tail<C::kRollings>() =
          rolling_axes(c.frame).transpose() * relative_spin<Dim>(problem.bodies[c.a], problem.bodies[c.b]);
    u += compliance_of<C>(c).cwiseProduct(r);
    const double square = natural_map_square<C>(r, u, c.mu, c.mu_r, problem.mass, problem.length);
    sum += square;
    if (!(square <= largest)) {
      largest = square;
      result.worst = static_cast<int>(i);
    }
  }
  if (!problem.contacts.empty()) {
    result.rms = std::sqrt(sum / static_cast<double>(problem.contacts.size()));
    result.max = std::sqrt(largest);
  }
  return result;
}

// The thick graphs of Jean 1995: some point of Signorini's and of Coulomb's graph is within the margins.
template <class C>
bool is_within(const VelocityMargins& margins, const typename C::Vector& r, const typename C::Vector& u,
               double mu) {
  const bool open = r[0] <= margins.impulse && u[0] >= -margins.normal;
  const bool closed = std::abs(u[0]) <= margins.normal;
  if (!open && !closed) return false;
  const auto rt = r.template segment<C::kTangents>(1);
  const auto ut = u.template segment<C::kTangents>(1);
  const double slip = ut.norm();
  if (slip <= margins.sliding) return rt.norm() <= mu * r[0] + margins.impulse;
  return (rt + mu * r[0] / slip * ut).norm() <= margins.impulse;
}

template <class C>
class Sweeper {
 public:
  static constexpr int Dim = kDim<C>;
  using Vector = typename C::Vector;

  VelocityReport solve(const VelocityNlgsOptions& options, VelocityProblem<Dim>& problem) {
    build(problem);
    VelocityReport report;
    iterate(options, problem, report);
    for (std::size_t i = 0; i < records_.size(); ++i) store(records_[i], problem.contacts[i]);
    report.residual = residual_of<Dim, C>(problem);
    report.unsolved = unsolved_;
    for (const Record<C>& c : records_) report.ambiguous += c.local.ambiguous();
    if (!std::isfinite(report.residual.rms)) report.status = SolveStatus::failed;
    return report;
  }

 private:
  void build(VelocityProblem<Dim>& problem) {
    records_.clear();
    viscous_.clear();
    records_.reserve(problem.contacts.size());
    changes_.assign(problem.contacts.size(), {C::Vector::Zero(), C::Vector::Zero()});
    since_restart_ = 0;
    with_momentum_ = true;
    for (const SweepContact<Dim>& c : problem.contacts) add(c, problem);
    for (const Record<C>& c : records_) apply<C>(c, c.r, problem.bodies[c.a], problem.bodies[c.b]);
  }

  void add(const SweepContact<Dim>& c, const VelocityProblem<Dim>& problem) {
    Record<C> record{c.a,
                     c.b,
                     -1,
                     c.frame,
                     c.arm_a,
                     c.arm_b,
                     Vector::Zero(),
                     compliance_of<C>(c),
                     impulse_of<Dim, C>(c),
                     C::Matrix::Zero(),
                     LocalOf<C>(C::Matrix::Identity(), 0, 0)};
    record.shift.template head<Dim>() = c.shift;
    record.W = compute_block<C>(problem.bodies[c.a], problem.bodies[c.b], record);
    if (c.viscous > 0) {
      ViscousPart<C> part{record.W, C::Matrix::Identity(), Vector::Zero(), record.r};
      part.D.template segment<C::kTangents>(1).setConstant(c.viscous);
      part.A = (C::Matrix::Identity() + part.W * part.D.asDiagonal()).inverse();
      record.W = part.A * part.W;
      record.viscous = static_cast<int>(viscous_.size());
      viscous_.push_back(part);
    }
    record.W.diagonal() += record.compliance;
    record.local = LocalOf<C>(record.W, c.mu, c.mu_r);
    records_.push_back(record);
  }

  void store(const Record<C>& record, SweepContact<Dim>& c) const {
    c.r = record.r.template head<Dim>();
    c.p = record.viscous < 0 ? c.r : Vec<Dim>(viscous_[record.viscous].p.template head<Dim>());
    if constexpr (C::kRollings > 0) c.moment = record.r.template tail<C::kRollings>();
  }

  // Returns the change of r.
  Vector update(Record<C>& c, SweepBody<Dim>& a, SweepBody<Dim>& b) {
    if (c.viscous >= 0) [[unlikely]]
      return update_viscous(c, a, b);
    const Vector u = velocity<C>(a, b, c);
    const Vector q = u + c.shift + c.compliance.cwiseProduct(c.r) - c.W * c.r;
    Vector r = c.r;
    unsolved_ += !c.local.solve(c.W.data(), q, r);
    const Vector dr = r - c.r;
    apply<C>(c, dr, a, b);
    c.r = r;
    return dr;
  }

  Vector update_viscous(Record<C>& c, SweepBody<Dim>& a, SweepBody<Dim>& b) {
    ViscousPart<C>& part = viscous_[c.viscous];
    const Vector free = part.A * (velocity<C>(a, b, c) - part.W * part.p);
    const Vector q = free + c.shift;
    Vector r = c.r;
    unsolved_ += !c.local.solve(c.W.data(), q, r);
    const Vector u = free + part.A * part.W * r;
    const Vector dp = r - part.D.cwiseProduct(u) - part.p;
    const Vector dr = r - c.r;
    apply<C>(c, dp, a, b);
    part.p += dp;
    c.r = r;
    return dr;
  }

  // Rms of the change of impulse, as a velocity.
  double sweep(VelocityProblem<Dim>& problem) {
    SweepBody<Dim>* bodies = problem.bodies.data();
    double sum = 0;
    unsolved_ = 0;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      Record<C>& c = records_[i];
      changes_[i].sweep = update(c, bodies[c.a], bodies[c.b]);
      sum += changes_[i].sweep.squaredNorm();
    }
    return std::sqrt(sum / static_cast<double>(records_.size())) / problem.mass;
  }

  // Nesterov's momentum k/(k+3), k counted from the last time the sweep pointed against it (O'Donoghue and
  // Candes 2015, gradient restart). Coulomb's law is not the convex problem that this is made for: when
  // the residual does not halve between two looks, plain sweeps get the next turn, and the other way round.
  void extrapolate(VelocityProblem<Dim>& problem) {
    if (!with_momentum_) return;
    double along = 0;
    for (std::size_t i = 0; i < records_.size(); ++i)
      along += records_[i].local.normal_compliance() * changes_[i].sweep.dot(changes_[i].total);
    since_restart_ = along > 0 ? since_restart_ + 1 : 0;
    const double momentum = since_restart_ / (since_restart_ + 3.0);
    for (std::size_t i = 0; i < records_.size(); ++i) {
      Record<C>& c = records_[i];
      const Vector dr = momentum * changes_[i].total;
      changes_[i].total = changes_[i].sweep + dr;
      if (momentum == 0) continue;
      apply<C>(c, dr, problem.bodies[c.a], problem.bodies[c.b]);
      c.r += dr;
      if (c.viscous >= 0) viscous_[c.viscous].p += dr;
    }
  }

  void switch_momentum() {
    with_momentum_ = !with_momentum_;
    since_restart_ = 0;
    for (Change<C>& change : changes_) change.total.setZero();
  }

  bool is_accepted(const VelocityNlgsOptions& options, VelocityProblem<Dim>& problem, double& residual) {
    for (std::size_t i = 0; i < records_.size(); ++i) store(records_[i], problem.contacts[i]);
    residual = residual_of<Dim, C>(problem).rms;
    if (!options.margins) return residual <= options.tolerance;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const Record<C>& c = records_[i];
      const Vector u =
          velocity<C>(problem.bodies[c.a], problem.bodies[c.b], c) + c.shift + c.compliance.cwiseProduct(c.r);
      if (!is_within<C>(*options.margins, c.r, u, problem.contacts[i].mu)) return false;
    }
    return true;
  }

  // The true residual costs half a sweep: it is evaluated when the change of a sweep, corrected by the ratio
  // seen at the last evaluation, promises success, and now and then to learn that ratio.
  void iterate(const VelocityNlgsOptions& options, VelocityProblem<Dim>& problem, VelocityReport& report) {
    report.status = SolveStatus::converged;
    if (records_.empty()) return;
    double ratio = 1, residual = std::numeric_limits<double>::infinity();
    std::int64_t next = 1;
    for (std::int64_t k = 1;; ++k) {
      if (k > 1) extrapolate(problem);
      const double change = sweep(problem);
      report.sweeps = k;
      report.contact_updates += static_cast<std::int64_t>(records_.size());
      const bool last = k >= options.max_sweeps || !std::isfinite(change);
      if (k >= next || last ||
          (!options.margins && ratio * change <= options.tolerance && 8 * (k - checked_) >= k)) {
        checked_ = k;
        const double before = residual;
        if (is_accepted(options, problem, residual)) break;
        if (k >= next && residual > 0.5 * before && k > kTrial) switch_momentum();
        if (change > 0) ratio = std::max(1e-3, residual / change);
        next = 2 * k;
        if (last || change == 0) {
          report.status = change == 0 ? SolveStatus::stalled : SolveStatus::max_iterations;
          break;
        }
      }
    }
    checked_ = 0;
  }

  std::vector<Record<C>> records_;
  std::vector<ViscousPart<C>> viscous_;
  std::vector<Change<C>> changes_;
  static constexpr std::int64_t kTrial = 64;  // sweeps before momentum is judged
  int since_restart_ = 0;
  bool with_momentum_ = true;
  std::int64_t checked_ = 0;
  int unsolved_ = 0;
};

template <int Dim>
using PlainCone = std::conditional_t<Dim == 2, Coulomb2, Coulomb3>;
template <int Dim>
using RollingCone = std::conditional_t<Dim == 2, Rolling2, Rolling3>;

}  // namespace

template <int Dim>
VelocityResidual compute_residual(const VelocityProblem<Dim>& problem) {
  return problem.rolling ? residual_of<Dim, RollingCone<Dim>>(problem)
                         : residual_of<Dim, PlainCone<Dim>>(problem);
}

template <int Dim>
struct VelocityNlgs<Dim>::Workspace {
  Sweeper<PlainCone<Dim>> plain;
  Sweeper<RollingCone<Dim>> rolling;
};

template <int Dim>
VelocityNlgs<Dim>::VelocityNlgs() : workspace_(std::make_unique<Workspace>()) {}
template <int Dim>
VelocityNlgs<Dim>::~VelocityNlgs() = default;
template <int Dim>
VelocityNlgs<Dim>::VelocityNlgs(VelocityNlgs&&) noexcept = default;
template <int Dim>
VelocityNlgs<Dim>& VelocityNlgs<Dim>::operator=(VelocityNlgs&&) noexcept = default;

template <int Dim>
VelocityReport VelocityNlgs<Dim>::solve(const VelocityNlgsOptions& options, VelocityProblem<Dim>& problem) {
  return problem.rolling ? workspace_->rolling.solve(options, problem)
                         : workspace_->plain.solve(options, problem);
}

template VelocityResidual compute_residual<2>(const VelocityProblem<2>&);
template VelocityResidual compute_residual<3>(const VelocityProblem<3>&);
template class VelocityNlgs<2>;
template class VelocityNlgs<3>;

}  // namespace saltus
