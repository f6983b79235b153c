#include "saltus/math/general_factor.hpp"

#include <Eigen/UmfPackSupport>
#include <algorithm>
#include <utility>

namespace saltus {

struct GeneralFactor::Factor {
  Sparse matrix;  // `lu` refers to it
  Eigen::UmfPackLU<Sparse> lu;

  bool has_pattern_of(const Sparse& other) const {
    return matrix.rows() == other.rows() && matrix.nonZeros() == other.nonZeros() &&
           std::equal(other.outerIndexPtr(), other.outerIndexPtr() + other.outerSize() + 1,
                      matrix.outerIndexPtr()) &&
           std::equal(other.innerIndexPtr(), other.innerIndexPtr() + other.nonZeros(),
                      matrix.innerIndexPtr());
  }
};

GeneralFactor::GeneralFactor() : factor_(std::make_unique<Factor>()) {}
GeneralFactor::~GeneralFactor() = default;
GeneralFactor::GeneralFactor(GeneralFactor&&) noexcept = default;
GeneralFactor& GeneralFactor::operator=(GeneralFactor&&) noexcept = default;

bool GeneralFactor::compute(Sparse matrix) {
  matrix.makeCompressed();
  const bool is_ordered = factor_->has_pattern_of(matrix);
  factor_->matrix = std::move(matrix);
  if (!is_ordered) {
    factor_->lu.analyzePattern(factor_->matrix);
    if (factor_->lu.info() != Eigen::Success) {
      factor_->matrix.resize(0, 0);
      return false;
    }
  }
  factor_->lu.factorize(factor_->matrix);
  return factor_->lu.info() == Eigen::Success;
}

Eigen::VectorXd GeneralFactor::solve(const Eigen::VectorXd& x) const { return factor_->lu.solve(x); }
Eigen::MatrixXd GeneralFactor::solve(const Eigen::MatrixXd& x) const { return factor_->lu.solve(x); }

}  // namespace saltus
