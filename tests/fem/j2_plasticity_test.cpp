#include "fem/material_check.hpp"
#include "saltus/base/input_error.hpp"

namespace saltus::j2_plasticity_test {
namespace {

using testing::TestPoint;

const std::vector<MaterialParameter> kLinear = {
    {"young", 200}, {"poisson", 0.3}, {"yield", 0.4}, {"hardening", 10}};
const std::vector<MaterialParameter> kSwift = {
    {"young", 200}, {"poisson", 0.3}, {"yield", 0.4}, {"swift_strain", 0.01}, {"swift_exponent", 0.2}};
const std::vector<MaterialParameter> kTable = {
    {"young", 200}, {"poisson", 0.3}, {"hardening_table", 0, {{0, 0.4}, {0.01, 0.5}, {0.1, 0.7}}}};
const std::vector<std::vector<MaterialParameter>> kAll = {kLinear, kSwift, kTable};

Vector6 sheared(double gamma) { return gamma * Vector6::Unit(3); }

TEST(J2Plasticity, ShearBeyondYieldFollowsTheHardeningLaw) {
  // Pure shear: tau = yield(alpha)/sqrt(3), gamma = tau/G + sqrt(3) alpha.
  const double G = 200 / 2.6;
  for (const auto& parameters : kAll) {
    TestPoint point(make_material("j2-plasticity", {"", parameters}), StrainMeasure::small);
    for (const double gamma : {0.001, 0.01, 0.05, 0.3}) {
      const SmallResponse r = point.small(sheared(gamma), 1);
      const double alpha = point.after[6];
      double yield = 0.4 + 10 * alpha;
      if (&parameters == &kAll[1]) yield = 0.4 * std::pow(1 + alpha / 0.01, 0.2);
      if (&parameters == &kAll[2])
        yield = alpha < 0.01 ? 0.4 + 10 * alpha : std::min(0.7, 0.5 + (alpha - 0.01) * 0.2 / 0.09);
      if (gamma == 0.001) {
        EXPECT_EQ(alpha, 0);
        EXPECT_NEAR(r.stress[3], G * gamma, 1e-15);
        continue;
      }
      EXPECT_NEAR(r.stress[3], yield / std::sqrt(3.0), 1e-13);
      EXPECT_NEAR(gamma, r.stress[3] / G + std::sqrt(3.0) * alpha, 1e-14);
    }
  }
}

TEST(J2Plasticity, TangentsAreDerivativesInSmallAndFiniteStrain) {
  Vector6 first, second;
  first << 0.01, -0.004, 0.002, 0.006, 0.003, -0.008;
  second << 0.013, -0.009, 0.004, 0.002, 0.009, -0.012;
  Eigen::Matrix3d F =
      testing::some_rotation() * (Eigen::Matrix3d::Identity() + 0.2 * strain_tensor(60 * first));
  for (const auto& parameters : kAll) {
    TestPoint small(make_material("j2-plasticity", {"", parameters}), StrainMeasure::small);
    EXPECT_LT(small.tangent_error(Vector6(0.05 * first), 1), testing::kDifferenceError);  // elastic
    for (const Vector6& strain : {first, second}) {
      // Steps of 1e-7: strains that matter are 1e-3 here, the truncation (1e-7/1e-3)^2.
      EXPECT_LT(small.tangent_error(strain, 1, 1e-7), 1e-6);
      small.accept();
      EXPECT_GT(small.before[6], 0);
    }
    TestPoint finite(make_material("j2-plasticity", {"", parameters}), StrainMeasure::finite);
    for (int step = 0; step < 2; ++step) {
      EXPECT_LT(finite.tangent_error(F, 1, 1e-7), 1e-6);
      // It has a potential: the tangent is symmetric.
      const Matrix9 A = finite.finite(F, 1).tangent;
      EXPECT_LT((A - A.transpose()).norm(), 1e-12 * A.norm());
      finite.accept();
      F = F * (Eigen::Matrix3d::Identity() +
               0.1 * testing::some_gradient().cwiseProduct(Eigen::Matrix3d::Constant(0.4)));
    }
  }
}

TEST(J2Plasticity, TensionToTwiceTheLengthFollowsTheLogarithmicStrain) {
  // Uniaxial: tau = E (ln stretch - alpha) = yield + H alpha, in one step or in many: the exponential map is exact where axes
  // stay. Kirchhoff stress tau = P stretch.
  const double E = 200, H = 10, yield = 0.4;
  const double strain = std::log(2.0), alpha = (E * strain - yield) / (E + H);
  for (const int steps : {1, 40}) {
    TestPoint point(make_material("j2-plasticity", {"", kLinear}), StrainMeasure::finite);
    double plastic = 0, hardening = 0;
    Eigen::Matrix3d F;
    for (int i = 1; i <= steps; ++i) {
      F = testing::free_sides(point, std::pow(2.0, double(i) / steps), 1);
      const FiniteResponse r = point.finite(F, 1);
      plastic += r.energy.plastic;
      hardening = r.energy.hardening;
      EXPECT_GE(r.energy.plastic, 0);
      if (i == steps) {
        EXPECT_NEAR(r.stress(0, 0) * 2, yield + H * alpha, 1e-12);
      }
      point.accept();
    }
    EXPECT_NEAR(point.before[6], alpha, 1e-12);
    // Elastic change of volume: ln J = (1 - 2 nu) tau/E.
    EXPECT_NEAR(std::log(F.determinant()), 0.4 * (yield + H * alpha) / E, 1e-12);
    EXPECT_NEAR(hardening, 0.5 * H * alpha * alpha, 1e-12);
    // The integral of the yield stress, without what hardening stores: in one step or in many.
    EXPECT_NEAR(plastic, yield * alpha, 1e-12);
  }
}

TEST(J2Plasticity, FiniteStrainIsObjectiveAndAgreesWithSmallStrain) {
  TestPoint one(make_material("j2-plasticity", {"", kLinear}), StrainMeasure::finite), two = one;
  const Eigen::Matrix3d R = testing::some_rotation(), F = testing::some_gradient();
  // Round-off of strains of 0.2 times Young's modulus 200.
  EXPECT_LT((R * one.finite(F, 1).stress - two.finite(R * F, 1).stress).norm(), 1e-12);
  EXPECT_LT((Eigen::Map<Vector6>(one.after.data()) - Eigen::Map<Vector6>(two.after.data())).norm(), 1e-13);
  TestPoint small(make_material("j2-plasticity", {"", kLinear}), StrainMeasure::small);
  Vector6 strain;
  strain << 4, -1, -2, 3, 1, -2;
  strain *= 1e-5 * 400;  // several times the yield strain 0.002
  strain *= 1e-3;        // made tiny, with a yield stress to match
  std::vector<MaterialParameter> tiny = kLinear;
  tiny[2].value = 0.4e-3;
  TestPoint tiny_small(make_material("j2-plasticity", {"", tiny}), StrainMeasure::small);
  TestPoint tiny_finite(make_material("j2-plasticity", {"", tiny}), StrainMeasure::finite);
  const Vector6 expected = tiny_small.small(strain, 1).stress;
  const Eigen::Matrix3d tiny_F = Eigen::Matrix3d::Identity() + strain_tensor(strain);
  // They differ by a factor 1 + strain, here 2e-5.
  EXPECT_LT((stress_voigt(tiny_finite.finite(tiny_F, 1).stress) - expected).norm(), 1e-4 * expected.norm());
}

TEST(J2Plasticity, BadHardeningIsToldWithThePlace) {
  const auto fails = [](std::vector<MaterialParameter> p, const std::string& part) {
    try {
      make_material("j2-plasticity", {"scene.toml:4", std::move(p)});
      ADD_FAILURE() << "accepted: " << part;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  fails({{"young", 200}, {"poisson", 0.3}}, "`yield`");
  fails({{"young", 200}, {"poisson", 0.3}, {"yield", 0}}, "above 0");
  fails({{"young", 200}, {"poisson", 0.3}, {"yield", 1}, {"hardening", -1, {}, "scene.toml:9:1"}},
        "scene.toml:9:1");
  fails({{"young", 200}, {"poisson", 0.3}, {"yield", 1}, {"swift_strain", 1}}, "swift_exponent");
  fails({{"young", 200}, {"poisson", 0.3}, {"hardening_table", 0, {{0.1, 1}}}}, "strain 0");
  fails({{"young", 200}, {"poisson", 0.3}, {"hardening_table", 0, {{0, 2}, {0.1, 1}}}}, "pair 2");
  fails({{"young", 200}, {"poisson", 0.3}, {"yield", 1}, {"hardening_table", 0, {{0, 2}}}}, "told twice");
  fails({{"young", 200}, {"poisson", 0.3}, {"yield", 1}, {"yeild", 1}}, "yeild");
}

}  // namespace
}  // namespace saltus::j2_plasticity_test
