#include "saltus/systems/linear_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/math/definite_factor.hpp"
#include "saltus/math/sparse_ops.hpp"
#include "saltus/systems/linear_smooth_form.hpp"

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

bool is_given(const Sparse& matrix) { return matrix.rows() > 0; }

void check_matrix(const Sparse& matrix, const char* name, Eigen::Index size, const std::string& where) {
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
  if (difference.nonZeros() > 0 && difference.coeffs().cwiseAbs().maxCoeff() > kRoundOff * largest)
    throw InputError(where, fmt::format("{} is not symmetric", name));
}

}  // namespace

void check_model(const LinearModel& model) {
  const Eigen::Index size = model.q.size();
  if (size == 0) throw InputError(model.where, "a system without degrees of freedom");
  check_matrix(model.M, "M", size, model.where);
  if (is_given(model.C)) check_matrix(model.C, "C", size, model.where);
  if (is_given(model.K)) check_matrix(model.K, "K", size, model.where);
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
  for (const SharedForce& force : model.shared)
    for (const auto& [dof, share] : force.shares) check_dof(dof, "degree of freedom of a force");
  std::vector<char> is_driven(size, 0);
  for (const auto& [dof, drive] : model.driven) {
    check_dof(dof, "degree of freedom of a drive");
    if (is_driven[dof]++)
      throw InputError(model.where, "a second drive of one degree of freedom", fmt::format("{}", dof), "one");
  }
  if (!model.direction.empty() && static_cast<Eigen::Index>(model.direction.size()) != size)
    throw InputError(model.where, "number of directions", fmt::format("{}", model.direction.size()),
                     fmt::format("none, or {}, as coordinates", size));
}

// Mhat on the degrees of freedom that are free.
struct LinearSystem::Factor {
  DefiniteFactor solver;
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
  displacement_ = moved_ = Eigen::VectorXd::Zero(q_.size());
}
LinearSystem::~LinearSystem() = default;

std::unique_ptr<SmoothForm> LinearSystem::smooth_form() const {
  return std::make_unique<LinearSmoothForm>(model_);
}

Eigen::SparseMatrix<double> keep_placed(const Eigen::SparseMatrix<double>& whole,
                                        const std::vector<int>& place, Eigen::Index size) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < whole.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator it(whole, k); it; ++it)
      if (place[it.row()] >= 0 && place[it.col()] >= 0)
        entries.emplace_back(place[it.row()], place[it.col()], it.value());
  Eigen::SparseMatrix<double> kept(size, size);
  kept.setFromTriplets(entries.begin(), entries.end());
  return kept;
}

std::unique_ptr<LinearSystem::Factor> LinearSystem::build_factor(const Sparse& whole) const {
  const auto size = static_cast<Eigen::Index>(free_dofs_.size());
  auto factor = std::make_unique<Factor>();
  if (size == 0) return factor;
  // Without M, what moves without strain leaves pivots of round-off.
  constexpr double kRoundOff = 1e-14;
  const bool is_definite =
      factor->solver.compute(keep_placed(whole, free_place_, size), weights_.mass > 0 ? 0.0 : kRoundOff);
  return is_definite ? std::move(factor) : nullptr;
}

void LinearSystem::factorise() {
  Sparse whole = weights_.mass * model_.M;
  if (is_given(model_.C)) whole += weights_.damping * model_.C;
  if (is_given(model_.K)) whole += weights_.stiffness * model_.K;
  columns_.reset(static_cast<std::size_t>(q_.size()), model_.surface);
  factor_ = build_factor(whole);
  if (!factor_)
    throw InputError(model_.where,
                     "M + weights (C, K) is not positive definite: a degree of freedom has neither mass "
                     "(which has no weight "
                     "under quasi-static) nor stiffness, or a matrix has the wrong sign");
}

void LinearSystem::add_solution(const Factor& factor, const Eigen::VectorXd& impulse, Eigen::VectorXd& v) {
  if (free_dofs_.empty()) return;
  const auto size = static_cast<Eigen::Index>(free_dofs_.size());
  permuted_.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) permuted_[i] = impulse[free_dofs_[i]];
  factor.solver.solve(permuted_);
  for (Eigen::Index i = 0; i < size; ++i) v[free_dofs_[i]] += permuted_[i];
}

void LinearSystem::solve_metric(bool by_mass, Eigen::VectorXd& x) {
  if (by_mass) {
    work_ = x;
    x.setZero();
    add_solution(*factor_, work_, x);
  }
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (is_driven_[i]) x[i] = 0;
}

Eigen::MatrixXd LinearSystem::inverse_between(std::span<const int> dofs) {
  Eigen::MatrixXd inverse;
  fill_inverse(dofs, inverse);
  return inverse;
}

void LinearSystem::fill_inverse(std::span<const int> dofs, Eigen::MatrixXd& inverse) {
  columns_.fill(factor_->solver, free_dofs_, dofs, inverse);
}

void LinearSystem::fill_loads(double t, std::span<const double> gravity) {
  applied_.setZero(q_.size());
  for (const auto& [dof, force] : model_.force)
    applied_[dof] +=
        weights_.h * (weights_.force * force.at(t + weights_.h) + (1 - weights_.force) * force.at(t));
  for (const SharedForce& force : model_.shared) {
    const double value = weights_.h * (weights_.force * force.value.at(t + weights_.h) +
                                       (1 - weights_.force) * force.value.at(t));
    for (const auto& [dof, share] : force.shares) applied_[dof] += share * value;
  }
  work_.setZero(q_.size());
  for (std::size_t i = 0; i < model_.direction.size(); ++i)
    if (model_.direction[i] >= 0 && model_.direction[i] < static_cast<int>(gravity.size()))
      work_[static_cast<Eigen::Index>(i)] = gravity[model_.direction[i]];
  gravity_load_.setZero(q_.size());
  add_product(1, model_.M, work_, gravity_load_);
  weight_ = weights_.h * gravity_load_;
}

void LinearSystem::drive(double t) {
  work_.setZero(q_.size());  // change of velocity of the driven ones
  const double theta = weights_.h > 0 ? weights_.position_end / weights_.h : 1.0;
  for (const auto& [dof, drive] : model_.driven) {
    if (drive.is_free()) continue;
    const DrivenStep step = compute_driven_step(drive, v_[dof], t, t + weights_.h, theta);
    work_[dof] = step.velocity - v_[dof];
    free_[dof] = step.velocity;
    displacement_[dof] = step.displacement;
  }
}

// What C and K do in a step with the change of velocity dv.
void LinearSystem::add_drag(const Eigen::VectorXd& dv, Eigen::VectorXd& impulse) const {
  add_product(-weights_.h, model_.C, v0_, impulse);
  add_product(-weights_.damping, model_.C, dv, impulse);
}
void LinearSystem::add_spring(const Eigen::VectorXd& dv, Eigen::VectorXd& impulse) const {
  if (!is_given(model_.K)) return;
  thread_local Eigen::VectorXd stretched;  // keeps its memory: one product instead of three
  stretched = weights_.h * q0_ + weights_.h * weights_.advance * v0_ + weights_.stiffness * dv;
  add_product(-1, model_.K, stretched, impulse);
}

void LinearSystem::predict(const StepWeights& weights, double t, std::span<const double> gravity) {
  const bool same = factor_ && weights.mass == weights_.mass && weights.damping == weights_.damping &&
                    weights.stiffness == weights_.stiffness;
  weights_ = weights;
  if (!same) factorise();
  q0_ = q_;
  v0_ = v_;
  free_ = v_;
  fill_loads(t, gravity);
  drive(t);
  impulse_ = applied_ + weight_;
  add_product(-weights_.mass, model_.M, work_, impulse_);
  add_drag(work_, impulse_);
  add_spring(work_, impulse_);
  add_solution(impulse_, free_);
}

void LinearSystem::correct(const Eigen::VectorXd& impulse) {
  impulse_ = impulse;
  moved_.setZero();
  v_ = free_;
  if (!impulse.isZero(0)) add_solution(impulse, v_);
  q_ = q0_ + weights_.position_end * v_ + weights_.position_start * v0_;
  for (const auto& [dof, drive] : model_.driven)
    if (!drive.is_free()) q_[dof] = q0_[dof] + displacement_[dof];
}

void LinearSystem::fill_audit() const {
  const double h = weights_.h, mean = weights_.centred ? 0.5 : h > 0 ? weights_.position_end / h : 1.0;
  Audit& a = audit_;
  a.change = v_ - v0_;
  for (Eigen::VectorXd* part : {&a.momentum, &a.drag, &a.spring, &a.start}) part->setZero(q_.size());
  add_product(weights_.mass, model_.M, a.change, a.momentum);
  add_product(weights_.mass, model_.M, v0_, a.start);
  add_drag(a.change, a.drag);
  add_spring(a.change, a.spring);
  a.path = mean * v_ + (1 - mean) * v0_;
  for (const auto& [dof, drive] : model_.driven)
    if (!drive.is_free() && h > 0) a.path[dof] = displacement_[dof] / h;
  a.held = a.momentum - applied_ - weight_ - a.drag - a.spring - impulse_;
}

SystemEnergy LinearSystem::audit() const {
  fill_audit();
  const Audit& a = audit_;
  SystemEnergy energy;
  energy.kinetic = 0.5 * v_.dot(a.start + a.momentum);
  energy.kinetic_change = 0.5 * a.momentum.dot(v0_ + v_);
  const bool moved = !moved_.isZero(0);
  const auto [before, stored] =
      moved ? half_squares(model_.K, q0_, Eigen::VectorXd(q_ - moved_)) : half_squares(model_.K, q0_, q_);
  energy.stored = stored;
  energy.potential = -gravity_load_.dot(q_);
  energy.elastic = before - stored;
  energy.gravity = weight_.dot(a.path);
  energy.forces = applied_.dot(a.path);
  energy.damping = a.drag.dot(a.path);
  double defect = 0, inertia = 0;
  for (int i = 0; i < a.held.size(); ++i) {
    if (is_driven_[i]) {
      energy.drives += a.held[i] * a.path[i];
      continue;
    }
    defect += a.held[i] * a.held[i];
    inertia += a.momentum[i] * a.momentum[i];
  }
  energy.inertia = weights_.h > 0 ? std::sqrt(inertia) / weights_.h : 0;
  energy.internal = weights_.h > 0 ? a.spring.norm() / weights_.h : 0;
  energy.outer = weights_.h > 0 ? (applied_ + weight_ + impulse_).norm() / weights_.h : 0;
  energy.scheme = energy.kinetic_change - a.momentum.dot(a.path) + a.spring.dot(a.path) - energy.elastic;
  energy.momentum_defect = std::sqrt(defect);
  if (weights_.centred) {
    energy.kinetic = half_square(model_.M, a.path);
    energy.stored = half_square(model_.K, q0_);
    energy.potential = -gravity_load_.dot(q0_);
  }
  if (moved) {
    const double end = half_square(model_.K, q_), spring = energy.stored - end,
                 weight = gravity_load_.dot(moved_), force = applied_.dot(moved_) / weights_.h;
    energy.stored = end;
    energy.elastic += spring, energy.gravity += weight, energy.forces += force;
    energy.projection = -spring - weight - force;
  }
  energy.momentum_scale = a.momentum.norm() + applied_.norm() + weight_.norm() + impulse_.norm() +
                          a.spring.norm() + a.start.norm();
  return energy;
}

Eigen::VectorXd LinearSystem::support_force() const {
  if (v0_.size() == 0 || !(weights_.h > 0)) return {};
  fill_audit();
  Eigen::VectorXd force = audit_.held / weights_.h;
  for (Eigen::Index i = 0; i < force.size(); ++i)
    if (!is_driven_[i]) force[i] = 0;
  return force;
}

}  // namespace saltus
