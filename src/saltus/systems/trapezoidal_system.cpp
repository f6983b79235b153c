#include "saltus/systems/trapezoidal_system.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"
#include "saltus/systems/smooth_form.hpp"

namespace saltus {

TrapezoidalSystem::TrapezoidalSystem(std::shared_ptr<const LagrangianModel> model, Eigen::VectorXd q,
                                     Eigen::VectorXd v, double tolerance, std::string where)
    : model_(std::move(model)),
      tolerance_(tolerance),
      where_(std::move(where)),
      q_(std::move(q)),
      v_(std::move(v)) {
  const Eigen::Index n = model_->size();
  if (n < 1 || q_.size() != n || v_.size() != n)
    throw InputError(where_, "number of coordinates or velocities at the start",
                     fmt::format("{} and {}", q_.size(), v_.size()), fmt::format("{}, as names", n));
  for (Eigen::VectorXd* x :
       {&moved_, &q0_, &v0_, &force0_, &force_, &place_, &end_, &residual_, &free_, &impulse_})
    x->setZero(n);
  for (Eigen::MatrixXd* m : {&mass_, &by_q_, &by_v_, &tangent_, &inverse_}) m->setZero(n, n);
  model_->fill_mass(q_, mass_);
  if (!mass_.allFinite() || !(mass_.diagonal().minCoeff() > 0))
    throw InputError(where_, "the mass matrix at the start is not finite, or a coordinate has no mass");
}

void TrapezoidalSystem::evaluate() {
  const double h = weights_.h, theta = weights_.force;
  model_->fill_mass(place_, mass_);
  model_->fill_force(time_ + h, place_, end_, force_);
  residual_ = mass_ * (end_ - v0_) - h * ((1 - theta) * force0_ + theta * force_);
}

void TrapezoidalSystem::linearise() {
  model_->fill_force_slopes(time_ + weights_.h, place_, end_, by_q_, by_v_);
  tangent_ = mass_ - weights_.damping * by_v_ - weights_.stiffness * by_q_;
  lu_.compute(tangent_);
  lu_.fill_inverse(inverse_);
  free_ = end_ - inverse_ * residual_;
  if (!free_.allFinite())
    trouble_ = fmt::format(
        "{}: a formula of the system is not finite, or its mass is singular, at t = {:.6g} s", where_, time_);
}

void TrapezoidalSystem::predict(const StepWeights& weights, double t, std::span<const double>) {
  weights_ = weights;
  time_ = t;
  trouble_.clear();
  q0_ = q_;
  v0_ = end_ = v_;
  model_->fill_force(t, q0_, v0_, force0_);
  place_ = q0_ + weights.h * v0_;
  evaluate();
  linearise();
}

Eigen::MatrixXd TrapezoidalSystem::inverse_between(std::span<const int> dofs) {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  Eigen::MatrixXd inverse(count, count);
  for (Eigen::Index j = 0; j < count; ++j)
    for (Eigen::Index i = 0; i < count; ++i) inverse(i, j) = inverse_(dofs[i], dofs[j]);
  return inverse;
}

double TrapezoidalSystem::relinearise(const Eigen::VectorXd& impulse) {
  if (!trouble_.empty()) return 0;
  end_ = free_ + inverse_ * impulse;
  place_ = q0_ + weights_.position_end * end_ + weights_.position_start * v0_;
  evaluate();
  if ((residual_ - impulse).norm() <= tolerance_) return 0;
  linearise();
  return 1;
}

void TrapezoidalSystem::correct(const Eigen::VectorXd& impulse) {
  impulse_ = impulse;
  moved_.setZero();
  if (!trouble_.empty()) return;
  v_ = free_ + inverse_ * impulse;
  q_ = q0_ + weights_.position_end * v_ + weights_.position_start * v0_;
}

void TrapezoidalSystem::solve_metric(bool by_mass, Eigen::VectorXd& x) {
  if (!by_mass) return;
  model_->fill_mass(q_, tangent_);
  lu_.compute(tangent_);
  lu_.solve(x, x);
}

// With v_m the mean velocity, of which q_1 - q is h times: v_m . M(q_1)(v_1 - v) is the change of the kinetic energy less
// v . (M(q_1) - M(q)) v / 2, and more (theta - 1/2)|v_1 - v|^2 in M(q_1). The first is what centrifugal and Coriolis terms of F
// work against: counted with F, so that `forces` is what other forces did.
SystemEnergy TrapezoidalSystem::audit() const {
  SystemEnergy energy;
  if (!trouble_.empty() || !(weights_.h > 0)) return energy;
  const double theta = weights_.force;
  Eigen::MatrixXd mass = mass_;
  model_->fill_mass(q0_, mass);
  const double start = 0.5 * v0_.dot(mass * v0_);
  const Eigen::VectorXd force = (1 - theta) * force0_ + theta * force_, change = v_ - v0_;
  energy.kinetic = 0.5 * v_.dot(mass_ * v_);
  energy.forces = force.dot(q_ - q0_) + 0.5 * v0_.dot(mass_ * v0_) - start;
  energy.scheme = (0.5 - weights_.position_end / weights_.h) * change.dot(mass_ * change);
  if (!moved_.isZero(0)) {
    model_->fill_mass(q_, mass);
    const double moved = 0.5 * v_.dot(mass * v_) - energy.kinetic;
    energy.kinetic += moved;
    energy.projection = moved - force.dot(moved_);
  }
  energy.kinetic_change = energy.kinetic - start;
  energy.momentum_defect = (residual_ - impulse_).norm();
  energy.momentum_scale =
      (mass_ * v0_).norm() + (mass_ * v_).norm() + weights_.h * force.norm() + impulse_.norm();
  return energy;
}

std::unique_ptr<SmoothForm> TrapezoidalSystem::smooth_form() const { return nullptr; }

}  // namespace saltus
