#include "saltus/fem/materials/linear_elastic.hpp"

namespace saltus {

Matrix6 elastic_tangent(const ElasticModuli& moduli) {
  Matrix6 C = Matrix6::Zero();
  C.topLeftCorner<3, 3>().setConstant(moduli.lambda);
  C.diagonal().head<3>().array() += 2 * moduli.mu;
  C.diagonal().tail<3>().setConstant(moduli.mu);
  return C;
}

Vector6 elastic_stress(const ElasticModuli& moduli, const Vector6& strain) {
  Vector6 stress = moduli.mu * strain;
  stress.head<3>() += moduli.mu * strain.head<3>();
  stress.head<3>().array() += moduli.lambda * strain.head<3>().sum();
  return stress;
}

LinearElastic::LinearElastic(const MaterialParameters& parameters)
    : moduli_(moduli_of(parameters.positive("young"), parameters.poisson("poisson"))) {
  parameters.check_names(kName, {"young", "poisson"});
}

bool LinearElastic::respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const {
  out.stress = elastic_stress(moduli_, strain);
  if (step.want_tangent) out.tangent = elastic_tangent(moduli_);
  out.energy = {.elastic = 0.5 * out.stress.dot(strain)};
  return true;
}

}  // namespace saltus
