// The problem of the next step, as it is written to files: the same verbs as the step, and the state left alone.
#include <gtest/gtest.h>

#include "saltus/solvers/solver.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::export_test {
namespace {

Scene<2> falling_disks(Activation activation) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.3), 1e-3);
  scene.scheme.activation = activation;
  scene.bodies = {test::ground<2>()};
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(test::body<2>(Ball<2>{0.1}, Vec<2>(0.01 * i, 0.1 + 0.2001 * i)));
  SceneBody<2> late = test::body<2>(Ball<2>{0.1}, Vec<2>(1, 0.1));
  late.added_at = 0.05;
  scene.bodies.push_back(late);
  return scene;
}

TEST(Export, the_next_problem_leaves_the_run_alone) {
  for (const Activation activation : {Activation::consistent, Activation::implicit}) {
    Simulation<2> simulation(falling_disks(activation)), twin(falling_disks(activation));
    for (int k = 0; k < 120; ++k) {
      const VelocityProblem<2> next = simulation.build_velocity_problem();
      const StepReport report = simulation.step(), other = twin.step();
      // A body that appears at this step is in its problem.
      EXPECT_EQ(static_cast<int>(next.contacts.size()), report.active) << k;
      EXPECT_EQ(report.iterations, other.iterations) << k;
      ASSERT_EQ(simulation.state_hash(), twin.state_hash()) << k;
    }
  }
}

// A disk on the floor, held by a hinge beside it: one contact without friction, so its impulse is unique.
TEST(Export, joints_are_bilateral_rows_and_give_the_impulses_of_the_step) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
  SceneBody<2> disk = test::body<2>(Ball<2>{0.1}, Vec<2>(0, 0.1));
  disk.name = "disk";
  scene.bodies = {test::ground<2>(), disk};
  SceneJoint<2> joint;
  joint.b = "disk";
  joint.points[0] = joint.points[1] = Vec<2>(-0.5, 0.1);
  scene.joints = {joint};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 5; ++k) simulation.step();
  const GlobalProblem global = simulation.build_global_problem();
  EXPECT_EQ(global.bilateral(), 2);
  EXPECT_EQ(global.contacts(), 1);
  EXPECT_TRUE(global.sets.empty());
  const ContactProblem local = simulation.build_contact_problem();
  EXPECT_TRUE(local.is_mixed());
  simulation.step();
  SolveOptions options;
  options.tolerance = 1e-12;
  // The hinge eliminated, and the hinge kept: the same normal impulse on the disk as in the step.
  double normal = 0;
  for (const ContactState<2>& c : simulation.contacts()) normal += c.impulse[0];
  Eigen::VectorXd r, u;
  const ContactProblem condensed = condense(global);
  ASSERT_EQ(solve("nlgs", condensed, options, r, u).status, SolveStatus::converged);
  double sum = 0;
  for (int c = 0; c < condensed.contacts(); ++c) sum += r[2 * c];
  EXPECT_NEAR(sum, normal, 1e-8 * normal);
  r.resize(0);
  ASSERT_EQ(solve("newton", local, options, r, u).status, SolveStatus::converged);
  sum = 0;
  for (int c = 0; c < local.contacts(); ++c)
    if (local.sets[c].kind == SetKind::coulomb) sum += r[local.W.block * c];
  EXPECT_NEAR(sum, normal, 1e-8 * normal);
}

}  // namespace
}  // namespace saltus::export_test
