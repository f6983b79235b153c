#include "saltus/fclib/fc_entries.hpp"

#include <fmt/format.h>

#include <cmath>

namespace saltus {

namespace {

template <int Order>
Eigen::SparseMatrix<double, Order> compress(const FcEntries& matrix) {
  Eigen::SparseMatrix<double, Order> result(matrix.rows, matrix.cols);
  result.setFromTriplets(matrix.entries.begin(), matrix.entries.end());
  result.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0; });
  return result;
}

double compute_asymmetry(const Eigen::SparseMatrix<double>& matrix) {
  const Eigen::SparseMatrix<double> transpose = matrix.transpose();
  const Eigen::SparseMatrix<double> difference = matrix - transpose;
  if (matrix.nonZeros() == 0) return 0;
  return difference.coeffs().cwiseAbs().maxCoeff() / matrix.coeffs().cwiseAbs().maxCoeff();
}

}  // namespace

Eigen::SparseMatrix<double> build_sparse(const FcEntries& matrix) {
  return compress<Eigen::ColMajor>(matrix);
}

BlockMatrix build_block_matrix(const FcEntries& matrix, int block) {
  return build_block_matrix(compress<Eigen::RowMajor>(matrix), block);
}

std::optional<ConeKind> find_cone(std::int64_t block, bool rolling) {
  for (const ConeKind kind :
       {ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_2d, ConeKind::rolling_3d})
    if (block_size(kind) == block && is_rolling(kind) == rolling) return kind;
  return {};
}

void warn_if_asymmetric(const std::string& where, FcProblemFile& file) {
  const auto* local = std::get_if<ContactProblem>(&file.problem);
  const double asymmetry =
      local ? compute_asymmetry(local->W) : compute_asymmetry(std::get<GlobalProblem>(file.problem).M);
  if (asymmetry > kAsymmetryThreshold)
    file.warnings.push_back(fmt::format("{}: {} is not symmetric: max |A - A^T| / max |A| = {:.3g}", where,
                                        local ? "W" : "M", asymmetry));
}

}  // namespace saltus
