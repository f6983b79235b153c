// alpha-index3 holds places, which are known to round-off and no better.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "joints/joint_scenes.hpp"

namespace saltus::index3_places_test {
namespace {

// A bar on parallel cranks: each beyond the second repeats rows of the others.
Scene<2> cranks(int count, double angle, double h, double from) {
  Scene<2> scene = test::bare_scene_2d(h);
  scene.scheme.kind = SchemeKind::alpha_index3;
  const Vec<2> arm = 0.4 * Vec<2>(std::cos(angle), std::sin(angle));
  scene.bodies.push_back(test::unit_body("bar", Vec<2>(Vec<2>(from, 0) + arm)));
  for (int i = 0; i < count; ++i) {
    const Vec<2> foot(from + 0.5 * i, 0);
    const std::string name = "crank-" + std::to_string(i);
    scene.bodies.push_back(test::unit_body(name, Vec<2>(foot + 0.5 * arm)));
    scene.joints.push_back(test::joint<2>(JointKind::revolute, "", name, foot));
    scene.joints.push_back(test::joint<2>(JointKind::revolute, name, "bar", Vec<2>(foot + arm)));
  }
  return scene;
}

void expect_no_step_missed(Scene<2> scene, const std::string& what) {
  Simulation<2> simulation(std::move(scene));
  for (int k = 0; k < 200; ++k) simulation.step();
  EXPECT_EQ(simulation.summary().unconverged_steps, 0) << what;
}

TEST(Index3Places, no_step_is_missed_for_the_round_off_of_places) {
  for (const int count : {2, 3, 5})
    for (const double h : {1e-3, 1e-4})
      for (const double from : {0.0, 100.0})
        expect_no_step_missed(
            cranks(count, -0.77, h, from),
            std::to_string(count) + " cranks, h " + std::to_string(h) + ", at " + std::to_string(from));
}

TEST(Index3Places, nor_at_rest) {
  expect_no_step_missed(cranks(5, -0.5 * std::numbers::pi, 1e-3, 0), "at rest");
}

}  // namespace
}  // namespace saltus::index3_places_test
