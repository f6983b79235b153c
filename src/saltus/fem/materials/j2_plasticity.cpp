#include "saltus/fem/materials/j2_plasticity.hpp"

#include <Eigen/LU>
#include <algorithm>

#include "saltus/fem/finite_tangent.hpp"
#include "saltus/fem/materials/radial_return.hpp"
#include "saltus/fem/spectral.hpp"

namespace saltus {

J2Plasticity::J2Plasticity(const MaterialParameters& parameters)
    : moduli_(moduli_of(parameters.positive("young"), parameters.poisson("poisson"))),
      hardening_(parameters) {
  parameters.check_names(
      kName, {"young", "poisson", "yield", "hardening", "swift_strain", "swift_exponent", "hardening_table"});
}

void J2Plasticity::start(StrainMeasure measure, double* internal) const {
  std::fill(internal, internal + 7, 0.0);
  if (measure == StrainMeasure::finite) std::fill(internal, internal + 3, 1.0);
}

bool J2Plasticity::respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const {
  const Eigen::Map<const Vector6> plastic(step.before);
  RadialReturn back;
  if (!return_radially(moduli_, hardening_, strain - plastic, step.before[6], step.want_tangent, back))
    return false;
  out.stress = back.stress;
  if (step.want_tangent) out.tangent = back.tangent;
  out.energy = back.energy;
  Eigen::Map<Vector6> after(step.after);
  if (back.flow > 0)
    after = strain - back.elastic_strain;
  else
    after = plastic;
  step.after[6] = step.before[6] + back.flow;
  return true;
}

bool J2Plasticity::respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step,
                                  FiniteResponse& out) const {
  if (!(F.determinant() > 0)) return false;
  const Vector6 before = Eigen::Map<const Vector6>(step.before);
  const Eigen::Matrix3d carried = stress_tensor(before) * F.transpose();  // Cp^-1 F^T
  const Spectral trial(F * carried);
  if (!(trial.values.minCoeff() > 0)) return false;
  const Eigen::Matrix3d strain = 0.5 * trial.log();
  RadialReturn back;
  if (!return_radially(moduli_, hardening_, strain_voigt(strain), step.before[6], step.want_tangent, back))
    return false;
  const Eigen::Matrix3d inverse = F.inverse(), T = inverse.transpose();
  out.stress = stress_tensor(back.stress) * T;
  out.energy = back.energy;
  Eigen::Map<Vector6> after(step.after);
  after = before;
  if (back.flow > 0) {
    // The elastic strain has the axes of the trial one.
    const Eigen::Matrix3d b = Spectral(strain_tensor(2 * back.elastic_strain)).exp();
    after = stress_voigt(inverse * b * T);
  }
  step.after[6] = step.before[6] + back.flow;
  if (step.want_tangent)
    fill_finite_tangent(
        [&](const Eigen::Matrix3d& dF) -> Eigen::Matrix3d {
          const Eigen::Matrix3d half = dF * carried;
          const Vector6 d_strain = 0.5 * strain_voigt(trial.log_change(half + half.transpose()));
          return (stress_tensor(back.tangent * d_strain) - out.stress * dF.transpose()) * T;
        },
        out.tangent);
  return true;
}

}  // namespace saltus
