// Compressible neo-Hookean rubber (Simo and Hughes; Bonet and Wood):
//
//     W = mu/2 (tr(F^T F) - 3) - mu ln J + lambda/2 (ln J)^2,  P = mu (F - F^-T) + lambda ln J F^-T
#pragma once

#include "saltus/fem/material.hpp"
#include "saltus/fem/material_parameters.hpp"

namespace saltus {

bool respond_neo_hookean(const ElasticModuli& moduli, const Eigen::Matrix3d& F, bool want_tangent,
                         FiniteResponse& out);

class NeoHookean final : public Material {
 public:
  static constexpr const char* kName = "neo-hookean";
  explicit NeoHookean(const MaterialParameters& parameters);  // young, Pa; poisson: of small strains

  const char* name() const override { return kName; }
  bool takes(StrainMeasure measure) const override { return measure == StrainMeasure::finite; }
  ElasticModuli moduli() const override { return moduli_; }
  bool respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step,
                      FiniteResponse& out) const override {
    return respond_neo_hookean(moduli_, F, step.want_tangent, out);
  }

 private:
  ElasticModuli moduli_;
};

}  // namespace saltus
