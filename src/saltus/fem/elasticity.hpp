// Constants of linear isotropic elasticity of a plane body.
#pragma once

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

}  // namespace saltus
