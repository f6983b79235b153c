// Dry friction of a pin, proportional to the load of the pin at the solution of the step.
#include "saltus/contact/load_limits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/contact/group_solver.hpp"

namespace saltus::load_limits_test {
namespace {

constexpr double kMass = 2, kInertia = 0.3, kArm = 0.5, kGravity = 9.81, kStep = 1e-3;

// A body that hangs on a pin of the world at a distance from its centre, with dry friction in the pin.
struct Pin {
  double angle = 0, spin = 0;  // of the line from the pin to the centre, from the vertical
  double factor = 0.05;        // m: coefficient of friction times radius of the pin
  double offset = 0;
  VelocityProblem<2> problem;
  Coupling<2> coupling;
  GroupSolver<2> solver;
  GroupSolution solution;
  std::string name = "auto";

  void step() {
    const Vec<2> centre(kArm * std::sin(angle), -kArm * std::cos(angle)), arm = -centre;
    SweepBody<2> body;
    const Vec<2> v = spin * Vec<2>(-centre.y(), centre.x());
    body.v[0] = v.x(), body.v[1] = v.y() - kStep * kGravity, body.w[0] = spin;
    body.inverse_mass[0] = body.inverse_mass[1] = 1 / kMass;
    body.inverse_inertia[0] = 1 / kInertia;
    problem.bodies.assign(1, body);
    const Eigen::VectorXd pull = coupling.blocks.empty() ? Eigen::VectorXd::Zero(2) : coupling.blocks[0].r,
                          turn = coupling.blocks.empty() ? Eigen::VectorXd::Zero(1) : coupling.blocks[1].r;
    coupling.clear_blocks();
    TiedBlock& pin = coupling.add_block();
    pin.set = {SetKind::space, 2, 0};
    pin.ends[0].slot = 0;
    pin.ends[0].jacobian = Eigen::MatrixXd::Zero(3, 2);
    pin.ends[0].jacobian << 1, 0, 0, 1, -arm.y(), arm.x();
    pin.shift = pin.compliance = Eigen::VectorXd::Zero(2);
    pin.turns.assign(2, 0);
    pin.r = pull;
    TiedBlock& friction = coupling.add_block();
    friction.set = {SetKind::ball, 1, 0};
    friction.ends[0].slot = 0;
    friction.ends[0].jacobian = Eigen::MatrixXd::Zero(3, 1);
    friction.ends[0].jacobian(2, 0) = 1;
    friction.shift = friction.compliance = Eigen::VectorXd::Zero(1);
    friction.turns.assign(1, 1);
    friction.r = turn;
    friction.limit_of = 0;
    friction.limit_factor = factor;
    friction.limit_offset = offset;
    coupling.index(1);
    GroupSolverOptions options;
    options.solver = solver_of_name(name);
    options.tolerance = 1e-12;
    const std::vector<BodyVelocity<2>> start(1);
    solution = solver.solve(options, start, problem, &coupling);
    spin = problem.bodies[0].w[0];
    angle += kStep * spin;
  }
};

class EverySolver : public ::testing::TestWithParam<const char*> {};

// One body turned by nothing but the friction of its pin, free of gravity but for its spin: the pin pulls it round with
// m a w^2, so the moment is f m a w^2 whatever the step: compared with the bound itself at the solution.
TEST_P(EverySolver, the_moment_of_a_pin_that_slides_is_that_of_its_load) {
  Pin pin;
  pin.name = GetParam();
  pin.spin = 10;
  for (int i = 0; i < 20; ++i) {
    pin.step();
    ASSERT_TRUE(pin.solution.converged) << pin.solution.reason;
    const TiedBlock &load = pin.coupling.blocks[0], &friction = pin.coupling.blocks[1];
    // It turns at 10 rad/s: the bound is reached, and opposes the spin. The tolerance of the solver, 1e-12 m/s, as an
    // impulse: times the mass, and the radius of gyration for the moment.
    const double radius = pin.factor * load.r.norm();
    EXPECT_NEAR(friction.r[0], -radius, 2 * 1e-12 * kMass);
    EXPECT_GT(radius, 1e-4);
    EXPECT_LE(pin.solution.residual.rms, 1e-12);
  }
}

// Impulses of one step in closed form, at the bottom: the pin takes the weight and the centripetal part
// (N = m (g + a w^2) h plus terms of h^2 in the direction of motion), the moment is f N.
TEST_P(EverySolver, a_step_at_the_bottom_has_the_closed_form) {
  Pin pin;
  pin.name = GetParam();
  pin.spin = 2;
  pin.step();
  // The pin is at rest: u = v - arm spin = 0 with v horizontal. Vertical: the pull is m g h exactly. Horizontal impulse X
  // and moment T = -f sqrt(X^2 + (m g h)^2) give m dv = X, J dw = a X + T (arm of the pin: a up), dv = a dw:
  // (J + m a^2) dw = T, solved by iterating on X.
  const double weight = kMass * kGravity * kStep;
  double x = 0, turn = 0;
  for (int i = 0; i < 100; ++i) {
    turn = -pin.factor * std::hypot(x, weight);
    x = kMass * kArm * turn / (kInertia + kMass * kArm * kArm);
  }
  EXPECT_NEAR(pin.coupling.blocks[1].r[0], turn, 1e-11);
  EXPECT_NEAR(pin.spin - 2, turn / (kInertia + kMass * kArm * kArm), 1e-11);
}

TEST_P(EverySolver, a_pendulum_within_the_friction_of_its_pin_rests) {
  Pin pin;
  pin.name = GetParam();
  // m g a sin(angle) = 0.9 f m g: the load of a body at rest is its weight.
  pin.angle = std::asin(0.9 * pin.factor / kArm);
  const double start = pin.angle;
  for (int i = 0; i < 200; ++i) pin.step();
  EXPECT_TRUE(pin.solution.converged) << pin.solution.reason;
  EXPECT_NEAR(pin.angle, start, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(LoadLimits, EverySolver, ::testing::Values("auto", "nlgs", "newton", "ipm"),
                         [](const auto& test) { return std::string(test.param); });

// Small swings with dry friction of a constant moment f m g lose 4 f / a of angle per period (2 f / a per half one).
TEST(LoadLimits, a_pendulum_loses_the_same_angle_with_every_swing) {
  Pin pin;
  pin.factor = 0.002;
  pin.angle = 0.12;
  std::vector<double> turns;
  double before = 0;
  for (int i = 0; i < 6000; ++i) {
    before = pin.spin;
    pin.step();
    ASSERT_TRUE(pin.solution.converged) << pin.solution.reason;
    if (before * pin.spin < 0) turns.push_back(std::abs(pin.angle));
  }
  ASSERT_GE(turns.size(), 6u);
  for (std::size_t i = 1; i < 6; ++i)
    // The load is the weight up to theta^2 = 1.4 % (and the centripetal part of the same order); one step more or
    // less at the turn is h^2 g / a of angle, 2e-5. Symplectic steps lose nothing of themselves.
    EXPECT_NEAR(turns[i - 1] - turns[i], 2 * pin.factor / kArm, 2.5e-4) << i;
}

TEST(LoadLimits, a_bound_larger_than_the_load_needs_holds_the_pin) {
  Pin pin;
  pin.spin = 1e-3;
  pin.angle = std::numbers::pi / 2;
  // The friction of such a pin would be as large as any moment on it needs: the radius settles above it, at rest.
  pin.factor = 10;
  pin.step();
  EXPECT_TRUE(pin.solution.converged) << pin.solution.reason;
  EXPECT_NEAR(pin.spin, 0, 1e-10);
}

}  // namespace
}  // namespace saltus::load_limits_test
