#include "saltus/fem/materials/linear_elastic.hpp"

#include "fem/material_check.hpp"

namespace saltus::linear_elastic_test {
namespace {

using testing::TestPoint;
const MaterialParameters kSteel = {"steel", {{"young", 210e9}, {"poisson", 0.3}}};

TEST(LinearElastic, TensionAndShearFollowYoungsModulusAndTheShearModulus) {
  TestPoint point(make_material("linear-elastic", kSteel), StrainMeasure::small);
  Vector6 tension;
  tension << 1e-3, -3e-4, -3e-4, 0, 0, 0;
  const SmallResponse r = point.small(tension, 1);
  EXPECT_NEAR(r.stress[0], 210e6, 1e-6);
  EXPECT_LT(r.stress.tail<5>().norm(), 1e-6);
  EXPECT_NEAR(r.energy.elastic, 0.5 * 210e6 * 1e-3, 1e-6);
  EXPECT_NEAR(point.small(2e-3 * Vector6::Unit(4), 1).stress[4], 2e-3 * 210e9 / 2.6, 1e-6);
}

TEST(LinearElastic, TheTangentIsTheDerivativeOfTheStress) {
  TestPoint point(make_material("linear-elastic", kSteel), StrainMeasure::small);
  Vector6 strain;
  strain << 1, -2, 3, 0.5, -0.7, 0.9;
  EXPECT_LT(point.tangent_error(strain, 1), testing::kDifferenceError);
}

}  // namespace
}  // namespace saltus::linear_elastic_test
