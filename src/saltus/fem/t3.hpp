// The triangle of three nodes: displacements are linear in it, strains and stresses constant. Degrees of freedom
// in the order (x, y) of the first node, of the second, of the third.
//
//     N_i(x) = 1 at node i, 0 at the two others        grad u = sum_i u_i (grad N_i)^T
//     k = A t B^T D B                                   B eps_i: strain per displacement, Voigt's order
//     m_ij = rho A t (1 + delta_ij)/12                  consistent; lumped: rho A t/3 at each node
#pragma once

#include <Eigen/Core>

namespace saltus {

class T3 {
 public:
  using Matrix = Eigen::Matrix<double, 6, 6>;
  using Displacements = Eigen::Matrix<double, 6, 1>;

  // Nodes counter-clockwise, or the area is negative and nothing else means anything.
  T3(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c);

  double area() const { return area_; }                                              // m2
  const Eigen::Matrix<double, 2, 3>& shape_gradients() const { return gradients_; }  // a column per node, 1/m

  Matrix stiffness(const Eigen::Matrix3d& D, double thickness) const;
  Matrix consistent_mass(double density, double thickness) const;
  double lumped_mass(double density, double thickness) const;  // at each node, in both directions

  Eigen::Matrix2d displacement_gradient(const Displacements& u) const;  // (i, j): du_i/dx_j
  Eigen::Vector3d stress(const Eigen::Matrix3d& D, const Displacements& u) const;

 private:
  Eigen::Matrix<double, 3, 6> strain_operator() const;  // B

  double area_;
  Eigen::Matrix<double, 2, 3> gradients_;
};

}  // namespace saltus
