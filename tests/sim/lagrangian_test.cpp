// Lagrangian systems in the step: gaps with friction, constraints that move, points that touch bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "saltus/systems/coordinate_function.hpp"
#include "saltus/systems/lagrangian_model.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::lagrangian_test {
namespace {

template <int Dim>
SceneLagrangianSystem<Dim> system_of(SystemNames names, std::vector<std::vector<std::string>> mass,
                                     std::vector<std::string> force, std::vector<double> q,
                                     std::vector<double> v) {
  SceneLagrangianSystem<Dim> system;
  system.names = std::move(names);
  for (const auto& row : mass) {
    system.mass.emplace_back();
    for (const std::string& text : row) system.mass.back().push_back({text});
  }
  for (const std::string& text : force) system.forces.push_back({text});
  system.q = std::move(q);
  system.v = std::move(v);
  return system;
}

SceneSystemGap gap_of(const std::string& formula, const PairLaw& law,
                      const std::vector<std::string>& tangents = {}) {
  SceneSystemGap gap;
  gap.gap = {formula};
  for (const std::string& tangent : tangents) gap.tangents.push_back({tangent});
  gap.law = law;
  return gap;
}

// A point of 1 kg on a rod of 1 m, in the plane as x, y with a constraint.
SceneLagrangianSystem<2> constrained_pendulum(double angle) {
  SceneLagrangianSystem<2> system = system_of<2>({{"x", "y"}, {"u", "v"}}, {{"1", "0"}, {"0", "1"}},
                                                 {"0", "-9.81"}, {std::sin(angle), -std::cos(angle)}, {0, 0});
  SceneConstraint rod;
  rod.formula = {"sqrt(x^2 + y^2) - 1"};
  system.constraints = {rod};
  return system;
}

Scene<2> empty_scene(double h) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), h);
  return scene;
}

// Angle of a pendulum after a time, by RK4 in small steps.
double pendulum_angle(double angle, double until) {
  double a = angle, w = 0;
  const int steps = 100000;
  const double d = until / steps;
  const auto f = [](double x) { return -9.81 * std::sin(x); };
  for (int i = 0; i < steps; ++i) {
    const double k1 = f(a), w2 = w + d / 2 * k1, k2 = f(a + d / 2 * w), w3 = w + d / 2 * k2,
                 k3 = f(a + d / 2 * w2), w4 = w + d * k3, k4 = f(a + d * w3);
    a += d / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += d / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return a;
}

TEST(Lagrangian, a_constraint_keeps_the_order_of_the_scheme) {
  const double exact = pendulum_angle(1.0, 2);
  const auto error = [&](double h, double& off) {
    Scene<2> scene = empty_scene(h);
    scene.lagrangian = {constrained_pendulum(1.0)};
    Simulation<2> simulation(scene);
    off = 0;
    for (int k = 0; k < std::lround(2 / h); ++k) {
      const StepReport report = simulation.step();
      EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
      EXPECT_LT(report.energy.relative_defect(), 1e-12);
      off = std::max(off, std::abs(simulation.gaps()[0].gap));
    }
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    return std::abs(std::atan2(q[0], -q[1]) - exact);
  };
  double off_coarse = 0, off_fine = 0;
  const double coarse = error(0.01, off_coarse), fine = error(0.005, off_fine);
  // Order two: a ratio of 4, less the next order.
  EXPECT_GT(coarse / fine, 3.6);
  EXPECT_LT(coarse, 2e-3);
  // What the rod is off is taken back within ten steps: of order h^3.
  EXPECT_LT(off_coarse, 1e-4);
  EXPECT_GT(off_coarse / off_fine, 6);
}

TEST(Lagrangian, a_constraint_that_was_violated_at_the_start_is_met_in_its_time) {
  Scene<2> scene = empty_scene(1e-3);
  scene.lagrangian = {constrained_pendulum(0)};
  scene.lagrangian[0].q = {0, -1.01};
  scene.lagrangian[0].constraints[0].stabilisation_time = 0.05;
  scene.lagrangian[0].constraints[0].may_be_off = true;
  Simulation<2> simulation(scene);
  test::run(simulation, 50);
  // A step ends with u = -c/T and goes half of the way with the u of the step before: c' = c - h/2T (c + c_before), from rest.
  // After T that is exp(-1) to first order in h/T.
  double off = 0.01, before = 0;
  for (int k = 0; k < 50; ++k) before = std::exchange(off, off - 0.01 * (off + before));
  EXPECT_NEAR(off, 0.01 * std::exp(-1), 0.02 * 0.01);
  EXPECT_NEAR(simulation.gaps()[0].gap, off, 1e-9);  // linear along the rod, but for round-off
  scene.lagrangian[0].constraints[0].stabilisation_time = 0;
  Simulation<2> left(scene);
  test::run(left, 50);
  EXPECT_NEAR(left.gaps()[0].gap, 0.01, 1e-6);
}

// A bead on a wire that turns with w: r = r0 cosh(w t), and the wire does the work that its kinetic energy grows by.
TEST(Lagrangian, a_bead_on_a_turning_wire_goes_out_as_cosh) {
  const auto error = [&](double h) {
    Scene<2> scene = empty_scene(h);
    SceneLagrangianSystem<2> bead = system_of<2>(
        {{"x", "y"}, {"u", "v"}, {{"w", 2.0}}}, {{"0.5", "0"}, {"0", "0.5"}}, {"0", "0"}, {0.1, 0}, {0, 0.2});
    SceneConstraint wire;
    wire.formula = {"x*sin(w*t) - y*cos(w*t)"};
    bead.constraints = {wire};
    scene.lagrangian = {bead};
    Simulation<2> simulation(scene);
    double work = 0;
    for (int k = 0; k < std::lround(1 / h); ++k) {
      const StepReport report = simulation.step();
      EXPECT_LT(report.energy.relative_defect(), 1e-12);
      work += report.energy.drives + report.energy.joints;
    }
    const Eigen::VectorXd &q = simulation.system_coordinates(0), &v = simulation.system_velocity(0);
    EXPECT_NEAR(work, 0.25 * v.squaredNorm() - 0.25 * 0.04, 1e-12);
    const double r = 0.1 * std::cosh(2.0);
    return std::hypot(q[0] - r * std::cos(2.0), q[1] - r * std::sin(2.0));
  };
  const double coarse = error(0.01), fine = error(0.005);
  EXPECT_LT(coarse, 2e-4);
  EXPECT_GT(coarse / fine, 3.6);
}

// A mass on a belt of 0.5 m/s, held by a spring: it sticks, moving with the belt, until the spring pulls with mu m g;
// then it slides and swings about mu m g/k. With one coefficient of friction it comes back to the speed of the belt at
// the top of its first swing only if it sticks at the start: from rest at x = 0 it sticks at once until x = mu m g/k.
TEST(Lagrangian, a_mass_on_a_belt_sticks_and_then_slides) {
  const double m = 2, k = 200, mu = 0.3, belt = 0.5, h = 1e-4;
  Scene<2> scene = empty_scene(h);
  SceneLagrangianSystem<2> block = system_of<2>({{"x", "y"}, {"u", "v"}}, {{"2", "0"}, {"0", "2"}},
                                                {"-200*x", "-2*9.81"}, {0, 0}, {belt, 0});
  block.gaps = {gap_of("y", test::law(LawKind::quasi_inelastic, mu), {"x - 0.5*t"})};
  scene.lagrangian = {block};
  Simulation<2> simulation(scene);
  const double stick_until = mu * m * test::kGravity / (k * belt), w = std::sqrt(k / m);
  double friction = 0;
  for (int step = 1; step <= 8000; ++step) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged);
    ASSERT_LT(report.energy.relative_defect(), 1e-11);
    friction += report.energy.friction;
    const double t = step * h, x = simulation.system_coordinates(0)[0], late = t - stick_until;
    // Slides about x0 = mu m g/k with the speed of the belt: never faster, so friction never turns, and the swing goes
    // back to the speed of the belt after a whole period.
    const double period = 2 * std::numbers::pi / w;
    if (late < 0) {
      ASSERT_NEAR(x, belt * t, 1e-12);
    } else if (late < period - 2 * h) {
      // First order at the change: the slide starts within a step, with a force that is off by k belt h at most.
      ASSERT_NEAR(x, mu * m * test::kGravity / k + belt / w * std::sin(w * late), 2 * belt * h) << t;
    }
    if (late > 0.1 * period && late < 0.9 * period) {
      ASSERT_EQ(simulation.gaps()[0].status, ContactStatus::slide);
      ASSERT_NEAR(simulation.gaps()[0].impulse[1], mu * m * test::kGravity * h, 1e-12);
    }
  }
  EXPECT_LT(friction, 0);
}

TEST(Lagrangian, friction_in_space_opposes_the_slip) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::newton), 1e-3);
  SceneLagrangianSystem<3> block =
      system_of<3>({{"x", "y", "z"}, {"u", "v", "w"}}, {{"1", "0", "0"}, {"0", "1", "0"}, {"0", "0", "1"}},
                   {"0", "0", "-9.81"}, {0, 0, 0}, {3, 4, 0});
  block.gaps = {gap_of("z", test::law(LawKind::newton, 0.5), {"x", "y"})};
  scene.lagrangian = {block};
  Simulation<3> simulation(scene);
  test::run(simulation, 500);
  // |v| falls by mu g t; the direction stays.
  const Eigen::VectorXd& v = simulation.system_velocity(0);
  const double speed = 5 - 0.5 * test::kGravity * 0.5;
  EXPECT_NEAR(v[0], 0.6 * speed, 1e-10);
  EXPECT_NEAR(v[1], 0.8 * speed, 1e-10);
  test::run(simulation, 1000);
  // Stops after v^2/(2 mu g); the last step may be any part of one.
  EXPECT_LT(simulation.system_velocity(0).norm(), 1e-12);
  EXPECT_NEAR(simulation.system_coordinates(0).head<2>().norm(), 25 / (2 * 0.5 * test::kGravity), 0.5 * 5e-3);
}

// A disk on a system of one coordinate that runs into a ball: two bodies of 2 and 1 kg, Newton's law.
TEST(Lagrangian, a_point_of_a_system_exchanges_momentum_with_a_ball) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
  scene.gravity.setZero();
  scene.default_law->restitution = 0.5;
  SceneLagrangianSystem<2> cart = system_of<2>({{"s"}, {"ds"}}, {{"2"}}, {"0"}, {0}, {1});
  SceneSystemPoint<2> point;
  point.name = "bumper";
  point.shape = Ball<2>{0.1};
  point.position = {SceneFormula{"0.6*s"}, SceneFormula{"0.8*s"}};
  cart.points = {point};
  scene.lagrangian = {cart};
  SceneBody<2> ball = test::body<2>(Ball<2>{0.1}, Vec<2>(0.6, 0.8));
  ball.mass = 1.0;
  scene.bodies = {ball};
  Simulation<2> simulation(scene);
  double impact = 0;
  for (int k = 0; k < 1500; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged);
    ASSERT_LT(report.energy.relative_defect(), 1e-12);
    impact += report.energy.impact;
  }
  // s moves 1 m per unit along (0.6, 0.8): an ordinary impact of 2 kg on 1 kg.
  const double v1 = (2 - 0.5) / 3.0, v2 = 2 * (1 + 0.5) / 3.0;
  EXPECT_NEAR(simulation.system_velocity(0)[0], v1, 1e-12);
  EXPECT_NEAR(simulation.bodies().velocity[0].norm(), v2, 1e-12);
  EXPECT_NEAR(2 * simulation.system_velocity(0)[0] + simulation.bodies().velocity[0].norm(), 2, 1e-12);
  EXPECT_NEAR(impact, 0.5 * (2 * v1 * v1 + v2 * v2) - 1, 1e-12);
}

// A pendulum whose bob is a box that turns with it hits a wall: the point of contact moves with the rod.
TEST(Lagrangian, a_turning_shape_touches_where_its_corner_is) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-4);
  scene.gravity.setZero();
  scene.default_law->restitution = 1;
  SceneLagrangianSystem<2> rod = system_of<2>({{"a"}, {"da"}}, {{"0.7"}}, {"0"}, {0}, {1});
  SceneSystemPoint<2> box;
  box.shape = ConvexPolygon{{Vec<2>(-0.1, -0.1), Vec<2>(0.1, -0.1), Vec<2>(0.1, 0.1), Vec<2>(-0.1, 0.1)}};
  box.position = {SceneFormula{"sin(a)"}, SceneFormula{"-cos(a)"}};
  box.turn = {SceneFormula{"a"}};
  rod.points = {box};
  scene.lagrangian = {rod};
  SceneBody<2> wall = test::ground<2>();
  wall.shape = HalfSpace<2>{Vec<2>(-1, 0), -0.6};  // x <= 0.6
  scene.bodies = {wall};
  Simulation<2> simulation(scene);
  double turned = 0;
  while (simulation.system_velocity(0)[0] > 0 && simulation.time() < 1) {
    const StepReport report = simulation.step();
    ASSERT_LT(report.energy.relative_defect(), 1e-10);
    turned = simulation.system_coordinates(0)[0];
  }
  // The upper right corner (or the lower one) is at x = sin(a) + 0.1 cos(a) + 0.1 |sin(a)|.
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double a = 0.5 * (low + high);
    (1.1 * std::sin(a) + 0.1 * std::cos(a) < 0.6 ? low : high) = a;
  }
  EXPECT_NEAR(turned, low, 2e-4);  // within two steps
  EXPECT_NEAR(simulation.system_velocity(0)[0], -1, 1e-4);
}

// A sphere on the end of a spherical pendulum, turned by a rotation vector, hit by a ball in space.
TEST(Lagrangian, a_point_in_space_exchanges_moment_of_momentum) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::newton), 1e-3);
  scene.gravity.setZero();
  scene.default_law->restitution = 1;
  SceneLagrangianSystem<3> arm = system_of<3>({{"b"}, {"db"}}, {{"3"}}, {"0"}, {0}, {0});
  SceneSystemPoint<3> point;
  point.shape = Ball<3>{0.1};
  point.position = {SceneFormula{"cos(b)"}, SceneFormula{"sin(b)"}, SceneFormula{"0"}};
  point.turn = {SceneFormula{"0"}, SceneFormula{"0"}, SceneFormula{"b"}};
  arm.points = {point};
  scene.lagrangian = {arm};
  SceneBody<3> ball = test::body<3>(Ball<3>{0.1}, Vec<3>(1, -0.5, 0), Vec<3>(0, 2, 0));
  ball.mass = 1.0;
  scene.bodies = {ball};
  Simulation<3> simulation(scene);
  for (int k = 0; k < 300; ++k) ASSERT_LT(simulation.step().energy.relative_defect(), 1e-12);
  // Inertia 3 against 1 kg at 1 m: v' = (1 - 3)/(1 + 3) 2 = -1, b' = 2/4 2 = 1.
  EXPECT_NEAR(simulation.bodies().velocity[0].y(), -1, 1e-9);
  EXPECT_NEAR(simulation.system_velocity(0)[0], 1, 1e-9);
  EXPECT_NEAR(simulation.bodies().spin_world(1).z(), 1, 1e-9);
}

// The double pendulum between walls given as gaps of its lower point: impulses and energies balance to round-off where
// the law keeps energy, and the nonlinear step is solved with its impulses.
TEST(Lagrangian, a_double_pendulum_between_walls_balances_its_energy) {
  for (const LawKind kind : {LawKind::newton, LawKind::moreau, LawKind::quasi_inelastic,
                             LawKind::gap_signorini, LawKind::velocity_signorini, LawKind::fremond}) {
    Scene<2> scene = empty_scene(2e-3);
    SceneLagrangianSystem<2> pendulum =
        system_of<2>({{"a", "b"}, {"da", "db"}}, {{"2", "cos(a - b)"}, {"cos(a - b)", "1"}},
                     {"-2*9.81*sin(a)", "-9.81*sin(b)"}, {1.0, 1.5}, {0, 0});
    PairLaw law = test::law(kind, 0.2);
    law.restitution = kind == LawKind::newton || kind == LawKind::fremond ? 0.7 : 0;
    pendulum.gaps = {gap_of("sin(a) + sin(b) + 0.5", law, {"cos(a) + cos(b)"}),
                     gap_of("1.9 - sin(a) - sin(b)", law, {"cos(a) + cos(b)"})};
    scene.lagrangian = {pendulum};
    Simulation<2> simulation(scene);
    int hits = 0;
    for (int k = 0; k < 3000; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
      ASSERT_LT(report.energy.relative_defect(), 1e-11) << name(kind) << ' ' << k;
      ASSERT_LT(report.momentum, 1e-12);
      // Newton's law with friction may gain energy (Kane), these two never do.
      if (kind == LawKind::moreau || kind == LawKind::fremond) {
        ASSERT_LT(report.energy.impact + report.energy.friction, 1e-11) << name(kind);
      }
      hits += simulation.gap_impulses()[0] > 0;
    }
    EXPECT_GT(hits, 0) << name(kind);
    EXPECT_LT(simulation.summary().penetration.worst(), 0.05) << name(kind);
  }
}

TEST(Lagrangian, a_saved_state_goes_on_to_the_same_bits) {
  Scene<2> scene = empty_scene(1e-3);
  scene.lagrangian = {constrained_pendulum(1.0)};
  scene.lagrangian[0].gaps = {gap_of("x - 0.2", test::law(LawKind::newton, 0.3), {"y"})};
  Simulation<2> simulation(scene);
  test::run(simulation, 400);
  Simulation<2> twin(scene);
  twin.restore(simulation.save());
  EXPECT_EQ(simulation.state_hash(), twin.state_hash());
  test::run(simulation, 300), test::run(twin, 300);
  EXPECT_EQ(simulation.state_hash(), twin.state_hash());
}

TEST(Lagrangian, functions_of_a_program_make_gaps_too) {
  Scene<2> scene = empty_scene(1e-3);
  auto model = std::make_shared<CallbackModel>();
  model->coordinates = 1;
  model->mass = [](const Eigen::VectorXd&, Eigen::MatrixXd& M) { M(0, 0) = 2; };
  model->force = [](double, const Eigen::VectorXd&, const Eigen::VectorXd&, Eigen::VectorXd& F) {
    F[0] = -2 * 9.81;
  };
  SceneLagrangianSystem<2> ball;
  ball.model = model;
  ball.q = {1}, ball.v = {0};
  SceneSystemGap floor;
  floor.gap.function = std::make_shared<CallbackFunction>(
      std::vector<int>{0},
      [](const Eigen::VectorXd& q, double, Eigen::Ref<Eigen::VectorXd> gradient, double& rate) {
        gradient[0] = 1;
        rate = 0;
        return q[0];
      });
  floor.law = test::law(LawKind::newton);
  ball.gaps = {floor};
  scene.lagrangian = {ball};
  Simulation<2> simulation(scene);
  test::run(simulation, 1000);
  // Falls in 0.4515 s, then rests; it may be below the floor by what it falls in the step of the impact.
  EXPECT_NEAR(simulation.system_coordinates(0)[0], 0, 4.43e-3);
  EXPECT_NEAR(simulation.system_velocity(0)[0], 0, 1e-12);
  EXPECT_NEAR(simulation.gap_impulses()[0], 2 * 9.81e-3, 1e-12);
}

TEST(Lagrangian, a_gap_that_is_not_finite_ends_the_run_with_its_name) {
  Scene<2> scene = empty_scene(1e-2);
  SceneLagrangianSystem<2> mass = system_of<2>({{"x"}, {"v"}}, {{"1"}}, {"0"}, {1}, {-1});
  mass.gaps = {gap_of("sqrt(x) + 1", test::law(LawKind::newton))};
  mass.gaps[0].name = "roof";
  scene.lagrangian = {mass};
  Simulation<2> simulation(scene);
  StepReport report;
  for (int k = 0; k < 200 && report.status != StepStatus::not_finite; ++k) report = simulation.step();
  EXPECT_EQ(report.status, StepStatus::not_finite);
  EXPECT_NE(report.reason.find("gap \"roof\" \"sqrt(x) + 1\""), std::string::npos) << report.reason;
  EXPECT_TRUE(simulation.finished());
}

TEST(Lagrangian, the_forecast_is_by_the_fraction_that_is_given) {
  for (const auto& [gamma, acts] : {std::pair(0.0, false), {0.4, false}, {0.6, true}, {1.0, true}}) {
    Scene<2> scene = empty_scene(1e-2);
    scene.gravity.setZero();
    scene.scheme.activation = Activation::gamma;
    scene.scheme.activation_gamma = gamma;
    scene.scheme.jacobian_at = JacobianAt::start;
    SceneLagrangianSystem<2> mass = system_of<2>({{"x"}, {"v"}}, {{"1"}}, {"0"}, {0.005}, {-1});
    mass.gaps = {gap_of("x", test::law(LawKind::newton))};
    scene.lagrangian = {mass};
    SceneBody<2> ball = test::body<2>(Ball<2>{0.5}, Vec<2>(5, 0.505), Vec<2>(0, -1));
    scene.bodies = {test::ground<2>(), ball};
    Simulation<2> simulation(scene);
    simulation.step();
    EXPECT_EQ(simulation.gap_impulses()[0] > 0, acts) << gamma;
    EXPECT_EQ(simulation.bodies().velocity[1].y() > -0.5, acts) << gamma;
  }
}

}  // namespace
}  // namespace saltus::lagrangian_test
