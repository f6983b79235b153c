// Loads of joints in smooth motion: those of the motion, in every step. A joint holds the mean of two velocities, and what
// breaks it at the start of a step would alternate, and the load with it.
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

}  // namespace
}  // namespace saltus::joint_loads_test
