// Factors and eigenvalues of dense matrices of any size: Eigen's, compiled once, for they take seconds wherever they are used.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/QR>

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

// L U with pivots from the whole matrix, which tell its rank.
class DenseRankLu {
 public:
  void compute(const Eigen::MatrixXd& A);
  bool is_invertible() const;
  Eigen::VectorXd some_null_vector() const;  // of a matrix that is not invertible
  void solve(Eigen::MatrixXd& columns) const;

 private:
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
};

// L L^T of a symmetric, positive definite matrix.
class DenseCholesky {
 public:
  DenseCholesky() = default;
  explicit DenseCholesky(const Eigen::MatrixXd& A) { compute(A); }
  bool compute(const Eigen::MatrixXd& A);  // false where A is not positive definite
  bool is_definite() const { return llt_.info() == Eigen::Success; }
  double least_pivot() const;  // smallest squared diagonal entry of L
  void solve(Eigen::VectorXd& x) const;
  void solve(Eigen::MatrixXd& columns) const;
  Eigen::VectorXd solved(Eigen::VectorXd x) const;
  void fill_inverse(Eigen::MatrixXd& inverse) const;  // takes no memory where it has its size

 private:
  Eigen::LLT<Eigen::MatrixXd> llt_;
};

// Of any shape and rank, by rotations and pivots: x nearest to a solution of A x = b, and among these the shortest.
class DenseLeastNorm {
 public:
  // Pivots below the threshold times the largest are none; 0: what round-off leaves.
  void compute(const Eigen::MatrixXd& A, double rank_threshold = 0);
  Eigen::Index rank() const { return factor_.rank(); }
  Eigen::VectorXd solved(const Eigen::VectorXd& b) const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
};

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& A);

// x with A x = b, A symmetric and semidefinite.
Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// x with the least |A x - b|: A has at least as many rows as columns, and full rank.
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// X with the least |A X - 1|: A has at least as many rows as columns, and full rank.
Eigen::MatrixXd least_squares_inverse(const Eigen::MatrixXd& A);

// Ascending, of a symmetric matrix (its lower triangle is read); empty where it is not finite.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);
// The same, with its unit eigenvectors as columns.
Eigen::VectorXd symmetric_axes(const Eigen::MatrixXd& A, Eigen::MatrixXd& vectors);
// l with A x = l M x, ascending; A symmetric, M symmetric and positive definite. Empty where M is not, or a matrix is not finite.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A, const Eigen::MatrixXd& M);

}  // namespace saltus
