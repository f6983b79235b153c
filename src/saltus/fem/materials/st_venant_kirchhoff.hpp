// St Venant-Kirchhoff: linear elasticity between the second Piola-Kirchhoff stress and Green's strain.
//
//     E = (F^T F - I)/2,  S = lambda tr(E) I + 2 mu E,  P = F S
//
// For large rotations with small strains. Pressed to less than 1/sqrt(3) of its length it has no strength left.
#pragma once

#include "saltus/fem/material.hpp"
#include "saltus/fem/material_parameters.hpp"

namespace saltus {

class StVenantKirchhoff final : public Material {
 public:
  static constexpr const char* kName = "st-venant-kirchhoff";
  explicit StVenantKirchhoff(const MaterialParameters& parameters);  // young, Pa; poisson

  const char* name() const override { return kName; }
  bool takes(StrainMeasure measure) const override { return measure == StrainMeasure::finite; }
  ElasticModuli moduli() const override { return moduli_; }
  bool respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step, FiniteResponse& out) const override;

 private:
  ElasticModuli moduli_;
};

}  // namespace saltus
