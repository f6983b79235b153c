// Factors and eigenvalues of dense matrices of any size: Eigen's, compiled once, for they take seconds wherever they are used.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

namespace saltus {

// L U with row pivots. Not finite results where the matrix is singular.
class DenseLu {
 public:
  void compute(const Eigen::MatrixXd& A);
  // x with A x = right, of a vector, and of each column; both may be the same vector.
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) const;
  void solve(const Eigen::MatrixXd& right, Eigen::MatrixXd& x) const;
  void fill_inverse(Eigen::MatrixXd& inverse) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& A);

// X with the least |A X - 1|: A has at least as many rows as columns, and full rank.
Eigen::MatrixXd least_squares_inverse(const Eigen::MatrixXd& A);

// Ascending, of a symmetric matrix (its lower triangle is read); empty where it is not finite.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);
// l with A x = l M x, ascending; A symmetric, M symmetric and positive definite. Empty where M is not, or a matrix is not finite.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A, const Eigen::MatrixXd& M);

}  // namespace saltus
