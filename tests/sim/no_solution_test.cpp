// Impacts whose law has no solution end, and are told.
#include <gtest/gtest.h>

#include "sim/sim_scenes.hpp"

namespace saltus::no_solution_test {
namespace {

// A rectangle between three fixed points, one of them on the other side of it. Newton's law asks it to leave all three with 0.6 of the
// velocity it came with, which for a body that turns into a wedge, with friction 0.6, no impulses do.
Scene<2> wedge() {
  PairLaw law = test::law(LawKind::newton, 0.6);
  law.restitution = 0.6;
  Scene<2> scene = test::scene<2>(law, 1e-5);
  scene.gravity.setZero();
  scene.solver.tolerance_velocity = 1e-9;
  SceneBody<2> block = test::body<2>(build_rectangle(0.5116629553262572, 0.9434429256093833), {372, 60},
                                     {-1.3269514542031575, -0.30999895312216164});
  block.pose = Pose<2>(Vec<2>(372, 60), 1.7262477650959023);
  block.spin = Spin<2>(5.082482824330978);
  scene.bodies.push_back(block);
  for (const Vec<2>& at :
       {Vec<2>(372.04985337553177, 59.73873674549809), Vec<2>(371.53870470312654, 59.83214338995),
        Vec<2>(372.04998106099737, 60.27690889113413)}) {
    scene.bodies.push_back(test::body<2>(Disk{0.01}, at));
    scene.bodies.back().fixed = true;
  }
  return scene;
}

TEST(NoSolution, every_solver_gives_up_and_the_step_says_so) {
  for (const char* solver : {"auto", "nlgs", "newton", "ipm", "admm", "apgd"}) {
    Scene<2> scene = wedge();
    scene.solver.kind = solver_of_name(solver);
    scene.solver.max_iterations = 2000;
    Simulation<2> simulation(scene);
    const StepReport report = simulation.step();
    EXPECT_EQ(report.contacts, 3) << solver;
    EXPECT_EQ(report.status, StepStatus::unconverged) << solver;
    EXPECT_FALSE(report.reason.empty()) << solver;
    EXPECT_GT(report.residual_rms, 1e-9) << solver;
  }
}

}  // namespace
}  // namespace saltus::no_solution_test
