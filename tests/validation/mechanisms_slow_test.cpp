// Long runs and long chains.
#include <gtest/gtest.h>

#include <cmath>

#include "joints/joint_scenes.hpp"
#include "saltus/generate/generate_chain.hpp"
#include "validation/library_run.hpp"

namespace saltus::mechanisms_slow_test {
namespace {

constexpr double kG = test::kGravity;

// 10^5 steps of a double pendulum that tumbles. Joints do no work and the midpoint rule keeps the energy; what they are off stays
// bounded, by default as without stabilisation. Stabilised all the way (ten steps) it is smaller, and the work that takes is told.
TEST(MechanismsSlow, a_double_pendulum_keeps_its_energy_for_a_hundred_thousand_steps) {
  for (const bool stabilised : {false, true}) {
    Scene<2> scene = test::bare_scene_2d(2e-3);
    const auto rod = [](const std::string& name, const Vec<2>& centre) {
      SceneBody<2> body = test::unit_body(name, centre, 1.0 / 12);
      return body;
    };
    scene.bodies = {rod("upper", Vec<2>(0.5, 0)), rod("lower", Vec<2>(1.5, 0))};
    scene.joints = {test::joint<2>(JointKind::revolute, "", "upper", Vec<2>::Zero()),
                    test::joint<2>(JointKind::revolute, "upper", "lower", Vec<2>(1, 0))};
    for (SceneJoint<2>& joint : scene.joints) {
      joint.stabilisation_time = 0;
      if (stabilised) joint.stabilisation_time.reset();  // the default
    }
    Simulation<2> simulation(scene);
    double worst = 0, gap = 0;
    for (int k = 0; k < 100000; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged);
      worst = std::max(worst, std::abs(report.energy.kinetic + report.energy.potential));
      gap = std::max({gap, simulation.joint_place(0).gap, simulation.joint_place(1).gap});
    }
    const double scale = 2 * kG;  // m g over the height of the two
    test::show(
        stabilised ? "double pendulum, 1e5 steps, stabilised: energy" : "double pendulum, 1e5 steps: energy",
        worst / scale);
    test::show(
        stabilised ? "double pendulum, 1e5 steps, stabilised: gap, m" : "double pendulum, 1e5 steps: gap, m",
        gap);
    // 1e5 steps of round-off, and of a solve to 1e-13 m/s; by default joints are left alone up to a thousandth of their size.
    EXPECT_LT(worst, 1e-9 * scale);
    EXPECT_LT(gap, 1e-3);
  }
}

// A chain of 200 links between two points a metre apart, 1.5 m long, comes to rest as a catenary.
TEST(MechanismsSlow, a_hanging_chain_is_a_catenary) {
  const double span = 1, length = 1.5;
  ChainSpec<2> spec;
  const double drop = 0.5 * std::sqrt(length * length - span * span);
  spec.line = {Vec<2>(0, 0), Vec<2>(0.5, -drop), Vec<2>(1, 0)};
  spec.links = 200;
  spec.width = 1e-3;
  spec.start = spec.end = "world";
  spec.model.mask = 0;
  // A wave crosses a link in 3 ms; steps beyond about half of that make long chains unstable: the tension that bends them
  // is not implicit in where they go.
  Scene<2> scene = test::bare_scene_2d(1e-3);
  scene.solver.tolerance_velocity = 1e-9;
  scene.damping = 4;
  const Chain<2> chain = generate_chain(spec);
  scene.bodies = chain.bodies;
  scene.joints = chain.joints;
  Simulation<2> simulation(scene);
  for (int k = 0; k < 6000; ++k) ASSERT_EQ(simulation.step().status, StepStatus::converged) << k;
  // Length 2 a sinh(span/2a) = length.
  double a = 0.2;
  for (int k = 0; k < 100; ++k) {
    const double x = span / (2 * a), f = 2 * a * std::sinh(x) - length;
    a -= f / (2 * std::sinh(x) - 2 * x * std::cosh(x));
  }
  double worst = 0, fastest = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec<2> at = simulation.bodies().pose[i].position;
    const double y = a * std::cosh((at.x() - 0.5) / a) - a * std::cosh(0.5 / a);
    worst = std::max(worst, std::abs(at.y() - y));
    fastest = std::max(fastest, simulation.bodies().velocity[i].norm());
  }
  test::show("catenary of 200 links: largest distance, m", worst);
  EXPECT_LT(fastest, 1e-3);  // it still swings by less than the bound below
  EXPECT_LT(worst, 1e-3);
}

}  // namespace
}  // namespace saltus::mechanisms_slow_test
