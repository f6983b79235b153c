// The alpha schemes: motion in closed form, orders, dissipation, constraints on both levels, contacts.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/alpha_scenes.hpp"

namespace saltus::alpha_test {
namespace {

using test::alpha_scheme;

// Error of a damped oscillator, omega = 2, after 2 s.
double oscillator_error(const SchemeOptions& scheme) {
  Simulation<2> simulation(test::system_scene(test::oscillator(4, 0.4), scheme));
  while (simulation.time() < 2 - 0.5 * scheme.h) simulation.step();
  const double d = 0.2, w = std::sqrt(4 - d * d), t = 2;
  const double q = std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
  const double v = -std::exp(-d * t) * 4 / w * std::sin(w * t);
  return std::hypot(simulation.system_coordinates(0)[0] - q, simulation.system_velocity(0)[0] - v);
}

TEST(Alpha, smooth_motion_is_of_second_order) {
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) {
    const double coarse = oscillator_error(alpha_scheme(rho, 0.02)),
                 fine = oscillator_error(alpha_scheme(rho, 0.01));
    // Second order: a factor of 4, up to what the next order adds at omega h = 0.04.
    EXPECT_NEAR(coarse / fine, 4, 0.2) << rho;
  }
  // gamma = 1 is of first order, as theory says.
  SchemeOptions newmark = alpha_scheme(1, 0.02);
  newmark.kind = SchemeKind::newmark;
  newmark.alpha = alpha_options(0, 0);
  newmark.alpha.gamma = 1, newmark.alpha.beta = 0.5;
  SchemeOptions half = newmark;
  half.h = 0.01;
  EXPECT_NEAR(oscillator_error(newmark) / oscillator_error(half), 2, 0.2);
}

TEST(Alpha, the_numerical_dissipation_is_its_formula) {
  for (const double rho : {0.3, 0.8, 1.0}) {
    Simulation<2> simulation(test::system_scene(test::oscillator(1e4, 0), alpha_scheme(rho, 0.01)));
    double energy = 0.5 * 1e4, before = energy;
    for (int k = 0; k < 100; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged);
      // Round-off of sums of a few products, of 5000 J.
      ASSERT_LT(std::abs(report.energy.defect), 1e-15 * 5000 * 20);
      energy = report.energy.kinetic + report.energy.elastic_stored;
      ASSERT_NEAR(energy - before, report.energy.scheme, 1e-9);
      before = energy;
    }
    if (rho == 1)
      EXPECT_NEAR(energy, 5000, 1e-8);  // kept: round-off of 100 steps
    else
      EXPECT_LT(energy, 4990);  // damped, by the formula
  }
}

// At omega h -> infinity all three roots of the amplification matrix have the modulus rho_inf; a double root
// makes n rho^n of it, whose ratio is rho (1 + 1/n).
TEST(Alpha, what_a_step_does_not_resolve_is_damped_by_rho_inf) {
  for (const double rho : {0.2, 0.5, 0.8, 0.95}) {
    Simulation<2> simulation(test::system_scene(test::oscillator(1e12), alpha_scheme(rho, 1)));
    const int steps = rho < 0.5 ? 60 : 200;
    double last = 0, now = 1;
    for (int k = 0; k < steps; ++k) {
      simulation.step();
      last = now;
      now = std::abs(simulation.system_coordinates(0)[0]);
    }
    EXPECT_NEAR(now / last, rho * (1 + 1.0 / steps), 0.01) << rho;
  }
}

// e = 0.8 from 1 m: exact motion by pieces. The jump of a step is booked at its end, so errors are a step of travel.
struct Bounce {
  double q, v, jump;  // jump: distance in time to the nearest impact
};
Bounce exact_bounce(double t) {
  const double g = 10;
  double v = std::sqrt(2 * g), next = v / g;
  if (t < next) return {1 - 0.5 * g * t * t, -g * t, next - t};
  for (;;) {
    v *= 0.8;
    const double flight = 2 * v / g;
    if (t < next + flight) {
      const double s = t - next;
      return {v * s - 0.5 * g * s * s, v - g * s, std::min(s, flight - s)};
    }
    next += flight;
  }
}

// Graph distance: of a point (t, v) of the computed graph from the exact one, whose jumps are vertical lines; here: the
// error of v where the next jump is further than h away, and that of q everywhere.
TEST(Alpha, impacts_are_of_first_order_in_graph_distance) {
  const auto error = [](double h) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::newton), h);
    scene.gravity = Vec<2>(0, -10);
    scene.default_law->restitution = 0.8;
    scene.scheme = alpha_scheme(0.8, h);
    scene.bodies = {test::ground<2>(), test::body<2>(Ball<2>{0.5}, Vec<2>(0, 1.5))};
    Simulation<2> simulation(scene);
    double worst = 0;
    while (simulation.time() < 2.2) {
      const StepReport report = simulation.step();
      EXPECT_LT(report.penetration, 1e-11);
      const Bounce exact = exact_bounce(simulation.time());
      worst = std::max(worst, std::abs(simulation.bodies().pose[1].position.y() - 0.5 - exact.q));
      // Impacts come up to a few steps early or late by the time of the fourth.
      if (exact.jump > 8 * h)
        worst = std::max(worst, std::abs(simulation.bodies().velocity[1].y() - exact.v));
    }
    return worst;
  };
  // Where in the step an impact falls changes the error by a factor of up to two or so: the order shows over a decade.
  const double coarse = error(4e-3), fine = error(4e-4);
  EXPECT_GT(std::log10(coarse / fine), 0.7);
  // An impact is booked at the end of its step, with a velocity that is off by up to g h: 0.8 (d + g h) after the next, 0.11 m/s after
  // five; and its time is off by less than the 8 steps that are left out, g 8 h.
  EXPECT_LT(coarse, 0.11 + 10 * 8 * 4e-3);
}

TEST(Alpha, the_two_ball_oscillator_accounts_for_its_energy) {
  SceneLinearSystem balls;
  balls.mass = test::matrix({{1, 0}, {0, 1}});
  balls.stiffness = test::matrix({{1e3, -1e3}, {-1e3, 1e3}});
  balls.damping = test::matrix({{1, -1}, {-1, 1}});
  balls.q = {1, 1};
  balls.v = {0, 0};
  balls.forces = {{0, TimeFunction::constant(-10)}, {1, TimeFunction::constant(-10)}};
  SceneGap floor;
  floor.row = {{0, 1.0}};
  floor.law = test::law(LawKind::newton);
  floor.law.restitution = 0.8;
  balls.gaps = {floor};
  Simulation<2> simulation(test::system_scene(balls, alpha_scheme(0.8, 2e-3)));
  int impacts = 0;
  double lost = 0;
  while (simulation.time() < 3) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged);
    // Places of 1 m are rounded by 1e-16 m, forces are up to some 100 N.
    ASSERT_LT(std::abs(report.energy.defect), 1e-13);
    lost += report.energy.impact;
    // The floor holds on positions, to round-off of a displacement of 1 m.
    ASSERT_LT(report.penetration, 1e-14);
    impacts += simulation.gap_impulses()[0] > 0;
  }
  EXPECT_GT(impacts, 3);
  EXPECT_LT(lost, -1);  // in one step Newton's law may give a little: e u- counts for u- > 0 too
}

// Waves travel at 30 m/s: contact lasts 2L/c = 2/3 s, its force is rho c v = 300 N, the bar leaves with 10 m/s. What is
// left in waves is lost to the velocity of the bar as a whole and falls with h and the mesh.
TEST(Alpha, an_elastic_bar_bounces_as_the_wave_equation_says) {
  double rebound[2];
  for (const int fine : {0, 1}) {
    const double h = fine ? 2e-3 : 4e-3;
    Simulation<2> simulation(test::system_scene(test::bar(fine ? 200 : 100), alpha_scheme(0.8, h)));
    double first = 0, last = 0, impulse = 0;
    int steps = 0;
    while (simulation.time() < 0.8) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged);
      // Of 500 J; forces of the elements, 18 kN/m, act on rounded places.
      ASSERT_LT(std::abs(report.energy.defect), 500 * 1e-12);
      const double force = simulation.gap_impulses()[0] / h;
      if (!(force > 0)) continue;
      if (first == 0) first = simulation.time() - h;
      last = simulation.time();
      if (last - first > 0.1 && last - first < 0.56) impulse += force, ++steps;
    }
    rebound[fine] = simulation.system_velocity(0).mean();
    EXPECT_NEAR(last - first, 2.0 / 3, 0.01 * 2 / 3);
    EXPECT_NEAR(impulse / steps, 300, 0.02 * 300);
    EXPECT_GT(rebound[fine], 9.5);
    EXPECT_LT(rebound[fine], 10);
  }
  EXPECT_GT(rebound[1], rebound[0]);
}

// The direct application of a smooth scheme to a gap: the velocity after an impact is an accident of the step.
TEST(Alpha, a_smooth_scheme_applied_to_impacts_makes_up_its_own_restitution) {
  const auto rebound = [](SchemeKind kind, double height) {
    SceneLinearSystem mass;
    mass.mass = test::matrix({{1}});
    mass.q = {height};
    mass.v = {-1};
    SceneGap floor;
    floor.row = {{0, 1.0}};
    floor.law = test::law(LawKind::newton);
    floor.law.restitution = 0.5;
    mass.gaps = {floor};
    SchemeOptions scheme = alpha_scheme(1, 0.01);
    scheme.kind = kind;
    scheme.alpha = alpha_options(0, 0);
    scheme.alpha.direct_gaps = true;
    Simulation<2> simulation(test::system_scene(mass, scheme));
    for (int k = 0; k < 200; ++k) simulation.step();
    return simulation.system_velocity(0)[0];
  };
  double least = 1e9, most = -1e9;
  for (int i = 0; i < 8; ++i) {
    const double direct = rebound(SchemeKind::alpha_index3, 0.1 + 0.00125 * i + 1e-5);
    least = std::min(least, direct), most = std::max(most, direct);
    EXPECT_NEAR(rebound(SchemeKind::newmark, 0.1 + 0.00125 * i + 1e-5), 0.5, 1e-12);
  }
  // Between 0 and 1 and beyond: whatever the place of the impact in the step makes of it.
  EXPECT_GT(most - least, 0.5);
}

TEST(Alpha, a_stack_stands_without_overlap) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.5), 5e-3);
  scene.scheme = alpha_scheme(0.8, 5e-3);
  scene.solver.tolerance_velocity = 1e-10;
  scene.bodies = {test::ground<2>()};
  for (int i = 0; i < 4; ++i)
    scene.bodies.push_back(test::body<2>(build_rectangle(1, 1), Vec<2>(0.02 * i, 0.51 + 1.01 * i)));
  Simulation<2> simulation(scene);
  for (int k = 0; k < 400; ++k) {
    const StepReport report = simulation.step();
    ASSERT_NE(report.status, StepStatus::not_finite);
    ASSERT_LT(report.penetration, 1e-8) << k;  // newton_tolerance of 1 m, and the solver's
    // Blocks of a tonne and 1 m: 1e4 N on rounded places, some turns of it.
    ASSERT_LT(std::abs(report.energy.defect), 1e-10);
  }
  for (int i = 1; i <= 4; ++i) {
    EXPECT_NEAR(simulation.bodies().pose[i].position.y(), i - 0.5, 1e-7);
    EXPECT_LT(simulation.bodies().velocity[i].norm(), 1e-7);
  }
}

// At rest nothing of the balance is left but round-off: it is told beside what the loads of a step would do.
TEST(Alpha, the_balance_of_a_body_at_rest_closes) {
  PairLaw law = test::law(LawKind::newton);
  law.restitution = 0.5;
  Scene<2> scene = test::scene<2>(law, 1e-3);
  scene.scheme = alpha_scheme(0.8, 1e-3);
  scene.solver.tolerance_velocity = 1e-10;
  scene.bodies = {test::ground<2>(), test::body<2>(Ball<2>{0.1}, Vec<2>(0, 0.3))};
  Simulation<2> simulation(scene);
  double worst = 0;
  for (int k = 0; k < 2000; ++k) worst = std::max(worst, simulation.step().energy.relative_defect());
  EXPECT_LT(simulation.bodies().velocity[1].norm(), 1e-9);
  EXPECT_LT(worst, 1e-10);
}

// mu = 0.3 on a slope of 30 degrees: g (sin - mu cos) from rest, exactly; on one of 10 degrees it stays.
TEST(Alpha, coulomb_friction_acts_on_velocities) {
  for (const double angle : {M_PI / 6, M_PI / 18}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.3), 1e-3);
    scene.scheme = alpha_scheme(0.8, 1e-3);
    SceneBody<2> box = test::body<2>(build_rectangle(1, 0.2), Vec<2>::Zero());
    box.pose = test::tilted<2>(angle, 0.1);
    scene.bodies = {test::ground<2>(angle), box};
    Simulation<2> simulation(scene);
    for (int k = 0; k < 200; ++k) ASSERT_LT(simulation.step().energy.relative_defect(), 1e-9);
    const double pull = test::kGravity * (std::sin(angle) - 0.3 * std::cos(angle));
    // First order at the start of sliding: a step of velocity.
    EXPECT_NEAR(simulation.bodies().velocity[1].norm(), std::max(0.0, pull) * 0.2, 1e-3 * test::kGravity);
  }
}

// Sticking under Fremond's law with the mean of u- and u: sliding is turned round at every step, energy is not gained.
TEST(Alpha, fremonds_law_on_the_mean_never_gains_energy) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::fremond, 0.4), 2e-3);
  scene.scheme = alpha_scheme(0.8, 2e-3);
  scene.default_law->restitution = 0.6;
  SceneBody<2> disk = test::body<2>(Ball<2>{0.5}, Vec<2>(0, 1), Vec<2>(2, 0));
  disk.spin[0] = 5;
  scene.bodies = {test::ground<2>(), disk};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_LE(report.energy.impact + report.energy.friction, 1e-12);
    ASSERT_LT(report.energy.relative_defect(), 1e-10);
  }
}

TEST(Alpha, a_saved_run_goes_on_to_the_same_bits) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.2), 1e-3);
  scene.scheme = alpha_scheme(0.7, 1e-3);
  SceneBody<2> bar = test::body<2>(build_rectangle(1, 0.1), Vec<2>(0.5, 1));
  bar.name = "bar";
  scene.bodies = {test::ground<2>(), bar, test::body<2>(Ball<2>{0.2}, Vec<2>(0.9, 1.5))};
  SceneJoint<2> hinge;
  hinge.b = "bar";
  hinge.points[0] = hinge.points[1] = Vec<2>(0, 1);
  scene.joints = {hinge};
  scene.systems = {test::oscillator(100)};
  Simulation<2> one(scene), other(scene);
  for (int k = 0; k < 300; ++k) one.step();
  other.restore(one.save());
  for (int k = 0; k < 200; ++k) one.step(), other.step();
  EXPECT_EQ(one.state_hash(), other.state_hash());
}

TEST(Alpha, an_elastic_block_lands_and_accounts_for_its_energy) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.3), 1e-3);
  scene.scheme = alpha_scheme(0.8, 1e-3);
  scene.solver.tolerance_velocity = 1e-10;
  scene.bodies = {test::ground<2>()};
  SceneElasticBody block;
  block.centre = Vec<2>(0, 0.52);
  block.size = Vec<2>(1, 1);
  block.divisions[0] = block.divisions[1] = 3;
  block.elasticity.young = 1e6;
  block.elasticity.poisson = 0.3;
  block.damping_stiffness = 1e-3;
  block.velocity = Vec<2>(0.5, -1);
  scene.elastic = {block};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 200; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
    ASSERT_LT(report.penetration, 1e-8);
  }
}

TEST(Alpha, what_the_schemes_have_no_place_for_is_refused) {
  const auto refused = [](auto change) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
    scene.scheme = alpha_scheme(0.8, 1e-3);
    scene.bodies = {test::ground<2>(), test::body<2>(Ball<2>{0.5}, Vec<2>(0, 1))};
    change(scene);
    EXPECT_THROW(Simulation<2>{scene}, InputError);
  };
  refused([](Scene<2>& s) { s.default_law->kind = LawKind::gap_signorini; });
  refused([](Scene<2>& s) { s.default_law->kind = LawKind::elastic, s.default_law->stiffness_normal = 1e5; });
  refused([](Scene<2>& s) { s.default_law->cohesion = 1; });
  refused([](Scene<2>& s) { s.default_law->viscosity = 1; });
  refused([](Scene<2>& s) { s.scheme.activation = Activation::end; });
  refused([](Scene<2>& s) { s.scheme.jacobian_at = JacobianAt::start; });
  refused([](Scene<2>& s) { s.scheme.theta = 1; });
  refused([](Scene<2>& s) { s.scheme.alpha.alpha_f = 0.6; });
  refused([](Scene<2>& s) { s.scheme.alpha.beta = 0; });
  refused([](Scene<2>& s) { s.scheme.alpha.gamma = 0.4; });
  refused([](Scene<2>& s) { s.scheme.alpha.tolerance = 0; });
  refused([](Scene<2>& s) {
    s.systems = {test::bar(2)};
    s.systems[0].gaps[0].active_below = -1e-9;
  });
}

// Bodies that are not joined need a law in every scene: one that has no use for it says so.
TEST(Alpha, laws_of_contact_that_the_scheme_without_contacts_does_not_use_are_told) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
  scene.scheme.kind = SchemeKind::alpha_index3;
  scene.bodies = {test::body<2>(Ball<2>{0.5}, Vec<2>(0, 1)), test::body<2>(Ball<2>{0.5}, Vec<2>(3, 1))};
  const std::vector<std::string> warnings = Simulation<2>(scene).warnings();
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const std::string& text) {
    return text.find("laws of contact are not used") != std::string::npos;
  }));
}

// A table at 0.1 sin(10 t) lifts 2 kg, which leave it at 0.1377 s: its work is a drive's, and no law gains by it.
TEST(Alpha, a_gap_that_moves_does_work_and_its_law_gains_nothing) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
  scene.scheme = alpha_scheme(0.8, 1e-3);
  SceneLagrangianSystem<2> system;
  system.names = {{"y"}, {"v"}};
  system.mass = {{{"2"}}};
  system.forces = {{"-2*9.81"}};
  system.q = {0}, system.v = {1};
  SceneSystemGap table;
  table.gap = {"y - 0.1*sin(10*t)"};
  table.law = test::law(LawKind::newton);
  system.gaps = {table};
  scene.lagrangian = {system};
  Simulation<2> simulation(scene);
  double drives = 0, gain = 0;
  for (int k = 0; k < 120; ++k) {
    const StepReport report = simulation.step();
    drives += report.energy.drives;
    gain += report.energy.gain;
  }
  EXPECT_EQ(gain, 0);
  // Kinetic energy and height at 0.12 s, from those of the start: first order in h for forces at the ends of steps.
  const double v = std::cos(1.2);
  EXPECT_NEAR(drives, v * v - 1 + 2 * 9.81 * 0.1 * std::sin(1.2), 0.02);
}

}  // namespace
}  // namespace saltus::alpha_test
