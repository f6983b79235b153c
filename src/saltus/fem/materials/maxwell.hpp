// Maxwell's viscoelastic fluid (Jean 1995, 5.1): the deviator relaxes, the volume is elastic.
//
//     sigma* = 2 mu D + lambda tr(D) I - (mu/viscosity) dev(sigma)         relaxation time viscosity/mu
//
// sigma* is Green and Naghdi's rate: the law is integrated in axes that turn with R of F = R U, on R^T sigma R, with the rate of
// deformation of the step taken in the middle, sym(2 (U1 - U0)(U1 + U0)^-1)/h. In finite strain sigma stands for the Kirchhoff
// stress, J times Cauchy's, with which energy is accounted for exactly (J is 1 up to elastic changes of volume). The integral over
// a step is exact for a constant rate of deformation, hence stable and right for any duration: long against the relaxation
// time it is a viscous fluid, short an elastic body.
// Remembers the stress, and the strain (small: eps; finite: U).
#pragma once

#include "saltus/fem/material.hpp"
#include "saltus/fem/material_parameters.hpp"
#include "saltus/fem/stressed_start.hpp"

namespace saltus {

class Maxwell final : public Material, public StressedStart {
 public:
  static constexpr const char* kName = "maxwell";
  explicit Maxwell(const MaterialParameters& parameters);  // young, Pa; poisson; viscosity, Pa s

  const char* name() const override { return kName; }
  bool takes(StrainMeasure) const override { return true; }
  bool has_symmetric_tangent(StrainMeasure measure) const override { return measure == StrainMeasure::small; }
  ElasticModuli moduli() const override { return moduli_; }
  int internal_count(StrainMeasure) const override { return 12; }
  void start(StrainMeasure measure, double* internal) const override;
  void start_stressed(StrainMeasure measure, const Vector6& stress, double* internal) const override;
  bool respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const override;
  bool respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step, FiniteResponse& out) const override;

 private:
  // Stress and energies after the strain `change` in `duration`; the moduli that are left of it.
  ElasticModuli relax(const Vector6& before, const Vector6& change, double duration, Vector6& stress,
                      MaterialEnergies& energy) const;

  ElasticModuli moduli_;
  double viscosity_;
};

}  // namespace saltus
