// Friction functions, regularised friction and Hertz's force against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/solid_scenes.hpp"

namespace saltus::nonlinear_laws_test {
namespace {

using test::kGravity;

constexpr double kMass = 3;

// A disk of 3 kg that does not turn on a ground tilted by an angle, moving down it at v.
Scene<2> slider(const PairLaw& law, double v, double angle = 0, double h = 1e-3) {
  Scene<2> scene = test::scene<2>(law, h);
  SceneBody<2> disk =
      test::body<2>(Disk{0.1}, Vec<2>::Zero(), Vec<2>(v * std::cos(angle), -v * std::sin(angle)));
  disk.pose = test::tilted<2>(angle, 0.1);
  disk.mass = kMass;
  disk.drive[2].kind = Drive::Kind::locked;
  scene.bodies = {test::ground<2>(angle), disk};
  return scene;
}

PairLaw with_function(const std::string& formula, double friction = 0) {
  PairLaw law = test::law(LawKind::quasi_inelastic, friction);
  law.function = std::make_shared<FrictionFunction>(formula, "test");
  return law;
}

// The u of m (u - before) = -h f(u), by bisection.
template <class Force>
double end_of_step(double before, double h, const Force& force) {
  double low = 0, high = before;
  for (int i = 0; i < 200; ++i) {
    const double u = 0.5 * (low + high);
    (kMass * (u - before) + h * force(u) > 0 ? high : low) = u;
  }
  return low;
}

TEST(NonlinearLaws, a_function_of_the_speed_holds_at_the_end_of_every_step) {
  const std::vector<std::pair<std::string, double (*)(double)>> cases = {
      {"400*t^2", [](double v) { return 400 * v * v; }},
      {"3e5*t^5", [](double v) { return 3e5 * std::pow(v, 5); }},  // turns the other way and must be damped
      {"50*sqrt(t)", [](double v) { return 50 * std::sqrt(v); }},
      {"20*tanh(100*t)", [](double v) { return 20 * std::tanh(100 * v); }}};
  for (const auto& [formula, force] : cases) {
    Simulation<2> simulation(slider(with_function(formula), 2, 0, 5e-3));
    double u = 2;
    for (int step = 0; step < 40; ++step) {
      const StepReport report = simulation.step();
      EXPECT_EQ(report.status, StepStatus::converged) << formula << ": " << report.reason;
      u = end_of_step(u, 5e-3, force);
      if (u < 1e-9) break;  // the secant of one nanometre per second from here on
      // Each step errs by the tolerance of 1e-13 m/s, over 40 of them and the slope of the force.
      EXPECT_NEAR(simulation.bodies().velocity[1].x(), u, 1e-11) << formula;
    }
  }
}

TEST(NonlinearLaws, in_space_the_force_is_along_the_slip) {
  PairLaw law = with_function("30*t^2");
  Scene<3> scene = test::scene<3>(law, 1e-3);
  SceneBody<3> ball = test::body<3>(Sphere{0.1}, {0, 0, 0.1}, {1.2, -1.6, 0});
  ball.mass = kMass;
  for (int i = 3; i < 6; ++i) ball.drive[i].kind = Drive::Kind::locked;
  scene.bodies = {test::ground<3>(), ball};
  Simulation<3> simulation(scene);
  double u = 2;
  for (int step = 0; step < 20; ++step) {
    simulation.step();
    u = end_of_step(u, 1e-3, [](double v) { return 30 * v * v; });
  }
  EXPECT_NEAR(simulation.bodies().velocity[1].x(), 0.6 * u, 1e-11);
  EXPECT_NEAR(simulation.bodies().velocity[1].y(), -0.8 * u, 1e-11);
}

TEST(NonlinearLaws, on_a_slope_friction_and_function_together_carry_the_weight) {
  const double angle = 0.5, mu = 0.3;
  Simulation<2> simulation(slider(with_function("8*t^2", mu), 0, angle, 1e-2));
  test::run(simulation, 1500);
  // m g sin = mu m g cos + 8 v^2; it is reached like exp(-16 v t/m), t = 15 s.
  const double v = std::sqrt(kMass * kGravity * (std::sin(angle) - mu * std::cos(angle)) / 8);
  EXPECT_NEAR(simulation.bodies().velocity[1].norm(), v, 1e-9);
}

TEST(NonlinearLaws, a_straight_table_is_a_viscosity) {
  PairLaw straight = test::law(LawKind::quasi_inelastic, 0.1), viscous = straight;
  straight.function =
      std::make_shared<FrictionFunction>(std::vector<double>{0, 100}, std::vector<double>{0, 700}, "test");
  viscous.viscosity = 7;
  Simulation<2> a(slider(straight, 3)), b(slider(viscous, 3));
  test::run(a, 100), test::run(b, 100);
  EXPECT_NEAR(a.bodies().velocity[1].x(), b.bodies().velocity[1].x(), 1e-12);
}

TEST(NonlinearLaws, regularised_friction_creeps_below_the_cone_and_slides_beyond_it) {
  PairLaw law = test::law(LawKind::quasi_inelastic, 0.5);
  law.regularisation = 2000;
  // tan(0.3) = 0.309 < 0.5: it creeps at m g sin/c, reached like exp(-c t/m) within milliseconds.
  Simulation<2> creeping(slider(law, 0, 0.3));
  test::run(creeping, 200);
  EXPECT_NEAR(creeping.bodies().velocity[1].norm(), kMass * kGravity * std::sin(0.3) / 2000, 1e-12);
  // tan(0.7) = 0.842: from 1 m/s on it gains g (sin - mu cos) h in each step, exactly.
  Simulation<2> sliding(slider(law, 1, 0.7));
  test::run(sliding, 100);
  EXPECT_NEAR(sliding.bodies().velocity[1].norm(), 1 + 0.1 * kGravity * (std::sin(0.7) - 0.5 * std::cos(0.7)),
              1e-11);
}

PairLaw hertz(double stiffness) {
  PairLaw law = test::law(LawKind::hertz);
  law.stiffness_normal = stiffness;
  return law;
}

TEST(NonlinearLaws, hertz_force_is_that_of_the_depth_at_the_middle_of_the_step) {
  const double k = 1e6, h = 2e-4;
  Scene<2> scene = slider(hertz(k), 0, 0, h);
  scene.bodies[1].pose.position.y() = 0.1 + 1e-5;
  scene.bodies[1].velocity.y() = -1;
  Simulation<2> simulation(scene);
  for (int step = 0; step < 60; ++step) {
    const double y0 = simulation.bodies().pose[1].position.y(), v0 = simulation.bodies().velocity[1].y();
    EXPECT_EQ(simulation.step().status, StepStatus::converged);
    const double y1 = simulation.bodies().pose[1].position.y(), v1 = simulation.bodies().velocity[1].y();
    // In the step that closes the gap, at its end.
    const double depth = std::max(0.0, 0.1 - (y0 > 0.1 ? y1 : 0.5 * (y0 + y1)));
    // Held to the tolerance of 1e-13 m/s times the mass; positions have 1e-17 m of round-off, times k' h.
    EXPECT_NEAR(kMass * (v1 - v0), h * (k * std::pow(depth, 1.5) - kMass * kGravity), 1e-11) << step;
  }
}

// Largest depth, duration and rebound of a shock without gravity.
struct Shock {
  double depth, duration, rebound;
};
Shock strike(double k, double v, double h) {
  Scene<2> scene = slider(hertz(k), 0, 0, h);
  scene.gravity.setZero();
  scene.bodies[1].velocity.y() = -v;
  Simulation<2> simulation(scene);
  Shock shock{0, 0, 0};
  double last = 0;
  for (int step = 1; step < 100000; ++step) {
    simulation.step();
    const double depth = 0.1 - simulation.bodies().pose[1].position.y();
    shock.depth = std::max(shock.depth, depth);
    shock.rebound = simulation.bodies().velocity[1].y();
    if (depth < 0) {
      shock.duration = h * (step - 1 + last / (last - depth));
      return shock;
    }
    last = depth;
  }
  return shock;
}

TEST(NonlinearLaws, a_hertz_shock_has_the_depth_and_duration_of_its_closed_form_to_second_order) {
  const double k = 1e8, v = 1;
  // m v^2/2 = (2/5) k d^(5/2); the duration is 2 d/v times the integral of (1 - x^(5/2))^(-1/2) from 0 to 1,
  // sqrt(pi) Gamma(7/5)/Gamma(9/10) = 1.47164 (Hertz 1882; Landau and Lifshitz, section 9).
  const double depth = std::pow(1.25 * kMass * v * v / k, 0.4);
  const double duration = 2 * depth / v * std::sqrt(M_PI) * std::tgamma(1.4) / std::tgamma(0.9);
  const Shock coarse = strike(k, v, duration / 50), fine = strike(k, v, duration / 200);
  const auto error = [&](const Shock& s) { return std::abs(s.duration / duration - 1); };
  EXPECT_LT(error(coarse), 5e-3);
  EXPECT_LT(error(fine), error(coarse) / 8);  // 16 at second order
  EXPECT_NEAR(fine.depth, depth, 1e-3 * depth);
  EXPECT_NEAR(fine.rebound, v, 1e-3 * v);
}

TEST(NonlinearLaws, a_ball_rests_on_hertz_force_at_the_depth_of_its_weight) {
  Scene<2> scene = slider(hertz(1e6), 0);
  const double depth = std::pow(kMass * kGravity / 1e6, 2.0 / 3);
  scene.bodies[1].pose.position.y() = 0.1 - depth;
  Simulation<2> simulation(scene);
  test::run(simulation, 50);
  EXPECT_NEAR(simulation.bodies().velocity[1].y(), 0, 1e-10);
}

TEST(NonlinearLaws, impossible_functions_and_combinations_are_errors) {
  EXPECT_THROW(FrictionFunction("1 + t", "x"), InputError);       // resists at rest
  EXPECT_THROW(FrictionFunction("t*(1 - t)", "x"), InputError);   // negative beyond 1 m/s
  EXPECT_THROW(FrictionFunction("t*log(t)^2", "x"), InputError);  // not a number at 0
  EXPECT_THROW(FrictionFunction("t +", "x"), InputError);
  EXPECT_THROW(FrictionFunction({0, 1}, {0, -1}, "x"), InputError);
  EXPECT_THROW(FrictionFunction({0, 1, 1}, {0, 1, 2}, "x"), InputError);
  EXPECT_THROW(FrictionFunction({0.5, 1}, {0, 2}, "x"), InputError);
  EXPECT_TRUE(FrictionFunction("t^3", "x").is_monotone());
  EXPECT_FALSE(FrictionFunction("t*exp(-t)", "x").is_monotone());
  PairLaw law = with_function("t");
  law.kind = LawKind::moreau;
  EXPECT_THROW(check_law(law, 0.5, "x"), InputError);
  law = hertz(1e6);
  law.cohesion = 1;
  EXPECT_THROW(check_law(law, 0.5, "x"), InputError);
  law = hertz(1e6);
  law.regularisation = 1, law.stiffness_tangent = 1;
  EXPECT_THROW(check_law(law, 0.5, "x"), InputError);
}

// A block of a mesh that is stiff against the nine points it stands on: each bears a ninth of 785 N at the depth (F/k)^(2/3).
TEST(NonlinearLaws, a_mesh_under_hertz_comes_to_rest_at_the_depth_of_its_weight) {
  for (const std::string kind : {"linear-elastic", "neo-hookean"}) {
    PairLaw law = test::law(LawKind::hertz, 0.3);
    law.stiffness_normal = 1e6;
    Scene<2> scene = test::scene<2>(law, 2e-3);
    scene.solver.tolerance_velocity = 0;
    scene.solver.tolerance = 1e-3;
    scene.scheme.theta = 1;
    SceneDeformable<2> block =
        test::soft_body<2>(test::rectangle_mesh(ElementKind::q4, {0.4, 0.2}, 8, 4), {0, 0.1}, kind, 1e9, 0.3);
    if (kind == "neo-hookean") block.kinematics = Kinematics::finite;
    scene.deformable = {block};
    scene.bodies = {test::ground<2>()};
    Simulation<2> simulation(scene);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(simulation.step().status, StepStatus::converged) << kind << i;
    const double force = 0.08 * 1000 * kGravity / 9, depth = std::pow(force / law.stiffness_normal, 2.0 / 3);
    int bearing = 0;
    for (const ContactState<2>& c : simulation.contacts()) {
      if (!(c.impulse[0] > 0)) continue;
      ++bearing;
      // Corner nodes carry half a column: the block bends by 5 w L^4/(384 E I) = 8e-8 m and shears as much, 1e-4 of the depth; three
      // times that in force, and as much for what is left of the motion after two seconds of a scheme that damps.
      EXPECT_NEAR(c.impulse[0] / scene.scheme.h, force, 1e-3 * force) << kind;
      EXPECT_NEAR(-c.gap, depth, 1e-3 * depth) << kind;
    }
    EXPECT_EQ(bearing, 9);
  }
}

}  // namespace
}  // namespace saltus::nonlinear_laws_test
