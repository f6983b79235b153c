// What joints tell: of motors whose force is given, and of bodies that are gone.
#include <gtest/gtest.h>

#include "joints/joint_scenes.hpp"
#include "saltus/trajectories/trajectory_final.hpp"

namespace saltus {
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

}  // namespace
}  // namespace saltus
