// One straight element between two nodes: a bar, a string or a beam, for rotations of any size.
//
// Beam. s is the vector between the nodes, R1 and R2 the axes of the sections at its ends (those of the element without
// deformation, turned as the nodes are), exp(psi) = R1^T R2 and Rm = R1 exp(psi/2) the axes half way:
//
//     g = Rm^T s/L,   N = C_N (g - e1) + (T, 0, 0),   M = C_M psi/L,   energy L/2 ((g - e1).(N + (T, 0, 0)) + (psi/L).M)
//     C_N = (E A, c2, c3),   C_M = (G J, E I_side, E I),   1/c2 = L^2/(12 E I) + 1/(k G A)
//
// One point with the residual bending flexibility L^2/(12 E I) in shear (MacNeal 1978): for small displacements this is the
// stiffness of Hermite's cubic beam exactly (Timoshenko's where k > 0), and strains of rigid motions are zero to round-off
// whatever their size. With sigma_i = Rm^T (spin of node i), A = a I + (1 - a) n n^T, a = (x/2)/sin(x/2), x = |psi|,
// c = tan(x/4)/(2 x):
//
//     d psi = A (sigma2 - sigma1),   axes half way turn by (sigma1 + sigma2)/2 - c psi x (sigma2 - sigma1)
//     forces  -/+ Rm N,   moments  Rm (t/2 -/+ (A M - c t x psi)),   t = L N x g
//
// Bar: N = E A (|s| - L)/L + T along s. String: the same where that is a pull, else 0.
#pragma once

#include <Eigen/Geometry>

#include "saltus/fem/beam_section.hpp"

namespace saltus {

enum class LineKind { beam, bar, string };

struct BeamElement {
  LineKind kind = LineKind::beam;
  double length = 0;                                            // m, without deformation
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();           // columns 1, 2, 3
  Eigen::Vector3d normal_stiffness = Eigen::Vector3d::Zero();   // C_N, N
  Eigen::Vector3d bending_stiffness = Eigen::Vector3d::Zero();  // C_M, N m2
  double tension = 0;                                           // T, N
};

BeamElement build_beam_element(LineKind kind, const BeamSection& section, const Eigen::Vector3d& from,
                               const Eigen::Vector3d& to, const Eigen::Vector3d& up);

// Forces on what the element is: -(force), m1 at the first node and force, m2 at the second, in world axes.
struct BeamForces {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), m1 = Eigen::Vector3d::Zero(), m2 = Eigen::Vector3d::Zero();
  double stored = 0;  // J
  Eigen::Vector3d section_force = Eigen::Vector3d::Zero(),
                  section_moment = Eigen::Vector3d::Zero();  // N, M half way
  Eigen::Vector3d moment_change =
      Eigen::Vector3d::Zero();  // of the section's, from the first node to the second
  Eigen::Vector3d moment_at(double share) const { return section_moment + (share - 0.5) * moment_change; }
  // Derivatives (rows: force, m1, m2) in s and in the spins of the nodes.
  Eigen::Matrix<double, 9, 9> tangent = Eigen::Matrix<double, 9, 9>::Zero();
};

// `s` from node to node; rotations of the nodes from where they are without deformation. False: the element has shrunk to a
// point, or its ends are turned against each other by half a turn.
bool evaluate_beam(const BeamElement& element, const Eigen::Vector3d& s, const Eigen::Quaterniond& turn1,
                   const Eigen::Quaterniond& turn2, bool with_tangent, BeamForces& forces);

}  // namespace saltus
