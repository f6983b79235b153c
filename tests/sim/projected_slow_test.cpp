// Long runs of mechanisms under the projected scheme.
#include <gtest/gtest.h>

#include <cmath>

#include "joints/joint_scenes.hpp"

namespace saltus::projected_slow_test {
namespace {

// 10^5 steps: joints are off by no more than the tolerance of each of their two rows, whatever the time.
TEST(ProjectedSlow, joints_do_not_drift_over_a_hundred_thousand_steps) {
  Scene<2> scene = test::bare_scene_2d(1e-3);
  scene.bodies = {test::unit_body("upper", Vec<2>(0.5, 0), 1.0 / 12),
                  test::unit_body("lower", Vec<2>(1.5, 0), 1.0 / 12)};
  scene.joints = {test::joint<2>(JointKind::revolute, "", "upper", Vec<2>(0, 0)),
                  test::joint<2>(JointKind::revolute, "upper", "lower", Vec<2>(1, 0))};
  scene.scheme.kind = SchemeKind::moreau_jean_projected;
  Simulation<2> simulation(scene);
  double first = 0, last = 0;
  for (int k = 0; k < 100000; ++k) {
    ASSERT_EQ(simulation.step().status, StepStatus::converged) << k;
    for (const int joint : {0, 1}) {
      double& worst = k < 50000 ? first : last;
      worst = std::max(worst, simulation.joint_place(joint).gap);
    }
  }
  EXPECT_LT(first, 1.5e-12);
  EXPECT_LT(last, 1.5e-12);
}

}  // namespace
}  // namespace saltus::projected_slow_test
