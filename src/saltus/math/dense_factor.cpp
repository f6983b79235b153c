#include "saltus/math/dense_factor.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace saltus {

void DenseLu::compute(const Eigen::MatrixXd& A) { lu_.compute(A); }
void DenseLu::solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) const { x = lu_.solve(right); }
void DenseLu::solve(const Eigen::MatrixXd& right, Eigen::MatrixXd& x) const { x = lu_.solve(right); }
void DenseLu::fill_inverse(Eigen::MatrixXd& inverse) const { inverse = lu_.inverse(); }

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& A) { return A.inverse(); }

Eigen::MatrixXd least_squares_inverse(const Eigen::MatrixXd& A) {
  return A.colPivHouseholderQr().solve(Eigen::MatrixXd::Identity(A.rows(), A.rows()));
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? solver.eigenvalues() : Eigen::VectorXd();
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
