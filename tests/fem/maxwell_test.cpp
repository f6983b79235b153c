#include "fem/material_check.hpp"

namespace saltus::maxwell_test {
namespace {

using testing::TestPoint;

const std::vector<MaterialParameter> kRock = {
    {"young", 26}, {"poisson", 0.3}, {"viscosity", 5}};  // G 10, time 0.5

TEST(Maxwell, HeldShearRelaxesByAnExponentialAndHeldPressureStays) {
  for (const double h : {0.01, 0.5, 20.0}) {  // short, comparable, long against 0.5
    TestPoint point(make_material("maxwell", {"", kRock}), StrainMeasure::small);
    Vector6 strain = 0.02 * Vector6::Unit(3);
    strain.head<3>().setConstant(0.01);
    point.small(strain, 1e-12);  // at once: elastic
    point.accept();
    const double K = 26 / (3 * 0.4);
    double t = 0;
    for (int i = 0; i < 4; ++i) {
      const SmallResponse r = point.small(strain, h);
      t += h;
      EXPECT_NEAR(r.stress[3], 10 * 0.02 * std::exp(-t / 0.5), 1e-12);
      EXPECT_NEAR(r.stress[1], K * 0.03, 1e-12);
      point.accept();
    }
  }
}

TEST(Maxwell, SteadyShearFlowsWithItsViscosityWhateverTheStep) {
  for (const double h : {0.01, 1.0, 100.0}) {
    TestPoint point(make_material("maxwell", {"", kRock}), StrainMeasure::small);
    const double rate = 1e-3;
    double t = 0, lost = 0, work = 0, before = 0, stored = 0;
    SmallResponse r;
    while (t < 10) {
      t += h;
      r = point.small(rate * t * Vector6::Unit(3), h);
      EXPECT_NEAR(r.stress[3], 5 * rate * (1 - std::exp(-t / 0.5)), 1e-14);
      lost += r.energy.viscous;
      // The exact mean of the stress over the step, for the work.
      const double decay = std::exp(-h / 0.5), steady = 5 * rate;
      work += rate * (steady * h + (before - steady) * 0.5 * (1 - decay));
      before = r.stress[3];
      stored = r.energy.elastic;
      point.accept();
    }
    EXPECT_NEAR(work, lost + stored, 1e-12 * work);
  }
}

TEST(Maxwell, CreepUnderConstantStressIsAJumpAndALine) {
  TestPoint point(make_material("maxwell", {"", kRock}), StrainMeasure::small);
  const double tau = 0.3, h = 0.1;
  double gamma = 0, t = 0;
  for (int i = 0; i < 50; ++i) {
    // The first step is the jump: short.
    const double duration = i == 0 ? 1e-13 : h;
    const SmallResponse at = point.small(gamma * Vector6::Unit(3), duration);
    gamma += (tau - at.stress[3]) / at.tangent(3, 3);
    point.small(gamma * Vector6::Unit(3), duration);
    point.accept();
    t += duration;
    EXPECT_NEAR(gamma, tau / 10 + tau / 5 * t, 1e-11);
  }
}

TEST(Maxwell, TangentsAreDerivativesAndTheLawIsObjective) {
  TestPoint small(make_material("maxwell", {"", kRock}), StrainMeasure::small);
  Vector6 strain;
  strain << 0.1, -0.2, 0.3, 0.05, -0.07, 0.09;
  EXPECT_LT(small.tangent_error(strain, 0.3), testing::kDifferenceError);
  TestPoint point(make_material("maxwell", {"", kRock}), StrainMeasure::finite), turned = point;
  const Eigen::Matrix3d R = testing::some_rotation(), first = 0.9 * testing::some_gradient();
  const Eigen::Matrix3d second =
      testing::some_gradient() * (Eigen::Matrix3d::Identity() + 0.1 * testing::some_gradient());
  point.finite(first, 0.2);
  turned.finite(R * first, 0.2);
  point.accept();
  turned.accept();
  EXPECT_LT(point.tangent_error(second, 0.3), testing::kDifferenceError);
  EXPECT_LT((R * R * point.finite(second, 0.3).stress - turned.finite(R * R * second, 0.3).stress).norm(),
            1e-12);
}

TEST(Maxwell, SimpleShearWithoutRelaxationIsGreenAndNaghdisAnswer) {
  // Dienes 1979, elastic limit of the Green-Naghdi rate in simple shear gamma = 2 tan b:
  // sigma_xx = 4 G (cos 2b ln cos b + b sin 2b - sin^2 b), tau_xy = 2 G cos 2b (2 b - 2 tan 2b ln cos b - tan b).
  const double gamma = 3, b = std::atan(gamma / 2), G = 10;
  const double shear =
      2 * G * std::cos(2 * b) * (2 * b - 2 * std::tan(2 * b) * std::log(std::cos(b)) - std::tan(b));
  const double normal =
      4 * G * (std::cos(2 * b) * std::log(std::cos(b)) + b * std::sin(2 * b) - std::sin(b) * std::sin(b));
  double errors[2];
  for (int level = 0; level < 2; ++level) {
    TestPoint point(make_material("maxwell", {"", {{"young", 26}, {"poisson", 0.3}, {"viscosity", 1e12}}}),
                    StrainMeasure::finite);
    const int steps = 50 << level;
    Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
    for (int i = 1; i <= steps; ++i) {
      F(0, 1) = gamma * i / steps;
      point.finite(F, 1);
      point.accept();
    }
    // stress kept in the turned axes
    Eigen::Matrix3d stress = Eigen::Matrix3d::Zero();
    {
      TestPoint again = point;
      stress = cauchy_stress(again.finite(F, 1).stress, F);
    }
    errors[level] = std::hypot(stress(0, 1) - shear, stress(0, 0) - normal);
  }
  // The rate in the middle of a step is second order.
  EXPECT_LT(errors[1], 0.02);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.3);
}

}  // namespace
}  // namespace saltus::maxwell_test
