#include "saltus/fem/elasticity.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

void check_elasticity(const Elasticity& law, const std::string& where) {
  if (!(law.young > 0) || !std::isfinite(law.young))
    throw InputError(where, "Young's modulus", fmt::format("{}", law.young), "a number above 0");
  if (!(law.poisson > -1 && law.poisson < 0.5))
    throw InputError(where, "Poisson's ratio", fmt::format("{}", law.poisson),
                     "a number above -1, below 0.5");
}

Eigen::Matrix3d stiffness_of(const Elasticity& law) {
  const double nu = law.poisson, shear = law.young / (2 * (1 + nu));
  // Lame's first constant; in plane stress that of the plane, eps_zz eliminated.
  const double lame = law.young * nu / ((1 + nu) * (law.plane == PlaneState::strain ? 1 - 2 * nu : 1 - nu));
  Eigen::Matrix3d D = Eigen::Matrix3d::Zero();
  D.topLeftCorner<2, 2>().setConstant(lame);
  D(0, 0) += 2 * shear;
  D(1, 1) += 2 * shear;
  D(2, 2) = shear;
  return D;
}

}  // namespace saltus
