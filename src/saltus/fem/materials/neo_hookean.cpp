#include "saltus/fem/materials/neo_hookean.hpp"

#include <Eigen/LU>
#include <cmath>

namespace saltus {

NeoHookean::NeoHookean(const MaterialParameters& parameters)
    : moduli_(moduli_of(parameters.positive("young"), parameters.poisson("poisson"))) {
  parameters.check_names(kName, {"young", "poisson"});
}

bool respond_neo_hookean(const ElasticModuli& moduli, const Eigen::Matrix3d& F, bool want_tangent,
                         FiniteResponse& out) {
  const double J = F.determinant();
  if (!(J > 0)) return false;
  // From H = F - I, so that small strains keep their digits.
  const Eigen::Matrix3d H = F - Eigen::Matrix3d::Identity();
  const double trace = H.trace(), second = 0.5 * (trace * trace - (H * H).trace());
  const double lambda = moduli.lambda, mu = moduli.mu, log_J = std::log1p(trace + second + H.determinant());
  const Eigen::Matrix3d inverse = F.inverse(), T = inverse.transpose();
  out.stress = mu * F + (lambda * log_J - mu) * T;
  out.energy = {.elastic = mu * (trace - log_J) + 0.5 * mu * H.squaredNorm() + 0.5 * lambda * log_J * log_J};
  if (!want_tangent) return true;
  // dF^-T/dF: component (i, I) changes with (j, J) by -F^-1(I, j) F^-1(J, i).
  for (int jJ = 0; jJ < 9; ++jJ)
    for (int iI = 0; iI < 9; ++iI)
      out.tangent(iI, jJ) = (iI == jJ ? mu : 0) + lambda * T(iI % 3, iI / 3) * T(jJ % 3, jJ / 3) +
                            (mu - lambda * log_J) * inverse(iI / 3, jJ % 3) * inverse(jJ / 3, iI % 3);
  return true;
}

}  // namespace saltus
