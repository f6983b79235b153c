#include "fem/material_check.hpp"

namespace saltus::neo_hookean_test {
namespace {

using testing::TestPoint;

TEST(NeoHookean, SimpleShearGivesShearStressAndNormalStressOfTheSquare) {
  const double mu = 2.5, lambda = 3.75;  // E 6.5, nu 0.3
  TestPoint point(make_material("neo-hookean", {"", {{"young", 6.5}, {"poisson", 0.3}}}),
                  StrainMeasure::finite);
  Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
  F(0, 1) = 0.8;
  // J = 1: sigma = mu (F F^T - I), whatever lambda.
  const Eigen::Matrix3d stress = cauchy_stress(point.finite(F, 1).stress, F);
  EXPECT_NEAR(stress(0, 1), mu * 0.8, 1e-14);
  EXPECT_NEAR(stress(0, 0), mu * 0.64, 1e-14);
  EXPECT_NEAR(stress(1, 1), 0, 1e-14);
  // Pure change of volume: Cauchy pressure (mu (s^2 - 1) + lambda ln s^3)/s^3.
  const Eigen::Matrix3d all = 1.3 * Eigen::Matrix3d::Identity();
  const double s3 = 1.3 * 1.3 * 1.3;
  EXPECT_NEAR(cauchy_stress(point.finite(all, 1).stress, all)(2, 2), (mu * 0.69 + lambda * std::log(s3)) / s3,
              1e-13);
}

TEST(NeoHookean, StressAndTangentAreDerivativesAndRotationsGiveNoStress) {
  TestPoint point(make_material("neo-hookean", {"", {{"young", 7}, {"poisson", 0.3}}}),
                  StrainMeasure::finite);
  EXPECT_LT(point.potential_error(testing::some_gradient()), testing::kDifferenceError);
  EXPECT_LT(point.tangent_error(testing::some_gradient(), 1), testing::kDifferenceError);
  EXPECT_LT(point.finite(testing::some_rotation(), 1).stress.norm(), 1e-14);
}

TEST(NeoHookean, HasNoAnswerWhereTheBodyIsTurnedInsideOut) {
  const auto rubber = make_material("neo-hookean", {"", {{"young", 7}, {"poisson", 0.3}}});
  FiniteResponse r;
  EXPECT_FALSE(rubber->respond_finite(-Eigen::Matrix3d::Identity(), {}, r));
}

}  // namespace
}  // namespace saltus::neo_hookean_test
