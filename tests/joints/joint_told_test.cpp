// What joints tell: of motors whose force is given, of bodies that are gone, and of those that are still to come.
#include <gtest/gtest.h>

#include <cmath>

#include "joints/joint_scenes.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/trajectories/trajectory_final.hpp"

namespace saltus::joint_told_test {
namespace {

TEST(JointsTold, a_spring_whose_body_is_gone_stores_nothing_and_is_not_off) {
  Scene<2> scene = test::bare_scene_2d(1e-3, false);
  scene.bodies = {test::unit_body("a", Vec<2>(0, 0)), test::unit_body("b", Vec<2>(1, 0))};
  scene.bodies[1].removed_at = 5.5e-3;
  scene.joints = {test::between_points<2>(JointKind::spring, "a", "b", Vec<2>(0, 0), Vec<2>(1, 0)),
                  test::joint<2>(JointKind::revolute, "a", "b", Vec<2>(0.5, 0))};
  scene.joints[0].direction("length").spring = JointSpring{100, 0, 0.5, 0};
  Simulation<2> simulation(scene);
  EXPECT_GT(simulation.step().energy.elastic_stored, 12);
  double stored = 0;
  for (int k = 1; k < 10; ++k) stored = simulation.step().energy.elastic_stored;
  EXPECT_EQ(stored, 0);
  EXPECT_EQ(simulation.joint_place(1).gap, 0);
}

TEST(JointsTold, a_final_scene_keeps_the_rotation_of_a_spherical_joint) {
  Scene<3> scene = test::bare_scene_3d(1e-3);
  scene.bodies = {test::unit_body("b", Vec<3>(0.5, 0, 0))};
  scene.joints = {test::joint<3>(JointKind::spherical, "", "b", Vec<3>::Zero(), Vec<3>(1, 0, 0))};
  scene.joints[0].direction("rotation").spring = JointSpring{5, 0, 0, 0};
  Simulation<3> simulation(scene);
  for (int k = 0; k < 200; ++k) simulation.step();
  const Simulation<3> next(build_final_scene<3>(simulation));
  const auto was = simulation.joint_place(0), is = next.joint_place(0);
  ASSERT_GT(was.value[0], 0.1);
  EXPECT_NEAR(is.value[0], was.value[0], 1e-12);  // swing, rebuilt from a rotation vector: round-off
  EXPECT_NEAR(is.rotation.norm(), was.rotation.norm(), 1e-12);
}

// The length of a strut begins at 1 m: a formula that begins at zero would pull its ends together within ten steps.
TEST(JointsTold, a_motor_of_position_that_does_not_begin_where_its_joint_is) {
  Scene<2> scene = test::bare_scene_2d(1e-3, false);
  scene.bodies = {test::unit_body("a", Vec<2>(0, 0)), test::unit_body("b", Vec<2>(1, 0))};
  scene.joints = {test::between_points<2>(JointKind::spring, "a", "b", Vec<2>(0, 0), Vec<2>(1, 0))};
  scene.joints[0].name = "strut";
  JointMotor motor{JointMotor::Kind::position, TimeFunction::expression("0.1*t"), std::nullopt};
  const auto told = [&] {
    scene.joints[0].direction("length").motor = motor;
    return Simulation<2>(scene).scene_warnings();
  };
  ASSERT_EQ(told().size(), 1u);
  EXPECT_NE(told()[0].find("the motor of joint \"strut\" asks for length = 0 m at the start, where it is 1"),
            std::string::npos)
      << told()[0];
  motor.target = TimeFunction::expression("1 + 0.1*t");
  EXPECT_TRUE(told().empty());
  motor = {JointMotor::Kind::position, TimeFunction::expression("0.1*t"), TimeFunction::constant(5)};
  EXPECT_TRUE(told().empty());
}

// 3 N along a slide push 1 kg from 2 m/s on: v = 2 + 3 t, and the work of a step is 3 N times what it moves.
TEST(JointsTold, a_given_force_is_in_the_effort_the_load_and_the_power) {
  const double h = 1e-2;
  Scene<2> scene = test::bare_scene_2d(h, false);
  scene.bodies = {test::unit_body("b", Vec<2>(0, 0))};
  scene.bodies[0].velocity = Vec<2>(2, 0);
  scene.joints = {test::joint<2>(JointKind::prismatic, "", "b", Vec<2>(0, 0), Vec<3>(1, 0, 0))};
  scene.joints[0].direction("slide").motor =
      JointMotor{JointMotor::Kind::force, TimeFunction::constant(3), std::nullopt};
  Simulation<2> simulation(scene);
  EXPECT_EQ(simulation.joint_place(0).rate[0], 2);  // before the first step
  double moved = 0;
  for (int k = 0; k < 5; ++k) {
    const double before = simulation.joint_place(0).value[0];
    const double forces = simulation.step().energy.forces;
    const auto joint = simulation.joint_place(0);
    moved = joint.value[0] - before;
    // Round-off of numbers of the order of 1.
    EXPECT_NEAR(joint.effort[0], 3 * h, 1e-15);
    EXPECT_NEAR(joint.motor[0], 3 * h, 1e-15);
    EXPECT_NEAR(joint.impulse[0], 3 * h, 1e-15);
    EXPECT_NEAR(joint.motor_work, 3 * moved, 1e-14);
    EXPECT_NEAR(joint.motor_work, forces, 1e-14);
  }
  EXPECT_GT(moved, 2 * h);
}

// A moment about a skew axis, between two bodies that tumble: what the joint tells of it is what the audit counts.
TEST(JointsTold, the_power_of_a_given_moment_is_that_of_the_audit) {
  Scene<3> scene = test::bare_scene_3d(1e-3, false);
  scene.bodies = {test::unit_body("a", Vec<3>(0, 0, 0), Vec<3>(0.1, 0.2, 0.25)),
                  test::unit_body("b", Vec<3>(1, 0, 0), Vec<3>(0.3, 0.2, 0.15), 2)};
  scene.bodies[1].spin = Vec<3>(0.3, 0.2, 0.1);
  scene.joints = {test::joint<3>(JointKind::revolute, "a", "b", Vec<3>(0.4, 0.1, 0.2), Vec<3>(1, 2, 3))};
  scene.joints[0].direction("angle").motor =
      JointMotor{JointMotor::Kind::force, TimeFunction::constant(0.7), std::nullopt};
  Simulation<3> simulation(scene);
  double work = 0, forces = 0;
  for (int k = 0; k < 200; ++k) {
    forces += simulation.step().energy.forces;
    work += simulation.joint_place(0).motor_work;
  }
  EXPECT_GT(work, 0.01);
  // The audit takes spins in the axes of bodies that turn within a step: the difference is of second order in h.
  EXPECT_NEAR(work, forces, 1e-5 * work);
}

TEST(JointsTold, a_joint_begins_where_its_bodies_are_when_the_last_of_them_appears) {
  Scene<2> scene = test::bare_scene_2d(1e-3, false);
  scene.bodies = {test::unit_body("ship", Vec<2>(0, 0)), test::unit_body("late", Vec<2>(1, 0))};
  scene.bodies[0].velocity = Vec<2>(2, 0);
  scene.bodies[1].velocity = Vec<2>(2, 0);
  scene.bodies[1].added_at = 0.1;  // the ship is at x = 0.2 then
  scene.joints = {test::joint<2>(JointKind::revolute, "ship", "late", Vec<2>(0.6, 0.3))};
  scene.joints[0].name = "pin";
  Simulation<2> simulation(scene);
  EXPECT_TRUE(std::isnan(simulation.joint_place(0).value[0]));  // nothing to tell yet
  for (int k = 0; k < 200; ++k) simulation.step();
  const auto& bodies = simulation.bodies();
  // Nothing pulls: both go on as they came, the joint with them.
  EXPECT_NEAR(bodies.pose[0].position.x(), 0.4, 1e-12);
  EXPECT_NEAR(bodies.pose[1].position.x(), 1.2, 1e-12);
  EXPECT_NEAR(simulation.joint_place(0).point.x(), 0.8, 1e-12);
  EXPECT_NEAR(simulation.joint_place(0).value[0], 0, 1e-12);
  // A state that is saved and restored knows where the joint began.
  Simulation<2> twin(scene);
  twin.restore(simulation.save());
  EXPECT_EQ(twin.state_hash(), simulation.state_hash());
  EXPECT_EQ(twin.joint_place(0).point_b, simulation.joint_place(0).point_b);
  twin.step(), simulation.step();
  EXPECT_EQ(twin.state_hash(), simulation.state_hash());
}

TEST(JointsTold, points_in_bodies_that_do_not_meet_when_a_joint_begins_are_an_error) {
  Scene<2> scene = test::bare_scene_2d(1e-3, false);
  scene.bodies = {test::unit_body("ship", Vec<2>(0, 0)), test::unit_body("late", Vec<2>(0.5, 0))};
  scene.bodies[0].velocity = Vec<2>(2, 0);
  scene.bodies[1].added_at = 0.1;
  scene.joints = {test::between_points<2>(JointKind::revolute, "ship", "late", Vec<2>(0.3, 0), Vec<2>(0, 0))};
  scene.joints[0].name = "pin";
  scene.joints[0].local = true;
  {
    // 0.2 + 0.3 = 0.5: they meet.
    Simulation<2> simulation(scene);
    for (int k = 0; k < 110; ++k) simulation.step();
    EXPECT_LT(simulation.joint_place(0).gap, 1e-3);
  }
  scene.bodies[1].pose = Pose<2>(Vec<2>(0.7, 0));
  Simulation<2> simulation(scene);
  for (int k = 0; k < 100; ++k) simulation.step();
  try {
    simulation.step();
    FAIL() << "a joint that does not close began";
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part : {"pin", "t = 0.1 s", "0.2 m"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  scene.joints[0].may_be_off = true;
  Simulation<2> pulled(scene);
  for (int k = 0; k < 300; ++k) pulled.step();
  EXPECT_LT(pulled.joint_place(0).gap, 1e-2);  // taken back, as the scene says it may be
}

TEST(JointsTold, a_final_scene_goes_on_as_the_run_would_have_with_joints_that_wait) {
  Scene<2> scene = test::bare_scene_2d(1e-3, false);
  scene.bodies = {test::unit_body("ship", Vec<2>(0, 0)), test::unit_body("late", Vec<2>(0.5, 0.1))};
  scene.bodies[0].velocity = Vec<2>(2, 0);
  scene.bodies[0].centre = Vec<2>(0.02, 0.01);
  scene.bodies[1].velocity = Vec<2>(0, -0.3);
  scene.bodies[1].added_at = 0.1;
  for (const bool local : {false, true}) {
    scene.joints = {test::between_points<2>(JointKind::rod, "ship", "late", Vec<2>(0.3, 0), Vec<2>(0.5, 0))};
    scene.joints[0].local = local;
    if (local) scene.joints[0].points[1] = Vec<2>(0, 0.05);
    Simulation<2> whole(scene);
    // One of the stops is between the time at which a body is due and the step that brings it.
    for (const int stop : {50, 100}) {
      while (whole.steps() < stop) whole.step();
      Simulation<2> rest(build_final_scene<2>(whole));
      for (int k = 0; k < 100; ++k) rest.step();
      Simulation<2> all(scene);
      for (int k = 0; k < stop + 100; ++k) all.step();
      // A final scene has the numbers of the state: round-off of 100 steps.
      for (const int slot : {0, 1})
        EXPECT_NEAR((rest.bodies().pose[slot].position - all.bodies().pose[slot].position).norm(), 0, 1e-12)
            << local << ' ' << stop;
    }
  }
}

TEST(JointsTold, nothing_is_told_of_a_joint_whose_body_is_gone) {
  Scene<2> scene = test::bare_scene_2d(1e-3);
  scene.bodies = {test::unit_body("b", Vec<2>(1, 0))};
  scene.bodies[0].removed_at = 5.5e-3;
  scene.joints = {test::joint<2>(JointKind::revolute, "", "b", Vec<2>(0, 0))};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 5; ++k) simulation.step();
  EXPECT_LT(simulation.joint_place(0).rate[0], 0);
  for (int k = 0; k < 5; ++k) simulation.step();
  const auto joint = simulation.joint_place(0);
  EXPECT_TRUE(std::isnan(joint.value[0]) && std::isnan(joint.rate[0]));
  EXPECT_EQ(joint.effort[0], 0);
  EXPECT_EQ(joint.impulse.norm(), 0);
}

TEST(JointsTold, a_limit_of_a_motor_that_goes_below_zero_ends_the_run_and_says_where) {
  Scene<2> scene = test::bare_scene_2d(1e-3);
  scene.bodies = {test::unit_body("b", Vec<2>(1, 0))};
  scene.joints = {test::joint<2>(JointKind::revolute, "", "b", Vec<2>(0, 0))};
  scene.joints[0].name = "shoulder";
  scene.joints[0].direction("angle").motor = JointMotor{JointMotor::Kind::velocity, TimeFunction::constant(0),
                                                        TimeFunction::expression("10 - 1000*t")};
  Simulation<2> simulation(scene);
  StepReport report;
  int steps = 0;
  while (report.status != StepStatus::not_finite && steps < 20) report = simulation.step(), ++steps;
  EXPECT_EQ(steps, 11);  // the limit is zero at t = 10 h, and taken in the middle of a step
  for (const char* part : {"shoulder", "limit", "-0.5"})
    EXPECT_NE(report.reason.find(part), std::string::npos) << part << " in " << report.reason;
}

// A ball hangs by a rod from the world: with its two points the other way round it would hang by a point 0.5 m outside it.
TEST(JointsTold, points_of_a_rod_that_are_the_wrong_way_round) {
  for (const bool swapped : {false, true}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
    scene.bodies = {test::body<2>(Disk{0.05}, {0.3, -0.4})};
    scene.bodies[0].name = "ball";
    SceneJoint<2> rod;
    rod.kind = JointKind::rod;
    rod.b = "ball";
    rod.points[swapped ? 0 : 1] = Vec<2>(0.3, -0.4);
    scene.joints = {rod};
    const std::vector<std::string> warnings = Simulation<2>(scene).warnings();
    ASSERT_EQ(warnings.size(), swapped ? 1u : 0u);
    if (swapped) {
      EXPECT_NE(warnings[0].find("by a point outside it"), std::string::npos) << warnings[0];
    }
  }
}

}  // namespace
}  // namespace saltus::joint_told_test
