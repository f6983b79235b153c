#include "saltus/fem/materials/maxwell.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "saltus/fem/finite_tangent.hpp"
#include "saltus/fem/materials/linear_elastic.hpp"
#include "saltus/fem/spectral.hpp"

namespace saltus {

namespace {

double square(const Vector6& s) { return s.head<3>().squaredNorm() + 2 * s.tail<3>().squaredNorm(); }

}  // namespace

Maxwell::Maxwell(const MaterialParameters& parameters)
    : moduli_(moduli_of(parameters.positive("young"), parameters.poisson("poisson"))),
      viscosity_(parameters.positive("viscosity")) {
  parameters.check_names(kName, {"young", "poisson", "viscosity"});
}

void Maxwell::start(StrainMeasure measure, double* internal) const {
  std::fill(internal, internal + 12, 0.0);
  if (measure == StrainMeasure::finite) std::fill(internal + 6, internal + 9, 1.0);
}

void Maxwell::start_stressed(StrainMeasure measure, const Vector6& stress, double* internal) const {
  start(measure, internal);
  Eigen::Map<Vector6>(internal, 6) = stress;
}

ElasticModuli Maxwell::relax(const Vector6& before, const Vector6& change, double duration, Vector6& stress,
                             MaterialEnergies& energy) const {
  const double mu = moduli_.mu, bulk = moduli_.bulk(), x = duration * mu / viscosity_;
  const double decay = std::exp(-x), mean = x > 0 ? -std::expm1(-x) / x : 1;  // mean of exp(-t) over the step
  const double volume = change.head<3>().sum(), pressure = before.head<3>().sum() / 3;
  Vector6 old = before,
          rate = 0.5 * change;  // deviators: stress at the start, strain of the step (no doubled shears)
  old.head<3>().array() -= pressure;
  rate.head<3>() = change.head<3>();
  rate.head<3>().array() -= volume / 3;
  const Vector6 deviator = decay * old + 2 * mu * mean * rate;
  const double end = pressure + bulk * volume;
  stress = deviator;
  stress.head<3>().array() += end;
  energy = {.elastic = square(deviator) / (4 * mu) + end * end / (2 * bulk)};
  if (x > 0) {
    // s(t) = steady + (old - steady) exp(-t mu/viscosity), so that |s|^2/(2 viscosity) integrates to
    const Vector6 steady = 2 * viscosity_ / duration * rate, excess = old - steady;
    Vector6 both = excess;
    both.tail<3>() *= 2;
    energy.viscous = duration / (2 * viscosity_) *
                     std::max(0.0, square(steady) + 2 * mean * both.dot(steady) -
                                       std::expm1(-2 * x) / (2 * x) * square(excess));
  }
  const double left = mu * mean;
  return {bulk - 2 * left / 3, left};
}

bool Maxwell::respond_small(const Vector6& strain, const MaterialStep& step, SmallResponse& out) const {
  const Eigen::Map<const Vector6> stress(step.before), before(step.before + 6);
  const ElasticModuli left = relax(stress, strain - before, step.duration, out.stress, out.energy);
  if (step.want_tangent) out.tangent = elastic_tangent(left);
  Eigen::Map<Vector6>(step.after) = out.stress;
  Eigen::Map<Vector6>(step.after + 6) = strain;
  return true;
}

bool Maxwell::respond_finite(const Eigen::Matrix3d& F, const MaterialStep& step, FiniteResponse& out) const {
  using Eigen::Matrix3d;
  if (!(F.determinant() > 0)) return false;
  const Spectral stretch(F.transpose() * F);
  if (!(stretch.values.minCoeff() > 0)) return false;
  const Matrix3d U = stretch.sqrt(), U_inverse = U.inverse(), R = F * U_inverse;
  const Matrix3d T = F.inverse().transpose();
  const Matrix3d U_before = stress_tensor(Eigen::Map<const Vector6>(step.before + 6));
  const Matrix3d S = (U + U_before).inverse(), D = 2 * (U - U_before) * S;
  Vector6 stress;  // Kirchhoff, in the turned axes
  const ElasticModuli left =
      relax(Eigen::Map<const Vector6>(step.before), strain_voigt(0.5 * (D + D.transpose())), step.duration,
            stress, out.energy);
  const Matrix3d turned = stress_tensor(stress);
  out.stress = R * turned * R.transpose() * T;
  Eigen::Map<Vector6>(step.after) = stress;
  Eigen::Map<Vector6>(step.after + 6) = stress_voigt(U);
  if (step.want_tangent)
    fill_finite_tangent(
        [&](const Matrix3d& dF) -> Matrix3d {
          const Matrix3d half = F.transpose() * dF, dU = stretch.sqrt_change(half + half.transpose());
          const Matrix3d dD = 2 * dU * S - D * dU * S;
          const Matrix3d d_turned =
              stress_tensor(elastic_stress(left, strain_voigt(0.5 * (dD + dD.transpose()))));
          const Matrix3d dR = (dF - R * dU) * U_inverse, spin = dR * turned * R.transpose();
          const Matrix3d d_stress = spin + spin.transpose() + R * d_turned * R.transpose();
          return (d_stress - out.stress * dF.transpose()) * T;
        },
        out.tangent);
  return true;
}

}  // namespace saltus
