// Joints and constraints under the alpha schemes: orders, both levels at round-off, what acts along free directions.
#include <gtest/gtest.h>

#include "sim/alpha_scenes.hpp"

namespace saltus::alpha_joints_test {
namespace {

using test::alpha_scheme;

SceneJoint<2> hinge_at(const Vec<2>& point, const std::string& a, const std::string& b) {
  SceneJoint<2> hinge;
  hinge.a = a, hinge.b = b;
  hinge.points[0] = hinge.points[1] = point;
  return hinge;
}

// Two bars of 1 m, one on the other, let go from the horizontal.
Scene<2> double_pendulum(double h, double rho = 0.8) {
  Scene<2> scene;
  scene.gravity = Vec<2>(0, -test::kGravity);
  scene.scheme = alpha_scheme(rho, h);
  scene.end_time = 1e9;
  for (int i = 0; i < 2; ++i) {
    SceneBody<2> bar = test::body<2>(build_rectangle(1, 0.1), Vec<2>(0.5 + i, 0));
    bar.name = i == 0 ? "upper" : "lower";
    bar.mask = 0;
    scene.bodies.push_back(bar);
  }
  scene.joints = {hinge_at({0, 0}, "", "upper"), hinge_at({1, 0}, "upper", "lower")};
  return scene;
}

template <int Dim>
Eigen::VectorXd state_after(const Scene<Dim>& scene, double duration) {
  Simulation<Dim> simulation(scene);
  const auto steps = static_cast<int>(std::lround(duration / scene.scheme.h));
  for (int k = 0; k < steps; ++k) EXPECT_EQ(simulation.step().status, StepStatus::converged);
  const BodySet<Dim>& bodies = simulation.bodies();
  Eigen::VectorXd state(bodies.slots() * 2 * Dim);
  for (int i = 0; i < bodies.slots(); ++i)
    state.segment(2 * Dim * i, 2 * Dim) << bodies.pose[i].position, bodies.velocity[i];
  return state;
}

// Differences of runs with h, h/2 and h/4: 4 for order two, up to the next order at h = 2 ms and a motion of 10 rad/s.
TEST(AlphaJoints, a_double_pendulum_is_of_second_order) {
  for (const double rho : {0.5, 0.9}) {
    const Eigen::VectorXd coarse = state_after(double_pendulum(2e-3, rho), 0.6),
                          middle = state_after(double_pendulum(1e-3, rho), 0.6),
                          fine = state_after(double_pendulum(5e-4, rho), 0.6);
    EXPECT_NEAR((coarse - middle).norm() / (middle - fine).norm(), 4, 0.4) << rho;
  }
}

TEST(AlphaJoints, a_joint_holds_on_positions_and_velocities_at_once) {
  Simulation<2> simulation(double_pendulum(2e-3));
  for (int k = 0; k < 2000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    ASSERT_LE(report.newton_turns, 8);
    const BodySet<2>& bodies = simulation.bodies();
    const auto end = [&](int i, double x) { return bodies.pose[i].to_world(Vec<2>(x, 0)); };
    const auto rate = [&](int i, double x) {
      const Vec<2> arm = bodies.pose[i].rotated(Vec<2>(x, 0));
      return Vec<2>(bodies.velocity[i] + spin_velocity(bodies.spin[i], arm));
    };
    // Round-off of places of 2 m and speeds of up to 10 m/s.
    ASSERT_LT((end(0, 0.5) - end(1, -0.5)).norm(), 4e-15) << k;
    ASSERT_LT(end(0, -0.5).norm(), 4e-15);
    ASSERT_LT((rate(0, 0.5) - rate(1, -0.5)).norm(), 2e-13) << k;
    // M is constant: the identity closes, joints do the work of what they move in a step of second order.
    ASSERT_LT(std::abs(report.energy.defect), 1e-10);  // of 1e3 J
  }
}

// A heavy top: a rod of three moments of inertia on a ball joint, spinning.
Scene<3> top(double h) {
  Scene<3> scene;
  scene.gravity = Vec<3>(0, 0, -test::kGravity);
  scene.scheme = alpha_scheme(0.9, h);
  scene.end_time = 1e9;
  SceneBody<3> body = test::body<3>(build_box({0.2, 0.3, 1}), Vec<3>(0.3, 0, 0.4), Vec<3>::Zero());
  body.name = "top";
  body.mask = 0;
  body.spin = Vec<3>(6, 0, 8);  // along the arm: its centre is at rest
  scene.bodies = {body};
  SceneJoint<3> ball;
  ball.kind = JointKind::spherical;
  ball.b = "top";
  scene.joints = {ball};
  return scene;
}

TEST(AlphaJoints, a_top_on_a_ball_joint_is_of_second_order_in_space) {
  const Eigen::VectorXd coarse = state_after(top(2e-3), 0.5), middle = state_after(top(1e-3), 0.5),
                        fine = state_after(top(5e-4), 0.5);
  EXPECT_NEAR((coarse - middle).norm() / (middle - fine).norm(), 4, 0.4);
  Simulation<3> simulation(top(1e-3));
  for (int k = 0; k < 500; ++k) {
    const StepReport report = simulation.step();
    ASSERT_LT(std::abs(report.energy.defect), 1e-11) << k;  // of 1e3 J
    const Pose<3>& pose = simulation.bodies().pose[0];
    ASSERT_LT(simulation.joint_place(0).gap, 4e-15) << k;
    const Vec<3> arm = -pose.position;
    ASSERT_LT((simulation.bodies().velocity[0] + simulation.bodies().spin_world(0).cross(arm)).norm(), 1e-13);
  }
}

// Torque-free motion of three different moments: second order in the Lie group.
TEST(AlphaJoints, free_rotation_in_space_is_of_second_order) {
  const auto spin_after = [](double h) {
    Scene<3> scene;
    scene.gravity.setZero();
    scene.scheme = alpha_scheme(0.8, h);
    scene.end_time = 1e9;
    SceneBody<3> body = test::body<3>(build_box({0.2, 0.5, 1}), Vec<3>::Zero(), Vec<3>::Zero());
    body.spin = Vec<3>(0.5, 5, 0.3);
    scene.bodies = {body};
    Simulation<3> simulation(scene);
    while (simulation.time() < 1 - 0.5 * h) simulation.step();
    Eigen::VectorXd state(7);
    state << simulation.bodies().spin[0], simulation.bodies().pose[0].orientation().coeffs();
    return state;
  };
  const Eigen::VectorXd coarse = spin_after(4e-3), middle = spin_after(2e-3), fine = spin_after(1e-3);
  EXPECT_NEAR((coarse - middle).norm() / (middle - fine).norm(), 4, 0.4);
}

Scene<2> point_pendulum(double h) {
  SceneLagrangianSystem<2> system;
  system.names.coordinates = {"x", "y"};
  system.names.velocities = {"vx", "vy"};
  system.mass = {{{"2"}, {"0"}}, {{"0"}, {"2"}}};
  system.forces = {{"0"}, {"-2*9.81"}};
  system.q = {1, 0};
  system.v = {0, -1};
  SceneConstraint rod;
  rod.formula.text = "x^2 + y^2 - 1";
  system.constraints = {rod};
  Scene<2> scene;
  scene.scheme = alpha_scheme(0.8, h);
  scene.end_time = 1e9;
  scene.lagrangian = {system};
  return scene;
}

TEST(AlphaJoints, a_constraint_by_formula_holds_on_both_levels) {
  Simulation<2> simulation(point_pendulum(1e-3));
  for (int k = 0; k < 2000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    const Eigen::VectorXd &q = simulation.system_coordinates(0), &v = simulation.system_velocity(0);
    ASSERT_LT(std::abs(q.squaredNorm() - 1), 4e-15) << k;
    ASSERT_LT(std::abs(q.dot(v)), 2e-14) << k;
  }
  const auto error = [](double h) {
    Simulation<2> run(point_pendulum(h));
    while (run.time() < 1 - 0.5 * h) run.step();
    return Eigen::VectorXd(run.system_coordinates(0));
  };
  const Eigen::VectorXd coarse = error(4e-3), middle = error(2e-3), fine = error(1e-3);
  EXPECT_NEAR((coarse - middle).norm() / (middle - fine).norm(), 4, 0.4);
}

// M(q) of a double pendulum by its angles: there is no formula for the whole change of energy; the defect is of third order
// in a step.
TEST(AlphaJoints, the_defect_of_a_variable_mass_is_of_third_order) {
  const auto defect = [](double h) {
    SceneLagrangianSystem<2> system;
    system.names.coordinates = {"a", "b"};
    system.names.velocities = {"va", "vb"};
    system.mass = {{{"2"}, {"cos(a - b)"}}, {{"cos(a - b)"}, {"1"}}};
    system.forces = {{"-2*9.81*sin(a)"}, {"-9.81*sin(b)"}};
    system.q = {1, 0.5};
    system.v = {0, 2};
    Scene<2> scene;
    scene.scheme = alpha_scheme(0.8, h);
    scene.end_time = 1e9;
    scene.lagrangian = {system};
    Simulation<2> simulation(scene);
    double worst = 0;
    while (simulation.time() < 0.5) worst = std::max(worst, std::abs(simulation.step().energy.defect));
    return worst;
  };
  EXPECT_GT(defect(4e-3) / defect(2e-3), 6);
}

TEST(AlphaJoints, a_limit_is_reached_and_never_passed) {
  Scene<2> scene = double_pendulum(2e-3);
  scene.bodies.pop_back();
  scene.joints.pop_back();
  scene.joints[0].direction("angle").limits = JointLimits{-1, 4, 0.5};
  Simulation<2> simulation(scene);
  double rebound = 0;
  for (int k = 0; k < 1500; ++k) {
    const double before = simulation.joint_place(0).rate.empty() ? 0 : simulation.joint_place(0).rate[0];
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    const auto place = simulation.joint_place(0);
    ASSERT_GT(place.value[0], -1 - 1e-13);
    // A bar of 100 kg: 1e3 N on places of 1 m, rounded, in a few products.
    ASSERT_LT(std::abs(report.energy.defect), 1e-11);
    if (rebound == 0 && place.rate[0] > 0) rebound = place.rate[0] / -before;
  }
  EXPECT_NEAR(rebound, 0.5, 1e-12);  // Newton's law on the velocities of the two ends of a step
}

TEST(AlphaJoints, a_spring_and_a_motor_act_along_a_free_direction) {
  Scene<2> scene = double_pendulum(1e-3);
  scene.gravity.setZero();
  scene.bodies.pop_back();
  scene.joints.pop_back();
  FreeDirection& angle = scene.joints[0].direction("angle");
  angle.spring = JointSpring{40, 0.2, 0.3, 0};
  Simulation<2> simulation(scene);
  const double mass = 1000 * 0.1, inertia = mass * (1.01 / 12 + 0.25);
  const double d = 0.2 / (2 * inertia), w = std::sqrt(40 / inertia - d * d);
  for (int k = 0; k < 1000; ++k) ASSERT_LT(std::abs(simulation.step().energy.defect), 1e-12);  // of 2 J
  const double exact = 0.3 - 0.3 * std::exp(-d) * (std::cos(w) + d / w * std::sin(w));
  EXPECT_NEAR(simulation.joint_place(0).value[0], exact, 1e-6);  // (omega h)^2/12 of a period

  angle.spring.reset();
  JointMotor motor;
  motor.kind = JointMotor::Kind::position;
  motor.target = TimeFunction::table({0, 1, 2}, {0, 0.5, 1.5});
  angle.motor = motor;
  Simulation<2> driven(scene);
  for (int k = 0; k < 1500; ++k) driven.step();
  EXPECT_NEAR(driven.joint_place(0).value[0], 1.0, 1e-13);
  motor.kind = JointMotor::Kind::velocity;
  motor.target = TimeFunction::constant(2);
  angle.motor = motor;
  Simulation<2> turning(scene);
  for (int k = 0; k < 500; ++k) turning.step();
  EXPECT_NEAR(turning.joint_place(0).rate[0], 2, 1e-12);
}

}  // namespace
}  // namespace saltus::alpha_joints_test
