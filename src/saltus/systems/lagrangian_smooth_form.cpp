#include "saltus/systems/lagrangian_smooth_form.hpp"

namespace saltus {

LagrangianSmoothForm::LagrangianSmoothForm(const LagrangianSystem& system)
    : system_(system), model_(system.model()) {
  const Eigen::Index n = model_.size();
  for (Eigen::VectorXd* x : {&force_, &parts_.gravity, &parts_.applied, &parts_.drag, &parts_.spring, &work_})
    x->setZero(n);
  for (Eigen::MatrixXd* m : {&mass_, &by_q_, &by_v_, &whole_}) m->setZero(n, n);
  slopes_.assign(static_cast<std::size_t>(n), Eigen::MatrixXd::Zero(n, n));
}

bool LagrangianSmoothForm::evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                    std::span<const double>) {
  trouble_.clear();
  model_.fill_mass(q, mass_);
  model_.fill_force(t, q, v, parts_.applied);
  force_ = parts_.applied;
  if (!model_.has_constant_mass()) {
    model_.fill_mass_slopes(q, slopes_);
    for (Eigen::Index k = 0; k < v.size(); ++k) {
      work_.noalias() = slopes_[k] * v;
      force_ -= v[k] * work_;
      force_[k] += 0.5 * v.dot(work_);
    }
  }
  parts_.drag.setZero();
  parts_.spring.setZero();
  if (system_.damping().size() > 0) parts_.drag.noalias() -= system_.damping() * v;
  if (system_.stiffness().size() > 0) parts_.spring.noalias() -= system_.stiffness() * q;
  force_ += parts_.drag + parts_.spring;
  fill_tangents(t, q, v);
  if (mass_.allFinite() && force_.allFinite() && by_q_.allFinite() && by_v_.allFinite()) return true;
  trouble_ = system_.describe_point("the mass, a force or a derivative is not finite", t, q);
  return false;
}

// dF/dq and dF/dv with the convective terms, C and K.
void LagrangianSmoothForm::fill_tangents(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  model_.fill_force_slopes(t, q, v, by_q_, by_v_);
  if (!model_.has_constant_mass())
    for (Eigen::Index k = 0; k < v.size(); ++k) {
      work_.noalias() = slopes_[k] * v;
      by_v_.col(k) -= work_;
      by_v_ -= v[k] * slopes_[k];
      by_v_.row(k) += work_.transpose();
    }
  if (system_.damping().size() > 0) by_v_ -= system_.damping();
  if (system_.stiffness().size() > 0) by_q_ -= system_.stiffness();
}

void LagrangianSmoothForm::add_mass(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.noalias() += factor * (mass_ * x);
}

void LagrangianSmoothForm::add_tangent(double damping, double stiffness, const Eigen::VectorXd& x,
                                       Eigen::VectorXd& y) const {
  y.noalias() -= damping * (by_v_ * x);
  y.noalias() -= stiffness * (by_q_ * x);
}

bool LagrangianSmoothForm::factorise(Operator which, double damping, double stiffness) {
  Factor& factor = factors_[which];
  whole_ = mass_ - damping * by_v_ - stiffness * by_q_;
  factor.lu.compute(whole_);
  for (Eigen::Index i = 0; i < whole_.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) whole_(i, j) = whole_(j, i) = 0.5 * (whole_(i, j) + whole_(j, i));
  if (!cholesky_.compute(whole_) && !cholesky_.compute(mass_)) {
    trouble_ = system_.describe("the mass matrix is not positive definite");
    return false;
  }
  cholesky_.fill_inverse(factor.inverse);
  return true;
}

void LagrangianSmoothForm::solve(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) {
  factors_[which].lu.solve(rhs, x);
}

void LagrangianSmoothForm::solve_symmetric(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) {
  x.noalias() = factors_[which].inverse * rhs;
}

void LagrangianSmoothForm::fill_inverse(Operator which, std::span<const int> dofs, Eigen::MatrixXd& inverse) {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  inverse.resize(count, count);
  for (Eigen::Index j = 0; j < count; ++j)
    for (Eigen::Index i = 0; i < count; ++i) inverse(i, j) = factors_[which].inverse(dofs[i], dofs[j]);
}

double LagrangianSmoothForm::stored(const Eigen::VectorXd& q) const {
  double twice = 0;
  for (Eigen::Index k = 0; k < system_.stiffness().cols(); ++k)
    twice += q[k] * q.dot(system_.stiffness().col(k));
  return 0.5 * twice;
}

}  // namespace saltus
