// Loads of joints in smooth motion and after impacts: those of the motion, in every step. A joint holds the mean of two velocities, and what
// breaks it at the start of a step would alternate, and the load with it.
#include <gtest/gtest.h>

#include <cmath>

#include "joints/joint_scenes.hpp"

namespace saltus::joint_loads_test {
namespace {

double force_of(const Simulation<2>& simulation, double h) {
  return simulation.joint_place(0).impulse.head<2>().norm() / h;
}

// Two bodies of 1 kg, welded 1 m apart, turn at 2 rad/s about the middle: each needs m w^2 r = 2 N, from the first step on. A thousandth is a tenth of what
// may alternate; it was all of it.
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

// An arm that fell on a stop, with and without rebounds, and rests: its pin carries the weight less what the stop's moment leaves, and that is all of it.
TEST(JointLoads, the_pin_of_an_arm_at_rest_on_its_stop_carries_its_weight) {
  const double h = 1e-3;
  for (const double restitution : {0.0, 0.5})
    for (const SchemeKind kind : {SchemeKind::moreau_jean, SchemeKind::moreau_jean_projected}) {
      Scene<2> scene = test::bare_scene_2d(h);
      scene.scheme.kind = kind;
      scene.bodies = {test::unit_body("arm", Vec<2>(0.3, 0), 0.5, 2)};
      scene.joints = {test::joint<2>(JointKind::revolute, "", "arm", Vec<2>(0, 0))};
      scene.joints[0].direction("angle").limits = JointLimits{-0.3, HUGE_VAL, restitution};
      Simulation<2> simulation(scene);
      for (int k = 0; k < 2900; ++k) simulation.step();
      const double weight = 2 * 9.81;
      // A hundredth of the load is what is left alone.
      for (int k = 0; k < 100; ++k) {
        simulation.step();
        const auto impulse = simulation.joint_place(0).impulse;
        ASSERT_NEAR(impulse[0] / h, 0, 0.01 * weight) << restitution << ' ' << k;
        ASSERT_NEAR(impulse[1] / h, weight, 0.01 * weight) << restitution << ' ' << k;
      }
    }
}

// A pendulum that hits a wall at 6.1 rad/s and comes back at half of it: from then on the pin carries what the weight and w^2 r ask for, in every step.
TEST(JointLoads, a_pendulum_that_rebounds_loads_its_pin_by_what_it_has_left) {
  const double h = 1e-3;
  Scene<2> scene = test::bare_scene_2d(h);
  scene.default_law->restitution = 0.5;
  SceneBody<2> wall = test::body<2>(HalfSpace<2>{Vec<2>(1, 0), -0.1}, Vec<2>::Zero());
  wall.fixed = true;
  scene.bodies = {wall, test::unit_body("bob", Vec<2>(0.5, 0), 0.01)};
  scene.joints = {test::joint<2>(JointKind::revolute, "", "bob", Vec<2>(0, 0))};
  Simulation<2> simulation(scene);
  bool hit = false;
  int after = 0;
  for (int k = 0; k < 2000 && after < 300; ++k) {
    simulation.step();
    const double rate = simulation.joint_place(0).rate[0];
    if (rate > 0.1) hit = true;
    if (!hit || ++after < 5) continue;
    const double angle = simulation.joint_place(0).value[0];  // 0: level
    const double spin = simulation.joint_place(0).rate[0];
    if (std::abs(spin) < 0.2) break;
    // Along the arm, outwards from the pin: the bob of 1 kg at 0.5 m. The values are of the end of the step, the load of its middle:
    // 0.03 N; a hundredth of the load may alternate.
    const Vec<2> arm(std::cos(angle), std::sin(angle));
    const double pull = -simulation.joint_place(0).impulse.head<2>().dot(arm) / h;
    ASSERT_NEAR(pull, spin * spin * 0.5 - 9.81 * std::sin(angle), 0.02 * 9.81) << k;
  }
  EXPECT_TRUE(hit);
  EXPECT_GT(after, 50);
}

}  // namespace
}  // namespace saltus::joint_loads_test
