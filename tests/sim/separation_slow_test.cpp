// Position correction of many bodies under laws of impact.
#include <gtest/gtest.h>

#include <algorithm>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::separation_slow_test {
namespace {

// Grains of a collapsing column fall at 3 m/s: in 2 ms by a third of their size, and what is taken back of their overlaps is a tenth and
// more of what contacts took. In 1 ms it is below a hundredth, and nothing is said of it.
TEST(SeparationSlow, what_taking_overlaps_back_costs_is_told_where_it_is_no_trifle) {
  const auto tells = [](double h) {
    Scene<2> scene = std::get<Scene<2>>(read_scene("column-collapse").scene);
    scene.scheme.h = h;
    Simulation<2> simulation(scene);
    while (simulation.time() < 0.4) simulation.step();
    const std::vector<std::string> all = simulation.warnings();
    return std::any_of(all.begin(), all.end(), [](const std::string& text) {
      return text.find("taking overlaps back did work of") != std::string::npos;
    });
  };
  EXPECT_TRUE(tells(2e-3));
  EXPECT_FALSE(tells(1e-3));
}

}  // namespace
}  // namespace saltus::separation_slow_test
