// Sparse matrix times vector without a vector of Eigen's own on the heap. An empty matrix is zero.
#pragma once

#include <Eigen/SparseCore>

namespace saltus {

// y += factor matrix x
inline void add_product(double factor, const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& x,
                        Eigen::VectorXd& y) {
  for (int k = 0; k < matrix.outerSize(); ++k) {
    const double scaled = factor * x[k];
    if (scaled == 0) continue;
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, k); it; ++it) y[it.row()] += it.value() * scaled;
  }
}

// x . matrix x/2
inline double half_square(const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& x) {
  double twice = 0;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, k); it; ++it) twice += x[it.row()] * it.value() * x[k];
  return 0.5 * twice;
}

}  // namespace saltus
