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

// A bar that flows as two rollers bend it over a cylinder. With the force of the rollers given it would bend on and on, and without it
// spring back far: contacts have to be solved in every turn of Newton's method. When they were not, 121 of the first 21 steps and their
// parts were halved. Where the bar is at the end does not depend on the steps beyond their first order.
TEST(CutSteps, a_bar_that_flows_over_a_cylinder_is_bent_in_whole_steps) {
  const auto bent = [](double h, int steps, int& halved) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.1), h);
    scene.gravity.setZero();
    scene.scheme.theta = 1;
    scene.solver.tolerance_velocity = 1e-6;
    SceneDeformable<2> bar =
        test::soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 0.004), 40, 2), Vec<2>(0, 0.022),
                           "j2-plasticity", 2e11, 0.3);
    test::give(bar, "yield", 3e8);
    test::give(bar, "hardening", 1e9);
    bar.solids[0].density = 7800;
    bar.kinematics = Kinematics::finite;
    bar.newton = NewtonMatrix::tangent;
    bar.damping_mass = 500;
    scene.deformable = {bar};
    scene.bodies = {test::body<2>(Disk{0.02}, Vec<2>::Zero())};
    scene.bodies[0].fixed = true;
    for (const double x : {-0.06, 0.06}) {
      scene.bodies.push_back(test::body<2>(Disk{0.005}, Vec<2>(x, 0.029)));
      SceneBody<2>& roller = scene.bodies.back();
      roller.drive[0].kind = roller.drive[2].kind = Drive::Kind::locked;
      roller.drive[1] = {Drive::Kind::velocity, TimeFunction::table({0, 0.05, 1}, {0, -0.1, -0.1})};
    }
    Simulation<2> simulation(scene);
    double plastic = 0;
    for (int k = 0; k < steps; ++k) {
      const StepReport report = simulation.step();
      EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
      halved += report.halved;
      plastic += report.energy.plastic;
    }
    EXPECT_LT(plastic, 0);
    return simulation.system_coordinates(0);
  };
  int coarse_halved = 0, fine_halved = 0;
  const Eigen::VectorXd coarse = bent(2e-3, 80, coarse_halved), fine = bent(1e-3, 160, fine_halved);
  EXPECT_LE(coarse_halved + fine_halved, 12);
  EXPECT_LT((coarse - fine).norm(), 0.02 * fine.norm());
}

}  // namespace
}  // namespace saltus::cut_steps_test
