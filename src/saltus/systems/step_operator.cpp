#include "saltus/systems/step_operator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

StepOperator::StepOperator(const LinearModel& model, const Sparse& tangent,
                           const std::vector<char>& is_driven)
    : model_(&model) {
  free_place_.assign(is_driven.size(), -1);
  for (std::size_t i = 0; i < is_driven.size(); ++i)
    if (!is_driven[i]) {
      free_place_[i] = static_cast<int>(free_dofs_.size());
      free_dofs_.push_back(static_cast<int>(i));
    }
  std::vector<Eigen::Triplet<double>> entries;
  for (const Sparse* matrix : {&model.M, &model.C, &tangent})
    for (int k = 0; k < matrix->outerSize(); ++k)
      for (Sparse::InnerIterator it(*matrix, k); it; ++it) {
        const int a = free_place_[it.row()], b = free_place_[it.col()];
        if (a >= 0 && b >= 0) entries.emplace_back(std::max(a, b), std::min(a, b), 0.0);
      }
  const auto size = static_cast<Eigen::Index>(free_dofs_.size());
  lower_.resize(size, size);
  lower_.setFromTriplets(entries.begin(), entries.end());
  lower_.makeCompressed();
  mass_place_ = locate(model.M);
  damping_place_ = locate(model.C);
  tangent_place_ = locate(tangent);
}

std::vector<int> StepOperator::locate(const Sparse& matrix) const {
  std::vector<int> place;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (Sparse::InnerIterator it(matrix, k); it; ++it) {
      const int a = free_place_[it.row()], b = free_place_[it.col()];
      place.push_back(-1);
      if (a < 0 || b < 0) continue;
      const int column = std::min(a, b);
      const int* first = lower_.innerIndexPtr() + lower_.outerIndexPtr()[column];
      const int* last = lower_.innerIndexPtr() + lower_.outerIndexPtr()[column + 1];
      place.back() = static_cast<int>(std::lower_bound(first, last, std::max(a, b)) - lower_.innerIndexPtr());
    }
  return place;
}

void StepOperator::add(double weight, const Sparse& matrix, const std::vector<int>& place) {
  if (weight == 0) return;
  std::size_t n = 0;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (Sparse::InnerIterator it(matrix, k); it; ++it, ++n)
      if (place[n] >= 0)
        lower_.valuePtr()[place[n]] += (it.row() == it.col() ? 1.0 : 0.5) * weight * it.value();
}

void StepOperator::fill(double mass, double damping, double stiffness, const Sparse& tangent) {
  std::fill(lower_.valuePtr(), lower_.valuePtr() + lower_.nonZeros(), 0.0);
  add(mass, model_->M, mass_place_);
  add(damping, model_->C, damping_place_);
  add(stiffness, tangent, tangent_place_);
}

double* StepOperator::entry(int row, int column) {
  const int a = free_place_[row], b = free_place_[column];
  if (a < 0 || b < 0) return nullptr;
  const int* first = lower_.innerIndexPtr() + lower_.outerIndexPtr()[std::min(a, b)];
  const int* last = lower_.innerIndexPtr() + lower_.outerIndexPtr()[std::min(a, b) + 1];
  const int* at = std::lower_bound(first, last, std::max(a, b));
  return at != last && *at == std::max(a, b) ? lower_.valuePtr() + (at - lower_.innerIndexPtr()) : nullptr;
}

bool StepOperator::factorise_held(double mass, double damping, double stiffness, const Sparse& tangent,
                                  const Eigen::VectorXd& impulse, int entries, DefiniteFactor& factor) {
  struct Springs {
    double contacts, rows;  // of the largest entry of a node on the diagonal
  };
  constexpr Springs kSprings[] = {{1, 0}, {10, 0}, {100, 0}, {1, 0.01}, {1, 0.03}, {1, 0.1}, {1, 0.3}};
  if (free_dofs_.empty()) return true;
  fill(mass, damping, stiffness, tangent);
  without_springs_.assign(lower_.valuePtr(), lower_.valuePtr() + lower_.nonZeros());
  if (factor.rows() != lower_.rows()) factor.analyse(lower_);
  const bool touches = !impulse.isZero(0);
  for (const Springs& springs : kSprings) {
    if (!touches && springs.rows == 0) continue;
    std::copy(without_springs_.begin(), without_springs_.end(), lower_.valuePtr());
    for (int first = 0; first + entries <= impulse.size(); first += entries)
      add_springs(first, impulse.segment(first, entries), springs.contacts, springs.rows);
    if (factor.factor(lower_)) return true;
  }
  return false;
}

void StepOperator::add_springs(int first, const Eigen::VectorXd& impulse, double along, double everywhere) {
  const auto entries = static_cast<int>(impulse.size());
  const double size = impulse.squaredNorm();
  double stiffness = 0;
  for (int i = 0; i < entries; ++i)
    if (const double* value = entry(first + i, first + i)) stiffness = std::max(stiffness, std::abs(*value));
  for (int i = 0; i < entries; ++i)
    for (int j = 0; j <= i; ++j) {
      const double share =
          (size > 0 ? along * impulse[i] * impulse[j] / size : 0.0) + (i == j ? everywhere : 0.0);
      if (double* value = share != 0 ? entry(first + i, first + j) : nullptr) *value += stiffness * share;
    }
}

bool StepOperator::factorise(double mass, double damping, double stiffness, const Sparse& tangent,
                             DefiniteFactor& factor) {
  if (free_dofs_.empty()) return true;
  fill(mass, damping, stiffness, tangent);
  if (factor.rows() != lower_.rows()) factor.analyse(lower_);
  return factor.factor(lower_);
}

bool StepOperator::factorise(double mass, double damping, double stiffness, const Sparse& tangent,
                             std::span<const Eigen::Triplet<double>> others, GeneralFactor& factor) {
  if (free_dofs_.empty()) return true;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Eigen::Index row, Eigen::Index column, double value) {
    const int a = free_place_[row], b = free_place_[column];
    if (a >= 0 && b >= 0) entries.emplace_back(a, b, value);
  };
  const std::pair<double, const Sparse*> parts[] = {
      {mass, &model_->M}, {damping, &model_->C}, {stiffness, &tangent}};
  for (const auto& [weight, matrix] : parts)
    for (int k = 0; k < matrix->outerSize(); ++k)
      for (Sparse::InnerIterator it(*matrix, k); it; ++it) add(it.row(), it.col(), weight * it.value());
  for (const Eigen::Triplet<double>& other : others) add(other.row(), other.col(), other.value());
  Sparse whole(lower_.rows(), lower_.cols());
  whole.setFromTriplets(entries.begin(), entries.end());
  const Sparse symmetric = 0.5 * (whole + Sparse(whole.transpose()));
  if (symmetric_part_.rows() != symmetric.rows()) symmetric_part_.analyse(symmetric);
  return symmetric_part_.factor(symmetric) && factor.compute(std::move(whole));
}

void StepOperator::gather(const Eigen::VectorXd& impulse) {
  const auto size = static_cast<Eigen::Index>(free_dofs_.size());
  reduced_.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) reduced_[i] = impulse[free_dofs_[i]];
}

void StepOperator::scatter(Eigen::VectorXd& v) const {
  for (Eigen::Index i = 0; i < reduced_.size(); ++i) v[free_dofs_[i]] += reduced_[i];
}

void StepOperator::add_solution(const DefiniteFactor& factor, const Eigen::VectorXd& impulse,
                                Eigen::VectorXd& v) {
  if (free_dofs_.empty()) return;
  gather(impulse);
  factor.solve(reduced_);
  scatter(v);
}

void StepOperator::add_solution(const GeneralFactor& factor, const Eigen::VectorXd& impulse,
                                Eigen::VectorXd& v) {
  if (free_dofs_.empty()) return;
  gather(impulse);
  reduced_ = factor.solve(reduced_);
  scatter(v);
}

Eigen::MatrixXd StepOperator::inverse_between(const DefiniteFactor& factor, std::span<const int> dofs) {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(count, count);
  if (free_dofs_.empty()) return inverse;
  constexpr Eigen::Index kMany = 256;  // columns at a time
  Eigen::MatrixXd units;
  for (Eigen::Index first = 0; first < count; first += kMany) {
    const Eigen::Index width = std::min(kMany, count - first);
    units.setZero(static_cast<Eigen::Index>(free_dofs_.size()), width);
    for (Eigen::Index j = 0; j < width; ++j)
      if (const int place = free_place_[dofs[first + j]]; place >= 0) units(place, j) = 1;
    factor.solve(units);
    for (Eigen::Index j = 0; j < width; ++j)
      for (Eigen::Index i = 0; i < count; ++i)
        if (const int place = free_place_[dofs[i]]; place >= 0) inverse(i, first + j) = units(place, j);
  }
  return inverse;
}

void StepOperator::add_product(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (int k = 0; k < lower_.outerSize(); ++k)
    for (Sparse::InnerIterator it(lower_, k); it; ++it) {
      const int a = free_dofs_[it.row()], b = free_dofs_[k];
      y[a] += it.value() * x[b];
      if (a != b) y[b] += it.value() * x[a];
    }
}

}  // namespace saltus
