// Steps whose contact laws gain energy are told from those that do not.
#include <gtest/gtest.h>

#include <random>

#include "sim/sim_scenes.hpp"

namespace saltus::energy_gain_test {
namespace {

using test::kGravity;

// A disk whose centre of mass is not at its middle lands on the ground: the arm of its contact is (-0.08,
// -0.1) from the centre, so that a normal impulse also pushes along the ground, as in Kane's pendulum.
struct EccentricImpact {
  double mass = 2, inertia = 0.005, restitution = 0.8;
  Vec<2> arm{-0.08, -0.1}, velocity{2, -2};

  Scene<2> scene(LawKind kind) const {
    PairLaw law = test::law(kind, 0.9);  // 0.38 holds it; 1.11 would be Painleve's case
    law.restitution = restitution;
    Scene<2> result = test::scene<2>(law, 1e-3);
    result.gravity.setZero();
    SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0.1}, velocity);
    disk.mass = mass;
    disk.inertia = Inertia<2>(inertia);
    disk.centre = Vec<2>(0.08, 0);
    result.bodies = {test::ground<2>(), disk};
    return result;
  }

  // Kinetic energy won when friction holds the contact (Newton: u+ = (-e u-_n, 0)): r.(u+ + u-)/2, in axes
  // (x, y), W = (1/m) 1 + arm x arm / I.
  double newton_gain() const {
    Eigen::Matrix2d W = Eigen::Matrix2d::Identity() / mass;
    const Eigen::Vector2d turn(-arm.y(), arm.x());
    W += turn * turn.transpose() / inertia;
    const Eigen::Vector2d before = velocity, after(0, -restitution * velocity.y());
    return 0.5 * (W.inverse() * (after - before)).dot(after + before);
  }
};

TEST(EnergyGain, newton_restitution_with_friction_gains_what_kane_says_and_names_the_bodies) {
  const EccentricImpact impact;
  ASSERT_GT(impact.newton_gain(), 0.1);  // J: the case is what it claims
  Simulation<2> simulation(impact.scene(LawKind::newton));
  const StepReport report = simulation.step();
  // One contact, solved to 1e-13 m/s of some N s.
  EXPECT_NEAR(report.energy.gain, impact.newton_gain(), 1e-11);
  EXPECT_EQ(report.gain_contact, 0);
  EXPECT_EQ(report.gain_a, 0);
  EXPECT_EQ(report.gain_b, 1);
  EXPECT_EQ(simulation.summary().gain_steps, 1);
  ASSERT_EQ(simulation.warnings().size(), 1u);
  EXPECT_NE(simulation.warnings()[0].find("gained energy"), std::string::npos);
}

// What one impact loses is not what another may gain.
TEST(EnergyGain, a_gain_is_not_hidden_by_an_inelastic_hit_far_away) {
  const EccentricImpact impact;
  Scene<2> scene = impact.scene(LawKind::newton);
  // 100 kg at 10 m/s without rebound lose 5000 J in the same step, on the same ground.
  scene.bodies.push_back(test::body<2>(Disk{0.1}, {50, 0.1}, {0, -10}));
  scene.bodies.back().mass = 100;
  scene.bodies.back().material = SharedText("lead");
  scene.laws.push_back({"lead", "default", test::law(LawKind::velocity_signorini), ""});
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_EQ(report.gain_groups, 1);
  EXPECT_NEAR(report.energy.gain, impact.newton_gain(), 1e-11);
  EXPECT_EQ(report.gain_b, 1);
}

// Pairs of disks that hit each other off their centres of mass, no two pairs near each other.
Scene<2> pairs_of_disks(int first, int count) {
  PairLaw law = test::law(LawKind::newton, 0.9);
  law.restitution = 0.8;
  Scene<2> scene = test::scene<2>(law, 1e-3);
  scene.gravity.setZero();
  std::mt19937_64 engine(7);
  const auto uniform = [&] { return 2 * static_cast<double>(engine() >> 11) / 0x1p53 - 1; };
  for (int i = 0; i < first + count; ++i) {
    const double x = 10.0 * i, centre = 0.09 * uniform();
    const Vec<2> v(2.5 * uniform(), -2 + uniform());
    if (i < first) continue;
    SceneBody<2> low = test::body<2>(Disk{0.1}, {x, 0.1}), high = test::body<2>(Disk{0.1}, {x, 0.3}, v);
    high.centre = Vec<2>(centre, 0);
    high.mass = 2;
    high.inertia = Inertia<2>(0.005);
    low.mass = 50;
    low.inertia = Inertia<2>(0.25);
    scene.bodies.insert(scene.bodies.end(), {low, high});
  }
  return scene;
}

TEST(EnergyGain, many_pairs_gain_together_what_they_gain_one_by_one) {
  constexpr int kPairs = 300;
  int groups = 0;
  double gain = 0;
  for (int i = 0; i < kPairs; ++i) {
    Simulation<2> alone(pairs_of_disks(i, 1));
    const StepReport report = alone.step();
    groups += report.gain_groups;
    gain += report.energy.gain;
  }
  ASSERT_GT(groups, 10);  // the sample holds cases that gain
  ASSERT_LT(groups, kPairs);
  Simulation<2> together(pairs_of_disks(0, kPairs));
  const StepReport report = together.step();
  EXPECT_EQ(report.gain_groups, groups);
  // Impulses of about 1 N s and velocities of 1 m/s, known to 1e-13 m/s, in 300 pairs.
  EXPECT_NEAR(report.energy.gain, gain, 1e-10);
  EXPECT_LT(report.energy.impact + report.energy.friction, 0);  // the sum over all pairs hides them
}

TEST(EnergyGain, fremond_on_the_same_impact_gains_nothing) {
  for (const double theta : {0.5, 0.55}) {
    Scene<2> scene = EccentricImpact().scene(LawKind::fremond);
    scene.scheme.theta = theta;
    Simulation<2> simulation(scene);
    test::run(simulation, 20);
    EXPECT_EQ(simulation.summary().gain_steps, 0);
    EXPECT_EQ(simulation.warnings().size(), theta == 0.5 ? 1u : 0u);  // that sticking contacts reverse
  }
}

TEST(EnergyGain, a_bounce_that_keeps_its_energy_is_no_gain_for_any_theta_and_force) {
  // Forces that pull away or press, much larger than weight: their work within the step is not the law's.
  for (const double theta : {0.5, 0.75, 1.0})
    for (const double force : {-500.0, 0.0, 500.0}) {
      PairLaw law = test::law(LawKind::newton);
      law.restitution = 1;
      Scene<2> scene = test::scene<2>(law, 1e-3);
      scene.scheme.theta = theta;
      SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0.1}, {0, -1});
      disk.force[1] = TimeFunction::constant(force);
      scene.bodies = {test::ground<2>(), disk};
      Simulation<2> simulation(scene);
      test::run(simulation, 5);
      EXPECT_EQ(simulation.summary().gain_steps, 0) << "theta " << theta << ", force " << force;
    }
}

TEST(EnergyGain, a_law_on_the_gap_that_pushes_a_penetration_out_is_told) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini), 1e-3);
  scene.gravity.setZero();
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.099})};
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  // g/h = -1 m/s from rest: m/2.
  EXPECT_NEAR(report.energy.gain, 0.5 * simulation.bodies().model[1].mass, 1e-9);
}

TEST(EnergyGain, a_bond_that_pulls_back_is_not_a_gain) {
  PairLaw law = test::law(LawKind::quasi_inelastic);
  law.cohesion = 100;
  law.rupture_gap = 0.01;
  Scene<2> scene = test::scene<2>(law, 1e-3);
  scene.gravity.setZero();
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.1}, {0, 0.1})};
  Simulation<2> simulation(scene);
  test::run(simulation, 200);
  EXPECT_NEAR(simulation.bodies().velocity[1].y(), 0, 1e-12);  // it came back
  EXPECT_EQ(simulation.summary().gain_steps, 0);
}

}  // namespace
}  // namespace saltus::energy_gain_test
