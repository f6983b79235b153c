// Steps of deformable bodies that have no end are cut, also where step control is off, and the run says so.
#include <gtest/gtest.h>

#include "sim/solid_scenes.hpp"

namespace saltus::cut_steps_test {
namespace {

// Rubber pressed to 0.4 of its height in a few steps: the first guess turns elements inside out.
Scene<2> pressed(double h) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.3), h);
  scene.gravity.setZero();
  scene.scheme.kind = SchemeKind::quasi_static;
  SceneDeformable<2> block = test::soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 0.2), 6, 6),
                                                Vec<2>::Zero(), "neo-hookean", 1e6, 0.45);
  block.kinematics = Kinematics::finite;
  for (const char* side : {"bottom", "top"}) test::hold(block, side, 0);
  test::hold(block, "bottom", 1);
  block.supports.push_back({"top", 1, {Drive::Kind::position, TimeFunction::table({0, 1}, {0, -0.12})}, ""});
  scene.deformable = {block};
  return scene;
}

TEST(CutSteps, a_step_that_newtons_method_cannot_end_is_halved_and_the_answer_is_that_of_short_steps) {
  Simulation<2> fine(pressed(1.0 / 64)), coarse(pressed(1));
  for (int k = 0; k < 64; ++k) {
    const StepReport report = fine.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    ASSERT_EQ(report.halved, 0);
  }
  EXPECT_TRUE(fine.warnings().empty());
  const StepReport report = coarse.step();
  ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
  EXPECT_GT(report.halved, 0);
  EXPECT_EQ(coarse.steps(), 1);
  ASSERT_FALSE(coarse.warnings().empty());
  EXPECT_NE(coarse.warnings()[0].find("taken again"), std::string::npos);
  // Elastic: where it ends does not depend on the way.
  EXPECT_LT((coarse.system_coordinates(0) - fine.system_coordinates(0)).norm(),
            1e-8 * fine.system_coordinates(0).norm());
}

// More than can be pressed at all: after the last halving the run ends with the reason, as ever.
TEST(CutSteps, what_no_step_can_do_ends_the_run_with_the_reason) {
  Scene<2> scene = pressed(1);
  scene.deformable[0].supports.back().drive.function = TimeFunction::table({0, 1}, {0, -0.25});
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_EQ(report.status, StepStatus::not_finite);
  EXPECT_NE(report.reason.find("soft"), std::string::npos) << report.reason;
  EXPECT_TRUE(simulation.finished());
}

}  // namespace
}  // namespace saltus::cut_steps_test
