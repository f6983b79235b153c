// Degrees of freedom of a rigid body as scenes call them, in the order of dynamics/drive.hpp.
#pragma once

namespace saltus {

template <int Dim>
constexpr const char* dof_name(int dof) {
  constexpr const char* kPlane[] = {"x", "y", "rz"};
  constexpr const char* kSpace[] = {"x", "y", "z", "rx", "ry", "rz"};
  return Dim == 2 ? kPlane[dof] : kSpace[dof];
}

}  // namespace saltus
