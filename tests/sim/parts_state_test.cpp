// What a saved state keeps of systems and joints beside their motion, and the energies a run starts with.
#include <gtest/gtest.h>

#include "saltus/sim/simulation.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::parts_state_test {
namespace {

// A strip clamped at one end that bends far, and a heavy rod on a joint at coarse steps that comes apart.
Scene<2> bent_strip() {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini), 1e-3);
  SceneElasticBody strip;
  strip.name = "strip";
  strip.size = Vec<2>(1.0, 0.1);
  strip.divisions[0] = 8;
  strip.elasticity.young = 1e5;
  strip.density = 2000;
  strip.clamped = {SceneElasticBody::left};
  scene.elastic = {strip};
  return scene;
}

TEST(PartsState, warnings_of_what_happened_before_a_checkpoint_are_kept) {
  Scene<2> scene = bent_strip();
  Simulation<2> first(scene);
  for (int k = 0; k < 500; ++k) first.step();
  Simulation<2> second(scene);
  second.restore(first.save());
  EXPECT_FALSE(first.warnings().empty());
  EXPECT_EQ(second.warnings(), first.warnings());
}

TEST(PartsState, energy_at_the_start_is_that_of_bodies_and_systems) {
  Scene<2> scene = bent_strip();
  scene.elastic[0].clamped.clear();
  scene.elastic[0].velocity = Vec<2>(3, 0);
  scene.bodies = {test::body<2>(Ball<2>{0.1}, Vec<2>(5, 2))};
  scene.bodies[0].velocity = Vec<2>(0, 1);
  const Simulation<2> simulation(scene);
  const EnergyBalance start = simulation.energy_at_start();
  const double ball = simulation.bodies().model[0].mass, strip = 0.1 * 2000;
  // Round-off of sums over 18 nodes and one step of a twin.
  EXPECT_NEAR(start.kinetic, 0.5 * ball * 1 + 0.5 * strip * 9, 1e-10 * strip);
  EXPECT_NEAR(start.potential, ball * test::kGravity * 2, 1e-10 * strip);
  EXPECT_NEAR(start.elastic_stored, 0, 1e-10);
}

}  // namespace
}  // namespace saltus::parts_state_test
