#include "saltus/systems/linear_smooth_form.hpp"

namespace saltus {

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

// y += factor matrix x; an empty matrix is zero.
void add_sparse(double factor, const SparseMatrix& matrix, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  for (int k = 0; k < matrix.outerSize(); ++k) {
    const double scaled = factor * x[k];
    if (scaled == 0) continue;
    for (SparseMatrix::InnerIterator it(matrix, k); it; ++it) y[it.row()] += it.value() * scaled;
  }
}

}  // namespace

LinearSmoothForm::LinearSmoothForm(const LinearModel& model) : model_(model) {
  const Eigen::Index size = model.q.size();
  free_place_.assign(static_cast<std::size_t>(size), 0);
  for (const auto& [dof, drive] : model.driven)
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

bool LinearSmoothForm::evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                std::span<const double> gravity) {
  for (Eigen::VectorXd* part : {&parts_.gravity, &parts_.applied, &parts_.drag, &parts_.spring, &work_})
    part->setZero();
  for (const auto& [dof, force] : model_.force) parts_.applied[dof] += force.at(t);
  for (const SharedForce& force : model_.shared) {
    const double value = force.value.at(t);
    for (const auto& [dof, share] : force.shares) parts_.applied[dof] += share * value;
  }
  for (std::size_t i = 0; i < model_.direction.size(); ++i)
    if (model_.direction[i] >= 0 && model_.direction[i] < static_cast<int>(gravity.size()))
      work_[static_cast<Eigen::Index>(i)] = gravity[model_.direction[i]];
  add_sparse(1, model_.M, work_, parts_.gravity);
  add_sparse(-1, model_.C, v, parts_.drag);
  add_sparse(-1, model_.K, q, parts_.spring);
  force_ = parts_.gravity + parts_.applied + parts_.drag + parts_.spring;
  return true;
}

void LinearSmoothForm::add_mass(double factor, const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  add_sparse(factor, model_.M, x, y);
}

void LinearSmoothForm::add_tangent(double damping, double stiffness, const Eigen::VectorXd& x,
                                   Eigen::VectorXd& y) const {
  add_sparse(damping, model_.C, x, y);
  add_sparse(stiffness, model_.K, x, y);
}

bool LinearSmoothForm::factorise(Operator which, double damping, double stiffness) {
  std::unique_ptr<Factor>& factor = factors_[which];
  if (factor && factor->damping == damping && factor->stiffness == stiffness) return true;
  Sparse whole = model_.M;
  if (model_.C.rows() > 0) whole += damping * model_.C;
  if (model_.K.rows() > 0) whole += stiffness * model_.K;
  const auto size = static_cast<Eigen::Index>(free_dofs_.size());
  const Sparse reduced = keep_placed(whole, free_place_, size);
  factor = std::make_unique<Factor>();
  factor->damping = damping, factor->stiffness = stiffness;
  factor->columns.reset(free_place_.size(), model_.surface);
  if (size == 0) return true;
  if (factor->solver.compute(reduced)) return true;
  trouble_ =
      "the mass matrix of a linear system is not positive definite: under the alpha schemes every coordinate "
      "that is not "
      "driven has a mass";
  factor.reset();
  return false;
}

void LinearSmoothForm::solve(Operator which, const Eigen::VectorXd& rhs, Eigen::VectorXd& x) {
  x.setZero(rhs.size());
  const auto size = static_cast<Eigen::Index>(free_dofs_.size());
  if (size == 0) return;
  reduced_.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) reduced_[i] = rhs[free_dofs_[i]];
  factors_[which]->solver.solve(reduced_);
  for (Eigen::Index i = 0; i < size; ++i) x[free_dofs_[i]] = reduced_[i];
}

void LinearSmoothForm::fill_inverse(Operator which, std::span<const int> dofs, Eigen::MatrixXd& inverse) {
  factors_[which]->columns.fill(factors_[which]->solver, free_dofs_, dofs, inverse);
}

void LinearSmoothForm::drive(double t, double h, const Eigen::VectorXd& v0, Eigen::VectorXd& v1,
                             Eigen::VectorXd& displacement) const {
  for (const auto& [dof, drive] : model_.driven) {
    if (drive.is_free()) continue;
    const DrivenStep step = compute_driven_step(drive, v0[dof], t, t + h, 0.5);
    v1[dof] = step.velocity;
    displacement[dof] = step.displacement;
  }
}

double LinearSmoothForm::stored(const Eigen::VectorXd& q) const {
  double twice = 0;
  for (int k = 0; k < model_.K.outerSize(); ++k)
    for (Sparse::InnerIterator it(model_.K, k); it; ++it) twice += q[it.row()] * it.value() * q[k];
  return 0.5 * twice;
}

}  // namespace saltus
