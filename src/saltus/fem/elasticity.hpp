// Linear isotropic elasticity of a plane body, in small strains. Voigt's order: (xx, yy, xy), with the shear
// strain gamma = 2 eps_xy.
#pragma once

#include <Eigen/Core>
#include <string>

namespace saltus {

enum class PlaneState { strain, stress };  // no strain, or no stress, out of the plane

struct Elasticity {
  double young = 1;    // Pa
  double poisson = 0;  // -1 < nu < 1/2
  PlaneState plane = PlaneState::strain;
};

// Throws InputError, opened by `where`: a modulus that is not positive, nu out of range.
void check_elasticity(const Elasticity& law, const std::string& where);

// D of sigma = D eps.
Eigen::Matrix3d stiffness_of(const Elasticity& law);

}  // namespace saltus
