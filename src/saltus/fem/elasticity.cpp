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

}  // namespace saltus
