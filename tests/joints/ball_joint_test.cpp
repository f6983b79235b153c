// What acts along the swing, the rotation and the twist of a spherical joint, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "joints/joint_scenes.hpp"
#include "saltus/base/input_error.hpp"

namespace saltus::ball_joint_test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kInertia = 0.1;

// A ball of inertia 0.1 held at its centre, its axis z: nothing turns it but the joint.
Scene<3> ball(double h, const Vec<3>& spin = Vec<3>::Zero()) {
  Scene<3> scene = test::bare_scene_3d(h, false);
  scene.solver.tolerance_velocity = 1e-11;  // round-off of springs at 10 rad/s is 5e-13
  scene.bodies = {test::unit_body("ball", Vec<3>::Zero())};
  scene.bodies[0].spin = spin;
  scene.joints = {test::joint<3>(JointKind::spherical, "", "ball", Vec<3>::Zero(), Vec<3>(0, 0, 1))};
  scene.joints[0].axis2 = Vec<3>(1, 0, 0);
  return scene;
}
FreeDirection& along(Scene<3>& scene, const char* direction) { return scene.joints[0].direction(direction); }
double swing_of(const Simulation<3>& simulation) { return simulation.joint_place(0).value[0]; }
double twist_of(const Simulation<3>& simulation) { return simulation.joint_place(0).value[2]; }
double energy_of(const StepReport& report) { return report.energy.kinetic + report.energy.elastic_stored; }

// A rod of 1 m with 1 kg and 0.1 kg m2 at its end swings in a plane askew to all axes. From rest at the bottom with w0 it reaches the cone with
// w^2 = w0^2 - 2 m g l (1 - cos)/(m l^2 + I), and leaves it with e w.
TEST(BallJoint, a_spherical_pendulum_comes_back_from_its_cone_with_the_restitution) {
  Scene<3> scene = test::bare_scene_3d(1e-4);
  scene.bodies = {test::unit_body("bob", Vec<3>(0, 0, -1))};
  const Vec<3> way(std::cos(0.4), std::sin(0.4), 0);
  scene.bodies[0].velocity = 2 * way;
  scene.bodies[0].spin = Vec<3>(0, 0, -1).cross(2 * way);
  scene.joints = {test::joint<3>(JointKind::spherical, "", "bob", Vec<3>::Zero(), Vec<3>(0, 0, -1))};
  along(scene, "swing").limits = JointLimits{-1, 0.3, 0.5};
  Simulation<3> simulation(scene);
  const double hit = std::sqrt(4 - 2 * test::kGravity * (1 - std::cos(0.3)) / 1.1);
  double widest = 0, before = 0, after = 0;
  for (int k = 0; k < 3000 && after == 0; ++k) {
    const double rate = simulation.joint_place(0).rate[0];
    ASSERT_EQ(simulation.step().status, StepStatus::converged);
    widest = std::max(widest, swing_of(simulation));
    if (simulation.joint_place(0).rate[0] < 0) before = rate, after = -simulation.joint_place(0).rate[0];
  }
  // One step of gravity, h g/1.1, before and after.
  EXPECT_NEAR(before, hit, 1e-3);
  EXPECT_NEAR(after, 0.5 * hit, 1e-3);
  EXPECT_LT(widest, 0.3 + 1e-4 * hit);
  EXPECT_GT(widest, 0.3 - 1e-4 * hit);
  // In its plane all the time.
  const Vec<3> at = simulation.bodies().pose[0].position;
  EXPECT_NEAR(at.dot(Vec<3>(-way.y(), way.x(), 0)), 0, 1e-6);
}

// Twist is counted about the axis of the second body, wherever that has swung.
TEST(BallJoint, a_twist_is_sent_back_by_both_limits_at_any_swing) {
  for (const double swung : {0.0, 1.2}) {
    const Vec<3> axis(std::sin(swung), 0, std::cos(swung));
    Scene<3> scene = ball(1e-4, 2 * axis);
    scene.joints[0].rotation_start = Vec<3>(0, swung, 0);
    along(scene, "swing").limits = JointLimits{-1, 1.5, 0};
    along(scene, "twist").limits = JointLimits{-0.2, 0.4, 0.6};
    Simulation<3> simulation(scene);
    // Held at its swing: the ball spins about its own axis only.
    double least = 0, most = 0;
    int returns = 0;
    double rate = 2;
    for (int k = 0; k < 9000; ++k) {
      ASSERT_EQ(simulation.step().status, StepStatus::converged);
      const double now = simulation.joint_place(0).rate[2];
      if (now * rate < 0) ++returns;
      rate = now;
      least = std::min(least, twist_of(simulation)), most = std::max(most, twist_of(simulation));
    }
    // 0.4/2 s up, 0.6/1.2 s down, then with 0.72 up: two returns, no more in 0.9 s.
    EXPECT_EQ(returns, 2) << swung;
    EXPECT_NEAR(most, 0.4, 2e-4) << swung;
    EXPECT_NEAR(least, -0.2, 2e-4) << swung;
    if (swung == 0) EXPECT_NEAR(rate, 0.72, 1e-9);
  }
}

TEST(BallJoint, springs_turn_a_ball_with_their_period) {
  struct Case {
    const char* direction;
    Vec<3> axis;
  };
  for (const Case& c : {Case{"swing", Vec<3>(0.6, 0.8, 0)}, Case{"rotation", Vec<3>(0.48, 0.6, 0.64)},
                        Case{"twist", Vec<3>(0, 0, 1)}}) {
    Scene<3> scene = ball(1e-3, 5 * c.axis);
    along(scene, "swing").limits = JointLimits{-1, 2.5, 0};
    along(scene, c.direction).spring = JointSpring{10, 0, 0, 0};
    Simulation<3> simulation(scene);
    const double omega = std::sqrt(10 / kInertia), energy = 0.5 * kInertia * 25;
    const int steps = static_cast<int>(std::lround(5 * 2 * kPi / omega / 1e-3));
    for (int k = 0; k < steps; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged);
      ASSERT_NEAR(energy_of(report), energy, 1e-9 * energy) << c.direction << k;
    }
    const double t = steps * 1e-3;
    // Midpoint rule: phase error (omega h)^2/12 omega t = 2.6e-4 rad, of 0.5 rad and 5 rad/s.
    EXPECT_LT((simulation.bodies().spin_world(0) - 5 * std::cos(omega * t) * c.axis).norm(), 5 * 3e-4)
        << c.direction;
    EXPECT_NEAR(simulation.joint_place(0).rotation.dot(c.axis), 5 / omega * std::sin(omega * t), 0.5 * 3e-4)
        << c.direction;
  }
}

// Turning about its rest on a cone the rotation vector of a ball is no plane motion: a spring whose rate were taken as w would lose
// omega^2 h angle^2/12 of the energy per second, all of it in these 10 s.
TEST(BallJoint, springs_keep_the_energy_of_motion_in_space_over_many_steps) {
  for (const char* direction : {"rotation", "swing"}) {
    Scene<3> scene = ball(1e-3, Vec<3>(0, 8, 3));
    scene.joints[0].rotation_start = Vec<3>(1.1, 0, 0);
    along(scene, direction).spring = JointSpring{10, 0, 0, 0};
    Simulation<3> simulation(scene);
    const double energy = 0.5 * kInertia * 73 + 0.5 * 10 * 1.1 * 1.1;
    double worst = 0, last = 0;
    for (int k = 0; k < 10000; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
      last = energy_of(report) / energy - 1;
      worst = std::max(worst, std::abs(last));
    }
    // Second order, (omega h)^2 = 1e-4, and no drift.
    EXPECT_LT(worst, 5e-4) << direction << " " << last;
  }
}

TEST(BallJoint, a_spring_turns_to_its_rest_orientation_and_stays) {
  Scene<3> scene = ball(1e-3);
  along(scene, "rotation").spring = JointSpring{10, 1, 0, 0};
  along(scene, "rotation").spring->rest_rotation = Vec<3>(0.5, -0.8, 1.2);
  Simulation<3> simulation(scene);
  StepReport report = simulation.step();
  EXPECT_NEAR(energy_of(report), 0.5 * 10 * Vec<3>(0.5, -0.8, 1.2).squaredNorm(), 0.1);
  for (int k = 0; k < 5000; ++k) report = simulation.step();
  EXPECT_LT((simulation.joint_place(0).rotation - Vec<3>(0.5, -0.8, 1.2)).norm(), 1e-6);
  EXPECT_LT(energy_of(report), 1e-9);
}

// Started two degrees from half a turn of swing, and with a spin that takes it across: the moment is k pi at most there and changes its side.
TEST(BallJoint, large_swings_do_not_blow_up) {
  for (const char* direction : {"rotation", "swing"})
    for (const double damping : {0.0, 0.05}) {
      Scene<3> scene = ball(1e-3, Vec<3>(0.5, 0.02, 0.3));
      scene.joints[0].rotation_start = Vec<3>(kPi - 0.035, 0, 0);
      along(scene, direction).spring = JointSpring{2, damping, 0, 0};
      Simulation<3> simulation(scene);
      const double start = 0.5 * kInertia * 0.3404 + 0.5 * 2 * (kPi - 0.035) * (kPi - 0.035);
      double most = 0;
      for (int k = 0; k < 10000; ++k) {
        const StepReport report = simulation.step();
        ASSERT_EQ(report.status, StepStatus::converged) << report.reason << k;
        most = std::max(most, energy_of(report));
      }
      // Where it crosses, the moment k pi may act for one step on the wrong side: k pi w h at w = 15 rad/s, 1 % of the start.
      EXPECT_LT(most, 1.02 * start) << direction << damping;
    }
}

// Friction of 0.5 N m against 5 rad/s of 0.1 kg m2 stops it after 1 s, about whichever axis it turns.
TEST(BallJoint, a_moment_of_friction_stops_a_ball_in_its_time) {
  struct Case {
    const char* direction;
    Vec<3> axis;
  };
  for (const Case& c : {Case{"swing", Vec<3>(0.6, 0.8, 0)}, Case{"rotation", Vec<3>(0.48, 0.6, 0.64)},
                        Case{"twist", Vec<3>(0, 0, 1)}}) {
    Scene<3> scene = ball(1e-3, 0.5 * c.axis);
    if (std::string(c.direction) == "twist") along(scene, "swing").limits = JointLimits{-1, 1, 0};
    along(scene, c.direction).friction = JointFriction{0.05, 0, 1};
    Simulation<3> simulation(scene);
    test::run(simulation, 990);
    EXPECT_NEAR(simulation.bodies().spin_world(0).norm(), 0.005, 1e-9) << c.direction;
    EXPECT_NEAR(simulation.joint_place(0).effort[c.axis.z() == 1   ? 2
                                                 : c.axis.z() == 0 ? 0
                                                                   : 1],
                c.axis.z() == 0.64 ? 0.05e-3 : -0.05e-3, 1e-12)
        << c.direction;
    test::run(simulation, 11);
    EXPECT_LT(simulation.bodies().spin_world(0).norm(), 1e-12) << c.direction;
  }
  // Of a swing friction leaves the spin about the axis of the body alone.
  Scene<3> scene = ball(1e-3, Vec<3>(0, 0, 3));
  along(scene, "swing").friction = JointFriction{0.05, 0, 1};
  Simulation<3> simulation(scene);
  test::run(simulation, 100);
  EXPECT_NEAR(simulation.bodies().spin_world(0).z(), 3, 1e-12);
}

// The pin of 5 cm carries the weight: moment mu R m g.
TEST(BallJoint, friction_follows_the_load_of_the_ball) {
  Scene<3> scene = ball(1e-3, Vec<3>(1.2, 0, 1.6));
  scene.gravity = Vec<3>(0, 0, -test::kGravity);
  along(scene, "rotation").friction = JointFriction{0, 0.3, 0.05};
  Simulation<3> simulation(scene);
  const double stop = 2 * kInertia / (0.3 * 0.05 * test::kGravity);  // 1.359 s
  test::run(simulation, 1000);
  EXPECT_NEAR(simulation.bodies().spin_world(0).norm(), 2 * (1 - 1 / stop), 1e-6);
  test::run(simulation, 361);
  EXPECT_LT(simulation.bodies().spin_world(0).norm(), 1e-12);
}

// From rest with at most 0.2 N m to |w| = 0.7 rad/s in I |w|/0.2 = 0.35 s, about one axis, then as asked.
TEST(BallJoint, a_motor_of_limited_moment_brings_a_ball_to_its_spin) {
  Scene<3> scene = ball(1e-3);
  const Vec<3> asked(0.3, -0.2, 0.6);  // along axis2, axis x axis2, axis: those of the world here
  JointMotor motor{JointMotor::Kind::velocity, {}, TimeFunction::constant(0.2)};
  for (int i = 0; i < 3; ++i) motor.rotation[i] = TimeFunction::constant(asked[i]);
  along(scene, "rotation").motor = motor;
  Simulation<3> simulation(scene);
  double work = 0;
  for (int k = 0; k < 300; ++k) work += simulation.step().energy.drives;
  EXPECT_LT((simulation.bodies().spin_world(0) - 0.3 / 0.35 * asked).norm(), 1e-9);
  EXPECT_NEAR(simulation.joint_place(0).motor[1], 0.2e-3, 1e-12);
  for (int k = 0; k < 100; ++k) work += simulation.step().energy.drives;
  EXPECT_LT((simulation.bodies().spin_world(0) - asked).norm(), 1e-12);
  EXPECT_NEAR(work, 0.5 * kInertia * 0.49, 1e-9);
}

// An arm of m g l = 9.81 N m held level: at 1 % above it holds, at 1 % below it goes down with the moment that lacks.
TEST(BallJoint, a_motor_holds_an_arm_up_to_its_limit) {
  for (const bool position : {false, true})
    for (const double factor : {1.01, 0.99}) {
      Scene<3> scene = test::bare_scene_3d(1e-3);
      scene.bodies = {test::unit_body("arm", Vec<3>(0.6, 0.8, 0))};
      scene.joints = {test::joint<3>(JointKind::spherical, "", "arm", Vec<3>::Zero(), Vec<3>(0.6, 0.8, 0))};
      along(scene, "rotation").motor =
          JointMotor{position ? JointMotor::Kind::position : JointMotor::Kind::velocity,
                     {},
                     TimeFunction::constant(factor * test::kGravity)};
      Simulation<3> simulation(scene);
      test::run(simulation, 500);
      const double height = simulation.bodies().pose[0].position.z();
      if (factor > 1)
        EXPECT_NEAR(height, 0, 1e-8);
      else
        EXPECT_NEAR(height, -0.5 * 0.01 * test::kGravity / 1.1 * 0.25, 2e-4);
    }
}

// Follows an orientation that turns about changing axes, between two bodies, the first of which turns too.
TEST(BallJoint, a_motor_of_position_follows_an_orientation) {
  for (const double h : {2e-3, 1e-3}) {
    Scene<3> scene = test::bare_scene_3d(h, false);
    scene.bodies = {test::unit_body("base", Vec<3>::Zero(), Vec<3>(2, 3, 4), 5),
                    test::unit_body("hand", Vec<3>(0.3, 0, 0))};
    scene.bodies[0].spin = Vec<3>(0.2, 0.3, -0.1);
    scene.joints = {test::joint<3>(JointKind::spherical, "base", "hand", Vec<3>(0.2, 0, 0), Vec<3>(0, 0, 1))};
    JointMotor motor{JointMotor::Kind::position, {}, {}};
    motor.rotation = {TimeFunction::sine(1.2, 0.5), TimeFunction::expression("1.5*t"),
                      TimeFunction::expression("0.8*(1 - cos(3*t))")};
    along(scene, "rotation").motor = motor;
    Simulation<3> simulation(scene);
    double worst = 0;
    const int steps = static_cast<int>(std::lround(1.5 / h));
    for (int k = 1; k <= steps; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged);
      if (k * h < 0.3) continue;
      const Vec<3> asked(motor.rotation[0].at(k * h), motor.rotation[1].at(k * h),
                         motor.rotation[2].at(k * h));
      const Mat<3> off = rotation_of(asked) * rotation_of(simulation.joint_place(0).rotation).transpose();
      worst = std::max(worst, vector_of(off).norm());
    }
    // a h tau/2 with tau = 10 h, accelerations of up to 15 rad/s2.
    EXPECT_LT(worst, 15 * 5 * h * h) << h;
  }
}

// Of a program: the reader of scenes knows no such keys.
TEST(BallJoint, motors_that_say_too_little_are_refused) {
  Scene<3> swing = ball(1e-3), given = ball(1e-3);
  along(swing, "swing").motor = JointMotor{JointMotor::Kind::velocity, TimeFunction::constant(1), {}};
  along(given, "rotation").motor = JointMotor{JointMotor::Kind::force, TimeFunction::constant(1), {}};
  EXPECT_THROW(Simulation<3>{swing}, InputError);
  EXPECT_THROW(Simulation<3>{given}, InputError);
}

// Bits of a state do not depend on when it is saved.
TEST(BallJoint, a_resumed_run_goes_on_to_the_same_bits) {
  Scene<3> scene = ball(1e-3, Vec<3>(2, 3, 1));
  along(scene, "swing").limits = JointLimits{-1, 1, 0.5};
  along(scene, "twist").limits = JointLimits{-0.5, 0.5, 0.5};
  along(scene, "twist").spring = JointSpring{1, 0.1, 0.2, 0};
  along(scene, "swing").friction = JointFriction{0.02, 0, 1};
  along(scene, "rotation").spring = JointSpring{3, 0, 0, 0};
  along(scene, "rotation").spring->rest_rotation = Vec<3>(0.1, 0.2, 0.3);
  JointMotor motor{JointMotor::Kind::velocity, {}, TimeFunction::constant(0.05)};
  motor.rotation[1] = TimeFunction::sine(2, 1);
  along(scene, "rotation").motor = motor;
  Simulation<3> straight(scene);
  test::run(straight, 300);
  Simulation<3> resumed(scene);
  resumed.restore(straight.save());
  test::run(straight, 300);
  test::run(resumed, 300);
  EXPECT_EQ(straight.state_hash(), resumed.state_hash());
  EXPECT_EQ(straight.summary().energy.elastic_stored, resumed.summary().energy.elastic_stored);
}

}  // namespace
}  // namespace saltus::ball_joint_test
