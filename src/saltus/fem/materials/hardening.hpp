// The yield stress over the accumulated plastic strain alpha. It never falls.
//
//     linear   yield + modulus alpha
//     swift    yield (1 + alpha/strain)^exponent
//     table    straight between (alpha, stress), constant beyond the last
#pragma once

#include <array>
#include <vector>

#include "saltus/fem/material_parameters.hpp"

namespace saltus {

class Hardening {
 public:
  // `yield` [Pa], and `hardening` [Pa] (0 without); or `swift_strain` and `swift_exponent`; or instead of all `hardening_table`,
  // pairs (plastic strain, yield stress [Pa]) from strain 0 on. InputError: as told in material_parameters.hpp.
  explicit Hardening(const MaterialParameters& parameters);

  double stress(double alpha) const;  // Pa
  double slope(double alpha) const;   // Pa
  double energy(double alpha) const;  // J/m3: integral of stress - yield
  double yield() const { return yield_; }

 private:
  std::size_t piece(double alpha) const;

  double yield_ = 0, modulus_ = 0;
  double strain_ = 0, exponent_ = 0;  // Swift, where strain_ > 0
  std::vector<std::array<double, 2>> table_;
};

}  // namespace saltus
