// Reference trajectories of the alpha scheme with constraints on positions alone (README.md beside the files).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "paths.hpp"
#include "validation/library_run.hpp"

namespace saltus::alpha_reference_test {
namespace {

std::vector<std::vector<double>> load_reference(const std::string& name) {
  const char* shared = std::getenv("SALTUS_SHARED");
  std::ifstream file(std::string(shared ? shared : SALTUS_SHARED) + "/reference/" + name + ".ref");
  std::size_t rows = 0, columns = 0;
  file >> rows >> columns;
  std::vector<std::vector<double>> table(file ? rows : 0, std::vector<double>(columns));
  for (auto& row : table)
    for (double& value : row) file >> value;
  return table;
}

// Row 1 is t = 0; the README allows 1e-10 in q and 1e-9 in v, 1e-4 in the multiplier (round-off over h^2).
TEST(AlphaReference, simple_pendulum) {
  const auto rows = load_reference("SimplePendulumED_AlphaScheme");
  if (rows.empty()) GTEST_SKIP() << "reference/SimplePendulumED_AlphaScheme.ref not found: set SALTUS_SHARED";
  Simulation<2> simulation = test::open_scene<2>("reference-simple-pendulum");
  const double h = simulation.scene().scheme.h;
  double q = 0, v = 0, force = 0, rate = 0;
  for (std::size_t k = 2; k < rows.size(); ++k) {
    ASSERT_EQ(simulation.step().status, StepStatus::converged);
    const Eigen::VectorXd &x = simulation.system_coordinates(0), &dx = simulation.system_velocity(0);
    for (int i = 0; i < 2; ++i) {
      q = std::max(q, std::abs(x[i] - rows[k][1 + i]));
      v = std::max(v, std::abs(dx[i] - rows[k][3 + i]));
    }
    rate = std::max(rate, std::abs(-2 * x.dot(dx) - rows[k][8]));
    force = std::max(force, std::abs(simulation.gap_impulses()[0] / h - rows[k][9]));
  }
  test::show("SimplePendulumED_AlphaScheme, position", q);
  test::show("SimplePendulumED_AlphaScheme, velocity", v);
  test::show("SimplePendulumED_AlphaScheme, rate of the constraint", rate);
  test::show("SimplePendulumED_AlphaScheme, multiplier", force);
  EXPECT_LT(q, 1e-10);
  EXPECT_LT(v, 1e-9);
  EXPECT_LT(rate, 1e-9);
  EXPECT_LT(force, 1e-4);
}

// Free fall, up to the row before the event: relative to 1 m and 3 m/s.
TEST(AlphaReference, rocking_block_up_to_its_event) {
  const auto rows = load_reference("RockingBlockED_NewMarkAlpha");
  if (rows.empty()) GTEST_SKIP() << "reference/RockingBlockED_NewMarkAlpha.ref not found: set SALTUS_SHARED";
  Simulation<2> simulation = test::open_scene<2>("reference-rocking-block");
  double worst = 0;
  for (std::size_t k = 1; k <= 301; ++k) {
    simulation.step();
    for (int i = 0; i < 3; ++i) {
      worst = std::max(worst, std::abs(simulation.system_coordinates(0)[i] - rows[k][1 + i]));
      worst = std::max(worst, std::abs(simulation.system_velocity(0)[i] - rows[k][4 + i]));
    }
  }
  test::show("RockingBlockED_NewMarkAlpha up to its event", worst);
  EXPECT_LT(worst, 5e-14 * 3);
}

}  // namespace
}  // namespace saltus::alpha_reference_test
