#include "saltus/solvers/part_inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr Eigen::Index kDenseLimit = 64;      // above, sparse factors win
constexpr Eigen::Index kExplainLimit = 3000;  // above, finding the row at fault would take minutes

constexpr const char* kRemedy = "; rows that repeat others are solved with fc solve --keep-bilateral";

}  // namespace

void PartInverse::fail(Eigen::Index place) const {
  const int dofs = parts_.dof_count(part_);
  if (place < dofs)
    throw InputError("M", fmt::format("the mass matrix is singular at degree of freedom {}",
                                      parts_.dofs[parts_.dof_begin[part_] + place]));
  throw InputError("G", fmt::format("bilateral row {} repeats or contradicts others{}",
                                    parts_.rows[parts_.row_begin[part_] + place - dofs], kRemedy));
}

void PartInverse::factor(int part, bool symmetric) {
  part_ = part;
  entries_.clear();
  bool diagonal = parts_.row_count(part) == 0;
  const int dofs = parts_.dof_count(part), size = dofs + parts_.row_count(part);
  for (int local = 0; local < dofs; ++local)
    for (Entry it(problem_.M, parts_.dofs[parts_.dof_begin[part] + local]); it; ++it) {
      const int row = parts_.local[it.row()];
      entries_.emplace_back(row, local, it.value());
      diagonal = diagonal && row == local;
    }
  for (int row = dofs; row < size; ++row)
    for (Entry it(problem_.G, parts_.rows[parts_.row_begin[part] + row - dofs]); it; ++it) {
      entries_.emplace_back(parts_.local[it.row()], row, it.value());
      entries_.emplace_back(row, parts_.local[it.row()], it.value());
    }
  scaling_.setZero(size);
  if (diagonal) {
    method_ = Method::diagonal;
    for (const auto& entry : entries_) scaling_[entry.row()] += entry.value();
    for (int i = 0; i < size; ++i)
      if (scaling_[i] == 0) fail(i);
    return;
  }
  scale();
  const bool cholesky = symmetric && size == dofs;
  size <= kDenseLimit ? factor_dense(cholesky) : factor_sparse(cholesky);
}

// Dofs by the root of their diagonal entry (which makes a positive definite matrix nearly as
// well conditioned as any diagonal scaling can, van der Sluis 1969), by that of the largest
// entry of the row where the diagonal is zero. Bilateral rows so that the largest entry of
// their scaled row of G is 1.
void PartInverse::scale() {
  const int dofs = parts_.dof_count(part_);
  for (const auto& entry : entries_)
    if (entry.row() == entry.col()) scaling_[entry.row()] += entry.value();
  scaling_ = scaling_.cwiseAbs();
  const Eigen::Array<bool, Eigen::Dynamic, 1> has_diagonal = scaling_.array() > 0;
  for (const auto& entry : entries_)
    if (entry.row() < dofs && entry.col() < dofs && !has_diagonal[entry.row()])
      scaling_[entry.row()] = std::max(scaling_[entry.row()], std::abs(entry.value()));
  for (int i = 0; i < dofs; ++i) {
    if (scaling_[i] == 0) fail(i);
    scaling_[i] = 1 / std::sqrt(scaling_[i]);
  }
  for (const auto& entry : entries_)
    if (entry.row() >= dofs)
      scaling_[entry.row()] =
          std::max(scaling_[entry.row()], std::abs(entry.value()) * scaling_[entry.col()]);
  for (Eigen::Index i = dofs; i < scaling_.size(); ++i) scaling_[i] = 1 / scaling_[i];
  for (auto& entry : entries_)
    entry = {entry.row(), entry.col(), entry.value() * scaling_[entry.row()] * scaling_[entry.col()]};
}

void PartInverse::factor_dense(bool symmetric) {
  const Eigen::Index size = scaling_.size();
  dense_.setZero(size, size);
  for (const auto& entry : entries_) dense_(entry.row(), entry.col()) += entry.value();
  if (symmetric) {
    method_ = Method::dense_cholesky;
    if (dense_cholesky_.compute(dense_) && dense_cholesky_.least_pivot() > double(size) * kEpsilon) return;
  }
  method_ = Method::dense_lu;
  dense_lu_.compute(dense_);
  if (dense_lu_.is_invertible()) return;
  Eigen::Index place = 0;
  dense_lu_.some_null_vector().cwiseAbs().maxCoeff(&place);
  fail(place);
}

void PartInverse::factor_sparse(bool symmetric) {
  const Eigen::Index size = scaling_.size();
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries_.begin(), entries_.end());
  sparse_norm_ = 0;
  for (int j = 0; j < matrix.outerSize(); ++j)
    sparse_norm_ = std::max(sparse_norm_, matrix.col(j).cwiseAbs().sum());
  if (symmetric) {
    method_ = Method::sparse_cholesky;
    sparse_cholesky_.analyse(matrix);
    if (sparse_cholesky_.factor(matrix, double(size) * kEpsilon)) return;
  }
  method_ = Method::sparse_lu;
  if (sparse_lu_.compute(std::move(matrix))) return;
  if (size > kExplainLimit)
    throw InputError(
        "M, G", std::string("the mass matrix is singular, or a bilateral row repeats or contradicts others") +
                    kRemedy);
  factor_dense(false);  // with pivots from the whole matrix it finds the row at fault, or that there is none
}

void PartInverse::solve(Eigen::MatrixXd& columns) {
  if (method_ == Method::diagonal) {
    columns.array().colwise() /= scaling_.array();
    return;
  }
  columns.array().colwise() *= scaling_.array();
  switch (method_) {
    case Method::dense_cholesky: dense_cholesky_.solve(columns); break;
    case Method::dense_lu: dense_lu_.solve(columns); break;
    case Method::sparse_cholesky: sparse_cholesky_.solve(columns); break;
    default: {
      const double before = columns.cwiseAbs().maxCoeff();
      columns = sparse_lu_.solve(columns);
      // Sparse LU passes pivots of round-off size; a growth beyond 1 / eps gives them away.
      Eigen::Index place = 0, column = 0;
      const double after = columns.cwiseAbs().maxCoeff(&place, &column);
      if (!(after * sparse_norm_ * kEpsilon < before) && before > 0) fail(place);
    }
  }
  columns.array().colwise() *= scaling_.array();
}

}  // namespace saltus
