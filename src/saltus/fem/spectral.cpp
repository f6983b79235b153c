#include "saltus/fem/spectral.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace saltus {

namespace {

template <class Ratio>
Eigen::Matrix3d change_in_axes(const Eigen::Matrix3d& vectors, const Eigen::Matrix3d& change,
                               const Ratio& ratio) {
  Eigen::Matrix3d inside = vectors.transpose() * change * vectors;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) inside(i, j) *= ratio(i, j);
  return vectors * inside * vectors.transpose();
}

}  // namespace

Spectral::Spectral(const Eigen::Matrix3d& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(symmetric);
  values = solver.eigenvalues();
  vectors = solver.eigenvectors();
}

Eigen::Matrix3d Spectral::exp() const {
  return vectors * values.array().exp().matrix().asDiagonal() * vectors.transpose();
}
Eigen::Matrix3d Spectral::log() const {
  return vectors * values.array().log().matrix().asDiagonal() * vectors.transpose();
}
Eigen::Matrix3d Spectral::sqrt() const {
  return vectors * values.array().sqrt().matrix().asDiagonal() * vectors.transpose();
}

Eigen::Matrix3d Spectral::log_change(const Eigen::Matrix3d& change) const {
  return change_in_axes(vectors, change, [this](int i, int j) {
    const double relative = (values[i] - values[j]) / values[j];  // log1p is exact where they nearly agree
    return (relative == 0 ? 1 : std::log1p(relative) / relative) / values[j];
  });
}

Eigen::Matrix3d Spectral::sqrt_change(const Eigen::Matrix3d& change) const {
  return change_in_axes(vectors, change,
                        [this](int i, int j) { return 1 / (std::sqrt(values[i]) + std::sqrt(values[j])); });
}

Eigen::Matrix3d rotation_of(const Eigen::Matrix3d& F) {
  return F * Spectral(F.transpose() * F).sqrt().inverse();
}

}  // namespace saltus
