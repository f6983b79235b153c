#include "fem/material_check.hpp"

namespace saltus::st_venant_kirchhoff_test {
namespace {

using testing::TestPoint;

TEST(StVenantKirchhoff, UniaxialTensionFollowsGreensStrain) {
  const double E = 7, nu = 0.3, stretch = 1.4;
  TestPoint point(make_material("st-venant-kirchhoff", {"", {{"young", E}, {"poisson", nu}}}),
                  StrainMeasure::finite);
  const Eigen::Matrix3d F = testing::free_sides(point, stretch, 1);
  // S = E Green, lateral Green strain -nu times the axial one.
  const double green = (stretch * stretch - 1) / 2;
  EXPECT_NEAR(F(1, 1), std::sqrt(1 - 2 * nu * green), 1e-12);
  EXPECT_NEAR(point.finite(F, 1).stress(0, 0), stretch * E * green, 1e-12);
}

TEST(StVenantKirchhoff, StressAndTangentAreDerivativesAndRotationsGiveNoStress) {
  TestPoint point(make_material("st-venant-kirchhoff", {"", {{"young", 7}, {"poisson", 0.3}}}),
                  StrainMeasure::finite);
  EXPECT_LT(point.potential_error(testing::some_gradient()), testing::kDifferenceError);
  EXPECT_LT(point.tangent_error(testing::some_gradient(), 1), testing::kDifferenceError);
  EXPECT_LT(point.finite(testing::some_rotation(), 1).stress.norm(), 1e-14);
}

}  // namespace
}  // namespace saltus::st_venant_kirchhoff_test
