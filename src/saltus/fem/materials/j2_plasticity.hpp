// Elasto-plasticity of von Mises (J2) with isotropic hardening.
//
//     small    eps = eps_e + eps_p, radial return (radial_return.hpp); remembers eps_p (Voigt), alpha
//     finite   F = F_e F_p, Hencky's elasticity between the Kirchhoff stress and eps_e = 1/2 ln(F_e F_e^T); trial b_e = F Cp^-1 F^T
//              at the start's Cp, the same radial return in eps_e, b_e = exp(2 eps_e) at the end: the exponential map of
//              Weber and Anand, Simo 1992, which keeps plastic flow without change of volume; remembers Cp^-1 (Voigt), alpha
#pragma once

#include "saltus/fem/material.hpp"
#include "saltus/fem/materials/hardening.hpp"

namespace saltus {

class J2Plasticity final : public Material {
 public:
  static constexpr const char* kName = "j2-plasticity";
  explicit J2Plasticity(const MaterialParameters& parameters);  // young, Pa; poisson; those of Hardening

  const char* name() const override { return kName; }
  bool takes(StrainMeasure) const override { return true; }
  ElasticModuli moduli() const override { return moduli_; }
  bool is_plastic() const override { return true; }
  int internal_count(StrainMeasure) const override { return 7; }
  void start(StrainMeasure measure, double* internal) const override;
  bool respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const override;
  bool respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step, FiniteResponse& out) const override;
  double plastic_strain(StrainMeasure, const double* internal) const override { return internal[6]; }

 private:
  ElasticModuli moduli_;
  Hardening hardening_;
};

}  // namespace saltus
