#include "saltus/systems/lagrangian_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/systems/lagrangian_smooth_form.hpp"

namespace saltus {

namespace {

void check_matrix(const Eigen::MatrixXd& matrix, const char* what, Eigen::Index size,
                  const std::string& where) {
  if (matrix.size() == 0) return;
  if (matrix.rows() != size || matrix.cols() != size)
    throw InputError(where, what, fmt::format("{} x {}", matrix.rows(), matrix.cols()),
                     fmt::format("{0} x {0}, as coordinates", size));
  if (!matrix.allFinite()) throw InputError(where, fmt::format("{} has a number that is not finite", what));
  Eigen::Index i = 0, j = 0;
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff(&i, &j) > 1e-12 * matrix.cwiseAbs().maxCoeff())
    throw InputError(
        where, fmt::format("{} is not symmetric", what),
        fmt::format("[{}][{}] = {:.6g}, [{}][{}] = {:.6g}", j, i, matrix(j, i), i, j, matrix(i, j)),
        "equal numbers (of damping and stiffness the rest belongs into the forces)");
}

double energy_of(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& x) {
  double twice = 0;
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) twice += x[j] * matrix.col(j).dot(x);
  return 0.5 * twice;
}

}  // namespace

LagrangianSystem::LagrangianSystem(std::shared_ptr<const LagrangianModel> model, Start start)
    : model_(std::move(model)),
      C_(std::move(start.C)),
      K_(std::move(start.K)),
      name_(std::move(start.name)),
      where_(std::move(start.where)),
      q_(std::move(start.q)),
      v_(std::move(start.v)),
      time_(start.time) {
  const Eigen::Index n = model_->size();
  if (n < 1) throw InputError(where_, "a system without coordinates");
  for (const Eigen::VectorXd* state : {&q_, &v_})
    if (state->size() != n)
      throw InputError(where_, state == &q_ ? "number of coordinates at the start" : "number of velocities",
                       fmt::format("{}", state->size()), fmt::format("{}, as names of coordinates", n));
  if (!q_.allFinite() || !v_.allFinite()) throw InputError(where_, "a coordinate or velocity is not finite");
  check_matrix(C_, "damping", n, where_);
  check_matrix(K_, "stiffness", n, where_);
  for (Eigen::VectorXd* x :
       {&q0_,         &v0_,       &momentum0_, &free_, &impulse_,  &q1_,         &path_,      &q_theta_,
        &v_theta_,    &q_middle_, &force_,     &drag_, &spring_,   &convective_, &momentum1_, &residual_,
        &correction_, &work_,     &next_,      &end_,  &expected_, &direction_,  &moved_})
    x->setZero(n);
  for (Eigen::MatrixXd* m : {&mass0_, &inverse_, &mass1_, &tangent_, &by_q_, &by_v_}) m->setZero(n, n);
  slopes_.assign(n, Eigen::MatrixXd::Zero(n, n));
  slopes_end_ = slopes_;
  q0_ = q1_ = q_theta_ = q_;
  v0_ = v_theta_ = free_ = v_;
  model_->fill_mass(q_, mass1_);
  model_->fill_force(time_, q_, v_, force_);
  if (const std::string what = find_not_finite(); !what.empty()) throw InputError(where_, describe(what));
  check_matrix(mass1_, "the mass at the start", n, where_);
  if (!cholesky_.compute(mass1_))
    throw InputError(
        where_, describe("the mass matrix is not positive definite: a coordinate without mass, or a wrong "
                         "sign"));
}

// What of M and F is not finite, by name; empty: all are.
std::string LagrangianSystem::find_not_finite() const {
  const auto text = [](const std::string& formula) { return formula.empty() ? "" : " = \"" + formula + '"'; };
  for (int i = 0; i < mass1_.rows(); ++i)
    for (int j = i; j < mass1_.cols(); ++j)
      if (!std::isfinite(mass1_(i, j)))
        return fmt::format("mass[{}][{}]{} is {}", i, j, text(model_->mass_text(i, j)), mass1_(i, j));
  for (int i = 0; i < force_.size(); ++i)
    if (!std::isfinite(force_[i]))
      return fmt::format("force[{}]{} is {}", i, text(model_->force_text(i)), force_[i]);
  if (!residual_.allFinite()) return "a derivative or a velocity is not finite";
  return {};
}

std::string LagrangianSystem::describe_point(const std::string& what, double t,
                                             const Eigen::VectorXd& q) const {
  std::string state;
  for (int i = 0; i < q.size(); ++i)
    state += fmt::format("{}{} = {:.6g}", i ? ", " : "", model_->coordinate_name(i), q[i]);
  return fmt::format("system{}: {}, at t = {:.6g} s with {}", name_.empty() ? "" : " \"" + name_ + '"', what,
                     t, state);
}

std::unique_ptr<SmoothForm> LagrangianSystem::smooth_form() const {
  return std::make_unique<LagrangianSmoothForm>(*this);
}

void LagrangianSystem::fill_convective(const Eigen::VectorXd& v1) {
  const Eigen::Index n = q_.size();
  q_middle_ = 0.5 * (q0_ + q1_);
  model_->fill_mass_slopes(q_middle_, slopes_);
  double along = 0, size = 0;  // u . gradient of 1/2 v.M v_1; u . direction of the correction
  for (Eigen::Index i = 0; i < n; ++i) {
    direction_[i] = 0;
    convective_[i] = 0;
    if (slopes_[i].isZero(0)) continue;  // a coordinate that M does not know keeps its momentum, to round-off
    work_.noalias() = slopes_[i] * v1;
    convective_[i] = 0.5 * v0_.dot(work_);
    direction_[i] = mass0_(i, i) * path_[i];
    along += path_[i] * convective_[i];
    size += path_[i] * direction_[i];
  }
  // Near a point of return u is a small difference: what is corrected is of third order in it, round-off is not.
  constexpr double kLeast = 1e-6;
  work_.noalias() = mass1_ * v1;
  if (!(size > kLeast * (v0_.dot(momentum0_) + v1.dot(work_)))) return;
  work_.noalias() -= mass0_ * v1;
  const double exact = 0.5 * v0_.dot(work_) / weights_.h;
  convective_ += (exact - along) / size * direction_;
}

void LagrangianSystem::evaluate(const Eigen::VectorXd& v1) {
  const double h = weights_.h;
  path_ = weights_.position_end * v1 + weights_.position_start * v0_;
  q1_ = q0_ + path_;  // one rounding: two would add up over many steps
  path_ /= h;
  correction_ = v1 - v0_;
  q_theta_ = q0_ + weights_.advance * v0_ + weights_.stiffness / h * correction_;
  v_theta_ = v0_ + weights_.damping / h * correction_;
  model_->fill_force(time_ + weights_.force * h, q_theta_, v_theta_, force_);
  if (!model_->has_constant_mass()) {
    model_->fill_mass(q1_, mass1_);
    fill_convective(v1);
  }
  momentum1_.noalias() = mass1_ * v1;
  residual_ = momentum1_ - momentum0_ - h * (convective_ + force_);
  if (has(C_)) drag_.noalias() = -h * (C_ * v_theta_);
  if (has(K_)) spring_.noalias() = -h * (K_ * q_theta_);
  residual_ -= drag_ + spring_;
}

// d residual / d v1, but for second derivatives of M.
void LagrangianSystem::fill_tangent(const Eigen::VectorXd& v1) {
  const double h = weights_.h;
  tangent_ = mass1_;
  model_->fill_force_slopes(time_ + weights_.force * h, q_theta_, v_theta_, by_q_, by_v_);
  tangent_ -= weights_.damping * by_v_ + weights_.stiffness * by_q_;
  if (has(C_)) tangent_ += weights_.damping * C_;
  if (has(K_)) tangent_ += weights_.stiffness * K_;
  if (model_->has_constant_mass()) return;
  model_->fill_mass_slopes(q1_, slopes_end_);
  for (Eigen::Index k = 0; k < q_.size(); ++k) {
    work_.noalias() = slopes_end_[k] * v1;
    tangent_.col(k) += weights_.position_end * work_;
    work_.noalias() = slopes_[k] * v0_;
    tangent_.row(k) -= 0.5 * h * work_.transpose();
  }
}

// Whether momenta and impulses of the iterate at hand balance. Far from a solution forces may be so large that Newton's
// corrections are small beside them: that they are small proves nothing. Where forces are stiff, the roundings of q and v are
// in the balance.
bool LagrangianSystem::is_balanced(const Eigen::VectorXd& impulse, const Eigen::VectorXd& v1) {
  constexpr double kEnough = 1e-9, kRoundings = 64 * std::numeric_limits<double>::epsilon();
  const double size = momentum0_.norm() + momentum1_.norm() + impulse.norm() + drag_.norm() + spring_.norm() +
                      weights_.h * (force_.norm() + convective_.norm());
  double roundings = 0;
  for (Eigen::Index i = 0; i < v1.size(); ++i) {
    double row = 0;
    for (Eigen::Index k = 0; k < v1.size(); ++k) {
      const double by_q = std::abs(by_q_(i, k)) + (has(K_) ? std::abs(K_(i, k)) : 0.0);
      row += std::abs(tangent_(i, k) * v1[k]) + weights_.h * by_q * std::abs(q_theta_[k]);
    }
    roundings += row * row;
  }
  next_ = residual_ - impulse;
  return next_.norm() <= kEnough * size + kRoundings * std::sqrt(roundings);
}

bool LagrangianSystem::solve(const Eigen::VectorXd& impulse, Eigen::VectorXd& v1) {
  constexpr int kMost = 60;
  constexpr double kRoundOff = 4 * std::numeric_limits<double>::epsilon(), kEnough = 1e-9;
  double last = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < kMost; ++turn) {
    evaluate(v1);
    if (const std::string what = find_not_finite(); !what.empty()) {
      trouble_ = describe(what);
      return false;
    }
    fill_tangent(v1);
    if (!tangent_.allFinite()) {
      trouble_ = describe("a derivative of the mass or of a force is not finite");
      return false;
    }
    lu_.compute(tangent_);
    next_ = residual_ - impulse;
    lu_.solve(next_, correction_);
    // Each velocity counts by the momentum it carries: coordinates may have different units.
    work_.noalias() = mass0_ * correction_;
    const double change = work_.norm();
    const double size = momentum0_.norm() + momentum1_.norm() + weights_.h * force_.norm();
    if (!std::isfinite(change)) break;
    // Only round-off is left.
    if (change >= 0.5 * last && last <= kEnough * size && is_balanced(impulse, v1)) return true;
    v1 -= correction_;
    if (change <= kRoundOff * size) {
      evaluate(v1);
      if (is_balanced(impulse, v1)) return true;
    }
    last = change;
  }
  trouble_ = describe("the step has no solution that Newton's method finds: a smaller h may have one");
  return false;
}

// Mhat, symmetric and positive definite; M alone where the tangent is not.
void LagrangianSystem::factorise() {
  mass1_.swap(tangent_);  // keeps M in tangent_ for the second try
  Eigen::MatrixXd& whole = mass1_;
  for (Eigen::Index i = 0; i < whole.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) whole(i, j) = whole(j, i) = 0.5 * (whole(i, j) + whole(j, i));
  const bool is_definite = cholesky_.compute(whole);
  mass1_.swap(tangent_);
  if (!is_definite && !cholesky_.compute(mass1_)) {
    trouble_ = describe("the mass matrix is not positive definite");
    return;
  }
  cholesky_.fill_inverse(inverse_);
}

void LagrangianSystem::predict(const StepWeights& weights, double t, std::span<const double>) {
  weights_ = weights;
  time_ = t;
  trouble_.clear();
  q0_ = q_;
  v0_ = v_;
  free_ = v_;
  impulse_.setZero();
  convective_.setZero();
  model_->fill_mass(q0_, mass0_);
  mass1_ = mass0_;
  cholesky_.compute(mass0_);
  inverse_.setZero();
  if (!mass0_.allFinite() || !cholesky_.is_definite()) {
    trouble_ = describe("the mass matrix is not finite, or not positive definite");
    return;
  }
  momentum0_.noalias() = mass0_ * v0_;
  if (!solve(impulse_, free_)) {
    free_ = v0_;
    return;
  }
  fill_tangent(free_);
  factorise();
}

Eigen::MatrixXd LagrangianSystem::inverse_between(std::span<const int> dofs) {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  Eigen::MatrixXd inverse(count, count);
  for (Eigen::Index j = 0; j < count; ++j)
    for (Eigen::Index i = 0; i < count; ++i) inverse(i, j) = inverse_(dofs[i], dofs[j]);
  return inverse;
}

double LagrangianSystem::relinearise(const Eigen::VectorXd& impulse) {
  if (!trouble_.empty() || impulse.isZero(0)) return 0;
  end_ = free_;
  end_.noalias() += inverse_ * impulse;
  expected_ = end_;
  if (!solve(impulse, end_)) return 0;
  free_ += end_ - expected_;
  expected_ -= end_;
  work_.noalias() = mass0_ * expected_;
  const double size = momentum0_.norm() + momentum1_.norm();
  return size > 0 ? work_.norm() / size : 0.0;
}

void LagrangianSystem::solve_metric(bool by_mass, Eigen::VectorXd& x) {
  if (!by_mass) return;
  model_->fill_mass(q_, tangent_);
  if (cholesky_.compute(tangent_)) cholesky_.solve(x);
}

void LagrangianSystem::correct(const Eigen::VectorXd& impulse) {
  impulse_ = impulse;
  moved_.setZero();
  if (trouble_.empty()) {
    v_ = free_;
    v_.noalias() += inverse_ * impulse;
    if (solve(impulse, v_)) {
      q_ = q1_;
      return;
    }
  }
  v_ = v0_;
  q_ = q0_;
  evaluate(v_);
}

SystemEnergy LagrangianSystem::audit() const {
  const double h = weights_.h;
  SystemEnergy energy;
  if (!trouble_.empty() || !(h > 0)) return energy;
  energy.kinetic = energy_of(mass1_, v_);
  energy.kinetic_change = energy.kinetic - energy_of(mass0_, v0_);
  energy.stored = energy_of(K_, q1_);
  energy.elastic = energy_of(K_, q0_) - energy.stored;
  const double theta = weights_.centred ? 0.5 : weights_.position_end / h;
  Eigen::VectorXd centre;
  if (weights_.centred) centre = 0.5 * (v_ + v0_);
  const Eigen::VectorXd& path = weights_.centred ? centre : path_;
  energy.forces = h * force_.dot(path);
  energy.damping = drag_.dot(path);
  energy.scheme =
      (0.5 - theta) * (v_ - v0_).dot(momentum1_ - momentum0_) + spring_.dot(path) - energy.elastic;
  if (weights_.centred) {
    energy.kinetic = energy_of(mass1_, path);
    energy.stored = energy_of(K_, q0_);
  }
  if (!moved_.isZero(0)) {
    Eigen::MatrixXd mass = mass1_;
    model_->fill_mass(q_, mass);
    const double end = energy_of(K_, q_), spring = energy.stored - end, force = force_.dot(moved_),
                 kinetic = energy_of(mass, v_) - energy.kinetic;
    energy.stored = end;
    energy.kinetic += kinetic, energy.kinetic_change += kinetic;
    energy.elastic += spring, energy.forces += force;
    energy.projection = kinetic - spring - force;
  }
  energy.momentum_defect = (residual_ - impulse_).norm();
  energy.momentum_scale =
      momentum0_.norm() + momentum1_.norm() + h * force_.norm() + impulse_.norm() + spring_.norm();
  return energy;
}

}  // namespace saltus
