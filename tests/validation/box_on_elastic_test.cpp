// A rigid box on an elastic block whose nodes are as far apart as the box is wide: its corners stand on facets, and hold it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::box_on_elastic_test {
namespace {

Scene<2> box_on_block(const std::string& scheme) {
  return std::get<Scene<2>>(parse_scene(R"(
dimension = 2
gravity = [0, -9.81]
[scheme]
h = 1e-3
kind = ")" + scheme + R"("
[law]
friction = 0.5
[[deformable]]
mesh = { kind = "rectangle", size = [0.6, 0.2], divisions = [6, 2], element = "q4" }
centre = [0, 0.1]
solid = { kind = "linear-elastic", young = 1e7, poisson = 0.3, density = 1000 }
supports = [{ on = "bottom", locked = ["x", "y"] }]
[[bodies]]
shape = { kind = "rectangle", size = [0.1, 0.1] }
position = [0.01, 0.251]
density = 2000
)",
                                        "box.toml")
                                .scene);
}

TEST(BoxOnElastic, stands_upright_and_gains_no_energy) {
  for (const char* scheme : {"moreau-jean", "generalized-alpha"}) {
    SCOPED_TRACE(scheme);
    Simulation<2> simulation(box_on_block(scheme));
    const EnergyBalance start = simulation.energy_at_start();
    StepReport report;
    for (int k = 0; k < 600; ++k) report = simulation.step();
    // The block yields by less than the weight on a strip as wide as the box, 20 kg g 0.2 m/(0.1 m 1 m E) = 4e-5 m, times two where it is
    // pressed at a point; over half a width that is 2e-3 rad at the most. Held by one node the box leant by 1e-2.
    EXPECT_LT(std::abs(simulation.bodies().pose[0].angle()), 2e-3);
    EXPECT_LT(simulation.summary().penetration_relative.worst(), 1e-4);
    // 1 mm of fall is 0.2 J; what is left swings in the block.
    EXPECT_LT(report.energy.kinetic, 0.02);
    EXPECT_LE(report.energy.kinetic + report.energy.potential + report.energy.elastic_stored,
              start.kinetic + start.potential + start.elastic_stored);
  }
}

}  // namespace
}  // namespace saltus::box_on_elastic_test
