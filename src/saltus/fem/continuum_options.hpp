// How the elements of a body are taken.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "saltus/fem/material.hpp"

namespace saltus {

struct ContinuumMaterial {
  std::shared_ptr<const Material> material;
  double density = 1000;  // kg/m3
};

// small: strain sym(grad u), forces where the body was at the start. corotational: linear elasticity in axes that turn
// with each element. finite: deformation gradients, total Lagrangian.
enum class Kinematics { small, corotational, finite };
enum class PlaneKind { strain, stress, axisymmetric };  // Dim 2; axisymmetric: about y, x is the radius

struct ContinuumOptions {
  Kinematics kinematics = Kinematics::small;
  PlaneKind plane = PlaneKind::strain;
  double thickness = 1;  // m; of plane strain and plane stress
  // q4 and h8 take the mean of the change of volume over the element, against locking. Not told: for plastic materials
  // and for nu above 0.4, except in plane stress, where nothing locks.
  std::optional<bool> mean_dilatation = {};
  std::string where = {};  // of error messages
};

}  // namespace saltus
