// What a step of a SolidSystem did: energies, and forces at supports.
#include <cmath>

#include "saltus/math/sparse_ops.hpp"
#include "saltus/systems/solid_system.hpp"

namespace saltus {

template <int Dim>
SystemEnergy SolidSystem<Dim>::audit() const {
  SystemEnergy energy;
  const double h = weights_.h;
  if (!trouble_.empty() || !(h > 0)) return energy;
  const Eigen::VectorXd path = q1_ - q0_;  // h times the velocity that displaces
  energy.kinetic = weights_.mass * half_square(linear_.M, v_);
  energy.kinetic_change = energy.kinetic - weights_.mass * half_square(linear_.M, v0_);
  energy.stored = stored_;
  energy.potential = -gravity_load_.dot(q_);
  energy.elastic = start_stored_ - step_stored_;
  energy.gravity = weight_.dot(path) / h;
  energy.forces = (applied_ + pressure_).dot(path) / h;
  energy.damping = drag_.dot(path) / h;
  energy.hardening = hardening_;
  energy.plastic = -plastic_;
  energy.viscous = -viscous_;
  double defect = 0, inertia = 0;
  const Eigen::VectorXd held = residual_ - impulse_;
  for (Eigen::Index i = 0; i < held.size(); ++i) {
    if (is_driven_[i]) {
      energy.drives += held[i] * path[i] / h;
      continue;
    }
    defect += held[i] * held[i];
    inertia += momentum_[i] * momentum_[i];
  }
  energy.inertia = std::sqrt(inertia) / h;
  energy.internal = internal_.norm() / h;
  energy.outer = (loads_ + pressure_ + impulse_).norm() / h;
  // Of the velocity that displaces, and of forces taken at the ends of the step: both vanish with h.
  energy.scheme = energy.kinetic_change - momentum_.dot(path) / h + internal_.dot(path) / h -
                  (energy.elastic + energy.plastic + energy.viscous);
  energy.momentum_defect = std::sqrt(defect);
  energy.momentum_scale = momentum_.norm() + applied_.norm() + weight_.norm() + impulse_.norm() +
                          internal_.norm() + weights_.mass * (linear_.M * v0_).norm();
  if (!moved_.isZero(0)) {
    const double spring = step_stored_ - stored_, weight = gravity_load_.dot(moved_),
                 force = applied_.dot(moved_) / h;
    energy.elastic += spring, energy.gravity += weight, energy.forces += force;
    energy.projection = -spring - weight - force;
  }
  return energy;
}

template <int Dim>
Eigen::VectorXd SolidSystem<Dim>::support_force() const {
  if (!trouble_.empty() || !(weights_.h > 0) || residual_.size() == 0) return {};
  Eigen::VectorXd force = (residual_ - impulse_) / weights_.h;
  for (Eigen::Index i = 0; i < force.size(); ++i)
    if (!is_driven_[i]) force[i] = 0;
  return force;
}

// Members of one file of two: the other names the class.
template SystemEnergy SolidSystem<2>::audit() const;
template SystemEnergy SolidSystem<3>::audit() const;
template Eigen::VectorXd SolidSystem<2>::support_force() const;
template Eigen::VectorXd SolidSystem<3>::support_force() const;

}  // namespace saltus
