#include "saltus/systems/kept_columns.hpp"

#include <algorithm>

namespace saltus {

void KeptColumns::reset(std::size_t size, std::span<const int> surface) {
  columns_.clear();
  columns_.resize(size);
  row_.assign(size, -1);
  surface_ = 0;
  for (const int dof : surface)
    if (row_[dof] < 0) row_[dof] = static_cast<int>(surface_++);
}

// Many at a time: the factor is read once for all of them.
void KeptColumns::add(const DefiniteFactor& factor, std::span<const int> free_dofs,
                      std::span<const int> dofs) {
  constexpr std::size_t kMany = 256;
  std::vector<int> place(columns_.size(), -1), missing;
  for (std::size_t i = 0; i < free_dofs.size(); ++i) place[free_dofs[i]] = static_cast<int>(i);
  for (const int dof : dofs)
    if (columns_[dof].empty()) {
      columns_[dof].assign(row_[dof] >= 0 ? surface_ : columns_.size(), 0.0);
      if (place[dof] >= 0) missing.push_back(dof);
    }
  Eigen::MatrixXd units;
  for (std::size_t first = 0; first < missing.size(); first += kMany) {
    const auto count = static_cast<Eigen::Index>(std::min(kMany, missing.size() - first));
    units.setZero(static_cast<Eigen::Index>(free_dofs.size()), count);
    for (Eigen::Index j = 0; j < count; ++j) units(place[missing[first + j]], j) = 1;
    factor.solve(units);
    for (Eigen::Index j = 0; j < count; ++j) {
      const int dof = missing[first + j];
      for (std::size_t i = 0; i < free_dofs.size(); ++i) {
        const int row = row_[dof] >= 0 ? row_[free_dofs[i]] : free_dofs[i];
        if (row >= 0) columns_[dof][row] = units(static_cast<Eigen::Index>(i), j);
      }
    }
  }
}

void KeptColumns::fill(const DefiniteFactor& factor, std::span<const int> free_dofs,
                       std::span<const int> dofs, Eigen::MatrixXd& inverse) {
  if (std::any_of(dofs.begin(), dofs.end(), [this](int dof) { return columns_[dof].empty(); }))
    add(factor, free_dofs, dofs);
  const auto count = static_cast<Eigen::Index>(dofs.size());
  inverse.resize(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const std::vector<double>& column = columns_[dofs[j]];
    for (Eigen::Index i = 0; i < count; ++i)
      inverse(i, j) = row_[dofs[j]] < 0   ? column[dofs[i]]
                      : row_[dofs[i]] < 0 ? columns_[dofs[i]][dofs[j]]
                                          : column[row_[dofs[i]]];
  }
}

std::size_t KeptColumns::numbers() const {
  std::size_t sum = 0;
  for (const std::vector<double>& column : columns_) sum += column.size();
  return sum;
}

}  // namespace saltus
