// Pendulums on revolute joints against the exact motion, and what joints must never do.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/sim_scenes.hpp"

namespace saltus::revolute_test {
namespace {

// A rod of length 1 and width 0.1, hung at one end; its angle from the vertical is `angle`.
constexpr double kLength = 1, kWidth = 0.1;

Scene<2> pendulum_2d(double h, double angle) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), h);
  const Vec<2> centre(0.5 * kLength * std::sin(angle), -0.5 * kLength * std::cos(angle));
  SceneBody<2> rod =
      test::body<2>(ConvexPolygon{{{-0.05, -0.5}, {0.05, -0.5}, {0.05, 0.5}, {-0.05, 0.5}}}, centre);
  rod.pose = Pose<2>(centre, angle);
  rod.name = "rod";
  scene.bodies = {rod};
  SceneJoint<2> joint;
  joint.b = "rod";
  joint.stabilisation_time = 0;
  scene.joints = {joint};
  return scene;
}

// The same in space: the axis is y, gravity -z.
Scene<3> pendulum_3d(double h, double angle) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::newton), h);
  const Vec<3> centre(0.5 * kLength * std::sin(angle), 0, -0.5 * kLength * std::cos(angle));
  SceneBody<3> rod = test::body<3>(build_box(Vec<3>(kWidth, 0.3, kLength)), centre);
  rod.pose = Pose<3>(centre, Eigen::Quaterniond(Eigen::AngleAxisd(-angle, Vec<3>::UnitY())));
  rod.name = "rod";
  scene.bodies = {rod};
  SceneJoint<3> joint;
  joint.b = "rod";
  joint.axis = Vec<3>(0, -2, 0);  // of any length; so that the angle is that of the plane
  joint.stabilisation_time = 0;
  scene.joints = {joint};
  return scene;
}

// Period of the physical pendulum, from its elliptic integral.
double exact_period(double amplitude) {
  const double inertia = (kLength * kLength + kWidth * kWidth) / 12 + 0.25 * kLength * kLength;  // per mass
  return 4 * std::sqrt(inertia / (test::kGravity * 0.5 * kLength)) *
         std::comp_ellint_1(std::sin(0.5 * amplitude));
}

// At the turning point the angle is quadratic in time: a quarter of a period away it is not.
template <class Scene>
double error_at_quarter(Scene (*make)(double, double), double amplitude, int steps) {
  auto scene = make(0.25 * exact_period(amplitude) / steps, amplitude);
  Simulation simulation(scene);
  for (int k = 0; k < steps; ++k) simulation.step();
  return simulation.joint_place(0).angle() + amplitude;
}

TEST(Revolute, pendulums_keep_their_elliptic_period_at_the_order_of_the_scheme) {
  for (const double amplitude : {0.5, 2.5}) {
    const double coarse = error_at_quarter(pendulum_2d, amplitude, 400);
    const double fine = error_at_quarter(pendulum_2d, amplitude, 800);
    EXPECT_NEAR(coarse / fine, 4, 0.2) << amplitude;
    EXPECT_LT(std::abs(fine), 1e-3 * amplitude);
    const double coarse_3d = error_at_quarter(pendulum_3d, amplitude, 400);
    const double fine_3d = error_at_quarter(pendulum_3d, amplitude, 800);
    EXPECT_NEAR(coarse_3d / fine_3d, 4, 0.2) << amplitude;
    EXPECT_LT(std::abs(fine_3d), 1e-3 * amplitude);
  }
}

TEST(Revolute, a_joint_does_no_work_and_stays_together_for_a_hundred_swings) {
  for (const double amplitude : {1.0, 3.0}) {
    Scene<2> scene = pendulum_2d(0.01, amplitude);
    Simulation<2> simulation(scene);
    double start = 0, worst = 0, gap = 0;
    for (int k = 0; k < 20000; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged);
      const double energy = report.energy.kinetic + report.energy.potential;
      if (k == 0) start = energy;
      worst = std::max(worst, std::abs(energy - start));
      gap = std::max(gap, simulation.joint_place(0).gap);
      // All forces are in the balance: what is left is round-off.
      ASSERT_LT(report.energy.relative_defect(), 1e-12);
      ASSERT_LT(report.momentum, 1e-12);
    }
    const double scale = 0.1 * 1000 * test::kGravity;  // m g L
    EXPECT_LT(worst, 1e-11 * scale) << amplitude;      // 2e4 steps of round-off
    EXPECT_LT(gap, 1e-3) << amplitude;
  }
}

// With theta = 1 a joint drifts apart: a fifth of what it is off, taken back at each step, holds it.
TEST(Revolute, stabilisation_bounds_what_a_joint_is_off) {
  double off[2] = {};
  for (const int on : {0, 1}) {
    Scene<2> scene = pendulum_2d(0.01, 2.0);
    scene.scheme.theta = 1;
    scene.joints[0].stabilisation_time = 5 * 0.01 * on;
    Simulation<2> simulation(scene);
    for (int k = 0; k < 500; ++k) {
      simulation.step();
      off[on] = std::max(off[on], simulation.joint_place(0).gap);
    }
  }
  EXPECT_GT(off[0], 0.02);
  EXPECT_LT(off[1], 0.1 * off[0]);
}

TEST(Revolute, the_joint_of_a_body_at_rest_carries_its_weight) {
  Scene<2> scene = pendulum_2d(0.001, 0);
  Simulation<2> simulation(scene);
  for (int k = 0; k < 100; ++k) simulation.step();
  const double weight = 0.1 * 1000 * test::kGravity;
  EXPECT_NEAR(simulation.joint_place(0).impulse.y(), weight * 0.001, 1e-9 * weight);
  EXPECT_NEAR(simulation.joint_place(0).angle(), 0, 1e-12);
}

TEST(Revolute, a_stop_sends_the_pendulum_back_with_its_restitution) {
  Scene<2> scene = pendulum_2d(1e-4, 1.0);
  scene.joints[0].direction("angle").limits = JointLimits{-1.0, 10, 0.5};  // hit at the lowest point
  Simulation<2> simulation(scene);
  double before = 0, after = 0, deepest = 0;
  for (int k = 0; k < 20000 && after == 0; ++k) {
    const double spin = simulation.bodies().spin[0](0);
    simulation.step();
    deepest = std::min(deepest, simulation.joint_place(0).angle() + 1.0);
    if (spin < -0.1 && simulation.bodies().spin[0](0) > 0)
      before = spin, after = simulation.bodies().spin[0](0);
  }
  ASSERT_LT(before, 0);
  EXPECT_NEAR(after, -0.5 * before, 1e-9 * std::abs(before));
  EXPECT_GT(deepest, -1e-4 * std::abs(before) * 1.01);  // at most one step of approach
}

TEST(Revolute, two_bodies_on_one_joint_keep_momentum_where_nothing_else_acts) {
  Scene<2> scene = pendulum_2d(0.01, 0.3);
  scene.gravity.setZero();
  SceneBody<2> other = scene.bodies[0];
  other.name = "other";
  other.pose = Pose<2>(Vec<2>(-0.5, 0), -0.5 * std::numbers::pi);
  other.velocity = Vec<2>(0, -1.5);
  other.spin = Spin<2>(3.0);
  scene.bodies.push_back(other);
  scene.joints[0].a = "other";
  Simulation<2> simulation(scene);
  const auto momentum = [&] {
    return Vec<2>(100 * (simulation.bodies().velocity[0] + simulation.bodies().velocity[1]));
  };
  const Vec<2> start = momentum();
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(simulation.step().status, StepStatus::converged);
  EXPECT_LT((momentum() - start).norm(), 1e-10 * 150);
  EXPECT_LT(simulation.joint_place(0).gap, 1e-3);
}

TEST(Revolute, a_state_saved_and_restored_goes_on_to_the_same_bits) {
  Scene<3> scene = pendulum_3d(0.01, 1.0);
  scene.joints[0].direction("angle").limits = JointLimits{-0.5, 10, 0.3};
  Simulation<3> simulation(scene);
  for (int k = 0; k < 50; ++k) simulation.step();
  Simulation<3> other(scene);
  other.restore(simulation.save());
  for (int k = 0; k < 50; ++k) simulation.step(), other.step();
  EXPECT_EQ(simulation.state_hash(), other.state_hash());
}

TEST(Revolute, joints_that_cannot_be_are_refused) {
  const auto refused = [](auto change) {
    Scene<2> scene = pendulum_2d(0.01, 0.3);
    change(scene.joints[0]);
    EXPECT_THROW(Simulation<2>{scene}, InputError);
  };
  refused([](SceneJoint<2>& j) { j.b = "nobody"; });
  refused([](SceneJoint<2>& j) { j.a = "rod"; });
  refused([](SceneJoint<2>& j) { j.stabilisation_time = 1e-3; });
  refused([](SceneJoint<2>& j) { j.direction("angle").limits = JointLimits{0.1, 1, 0}; });
  refused([](SceneJoint<2>& j) { j.points[0] = Vec<2>(NAN, 0); });
}

}  // namespace
}  // namespace saltus::revolute_test
