// Symmetric tensors as six numbers, all tensors as nine.
//
//     Voigt's order: xx, yy, zz, xy, yz, zx. Strains carry the shear angles gamma = 2 eps_xy, stresses do not,
//     so that their product is the work. In axial symmetry x, y, z are r, z, theta.
//     Nine: entry i + 3 j is component (i, j), as Eigen stores a 3 x 3 matrix.
#pragma once

#include <Eigen/Core>
#include <array>

namespace saltus {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector9 = Eigen::Matrix<double, 9, 1>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

inline constexpr std::array<int, 6> kVoigtRow = {0, 1, 2, 0, 1, 2};
inline constexpr std::array<int, 6> kVoigtColumn = {0, 1, 2, 1, 2, 0};
// Where in six numbers each of the nine is.
inline constexpr std::array<int, 9> kVoigtOfNine = {0, 3, 5, 3, 1, 4, 5, 4, 2};

inline Eigen::Matrix3d stress_tensor(const Vector6& s) {
  Eigen::Matrix3d m;
  m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return m;
}
inline Vector6 stress_voigt(const Eigen::Matrix3d& m) {  // of a symmetric m
  return {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(1, 2), m(2, 0)};
}
inline Eigen::Matrix3d strain_tensor(const Vector6& e) {
  Eigen::Matrix3d m;
  m << e[0], e[3] / 2, e[5] / 2, e[3] / 2, e[1], e[4] / 2, e[5] / 2, e[4] / 2, e[2];
  return m;
}
inline Vector6 strain_voigt(const Eigen::Matrix3d& m) {  // of the symmetric part of m
  return {m(0, 0), m(1, 1), m(2, 2), m(0, 1) + m(1, 0), m(1, 2) + m(2, 1), m(2, 0) + m(0, 2)};
}

// dsigma/dH of a stress that depends on sym(H): entries of C at both places of every shear.
inline void expand_tangent(const Matrix6& C, Matrix9& A) {
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 9; ++i) A(i, j) = C(kVoigtOfNine[i], kVoigtOfNine[j]);
}

}  // namespace saltus
