// Bodies with a curved surface roll: the point that touches moves along it, and no energy is lost by that.
#include <Eigen/LU>
#include <numbers>
#include <utility>

#include "validation/library_run.hpp"

namespace saltus {
namespace {

double total(const Simulation<3>& simulation) {
  const EnergyBalance e = simulation.steps() > 0 ? simulation.summary().energy : simulation.energy_at_start();
  return e.kinetic + e.potential;
}

// What is gone of the energy at the end, relative to what the body had above lying still.
double lost_energy(Simulation<3>& simulation, double still = 0) {
  const double start = total(simulation) - still;
  while (!simulation.finished()) simulation.step();
  return 1 - (total(simulation) - still) / start;
}

// A cylinder on the ground, its axis at `tilt` from upright, that rolls with its centre at rest (scenes/eulers-disk.toml).
Scene<3> disk_scene(double tilt, double h) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 0.6), h);
  scene.solver = {};
  scene.end_time = 0.5;
  const double a = 0.1, l = 0.005, s = std::sin(tilt), c = std::cos(tilt);
  const double across = a * a / 4 + l * l / 3, along = a * a / 2;  // inertia over mass
  const double rate = std::sqrt(test::kGravity * (a * c - l * s) / (s * (across * c - along * s * l / a)));
  SceneBody<3> disk = test::body<3>(Cylinder{a, l}, Vec<3>(0, 0, a * s + l * c));
  disk.pose.rotate(Vec<3>(0, tilt, 0));
  disk.spin = -rate * s / a * Vec<3>(a * c - l * s, 0, -a * s - l * c);
  scene.bodies = {test::ground<3>(), disk};
  return scene;
}

TEST(Rolling, eulers_disk_keeps_its_energy) {
  Simulation<3> coarse = test::open_scene<3>("eulers-disk"),
                fine = test::open_scene<3>("eulers-disk", {"scheme.h=5e-4"});
  const double lost = lost_energy(coarse), lost_fine = lost_energy(fine);
  test::show("eulers-disk, energy lost in 0.5 s, h = 1e-3", lost);
  test::show("eulers-disk, the same, h = 5e-4", lost_fine);
  EXPECT_LT(std::abs(lost), 5e-3);
  EXPECT_LT(std::abs(lost_fine), 5e-3);
}

TEST(Rolling, a_disk_at_thirty_degrees_keeps_its_energy_and_its_tilt) {
  Simulation<3> simulation(disk_scene(std::numbers::pi / 6, 1e-3));
  const double lost = lost_energy(simulation);
  const double axis = simulation.bodies().pose[1].rotation()(2, 2);
  test::show("disk at 30 degrees, energy lost in 0.5 s", lost);
  test::show("disk at 30 degrees, tilt after 0.5 s", std::acos(axis) * 180 / std::numbers::pi, 30);
  EXPECT_LT(std::abs(lost), 5e-3);
  EXPECT_NEAR(std::acos(axis) * 180 / std::numbers::pi, 30, 0.5);
}

// Straight on, on its side or on its rim, nothing of the frame or the lever arm changes: energy to round-off.
TEST(Rolling, a_cylinder_on_its_side_and_a_coin_on_its_rim_roll_on) {
  for (const double half_length : {0.1, 0.002}) {
    Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 0.6), 1e-3);
    scene.end_time = 1;
    SceneBody<3> wheel = test::body<3>(Cylinder{0.05, half_length}, Vec<3>(0, 0, 0.05), Vec<3>(1, 0, 0));
    wheel.pose.rotate(Vec<3>(std::numbers::pi / 2, 0, 0));
    wheel.spin = Vec<3>(0, 1 / 0.05, 0);
    scene.bodies = {test::ground<3>(), wheel};
    Simulation<3> simulation(scene);
    EXPECT_LT(std::abs(lost_energy(simulation)), 1e-9) << half_length;
    EXPECT_NEAR(simulation.bodies().pose[1].position.x(), 1, 1e-6) << half_length;
  }
}

TEST(Rolling, a_ball_in_a_bowl_keeps_its_energy) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 1), 1e-3);
  scene.end_time = 2;
  SceneBody<3> bowl = test::body<3>(HollowSphere{1.0}, Vec<3>(0, 0, 1));
  bowl.fixed = true;
  // Released half-way up: the potential energy above the bottom is what it has.
  scene.bodies = {bowl, test::body<3>(Sphere{0.1}, Vec<3>(0.9 * std::sin(1.0), 0, 1 - 0.9 * std::cos(1.0)))};
  Simulation<3> simulation(scene);
  const double weight = simulation.bodies().model[1].mass * test::kGravity;
  const double lost = lost_energy(simulation, 0.1 * weight);
  test::show("ball in a bowl, energy lost in 2 s", lost);
  EXPECT_LT(std::abs(lost), 5e-3);
}

// A rattleback as a body that rolls without slipping on its ellipsoid, in its own axes: `up` is the vertical, w the spin. With r from
// the centre of mass to the point that touches (the support along -up) and v = r x w,
//     I w' - m r x (r x w') = -w x I w + m r x (r' x w + w x (r x w) + g up),   up' = up x w.
struct RollingEllipsoid {
  double mass = 1;
  Vec<3> semi_axes{0.2, 0.03, 0.02}, middle{0, 0, 0.01};  // of the ellipsoid, from the centre of mass
  Mat<3> inertia;
  using State = Eigen::Matrix<double, 6, 1>;

  State rate(const State& y) const {
    const Vec<3> up = y.head<3>(), w = y.tail<3>(), squares = semi_axes.cwiseAbs2(),
                 scaled = squares.cwiseProduct(up), turning = up.cross(w);
    const double length = semi_axes.cwiseProduct(up).norm();
    const Vec<3> r = middle - scaled / length;
    const Vec<3> moved =
        -squares.cwiseProduct(turning) / length + scaled * scaled.dot(turning) / (length * length * length);
    Mat<3> cross;
    cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    const Vec<3> pushed = moved.cross(w) + w.cross(r.cross(w)) + test::kGravity * up;
    const Vec<3> moment = -w.cross(inertia * w) + mass * r.cross(pushed);
    State out;
    out << turning, (inertia - mass * cross * cross).inverse() * moment;
    return out;
  }

  // The classical Runge-Kutta method: its error, seen by halving the step, is far below what is compared.
  void advance(State& y, double h) const {
    const State k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
};

// Rates about the vertical at the end: of the scene, and of the rolling equations.
std::pair<double, double> spin_rattleback(double spin, double h, double until) {
  Simulation<3> simulation =
      test::open_scene<3>("rattleback", {spin < 0 ? "bodies.1.spin=[0,0,-5]" : "bodies.1.spin=[0,0,5]",
                                         spin < 0 ? "bodies.1.velocity=[0.001527050265212205,0,0]"
                                                  : "bodies.1.velocity=[-0.001527050265212205,0,0]",
                                         test::set("scheme.h", h), test::set("run.until", until)});
  RollingEllipsoid exact;
  exact.inertia << 2e-4, -2e-5, 0, -2e-5, 16e-4, 0, 0, 0, 17e-4;
  RollingEllipsoid::State y;
  const Vec<3> up = simulation.bodies().pose[1].unrotated(Vec<3>::UnitZ());
  y << up, spin * up;
  while (!simulation.finished()) {
    simulation.step();
    exact.advance(y, h);
  }
  return {simulation.bodies().spin_world(1).z(), y.tail<3>().dot(y.head<3>())};
}

// The rattling grows by itself from half a degree, e-fold in 0.25 s, and so does what a step gets wrong: hence the comparison before it is
// large, at 3 s, where the exact rate is 4.930 rad/s.
TEST(Rolling, a_rattleback_turns_back_when_spun_the_wrong_way_only) {
  const auto [coarse, answer] = spin_rattleback(-5, 5e-4, 3);
  const auto [fine, same] = spin_rattleback(-5, 2.5e-4, 3);
  test::show("rattleback, rate after 3 s, h = 5e-4, rad/s", coarse, answer);
  test::show("rattleback, the same, h = 2.5e-4", fine, same);
  // First order at least: halving the step halves the error.
  EXPECT_LT(std::abs(fine - same), 0.5 * std::abs(coarse - answer));
  const auto [back, back_answer] = spin_rattleback(-5, 5e-4, 6);
  test::show("rattleback spun the wrong way, rate after 6 s, rad/s", back, back_answer);
  EXPECT_GT(back, 0);
  EXPECT_GT(back_answer, 0);
  const auto [on, on_answer] = spin_rattleback(5, 5e-4, 6);
  test::show("rattleback spun the other way, rate after 6 s, rad/s", on, on_answer);
  // It loses 0.017 rad/s exactly, and a step no more than that on top.
  EXPECT_NEAR(on, on_answer, 0.017);
}

}  // namespace
}  // namespace saltus
