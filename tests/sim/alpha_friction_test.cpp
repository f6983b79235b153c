// What friction holds under the alpha schemes stays, and what slides is where it should be: bodies, joints and systems.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/alpha_scenes.hpp"

namespace saltus::alpha_friction_test {
namespace {

using test::alpha_scheme;

// Of all bodies, after some steps, each of which converges with its balance closed.
template <int Dim>
void run(Simulation<Dim>& simulation, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
  }
}

// Three leaning boxes, 30 s at steps of 5 ms. They moved by 112 mm where friction was known to velocities alone.
TEST(AlphaFriction, a_pulled_stack_stays) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.5), 5e-3);
  scene.gravity = Vec<2>(1.5, -9.81);
  scene.scheme = alpha_scheme(0.8, 5e-3);
  scene.bodies = {test::ground<2>()};
  for (const Vec<2>& at : {Vec<2>(0, 0.1), Vec<2>(0.05, 0.3), Vec<2>(0, 0.5)})
    scene.bodies.push_back(test::body<2>(build_rectangle(0.5, 0.2), at));
  Simulation<2> simulation(scene);
  run(simulation, 6000);
  for (int i = 1; i <= 3; ++i)
    EXPECT_LT((simulation.bodies().pose[i].position - scene.bodies[i].pose.position).norm(), 5e-6);
}

TEST(AlphaFriction, a_sphere_that_rolling_friction_holds_stays) {
  PairLaw law = test::law(LawKind::newton, 0.5);
  law.rolling = 0.02;
  Scene<3> scene = test::scene<3>(law, 5e-3);
  scene.gravity = Vec<3>(0.5, 0.2, -9.81);
  scene.scheme = alpha_scheme(0.8, 5e-3);
  scene.bodies = {test::ground<3>(), test::body<3>(Ball<3>{0.2}, Vec<3>(0, 0, 0.2))};
  Simulation<3> simulation(scene);
  run(simulation, 1000);
  EXPECT_LT((simulation.bodies().pose[1].position - scene.bodies[1].pose.position).norm(), 1e-9);
}

// x = (g sin - mu g cos) t^2/2; 18 mm more where positions do not know friction.
TEST(AlphaFriction, a_sliding_box_is_where_it_should_be) {
  for (const double rho : {0.0, 0.8, 1.0}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.2), 1e-2);
    scene.gravity = Vec<2>(3.3552, -9.2184);
    scene.scheme = alpha_scheme(rho, 1e-2);
    scene.bodies = {test::ground<2>(), test::body<2>(build_rectangle(0.4, 0.2), Vec<2>(0, 0.1))};
    Simulation<2> simulation(scene);
    run(simulation, 200);
    EXPECT_NEAR(simulation.bodies().pose[1].position.x(), 0.5 * (3.3552 - 0.2 * 9.2184) * 4, 1e-6);
  }
}

// An arm that friction of its hinge, or a motor of a limited moment, holds up: 9.81 N m of the 12 there are. It sank by 0.36 rad.
TEST(AlphaFriction, a_joint_holds_its_arm) {
  for (const bool by_motor : {false, true}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 5e-3);
    scene.gravity = Vec<2>(0, -9.81);
    scene.scheme = alpha_scheme(0.8, 5e-3);
    SceneBody<2> arm = test::body<2>(build_rectangle(1, 0.1), Vec<2>(0.5, 0));
    arm.name = "arm";
    arm.mass = 2;
    scene.bodies = {arm};
    SceneJoint<2> hinge;
    hinge.b = "arm";
    FreeDirection angle;
    if (by_motor) {
      JointMotor motor;
      motor.target = TimeFunction::constant(0);
      motor.limit = TimeFunction::constant(12);
      angle.motor = motor;
    } else {
      angle.friction = JointFriction{.constant = 12};
    }
    hinge.free = {angle};
    scene.joints = {hinge};
    Simulation<2> simulation(scene);
    run(simulation, 2000);
    EXPECT_NEAR(simulation.bodies().pose[0].position.y(), 0, 1e-9) << by_motor;
    EXPECT_NEAR(simulation.joint_place(0).gap, 0, 1e-12);
  }
}

// A point with a friction of its own formula, and a soft block: once at rest they stay.
TEST(AlphaFriction, systems_stay) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.6), 2e-3);
  scene.gravity = Vec<2>(2, -9.81);
  scene.scheme = alpha_scheme(0.5, 2e-3);
  scene.solver.tolerance_velocity = 1e-10;
  scene.bodies = {test::ground<2>()};
  SceneElasticBody block;
  block.centre = Vec<2>(0, 0.1);
  block.size = Vec<2>(0.4, 0.2);
  block.divisions[0] = 8, block.divisions[1] = 4;
  block.elasticity.young = 1e5;
  block.elasticity.poisson = 0.3;
  block.damping_stiffness = 1e-2;
  scene.elastic = {block};
  SceneLagrangianSystem<2> point;
  point.names = {{"x", "y"}, {"u", "v"}};
  point.mass = {{{"1"}, {"0"}}, {{"0"}, {"1"}}};
  point.forces = {{"3"}, {"-9.81"}};
  point.q = {0, 0};
  point.v = {0, 0};
  SceneSystemGap floor;
  floor.gap = {"y"};
  floor.tangents = {{"x"}};
  floor.law = test::law(LawKind::newton, 0.4);
  point.gaps = {floor};
  scene.lagrangian = {point};
  Simulation<2> simulation(scene);
  run(simulation, 1500);
  Eigen::VectorXd before[2];
  for (int i = 0; i < 2; ++i) before[i] = simulation.system_coordinates(i);
  run(simulation, 500);
  for (int i = 0; i < 2; ++i)
    EXPECT_LT((simulation.system_coordinates(i) - before[i]).cwiseAbs().maxCoeff(), 1e-6) << i;
}

// Kinetic energy is the work of the motor; what a joint holds does none.
Scene<2> disk_with_motor(double rho_inf, double h, TimeFunction target) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), h);
  scene.gravity.setZero();
  scene.scheme = alpha_scheme(rho_inf, h);
  SceneBody<2> disk = test::body<2>(Ball<2>{0.2}, Vec<2>::Zero());
  disk.name = "disk";
  disk.mass = 10;
  disk.inertia = Inertia<2>(5.0);
  scene.bodies = {disk};
  SceneJoint<2> hinge;
  hinge.b = "disk";
  FreeDirection angle;
  JointMotor motor;
  motor.target = std::move(target);
  angle.motor = motor;
  hinge.free = {angle};
  scene.joints = {hinge};
  return scene;
}

TEST(AlphaFriction, the_work_of_a_motor_is_that_of_a_drive) {
  Simulation<2> simulation(disk_with_motor(0.8, 1e-3, TimeFunction::table({0, 2}, {0, 4})));
  for (int k = 0; k < 1000; ++k) simulation.step();
  const EnergyBalance& energy = simulation.summary().energy;
  EXPECT_NEAR(energy.drives, 0.5 * 5 * 4, 1e-6);  // the motor starts with a jump of acceleration
  EXPECT_NEAR(energy.joints, 0, 1e-6);
  EXPECT_NEAR(simulation.joint_place(0).motor_work, 10 * 2 * 1e-3, 2e-5);
}

// An arm of 10 kg turned at a steady rate: the torque of the motor is its weight's, 10 g 0.5 m cos(2 t), and its work what gravity does not give.
// Of the force at the end of each step alone it would be off by h/2 times what the torque changes by, times the rate: 0.2 J.
TEST(AlphaFriction, the_work_of_a_motor_against_a_load_that_changes_is_no_work_of_the_joint) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 2e-3);
  scene.scheme = alpha_scheme(0.8, 2e-3);
  SceneBody<2> arm = test::body<2>(Ball<2>{0.1}, Vec<2>(0.5, 0), Vec<2>(0, 1));
  arm.name = "arm";
  arm.mass = 10;
  arm.inertia = Inertia<2>(1.0);
  arm.spin = Spin<2>(2);
  scene.bodies = {arm};
  SceneJoint<2> hinge;
  hinge.b = "arm";
  FreeDirection angle;
  JointMotor motor;
  motor.target = TimeFunction::constant(2);
  angle.motor = motor;
  hinge.free = {angle};
  scene.joints = {hinge};
  Simulation<2> simulation(scene);
  double told = 0;
  for (int k = 0; k < 750; ++k) {
    simulation.step();
    told += simulation.joint_place(0).motor_work;
  }
  const EnergyBalance& energy = simulation.summary().energy;
  // Second order: h2 times torque, rate squared and time, 1e-3 J.
  EXPECT_NEAR(energy.drives, 10 * test::kGravity * 0.5 * std::sin(3.0), 2e-3);
  EXPECT_NEAR(energy.joints, 0, 2e-3);
  EXPECT_NEAR(told, energy.drives, 2e-3);
}

// The target jumps: forces of the size of 1/h that alternate for some steps. Whatever they do along the path is the motor's.
TEST(AlphaFriction, the_work_of_a_motor_whose_target_jumps_is_no_work_of_the_joint) {
  for (const double rho_inf : {0.5, 0.8, 1.0}) {
    SCOPED_TRACE(rho_inf);
    Simulation<2> simulation(
        disk_with_motor(rho_inf, 1e-3, TimeFunction::table({0, 0.1, 0.1 + 1e-9, 1}, {0, 0, 2, 2})));
    double told = 0;
    for (int k = 0; k < 500; ++k) {
      simulation.step();
      told += simulation.joint_place(0).motor_work;
    }
    const EnergyBalance& energy = simulation.summary().energy;
    // Round-off of 5 kg m2 and 2 rad/s in forces of 1e4 N m: what is not the motor's, and is not lost by the scheme, became motion.
    EXPECT_NEAR(energy.joints, 0, 1e-9);
    EXPECT_NEAR(energy.drives + energy.scheme, 0.5 * 5 * 4, 1e-9);
    EXPECT_NEAR(told, energy.drives, 1e-9);
    if (rho_inf == 1) {
      EXPECT_NEAR(energy.scheme, 0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace saltus::alpha_friction_test
