// Kane's pendulum: two rods, the tip of the lower one meets a rough floor. Newton's law of impact makes energy, and the
// step says how much, whether the rods are a Lagrangian system or bodies with joints.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/sim_scenes.hpp"

namespace saltus::kane_test {
namespace {

constexpr double kUpper = 20 * std::numbers::pi / 180,
                 kLower = 30 * std::numbers::pi / 180;  // from the vertical
constexpr double kUpperRate = -0.1, kLowerRate = -0.2;  // rad/s

PairLaw impact(LawKind kind) {
  PairLaw law = test::law(kind, 0.5);
  law.restitution = 0.5;
  return law;
}

// Rods of 1 m and 1 kg: kinetic energy by hand.
double kinetic(double a, double b, double va, double vb) {
  return 0.5 * (4.0 / 3 * va * va + vb * vb / 3 + std::cos(a - b) * va * vb);
}

// Touching from the start, without gravity: the first step is the impact.
Scene<2> by_formulas(LawKind kind) {
  Scene<2> scene = test::scene<2>(impact(kind), 1e-5);
  scene.gravity.setZero();
  SceneLagrangianSystem<2> rods;
  rods.name = "rods";
  rods.names = {{"a", "b"}, {"va", "vb"}};
  rods.mass = {{{"4/3"}, {"cos(a - b)/2"}}, {{"cos(a - b)/2"}, {"1/3"}}};
  rods.forces = {{"0"}, {"0"}};
  rods.q = {kUpper, kLower};
  rods.v = {kUpperRate, kLowerRate};
  SceneSystemGap tip;
  tip.name = "tip";
  tip.gap = {"cos(0.3490658503988659) + cos(0.5235987755982988) - cos(a) - cos(b)"};
  tip.tangents = {{"sin(a) + sin(b)"}};
  tip.law = impact(kind);
  rods.gaps = {tip};
  scene.lagrangian = {rods};
  return scene;
}

// A needle: its end is the tip.
constexpr double kNeedle = 1e-9;
SceneBody<2> rod(const char* name, const Vec<2>& top, double angle, const Vec<2>& top_velocity, double rate) {
  const Vec<2> along(std::sin(angle), -std::cos(angle)), across(std::cos(angle), std::sin(angle));
  SceneBody<2> body = test::body<2>(Capsule<2>{{0, 0.5}, {0, -0.5}, kNeedle}, top + 0.5 * along,
                                    top_velocity + 0.5 * rate * across);
  body.pose = Pose<2>(top + 0.5 * along, angle);
  body.spin = Spin<2>(rate);
  body.mass = 1;
  body.inertia = Inertia<2>(1.0 / 12);
  body.name = name;
  return body;
}

Scene<2> by_joints(LawKind kind) {
  Scene<2> scene = test::scene<2>(impact(kind), 1e-5);
  scene.gravity.setZero();
  const Vec<2> pin(std::sin(kUpper), -std::cos(kUpper));
  const Vec<2> pin_velocity = kUpperRate * Vec<2>(std::cos(kUpper), std::sin(kUpper));
  SceneBody<2> floor = test::ground<2>();
  floor.pose = Pose<2>(Vec<2>(0, pin.y() - std::cos(kLower) - kNeedle));
  scene.bodies = {floor, rod("upper", {0, 0}, kUpper, {0, 0}, kUpperRate),
                  rod("lower", pin, kLower, pin_velocity, kLowerRate)};
  SceneJoint<2> top, middle;
  top.b = "upper";
  middle.a = "upper", middle.b = "lower";
  middle.points[0] = middle.points[1] = pin;
  scene.joints = {top, middle};
  return scene;
}

double expected_gain() {
  // Newton's law with friction that holds: tip velocity (0, -e u-_n) after; two equations for the two rates.
  const double ca = std::cos(kUpper), sa = std::sin(kUpper), cb = std::cos(kLower), sb = std::sin(kLower);
  const double normal = kUpperRate * sa + kLowerRate * sb;  // of the tip, upwards
  const double after = -0.5 * normal;
  // va ca + vb cb = 0, va sa + vb sb = after
  const double det = ca * sb - cb * sa, va = -cb * after / det, vb = ca * after / det;
  return kinetic(kUpper, kLower, va, vb) - kinetic(kUpper, kLower, kUpperRate, kLowerRate);
}

TEST(KanesPendulum, newtons_law_gains_what_the_closed_form_says_and_the_step_tells) {
  ASSERT_GT(expected_gain(), 0.01);  // J, of 0.0232: the case is what it claims
  Simulation<2> formulas(by_formulas(LawKind::newton));
  const StepReport report = formulas.step();
  ASSERT_EQ(report.status, StepStatus::converged);
  // The rods turn by 1e-6 rad within the step, the gain changes in proportion.
  EXPECT_NEAR(report.energy.gain, expected_gain(), 1e-4 * expected_gain());
  EXPECT_EQ(report.gain_gap, 0);
  ASSERT_EQ(formulas.warnings().size(), 1u);
  EXPECT_NE(formulas.warnings()[0].find("gap \"tip\""), std::string::npos);

  Simulation<2> joints(by_joints(LawKind::newton));
  const StepReport joined = joints.step();
  ASSERT_EQ(joined.status, StepStatus::converged);
  EXPECT_NEAR(joined.energy.gain, expected_gain(), 1e-4 * expected_gain());
  EXPECT_EQ(joined.gain_a, 0);
  EXPECT_EQ(joined.gain_b, 2);
}

TEST(KanesPendulum, laws_that_dissipate_are_not_accused) {
  for (const LawKind kind : {LawKind::velocity_signorini, LawKind::moreau, LawKind::fremond}) {
    Simulation<2> formulas(by_formulas(kind)), joints(by_joints(kind));
    EXPECT_EQ(formulas.step().energy.gain, 0);
    EXPECT_EQ(joints.step().energy.gain, 0);
  }
}

}  // namespace
}  // namespace saltus::kane_test
