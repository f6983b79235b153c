// Step control: steps that fail or leave bodies in each other are taken again with half their length.
#include "saltus/schemes/step_control.hpp"

#include "validation/library_run.hpp"

namespace saltus::step_control_test {
namespace {

// A ball shot at a thin plate that stands on edge: in one step of 5 ms it would be 40 % inside it.
Scene<3> shot(bool control) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::newton, 0.3), 5e-3);
  scene.solver = {};
  scene.default_law->restitution = 0.5;
  scene.end_time = 0.1;
  scene.scheme.control.on = control;
  scene.scheme.position_correction = false;
  SceneBody<3> plate = test::body<3>(build_box(Vec<3>(0.05, 1, 1)), Vec<3>(1, 0, 0.5));
  scene.bodies = {test::ground<3>(), plate,
                  test::body<3>(Sphere{0.1}, Vec<3>(0.5, 0, 0.5), Vec<3>(20, 0, 0))};
  return scene;
}

TEST(StepControl, a_step_that_leaves_bodies_in_each_other_is_taken_again_with_shorter_ones) {
  Simulation<3> without(shot(false)), with(shot(true));
  while (!without.finished()) without.step();
  while (!with.finished()) with.step();
  EXPECT_GT(without.summary().penetration_relative.worst(), 0.1);
  // Steps of 20 m/s x 5 ms/2^10 = 0.1 mm, 0.2 % of the plate: the limit of 1 % can be kept.
  EXPECT_LE(with.summary().penetration_relative.worst(), with.scene().scheme.control.overlap);
  EXPECT_GT(with.summary().halved_steps, 0);
  EXPECT_GE(with.summary().shortest_step, 5e-3 / 1024);
  EXPECT_LT(with.summary().shortest_step, 5e-3);
  // Grown back: not many more steps than without.
  EXPECT_LT(with.summary().steps, 5 * without.summary().steps);
  EXPECT_EQ(with.steps(), without.steps());
  EXPECT_EQ(with.time(), without.time());
}

TEST(StepControl, where_nothing_fails_nothing_changes) {
  Scene<3> plain = shot(false);
  plain.bodies[2].velocity = Vec<3>(0.1, 0, 0);
  Scene<3> controlled = plain;
  controlled.scheme.control.on = true;
  Simulation<3> without(plain), with(controlled);
  while (!without.finished()) without.step(), with.step();
  EXPECT_EQ(with.summary().halved_steps, 0);
  EXPECT_EQ(with.state_hash(), without.state_hash());
}

TEST(StepControl, a_run_resumed_anywhere_ends_in_the_same_bits) {
  Simulation<3> straight(shot(true));
  std::vector<std::vector<std::byte>> saved;
  while (!straight.finished()) saved.push_back(straight.save()), straight.step();
  for (const std::vector<std::byte>& bytes : saved) {
    Simulation<3> resumed(shot(true));
    resumed.restore(bytes);
    while (!resumed.finished()) resumed.step();
    ASSERT_EQ(resumed.state_hash(), straight.state_hash());
    ASSERT_EQ(resumed.summary().halved_steps, straight.summary().halved_steps);
  }
}

TEST(StepControl, threads_do_not_change_what_is_decided) {
  Scene<3> scene = shot(true);
  scene.solver.threads = 2;
  Simulation<3> one(shot(true)), two(scene);
  while (!one.finished()) one.step(), two.step();
  EXPECT_EQ(one.state_hash(), two.state_hash());
}

// A solver that is given too few iterations misses every step: the shortest counts however it ends.
TEST(StepControl, a_step_that_fails_at_the_shortest_length_counts_as_missed) {
  Scene<3> scene = shot(true);
  scene.solver.kind = SolverKind::nlgs;
  scene.solver.max_iterations = 1;
  scene.solver.tolerance_velocity = 1e-15;
  scene.scheme.control.halvings = 2;
  Simulation<3> simulation(scene);
  StepReport report;
  while (!simulation.finished()) report = simulation.step();
  EXPECT_GT(simulation.summary().unconverged_steps, 0);
  EXPECT_EQ(simulation.summary().shortest_step, 5e-3 / 4);
  EXPECT_DOUBLE_EQ(simulation.time(), 0.1);
}

TEST(StepControl, the_energy_balance_of_halved_steps_closes) {
  Simulation<3> simulation(shot(true));
  double before = simulation.energy_at_start().kinetic;
  while (!simulation.finished()) {
    const EnergyBalance e = simulation.step().energy;
    const double sum = e.gravity + e.forces + e.drives + e.damping + e.gyroscopic + e.impact + e.friction +
                       e.elastic + e.cohesion + e.joints + e.projection + e.scheme;
    // Of the works of a step, each rounded: scale is the sum of their magnitudes.
    EXPECT_NEAR(e.kinetic - before, sum, 1e-12 * e.scale);
    before = e.kinetic;
  }
}

TEST(StepControl, schemes_that_cannot_refuse_it_with_their_reason) {
  for (const char* kind : {"schatzman-paoli", "generalized-alpha", "newmark", "hht", "event-driven"}) {
    try {
      read_scene("bouncing-ball", {"scheme.kind=" + std::string(kind), "scheme.step_control=true"});
      FAIL() << kind;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("step control under the scheme ") + kind),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(StepControl, its_keys_need_it) {
  EXPECT_THROW(read_scene("bouncing-ball", {"scheme.step_control_halvings=3"}), InputError);
  EXPECT_THROW(read_scene("bouncing-ball", {"scheme.step_control=true", "scheme.step_control_overlap=0"}),
               InputError);
}

TEST(PositionCorrection, it_is_refused_by_schemes_that_leave_no_overlap) {
  for (const char* kind : {"moreau-jean-projected", "schatzman-paoli", "generalized-alpha", "event-driven"})
    EXPECT_THROW(
        read_scene("bouncing-ball", {"scheme.kind=" + std::string(kind), "scheme.position_correction=true"}),
        InputError)
        << kind;
}

}  // namespace
}  // namespace saltus::step_control_test
