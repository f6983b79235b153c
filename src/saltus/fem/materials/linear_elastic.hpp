// Isotropic linear elasticity: sigma = lambda tr(eps) I + 2 mu eps, small strain.
#pragma once

#include "saltus/fem/material.hpp"
#include "saltus/fem/material_parameters.hpp"

namespace saltus {

Matrix6 elastic_tangent(const ElasticModuli& moduli);
Vector6 elastic_stress(const ElasticModuli& moduli, const Vector6& strain);

class LinearElastic final : public Material {
 public:
  static constexpr const char* kName = "linear-elastic";
  explicit LinearElastic(const MaterialParameters& parameters);  // young, Pa; poisson

  const char* name() const override { return kName; }
  bool takes(StrainMeasure measure) const override { return measure == StrainMeasure::small; }
  bool is_linear_elastic() const override { return true; }
  ElasticModuli moduli() const override { return moduli_; }
  bool respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const override;

 private:
  ElasticModuli moduli_;
};

}  // namespace saltus
