#include "fem/material_check.hpp"

namespace saltus::kelvin_voigt_test {
namespace {

using testing::TestPoint;

const std::vector<MaterialParameter> kGel = {{"young", 26}, {"poisson", 0.3}, {"viscosity", 5}};  // G 10

TEST(KelvinVoigt, CreepUnderShearFollowsAnExponential) {
  // tau = G gamma + eta gamma': gamma = tau/G (1 - exp(-t G/eta)); the step is implicit, so first order.
  const double tau = 2, G = 10, eta = 5, T = 1;
  double errors[2];
  for (int level = 0; level < 2; ++level) {
    TestPoint point(make_material("kelvin-voigt", {"", kGel}), StrainMeasure::small);
    const int steps = 200 << level;
    double gamma = 0, lost = 0, work = 0;
    for (int i = 0; i < steps; ++i) {
      const double old = gamma;
      const SmallResponse at = point.small(gamma * Vector6::Unit(3), T / steps);
      gamma += (tau - at.stress[3]) / at.tangent(3, 3);  // linear: one step of Newton
      const SmallResponse r = point.small(gamma * Vector6::Unit(3), T / steps);
      EXPECT_NEAR(r.stress[3], tau, 1e-13);
      lost += r.energy.viscous;
      work += tau * (gamma - old);
      point.accept();
    }
    errors[level] = gamma - tau / G * (1 - std::exp(-T * G / eta));
    EXPECT_NEAR(work, lost + 0.5 * G * gamma * gamma, 2e-2 * work / (1 << level));
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.05);
}

TEST(KelvinVoigt, TangentsAreDerivativesAndSpinningGivesNoStress) {
  TestPoint small(make_material("kelvin-voigt", {"", kGel}), StrainMeasure::small);
  Vector6 strain;
  strain << 0.1, -0.2, 0.3, 0.05, -0.07, 0.09;
  EXPECT_LT(small.tangent_error(strain, 0.1), testing::kDifferenceError);
  TestPoint point(make_material("kelvin-voigt", {"", kGel}), StrainMeasure::finite);
  point.finite(0.9 * testing::some_gradient(), 0.1);
  point.accept();
  EXPECT_LT(point.tangent_error(testing::some_gradient(), 0.1), testing::kDifferenceError);
  EXPECT_GT(point.finite(testing::some_gradient(), 0.1).energy.viscous, 0);
  TestPoint turned(make_material("kelvin-voigt", {"", kGel}), StrainMeasure::finite);
  EXPECT_LT(turned.finite(testing::some_rotation(), 0.01).stress.norm(), 1e-12);
}

TEST(KelvinVoigt, SteadyShearOfAFluidLikeBodyCarriesViscosityTimesTheRate) {
  // Small strain about a sheared state: tau = G gamma + eta gamma', with no bulk part in shear.
  TestPoint point(make_material("kelvin-voigt", {"", kGel}), StrainMeasure::finite);
  Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
  F(0, 1) = 1e-6;
  EXPECT_NEAR(cauchy_stress(point.finite(F, 0.01).stress, F)(0, 1), 10 * 1e-6 + 5 * 1e-4, 1e-9);
}

}  // namespace
}  // namespace saltus::kelvin_voigt_test
