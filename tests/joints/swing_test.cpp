// How long a step may be where joints carry loads: the bound, the instability beyond it, and what a run tells of it.
#include "saltus/joints/swing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "joints/joint_scenes.hpp"

namespace saltus::swing_test {
namespace {

constexpr double kTension = 100, kMass = 0.1, kLength = 0.1;  // N, kg and m of a bar

SceneBody<2> bar(const std::string& name, const Vec<2>& at) {
  return test::unit_body(name, at, kMass * kLength * kLength / 12, kMass);
}
SceneBody<3> bar(const std::string& name, const Vec<3>& at) {
  const double across = kMass * kLength * kLength / 12;
  return test::unit_body(name, at, Vec<3>(1e-3 * across, across, across), kMass);
}

// Bars along x between a pin of the world and a body that is pulled; gravity is off.
template <int Dim>
Scene<Dim> chain(JointKind kind, double h) {
  constexpr int kBars = 12;
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::newton), h);
  scene.gravity.setZero();
  const auto at = [](double x) { return Vec<Dim>(x * Vec<Dim>::Unit(0)); };
  std::string last;
  for (int i = 0; i < kBars; ++i) {
    scene.bodies.push_back(bar(std::to_string(i), at((i + 0.5) * kLength)));
    scene.joints.push_back(
        test::joint<Dim>(kind, last, scene.bodies.back().name, at(i * kLength), Vec<3>::UnitY()));
    last = scene.bodies.back().name;
  }
  scene.bodies.push_back(test::unit_body("end", at(kBars * kLength)));
  scene.bodies.back().velocity = 1e-3 * Vec<Dim>::Unit(Dim - 1);
  scene.bodies.back().force[0] = TimeFunction::constant(kTension);
  scene.joints.push_back(test::joint<Dim>(kind, last, "end", at(kBars * kLength), Vec<3>::UnitY()));
  for (SceneBody<Dim>& body : scene.bodies) body.mask = 0;  // nothing touches
  return scene;
}

// The farthest that a bar leaves the line, m.
template <int Dim>
double deflection(const Simulation<Dim>& simulation) {
  double farthest = 0;
  for (const Pose<Dim>& pose : simulation.bodies().pose)
    farthest = std::max(farthest, std::abs(pose.position[Dim - 1]));
  return farthest;
}

bool tells_of_swing(const std::vector<std::string>& warnings) {
  for (const std::string& text : warnings)
    if (text.find("faster than steps follow") != std::string::npos) return true;
  return false;
}

// omega^2 = 12 T/(m L) is that of bars that turn against each other: 5 % more than 2/omega and the chain flies apart, 5 % less
// and 1 mm/s at its end moves it by less than a millimetre (half a period of its lowest mode, some 0.1 s, at 1 mm/s).
template <int Dim>
void check_bound(JointKind kind) {
  const double longest = 2 / std::sqrt(12 * kTension / (kMass * kLength));
  for (const double part : {0.95, 1.05}) {
    Simulation<Dim> simulation(chain<Dim>(kind, part * longest));
    for (int k = 0; k < 200; ++k) simulation.step();
    EXPECT_EQ(deflection(simulation) > 1e-3, part > 1) << part << ' ' << deflection(simulation);
    EXPECT_EQ(tells_of_swing(simulation.warnings()), part > 1) << part;
  }
}

TEST(JointSwing, a_chain_is_unstable_beyond_the_bound_and_the_run_tells) {
  check_bound<2>(JointKind::revolute);
  check_bound<3>(JointKind::revolute);
  check_bound<3>(JointKind::spherical);
}

TEST(JointSwing, an_impact_is_not_a_load_that_lasts) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-2);
  scene.gravity.setZero();
  // A rod that goes taut in one step at 100 m/s.
  scene.bodies = {bar("bar", Vec<2>(0, 0))};
  scene.bodies[0].velocity = Vec<2>(100, 0);
  scene.joints = {test::between_points<2>(JointKind::rope, "", "bar", Vec<2>(0, 0), Vec<2>(0, 0.05))};
  scene.joints[0].length = 1;
  Simulation<2> simulation(scene);
  for (int k = 0; k < 3; ++k) simulation.step();
  EXPECT_FALSE(tells_of_swing(simulation.warnings()));
}

TEST(JointSwing, what_happened_before_a_checkpoint_is_told_after_it) {
  const Scene<2> scene = chain<2>(JointKind::revolute, 7e-3);
  Simulation<2> simulation(scene);
  for (int k = 0; k < 50; ++k) simulation.step();
  Simulation<2> twin(scene);
  twin.restore(simulation.save());
  EXPECT_TRUE(tells_of_swing(twin.warnings()));
}

// By hand: one body, joints of the kind at both ends of it, forces that pull it apart.
template <int Dim>
double swing_of(JointKind kind, double arm) {
  BodySet<Dim> bodies;
  BodyModel<Dim> model;
  model.mass = kMass;
  model.inertia *= kMass * kLength * kLength / 12;
  bodies.add(0, model, Pose<Dim>(), Vec<Dim>::Zero(), Spin<Dim>::Zero());
  JointSet<Dim> joints;
  const double h = 1e-3;
  for (const double side : {-1.0, 1.0}) {
    Joint<Dim> joint;
    set_kind<Dim>(kind, joint);
    joint.kind = kind;
    joint.pair.b = 0;
    joint.pair.frame_b.point = side * arm * Vec<Dim>::Unit(0);
    // Half a metre of rod beyond the body, where the joint is one.
    joint.pair.frame_a.point = side * (arm + (kind == JointKind::rod ? 0.5 : 0.0)) * Vec<Dim>::Unit(0);
    joints.add(joint);
    joints.states().back().impulse[0] = side * kTension * h;
  }
  const std::vector<int> slot_of = {0};
  return JointSwing<Dim>().find(joints, slot_of, bodies, h).rate;
}

TEST(JointSwing, follows_from_forces_arms_and_inertia) {
  const double bar = std::sqrt(12 * kTension / (kMass * kLength));
  // Round-off of a few products and a root.
  EXPECT_NEAR(swing_of<2>(JointKind::revolute, kLength / 2), bar, 1e-12 * bar);
  EXPECT_NEAR(swing_of<3>(JointKind::spherical, kLength / 2), bar, 1e-12 * bar);
  EXPECT_EQ(swing_of<2>(JointKind::weld, kLength / 2), 0);
  EXPECT_EQ(swing_of<3>(JointKind::weld, kLength / 2), 0);
  // The axis is z of the frame, across the forces.
  EXPECT_NEAR(swing_of<3>(JointKind::revolute, kLength / 2), bar, 1e-12 * bar);
  // A point between two rods: omega^2 = (2/m) 2 T/l.
  const double point = std::sqrt(4 * kTension / (kMass * 0.5));
  EXPECT_NEAR(swing_of<2>(JointKind::rod, 0), point, 1e-12 * point);
}

}  // namespace
}  // namespace saltus::swing_test
