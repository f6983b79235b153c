// Systems that are not rigid, in the step: linear systems with gaps, elastic bodies on the ground, and all kinds in one
// solve.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/timer.hpp"
#include "saltus/systems/linear_system.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::systems_test {
namespace {

SceneMatrix diagonal(std::initializer_list<double> values) {
  SceneMatrix matrix;
  matrix.size = static_cast<int>(values.size());
  int i = 0;
  for (const double value : values) matrix.entries.push_back({i, i, value}), ++i;
  return matrix;
}

SceneGap floor_of(int dof, double restitution) {
  SceneGap gap;
  gap.row = {{dof, 1.0}};
  gap.law = test::law(LawKind::newton);
  gap.law.restitution = restitution;
  return gap;
}

// A point mass as a system bounces like a body.
TEST(Systems, a_mass_over_a_floor_is_a_bouncing_ball) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 0.005);
  scene.scheme.position_correction = false;  // points of systems have none
  scene.default_law->restitution = 0.9;
  SceneLinearSystem system;
  system.mass = diagonal({2.0});
  system.q = {1.0};
  system.v = {0.0};
  system.forces = {{0, TimeFunction::constant(-2.0 * test::kGravity)}};
  system.gaps = {floor_of(0, 0.9)};
  scene.systems = {system};
  SceneBody<2> ball = test::body<2>(Ball<2>{0.5}, Vec<2>(5, 1.5));
  scene.bodies = {test::ground<2>(), ball};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged);
    ASSERT_LT(report.energy.relative_defect(), 1e-12);
    ASSERT_NEAR(simulation.system_coordinates(0)[0], simulation.bodies().pose[1].position.y() - 0.5, 1e-11)
        << k;
  }
}

// Two balls joined by a spring, the lower one over a floor: energy is kept to round-off by theta = 1/2 and e = 1
// between impacts, and never gained.
TEST(Systems, the_two_ball_oscillator_keeps_its_energy) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
  SceneLinearSystem system;
  system.mass = diagonal({1.0, 1.0});
  system.stiffness.size = 2;
  system.stiffness.entries = {{0, 0, 1e3}, {0, 1, -1e3}, {1, 0, -1e3}, {1, 1, 1e3}};
  system.q = {1.0, 1.0};
  system.v = {0.0, 0.0};
  const TimeFunction weight = TimeFunction::constant(-test::kGravity);
  system.forces = {{0, weight}, {1, weight}};
  system.gaps = {floor_of(0, 1.0)};
  scene.systems = {system};
  Simulation<2> simulation(scene);
  int bounces = 0;
  for (int k = 0; k < 5000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_LT(report.energy.relative_defect(), 1e-12);
    EXPECT_LT(report.energy.impact, 1e-10);
    bounces += simulation.gap_impulses()[0] > 0;
  }
  EXPECT_GT(bounces, 3);
  const Eigen::VectorXd &q = simulation.system_coordinates(0), &v = simulation.system_velocity(0);
  const double energy = 0.5 * v.squaredNorm() + test::kGravity * q.sum() + 500 * std::pow(q[1] - q[0], 2);
  EXPECT_LT(energy, 2 * test::kGravity * (1 + 1e-9));
  EXPECT_GT(energy, 2 * test::kGravity * 0.9);
}

SceneElasticBody block(const Vec<2>& centre, double young) {
  SceneElasticBody body;
  body.name = "block";
  body.centre = centre;
  body.size = Vec<2>(1.0, 0.5);
  body.divisions[0] = 8;
  body.divisions[1] = 4;
  body.elasticity.young = young;
  body.elasticity.poisson = 0.25;
  body.density = 2000;
  return body;
}

TEST(Systems, an_elastic_block_rests_with_its_weight_on_the_floor) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.5), 1e-3);
  scene.scheme.theta = 1;  // damps what the start shakes
  scene.bodies = {test::ground<2>()};
  scene.elastic = {block(Vec<2>(0, 0.25), 1e7)};
  scene.solver.tolerance_velocity = 1e-12;
  Simulation<2> simulation(scene);
  StepReport report;
  for (int k = 0; k < 4000; ++k) {
    report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-10) << k;
  }
  Vec<2> force = Vec<2>::Zero();
  for (const ContactState<2>& c : simulation.contacts()) force += c.axes * c.impulse / 1e-3;
  const double weight = 1.0 * 0.5 * 2000 * test::kGravity;
  EXPECT_NEAR(force.y(), weight, 1e-8 * weight);
  EXPECT_NEAR(force.x(), 0, 1e-8 * weight);
  EXPECT_LT(report.energy.kinetic, 1e-12 * weight);
}

// A uniform pressure on top of a block without friction below: the stress is uniform, through the contact.
TEST(Systems, the_patch_test_passes_through_contact) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.0), 1e-2);
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  scene.bodies = {test::ground<2>()};
  SceneElasticBody lower = block(Vec<2>(0, 0.25), 1e7);
  scene.elastic = {lower};
  // A rigid plate that presses with 1e4 N on the nodes of the top.
  SceneBody<2> plate = test::body<2>(build_rectangle(2.0, 0.2), Vec<2>(0, 0.6));
  plate.name = "plate";
  plate.drive[0] = plate.drive[2] = {Drive::Kind::locked, {}};
  plate.force[1] = TimeFunction::constant(-1e4);
  scene.bodies.push_back(plate);
  Simulation<2> simulation(scene);
  for (int k = 0; k < 3000; ++k) ASSERT_EQ(simulation.step().status, StepStatus::converged);
  // Plane strain, sides free: eps_y = -(1 - nu^2) p / E, eps_x = nu (1 + nu) p / E.
  const double p = 1e4 / 1.0, e = 1e7, nu = 0.25;
  const Eigen::VectorXd& q = simulation.system_coordinates(0);
  const auto node = [&](int i, int j) { return q.segment<2>(2 * (j * 9 + i)); };
  EXPECT_NEAR((node(8, 4) - node(8, 0)).y(), -(1 - nu * nu) * p / e * 0.5, 1e-8);
  EXPECT_NEAR((node(0, 4) - node(0, 0)).y(), -(1 - nu * nu) * p / e * 0.5, 1e-8);
  EXPECT_NEAR((node(8, 2) - node(0, 2)).x(), nu * (1 + nu) * p / e * 1.0, 1e-8);
}

// Two blocks whose meshes do not match: the weight of the upper one goes through nodes on edges.
TEST(Systems, elastic_blocks_stack) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.5), 1e-3);
  scene.scheme.theta = 1;
  scene.bodies = {test::ground<2>()};
  SceneElasticBody lower = block(Vec<2>(0, 0.25), 1e7), upper = block(Vec<2>(0.03, 0.75), 1e7);
  lower.name = "lower", upper.name = "upper";
  lower.damping_stiffness = upper.damping_stiffness = 0.02;
  upper.divisions[0] = 5;
  upper.size[0] = 0.8;
  scene.elastic = {lower, upper};
  scene.solver.tolerance_velocity = 1e-11;
  Simulation<2> simulation(scene);
  StepReport report;
  for (int k = 0; k < 1500; ++k) {
    report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
    ASSERT_LT(report.momentum, 1e-9) << k;
  }
  double on_floor = 0, between = 0;
  for (const ContactState<2>& c : simulation.contacts()) {
    const double up = (c.axes * c.impulse).y() / 1e-3;
    (c.a == 0 ? on_floor : between) += std::abs(up);
  }
  const double own = 2000 * test::kGravity;
  EXPECT_NEAR(between, 0.4 * own, 1e-6 * own);
  EXPECT_NEAR(on_floor, 0.9 * own, 1e-6 * own);
  EXPECT_LT(report.penetration_relative, 1e-3);
}

// An elastic block falls on a rigid one, which falls on it in turn: momentum is kept by every contact.
TEST(Systems, an_elastic_block_and_a_rigid_one_keep_momentum) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.3), 2e-4);
  scene.gravity.setZero();
  scene.elastic = {block(Vec<2>(0, 0.25), 1e7)};
  SceneBody<2> rigid = test::body<2>(build_rectangle(0.6, 0.2), Vec<2>(0.1, 0.65), Vec<2>(0.5, -2));
  rigid.density = 2000;
  scene.bodies = {rigid};
  scene.solver.tolerance_velocity = 1e-10;
  Simulation<2> simulation(scene);
  const double rigid_mass = 0.6 * 0.2 * 2000;
  double impulse = 0;
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_LT(report.momentum, 1e-9) << k;
    ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
    for (const ContactState<2>& c : simulation.contacts()) impulse += c.impulse[0];
  }
  EXPECT_GT(impulse, 10);
  // Of the elastic block, by its mass matrix: what the rigid one lost.
  const Eigen::VectorXd& v = simulation.system_velocity(0);
  const LinearModel& model = dynamic_cast<const LinearSystem&>(simulation.system(0)).model();
  Eigen::VectorXd up = Eigen::VectorXd::Zero(v.size());
  for (Eigen::Index i = 1; i < up.size(); i += 2) up[i] = 1;
  const double momentum = up.dot(model.M * v) + rigid_mass * simulation.bodies().velocity[0].y();
  EXPECT_NEAR(momentum, -2 * rigid_mass, 1e-9 * rigid_mass);
}

// Sizes far apart, so that no noise of the machine decides: 32 times the nodes take 32 times the time, and some for memory that
// no longer is in a cache: the bound leaves six times for both. Each node against each edge would take 1000 times.
TEST(Systems, a_long_strip_is_built_in_time_proportional_to_its_nodes) {
  const auto build_time = [](int divisions) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
    SceneElasticBody strip;
    strip.size = Vec<2>(0.01 * divisions, 0.01);
    strip.divisions[0] = divisions;
    scene.elastic = {strip};
    const double start = seconds(Clock::thread_cpu);
    const Simulation<2> simulation(scene);
    EXPECT_EQ(simulation.initial_overlaps().count, 0);  // neither with its own edges
    return seconds(Clock::thread_cpu) - start;
  };
  double small = build_time(1000);
  for (int k = 0; k < 4; ++k) small = std::min(small, build_time(1000));
  EXPECT_LT(std::min(build_time(32000), build_time(32000)), 200 * small);
}

// A slender block, clamped at one end and bent far: linear elements do not turn, and the run says so.
TEST(Systems, what_small_displacements_cannot_do_is_told) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini), 1e-3);
  SceneElasticBody beam = block(Vec<2>(0, 0), 1e5);
  beam.size = Vec<2>(1.0, 0.1);
  beam.divisions[1] = 1;
  beam.clamped = {SceneElasticBody::left};
  scene.elastic = {beam};
  SceneBody<2> grain = test::body<2>(Ball<2>{0.02}, Vec<2>(5, 5));
  scene.bodies = {grain};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 500; ++k) simulation.step();
  const auto tells = [&](const char* words) {
    for (const std::string& text : simulation.warnings())
      if (text.find(words) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(tells("small displacements"));
}

// K pushes a coordinate away: the sum of two springs of 3 and -1 N/m is told with its lowest eigenvalue. A mechanism that K does not
// hold (eigenvalue 0, to round-off) is none.
TEST(Systems, a_stiffness_that_pushes_away_is_told) {
  const auto warnings = [](const SceneMatrix& stiffness) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
    SceneLinearSystem system;
    system.name = "arm";
    system.mass = diagonal({1.0, 1.0});
    system.stiffness = stiffness;
    system.q = system.v = {0.0, 0.0};
    scene.systems = {system};
    const Simulation<2> simulation(scene);
    EXPECT_EQ(simulation.scene_warnings(), simulation.warnings());
    return simulation.warnings();
  };
  ASSERT_EQ(warnings(diagonal({3.0, -1.0})).size(), 1u);
  EXPECT_EQ(
      warnings(diagonal({3.0, -1.0}))[0],
      "the stiffness of system \"arm\" has a negative eigenvalue, -1: where nothing holds it, it runs away");
  EXPECT_TRUE(warnings(diagonal({3.0, 0.0})).empty());
  // [[k, -k], [-k, k]] of a free pair: its zero is round-off of either sign.
  SceneMatrix pair = diagonal({0.1, 0.1});
  pair.entries.push_back({0, 1, -0.1}), pair.entries.push_back({1, 0, -0.1});
  EXPECT_TRUE(warnings(pair).empty());
}

}  // namespace
}  // namespace saltus::systems_test
