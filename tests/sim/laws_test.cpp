// Each law on one contact with a closed-form answer, through the C++ interface.
#include <gtest/gtest.h>

#include <numbers>

#include "sim/sim_scenes.hpp"

namespace saltus::laws_test {
namespace {

using test::kGravity;

// A disk that touches the ground and moves at v with spin w; no gravity; one step.
Simulation<2> struck(const PairLaw& law, const Vec<2>& v, double w, double h = 1e-3) {
  Scene<2> scene = test::scene<2>(law, h);
  scene.gravity.setZero();
  SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0.1}, v);
  disk.spin[0] = w;
  scene.bodies = {test::ground<2>(), disk};
  Simulation<2> simulation(scene);
  simulation.step();
  return simulation;
}

TEST(Laws, newton_restitution_reverses_the_normal_velocity) {
  PairLaw law = test::law(LawKind::newton);
  law.restitution = 0.7;
  EXPECT_NEAR(struck(law, {1, -2}, 0).bodies().velocity[1].y(), 1.4, 1e-12);
}

TEST(Laws, moreau_dissipation_index_acts_on_both_components) {
  // c = (1-d)/(1+d) = 1/2, friction large: u+ = -c u- in both components. The tangent points to -x: u-_t =
  // -1.
  PairLaw law = test::law(LawKind::moreau, 10);
  law.dissipation = 1.0 / 3;
  const Simulation<2> s = struck(law, {1, -2}, 0);
  EXPECT_NEAR(s.bodies().velocity[1].y(), 1, 1e-12);
  EXPECT_NEAR(s.contacts()[0].velocity[1], 0.5, 1e-12);
}

TEST(Laws, fremond_with_theta_one_half_reverses_a_sticking_tangent) {
  PairLaw law = test::law(LawKind::fremond, 10);
  law.restitution = 0.5;
  const Simulation<2> s = struck(law, {1, -2}, 0);
  EXPECT_NEAR(s.bodies().velocity[1].y(), 1, 1e-12);
  EXPECT_NEAR(s.contacts()[0].velocity[1], 1, 1e-12);
  EXPECT_EQ(s.summary().gain_steps, 0);
}

TEST(Laws, fremond_with_a_large_theta_is_an_input_error) {
  PairLaw law = test::law(LawKind::fremond);
  law.restitution = 0.9;
  Scene<2> scene = test::scene<2>(law, 1e-3);
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 1})};
  scene.scheme.theta = 0.6;
  EXPECT_THROW(Simulation<2>{scene}, InputError);
}

// What the tolerance of the solver opens between two boxes goes on being a contact: no level falls for a step, g h^2 = 0.245 mm.
TEST(Laws, a_stack_under_laws_on_velocities_sinks_by_no_more_than_its_residuals_explain) {
  for (const LawKind kind :
       {LawKind::velocity_signorini, LawKind::newton, LawKind::moreau, LawKind::fremond}) {
    Scene<3> scene = test::scene<3>(test::law(kind, 0.4), 5e-3);
    scene.solver.tolerance_velocity = 0;
    scene.solver.tolerance = 1e-3;
    scene.bodies = {test::ground<3>()};
    for (int i = 0; i < 6; ++i)
      scene.bodies.push_back(test::body<3>(build_box({0.5, 0.5, 0.2}), {0, 0, 0.1 + 0.2 * i}));
    Simulation<3> simulation(scene);
    double explained =
        0;  // each contact may be off by its residual; the sum is at most their number times the rms
    for (int k = 0; k < 10; ++k) {
      const StepReport report = simulation.step();
      EXPECT_EQ(report.contacts, 24) << name(kind) << ' ' << k;
      explained += scene.scheme.h * report.contacts * report.residual_rms;
    }
    EXPECT_LE(explained, 0.25 * test::kGravity * 5e-3 * 5e-3) << name(kind);
    EXPECT_NEAR(simulation.bodies().pose[6].position.z(), 1.1, explained) << name(kind);
  }
}

TEST(Laws, quasi_inelastic_closes_the_gap_then_stops) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
  scene.gravity.setZero();
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.1005}, {0, -1})};
  Simulation<2> simulation(scene);
  test::run(simulation, 3);
  EXPECT_NEAR(simulation.bodies().velocity[1].y(), 0, 1e-12);
  EXPECT_NEAR(simulation.bodies().pose[1].position.y(), 0.1, 1e-12);
}

// The law asks for u_n = -g~/h = 1 m/s at once. With theta = 1 that carries 1 mm within the step. With 1/2
// the step carries half of it, and g~ of the next, half a step ahead, is zero: no impulse, and the gap opens
// at 1 m/s.
TEST(Laws, gap_signorini_ends_a_penetration_in_one_step_or_with_theta_one_half_in_two) {
  for (const double theta : {1.0, 0.5}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini), 1e-3);
    scene.gravity.setZero();
    scene.scheme.theta = theta;
    scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.099})};
    Simulation<2> simulation(scene);
    simulation.step();
    EXPECT_NEAR(simulation.bodies().pose[1].position.y(), 0.099 + theta * 0.001, 1e-12);
    simulation.step();
    EXPECT_NEAR(simulation.bodies().velocity[1].y(), 1, 1e-12);
    EXPECT_NEAR(simulation.bodies().pose[1].position.y(), 0.1 + theta * 0.001, 1e-12);
  }
}

TEST(Laws, an_elastic_layer_is_a_harmonic_oscillator_that_keeps_its_energy) {
  PairLaw law = test::law(LawKind::elastic);
  law.stiffness_normal = 1e6;
  const double h = 1e-4;
  Scene<2> scene = test::scene<2>(law, h);
  scene.gravity.setZero();
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.1}, {0, -1})};
  Simulation<2> simulation(scene);
  const double m = simulation.bodies().model[1].mass, omega = std::sqrt(law.stiffness_normal / m);
  double deepest = 0, leaves = 0;
  while (simulation.time() < 4 / omega) {
    simulation.step();
    deepest = std::max(deepest, 0.1 - simulation.bodies().pose[1].position.y());
    if (leaves == 0 && simulation.bodies().pose[1].position.y() > 0.1) leaves = simulation.time();
  }
  // Half a period of the midpoint rule is long by (omega h)^2/12 relative; leaving is seen within a step.
  EXPECT_NEAR(leaves, std::numbers::pi / omega, h + std::numbers::pi / omega * std::pow(omega * h, 2) / 12);
  // Depth v/omega; sampled at steps, so low by (omega h)^2/8 at most; the scheme itself keeps the energy.
  EXPECT_NEAR(deepest, 1 / omega, std::pow(omega * h, 2) / omega);
  // In the step that opens, the force at mid-step acts over the whole step or not at all: its energy is at
  // most k (v h)^2/2, out of m v^2/2.
  EXPECT_NEAR(simulation.bodies().velocity[1].y(), 1, std::pow(omega * h, 2));
}

TEST(Laws, an_elastic_layer_hit_by_a_coarse_step_never_gives_back_more_than_it_took) {
  // omega h = 1.8 and 18: the step that closes the gap begins anywhere before it.
  PairLaw law = test::law(LawKind::elastic);
  for (const double stiffness : {1e6, 1e8})
    for (double gap = 0; gap < 0.01; gap += 0.0007) {
      law.stiffness_normal = stiffness;
      Scene<2> scene = test::scene<2>(law, 1e-2);
      scene.gravity.setZero();
      scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.1 + gap}, {0, -1})};
      Simulation<2> simulation(scene);
      const double energy = simulation.bodies().kinetic_energy(1);
      for (int k = 0; k < 20; ++k) {
        const EnergyBalance now = simulation.step().energy;
        EXPECT_LE(now.kinetic + now.elastic_stored, energy * (1 + 1e-12)) << stiffness << ", gap " << gap;
      }
    }
}

TEST(Laws, an_elastic_tangent_oscillates_until_friction_gives_way) {
  // Pressed by its weight on a soft tangent: x'' = -k_t s/m with spin locked; amplitude v/omega below the
  // limit mu N/k_t.
  PairLaw law = test::law(LawKind::elastic, 0.5);
  law.stiffness_normal = 1e7;
  law.stiffness_tangent = 1e5;
  Scene<2> scene = test::scene<2>(law, 1e-4);
  SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0.1}, {0.01, 0});
  disk.drive[2].kind = Drive::Kind::locked;
  scene.bodies = {test::ground<2>(), disk};
  Simulation<2> probe(scene);
  const double m = probe.bodies().model[1].mass, omega = std::sqrt(law.stiffness_tangent / m);
  scene.bodies[1].pose.position.y() -= m * kGravity / law.stiffness_normal;
  Simulation<2> simulation(scene);
  double furthest = 0;
  while (simulation.time() < 8 / omega) {
    simulation.step();
    furthest = std::max(furthest, std::abs(simulation.bodies().pose[1].position.x()));
  }
  ASSERT_LT(0.01 / omega * law.stiffness_tangent,
            0.5 * m * kGravity);  // it sticks: the case is what it claims
  EXPECT_NEAR(furthest, 0.01 / omega, 0.01 / omega * std::pow(omega * 1e-4, 2));
}

TEST(Laws, cohesion_holds_up_to_its_strength_and_breaks_beyond) {
  for (const double load : {0.9, 1.1}) {
    PairLaw law = test::law(LawKind::quasi_inelastic, 0.3);
    law.cohesion = 100;
    Scene<2> scene = test::scene<2>(law, 1e-3);
    scene.gravity.setZero();
    SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0.1});
    disk.force[1] = TimeFunction::constant(load * law.cohesion);
    scene.bodies = {test::ground<2>(), disk};
    Simulation<2> simulation(scene);
    test::run(simulation, 100);
    const double m = simulation.bodies().model[1].mass, v = simulation.bodies().velocity[1].y();
    if (load < 1) {
      EXPECT_NEAR(v, 0, 1e-12);
      EXPECT_TRUE(simulation.contacts()[0].bonded);
      EXPECT_NEAR(simulation.contacts()[0].impulse[0], -load * law.cohesion * 1e-3, 1e-12);
    } else {
      // The bond acts in the step that breaks it: then the force is free. One step of the bond's impulse.
      EXPECT_NEAR(v, 100 * 1e-3 * load * law.cohesion / m, 2e-3 * law.cohesion / m);
      EXPECT_FALSE(!simulation.contacts().empty() && simulation.contacts()[0].bonded);
    }
  }
}

TEST(Laws, viscous_friction_decays_a_sliding_speed) {
  // No Coulomb friction, spin locked: m v' = -c v; implicit Euler in the law: v_k = v0 (1 + h c/m)^-k
  // exactly.
  PairLaw law = test::law(LawKind::quasi_inelastic);
  law.viscosity = 50;
  const double h = 1e-3;
  for (const std::string solver : {"nlgs", "newton", "admm", "ipm", "apgd", "auto"}) {
    Scene<2> scene = test::scene<2>(law, h);
    scene.solver.kind = solver_of_name(solver);
    scene.solver.tolerance_velocity = 1e-9;
    SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0.1}, {1, 0});
    disk.drive[2].kind = Drive::Kind::locked;
    scene.bodies = {test::ground<2>(), disk};
    Simulation<2> simulation(scene);
    const double m = simulation.bodies().model[1].mass;
    StepReport report;
    for (int k = 0; k < 50; ++k) {
      report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << solver << ": " << report.reason;
      ASSERT_LT(report.momentum, 1e-12) << solver;
    }
    // The residual of 50 steps at most; closed means g~ <= 0, and it starts exactly touching.
    EXPECT_NEAR(simulation.bodies().velocity[1].x(), std::pow(1 + h * law.viscosity / m, -50), 50e-9)
        << solver;
  }
}

TEST(Laws, dynamic_friction_follows_static_friction_once_sliding) {
  // tan(angle) between the two values: at rest it stays, once moving it accelerates with the dynamic one.
  const double angle = std::atan(0.4), h = 1e-3;
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.5);
  law.friction_dynamic = 0.2;
  for (const double v0 : {0.0, 1.0})
    for (const std::string solver : {"auto", "newton", "admm", "ipm", "apgd"}) {
      Scene<2> scene = test::scene<2>(law, h);
      scene.solver.kind = solver_of_name(solver);
      scene.solver.tolerance_velocity = 1e-9;
      SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0}, {v0 * std::cos(angle), -v0 * std::sin(angle)});
      disk.pose = test::tilted<2>(angle, 0.1);
      disk.drive[2].kind = Drive::Kind::locked;
      scene.bodies = {test::ground<2>(angle), disk};
      Simulation<2> simulation(scene);
      test::run(simulation, 100);
      const double v = simulation.bodies().velocity[1].norm();
      if (v0 == 0) EXPECT_LT(v, 2e-9) << solver;
      // The first step still has the static value: h g cos (mu_s - mu_d); 1e-9 m/s per step are the solver's.
      else
        EXPECT_NEAR(v, v0 + 100 * h * kGravity * (std::sin(angle) - 0.2 * std::cos(angle)),
                    h * kGravity * 0.3 + 100e-9)
            << solver;
    }
}

template <int Dim>
void rolling_stop(double k) {
  // Rolling without slip under a moment mu_r N: (1 + k) m v' = -mu_r N/R.
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.5);
  law.rolling = 1e-3;
  const double R = 0.1, v0 = 0.5, h = 1e-3;
  Scene<Dim> scene = test::scene<Dim>(law, h);
  SceneBody<Dim> ball = test::body<Dim>(Ball<Dim>{R}, R * Vec<Dim>::Unit(Dim - 1), v0 * Vec<Dim>::Unit(0));
  ball.spin[kSpins<Dim> / 2] = (Dim == 2 ? -1 : 1) * v0 / R;
  scene.bodies = {test::ground<Dim>(), ball};
  Simulation<Dim> simulation(scene);
  const int steps = 500;
  test::run(simulation, steps);
  const double a = law.rolling * kGravity / (R * (1 + k));
  // Constant deceleration: exact but for the tolerance of the solver at each step.
  EXPECT_NEAR(simulation.bodies().velocity[1][0], v0 - steps * h * a, 1e-8);
}

TEST(Laws, rolling_friction_slows_a_disk) { rolling_stop<2>(0.5); }
TEST(Laws, rolling_friction_slows_a_sphere) { rolling_stop<3>(0.4); }

}  // namespace
}  // namespace saltus::laws_test
