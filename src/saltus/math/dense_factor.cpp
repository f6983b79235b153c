#include "saltus/math/dense_factor.hpp"

#include <Eigen/Eigenvalues>

namespace saltus {

void DenseLu::compute(const Eigen::MatrixXd& A) { lu_.compute(A); }
void DenseLu::solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) const { x = lu_.solve(right); }
void DenseLu::solve(const Eigen::MatrixXd& right, Eigen::MatrixXd& x) const { x = lu_.solve(right); }
void DenseLu::fill_inverse(Eigen::MatrixXd& inverse) const { inverse = lu_.inverse(); }

void DenseRankLu::compute(const Eigen::MatrixXd& A) { lu_.compute(A); }
bool DenseRankLu::is_invertible() const { return lu_.isInvertible(); }
Eigen::VectorXd DenseRankLu::some_null_vector() const { return lu_.kernel().col(0); }
void DenseRankLu::solve(Eigen::MatrixXd& columns) const { columns = lu_.solve(columns); }

bool DenseCholesky::compute(const Eigen::MatrixXd& A) {
  llt_.compute(A);
  return is_definite();
}
double DenseCholesky::least_pivot() const { return llt_.matrixLLT().diagonal().cwiseAbs2().minCoeff(); }
void DenseCholesky::solve(Eigen::VectorXd& x) const { llt_.solveInPlace(x); }
void DenseCholesky::solve(Eigen::MatrixXd& columns) const { llt_.solveInPlace(columns); }
Eigen::VectorXd DenseCholesky::solved(Eigen::VectorXd x) const {
  solve(x);
  return x;
}
void DenseCholesky::fill_inverse(Eigen::MatrixXd& inverse) const {
  inverse.setIdentity(llt_.rows(), llt_.cols());
  // Column by column: a solve of many at once takes memory of the heap.
  for (Eigen::Index j = 0; j < inverse.cols(); ++j) {
    auto column = inverse.col(j);
    llt_.matrixL().solveInPlace(column);
    llt_.matrixU().solveInPlace(column);
  }
}

void DenseLeastNorm::compute(const Eigen::MatrixXd& A, double rank_threshold) {
  rank_threshold > 0 ? factor_.setThreshold(rank_threshold) : factor_.setThreshold(Eigen::Default);
  factor_.compute(A);
}
Eigen::VectorXd DenseLeastNorm::solved(const Eigen::VectorXd& b) const { return factor_.solve(b); }

Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) { return A.ldlt().solve(b); }

Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.householderQr().solve(b);
}

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& A) { return A.inverse(); }

Eigen::MatrixXd least_squares_inverse(const Eigen::MatrixXd& A) {
  return A.colPivHouseholderQr().solve(Eigen::MatrixXd::Identity(A.rows(), A.rows()));
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? solver.eigenvalues() : Eigen::VectorXd();
}

Eigen::VectorXd symmetric_axes(const Eigen::MatrixXd& A, Eigen::MatrixXd& vectors) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) return {};
  vectors = solver.eigenvectors();
  return solver.eigenvalues();
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A, const Eigen::MatrixXd& M) {
  // L^-1 A L^-T with M = L L^T has the same eigenvalues.
  const Eigen::LLT<Eigen::MatrixXd> factor(M);
  if (factor.info() != Eigen::Success) return {};
  Eigen::MatrixXd turned = A;
  factor.matrixL().solveInPlace(turned);
  turned.transposeInPlace();
  factor.matrixL().solveInPlace(turned);
  return symmetric_eigenvalues(turned);
}

}  // namespace saltus
