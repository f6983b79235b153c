// Functions of a symmetric 3 x 3 matrix through its eigenvalues, and how they change with it.
//
//     f(b) = sum f(b_k) n_k n_k^T;   in these axes df_ij = (f(b_i) - f(b_j))/(b_i - b_j) db_ij, f' where they are equal
#pragma once

#include <Eigen/Core>

namespace saltus {

struct Spectral {
  explicit Spectral(const Eigen::Matrix3d& symmetric);

  Eigen::Matrix3d exp() const;
  Eigen::Matrix3d log() const;                                       // eigenvalues above 0
  Eigen::Matrix3d sqrt() const;                                      // the same
  Eigen::Matrix3d log_change(const Eigen::Matrix3d& change) const;   // of log(b) for a change of b
  Eigen::Matrix3d sqrt_change(const Eigen::Matrix3d& change) const;  // of sqrt(b)

  Eigen::Vector3d values;   // ascending
  Eigen::Matrix3d vectors;  // a column each
};

// R of F = R U, U symmetric and positive, det F > 0.
Eigen::Matrix3d rotation_of(const Eigen::Matrix3d& F);

}  // namespace saltus
