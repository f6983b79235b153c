// Every kind of joint between two bodies that fly and tumble: what it holds stays held, what is free moves, momentum,
// angular momentum and energy stay.
#include <gtest/gtest.h>

#include "joints/joint_scenes.hpp"

namespace saltus::kinds_test {
namespace {

struct Momenta {
  Vec<3> linear = Vec<3>::Zero(), angular = Vec<3>::Zero();
  double kinetic = 0;
};

Momenta momenta(const Simulation<2>& simulation) {
  Momenta sum;
  const BodySet<2>& bodies = simulation.bodies();
  for (int s = 0; s < bodies.slots(); ++s) {
    const double mass = bodies.model[s].mass;
    sum.linear.head<2>() += mass * bodies.velocity[s];
    sum.angular.z() += bodies.model[s].inertia(0) * bodies.spin[s](0) +
                       mass * cross2(bodies.pose[s].position, bodies.velocity[s]);
    sum.kinetic += bodies.kinetic_energy(s);
  }
  return sum;
}
Momenta momenta(const Simulation<3>& simulation) {
  Momenta sum;
  const BodySet<3>& bodies = simulation.bodies();
  for (int s = 0; s < bodies.slots(); ++s) {
    const double mass = bodies.model[s].mass;
    sum.linear += mass * bodies.velocity[s];
    sum.angular += bodies.pose[s].rotated(Vec<3>(bodies.model[s].inertia * bodies.spin[s])) +
                   mass * bodies.pose[s].position.cross(bodies.velocity[s]);
    sum.kinetic += bodies.kinetic_energy(s);
  }
  return sum;
}

Scene<2> pair_2d(JointKind kind, double h) {
  Scene<2> scene = test::bare_scene_2d(h, false);
  scene.bodies = {test::unit_body("a", Vec<2>(0, 0), 0.2, 1.5), test::unit_body("b", Vec<2>(0.8, 0.3), 0.1)};
  scene.bodies[0].velocity = Vec<2>(0.2, -0.3), scene.bodies[0].spin = Spin<2>(0.7);
  scene.bodies[1].velocity = Vec<2>(-0.4, 0.5), scene.bodies[1].spin = Spin<2>(-1.1);
  scene.joints = {test::joint<2>(kind, "a", "b", Vec<2>(0.3, 0.4), Vec<3>(1, 0.5, 0))};
  return scene;
}
Scene<3> pair_3d(JointKind kind, double h) {
  Scene<3> scene = test::bare_scene_3d(h, false);
  scene.bodies = {test::unit_body("a", Vec<3>(0, 0, 0), Vec<3>(0.2, 0.3, 0.4), 1.5),
                  test::unit_body("b", Vec<3>(0.8, 0.3, -0.2), Vec<3>(0.1, 0.15, 0.12))};
  scene.bodies[0].velocity = Vec<3>(0.2, -0.3, 0.1), scene.bodies[0].spin = Vec<3>(0.7, -0.2, 0.4);
  scene.bodies[1].velocity = Vec<3>(-0.4, 0.5, 0.2), scene.bodies[1].spin = Vec<3>(-0.3, 0.9, -1.1);
  scene.joints = {test::joint<3>(kind, "a", "b", Vec<3>(0.3, 0.4, 0.1), Vec<3>(1, 0.5, 2))};
  if (kind == JointKind::universal) scene.joints[0].axis2 = Vec<3>(2, 0, -1);
  if (kind == JointKind::screw) scene.joints[0].lead = 0.5;
  return scene;
}
template <int Dim>
Scene<Dim> make_pair(JointKind kind, double h) {
  Scene<Dim> scene;
  if constexpr (Dim == 2)
    scene = pair_2d(kind, h);
  else
    scene = pair_3d(kind, h);
  if (kind == JointKind::rod) scene.joints[0].points[1][0] += 0.5;
  return scene;
}

// Largest gap, turn and change of energy over two seconds without stabilisation.
struct Outcome {
  double gap = 0, turn = 0, energy = 0, momentum = 0;
  std::vector<double> value;
};
template <int Dim>
Outcome fly(JointKind kind, double h) {
  Scene<Dim> scene = make_pair<Dim>(kind, h);
  scene.joints[0].stabilisation_time = 0;
  {  // What the joint forbids of the velocities goes in a step of no length.
    scene.scheme.h = 1e-12;
    Simulation<Dim> start(scene);
    start.step();
    for (int s = 0; s < 2; ++s) {
      scene.bodies[s].velocity = start.bodies().velocity[s];
      scene.bodies[s].spin = start.bodies().spin_world(s);
    }
    scene.scheme.h = h;
  }
  Simulation<Dim> simulation(scene);
  const Momenta start = momenta(simulation);
  Outcome outcome;
  for (int k = 0; k < std::lround(2 / h); ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::converged) << name(kind) << ": " << report.reason;
    EXPECT_LT(report.energy.relative_defect(), 1e-11) << name(kind);
    const auto now = simulation.joint_place(0);
    outcome.gap = std::max(outcome.gap, now.gap);
    outcome.turn = std::max(outcome.turn, now.turn);
    outcome.value = now.value;
  }
  const Momenta end = momenta(simulation);
  outcome.energy = std::abs(end.kinetic - start.kinetic) / start.kinetic;
  outcome.momentum = (end.linear - start.linear).norm() / start.linear.norm();
  return outcome;
}

// The scheme is of second order: a quarter of the drift with half the step. What is at round-off already is left alone.
template <int Dim>
void check_kind(JointKind kind, double moves) {
  const Outcome coarse = fly<Dim>(kind, 0.01), fine = fly<Dim>(kind, 0.005);
  const auto quarters = [&](double big, double small, const char* what) {
    if (big < 1e-10) return;
    EXPECT_GT(big / small, 3) << name(kind) << ' ' << what << ' ' << Dim << "D: " << big << ", " << small;
    EXPECT_LT(small, 2e-3) << name(kind) << ' ' << what;
  };
  quarters(coarse.gap, fine.gap, "gap");
  quarters(coarse.turn, fine.turn, "turn");
  EXPECT_LT(fine.momentum, 1e-11) << name(kind);
  EXPECT_LT(fine.energy, 1e-3) << name(kind);
  double moved = 0;
  for (const double value : fine.value) moved = std::max(moved, std::abs(value));
  if (moves > 0) {
    EXPECT_GT(moved, moves) << name(kind);
  }
}

TEST(JointKinds, hold_what_they_hold_and_keep_momentum_and_energy_in_the_plane) {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::cylindrical})
    check_kind<2>(kind, 0.1);
  check_kind<2>(JointKind::weld, 0);
  check_kind<2>(JointKind::rod, 0);
}

TEST(JointKinds, hold_what_they_hold_and_keep_momentum_and_energy_in_space) {
  for (const JointKind kind :
       {JointKind::revolute, JointKind::prismatic, JointKind::cylindrical, JointKind::spherical,
        JointKind::universal, JointKind::planar, JointKind::screw})
    check_kind<3>(kind, 0.05);
  check_kind<3>(JointKind::weld, 0);
  check_kind<3>(JointKind::rod, 0);
}

// With the default what a joint is off does not grow; what the velocities at the start made of it is gone after a hundred steps.
TEST(JointKinds, stabilised_joints_stay_together) {
  for (const JointKind kind :
       {JointKind::weld, JointKind::revolute, JointKind::prismatic, JointKind::cylindrical,
        JointKind::spherical, JointKind::universal, JointKind::planar, JointKind::screw, JointKind::rod}) {
    Scene<3> scene = make_pair<3>(kind, 0.01);
    Simulation<3> simulation(scene);
    double early = 0, late = 0;
    for (int k = 0; k < 4000; ++k) {
      ASSERT_EQ(simulation.step().status, StepStatus::converged) << name(kind);
      const auto now = simulation.joint_place(0);
      if (k < 200) continue;
      double& worst = k < 1000 ? early : late;
      worst = std::max(worst, now.gap + now.turn);
    }
    EXPECT_LT(late, 1.5 * early + 1e-9) << name(kind);
    EXPECT_LT(early, 2e-3) << name(kind);  // a thousandth of its size and of a radian are left alone
  }
}

// What each kind leaves free: the rate along a free direction survives the joint, that along a held one does not.
TEST(JointKinds, a_universal_joint_turns_both_its_angles_and_no_other) {
  Scene<3> scene = test::bare_scene_3d(1e-3, false);
  scene.bodies = {test::unit_body("b", Vec<3>(0, 0, 0))};
  scene.joints = {test::joint<3>(JointKind::universal, "", "b", Vec<3>::Zero(), Vec<3>(1, 0, 0))};
  scene.joints[0].axis2 = Vec<3>(0, 1, 0);
  scene.bodies[0].spin = Vec<3>(0.3, 0.2, 5);
  Simulation<3> simulation(scene);
  simulation.step();
  const auto now = simulation.joint_place(0);
  EXPECT_NEAR(now.rate[0], 0.3, 1e-3);
  EXPECT_NEAR(now.rate[1], 0.2, 1e-3);
  EXPECT_NEAR(simulation.bodies().spin_world(0).z(), 0, 1e-3);
}

TEST(JointKinds, loads_are_those_of_statics) {
  // A beam of 2 m and 1 kg welded to a wall at its end: weight, and weight times the arm of 1 m.
  Scene<2> scene = test::bare_scene_2d(1e-3);
  scene.bodies = {test::unit_body("beam", Vec<2>(1, 0), 1.0 / 3)};
  scene.joints = {test::joint<2>(JointKind::weld, "", "beam", Vec<2>::Zero())};
  Simulation<2> simulation(scene);
  test::run(simulation, 20);
  auto load = simulation.joint_place(0);
  const double weight = test::kGravity * 1e-3;  // N s in a step
  EXPECT_NEAR(load.impulse.y(), weight, 1e-9 * weight);
  EXPECT_NEAR(load.moment.z(), weight, 1e-9 * weight);

  Scene<3> space = test::bare_scene_3d(1e-3);
  space.bodies = {test::unit_body("beam", Vec<3>(1, 0.5, 0))};
  space.joints = {test::joint<3>(JointKind::weld, "", "beam", Vec<3>::Zero())};
  Simulation<3> other(space);
  test::run(other, 20);
  const auto load_3d = other.joint_place(0);
  EXPECT_NEAR(load_3d.impulse.z(), weight, 1e-9 * weight);
  EXPECT_NEAR(load_3d.moment.x(), 0.5 * weight, 1e-9 * weight);
  EXPECT_NEAR(load_3d.moment.y(), -weight, 1e-9 * weight);
}

}  // namespace
}  // namespace saltus::kinds_test
