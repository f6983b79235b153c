// The alpha schemes on deformable bodies that are not linear.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/schemes/generalized_alpha.hpp"
#include "sim/solid_scenes.hpp"

namespace saltus::solid_alpha_slow_test {
namespace {

using test::soft_body;

// A rubber bar of 1 m, held at its left end, swings by about a tenth of its length.
Scene<2> swinging(double h) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini), h);
  scene.scheme.kind = SchemeKind::generalized_alpha;
  SceneDeformable<2> bar = soft_body<2>(test::rectangle_mesh(ElementKind::q8, Vec<2>(1, 0.2), 5, 1),
                                        Vec<2>::Zero(), "neo-hookean", 1e6, 0.3);
  bar.kinematics = Kinematics::finite;
  bar.velocity = Vec<2>(1, -2);
  test::hold(bar, "left", 0);
  test::hold(bar, "left", 1);
  scene.deformable = {bar};
  return scene;
}

Eigen::VectorXd swing(double h, double time, double& lost) {
  Simulation<2> simulation(swinging(h));
  lost = 0;
  for (int k = 0; k < static_cast<int>(std::lround(time / h)); ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    EXPECT_LT(report.energy.relative_defect(), 1e-9);
    lost -= report.energy.scheme;
  }
  return simulation.system_coordinates(0);
}

TEST(SolidAlpha, rubber_swings_at_second_order_and_its_books_close) {
  double lost[3];
  const double time = 0.04,
               h = 4e-4;  // the fastest oscillation of the mesh, about 1100 rad/s, is resolved: omega h = 0.4
  const Eigen::VectorXd exact = swing(h / 16, time, lost[2]);
  const double coarse = (swing(h, time, lost[0]) - exact).norm(),
               fine = (swing(h / 4, time, lost[1]) - exact).norm();
  // (1 - 1/256)/(1/16 - 1/256) = 17 for second order, 5 for first.
  EXPECT_GT(coarse / fine, 12);
  EXPECT_LT(coarse / fine, 22);
  // What the scheme itself loses or gains vanishes with h; the bar starts with 500 J.
  EXPECT_LT(std::abs(lost[1]), 0.5 * std::abs(lost[0]));
  EXPECT_LT(std::abs(lost[1]), 10);
}

// Plastic, in contact, under its own load: flow dissipates, the law holds on positions, and an interrupted run goes on to the same bits.
TEST(SolidAlpha, a_plastic_block_lands_keeps_its_books_and_resumes) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini, 0.3), 1e-4);
  scene.scheme.kind = SchemeKind::generalized_alpha;
  scene.bodies = {test::ground<2>()};
  SceneDeformable<2> block = soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 0.1), 4, 2),
                                          Vec<2>(0, 0.0501), "j2-plasticity", 1e7, 0.3);
  test::give(block, "yield", 2e4);
  test::give(block, "hardening", 1e5);
  block.kinematics = Kinematics::finite;
  block.velocity = Vec<2>(0.5, -2);
  scene.deformable = {block};
  scene.solver.tolerance_velocity = 1e-11;
  Simulation<2> simulation(scene);
  Simulation<2> resumed(scene);
  double flowed = 0;
  for (int k = 0; k < 200; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-8) << k;
    ASSERT_LE(report.energy.plastic, 0) << k;
    ASSERT_LT(report.penetration, 1e-9) << k;
    flowed -= report.energy.plastic;
    if (k > 60) resumed.step();
    if (k == 60) resumed.restore(simulation.save());
  }
  EXPECT_GT(flowed, 1);
  EXPECT_EQ(simulation.state_hash(), resumed.state_hash());
}

}  // namespace
}  // namespace saltus::solid_alpha_slow_test
