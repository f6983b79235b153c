// Loads of joints: those of the motion, in every step. A joint holds the mean of two velocities, and what breaks it at the start of a step would
// alternate, and the load with it: at the start of a run, after an impact, and where a motor is switched.
#include <gtest/gtest.h>

#include <cmath>

#include "joints/joint_scenes.hpp"

namespace saltus::joint_loads_test {
namespace {

double force_of(const Simulation<2>& simulation, double h) {
  return simulation.joint_place(0).impulse.head<2>().norm() / h;
}

// Two bodies of 1 kg, welded 1 m apart, turn at 2 rad/s about the middle: each needs m w^2 r = 2 N, from the first step on. (w h)^2 is 4e-6,
// and a thousandth allows for where the load is taken; 0 and 4 N in turn is what it was.
TEST(JointLoads, a_weld_of_bodies_that_turn_carries_the_same_in_every_step) {
  const double h = 1e-3;
  Scene<2> scene = test::bare_scene_2d(h, false);
  scene.bodies = {test::unit_body("a", Vec<2>(0, 0)), test::unit_body("b", Vec<2>(1, 0))};
  scene.bodies[0].velocity = Vec<2>(0, -1);
  scene.bodies[1].velocity = Vec<2>(0, 1);
  scene.bodies[0].spin[0] = scene.bodies[1].spin[0] = 2;
  scene.joints = {test::joint<2>(JointKind::weld, "a", "b", Vec<2>(0.5, 0))};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 1000; ++k) {
    simulation.step();
    ASSERT_NEAR(force_of(simulation, h), 2, 2e-3) << k;
  }
}

// A motor turns an arm of 2 kg, whose centre is 0.5 m away, at 2 rad/s from one step to the next: from the second step after that on its pin
// carries m w^2 r = 4 N. What may alternate is of first order, w h = 2e-3 of it. 0 and 8 N in turn is what it was.
TEST(JointLoads, of_an_arm_that_a_motor_turns_from_now_on_are_those_of_its_circle) {
  const double h = 1e-3;
  for (const int first : {0, 50}) {
    Scene<2> scene = test::bare_scene_2d(h, false);
    scene.bodies = {test::unit_body("arm", Vec<2>(0.5, 0), 0.1, 2)};
    scene.joints = {test::joint<2>(JointKind::revolute, "", "arm", Vec<2>(0, 0))};
    TimeFunction target = TimeFunction::constant(2);
    if (first > 0) target = TimeFunction::expression("2*step(t - 0.0499)");
    scene.joints[0].direction("angle").motor = JointMotor{JointMotor::Kind::velocity, target, {}};
    Simulation<2> simulation(scene);
    for (int k = 0; k < 300; ++k) {
      simulation.step();
      if (k >= first + 2) {
        ASSERT_NEAR(force_of(simulation, h), 4, 8e-3) << first << ' ' << k;
      }
    }
  }
}

// A bob of 1 kg at 0.5 m falls from the level on a wall below, at 6.1 rad/s, and comes back at half of it: from the second step after that on the pin
// carries what the weight and w^2 r ask for. What may alternate is of first order, 2 m h a w of the acceleration a = g: 0.06 N at 3 rad/s. It was 10 to
// 12 N, as much as the load.
TEST(JointLoads, of_a_pendulum_that_rebounds_are_those_of_its_motion) {
  const double h = 1e-3, g = 9.81;
  Scene<2> scene = test::bare_scene_2d(h);
  scene.default_law->restitution = 0.5;
  SceneBody<2> wall = test::body<2>(HalfSpace<2>{Vec<2>(1, 0), -0.1}, Vec<2>::Zero());
  wall.fixed = true;
  scene.bodies = {wall, test::unit_body("bob", Vec<2>(0.5, 0), 0.01)};
  scene.joints = {test::joint<2>(JointKind::revolute, "", "bob", Vec<2>(0, 0))};
  Simulation<2> simulation(scene);
  int after = 0;
  for (int k = 0; k < 2000 && after < 250; ++k) {
    simulation.step();
    const auto place = simulation.joint_place(0);
    if (after == 0 && !(place.rate[0] > 0.1)) continue;
    if (++after < 3) continue;
    // Values are of the end of the step, the load of its middle.
    const double angle = place.value[0] - 0.5 * h * place.rate[0], spin = place.rate[0];
    const Vec<2> arm(std::cos(angle), std::sin(angle));
    const double pull = -place.impulse.head<2>().dot(arm) / h;
    ASSERT_NEAR(pull, 0.5 * spin * spin - g * std::sin(angle), 0.06) << after;
  }
  ASSERT_EQ(after, 250);
}

// An arm that fell on its stop and rests there: its pin carries the weight and nothing across. A hundredth is far above round-off and what a contact of the stop leaves;
// it was 18.7 and 20.5 N in turn, and 2.9 N across.
TEST(JointLoads, of_the_pin_of_an_arm_at_rest_on_its_stop_are_its_weight) {
  const double h = 1e-3, weight = 2 * 9.81;
  for (const double restitution : {0.0, 0.5})
    for (const SchemeKind kind : {SchemeKind::moreau_jean, SchemeKind::moreau_jean_projected}) {
      Scene<2> scene = test::bare_scene_2d(h);
      scene.scheme.kind = kind;
      scene.bodies = {test::unit_body("arm", Vec<2>(0.3, 0), 0.5, 2)};
      scene.joints = {test::joint<2>(JointKind::revolute, "", "arm", Vec<2>(0, 0))};
      scene.joints[0].direction("angle").limits = JointLimits{-0.3, HUGE_VAL, restitution};
      Simulation<2> simulation(scene);
      for (int k = 0; k < 2900; ++k) simulation.step();
      for (int k = 0; k < 100; ++k) {
        simulation.step();
        const auto impulse = simulation.joint_place(0).impulse;
        ASSERT_NEAR(impulse[0] / h, 0, 0.01 * weight) << restitution << ' ' << k;
        ASSERT_NEAR(impulse[1] / h, weight, 0.01 * weight) << restitution << ' ' << k;
      }
    }
}

// Two links, bent by 0.6 rad, go round and stretch until the second is at its stop, where the turning holds it: the stop is reached in two steps and
// pushes in both, and from the next on the pin at the ground carries the same in every step. What may alternate is of first order, w h = 3e-3.
TEST(JointLoads, of_links_that_go_round_at_their_stop_are_the_same_in_every_step) {
  const double h = 1e-3, bend = 0.6;
  for (const double stop : {0.3, 0.3004, 0.3011, 0.3017}) {
    Scene<2> scene = test::bare_scene_2d(h, false);
    const Vec<2> arm(0.5 * std::cos(bend), 0.5 * std::sin(bend));
    scene.bodies = {test::unit_body("first", Vec<2>(0.5, 0)), test::unit_body("second", Vec<2>(1, 0) + arm)};
    scene.bodies[0].velocity = Vec<2>(0, 1.5);
    scene.bodies[0].spin[0] = 3;
    scene.bodies[1].velocity = Vec<2>(0, 3) + Vec<2>(-arm.y(), arm.x());
    scene.bodies[1].spin[0] = 1;
    scene.joints = {test::joint<2>(JointKind::revolute, "", "first", Vec<2>(0, 0)),
                    test::joint<2>(JointKind::revolute, "first", "second", Vec<2>(1, 0))};
    scene.joints[1].direction("angle").limits = JointLimits{-stop, HUGE_VAL, 0.0};
    Simulation<2> simulation(scene);
    int at_stop = 0;
    double last = 0;
    for (int k = 0; k < 1000 && at_stop < 100; ++k) {
      simulation.step();
      if (at_stop == 0 && simulation.joint_place(1).value[0] > -stop + 1e-4) continue;
      const double force = force_of(simulation, h);
      if (++at_stop > 3) {
        EXPECT_NEAR(force, last, 3e-3 * last) << stop << ' ' << at_stop;
      }
      last = force;
    }
    EXPECT_EQ(at_stop, 100);
  }
}

}  // namespace
}  // namespace saltus::joint_loads_test
