#include "saltus/fem/material.hpp"

#include <Eigen/LU>

namespace saltus {

bool Material::respond_small(const Vector6&, const MaterialStep&, SmallResponse&) const { return false; }
bool Material::respond_finite(const Eigen::Matrix3d&, const MaterialStep&, FiniteResponse&) const {
  return false;
}

Eigen::Matrix3d cauchy_stress(const Eigen::Matrix3d& P, const Eigen::Matrix3d& F) {
  return P * F.transpose() / F.determinant();
}

}  // namespace saltus
