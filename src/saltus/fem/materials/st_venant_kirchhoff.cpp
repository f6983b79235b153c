#include "saltus/fem/materials/st_venant_kirchhoff.hpp"

#include "saltus/fem/finite_tangent.hpp"

namespace saltus {

StVenantKirchhoff::StVenantKirchhoff(const MaterialParameters& parameters)
    : moduli_(moduli_of(parameters.positive("young"), parameters.poisson("poisson"))) {
  parameters.check_names(kName, {"young", "poisson"});
}

bool StVenantKirchhoff::respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step,
                                       FiniteResponse& out) const {
  const auto stress_of = [this](const Eigen::Matrix3d& E) -> Eigen::Matrix3d {
    return moduli_.lambda * E.trace() * Eigen::Matrix3d::Identity() + 2 * moduli_.mu * E;
  };
  const Eigen::Matrix3d E = 0.5 * (F.transpose() * F - Eigen::Matrix3d::Identity());
  const Eigen::Matrix3d S = stress_of(E);
  out.stress = F * S;
  out.energy = {.elastic = 0.5 * S.cwiseProduct(E).sum()};
  if (step.want_tangent)
    fill_finite_tangent(
        [&](const Eigen::Matrix3d& dF) -> Eigen::Matrix3d {
          const Eigen::Matrix3d half = 0.5 * F.transpose() * dF;
          return dF * S + F * stress_of(half + half.transpose());
        },
        out.tangent);
  return true;
}

}  // namespace saltus
