#include "saltus/fem/t3.hpp"

namespace saltus {

T3::T3(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  const Eigen::Vector2d ab = b - a, ac = c - a;
  area_ = 0.5 * (ab.x() * ac.y() - ab.y() * ac.x());
  // grad N_i: the side across from node i, turned inwards, over twice the area.
  const Eigen::Vector2d sides[3] = {c - b, a - c, b - a};
  for (int i = 0; i < 3; ++i) gradients_.col(i) = Eigen::Vector2d(-sides[i].y(), sides[i].x()) / (2 * area_);
}

Eigen::Matrix<double, 3, 6> T3::strain_operator() const {
  Eigen::Matrix<double, 3, 6> B = Eigen::Matrix<double, 3, 6>::Zero();
  for (int i = 0; i < 3; ++i) {
    const double dx = gradients_(0, i), dy = gradients_(1, i);
    B(0, 2 * i) = B(2, 2 * i + 1) = dx;
    B(1, 2 * i + 1) = B(2, 2 * i) = dy;
  }
  return B;
}

T3::Matrix T3::stiffness(const Eigen::Matrix3d& D, double thickness) const {
  const Eigen::Matrix<double, 3, 6> B = strain_operator();
  return area_ * thickness * B.transpose() * D * B;
}

T3::Matrix T3::consistent_mass(double density, double thickness) const {
  const double unit = density * area_ * thickness / 12;
  Matrix m = Matrix::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m.block<2, 2>(2 * i, 2 * j).diagonal().setConstant(i == j ? 2 * unit : unit);
  return m;
}

double T3::lumped_mass(double density, double thickness) const { return density * area_ * thickness / 3; }

Eigen::Matrix2d T3::displacement_gradient(const Displacements& u) const {
  return Eigen::Map<const Eigen::Matrix<double, 2, 3>>(u.data()) * gradients_.transpose();
}

Eigen::Vector3d T3::stress(const Eigen::Matrix3d& D, const Displacements& u) const {
  return D * (strain_operator() * u);
}

}  // namespace saltus
