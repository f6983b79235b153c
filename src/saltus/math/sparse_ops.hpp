// Sparse matrix times vector without a vector of Eigen's own on the heap. An empty matrix is zero.
#pragma once

#include <Eigen/SparseCore>
#include <utility>

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

// x . matrix x/2 and y . matrix y/2, in one reading of the matrix.
inline std::pair<double, double> half_squares(const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& x,
                                              const Eigen::VectorXd& y) {
  double twice_x = 0, twice_y = 0;
  for (int k = 0; k < matrix.outerSize(); ++k) {
    double column_x = 0, column_y = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, k); it; ++it) {
      column_x += it.value() * x[it.row()];
      column_y += it.value() * y[it.row()];
    }
    twice_x += column_x * x[k];
    twice_y += column_y * y[k];
  }
  return {0.5 * twice_x, 0.5 * twice_y};
}
// x . matrix x/2
inline double half_square(const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& x) {
  double twice = 0;
  for (int k = 0; k < matrix.outerSize(); ++k) {
    double column = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, k); it; ++it) column += it.value() * x[it.row()];
    twice += column * x[k];
  }
  return 0.5 * twice;
}

}  // namespace saltus
