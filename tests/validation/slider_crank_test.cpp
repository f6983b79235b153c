// The slider-crank with clearance of Flores, Leine and Glocker as a Lagrangian system: against an integration of its equations
// until it first touches, and against the trajectory stored with Siconos' tutorials as far as that one is accurate.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "paths.hpp"
#include "validation/library_run.hpp"

namespace saltus::slider_crank_test {
namespace {

constexpr double kL1 = 0.153, kL2 = 0.306, kClearance = 0.001;

// Angles and rates of crank and rod at time t, without contact: classical Runge-Kutta in steps of 1 us.
std::array<double, 4> fly(double t) {
  constexpr double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, g = test::kGravity;
  const double A = J1 + (m1 / 4 + m2 + m3) * kL1 * kL1, B = J2 + (m2 / 4 + m3) * kL2 * kL2,
               X = (m2 / 2 + m3) * kL1 * kL2;
  using State = std::array<double, 4>;
  const auto slope = [&](const State& y) {
    const double x = X * std::cos(y[1] - y[0]), s = X * std::sin(y[0] - y[1]), det = A * B - x * x;
    const double f1 = -s * y[3] * y[3] - (m1 / 2 + m2 + m3) * g * kL1 * std::cos(y[0]);
    const double f2 = s * y[2] * y[2] - (m2 / 2 + m3) * g * kL2 * std::cos(y[1]);
    return State{y[2], y[3], (B * f1 - x * f2) / det, (A * f2 - x * f1) / det};
  };
  const auto moved = [](State y, const State& k, double c) {
    for (int i = 0; i < 4; ++i) y[i] += c * k[i];
    return y;
  };
  State y{0, 0, 150, -75};
  const int steps = static_cast<int>(std::lround(t / 1e-6));
  const double h = t / steps;
  for (int k = 0; k < steps; ++k) {
    const State a = slope(y), b = slope(moved(y, a, h / 2)), c = slope(moved(y, b, h / 2)),
                d = slope(moved(y, c, h));
    for (int i = 0; i < 4; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

TEST(SliderCrank, flies_as_its_equations_say_at_second_order) {
  const double end = 2.6e-3;  // it first touches at 2.7e-3 s
  const std::array<double, 4> exact = fly(end);
  double error[2] = {};
  for (const int i : {0, 1}) {
    const double h = 1e-4 / (1 << i);
    Simulation<2> simulation = test::open_scene<2>("slider-crank-lagrangian", {test::set("scheme.h", h)});
    while (simulation.time() < end - h / 2) simulation.step();
    for (const int k : {0, 1})
      error[i] = std::max(error[i], std::abs(simulation.system_coordinates(0)[k] - exact[k]));
  }
  test::show("slider-crank at 2.6 ms, 26 steps, rad", error[0]);
  EXPECT_NEAR(error[0] / error[1], 4, 0.2);
  EXPECT_LT(error[0], 1e-5);
}

// Where it first hits, both upper corners share the impact, and it leaves with e = 0.4 of its velocity.
TEST(SliderCrank, first_hits_with_two_corners_and_leaves_with_their_restitution) {
  Simulation<2> simulation = test::open_scene<2>("slider-crank-lagrangian");
  while (simulation.gaps()[0].impulse[0] == 0) {
    ASSERT_LT(simulation.steps(), 40);
    simulation.step();
  }
  const auto gaps = simulation.gaps();
  EXPECT_GT(gaps[1].impulse[0], 0);
  EXPECT_EQ(gaps[2].impulse[0], 0);
  EXPECT_EQ(gaps[3].impulse[0], 0);
  // The velocity at the start of the step, with H half a step ahead, where the law is written.
  const double h = 1e-4;
  const std::array<double, 4> there = fly(simulation.time() - h);
  const double incoming = kL1 * std::cos(there[0] + h / 2 * there[2]) * there[2] +
                          kL2 * std::cos(there[1] + h / 2 * there[3]) * there[3];
  // 1 m/s is the difference of two velocities of 15 m/s, each of them within 1e-5 of the integration.
  EXPECT_NEAR(gaps[0].velocity[0] / incoming, 0.4, 1e-3);
  // By symmetry it does not turn.
  EXPECT_LT(std::abs(simulation.system_coordinates(0)[2]), 1e-12);
}

TEST(SliderCrank, agrees_with_the_stored_trajectory_as_far_as_that_is_accurate) {
  const char* shared = std::getenv("SALTUS_SHARED");
  std::ifstream file(std::string(shared ? shared : SALTUS_SHARED) +
                     "/reference/SliderCrankMoreauJeanDirectProjectionOSI.ref");
  std::size_t rows = 0, columns = 0;
  if (!(file >> rows >> columns))
    GTEST_SKIP() << "reference/SliderCrankMoreauJeanDirectProjectionOSI.ref not found: set SALTUS_SHARED";
  std::vector<std::vector<double>> table(rows, std::vector<double>(columns));
  for (auto& row : table)
    for (double& value : row) file >> value;
  Simulation<2> simulation = test::open_scene<2>("slider-crank-lagrangian");
  int ours = 0, theirs = 0;
  bool was[2] = {};
  double apart = 0, overlap = 0;
  for (std::size_t k = 1; k < rows; ++k) {
    ASSERT_EQ(simulation.step().status, StepStatus::converged);
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    if (k <= 26)
      for (const int i : {0, 1})
        apart = std::max(apart, std::abs(q[i] - table[k][1 + i] * (i == 0 ? 2 * M_PI : 1)));
    const auto gaps = simulation.gaps();
    const bool hits[2] = {
        std::any_of(gaps.begin(), gaps.end(), [](const auto& g) { return g.impulse[0] > 0; }),
        *std::max_element(table[k].begin() + 21, table[k].begin() + 25) > 0};
    ours += hits[0] && !was[0];
    theirs += hits[1] && !was[1];
    std::copy(std::begin(hits), std::end(hits), was);
    for (const auto& gap : gaps) overlap = std::max(overlap, -gap.gap);
  }
  test::show("slider-crank until it touches, rad from the stored one", apart);
  test::show("slider-crank, impacts in 0.2 s, and those stored", ours, theirs);
  test::show("slider-crank, largest overlap over clearance", overlap / kClearance);
  // The stored scheme has M at the end of the step beside the mean of the forces: its own error at row 26, against the
  // integration above, is 5.2e-4 rad, of first order in h.
  EXPECT_LT(apart, 6e-4);
  // Impacts amplify that; both count those of a few turns of a crank that loses speed.
  EXPECT_NEAR(ours, theirs, 0.3 * theirs);
}

}  // namespace
}  // namespace saltus::slider_crank_test
