// A chain over a rough drum against Euler and Eytelwein's T2/T1 = exp(mu beta), and against its exact form for links.
//
// Link i is a rigid arm from vertex i to vertex i + 1 of a regular polygon around the drum, with a foot (a disk of radius r about
// vertex i) that touches the drum; pins are at the vertices. The chain turns by d at each of m vertices, beta = m d. Where it
// slides, the pin forces Q_i (of link i on link i - 1, so Q_0 = T1 along the first straight part) follow from
//
//     Q_(i+1) - Q_i + N_i (n_i - mu t_i) = 0          forces on link i
//     L e_i x Q_(i+1) + r mu N_i n_i x t_i = 0        moments about vertex i
//
// n_i, t_i: normal and direction of sliding at the foot, e_i along the arm of length L. With r = 0: T_(i+1)/T_i =
// (1 + mu tan(d/2))/(1 - mu tan(d/2)), which is exp(mu d) up to d^3. Feet rub below the pins: r takes off a part r/R of mu.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "joints/joint_scenes.hpp"
#include "validation/library_run.hpp"

namespace saltus::capstan_test {
namespace {

struct Capstan {
  int links = 20;
  double mu = 0.3, drum = 1, foot = 0.01, beta = std::numbers::pi;
  double link_mass = 1e-3, load_mass = 1, pull = 10;  // kg, kg, N: T1

  double turn() const { return beta / links; }
  double arm() const { return 2 * (drum + foot) * std::sin(turn() / 2); }
  double place(double i) const { return std::numbers::pi / 2 + (links - 1) * turn() / 2 - i * turn(); }
  Vec<2> normal(int i) const { return {std::cos(place(i)), std::sin(place(i))}; }
  Vec<2> vertex(int i) const { return (drum + foot) * normal(i); }
  Vec<2> along(double i) const { return {std::sin(place(i)), -std::cos(place(i))}; }  // clockwise
};

// Q_m for Q_0 = along(-1/2): the force that just makes the chain slide against one newton.
Vec<2> sliding_force(const Capstan& c) {
  const auto cross = [](const Vec<2>& a, const Vec<2>& b) { return a.x() * b.y() - a.y() * b.x(); };
  Vec<2> q = c.along(-0.5);
  for (int i = 0; i < c.links; ++i) {
    const Vec<2> n = c.normal(i), t = c.along(i), e = c.along(i + 0.5);
    Eigen::Matrix3d a;
    a << 1, 0, n.x() - c.mu * t.x(), 0, 1, n.y() - c.mu * t.y(), -c.arm() * e.y(), c.arm() * e.x(),
        c.foot * c.mu * cross(n, t);
    q = a.fullPivLu().solve(Eigen::Vector3d(q.x(), q.y(), 0)).head<2>();
  }
  return q;
}

SceneBody<2> disk(const std::string& name, const Vec<2>& at, double radius, double mass, double inertia) {
  SceneBody<2> result = test::body<2>(Ball<2>{radius}, at);
  result.name = name;
  result.mass = mass;
  result.inertia = Inertia<2>(inertia);
  return result;
}

void push(const Vec<2>& force, SceneBody<2>& body) {
  body.force[0] = TimeFunction::constant(force.x());
  body.force[1] = TimeFunction::constant(force.y());
}

// Without gravity; forces on two bodies at the ends pull the chain. `load`: of the force that makes it slide.
Scene<2> capstan_scene(const Capstan& c, double load) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, c.mu), 2e-4);
  scene.gravity.setZero();
  scene.solver.tolerance_velocity = 1e-10;
  const double length = 0.5;
  const Vec<2> force = sliding_force(c), end = c.vertex(c.links - 1) + c.arm() * c.along(c.links - 0.5);
  scene.bodies = {disk("drum", Vec<2>(0, 0), c.drum, 1, 1)};
  scene.bodies[0].fixed = true;
  scene.bodies.push_back(disk("light", c.vertex(0) - length * c.along(-0.5), 0.02, c.load_mass, 1e-3));
  push(-c.pull * c.along(-0.5), scene.bodies.back());
  for (int i = 0; i < c.links; ++i)
    scene.bodies.push_back(
        disk(std::to_string(i), c.vertex(i), c.foot, c.link_mass, c.link_mass * c.arm() * c.arm() / 3));
  scene.bodies.push_back(disk("heavy", end + length * force.normalized(), 0.02, c.load_mass, 1e-3));
  push(load * c.pull * force, scene.bodies.back());
  scene.joints = {test::joint<2>(JointKind::revolute, "light", "0", c.vertex(0))};
  for (int i = 1; i < c.links; ++i)
    scene.joints.push_back(
        test::joint<2>(JointKind::revolute, std::to_string(i - 1), std::to_string(i), c.vertex(i)));
  scene.joints.push_back(test::joint<2>(JointKind::revolute, std::to_string(c.links - 1), "heavy", end));
  return scene;
}

// Speed of the heavy end along its force after `steps` steps, m/s.
double end_speed(const Capstan& c, double load, int steps) {
  Simulation<2> simulation(capstan_scene(c, load));
  for (int k = 0; k < steps; ++k)
    EXPECT_EQ(simulation.step().status, StepStatus::converged) << load << ' ' << k;
  return simulation.bodies().velocity.back().dot(sliding_force(c).normalized());
}

TEST(Capstan, without_thickness_links_multiply_the_force_by_a_closed_form) {
  Capstan c;
  c.foot = 0;
  const double t = c.mu * std::tan(c.turn() / 2);
  EXPECT_NEAR(sliding_force(c).norm(), std::pow((1 + t) / (1 - t), c.links), 1e-12);
  // Twice the links, a quarter of the distance from Euler and Eytelwein.
  const double euler = std::exp(c.mu * c.beta), coarse = sliding_force(c).norm() - euler;
  c.links *= 2;
  EXPECT_NEAR(coarse / (sliding_force(c).norm() - euler), 4, 0.1);
}

TEST(Capstan, a_chain_over_a_drum_holds_below_the_limit_and_slides_above) {
  for (const int links : {10, 20, 40}) {
    Capstan c;
    c.links = links;
    const int steps = 20;
    // Rest: what the solver leaves in a step, 1e-10 m/s, over 20 of them and through the lightest mode of the chain.
    EXPECT_NEAR(end_speed(c, 0.95, steps), 0, 1e-7) << links;
    // Sliding: (M2 + m) a = load T2 - T2', (M1 + m') a = T1' - T1 with T2' = ratio T1' but for the mass of the links.
    const double ratio = sliding_force(c).norm(), speed = end_speed(c, 1.05, steps);
    const double a = speed / (steps * 2e-4);
    const double found = (1.05 * c.pull * ratio - c.load_mass * a) / (c.pull + c.load_mass * a);
    test::show("capstan of " + std::to_string(links) + " links, T2/T1", found, ratio);
    // The links have 1 % of the mass of the two loads: their inertia takes a part a m / T2 of the force, 3e-4.
    EXPECT_NEAR(found / ratio, 1, 1e-3) << links;
    EXPECT_NEAR(found, std::exp(c.mu * c.beta), 0.015 * found) << links;
  }
}

// The scene of the library: capsules with their own weight, one chain 5 % below the limit and one 5 % above.
TEST(Capstan, of_two_chains_over_drums_one_holds_and_one_slips) {
  Simulation<2> simulation = test::open_scene<2>("capstan");
  const auto& bodies = simulation.bodies();
  const auto named = [&](const std::string& name) {
    for (int slot = 0; slot < bodies.slots(); ++slot)
      if (simulation.scene().bodies[bodies.id[slot]].name == name) return slot;
    return -1;
  };
  const int steps = 250;
  for (int k = 0; k < steps; ++k) EXPECT_EQ(simulation.step().status, StepStatus::converged) << k;
  const double time = simulation.time(), ratio = std::exp(0.3 * std::numbers::pi * 0.3 / 0.31);
  EXPECT_LT(std::abs(bodies.velocity[named("left heavy")].y()), 1e-4);
  // d'Alembert: both sides carry five links of 5.4 cm and 20 g/m beside their loads, those on the drum move along.
  const double a = -bodies.velocity[named("right heavy")].y() / time, link = 0.05424 * 0.02;
  const double heavy = (1.05 * ratio + 5 * link) * (test::kGravity - a);
  const double light = (1 + 5 * link) * (test::kGravity + a) + 18 * link * a;
  test::show("capstan of capsules, links of 10 degrees, T2/T1", heavy / light, ratio);
  // The formula is that of a thread: of flat links of 10 degrees, and of the 0.2 N that those on the drum weigh beside loads of
  // 10 and 25 N, it knows nothing.
  EXPECT_NEAR(heavy / light, ratio, 0.01 * ratio);
}

}  // namespace
}  // namespace saltus::capstan_test
