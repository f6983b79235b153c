#include "saltus/systems/solid_smooth_form.hpp"

#include "saltus/fem/face_load.hpp"
#include "saltus/math/sparse_ops.hpp"

namespace saltus {

template <int Dim>
SolidSmoothForm<Dim>::SolidSmoothForm(const SolidModel<Dim>& model, const LinearModel& linear,
                                      std::shared_ptr<InternalForces> elements)
    : model_(model), linear_(linear), elements_(std::move(elements)) {
  const Eigen::Index size = linear.q.size();
  free_place_.assign(static_cast<std::size_t>(size), 0);
  for (const auto& [dof, drive] : linear.driven)
    if (!drive.is_free()) free_place_[dof] = -1;
  for (int i = 0; i < size; ++i)
    if (free_place_[i] >= 0) {
      free_place_[i] = static_cast<int>(free_dofs_.size());
      free_dofs_.push_back(i);
    }
  for (Eigen::VectorXd* part :
       {&force_, &parts_.gravity, &parts_.applied, &parts_.drag, &parts_.spring, &work_})
    part->setZero(size);
}

template <int Dim>
bool SolidSmoothForm<Dim>::evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                    std::span<const double> gravity) {
  const bool is_first = !accepted_time_;
  if (is_first) accepted_time_ = t;
  for (Eigen::VectorXd* part : {&parts_.gravity, &parts_.applied, &parts_.drag, &work_}) part->setZero();
  for (const SharedForce& force : linear_.shared) {
    const double value = force.value.at(t);
    for (const auto& [dof, share] : force.shares) parts_.applied[dof] += share * value;
  }
  for (const auto& pressure : model_.pressures)
    add_pressure<Dim>(*model_.mesh, pressure.sides, {model_.options.plane, model_.options.thickness},
                      pressure.value.at(t), q, parts_.applied);
  for (Eigen::Index i = 0; i < work_.size(); ++i)
    if (const int direction = linear_.direction[i]; direction >= 0) work_[i] = gravity[direction];
  add_product(1, linear_.M, work_, parts_.gravity);
  add_product(-1, linear_.C, v, parts_.drag);
  if (!elements_->evaluate(q, t - *accepted_time_, {.tangent = true})) {
    trouble_ = elements_->trouble() + ": a smaller h may help";
    return false;
  }
  parts_.spring = -elements_->force();
  force_ = parts_.gravity + parts_.applied + parts_.drag + parts_.spring;
  time_ = t;
  point_ = q;
  if (is_first) {
    end_ = q;
    end_stored_ = start_stored_ = elements_->stored();
  }
  return true;
}

template <int Dim>
void SolidSmoothForm<Dim>::accept() {
  start_stored_ = end_stored_;
  end_stored_ = elements_->stored();
  losses_ = {elements_->plastic_dissipation(), elements_->viscous_dissipation(),
             elements_->stored_by_hardening()};
  end_ = point_;
  accepted_time_ = time_;
  elements_->accept();
}

template <int Dim>
void SolidSmoothForm<Dim>::add_mass(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  add_product(factor, linear_.M, x, y);
}

template <int Dim>
void SolidSmoothForm<Dim>::add_tangent(double damping, double stiffness, const Eigen::VectorXd& x,
                                       Eigen::VectorXd& y) const {
  add_product(damping, linear_.C, x, y);
  add_product(stiffness, elements_->tangent(), x, y);
}

template <int Dim>
bool SolidSmoothForm<Dim>::factorise(Operator which, double damping, double stiffness) {
  const bool is_mass = damping == 0 && stiffness == 0;
  if (is_mass && has_mass_[which]) return true;
  const auto try_factor = [&](double tangent) {
    const OperatorTerm terms[] = {{1, linear_.M}, {damping, linear_.C}, {tangent, elements_->tangent()}};
    return factors_[which].factor(free_dofs_, terms);
  };
  if (try_factor(stiffness) || try_factor(0)) {
    has_mass_[which] = is_mass;
    return true;
  }
  trouble_ =
      "the mass matrix of a deformable body is not positive definite: under the alpha schemes every node has "
      "a mass";
  return false;
}

template <int Dim>
void SolidSmoothForm<Dim>::fill_inverse(Operator which, std::span<const int> dofs, Eigen::MatrixXd& inverse) {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  inverse.setZero(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    if (is_driven(dofs[j])) continue;
    work_.setZero();
    work_[dofs[j]] = 1;
    factors_[which].solve(free_dofs_, work_, column_);
    for (Eigen::Index i = 0; i < count; ++i) inverse(i, j) = column_[dofs[i]];
  }
}

template <int Dim>
void SolidSmoothForm<Dim>::drive(double t, double h, const Eigen::VectorXd& v0, Eigen::VectorXd& v1,
                                 Eigen::VectorXd& displacement) const {
  for (const auto& [dof, drive] : linear_.driven) {
    if (drive.is_free()) continue;
    const DrivenStep step = compute_driven_step(drive, v0[dof], t, t + h, 0.5);
    v1[dof] = step.velocity;
    displacement[dof] = step.displacement;
  }
}

template class SolidSmoothForm<2>;
template class SolidSmoothForm<3>;

}  // namespace saltus
