#include "saltus/fem/materials/kelvin_voigt.hpp"

#include <Eigen/LU>
#include <algorithm>

#include "saltus/fem/finite_tangent.hpp"
#include "saltus/fem/materials/linear_elastic.hpp"
#include "saltus/fem/materials/neo_hookean.hpp"

namespace saltus {

KelvinVoigt::KelvinVoigt(const MaterialParameters& parameters)
    : moduli_(moduli_of(parameters.positive("young"), parameters.poisson("poisson"))) {
  parameters.check_names(kName, {"young", "poisson", "viscosity", "bulk_viscosity"});
  viscous_.mu = parameters.positive("viscosity");
  const double bulk = parameters.not_negative("bulk_viscosity", 2 * viscous_.mu / 3);
  viscous_.lambda = bulk - 2 * viscous_.mu / 3;
}

void KelvinVoigt::start(StrainMeasure, double* internal) const { std::fill(internal, internal + 6, 0.0); }

bool KelvinVoigt::respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const {
  out.stress = elastic_stress(moduli_, strain);
  if (step.want_tangent) out.tangent = elastic_tangent(moduli_);
  out.energy = {.elastic = 0.5 * out.stress.dot(strain)};
  if (step.duration > 0) {
    const Vector6 change = strain - Eigen::Map<const Vector6>(step.before);
    const Vector6 viscous = elastic_stress(viscous_, change) / step.duration;
    out.stress += viscous;
    out.energy.viscous = std::max(0.0, viscous.dot(change));
    if (step.want_tangent) out.tangent += elastic_tangent(viscous_) / step.duration;
  }
  Eigen::Map<Vector6>(step.after) = strain;
  return true;
}

bool KelvinVoigt::respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step,
                                 FiniteResponse& out) const {
  if (!respond_neo_hookean(moduli_, F, step.want_tangent, out)) return false;
  const Eigen::Matrix3d C = F.transpose() * F, E = 0.5 * (C - Eigen::Matrix3d::Identity());
  const Vector6 strain = strain_voigt(E);
  if (step.duration > 0) {
    const Eigen::Matrix3d G = C.inverse();
    const Eigen::Matrix3d change = E - strain_tensor(Eigen::Map<const Vector6>(step.before));
    const double scale = F.determinant() / step.duration, lambda = viscous_.lambda, mu = viscous_.mu;
    // S = J/h (2 mu G dE G + lambda (G : dE) G), G = C^-1
    const Eigen::Matrix3d turned = G * change * G;
    const double trace = G.cwiseProduct(change).sum();
    const Eigen::Matrix3d S = scale * (2 * mu * turned + lambda * trace * G);
    out.stress += F * S;
    out.energy.viscous = std::max(0.0, S.cwiseProduct(change).sum());
    if (step.want_tangent) {
      Matrix9 A;
      fill_finite_tangent(
          [&](const Eigen::Matrix3d& dF) -> Eigen::Matrix3d {
            const Eigen::Matrix3d half = 0.5 * F.transpose() * dF, dE = half + half.transpose(),
                                  dG = -2 * G * dE * G;
            const double d_trace = dG.cwiseProduct(change).sum() + G.cwiseProduct(dE).sum();
            const Eigen::Matrix3d dS = G.cwiseProduct(dE).sum() * S +
                                       scale * (2 * mu * (dG * change * G + G * dE * G + G * change * dG) +
                                                lambda * (d_trace * G + trace * dG));
            return dF * S + F * dS;
          },
          A);
      out.tangent += A;
    }
  }
  Eigen::Map<Vector6>(step.after) = strain;
  return true;
}

}  // namespace saltus
