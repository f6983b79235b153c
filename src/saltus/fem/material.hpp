// The seam between elements and what they are made of. A material is asked at one quadrature point:
//
//     small strain    eps (Voigt)                   -> Cauchy stress sigma, C = dsigma/deps
//     finite strain   F, the deformation gradient   -> first Piola-Kirchhoff stress P, A = dP/dF
//
// always in space: plane strain and axial symmetry are deformations like others, plane stress is plane_stress.hpp.
// A material keeps nothing. What it remembers (internal variables, one row of numbers per point) is given at the start of the
// step and written at its end, so that a step can be tried again. How to add one: docs/elements.md.
#pragma once

#include "saltus/fem/voigt.hpp"

namespace saltus {

enum class StrainMeasure { small, finite };

// Densities, J per m3 of the body without deformation.
struct MaterialEnergies {
  double elastic = 0;    // stored and given back
  double hardening = 0;  // stored by plastic flow
  double plastic = 0;    // dissipated in the step, >= 0
  double viscous = 0;    // dissipated in the step, >= 0
};

struct MaterialStep {
  double duration = 0;             // s; 0: nothing viscous flows
  const double* before = nullptr;  // internal variables at the start of the step
  double* after = nullptr;         // at its end
  bool want_tangent = false;
};

struct SmallResponse {
  Vector6 stress;
  Matrix6 tangent;
  MaterialEnergies energy;
};

struct FiniteResponse {
  Eigen::Matrix3d stress;  // P
  Matrix9 tangent;         // A
  MaterialEnergies energy;
};

// Isotropic elasticity: sigma = lambda tr(eps) I + 2 mu eps.
struct ElasticModuli {
  double lambda = 0, mu = 0;  // Pa
  double poisson() const { return lambda / (2 * (lambda + mu)); }
  double bulk() const { return lambda + 2 * mu / 3; }
  double longitudinal() const { return lambda + 2 * mu; }
};
inline ElasticModuli moduli_of(double young, double poisson) {
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

class Material {
 public:
  virtual ~Material() = default;

  virtual const char* name() const = 0;
  virtual bool takes(StrainMeasure measure) const = 0;
  virtual bool has_symmetric_tangent(StrainMeasure) const { return true; }
  virtual ElasticModuli moduli() const = 0;                 // where the body is without stress
  virtual bool is_linear_elastic() const { return false; }  // sigma = C eps and nothing else
  virtual bool is_plastic() const { return false; }

  virtual int internal_count(StrainMeasure) const { return 0; }
  virtual void start(StrainMeasure, double* /*internal*/) const {}  // where the body is without stress

  // False: no answer (a return map that does not converge, F turned inside out). Only for measures it takes.
  virtual bool respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const;
  virtual bool respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step, FiniteResponse& out) const;

  // Accumulated plastic strain, of internal variables.
  virtual double plastic_strain(StrainMeasure, const double* /*internal*/) const { return 0; }
};

// The Cauchy stress of P at F: P F^T/det F.
Eigen::Matrix3d cauchy_stress(const Eigen::Matrix3d& P, const Eigen::Matrix3d& F);

}  // namespace saltus
