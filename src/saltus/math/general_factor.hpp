// Factor L U of a sparse matrix that is not symmetric (UMFPACK), ordered once for a pattern.
#pragma once

#include <Eigen/SparseCore>
#include <memory>

namespace saltus {

class GeneralFactor {
 public:
  using Sparse = Eigen::SparseMatrix<double>;

  GeneralFactor();
  ~GeneralFactor();
  GeneralFactor(GeneralFactor&&) noexcept;
  GeneralFactor& operator=(GeneralFactor&&) noexcept;

  // False: singular, or not finite; there is nothing to solve with then. Pivots of the size of round-off pass.
  bool compute(Sparse matrix);

  // Of a vector, and of each column.
  Eigen::VectorXd solve(const Eigen::VectorXd& x) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& x) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace saltus
