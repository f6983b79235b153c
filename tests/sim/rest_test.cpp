// Bodies put to rest in the course of a run: velocities are gone, deformation and impulses stay.
#include <gtest/gtest.h>

#include "sim/solid_scenes.hpp"

namespace saltus::rest_test {
namespace {

// An elastic block on the ground, gravity at once: stopped when the ground carries the weight, it is in equilibrium.
class Rest : public ::testing::TestWithParam<SchemeKind> {};

TEST_P(Rest, a_block_stopped_where_the_ground_carries_its_weight_hardly_swings) {
  const bool is_alpha = GetParam() == SchemeKind::generalized_alpha;  // for impact laws
  Scene<2> scene = test::scene<2>(test::law(is_alpha ? LawKind::newton : LawKind::gap_signorini, 0.3), 2e-4);
  scene.scheme.kind = GetParam();
  scene.bodies = {test::ground<2>()};
  // One element high: the only wave is the one that gravity makes.
  SceneDeformable<2> block = test::soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 0.1), 2, 1),
                                                Vec<2>(0, 0.05), "linear-elastic", 1e6, 0.0);
  scene.deformable = {block};
  Simulation<2> swinging(scene);
  const double weight = 0.02 * 1000 * test::kGravity;
  const auto force = [](const Simulation<2>& s) { return test::contact_force_sum<2>(s).y(); };
  int k = 0;
  for (; k < 400 && force(swinging) < weight; ++k)
    ASSERT_EQ(swinging.step().status, StepStatus::converged) << k;
  ASSERT_LT(k, 400);
  Simulation<2> stopped = swinging.copy();
  const Eigen::VectorXd q = stopped.system_coordinates(0);
  const double impulse = force(stopped);
  stopped.rest();
  EXPECT_EQ(stopped.system_velocity(0).norm(), 0);
  EXPECT_EQ(stopped.system_coordinates(0), q);
  EXPECT_EQ(force(stopped), impulse);
  double largest_stopped = 0, largest_swinging = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(stopped.step().status, StepStatus::converged) << i;
    ASSERT_EQ(swinging.step().status, StepStatus::converged) << i;
    largest_stopped = std::max(largest_stopped, std::abs(force(stopped) - weight));
    largest_swinging = std::max(largest_swinging, std::abs(force(swinging) - weight));
  }
  EXPECT_GT(largest_swinging, 0.6 * weight);
  EXPECT_LT(largest_stopped, 0.15 * weight);
}

INSTANTIATE_TEST_SUITE_P(schemes, Rest,
                         ::testing::Values(SchemeKind::moreau_jean, SchemeKind::generalized_alpha),
                         [](const auto& tried) {
                           return tried.param == SchemeKind::moreau_jean ? "moreau_jean"
                                                                         : "generalized_alpha";
                         });

// Rigid grains on their way: zero, and the same bits as a simulation that was saved and restored at rest.
TEST(RestOfBodies, velocities_are_zero_and_the_state_is_one_that_can_be_saved) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 0.3), 2e-3);
  scene.bodies = {test::ground<3>()};
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(test::body<3>(Ball<3>{0.1}, Vec<3>(0.01 * i, 0, 0.1 + 0.21 * i)));
  Simulation<3> simulation(scene);
  for (int k = 0; k < 60; ++k) simulation.step();
  simulation.rest();
  for (int slot = 0; slot < simulation.bodies().slots(); ++slot) {
    EXPECT_EQ(simulation.bodies().velocity[slot].norm(), 0);
    EXPECT_EQ(simulation.bodies().spin[slot].norm(), 0);
  }
  Simulation<3> twin(scene);
  twin.restore(simulation.save());
  for (int k = 0; k < 60; ++k) simulation.step(), twin.step();
  EXPECT_EQ(simulation.state_hash(), twin.state_hash());
}

}  // namespace
}  // namespace saltus::rest_test
