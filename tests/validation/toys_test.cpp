// Toys that live on impacts: Newton's cradle and the woodpecker.
#include <algorithm>
#include <vector>

#include "validation/library_run.hpp"

namespace saltus::toys_test {
namespace {

// Balls a tenth of a millimetre apart are hit one after the other: with e = 1 the last one leaves with the speed of the first and
// rises as high, 30 degrees on a rod of 0.5 m, and the others hardly move. Touching or not, no law may make energy.
TEST(Toys, a_cradle_passes_its_motion_on) {
  for (const char* law : {R"({kind="newton",restitution=1})", R"({kind="moreau",dissipation=0})",
                          R"({kind="fremond",restitution=1})"}) {
    Simulation<2> simulation = test::open_scene<2>("cradle-5", {std::string("law=") + law});
    double highest[5] = {};
    const double half = 0.8;  // s: the first ball is down after 0.37, the last one up after 0.74
    while (simulation.time() < half) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << law;
      EXPECT_EQ(report.gain_groups, 0) << law << report.time;
      if (simulation.time() < 0.45) continue;
      for (int i = 0; i < 5; ++i)
        highest[i] = std::max(highest[i], simulation.bodies().pose[i].position.y() + 0.5);
    }
    const double drop = 0.5 * (1 - std::cos(M_PI / 6));
    EXPECT_NEAR(highest[4], drop, 0.01 * drop) << law;
    for (int i = 0; i < 4; ++i) EXPECT_LT(highest[i], 0.01 * drop) << law << i;
  }
}

// The limit cycle, by the times at which the beak hits the pole. An integration of the same equations that shares no code with
// the program has 0.146 s and 19.4 to 19.5 mm.
TEST(Toys, a_woodpecker_comes_down_in_a_cycle) {
  Simulation<2> simulation = test::open_scene<2>("woodpecker");
  std::vector<double> times, places;
  while (simulation.time() < 2) {
    ASSERT_EQ(simulation.step().status, StepStatus::converged);
    if (simulation.gap_impulses()[0] == 0) continue;
    if (!times.empty() && simulation.time() - times.back() < 0.02) continue;
    times.push_back(simulation.time());
    places.push_back(simulation.system_coordinates(0)[0]);
  }
  ASSERT_GT(times.size(), 10u);
  // Cycles are alike to a step or two of slip; their mean over six.
  const std::size_t last = times.size() - 1, first = last - 6;
  for (std::size_t i = first + 1; i <= last; ++i) EXPECT_NEAR(times[i] - times[i - 1], 0.146, 0.002) << i;
  const double period = (times[last] - times[first]) / 6, drop = (places[first] - places[last]) / 6;
  test::show("woodpecker: period, s", period, 0.146);
  test::show("woodpecker: down in a cycle, m", drop, 0.0195);
  EXPECT_NEAR(period, 0.146, 0.0015);
  EXPECT_NEAR(drop, 0.0195, 0.0003);
}

}  // namespace
}  // namespace saltus::toys_test
