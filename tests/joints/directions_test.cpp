// What acts along a free direction, against closed forms.
#include <gtest/gtest.h>

#include <numbers>

#include "joints/joint_scenes.hpp"

namespace saltus::directions_test {
namespace {

// A mass of 1 kg on a slide along x.
Scene<2> slider(double h, double speed = 0) {
  Scene<2> scene = test::bare_scene_2d(h);
  scene.bodies = {test::unit_body("slider", Vec<2>(0, 0))};
  scene.bodies[0].velocity.x() = speed;
  scene.joints = {test::joint<2>(JointKind::prismatic, "", "slider", Vec<2>::Zero(), Vec<3>(1, 0, 0))};
  return scene;
}
double place(const Simulation<2>& simulation) { return simulation.bodies().pose[0].position.x(); }
double speed(const Simulation<2>& simulation) { return simulation.bodies().velocity[0].x(); }

TEST(JointDirections, a_spring_keeps_its_period_and_its_energy) {
  Scene<2> scene = slider(1e-3, 1);
  scene.joints[0].direction("slide").spring = JointSpring{100, 0, 0.02, 3};
  Simulation<2> simulation(scene);
  // Swings about rest - preload/k = -0.01 with omega 10: x = -0.01 + 0.01 cos + 0.1 sin.
  const double period = 2 * std::numbers::pi / 10;
  const int steps = static_cast<int>(std::lround(5.25 * period / 1e-3));
  const double t = steps * 1e-3, energy = 0.5 + 0.5 * 100 * 0.01 * 0.01;
  StepReport report;
  for (int k = 0; k < steps; ++k) {
    report = simulation.step();
    ASSERT_LT(report.energy.relative_defect(), 1e-11);
    ASSERT_NEAR(report.energy.kinetic + report.energy.elastic_stored, energy, 1e-9 * energy);
  }
  // Midpoint rule: phase error (omega h)^2/12 omega t = 2.8e-4 rad of an amplitude of 0.1.
  EXPECT_NEAR(place(simulation), -0.01 + 0.01 * std::cos(10 * t) + 0.1 * std::sin(10 * t), 4e-5);
}

TEST(JointDirections, a_damper_stops_a_mass_exponentially) {
  Scene<2> scene = slider(1e-3, 1);
  scene.joints[0].direction("slide").spring = JointSpring{0, 2, 0, 0};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 1000; ++k) ASSERT_LT(simulation.step().energy.relative_defect(), 1e-11);
  EXPECT_NEAR(speed(simulation), std::exp(-2.0), 1e-6);  // second order: (c h)^2/12 c t = 7e-7
}

TEST(JointDirections, dry_friction_stops_a_mass_in_its_time_and_holds_it) {
  Scene<2> scene = slider(1e-3, 1);
  scene.joints[0].direction("slide").friction = JointFriction{4, 0, 1};
  Simulation<2> simulation(scene);
  double lost = 0;
  for (int k = 0; k < 400; ++k) lost += simulation.step().energy.friction;
  EXPECT_NEAR(speed(simulation), 0, 1e-12);
  EXPECT_NEAR(place(simulation), 1.0 / 8, 1e-3);  // v^2/(2 F/m), to one step of travel
  EXPECT_NEAR(lost, -0.5, 1e-12);
}

// The pin of a wheel of 1 kg carries its weight N; friction mu R N stops 2 rad/s with inertia 0.1 in w I/(mu R N).
TEST(JointDirections, friction_of_a_loaded_pin_follows_its_load) {
  Scene<2> scene = test::bare_scene_2d(1e-3);
  scene.bodies = {test::unit_body("wheel", Vec<2>(0, 0), 0.1)};
  scene.bodies[0].spin = Spin<2>(2.0);
  scene.joints = {test::joint<2>(JointKind::revolute, "", "wheel", Vec<2>::Zero())};
  scene.joints[0].direction("angle").friction = JointFriction{0, 0.3, 0.05};
  Simulation<2> simulation(scene);
  const double torque = 0.3 * 0.05 * test::kGravity;
  for (int k = 0; k < 500; ++k) ASSERT_EQ(simulation.step().status, StepStatus::converged);
  EXPECT_NEAR(simulation.bodies().spin[0](0), 2 - torque * 0.5 / 0.1, 1e-6);
}

// Slides across the load: a slider pressed by its weight against the slide, mu = 0.2.
TEST(JointDirections, friction_of_a_loaded_slide_follows_its_load_when_that_changes_within_the_step) {
  Scene<2> scene = slider(1e-3, 1);
  scene.joints[0].direction("slide").friction = JointFriction{0, 0.2, 1};
  scene.bodies[0].force[1] = TimeFunction::expression("-10*step(t-0.1)");
  Simulation<2> simulation(scene);
  for (int k = 0; k < 200; ++k) ASSERT_EQ(simulation.step().status, StepStatus::converged);
  // 0.1 s with the weight, 0.1 s with the force too; the step across t = 0.1 takes half of it.
  EXPECT_NEAR(speed(simulation), 1 - 0.2 * test::kGravity * 0.2 - 0.2 * 10 * 0.1, 0.2 * 10 * 1e-3);
}

TEST(JointDirections, limits_send_a_slider_back_with_their_restitution) {
  Scene<2> scene = slider(1e-3, 1);
  scene.joints[0].direction("slide").limits = JointLimits{-0.5, 0.25, 0.6};
  Simulation<2> simulation(scene);
  test::run(simulation, 300);
  EXPECT_NEAR(speed(simulation), -0.6, 1e-12);
  test::run(simulation, 1500);
  EXPECT_NEAR(speed(simulation), 0.36, 1e-12);
  EXPECT_GT(place(simulation), -0.5 - 1e-3);
}

TEST(JointDirections, a_motor_drives_at_its_velocity_and_tells_its_force_and_work) {
  Scene<2> scene = slider(1e-3);
  scene.joints[0].direction("slide").motor =
      JointMotor{JointMotor::Kind::velocity, TimeFunction::expression("2*t"), {}};
  Simulation<2> simulation(scene);
  double work = 0;
  for (int k = 0; k < 500; ++k) {
    const StepReport report = simulation.step();
    work += report.energy.drives;
    ASSERT_LT(report.energy.relative_defect(), 1e-11);
  }
  const auto now = simulation.joint_place(0);
  EXPECT_NEAR(speed(simulation), 1, 1e-12);
  EXPECT_NEAR(now.rate[0], 1, 1e-12);
  EXPECT_NEAR(now.motor[0], 2 * 1e-3, 1e-12);  // 1 kg at 2 m/s2
  EXPECT_NEAR(work, 0.5, 1e-12);
}

TEST(JointDirections, a_motor_of_position_follows_its_curve) {
  Scene<2> scene = slider(1e-3);
  scene.joints[0].direction("slide").motor =
      JointMotor{JointMotor::Kind::position, TimeFunction::sine(0.1, 1), {}};
  Simulation<2> simulation(scene);
  double worst = 0;
  for (int k = 1; k <= 3000; ++k) {
    simulation.step();
    if (k > 200)
      worst = std::max(worst, std::abs(place(simulation) - 0.1 * std::sin(2 * std::numbers::pi * k * 1e-3)));
  }
  EXPECT_LT(worst, 0.1 * 4 * std::numbers::pi * std::numbers::pi * 1e-3 *
                       1e-2);  // a h tau: acceleration, step, 10 steps
}

TEST(JointDirections, a_force_is_a_force) {
  Scene<2> scene = slider(1e-3);
  scene.joints[0].direction("slide").motor =
      JointMotor{JointMotor::Kind::force, TimeFunction::constant(3), {}};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 100; ++k) ASSERT_LT(simulation.step().energy.relative_defect(), 1e-11);
  EXPECT_NEAR(speed(simulation), 0.3, 1e-12);
}

// A pendulum of m g l = 9.81 N m held level by a motor: at 1 % above it holds, at 1 % below it goes down.
TEST(JointDirections, a_motor_of_limited_moment_holds_up_to_its_limit) {
  for (const double factor : {1.01, 0.99}) {
    Scene<2> scene = test::bare_scene_2d(1e-3);
    scene.bodies = {test::unit_body("arm", Vec<2>(1, 0))};
    scene.joints = {test::joint<2>(JointKind::revolute, "", "arm", Vec<2>::Zero())};
    scene.joints[0].direction("angle").motor =
        JointMotor{JointMotor::Kind::velocity, TimeFunction::constant(0),
                   TimeFunction::constant(factor * test::kGravity)};
    Simulation<2> simulation(scene);
    test::run(simulation, 500);
    const double angle = simulation.joint_place(0).angle();
    if (factor > 1)
      EXPECT_NEAR(angle, 0, 1e-9);
    else
      EXPECT_NEAR(angle, -0.5 * 0.01 * test::kGravity / 1.1 * 0.25, 2e-4);  // constant moment: alpha t^2/2
  }
}

TEST(JointDirections, a_screw_advances_by_its_lead_and_trades_moment_for_force) {
  Scene<3> scene = test::bare_scene_3d(1e-3, false);
  scene.bodies = {test::unit_body("nut", Vec<3>(0, 0, 0))};
  scene.joints = {test::joint<3>(JointKind::screw, "", "nut", Vec<3>::Zero(), Vec<3>(0, 0, 1))};
  scene.joints[0].lead = 0.2;
  scene.bodies[0].force[2] = TimeFunction::constant(5);
  Simulation<3> simulation(scene);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(simulation.step().status, StepStatus::converged);
  // z = p angle, p = lead/2pi: (m + I/p^2) z'' = F.
  const double p = 0.2 / (2 * std::numbers::pi), expected = 5 / (1 + 0.1 / (p * p)) * 0.5;
  EXPECT_NEAR(simulation.bodies().pose[0].position.z(), expected, 1e-6 * expected);
  EXPECT_NEAR(simulation.joint_place(0).value[0] * p, simulation.joint_place(0).value[1], 1e-9);
}

TEST(JointDirections, a_gear_couples_two_wheels) {
  Scene<2> scene = test::bare_scene_2d(1e-3, false);
  scene.bodies = {test::unit_body("small", Vec<2>(0, 0), 0.1), test::unit_body("large", Vec<2>(1, 0), 0.4)};
  scene.joints = {test::joint<2>(JointKind::revolute, "", "small", Vec<2>(0, 0)),
                  test::joint<2>(JointKind::revolute, "", "large", Vec<2>(1, 0))};
  scene.joints[0].name = "one", scene.joints[1].name = "two";
  scene.joints[0].direction("angle").motor =
      JointMotor{JointMotor::Kind::force, TimeFunction::constant(1), {}};
  SceneJoint<2> gear;
  gear.kind = JointKind::gear;
  gear.joints[0] = "one", gear.joints[1] = "two";
  gear.ratio = -3;  // the small one turns three times as fast, the other way
  scene.joints.push_back(gear);
  Simulation<2> simulation(scene);
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged);
    ASSERT_LT(report.energy.relative_defect(), 1e-10);
  }
  const double rate = 1 / (0.1 + 0.4 / 9);
  EXPECT_NEAR(simulation.joint_place(0).rate[0], rate, 1e-9 * rate);
  EXPECT_NEAR(simulation.joint_place(1).rate[0], -rate / 3, 1e-9 * rate);
  EXPECT_NEAR(simulation.joint_place(0).value[0], -3 * simulation.joint_place(1).value[0], 1e-9);
}

// Atwood's machine with a movable pulley's ratio: L1 + 2 L2 = const.
TEST(JointDirections, a_pulley_moves_two_masses_as_atwood_says) {
  for (const double ratio : {1.0, 2.0}) {
    Scene<2> scene = test::bare_scene_2d(1e-3);
    scene.bodies = {test::unit_body("one", Vec<2>(-0.5, -2), 0.1, 3),
                    test::unit_body("two", Vec<2>(0.5, -2), 0.1, 1)};
    SceneJoint<2> pulley;
    pulley.kind = JointKind::pulley;
    pulley.a = "one", pulley.b = "two";
    pulley.points[0] = Vec<2>(-0.5, -2), pulley.points[1] = Vec<2>(0.5, -2);
    pulley.supports[0] = Vec<2>(-0.5, 0), pulley.supports[1] = Vec<2>(0.5, 0);
    pulley.ratio = ratio;
    pulley.slack = true;
    scene.joints = {pulley};
    Simulation<2> simulation(scene);
    for (int k = 0; k < 500; ++k) ASSERT_EQ(simulation.step().status, StepStatus::converged);
    // x down: m1 x1'' = m1 g - T, m2 x2'' = m2 g - ratio T, x1 + ratio x2 = const.
    const double tension = test::kGravity * (1 + ratio) / (1.0 / 3 + ratio * ratio / 1);
    const double fall = (test::kGravity - tension / 3) * 0.5;
    EXPECT_NEAR(simulation.bodies().velocity[0].y(), -fall, 1e-6);
    EXPECT_NEAR(simulation.joint_place(0).row, tension * 1e-3, 1e-6 * tension);
    // The same sign where the rope could push too, and under another scheme.
    for (const bool slack : {false, true})
      for (const SchemeKind kind : {SchemeKind::moreau_jean, SchemeKind::generalized_alpha}) {
        scene.joints[0].slack = slack;
        scene.scheme.kind = kind;
        Simulation<2> other(scene);
        for (int k = 0; k < 50; ++k) ASSERT_EQ(other.step().status, StepStatus::converged);
        EXPECT_NEAR(other.joint_place(0).row, tension * 1e-3, 1e-6 * tension);
      }
  }
}

// A ball on a rope of 1 m falls 0.5 m freely, then its rope is taut: without restitution it hangs, with e it goes up again.
TEST(JointDirections, a_rope_goes_slack_and_taut) {
  for (const double e : {0.0, 0.5}) {
    Scene<2> scene = test::bare_scene_2d(1e-4);
    scene.bodies = {test::unit_body("ball", Vec<2>(0, -0.5))};
    scene.joints = {test::between_points<2>(JointKind::rope, "", "ball", Vec<2>::Zero(), Vec<2>(0, -0.5))};
    scene.joints[0].length = 1;
    scene.joints[0].direction("length").limits = JointLimits{-1, 1, e};
    Simulation<2> simulation(scene);
    const double fall = std::sqrt(2 * 0.5 / test::kGravity);
    test::run(simulation, static_cast<int>(fall / 1e-4) - 3);
    EXPECT_NEAR(simulation.joint_place(0).impulse.y(), 0, 1e-15);
    test::run(simulation, 8);
    EXPECT_NEAR(simulation.bodies().velocity[0].y(), e * test::kGravity * fall, 1e-2);
    test::run(simulation, 30000);
    EXPECT_NEAR(simulation.bodies().velocity[0].y(), 0, 1e-3);
    EXPECT_NEAR(simulation.bodies().pose[0].position.y(), -1, 2e-4);
    EXPECT_NEAR(simulation.joint_place(0).impulse.y(), test::kGravity * 1e-4, 1e-5 * test::kGravity);
  }
}

TEST(JointDirections, a_spherical_joint_is_bounded_damped_and_rubbed) {
  Scene<3> scene = test::bare_scene_3d(1e-3);
  scene.bodies = {test::unit_body("top", Vec<3>(0, 0, 1))};
  scene.bodies[0].spin = Vec<3>(0.5, 0, 2), scene.bodies[0].velocity = Vec<3>(0, -0.5, 0);
  scene.joints = {test::joint<3>(JointKind::spherical, "", "top", Vec<3>::Zero(), Vec<3>(0, 0, 1))};
  scene.joints[0].direction("swing").limits = JointLimits{-1, 0.4, 0};
  scene.joints[0].direction("rotation").spring = JointSpring{0, 0.3, 0, 0};
  Simulation<3> simulation(scene);
  StepReport report;
  double worst = 0;
  for (int k = 0; k < 4000; ++k) {
    report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged);
    worst = std::max(worst, simulation.joint_place(0).value[0]);
  }
  EXPECT_LT(worst, 0.4 + 5e-3);
  EXPECT_NEAR(simulation.joint_place(0).value[0], 0.4, 1e-3);  // it leans on its limit
  EXPECT_LT(report.energy.kinetic, 1e-4);

  // Friction of a ball joint: moment of 0.5 N m against the spin, inertia 0.1.
  scene.gravity.setZero();
  scene.bodies[0].pose = Pose<3>(Vec<3>::Zero());
  scene.bodies[0].velocity.setZero();
  scene.bodies[0].spin = Vec<3>(3, 0, 4);
  scene.joints[0] = test::joint<3>(JointKind::spherical, "", "top", Vec<3>::Zero());
  scene.joints[0].direction("rotation").friction = JointFriction{0.5, 0, 1};
  Simulation<3> rubbed(scene);
  test::run(rubbed, 500);
  EXPECT_NEAR(rubbed.bodies().spin_world(0).norm(), 5 - 0.5 / 0.1 * 0.5, 1e-9);
}

}  // namespace
}  // namespace saltus::directions_test
