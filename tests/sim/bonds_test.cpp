// Bonds: which contacts have one, what they hold, and what becomes of their energy.
#include <gtest/gtest.h>

#include "saltus/generate/generate_wall.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::bonds_test {
namespace {

TEST(Bonds, a_chain_whose_gaps_are_round_off_is_wholly_bonded_and_hangs) {
  // Disks of radius 0.05 at -0.1, -0.2, ...: the gaps are a few 1e-17 m of either sign.
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.6);
  law.cohesion = 1e5;
  Scene<2> scene = test::scene<2>(law, 1e-3);
  scene.solver.tolerance_velocity = 1e-10;
  scene.bodies = {test::body<2>(Disk{0.05}, {0, 0})};
  scene.bodies[0].fixed = true;
  const double places[] = {-0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9};
  for (const double y : places) scene.bodies.push_back(test::body<2>(Disk{0.05}, {0, y}));
  Simulation<2> simulation(scene);
  EXPECT_EQ(simulation.step().bonds, 9);
  test::run(simulation, 200);
  EXPECT_EQ(simulation.summary().bonds_start, 9);
  EXPECT_EQ(simulation.summary().bonds_broken, 0);
  // 200 steps of what the tolerance leaves: h times 1e-10 m/s, times the nine contacts above.
  EXPECT_NEAR(simulation.bodies().pose[9].position.y(), -0.9, 200 * 9 * 1e-3 * 1e-10);
}

TEST(Bonds, every_contact_of_a_generated_wall_is_bonded) {
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.6);
  law.cohesion = 1000;
  Scene<2> scene = test::scene<2>(law, 1e-3);
  BrickWall<2> wall;
  wall.brick = {0.2, 0.1};
  wall.courses = 8;
  wall.bricks = 10;
  scene.bodies = build_brick_wall<2>(wall, {});
  scene.bodies.insert(scene.bodies.begin(), test::ground<2>());
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_GT(report.contacts, 200);
  int touching = 0;
  for (const ContactState<2>& c : simulation.contacts()) touching += c.gap < 1e-9;
  EXPECT_EQ(simulation.summary().bonds_start, touching);
  EXPECT_EQ(touching, report.contacts);
}

// Four square bricks glued to a wall and to each other, corner on corner, where names of contacts change by the last
// digits. About the lower corner at the wall the weights 4 w turn with an arm of 2 a, the bond above holds with a: it
// takes C = 8 w. Coarse steps and the default tolerance: each step leaves openings of 2e-7 m.
TEST(Bonds, a_cantilever_of_bricks_that_lie_corner_on_corner_holds_up_to_its_limit) {
  constexpr double kSide = 0.2, kWeight = 1000 * kSide * kSide * test::kGravity;
  constexpr double kStep = 5e-3, kTolerance = 1e-3 * test::kGravity * kStep;
  for (const double part : {0.95, 1.05}) {
    PairLaw law = test::law(LawKind::quasi_inelastic, 1.0);
    law.cohesion = part * 8 * kWeight;
    Scene<2> scene = test::scene<2>(law, kStep);
    scene.solver.tolerance_velocity = kTolerance;
    for (int k = 0; k <= 4; ++k)
      scene.bodies.push_back(test::body<2>(build_rectangle(kSide, kSide), {kSide * k, 0}));
    scene.bodies[0].fixed = true;
    Simulation<2> simulation(scene);
    test::run(simulation, 400);
    EXPECT_EQ(simulation.summary().bonds_start, 8);
    const double fallen = -simulation.bodies().pose[4].position.y();
    if (part < 1) {
      EXPECT_GT(simulation.summary().bonds_broken, 0);
      EXPECT_GT(fallen, 1);
      continue;
    }
    EXPECT_EQ(simulation.summary().bonds_broken, 0);
    // What the tolerance leaves: 1e-3 g h in each of 400 steps, if all of it went one way.
    EXPECT_LT(fallen, 400 * kStep * kTolerance);
  }
}

TEST(Bonds, a_bond_is_made_by_the_gap_at_the_start_not_by_where_the_bodies_will_be) {
  PairLaw law = test::law(LawKind::quasi_inelastic);
  law.cohesion = 1e6;
  Scene<2> scene = test::scene<2>(law, 1e-3);
  scene.gravity.setZero();
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.1}, {0, 0.1})};
  Simulation<2> simulation(scene);
  test::run(simulation, 5);
  EXPECT_EQ(simulation.summary().bonds_start, 1);
  EXPECT_EQ(simulation.summary().bonds_broken, 0);
  EXPECT_NEAR(simulation.bodies().velocity[1].y(), 0, 1e-12);  // it is held: m v/h is below C
}

TEST(Bonds, a_bond_reaches_as_far_as_its_rupture_gap_beyond_the_usual_range_of_detection) {
  // C falls linearly to zero at d = half a diameter: at v0 with m v0^2/2 = (1 - x^2) C d/2 the disk turns
  // back at (1 - x) d; here x = 1/2. Contacts without bonds are listed up to a hundredth of a diameter.
  PairLaw law = test::law(LawKind::quasi_inelastic);
  law.cohesion = 100;
  law.rupture_gap = 0.1;
  Scene<2> scene = test::scene<2>(law, 1e-3);
  scene.gravity.setZero();
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.1})};
  const double m = Simulation<2>(scene).bodies().model[1].mass, v0 = std::sqrt(0.75 * 100 * 0.1 / m);
  scene.bodies[1].velocity.y() = v0;
  Simulation<2> simulation(scene);
  double furthest = 0;
  for (int k = 0; k < 400; ++k) {
    simulation.step();
    furthest = std::max(furthest, simulation.bodies().pose[1].position.y() - 0.1);
  }
  // The softening follows one step late: h v0 of opening at most, at 50 to 100 N.
  EXPECT_NEAR(furthest, 0.05, 2e-3 * v0);
  EXPECT_EQ(simulation.summary().bonds_broken, 0);
}

// A disk on an elastic layer with a bond of 100 N, reached at 0.1 mm.
Scene<2> bonded_layer(double rupture_gap, double force) {
  PairLaw law = test::law(LawKind::elastic, 0.5);
  law.stiffness_normal = 1e6;
  law.stiffness_tangent = 5e5;
  law.cohesion = 100;
  law.rupture_gap = rupture_gap;
  Scene<2> scene = test::scene<2>(law, 1e-4);
  scene.gravity.setZero();
  SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0.1});
  disk.force[1] = TimeFunction::constant(force);
  scene.bodies = {test::ground<2>(), disk};
  return scene;
}

TEST(Bonds, an_unloaded_pair_on_a_bonded_elastic_layer_does_not_move) {
  for (const double theta : {0.5, 0.8}) {
    Scene<2> scene = bonded_layer(0, 0);
    scene.scheme.theta = theta;
    Simulation<2> simulation(scene);
    test::run(simulation, 1000);
    EXPECT_EQ(simulation.summary().bonds_start, 1);
    EXPECT_NEAR(simulation.bodies().pose[1].position.y(), 0.1, 1e-15);
    EXPECT_NEAR(simulation.contacts()[0].impulse[0], 0, 1e-15);
  }
}

TEST(Bonds, a_pulled_pair_lengthens_by_force_over_stiffness_and_breaks_above_its_strength) {
  for (const double load : {60.0, 99.0, 101.0}) {
    Scene<2> scene = bonded_layer(0, load);
    scene.damping = 2 * std::sqrt(1e6 / 31.4);  // critical, so that the load is not exceeded on the way
    Simulation<2> simulation(scene);
    test::run(simulation, 5000);
    const double opening = simulation.bodies().pose[1].position.y() - 0.1;
    if (load < 100) {
      EXPECT_NEAR(opening, load / 1e6, 1e-12);
      EXPECT_NEAR(simulation.contacts()[0].impulse[0], -load * 1e-4, 1e-10);
      EXPECT_EQ(simulation.summary().bonds_broken, 0);
    } else {
      EXPECT_GT(opening, 1e-3);  // ten times what it was when it broke
      EXPECT_EQ(simulation.summary().bonds_broken, 1);
    }
  }
}

TEST(Bonds, an_elastic_bond_that_breaks_takes_its_energy_with_it) {
  // Thrown up: m v0^2/2 = 3 x C^2/(2 k). Brittle: it leaves with the rest, two thirds, but for the step that
  // breaks it (C v h). Softening to 0.3 mm takes C (0.3 mm)/2 in all, three times as much: it just breaks, so
  // the start has a tenth more.
  const double stored = 100.0 * 100 / 2e6;
  for (const double rupture_gap : {0.0, 3e-4}) {
    Scene<2> scene = bonded_layer(rupture_gap, 0);
    const double m = Simulation<2>(scene).bodies().model[1].mass;
    const double taken = rupture_gap > 0 ? 0.5 * 100 * rupture_gap : stored;
    const double energy = rupture_gap > 0 ? 1.5 * taken : 3 * stored, v0 = std::sqrt(2 * energy / m);
    scene.bodies[1].velocity.y() = v0;
    scene.scheme.h = 1e-5;
    Simulation<2> simulation(scene);
    test::run(simulation, 4000);
    EXPECT_EQ(simulation.summary().bonds_broken, 1);
    const double v = simulation.bodies().velocity[1].y();
    // Damage follows one step late, and the step that breaks pulls with C: C v0 h each.
    EXPECT_NEAR(0.5 * m * v * v, energy - taken, 2 * 100 * v0 * 1e-5) << rupture_gap;
    EXPECT_NEAR(simulation.summary().energy.elastic, 0.5 * m * (v * v - v0 * v0), 1e-12);
    EXPECT_EQ(simulation.summary().energy.elastic_stored, 0);
    EXPECT_EQ(simulation.summary().energy.cohesion, 0);  // the bond is the layer's
    EXPECT_LT(simulation.summary().energy_defect.worst(), 1e-12);
    EXPECT_EQ(simulation.summary().gain_steps, 0);
  }
}

TEST(Bonds, a_softened_elastic_bond_gives_back_less_than_it_took) {
  // Pulled to 0.2 mm (half damaged, 50 N left), then let go at rest: min(k x, 50 N) on the way back, so that
  // it arrives with 50 (0.2 - 0.025) mm = 8.75 mJ of the 5 + 7.5 mJ that opened it.
  Scene<2> scene = bonded_layer(3e-4, 0);
  scene.scheme.h = 1e-5;
  SceneBody<2>& disk = scene.bodies[1];
  const double v0 = std::sqrt(2 * 12.5e-3 / Simulation<2>(scene).bodies().model[1].mass);
  disk.velocity.y() = v0;
  Simulation<2> simulation(scene);
  double furthest = 0, energy = 0;
  for (int k = 0; k < 8000; ++k) {
    simulation.step();
    const double opening = simulation.bodies().pose[1].position.y() - 0.1;
    furthest = std::max(furthest, opening);
    if (simulation.bodies().velocity[1].y() < 0 && opening <= 0) {
      energy = simulation.summary().energy.kinetic + simulation.summary().energy.elastic_stored;
      break;
    }
  }
  const double late = v0 * 1e-5;  // one step of opening
  EXPECT_NEAR(furthest, 2e-4, late);
  EXPECT_NEAR(energy, 8.75e-3, 100 * late);
  EXPECT_EQ(simulation.summary().bonds_broken, 0);
}

// Bricks of 8 kg bonded to each other and to the floor, many times over: any tension up to C is in balance with itself.
template <int Dim>
Scene<Dim> bonded_wall(const PairLaw& law, int courses, int bricks, const Vec<Dim>& gravity) {
  Scene<Dim> scene = test::scene<Dim>(law, 2e-3);
  scene.gravity = gravity;
  scene.solver.tolerance_velocity = 0;
  scene.solver.tolerance = 1e-3;
  BrickWall<Dim> wall;
  if constexpr (Dim == 2)
    wall.brick = {0.25, 0.1};
  else
    wall.brick = {0.25, 0.12, 0.1};
  wall.courses = courses;
  wall.bricks = bricks;
  scene.bodies = build_brick_wall<Dim>(wall, {});
  scene.bodies.insert(scene.bodies.begin(), test::ground<Dim>());
  return scene;
}

template <int Dim>
void expect_untouched(const PairLaw& law) {
  Simulation<Dim> simulation(bonded_wall<Dim>(law, 4, 3, Vec<Dim>::Zero()));
  const std::vector<Pose<Dim>> places = simulation.bodies().pose;
  test::run(simulation, 200);
  EXPECT_EQ(simulation.summary().bonds_broken, 0);
  EXPECT_EQ(simulation.summary().unconverged_steps, 0);
  // Sixteen pulls h C / m = 2.5 m/s on a brick, 1e-12 of them left in each of 200 steps of 2e-3 s: 2e-11 m.
  for (int s = 0; s < simulation.bodies().slots(); ++s)
    EXPECT_LE((simulation.bodies().pose[s].position - places[s].position).norm(), 2e-11);
}

TEST(Bonds, an_assembly_without_any_load_stays_as_it_is) {
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.5);
  law.cohesion = 1e4;
  expect_untouched<2>(law);
  expect_untouched<3>(law);
}

TEST(Bonds, elastic_bonds_without_any_load_break_nowhere) {
  PairLaw law = test::law(LawKind::elastic, 0.5);
  law.stiffness_normal = 1e8;
  law.stiffness_tangent = 5e7;
  law.cohesion = 1e4;
  Simulation<3> simulation(bonded_wall<3>(law, 4, 3, Vec<3>::Zero()));
  test::run(simulation, 50);
  EXPECT_EQ(simulation.summary().bonds_broken, 0);
  EXPECT_EQ(simulation.summary().unconverged_steps, 0);
}

template <int Dim>
void expect_weight_alone(const PairLaw& law, int steps) {
  Simulation<Dim> simulation(bonded_wall<Dim>(law, 6, 5, -test::kGravity * Vec<Dim>::Unit(Dim - 1)));
  double weight = 0;
  for (int s = 0; s < simulation.bodies().slots(); ++s)
    if (simulation.bodies().is_moving(s)) weight += simulation.bodies().model[s].mass * test::kGravity;
  for (int i = 0; i < steps; ++i) {
    simulation.step();
    if (i > 0 && i + 1 < steps) continue;
    // Every contact bears some part of what is above it, no more than all there is.
    for (const ContactState<Dim>& c : simulation.contacts())
      ASSERT_LE(c.impulse.norm(), weight * simulation.scene().scheme.h) << i;
  }
  EXPECT_EQ(simulation.summary().bonds_broken, 0);
  EXPECT_EQ(simulation.summary().unconverged_steps, 0);
}

TEST(Bonds, a_wall_under_its_weight_bears_its_weight_and_keeps_its_bonds) {
  for (const LawKind kind : {LawKind::quasi_inelastic, LawKind::newton}) {
    PairLaw law = test::law(kind, 0.5);
    law.cohesion = 1e4;
    if (kind == LawKind::newton) law.restitution = 0.2;
    expect_weight_alone<2>(law, 1000);
    expect_weight_alone<3>(law, 1000);
  }
}

// C enters only as a bound that is not reached: the work of a step does not depend on it.
TEST(Bonds, strong_bonds_cost_no_more_than_weak_ones) {
  std::int64_t updates[2];
  for (const int k : {0, 1}) {
    PairLaw law = test::law(LawKind::quasi_inelastic, 0.5);
    law.cohesion = k ? 1e8 : 1e4;
    Simulation<3> simulation(bonded_wall<3>(law, 6, 5, {0, 0, -test::kGravity}));
    test::run(simulation, 100);
    updates[k] = simulation.summary().contact_updates;
  }
  // Round-off of pulls 1e4 times as large may cost some sweeps.
  EXPECT_LE(updates[1], 2 * updates[0]);
}

// Nothing is to be done in any of these steps: what moves is round-off of pulls that cancel. Layers without load swing by what solves leave, and
// the more so the stiffer they are: 3286 sweeps a step were needed at 1e8 N/m, where 502 are. With theta = 1/2 the swings that a step does not
// resolve change sign at every step and never end, so that no impulse of the last step is a start for this one (docs/solvers.md).
TEST(Bonds, stiff_elastic_bonds_without_any_load_take_no_thousands_of_sweeps) {
  for (const double stiffness : {1e6, 1e8, 1e10}) {
    PairLaw law = test::law(LawKind::elastic, 0.5);
    law.stiffness_normal = stiffness;
    law.stiffness_tangent = 0.5 * stiffness;
    law.cohesion = 1e4;
    Simulation<3> simulation(bonded_wall<3>(law, 4, 3, Vec<3>::Zero()));
    test::run(simulation, 200);
    EXPECT_EQ(simulation.summary().unconverged_steps, 0) << stiffness;
    EXPECT_LE(simulation.summary().contact_updates, 200 * 124 * 1000) << stiffness;
  }
}

// In the shift of a soft layer its bond is C/(theta^2 h k) = 40 m/s, that pulls move bodies by is 1e-3 m/s: round-off of the first is
// what can be asked for.
TEST(Bonds, soft_elastic_bonds_without_any_load_are_solved_at_once) {
  PairLaw law = test::law(LawKind::elastic, 0.5);
  law.stiffness_normal = law.stiffness_tangent = 1e6;
  law.cohesion = 1e3;
  Scene<2> scene = bonded_wall<2>(law, 10, 5, Vec<2>::Zero());
  scene.scheme.h = 1e-5;
  Simulation<2> simulation(scene);
  test::run(simulation, 50);
  EXPECT_EQ(simulation.summary().unconverged_steps, 0);
  EXPECT_LE(simulation.summary().iterations, 50);
}

}  // namespace
}  // namespace saltus::bonds_test
