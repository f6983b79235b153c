#include "saltus/systems/explicit_solid.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/face_load.hpp"
#include "saltus/math/sparse_ops.hpp"
#include "saltus/systems/smooth_form.hpp"

namespace saltus {

template <int Dim>
ExplicitSolid<Dim>::ExplicitSolid(SolidModel<Dim> model, std::shared_ptr<Continuum<Dim>> elements,
                                  LinearModel linear, Options options)
    : model_(std::move(model)),
      elements_(std::move(elements)),
      linear_(std::move(linear)),
      options_(options) {
  check_model(linear_);
  q_ = linear_.q;
  v_ = linear_.v;
  mass_ = inertia_ = linear_.M.diagonal();
  is_driven_.assign(q_.size(), 0);
  for (const auto& [dof, drive] : linear_.driven) is_driven_[dof] = !drive.is_free();
  displacement_ = moved_ = Eigen::VectorXd::Zero(q_.size());
  if (!elements_->evaluate(q_, 0, {})) throw InputError(model_.where, elements_->trouble());
  elements_->accept();
  stored_ = elements_->stored();
  look_at_step(options_.h);
  if (options_.h > critical_)
    throw InputError(model_.where, "h above the critical step of an explicit scheme",
                     fmt::format("{:.6g} s", options_.h),
                     fmt::format("{:.6g} s or less, or scheme.kind = \"moreau-jean\"", critical_));
}

// Masses, if they are ours to choose, and the step that they allow. C acts on the velocity of the start of the step, which costs
// stability: h^2 omega^2/4 + h c/2 <= 1 of every mode, c = damping_mass + damping_stiffness omega^2.
template <int Dim>
void ExplicitSolid<Dim>::look_at_step(double h) {
  looked_ = 0;
  if (options_.fictitious) {
    const Eigen::VectorXd stable = elements_->stable_mass(q_, h / kSafety);
    critical_ = stable.size() > 0 ? h / kSafety : 0;
    if (stable.size() > 0) inertia_ = stable;
    scaled_for_ = h;
  } else {
    critical_ = elements_->critical_step(q_, 0.5 * h);
  }
  const double a = model_.damping_mass, b = model_.damping_stiffness;
  if (!(critical_ > 0) || (a == 0 && b == 0) || std::isinf(critical_)) return;
  const double omega = 2 / critical_, damped = 0.5 * (a / omega + b * omega);
  critical_ *= std::sqrt(1 + damped * damped) - damped;
}

template <int Dim>
std::string ExplicitSolid<Dim>::describe(const std::string& what) const {
  return fmt::format("deformable body{}: {}, at t = {:.6g} s",
                     model_.name.empty() ? "" : " \"" + model_.name + '"', what, time_);
}

template <int Dim>
void ExplicitSolid<Dim>::fill_loads(double t, std::span<const double> gravity) {
  const double h = weights_.h, end = weights_.force;
  applied_.setZero(q_.size());
  for (const SharedForce& force : linear_.shared) {
    const double value = h * (end * force.value.at(t + h) + (1 - end) * force.value.at(t));
    for (const auto& [dof, share] : force.shares) applied_[dof] += share * value;
  }
  for (const auto& pressure : model_.pressures)
    add_pressure<Dim>(*model_.mesh, pressure.sides, {model_.options.plane, model_.options.thickness},
                      h * pressure.value.at(t + end * h), middle_, applied_);
  gravity_load_.setZero(q_.size());
  for (Eigen::Index i = 0; i < q_.size(); ++i)
    if (const int direction = linear_.direction[i]; direction >= 0)
      gravity_load_[i] = mass_[i] * gravity[direction];
  weight_ = h * gravity_load_;
  drag_.setZero(q_.size());
  add_product(-h, linear_.C, v0_, drag_);
  if (options_.fictitious && model_.damping_mass > 0)
    drag_.array() -= h * model_.damping_mass * (inertia_ - mass_).array() * v0_.array();
}

template <int Dim>
void ExplicitSolid<Dim>::drive(double t) {
  const double theta = weights_.h > 0 ? weights_.position_end / weights_.h : 1.0;
  for (const auto& [dof, drive] : linear_.driven) {
    if (drive.is_free()) continue;
    const DrivenStep step = compute_driven_step(drive, v0_[dof], t, t + weights_.h, theta);
    free_[dof] = step.velocity;
    displacement_[dof] = step.displacement;
  }
}

template <int Dim>
void ExplicitSolid<Dim>::predict(const StepWeights& weights, double t, std::span<const double> gravity) {
  constexpr int kEvery = 100;  // steps: elements stiffen slowly beside them
  weights_ = weights;
  time_ = t;
  trouble_.clear();
  q0_ = q_;
  v0_ = v_;
  free_ = v_;
  impulse_.setZero(q_.size());
  const bool is_rescaled = options_.fictitious && scaled_for_ != weights_.h;
  if (is_rescaled || (++looked_ >= kEvery && !elements_->is_linear())) look_at_step(weights_.h);
  if (weights_.h > critical_) {
    trouble_ = describe(fmt::format(
        "h = {:.6g} s is above the critical step of the body as it is now, {:.6g} s", weights_.h, critical_));
    return;
  }
  middle_ = q0_ + weights_.advance * v0_;
  if (!middle_.allFinite()) {
    trouble_ = describe("displacements that are not finite: a smaller h may help");
    return;
  }
  if (!elements_->evaluate(middle_, behind_ + weights_.advance, {})) {
    trouble_ = describe(elements_->trouble() + ": a smaller h may help");
    return;
  }
  fill_loads(t, gravity);
  internal_ = -weights_.h * elements_->force();
  loads_ = applied_ + weight_ + drag_ + internal_;
  for (Eigen::Index i = 0; i < q_.size(); ++i)
    if (!is_driven_[i]) free_[i] += loads_[i] / inertia_[i];
  drive(t);
}

template <int Dim>
Eigen::MatrixXd ExplicitSolid<Dim>::inverse_between(std::span<const int> dofs) {
  Eigen::MatrixXd inverse;
  fill_inverse(dofs, inverse);
  return inverse;
}

template <int Dim>
void ExplicitSolid<Dim>::fill_inverse(std::span<const int> dofs, Eigen::MatrixXd& inverse) {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  inverse.setZero(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    if (!is_driven_[dofs[i]]) inverse(i, i) = 1 / inertia_[dofs[i]];
}

template <int Dim>
void ExplicitSolid<Dim>::correct(const Eigen::VectorXd& impulse) {
  impulse_ = impulse;
  moved_.setZero(q_.size());
  if (!trouble_.empty()) {
    q_ = q0_;
    v_ = v0_;
    return;
  }
  v_ = free_;
  for (Eigen::Index i = 0; i < q_.size(); ++i)
    if (!is_driven_[i]) v_[i] += impulse[i] / inertia_[i];
  q_ = q0_ + weights_.position_end * v_ + weights_.position_start * v0_;
  for (const auto& [dof, drive] : linear_.driven)
    if (!drive.is_free()) q_[dof] = q0_[dof] + displacement_[dof];
  hardening_ = elements_->stored_by_hardening();
  plastic_ = elements_->plastic_dissipation();
  viscous_ = elements_->viscous_dissipation();
  start_stored_ = stored_;
  stored_ = step_stored_ = elements_->stored() + elements_->force().dot(q_ - middle_);
  behind_ = weights_.h - weights_.advance;
  elements_->accept();
}

template <int Dim>
void ExplicitSolid<Dim>::solve_metric(bool by_mass, Eigen::VectorXd& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i)
    x[i] = is_driven_[i] ? 0.0 : by_mass ? x[i] / inertia_[i] : x[i];
}

template <int Dim>
void ExplicitSolid<Dim>::displace(const Eigen::VectorXd& d) {
  q_ += d;
  moved_ += d;
  stored_ += elements_->force().dot(d);
}

template <int Dim>
SystemEnergy ExplicitSolid<Dim>::audit() const {
  SystemEnergy energy;
  const double h = weights_.h;
  if (!trouble_.empty() || !(h > 0)) return energy;
  const Eigen::VectorXd path = (q_ - moved_ - q0_) / h, momentum = inertia_.cwiseProduct(v_ - v0_);
  energy.kinetic = 0.5 * inertia_.dot(v_.cwiseAbs2());
  energy.kinetic_change = energy.kinetic - 0.5 * inertia_.dot(v0_.cwiseAbs2());
  energy.stored = stored_;
  energy.potential = -gravity_load_.dot(q_);
  energy.elastic = start_stored_ - step_stored_;
  energy.gravity = weight_.dot(path);
  energy.forces = applied_.dot(path);
  energy.damping = drag_.dot(path);
  energy.hardening = hardening_;
  energy.plastic = -plastic_;
  energy.viscous = -viscous_;
  const Eigen::VectorXd held = momentum - loads_ - impulse_;
  double defect = 0, inertia = 0;
  for (Eigen::Index i = 0; i < held.size(); ++i) {
    if (is_driven_[i]) {
      energy.drives += held[i] * path[i];
      continue;
    }
    defect += held[i] * held[i];
    inertia += momentum[i] * momentum[i];
  }
  energy.inertia = std::sqrt(inertia) / h;
  energy.internal = internal_.norm() / h;
  energy.outer = (applied_ + weight_ + impulse_).norm() / h;
  energy.scheme = energy.kinetic_change - momentum.dot(path) + internal_.dot(path) -
                  (energy.elastic + energy.plastic + energy.viscous);
  energy.momentum_defect = std::sqrt(defect);
  energy.momentum_scale =
      momentum.norm() + loads_.norm() + impulse_.norm() + inertia_.cwiseProduct(v0_).norm();
  if (!moved_.isZero(0)) {
    const double spring = internal_.dot(moved_) / h, weight = gravity_load_.dot(moved_),
                 force = applied_.dot(moved_) / h;
    energy.elastic += spring, energy.gravity += weight, energy.forces += force;
    energy.projection = -spring - weight - force;
  }
  return energy;
}

template <int Dim>
Eigen::VectorXd ExplicitSolid<Dim>::support_force() const {
  if (!trouble_.empty() || !(weights_.h > 0) || loads_.size() == 0) return {};
  Eigen::VectorXd force = (inertia_.cwiseProduct(v_ - v0_) - loads_ - impulse_) / weights_.h;
  for (Eigen::Index i = 0; i < force.size(); ++i)
    if (!is_driven_[i]) force[i] = 0;
  return force;
}

template <int Dim>
std::vector<double> ExplicitSolid<Dim>::memory() const {
  const std::span<const double> internal = elements_->internal_state();
  std::vector<double> values(internal.begin(), internal.end());
  values.insert(values.end(), inertia_.begin(), inertia_.end());
  for (const double x : {critical_, behind_, stored_, static_cast<double>(looked_), scaled_for_})
    values.push_back(x);
  return values;
}

template <int Dim>
void ExplicitSolid<Dim>::set_memory(std::span<const double> values) {
  const std::size_t internal = elements_->internal_state().size(), dofs = inertia_.size();
  elements_->set_internal_state(values.subspan(0, internal));
  for (std::size_t i = 0; i < dofs; ++i) inertia_[static_cast<Eigen::Index>(i)] = values[internal + i];
  const std::span<const double> rest = values.subspan(internal + dofs);
  critical_ = rest[0], behind_ = rest[1], stored_ = rest[2], looked_ = static_cast<int>(rest[3]),
  scaled_for_ = rest[4];
}

template class ExplicitSolid<2>;
template class ExplicitSolid<3>;

}  // namespace saltus
