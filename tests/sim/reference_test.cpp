// Trajectories of Siconos' tutorials, reproduced through the C++ interface. Accuracies are those its
// README gives for an independent recomputation, times ten for another order of operations.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "sim/sim_scenes.hpp"

#ifndef SALTUS_SHARED
#define SALTUS_SHARED "../shared"
#endif

namespace saltus {
namespace {

std::vector<std::vector<double>> load(const std::string& name) {
  const char* shared = std::getenv("SALTUS_SHARED");
  std::ifstream file(std::string(shared ? shared : SALTUS_SHARED) + "/reference/" + name + ".ref");
  std::size_t rows = 0, columns = 0;
  file >> rows >> columns;
  std::vector<std::vector<double>> table(rows, std::vector<double>(columns));
  for (auto& row : table)
    for (double& value : row) file >> value;
  return file ? table : std::vector<std::vector<double>>();
}

#define SALTUS_LOAD(table, name) \
  const auto table = load(name); \
  if (table.empty())             \
  GTEST_SKIP() << "reference/" << name << ".ref not found: set SALTUS_SHARED to the shared folder"

PairLaw newton(double e) {
  PairLaw law = test::law(LawKind::newton);
  law.restitution = e;
  return law;
}

TEST(Reference, bouncing_ball) {
  SALTUS_LOAD(rows, "BouncingBallTS");
  Scene<2> scene = test::scene<2>(newton(0.9), 0.005);
  SceneBody<2> ball = test::body<2>(Disk{0.1}, {0, 1.1});
  ball.mass = 1;
  scene.bodies = {test::ground<2>(), ball};
  Simulation<2> simulation(scene);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    simulation.step();
    ASSERT_NEAR(simulation.bodies().pose[1].position.y() - 0.1, rows[k][1], 3e-13) << k;
    ASSERT_NEAR(simulation.bodies().velocity[1].y(), rows[k][2], 3e-13) << k;
    const double impulse = simulation.contacts().empty() ? 0 : simulation.contacts()[0].impulse[0];
    ASSERT_NEAR(impulse, rows[k][3], 3e-13) << k;
  }
}

TEST(Reference, column_of_beads) {
  SALTUS_LOAD(rows, "ColumnOfBeadsTS");
  Scene<2> scene = test::scene<2>(newton(0.9), 5e-4);
  scene.bodies = {test::ground<2>()};
  for (int i = 0; i < 10; ++i) {
    scene.bodies.push_back(test::body<2>(Disk{0.1}, {0, 1 + 0.25 * i}));
    scene.bodies.back().mass = 1;
  }
  scene.solver.tolerance_velocity = 1e-15;
  Simulation<2> simulation(scene);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    simulation.step();
    for (int i = 0; i < 10; ++i) {
      // Iterated to 1e-15 of residual, not solved directly: errors of 1e-14 per impact in velocity, 4000
      // steps.
      ASSERT_NEAR(simulation.bodies().pose[i + 1].position.y(), rows[k][1 + 2 * i], 1e-11)
          << k << " bead " << i;
      ASSERT_NEAR(simulation.bodies().velocity[i + 1].y(), rows[k][2 + 2 * i], 1e-11) << k << " bead " << i;
    }
  }
}

TEST(Reference, disc_with_friction_and_spin) {
  SALTUS_LOAD(rows, "Ball2D_kernel_only_with_friction");
  PairLaw law = newton(0.9);
  law.friction = 0.1;
  Scene<2> scene = test::scene<2>(law, 0.005);
  scene.scheme.activation = Activation::end;
  SceneBody<2> ball = test::body<2>(Disk{0.5}, {0, 1});
  ball.mass = 1;
  ball.inertia = Inertia<2>(0.1);
  ball.spin[0] = 2;
  scene.bodies = {test::ground<2>(), ball};
  Simulation<2> simulation(scene);
  // Its x is up and its y is our -x.
  for (std::size_t k = 1; k < rows.size(); ++k) {
    simulation.step();
    const auto& bodies = simulation.bodies();
    ASSERT_NEAR(bodies.pose[1].position.y(), rows[k][1], 3e-12) << k;
    ASSERT_NEAR(bodies.velocity[1].y(), rows[k][2], 3e-12) << k;
    ASSERT_NEAR(bodies.spin[1][0], rows[k][3], 3e-12) << k;
    ASSERT_NEAR(-bodies.pose[1].position.x(), rows[k][6], 3e-12) << k;
    ASSERT_NEAR(-bodies.velocity[1].x(), rows[k][8], 3e-12) << k;
  }
}

TEST(Reference, sphere_with_rolling_friction) {
  SALTUS_LOAD(rows, "BouncingBallNETS");
  PairLaw law = newton(0.9);
  law.restitution_tangent = 0.9;
  law.friction = 0.6;
  law.rolling = 0.01;
  Scene<3> scene = test::scene<3>(law, 0.005);
  scene.gravity = {-9.81, 0, 0};
  scene.scheme.jacobian_at = JacobianAt::predicted;
  SceneBody<3> floor, ball = test::body<3>(Sphere{0.1}, {1, 0, 0}, {2, 0, 0});
  floor.shape = Plane{Vec<3>(1, 0, 0), 0};
  floor.fixed = true;
  ball.mass = 1;
  ball.inertia = Inertia<3>::Identity();
  ball.spin = {0, 0, 1};
  scene.bodies = {floor, ball};
  Simulation<3> simulation(scene);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    simulation.step();
    const auto& bodies = simulation.bodies();
    for (int i = 0; i < 3; ++i) {
      ASSERT_NEAR(bodies.pose[1].position[i], rows[k][1 + i], 6e-12) << k;
      ASSERT_NEAR(bodies.velocity[1][i], rows[k][8 + i], 5e-10) << k;
      ASSERT_NEAR(bodies.spin[1][i], rows[k][11 + i], 5e-10) << k;
    }
  }
}

}  // namespace
}  // namespace saltus
