// What a material may offer beside fem/material.hpp: to start with a stress.
#pragma once

#include "saltus/fem/material.hpp"

namespace saltus {

class StressedStart {
 public:
  virtual ~StressedStart() = default;
  // Internal variables where there is this Cauchy stress and no strain.
  virtual void start_stressed(StrainMeasure measure, const Vector6& stress, double* internal) const = 0;
};

}  // namespace saltus
