// Kelvin and Voigt: an elastic body and a viscous one side by side.
//
//     Cauchy stress = elastic + 2 viscosity dev(D) + bulk_viscosity tr(D) I        D rate of deformation, mean of the step
//
// Without bulk_viscosity it is 2/3 viscosity: the viscous stress is 2 viscosity D. Elastic part: linear in small strain,
// neo-Hookean in finite strain, where D = F^-T (dE/dt) F^-1, E Green's strain: no stress by rotation.
// Remembers the strain (eps or E) at the start of the step.
#pragma once

#include "saltus/fem/material.hpp"
#include "saltus/fem/material_parameters.hpp"

namespace saltus {

class KelvinVoigt final : public Material {
 public:
  static constexpr const char* kName = "kelvin-voigt";
  explicit KelvinVoigt(
      const MaterialParameters& parameters);  // young, Pa; poisson; viscosity, bulk_viscosity, Pa s

  const char* name() const override { return kName; }
  bool takes(StrainMeasure) const override { return true; }
  bool has_symmetric_tangent(StrainMeasure measure) const override { return measure == StrainMeasure::small; }
  ElasticModuli moduli() const override { return moduli_; }
  int internal_count(StrainMeasure) const override { return 6; }
  void start(StrainMeasure measure, double* internal) const override;
  bool respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const override;
  bool respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step, FiniteResponse& out) const override;

 private:
  ElasticModuli moduli_;
  ElasticModuli viscous_;  // Pa s: the viscous stress of D, written like elasticity
};

}  // namespace saltus
