// Slow loading: the residual that a step may leave is a velocity too. And what the projected scheme refuses.
#include <gtest/gtest.h>

#include "sim/solid_scenes.hpp"

namespace saltus::slow_drive_test {
namespace {

// A block of 0.2 m x 0.1 m on rollers, a lid that comes down at 1 mm/s for 0.5 s: E/(1 - nu^2) 0.005 0.2 N.
Scene<2> pressed() {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 2e-3);
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  HalfSpace<2> half;
  half.normal = Vec<2>(0, -1);
  SceneBody<2> lid = test::body<2>(half, Vec<2>(0, 0.1));
  lid.name = "lid";
  lid.drive[0] = lid.drive[2] = {Drive::Kind::locked, {}};
  lid.drive[1] = {Drive::Kind::velocity, TimeFunction::constant(-1e-3)};
  scene.bodies = {lid};
  SceneDeformable<2> block = test::soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 0.1), 8, 4),
                                                Vec<2>(0.1, 0.05), "linear-elastic", 1e6, 0.3);
  test::hold(block, "left", 0);
  test::hold(block, "bottom", 1);
  scene.deformable = {block};
  return scene;
}

struct Pressed {
  double force = 0;
  bool warns = false;
};

Pressed press(double tolerance_velocity, LawKind law = LawKind::quasi_inelastic) {
  Scene<2> scene = pressed();
  scene.default_law->kind = law;
  scene.solver.tolerance = 1e-3;
  scene.solver.tolerance_velocity = tolerance_velocity;
  Simulation<2> simulation(scene);
  for (int k = 0; k < 250; ++k) EXPECT_EQ(simulation.step().status, StepStatus::converged) << k;
  Pressed result{std::abs(test::contact_force_sum(simulation).y()), false};
  for (const std::string& warning : simulation.warnings())
    result.warns = result.warns || warning.find("is driven at 0.001 m/s") != std::string::npos;
  return result;
}

TEST(SlowDrive, forces_are_right_or_the_run_warns) {
  const double exact = 1e6 / (1 - 0.09) * 0.005 * 0.2;
  const Pressed loose = press(0), tight = press(1e-6);
  EXPECT_NEAR(tight.force, exact, 2e-3 * exact);
  EXPECT_FALSE(tight.warns);
  EXPECT_GT(std::abs(loose.force - exact), 2e-3 * exact) << "a warning for nothing";
  EXPECT_TRUE(loose.warns);
  // A law on gaps takes back what a step leaves.
  const Pressed on_gaps = press(0, LawKind::gap_signorini);
  EXPECT_NEAR(on_gaps.force, exact, 2e-3 * exact);
  EXPECT_FALSE(on_gaps.warns);
}

TEST(SlowDrive, the_projected_scheme_refuses_meshes_that_touch_and_takes_those_that_do_not) {
  Scene<2> scene = pressed();
  scene.scheme = SchemeOptions();
  scene.scheme.kind = SchemeKind::moreau_jean_projected;
  try {
    Simulation<2> simulation(scene);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("as an impact has"), std::string::npos) << error.what();
  }
  scene.deformable[0].touches = false;
  EXPECT_EQ(Simulation<2>(scene).step().status, StepStatus::converged);
}

}  // namespace
}  // namespace saltus::slow_drive_test
