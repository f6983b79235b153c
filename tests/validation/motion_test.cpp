// Motions of space with known answers, from scene files: the order of the scheme is measured.
#include <algorithm>

#include "validation/library_run.hpp"

namespace saltus::motion_test {
namespace {

// Angle between the orientation reached and the exact one, rad. A free symmetric top turns by t L/I about its
// angular momentum L, and about its own axis by what is left of its spin.
double precession_error(double h) {
  Simulation<3> simulation = test::open_scene<3>("spinning-cylinder", {test::set("scheme.h", h)});
  while (!simulation.finished()) simulation.step();
  const Inertia<3> inertia = simulation.bodies().model[0].inertia;
  const Vec<3> spin(3, 0, 10), precession = inertia * spin / inertia(0, 0);
  const double t = simulation.time();
  const Eigen::Quaterniond exact =
      exponential_map(t * precession) * exponential_map(t * Vec<3>(0, 0, spin.z() - precession.z()));
  return exact.angularDistance(simulation.bodies().pose[0].orientation());
}

TEST(SpinningCylinder, precesses_as_euler_says_to_second_order) {
  const double coarse = precession_error(1e-3), fine = precession_error(5e-4);
  test::show("spinning-cylinder, error of orientation after 2 s, h = 1e-3, rad", coarse);
  test::show("spinning-cylinder, the same, h = 5e-4", fine);
  // Leading error c h^2, and h |w| = 1e-2: the next order is 1 % of it.
  EXPECT_NEAR(coarse / fine, 4, 0.1);
  // |w|^3 t h^2/12 is the error of the midpoint rule for a turn at |w| = 10.4 rad/s: 1.9e-4 rad.
  EXPECT_LT(coarse, 1.9e-4);
}

struct Crossing {
  double worst = 0;  // of |v| + v_x - v0
  Vec<3> end = Vec<3>::Zero();
};

Crossing cross_incline(double h) {
  const double angle = 0.35;
  Simulation<3> simulation = test::open_scene<3>(
      "incline-3d", {test::set_incline<3>(angle), test::set("law.friction", std::tan(angle)),
                     "bodies.1.velocity=[0.0, 1.0, 0.0]", "run.until=3.0", test::set("scheme.h", h)});
  Crossing result;
  while (!simulation.finished()) {
    simulation.step();
    result.end = simulation.bodies().velocity[1];
    result.worst = std::max(result.worst, std::abs(result.end.norm() + result.end.x() - 1));
  }
  return result;
}

// Friction opposes the velocity, whatever its direction: with mu = tan(angle) the speed loses what the
// downhill component gains, |v| + v_x = v0, and a block thrown across at v0 ends going straight down at v0/2.
TEST(Incline, a_box_thrown_across_turns_downhill_at_half_its_speed) {
  const Crossing coarse = cross_incline(1e-3), fine = cross_incline(5e-4);
  test::show("incline-3d across, h = 1e-3: worst of |v| + v_x - v0, m/s", coarse.worst);
  test::show("incline-3d across, h = 5e-4: the same", fine.worst);
  test::show("incline-3d across, speed at the end", fine.end.x(), 0.5);
  // First order (friction is implicit): a step of g sin(angle) h = 3.4e-3 m/s is the scale of the error.
  EXPECT_NEAR(coarse.worst / fine.worst, 2, 0.1);
  EXPECT_LT(coarse.worst, test::kGravity * std::sin(0.35) * 1e-3);
  // The speed it ends with is off by half of that, and of first order as well.
  EXPECT_NEAR((coarse.end.x() - 0.5) / (fine.end.x() - 0.5), 2, 0.1);
  EXPECT_NEAR(fine.end.x(), 0.5, 0.5 * test::kGravity * std::sin(0.35) * 5e-4);
  // The component across decays as exp(-2 g sin(angle) t/v0), or 2e-9 after 3 s.
  EXPECT_LT(std::abs(fine.end.y()), 1e-8);
}

}  // namespace
}  // namespace saltus::motion_test
