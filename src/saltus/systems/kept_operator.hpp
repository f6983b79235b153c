// A = sum of w_i S_i on the free degrees of freedom of a system, S_i the symmetric part of a sparse matrix whose pattern does not change,
// factored as L D L^T. Pattern, order and all memory are kept: only the first factor allocates.
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "saltus/math/sparse_ldl.hpp"

namespace saltus {

struct OperatorTerm {
  double weight;
  const Eigen::SparseMatrix<double>& matrix;  // none: of no rows
};

class KeptOperator {
 public:
  // `free`: the degrees of freedom that count, ascending. The same matrices in the same order in every call. False: A is not
  // positive definite.
  bool factor(std::span<const int> free, std::span<const OperatorTerm> terms);
  // x = A^-1 rhs where free, 0 elsewhere.
  void solve(std::span<const int> free, const Eigen::VectorXd& rhs, Eigen::VectorXd& x);

 private:
  void analyse(std::span<const int> free, std::span<const OperatorTerm> terms);

  std::vector<int> order_;                // row of A of each free degree of freedom
  std::vector<int> begin_, row_;          // columns of A, down to the diagonal
  std::vector<std::vector<int>> places_;  // of each term: of its entries in `value_`; -1: not free
  std::vector<double> value_, work_;
  SparseLdl ldl_;
};

}  // namespace saltus
