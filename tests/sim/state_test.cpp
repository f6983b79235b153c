// Determinism, saved states, events and mistakes in scenes.
#include <gtest/gtest.h>

#include "sim/sim_scenes.hpp"

namespace saltus::state_test {
namespace {

template <int Dim>
Scene<Dim> pile() {
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.5);
  law.friction_dynamic = 0.3;
  law.rolling = Dim == 2 ? 1e-4 : 0;
  Scene<Dim> scene = test::scene<Dim>(law, 2e-3);
  scene.solver.tolerance_velocity = 1e-5;
  scene.bodies = {test::ground<Dim>()};
  for (int i = 0; i < 30; ++i) {
    Vec<Dim> x = Vec<Dim>::Zero();
    x[0] = 0.11 * (i % 5) + 0.01 * (i % 3);
    x[Dim - 1] = 0.06 + 0.11 * (i / 5);
    scene.bodies.push_back(test::body<Dim>(Ball<Dim>{0.05}, x));
  }
  return scene;
}

template <int Dim>
void check_restore() {
  Scene<Dim> scene = pile<Dim>();
  scene.bodies[3].removed_at = 0.1;
  scene.bodies[4].added_at = 0.3;
  Simulation<Dim> straight(scene), again(scene), first(scene);
  test::run(straight, 300);
  test::run(again, 300);
  EXPECT_EQ(straight.state_hash(), again.state_hash());
  test::run(first, 120);
  const std::vector<std::byte> saved = first.save();
  Simulation<Dim> resumed(scene);
  resumed.restore(saved);
  EXPECT_EQ(resumed.state_hash(), first.state_hash());
  EXPECT_EQ(resumed.contacts().size(), first.contacts().size());
  test::run(resumed, 180);
  EXPECT_EQ(resumed.state_hash(), straight.state_hash());
  EXPECT_EQ(resumed.summary().steps, 300);
  EXPECT_EQ(resumed.summary().contact_updates, straight.summary().contact_updates);
  EXPECT_EQ(resumed.summary().residual_rms.p95(), straight.summary().residual_rms.p95());
}

TEST(State, a_resumed_run_ends_in_the_same_bits_in_2d) { check_restore<2>(); }
TEST(State, a_resumed_run_ends_in_the_same_bits_in_3d) { check_restore<3>(); }

TEST(State, a_damaged_or_foreign_state_is_refused) {
  Simulation<2> simulation(pile<2>());
  std::vector<std::byte> saved = simulation.save();
  EXPECT_THROW(simulation.restore(std::span(saved).first(saved.size() - 3)), InputError);
  Scene<2> other = pile<2>();
  other.scheme.h = 1e-3;
  Simulation<2> foreign(other);
  EXPECT_THROW(foreign.restore(saved), InputError);
  saved[0] = std::byte{0};
  EXPECT_THROW(simulation.restore(saved), InputError);
}

TEST(State, a_state_of_a_scene_with_another_law_shape_mass_or_drive_is_refused) {
  const std::vector<std::byte> saved = Simulation<2>(pile<2>()).save();
  const auto restores = [&](auto change) {
    Scene<2> scene = pile<2>();
    change(scene);
    Simulation<2> simulation(scene);
    try {
      simulation.restore(saved);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  const std::size_t last = pile<2>().bodies.size() - 1;
  EXPECT_TRUE(restores([](Scene<2>&) {}));
  EXPECT_TRUE(restores([](Scene<2>& s) { s.end_time += 1; }));
  EXPECT_FALSE(restores([](Scene<2>& s) { s.default_law->friction += 0.1; }));
  EXPECT_FALSE(restores([](Scene<2>& s) { s.default_law->cohesion = 1; }));
  EXPECT_FALSE(restores([&](Scene<2>& s) { s.bodies[last].shape = Disk{0.123}; }));
  EXPECT_FALSE(restores([&](Scene<2>& s) { s.bodies[last].density *= 2; }));
  EXPECT_FALSE(restores([&](Scene<2>& s) { s.bodies[last].mass = 3.0; }));
  EXPECT_FALSE(restores([&](Scene<2>& s) { s.bodies[last].force[0] = TimeFunction::expression("sin(t)"); }));
  EXPECT_FALSE(restores([&](Scene<2>& s) { s.bodies[last].drive[2].kind = Drive::Kind::locked; }));
}

TEST(State, other_solvers_agree_with_the_sweep_where_the_solution_is_unique) {
  // Balls that touch the ground alone: one contact each.
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 0.3), 2e-3);
  scene.solver.tolerance_velocity = 1e-10;
  scene.bodies = {test::ground<3>()};
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(test::body<3>(Sphere{0.1}, {0.3 * i, 0, 0.1 + 0.01 * i}, {0, 1.0 + i, 0}));
  for (const std::string& name : solver_names()) {
    scene.solver.kind = solver_of_name(name);
    Simulation<3> reference(scene);
    scene.solver.kind = SolverKind::nlgs;
    Simulation<3> other(scene);
    for (int i = 0; i < 60; ++i) {
      other.step();
      const StepReport report = reference.step();
      ASSERT_EQ(report.status, StepStatus::converged) << name << ": " << report.reason;
      ASSERT_LT(report.momentum, 1e-12) << name;
    }
    // An error e of velocity moves a gap by h e, which the law turns back into e: at most 60 times the
    // tolerance.
    for (int s = 1; s <= 5; ++s)
      EXPECT_LT((other.bodies().velocity[s] - reference.bodies().velocity[s]).norm(), 60e-10 * 5) << name;
  }
}

TEST(State, bodies_come_and_go_at_their_times) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 0.01);
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 1}), test::body<2>(Disk{0.1}, {1, 1})};
  scene.bodies[1].removed_at = 0.05;
  scene.bodies[2].added_at = 0.1;
  Simulation<2> simulation(scene);
  EXPECT_EQ(simulation.bodies().count(), 2);
  test::run(simulation, 8);
  EXPECT_EQ(simulation.bodies().count(), 1);
  test::run(simulation, 8);
  EXPECT_EQ(simulation.bodies().count(), 2);
  EXPECT_EQ(simulation.bodies().find(2), 1);  // the freed slot, another id
  EXPECT_EQ(simulation.scene_index(1), 2);
}

TEST(State, initial_overlaps_are_reported_and_can_be_relaxed) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.095}),
                  test::body<2>(Disk{0.1}, {0.18, 0.1})};
  Simulation<2> untouched(scene);
  EXPECT_EQ(untouched.initial_overlaps().count, 2);
  EXPECT_NEAR(untouched.initial_overlaps().deepest, 0.2 - std::hypot(0.18, 0.005), 1e-12);
  scene.relax_overlaps = true;
  Simulation<2> relaxed(scene);
  EXPECT_GT(relaxed.initial_overlaps().relaxation_passes, 0);
  const auto& pose = relaxed.bodies().pose;
  EXPECT_GT((pose[1].position - pose[2].position).norm(), 0.2 - 1e-6);
  EXPECT_GT(pose[1].position.y(), 0.1 - 1e-6);
  EXPECT_TRUE(relaxed.bodies().velocity[1].isZero());
}

TEST(State, a_membrane_presses_a_sample_evenly) {
  // A ring of disks: the resultant on each is p times the chord, inwards, and zero in sum.
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.3), 1e-3);
  scene.gravity.setZero();
  const int count = 12;
  const double R = 1, chord = 2 * R * std::sin(std::acos(-1.0) / count), p = 100;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::acos(-1.0) * i / count;
    scene.bodies.push_back(test::body<2>(Disk{0.4 * chord}, {R * std::cos(angle), R * std::sin(angle)}));
  }
  scene.membranes.push_back({TimeFunction::constant(p), ~0u, 1.5 * chord});
  Simulation<2> simulation(scene);
  simulation.step();
  const double m = simulation.bodies().model[0].mass;
  for (int i = 0; i < count; ++i) {
    const Vec<2> v = simulation.bodies().velocity[i], outwards = scene.bodies[i].pose.position.normalized();
    // Two half sides, each at half the angle of the polygon from the radius.
    EXPECT_NEAR(v.dot(outwards), -1e-3 / m * p * chord * std::cos(std::acos(-1.0) / count), 1e-12);
    EXPECT_NEAR(cross2(v, outwards), 0, 1e-12);
  }
}

TEST(State, scenes_with_one_mistake_are_input_errors) {
  const auto rejects = [](auto&& change) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
    scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 1})};
    change(scene);
    EXPECT_THROW(Simulation<2>{scene}, InputError);
  };
  rejects([](Scene<2>& s) { s.scheme.h = 0; });
  rejects([](Scene<2>& s) { s.scheme.theta = 0.4; });
  rejects([](Scene<2>& s) { s.bodies[1].density = -1; });
  rejects([](Scene<2>& s) { s.bodies[1].mass = 0; });
  rejects([](Scene<2>& s) { s.bodies[0].fixed = false; });
  rejects([](Scene<2>& s) { s.bodies[0].velocity.x() = 1; });
  rejects([](Scene<2>& s) { s.bodies[1].inertia = Inertia<2>(1.0); });
  rejects([](Scene<2>& s) { s.bodies[1].removed_at = -1; });
  rejects([](Scene<2>& s) { s.default_law.reset(); });
  rejects([](Scene<2>& s) { s.default_law->friction = -1; });
}

TEST(State, groups_that_are_kept_apart_need_no_law) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
  const PairLaw law = *scene.default_law;
  scene.default_law.reset();
  scene.laws = {{"stone", "stone", law, ""}};
  SceneBody<2> stone = test::body<2>(Disk{0.1}, {0, 1}), ghost = test::body<2>(Disk{0.1}, {0, 1.05});
  stone.material = "stone";
  ghost.material = "ghost";
  ghost.group = 1u << 1;
  scene.bodies = {stone, ghost};
  EXPECT_THROW(Simulation<2>{scene}, InputError);
  scene.excluded_groups = {{0, 1}};
  Simulation<2> simulation(scene);
  EXPECT_EQ(simulation.step().contacts, 0);
}

}  // namespace
}  // namespace saltus::state_test
