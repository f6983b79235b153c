#include "saltus/systems/solid_system.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/face_load.hpp"
#include "saltus/math/sparse_ops.hpp"
#include "saltus/systems/solid_smooth_form.hpp"

namespace saltus {

template <int Dim>
SolidSystem<Dim>::SolidSystem(SolidModel<Dim> model, std::shared_ptr<Continuum<Dim>> continuum)
    : SolidSystem(model, continuum, build_linear_model(model, *continuum)) {}

template <int Dim>
SolidSystem<Dim>::SolidSystem(SolidModel<Dim> model, std::shared_ptr<InternalForces> elements,
                              LinearModel linear)
    : model_(std::move(model)), continuum_(std::move(elements)), linear_(std::move(linear)) {
  check_model(linear_);
  q_ = linear_.q;
  v_ = linear_.v;
  is_driven_.assign(q_.size(), 0);
  for (const auto& [dof, drive] : linear_.driven) is_driven_[dof] = !drive.is_free();
  displacement_ = pressure_ = Eigen::VectorXd::Zero(q_.size());
  operator_ = std::make_unique<StepOperator>(linear_, continuum_->tangent(), is_driven_);
  if (!continuum_->evaluate(q_, 0, {})) throw InputError(model_.where, continuum_->trouble());
  continuum_->accept();
  continuum_->name_accepted(q_);
  force0_ = continuum_->force();
  stored_ = continuum_->stored();
}

template <int Dim>
std::unique_ptr<SmoothForm> SolidSystem<Dim>::smooth_form() const {
  return std::make_unique<SolidSmoothForm<Dim>>(model_, linear_, continuum_);
}

template <int Dim>
std::string SolidSystem<Dim>::describe(const std::string& what) const {
  return fmt::format("deformable body{}: {}, at t = {:.6g} s",
                     model_.name.empty() ? "" : " \"" + model_.name + '"', what, time_);
}

template <int Dim>
double SolidSystem<Dim>::weigh() const {
  return weights_.position_end > 0 ? weights_.stiffness / weights_.position_end : 0.0;
}

template <int Dim>
void SolidSystem<Dim>::fill_loads(double t, std::span<const double> gravity) {
  applied_.setZero(q_.size());
  const auto mean = [&](const TimeFunction& f) {
    return weights_.h * (weights_.force * f.at(t + weights_.h) + (1 - weights_.force) * f.at(t));
  };
  for (const SharedForce& force : linear_.shared) {
    const double value = mean(force.value);
    for (const auto& [dof, share] : force.shares) applied_[dof] += share * value;
  }
  work_.setZero(q_.size());
  for (Eigen::Index i = 0; i < q_.size(); ++i)
    if (const int direction = linear_.direction[i]; direction >= 0) work_[i] = gravity[direction];
  gravity_load_.setZero(q_.size());
  add_product(1, linear_.M, work_, gravity_load_);
  weight_ = weights_.h * gravity_load_;
}

template <int Dim>
void SolidSystem<Dim>::drive(double t) {
  const double theta = weights_.h > 0 ? weights_.position_end / weights_.h : 1.0;
  for (const auto& [dof, drive] : linear_.driven) {
    if (drive.is_free()) continue;
    const DrivenStep step = compute_driven_step(drive, v_[dof], t, t + weights_.h, theta);
    free_[dof] = step.velocity;
    displacement_[dof] = step.displacement;
  }
}

// Where the surface is at the end of the step; its mean over the step is of the order of the scheme.
template <int Dim>
void SolidSystem<Dim>::add_pressures(double t, bool with_tangent) {
  pressure_.setZero();
  pressure_slope_.clear();
  for (const auto& pressure : model_.pressures)
    add_pressure<Dim>(*model_.mesh, pressure.sides, {model_.options.plane, model_.options.thickness},
                      weights_.h * pressure.value.at(t + weights_.force * weights_.h), q1_, pressure_,
                      with_tangent ? &pressure_slope_ : nullptr);
  for (Eigen::Triplet<double>& entry : pressure_slope_)
    entry = {entry.row(), entry.col(), -weights_.position_end * entry.value()};
}

template <int Dim>
bool SolidSystem<Dim>::add_newton_step(Eigen::VectorXd& v1) {
  right_ = -right_;
  if (!pressure_slope_.empty() &&
      operator_->factorise(weights_.mass, weights_.damping, weights_.stiffness, continuum_->tangent(),
                           pressure_slope_, pressed_factor_)) {
    operator_->add_solution(pressed_factor_, right_, v1);
    return true;
  }
  if (!factorise(weights_.mass, weights_.stiffness, newton_factor_)) return false;
  operator_->add_solution(newton_factor_, right_, v1);
  return true;
}

template <int Dim>
bool SolidSystem<Dim>::evaluate(const Eigen::VectorXd& v1, bool with_tangent) {
  q1_ = q0_ + weights_.position_end * v1 + weights_.position_start * v0_;
  for (const auto& [dof, drive] : linear_.driven)
    if (!drive.is_free()) q1_[dof] = q0_[dof] + displacement_[dof];
  if (!q1_.allFinite()) {
    trouble_ = describe("displacements that are not finite");
    return false;
  }
  if (!continuum_->evaluate(q1_, weights_.h, {.tangent = with_tangent})) {
    trouble_ = describe(continuum_->trouble() + ": a smaller h may help");
    return false;
  }
  change_ = v1 - v0_;
  momentum_.setZero(q_.size());
  add_product(weights_.mass, linear_.M, change_, momentum_);
  drag_.setZero(q_.size());
  add_product(-weights_.h, linear_.C, v0_, drag_);
  add_product(-weights_.damping, linear_.C, change_, drag_);
  const double w = weigh();
  internal_ = (w - weights_.h) * force0_ - w * continuum_->force();
  if (!model_.pressures.empty()) add_pressures(time_, with_tangent);
  residual_ = momentum_ - drag_ - internal_ - loads_ - pressure_;
  return true;
}

// A kept matrix may lead far off where the body flows: then once more, with the tangent.
template <int Dim>
bool SolidSystem<Dim>::solve(const Eigen::VectorXd& impulse, Eigen::VectorXd& v1) {
  guess_ = v1;
  if (iterate(impulse, model_.newton, v1)) return true;
  if (model_.newton == NewtonMatrix::tangent) return false;
  trouble_.clear();
  v1 = guess_;
  return iterate(impulse, NewtonMatrix::tangent, v1);
}

template <int Dim>
bool SolidSystem<Dim>::iterate(const Eigen::VectorXd& impulse, NewtonMatrix matrix, Eigen::VectorXd& v1) {
  constexpr int kMost = 60;
  // Of the forces that balance: what round-off leaves of them, and what it may leave where it stops gaining. A turn that
  // leaves more than kSlow of the residual is not worth its matrix.
  constexpr double kConverged = 1e-13, kEnough = 1e-9, kSlow = 0.3;
  const DefiniteFactor& factor = matrix == NewtonMatrix::mass && has_mass_factor_ ? mass_factor_ : factor_;
  double last = std::numeric_limits<double>::infinity();
  bool is_slow = matrix == NewtonMatrix::tangent;
  for (int turn = 0; turn < kMost; ++turn, ++newton_turns_) {
    if (!evaluate(v1, is_slow)) return false;
    right_ = residual_ - impulse;
    double error = 0, scale = 0;
    // Supports count in the scale: without loads and inertia all forces but theirs vanish in equilibrium.
    for (int dof = 0; dof < right_.size(); ++dof) {
      if (!is_driven_[dof]) error += right_[dof] * right_[dof];
      const double size = std::abs(momentum_[dof]) + std::abs(internal_[dof]) + std::abs(loads_[dof]) +
                          std::abs(impulse[dof]) + std::abs(pressure_[dof]);
      scale += size * size;
    }
    error = std::sqrt(error), scale = std::max(std::sqrt(scale), held_);
    if (!std::isfinite(error)) break;
    if (error <= kConverged * scale ||
        (error >= kSlow * last && error <= std::max(kEnough * scale, round_off_)))
      return true;
    if (is_slow) {
      if (!add_newton_step(v1)) break;
    } else {
      is_slow = matrix == NewtonMatrix::kept && error > kSlow * last;
      right_ = -right_;
      operator_->add_solution(factor, right_, v1);
    }
    last = error;
  }
  trouble_ = describe("the step has no equilibrium that Newton's method finds: a smaller h may have one");
  return false;
}

template <int Dim>
void SolidSystem<Dim>::predict(const StepWeights& weights, double t, std::span<const double> gravity) {
  weights_ = weights;
  time_ = t;
  trouble_.clear();
  is_relinearised_ = is_guess_ = false;
  newton_turns_ = contact_turns_ = 0;
  q0_ = q_;
  v0_ = v_;
  free_ = v_;
  fill_loads(t, gravity);
  drive(t);
  loads_ = applied_ + weight_;
  impulse_.setZero(q_.size());
  // The matrix of the step is that of its start: where the body would be if it went on.
  if (!evaluate(free_, true)) {
    trouble_.clear();
    bool stands = false;
    if (weights_.mass > 0) {
      stands = continuum_->evaluate(q0_, weights_.h, {.tangent = true});
    } else {
      free_.setZero();
      drive(t);
      stands = evaluate(free_, true);
    }
    if (!stands) {
      trouble_ = describe(continuum_->trouble());
      return;
    }
  }
  held_ = weights_.mass > 0 ? 0.0 : weights_.h * force0_.norm();
  round_off_ = weigh() * continuum_->round_off();
  if (model_.newton == NewtonMatrix::mass && !has_mass_factor_)
    has_mass_factor_ = factorise(1, 0, mass_factor_);
  if (!factorise(weights_.mass, weights_.stiffness, factor_) &&
      !(weights_.mass > 0 && factorise_held(impulse_, factor_)) && !factorise(weights_.mass, 0, factor_)) {
    trouble_ =
        describe(weights_.mass > 0
                     ? "its matrix is not positive definite: nodes without mass, or parts that nothing holds"
                     : "its matrix is not positive definite: parts that nothing holds, or pressed so hard "
                       "that only its contacts keep it from buckling; "
                       "the scheme moreau-jean has inertia to hold it");
    return;
  }
  if (weights_.mass > 0) {
    end_ = free_;
    if (solve(impulse_, free_)) return;
    trouble_.clear();
    is_guess_ = true;
    free_ = end_;
    evaluate(free_, false);
  }
  base_ = free_;
  last_left_ = std::numeric_limits<double>::infinity();
  // A body that contacts hold would go back to its shape without stress, far from where they will hold it: without inertia always,
  // with it where no such motion is found. The step begins where the body is; `relinearise` finds its end, with the forces of the
  // contacts.
  right_ = -residual_;
  operator_->add_solution(factor_, right_, free_);
}

template <int Dim>
bool SolidSystem<Dim>::linearise(const Eigen::VectorXd& v1, const Eigen::VectorXd& impulse) {
  if (!evaluate(v1, true)) return false;
  if (factorise(weights_.mass, weights_.stiffness, newton_factor_) || factorise_held(impulse, newton_factor_))
    std::swap(factor_, newton_factor_);
  free_ = v1;
  right_ = -residual_;
  operator_->add_solution(factor_, right_, free_);
  return true;
}

template <int Dim>
bool SolidSystem<Dim>::factorise(double mass, double stiffness, DefiniteFactor& factor) {
  return operator_->factorise(mass, weights_.damping, stiffness, continuum_->tangent(), factor);
}

template <int Dim>
bool SolidSystem<Dim>::factorise_held(const Eigen::VectorXd& impulse, DefiniteFactor& factor) {
  return operator_->factorise_held(weights_.mass, weights_.damping, weights_.stiffness, continuum_->tangent(),
                                   impulse, model_.mesh ? Dim : 1, factor);
}

template <int Dim>
Eigen::MatrixXd SolidSystem<Dim>::inverse_between(std::span<const int> dofs) {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  if (!trouble_.empty()) return Eigen::MatrixXd::Zero(count, count);
  return operator_->inverse_between(factor_, dofs);
}

template <int Dim>
double SolidSystem<Dim>::relinearise(const Eigen::VectorXd& impulse) {
  constexpr int kPatience = 4;         // turns with the kept matrix
  constexpr double kRoundOff = 1e-11;  // of momentum
  if (!trouble_.empty() || (impulse.isZero(0) && weights_.mass > 0 && !is_guess_)) return 0;
  end_ = free_;
  operator_->add_solution(factor_, impulse, end_);
  expected_ = end_;
  if (is_guess_ || !solve(impulse, end_)) return turn_with_blocks(impulse);
  correction_ = end_ - expected_;
  work_.setZero(q_.size());
  if (weights_.mass > 0)
    add_product(1, linear_.M, correction_, work_);
  else
    operator_->add_product(correction_, work_);
  const double size = momentum_.norm() + impulse.norm() + loads_.norm() + held_;
  const double left = size > 0 ? work_.norm() / size : 0.0;
  if (left <= kRoundOff || (weights_.mass == 0 && work_.norm() <= round_off_)) return 0;
  free_ += correction_;
  is_relinearised_ = model_.newton == NewtonMatrix::tangent ||
                     (model_.newton == NewtonMatrix::kept && ++contact_turns_ > kPatience);
  if (is_relinearised_ && evaluate(end_, true) &&
      (factorise(weights_.mass, weights_.stiffness, newton_factor_) ||
       factorise_held(impulse, newton_factor_))) {
    std::swap(factor_, newton_factor_);
    free_ = end_;
    right_ = -impulse;
    operator_->add_solution(factor_, right_, free_);
  }
  return left;
}

template <int Dim>
double SolidSystem<Dim>::turn_with_blocks(const Eigen::VectorXd& impulse) {
  constexpr int kMost = 12;
  constexpr double kRoundOff = 1e-11, kNear = 1e-4;  // of momentum
  constexpr double kSlow = 0.7;
  is_relinearised_ = true;
  if (!is_guess_) {  // begins where the body is, not at a motion without blocks that may be far off
    is_guess_ = true;
    trouble_.clear();
    free_ = v0_;
    drive(time_);
    end_ = free_;
    linearise(end_, impulse);
    base_ = end_;
    last_left_ = std::numeric_limits<double>::infinity();
    return 1;
  }
  if (!linearise(expected_, impulse)) return 0;
  work_ = residual_ - impulse;
  for (Eigen::Index i = 0; i < work_.size(); ++i)
    if (is_driven_[i]) work_[i] = 0;
  const double size = momentum_.norm() + impulse.norm() + loads_.norm() + held_;
  const double left = size > 0 ? work_.norm() / size : 0.0;
  if (left <= kRoundOff || work_.norm() <= round_off_) return 0;
  // Contacts or the flow of the material go to and fro between two states: between the two motions.
  if (left > kSlow * last_left_) {
    expected_ = 0.5 * (expected_ + base_);
    if (!linearise(expected_, impulse)) return 0;
  }
  last_left_ = left;
  base_ = expected_;
  if (++contact_turns_ > kMost && !(left <= kNear)) {
    trouble_ = describe(
        "the step has no equilibrium with its contacts that Newton's method finds: a smaller h may have "
        "one");
    return 0;
  }
  return left;
}

template <int Dim>
void SolidSystem<Dim>::correct(const Eigen::VectorXd& impulse) {
  impulse_ = impulse;
  moved_.setZero(q_.size());
  if (trouble_.empty()) {
    v_ = free_;
    operator_->add_solution(factor_, impulse, v_);
    if (solve(impulse, v_)) {
      q_ = q1_;
      start_stored_ = stored_;
      stored_ = step_stored_ = continuum_->stored();
      hardening_ = continuum_->stored_by_hardening();
      plastic_ = continuum_->plastic_dissipation();
      viscous_ = continuum_->viscous_dissipation();
      force0_ = continuum_->force();
      continuum_->accept();
      continuum_->name_accepted(q_);
      return;
    }
  }
  v_ = v0_;
  q_ = q0_;
}

template <int Dim>
void SolidSystem<Dim>::solve_metric(bool by_mass, Eigen::VectorXd& x) {
  if (by_mass) {
    right_ = x;
    x.setZero();
    operator_->add_solution(factor_, right_, x);
  }
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (is_driven_[i]) x[i] = 0;
}

template <int Dim>
void SolidSystem<Dim>::displace(const Eigen::VectorXd& d) {
  q_ += d;
  moved_ += d;
  if (!continuum_->evaluate(q_, 0, {})) return;  // the next step tells
  continuum_->accept();
  continuum_->name_accepted(q_);
  force0_ = continuum_->force();
  stored_ = continuum_->stored();
}

template <int Dim>
std::vector<double> SolidSystem<Dim>::memory() const {
  const std::span<const double> internal = continuum_->internal_state();
  std::vector<double> values(internal.begin(), internal.end());
  values.insert(values.end(), force0_.begin(), force0_.end());
  values.push_back(stored_);
  return values;
}

template <int Dim>
void SolidSystem<Dim>::set_memory(std::span<const double> values) {
  const std::size_t internal = continuum_->internal_state().size();
  continuum_->set_internal_state(values.subspan(0, internal));
  for (Eigen::Index i = 0; i < force0_.size(); ++i) force0_[i] = values[internal + i];
  stored_ = values.back();
}

template class SolidSystem<2>;
template class SolidSystem<3>;

}  // namespace saltus
