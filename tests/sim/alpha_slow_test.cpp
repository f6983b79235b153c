#include <gtest/gtest.h>

#include "sim/alpha_scenes.hpp"

namespace saltus::alpha_slow_test {
namespace {

// 10^5 steps: neither positions nor velocities of the joints drift. The loop of a step ends where it changes 10 m/s by less than
// 1e-12: 2e-14 m over the 2 ms of a step. The other bound is round-off of 10 m/s.
TEST(AlphaDrift, joints_do_not_drift_in_a_hundred_thousand_steps) {
  Scene<2> scene;
  scene.gravity = Vec<2>(0, -test::kGravity);
  scene.scheme = test::alpha_scheme(0.9, 2e-3);
  scene.end_time = 1e9;
  for (int i = 0; i < 2; ++i) {
    SceneBody<2> bar = test::body<2>(build_rectangle(1, 0.1), Vec<2>(0.5 + i, 0));
    bar.name = i == 0 ? "upper" : "lower";
    bar.mask = 0;
    scene.bodies.push_back(bar);
    SceneJoint<2> hinge;
    hinge.a = i == 0 ? "" : "upper";
    hinge.b = bar.name;
    hinge.points[0] = hinge.points[1] = Vec<2>(i, 0);
    scene.joints.push_back(hinge);
  }
  Simulation<2> simulation(scene);
  double place = 0, rate = 0;
  for (int k = 0; k < 100000; ++k) {
    ASSERT_EQ(simulation.step().status, StepStatus::converged);
    const BodySet<2>& bodies = simulation.bodies();
    const auto velocity = [&](int i, double x) {
      return Vec<2>(bodies.velocity[i] + spin_velocity(bodies.spin[i], bodies.pose[i].rotated(Vec<2>(x, 0))));
    };
    for (const int joint : {0, 1}) place = std::max(place, simulation.joint_place(joint).gap);
    rate = std::max(rate, velocity(0, -0.5).norm());
    rate = std::max(rate, (velocity(0, 0.5) - velocity(1, -0.5)).norm());
  }
  RecordProperty("place", std::to_string(place));
  EXPECT_LT(place, 2e-14);
  EXPECT_LT(rate, 2e-13);
}

}  // namespace
}  // namespace saltus::alpha_slow_test
