// Solves the equations of motion of one part,
//
//     [ M    G ] [  v ]   [ rhs ]
//     [ G^T  0 ] [ -l ] = [ -c  ]
//
// by the cheapest factorisation that fits: diagonal, dense, or sparse; Cholesky when M is
// symmetric and there is no bilateral row, otherwise LU. Rows and columns are scaled to unit
// size first, so that what counts as singular does not depend on units.
#pragma once

#include "saltus/math/definite_factor.hpp"
#include "saltus/math/dense_factor.hpp"
#include "saltus/math/general_factor.hpp"
#include "saltus/solvers/dof_parts.hpp"

namespace saltus {

class PartInverse {
 public:
  PartInverse(const GlobalProblem& problem, const DofParts& parts) : problem_(problem), parts_(parts) {}

  // Throws InputError, naming a degree of freedom or bilateral row, when the part is singular.
  void factor(int part, bool symmetric);

  // Right-hand sides in, (v, -l) out: one column each, degrees of freedom and then bilateral rows.
  void solve(Eigen::MatrixXd& columns);

 private:
  enum class Method { diagonal, dense_cholesky, dense_lu, sparse_cholesky, sparse_lu };

  void scale();
  void factor_dense(bool symmetric);
  void factor_sparse(bool symmetric);
  [[noreturn]] void fail(Eigen::Index place) const;

  const GlobalProblem& problem_;
  const DofParts& parts_;
  int part_ = 0;
  Method method_ = Method::diagonal;
  std::vector<Eigen::Triplet<double, int>> entries_;  // of the matrix above, scaled
  Eigen::VectorXd scaling_;                           // the unknown is scaling * scaled unknown
  Eigen::MatrixXd dense_;
  DenseCholesky dense_cholesky_;
  DenseRankLu dense_lu_;
  DefiniteFactor sparse_cholesky_;
  GeneralFactor sparse_lu_;
  double sparse_norm_ = 0;  // largest column sum of the scaled matrix
};

}  // namespace saltus
