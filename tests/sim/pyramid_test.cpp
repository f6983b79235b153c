// A pyramid of 9 + 4 + 1 equal spheres on a rough floor: 45 contacts on 84 degrees of freedom.
//
// Whether impulses within the cones hold it is a question of statics: by linear programming over cones of 64 sides inside
// Coulomb's (equilibrium of forces and moments of each sphere, the friction of all contacts the same) they do from
// mu = 0.524 on, and not below.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/sim_scenes.hpp"

namespace saltus::pyramid_test {
namespace {

constexpr double kRadius = 0.05;

Scene<3> pyramid(double mu) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, mu), 2e-3);
  scene.solver.tolerance_velocity = 0;  // 1e-3 g h, the default
  scene.bodies = {test::ground<3>()};
  for (int layer = 0; layer < 3; ++layer)
    for (int i = 0; i < 3 - layer; ++i)
      for (int j = 0; j < 3 - layer; ++j)
        scene.bodies.push_back(test::body<3>(
            Sphere{kRadius}, kRadius * Vec<3>(2 * i + layer, 2 * j + layer, 1 + layer * std::sqrt(2.0))));
  return scene;
}

// How far the sphere on top has come down, m.
double fall(double mu, int steps) {
  Simulation<3> simulation(pyramid(mu));
  test::run(simulation, steps);
  return pyramid(mu).bodies.back().pose.position[2] - simulation.bodies().pose.back().position[2];
}

TEST(Pyramid, stands_where_friction_can_hold_it) {
  // Up to two tolerances (1e-3 g h) count as rest, in each of 200 steps.
  const double allowed = 200 * 2e-3 * 9.81 * 2e-3 * 2e-3;
  for (const double mu : {0.53, 0.54, 0.56, 0.6, 0.7, 0.8}) EXPECT_LT(std::abs(fall(mu, 200)), allowed) << mu;
}

TEST(Pyramid, collapses_where_it_cannot) { EXPECT_GT(fall(0.515, 200), 0.1 * kRadius); }

}  // namespace
}  // namespace saltus::pyramid_test
