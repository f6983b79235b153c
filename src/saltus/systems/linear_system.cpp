#include "saltus/systems/linear_system.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

bool is_given(const Sparse& matrix) { return matrix.rows() > 0; }

Eigen::VectorXd times(const Sparse& matrix, const Eigen::VectorXd& x) {
  return is_given(matrix) ? Eigen::VectorXd(matrix * x) : Eigen::VectorXd::Zero(x.size());
}

double energy_of(const Sparse& matrix, const Eigen::VectorXd& x) { return 0.5 * x.dot(times(matrix, x)); }

void check_matrix(const Sparse& matrix, const char* name, Eigen::Index size, bool symmetric,
                  const std::string& where) {
  if (matrix.rows() != size || matrix.cols() != size)
    throw InputError(where, fmt::format("size of {}", name),
                     fmt::format("{} x {}", matrix.rows(), matrix.cols()),
                     fmt::format("{} x {}", size, size));
  double largest = 0;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (Sparse::InnerIterator it(matrix, k); it; ++it) {
      if (!std::isfinite(it.value()))
        throw InputError(where, fmt::format("{} has a number that is not finite", name));
      largest = std::max(largest, std::abs(it.value()));
    }
  const Sparse transposed = matrix.transpose();
  const Sparse difference = matrix - transposed;
  constexpr double kRoundOff = 1e-12;
  if (symmetric && difference.nonZeros() > 0 &&
      difference.coeffs().cwiseAbs().maxCoeff() > kRoundOff * largest)
    throw InputError(where, fmt::format("{} is not symmetric", name));
}

}  // namespace

void check_model(const LinearModel& model) {
  const Eigen::Index size = model.q.size();
  if (size == 0) throw InputError(model.where, "a system without degrees of freedom");
  check_matrix(model.M, "M", size, true, model.where);
  if (is_given(model.C)) check_matrix(model.C, "C", size, false, model.where);
  if (is_given(model.K)) check_matrix(model.K, "K", size, true, model.where);
  if (model.v.size() != size)
    throw InputError(model.where, "number of velocities", fmt::format("{}", model.v.size()),
                     fmt::format("{}, as coordinates", size));
  if (!model.q.allFinite() || !model.v.allFinite())
    throw InputError(model.where, "a coordinate or velocity is not finite");
  const auto check_dof = [&](int dof, const char* what) {
    if (dof < 0 || dof >= size)
      throw InputError(model.where, what, fmt::format("{}", dof), fmt::format("0 to {}", size - 1));
  };
  for (const auto& [dof, force] : model.force) check_dof(dof, "degree of freedom of a force");
  for (const auto& [dof, drive] : model.driven) check_dof(dof, "degree of freedom of a drive");
}

// Mhat on the degrees of freedom that are free.
struct LinearSystem::Factor {
  Sparse operator_;
  Eigen::SimplicialLDLT<Sparse> solver;
};

LinearSystem::LinearSystem(LinearModel model) : model_(std::move(model)) {
  check_model(model_);
  q_ = model_.q;
  v_ = model_.v;
  is_driven_.assign(q_.size(), 0);
  for (const auto& [dof, drive] : model_.driven) is_driven_[dof] = !drive.is_free();
  free_place_.assign(q_.size(), -1);
  for (int i = 0; i < q_.size(); ++i)
    if (!is_driven_[i]) {
      free_place_[i] = static_cast<int>(free_dofs_.size());
      free_dofs_.push_back(i);
    }
  displacement_ = Eigen::VectorXd::Zero(q_.size());
}
LinearSystem::~LinearSystem() = default;

void LinearSystem::factorise() {
  Sparse whole = model_.M;
  if (is_given(model_.C)) whole += weights_.damping * model_.C;
  if (is_given(model_.K)) whole += weights_.stiffness * model_.K;
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < whole.outerSize(); ++k)
    for (Sparse::InnerIterator it(whole, k); it; ++it)
      if (free_place_[it.row()] >= 0 && free_place_[it.col()] >= 0)
        entries.emplace_back(free_place_[it.row()], free_place_[it.col()], it.value());
  const auto size = static_cast<Eigen::Index>(free_dofs_.size());
  factor_ = std::make_unique<Factor>();
  factor_->operator_.resize(size, size);
  factor_->operator_.setFromTriplets(entries.begin(), entries.end());
  columns_.clear();
  columns_.resize(q_.size());
  if (size == 0) return;
  factor_->solver.compute(factor_->operator_);
  if (factor_->solver.info() != Eigen::Success || !(factor_->solver.vectorD().minCoeff() > 0))
    throw InputError(model_.where,
                     "M + weights (C, K) is not positive definite: a degree of freedom has neither mass nor "
                     "stiffness, or a matrix has the wrong sign");
}

Eigen::VectorXd LinearSystem::solve(const Eigen::VectorXd& impulse) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(impulse.size());
  if (free_dofs_.empty()) return result;
  Eigen::VectorXd part(free_dofs_.size());
  for (std::size_t i = 0; i < free_dofs_.size(); ++i) part[i] = impulse[free_dofs_[i]];
  const Eigen::VectorXd change = factor_->solver.solve(part);
  for (std::size_t i = 0; i < free_dofs_.size(); ++i) result[free_dofs_[i]] = change[i];
  return result;
}

const Eigen::VectorXd& LinearSystem::inverse_column(int dof) {
  if (!columns_[dof]) {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(q_.size());
    unit[dof] = is_driven_[dof] ? 0.0 : 1.0;
    columns_[dof] = std::make_unique<Eigen::VectorXd>(solve(unit));
  }
  return *columns_[dof];
}

Eigen::MatrixXd LinearSystem::inverse_between(std::span<const int> dofs) {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  Eigen::MatrixXd inverse(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Eigen::VectorXd& column = inverse_column(dofs[j]);
    for (Eigen::Index i = 0; i < count; ++i) inverse(i, j) = column[dofs[i]];
  }
  return inverse;
}

void LinearSystem::fill_loads(double t, std::span<const double> gravity) {
  applied_ = Eigen::VectorXd::Zero(q_.size());
  for (const auto& [dof, force] : model_.force)
    applied_[dof] +=
        weights_.h * (weights_.force * force.at(t + weights_.h) + (1 - weights_.force) * force.at(t));
  Eigen::VectorXd acceleration = Eigen::VectorXd::Zero(q_.size());
  for (std::size_t i = 0; i < model_.direction.size(); ++i)
    if (model_.direction[i] >= 0 && model_.direction[i] < static_cast<int>(gravity.size()))
      acceleration[static_cast<Eigen::Index>(i)] = gravity[model_.direction[i]];
  gravity_load_ = model_.M * acceleration;
  weight_ = weights_.h * gravity_load_;
}

void LinearSystem::predict(const StepWeights& weights, double t, std::span<const double> gravity) {
  const bool same = factor_ && weights.damping == weights_.damping && weights.stiffness == weights_.stiffness;
  weights_ = weights;
  if (!same) factorise();
  q0_ = q_;
  v0_ = v_;
  fill_loads(t, gravity);
  free_ = v_;
  Eigen::VectorXd driven = Eigen::VectorXd::Zero(q_.size());  // change of velocity of the driven ones
  for (const auto& [dof, drive] : model_.driven) {
    if (drive.is_free()) continue;
    const double theta = weights.h > 0 ? weights.position_end / weights.h : 1.0;
    const DrivenStep step = compute_driven_step(drive, v_[dof], t, t + weights.h, theta);
    driven[dof] = step.velocity - v_[dof];
    free_[dof] = step.velocity;
    displacement_[dof] = step.displacement;
  }
  Eigen::VectorXd impulse = applied_ + weight_ - weights.h * times(model_.C, v_) -
                            weights.h * times(model_.K, q_ + weights.advance * v_);
  if (!driven.isZero(0))
    impulse -= times(model_.M, driven) + weights.damping * times(model_.C, driven) +
               weights.stiffness * times(model_.K, driven);
  const Eigen::VectorXd change = solve(impulse);
  for (const int dof : free_dofs_) free_[dof] += change[dof];
}

void LinearSystem::correct(const Eigen::VectorXd& impulse) {
  impulse_ = impulse;
  v_ = free_;
  if (!impulse.isZero(0)) v_ += solve(impulse);
  q_ = q0_ + weights_.position_end * v_ + weights_.position_start * v0_;
  for (const auto& [dof, drive] : model_.driven)
    if (!drive.is_free()) q_[dof] = q0_[dof] + displacement_[dof];
  potential_ = -gravity_load_.dot(q_);
}

SystemEnergy LinearSystem::audit() const {
  SystemEnergy energy;
  const double h = weights_.h, mean = h > 0 ? weights_.position_end / h : 1.0;
  const Eigen::VectorXd dv = v_ - v0_, moved = q_ - q0_;
  const Eigen::VectorXd at_mean = mean * v_ + (1 - mean) * v0_;
  const Eigen::VectorXd momentum = model_.M * dv;
  const Eigen::VectorXd drag = -(h * times(model_.C, v0_) + weights_.damping * times(model_.C, dv));
  const Eigen::VectorXd spring =
      -(h * times(model_.K, q0_ + weights_.advance * v0_) + weights_.stiffness * times(model_.K, dv));
  const Eigen::VectorXd held = momentum - applied_ - weight_ - drag - spring - impulse_;
  Eigen::VectorXd path = at_mean;
  for (const auto& [dof, drive] : model_.driven)
    if (!drive.is_free() && h > 0) path[dof] = moved[dof] / h;
  energy.kinetic = energy_of(model_.M, v_);
  energy.kinetic_change = energy.kinetic - energy_of(model_.M, v0_);
  energy.stored = energy_of(model_.K, q_);
  energy.potential = potential_;
  energy.elastic = energy_of(model_.K, q0_) - energy.stored;
  energy.gravity = weight_.dot(path);
  energy.forces = applied_.dot(path);
  energy.damping = drag.dot(path);
  double defect = 0;
  for (int i = 0; i < held.size(); ++i) {
    if (is_driven_[i])
      energy.drives += held[i] * path[i];
    else
      defect += held[i] * held[i];
  }
  energy.scheme = energy.kinetic_change - momentum.dot(path) + spring.dot(path) - energy.elastic;
  energy.momentum_defect = std::sqrt(defect);
  energy.momentum_scale = momentum.norm() + applied_.norm() + weight_.norm() + impulse_.norm() +
                          spring.norm() + (model_.M * v0_).norm();
  return energy;
}

}  // namespace saltus
