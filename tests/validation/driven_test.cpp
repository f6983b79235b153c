// Mechanisms that time drives, against kinematics and against an integration of their equations.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "joints/joint_scenes.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "validation/library_run.hpp"

namespace saltus::driven_test {
namespace {

// Two shafts at 30 degrees with a universal joint, the first driven at 10 rad/s: tan(out) = cos(30 degrees) tan(in), where the
// fork of the first stands across their plane at the start.
TEST(Driven, a_universal_joint_between_two_shafts_turns_as_cardan_says) {
  const double bend = std::numbers::pi / 6, h = 2e-3;
  Scene<3> scene = test::bare_scene_3d(h, false);
  const Vec<3> out(std::cos(bend), 0, std::sin(bend));
  scene.bodies = {test::unit_body("in", Vec<3>(-0.5, 0, 0), Vec<3>(0.02, 0.1, 0.1)),
                  test::unit_body("out", Vec<3>(0.5 * out))};
  scene.joints = {test::joint<3>(JointKind::revolute, "", "in", Vec<3>(-1, 0, 0), Vec<3>(1, 0, 0)),
                  test::joint<3>(JointKind::universal, "in", "out", Vec<3>::Zero(), Vec<3>(0, 1, 0)),
                  test::joint<3>(JointKind::revolute, "", "out", out, out)};
  scene.joints[1].axis2 = Vec<3>(-std::sin(bend), 0, std::cos(bend));
  scene.joints[0].direction("angle").motor =
      JointMotor{JointMotor::Kind::velocity, TimeFunction::constant(10), std::nullopt};
  Simulation<3> simulation(scene);
  double worst = 0;
  while (simulation.time() < 0.7) {
    simulation.step();
    const double in = simulation.joint_place(0).angle();
    double exact = std::atan2(std::sin(in) * std::cos(bend), std::cos(in));
    exact += 2 * std::numbers::pi * std::round((in - exact) / (2 * std::numbers::pi));
    worst = std::max(worst, std::abs(simulation.joint_place(2).angle() - exact));
  }
  test::show("universal joint over a turn, 0.02 rad a step, rad", worst);
  // Second order: 3.4e-6 rad with half the step.
  EXPECT_LT(worst, 1.5e-5);
}

// A bead on a hoop that turns at w about the vertical: x y z with the hoop and its plane as constraints, the second moving;
// theta'' = (w^2 cos(theta) - g/R) sin(theta), theta from below.
TEST(Driven, a_bead_on_a_hoop_that_turns_follows_its_equation_at_second_order) {
  const double end = 1;
  double theta = 0.5, rate = 0;
  const auto slope = [](double a) { return (36 * std::cos(a) - test::kGravity / 0.5) * std::sin(a); };
  const int steps = 20000;
  for (int k = 0; k < steps; ++k) {  // Stoermer's rule: its error at this step, 1e-9 rad, does not count
    const double h = end / steps;
    rate += h / 2 * slope(theta), theta += h * rate, rate += h / 2 * slope(theta);
  }
  double error[2] = {};
  for (const int i : {0, 1}) {
    const std::string text =
        "dimension = 3\n[scheme]\nh = " + std::string(i == 0 ? "4e-3" : "2e-3") +
        "\n[solver]\ntolerance_velocity = 1e-13\n[run]\nuntil = 1\n[[system]]\n"
        "coordinates = [\"x\", \"y\", \"z\"]\nparameters = { m = 2, R = 0.5, w = 6, g = 9.81 }\n"
        "mass = { diagonal = [\"m\", \"m\", \"m\"] }\nforce = { z = \"-m*g\" }\n"
        "q = [0.2397127693021015, 0, -0.4387912809451864]\nv = [0, 1.438276615812609, 0]\n"
        "constraints = [{ formula = \"sqrt(x^2 + y^2 + z^2) - R\", stabilisation_time = 0 },"
        " { formula = \"y*cos(w*t) - x*sin(w*t)\", stabilisation_time = 0 }]\n";
    Simulation<3> simulation(std::get<Scene<3>>(parse_scene(text, "hoop.toml").scene));
    while (!simulation.finished()) simulation.step();
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    error[i] = std::abs(std::acos(-q[2] / q.norm()) - std::abs(theta));
  }
  test::show("bead on a turning hoop after 1 s, 500 steps, rad", error[1]);
  // Order two or better: what the filter of alternating velocities leaves (sim/system_gaps.cpp) is of the third order and of the other sign,
  // and the larger one down to 1 ms (errors at 8, 4, 2 and 1 ms: 1.2e-4, 1.3e-5, 6.5e-7, -1.4e-7; from there on those of h^2).
  EXPECT_GT(error[0] / error[1], 4 - 0.3);
  EXPECT_LT(error[1], 1e-5);
}

}  // namespace
}  // namespace saltus::driven_test
