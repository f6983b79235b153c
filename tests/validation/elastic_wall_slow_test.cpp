// Jean 1999, section 9.3, small: gravity comes at once on elastic blocks laid on a rigid foundation; where the force on it is their weight, they
// are stopped and left to themselves.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/log.hpp"
#include "saltus/scenes/scene_at_rest.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/trajectories/trajectory_final.hpp"

namespace saltus::elastic_wall_slow_test {
namespace {

// The sides of a block of four triangles are whole segments, whose middles lie over the head joints of the course below, where nothing holds
// them: its contact points are Gauss's.
Scene<2> wall_of(const std::string& pattern) {
  const std::string points = pattern == "four" ? "quadrature" : "middles";
  return std::get<Scene<2>>(parse_scene(R"(
dimension = 2
gravity = [0, -9.81]
[scheme]
h = 2e-4
[solver]
tolerance = 1e-4
[run]
until = 1
[law]
kind = "gap-signorini"
friction = 0.5
[[bodies]]
name = "foundation"
shape = { kind = "half-plane" }
fixed = true
[[deformable]]
name = "block"
mesh = { kind = "rectangle", size = [0.1, 0.05], divisions = [1, 1], element = "t3", pattern = ")" +
                                            pattern + R"(" }
centre = [0.05, 0.025]
solid = { kind = "linear-elastic", young = 1e6, poisson = 0.3, density = 500 }
mass = "lumped"
wall = { bricks = 3, courses = 4 }
contact_corners = false
contact_points = ")" + points + "\"\n",
                                        "wall.toml")
                                .scene);
}

// Force of the wall on the foundation, N, downwards.
double foundation_force(const Simulation<2>& simulation) {
  double force = 0;
  for (const ContactState<2>& c : simulation.contacts()) {
    const double up = (c.axes * c.impulse).y() / simulation.scene().scheme.h;
    if (c.a == 0) force += up;
    if (c.b == 0) force -= up;
  }
  return force;
}

// A rod that gravity takes at once presses its foot with rho c g t until the wave has gone up, and swings between 0 and twice its
// weight. Stopped where the foot carries the weight it has nearly the displacements of rest: what is left of the swing is what the
// wave had not yet settled: a quarter of the weight is the bound (the wall of 144 blocks swings by 12 %), a twelfth of it on average.
TEST(ElasticWall, stopped_where_the_foundation_carries_the_weight_it_stays_near_rest) {
  const double weight = 12 * 0.1 * 0.05 * 500 * 9.81;
  for (const std::string pattern : {"eight", "four"}) {
    SCOPED_TRACE(pattern);
    Simulation<2> start(wall_of(pattern));
    ASSERT_EQ(start.system_count(), 12);
    EXPECT_EQ(start.system_mesh(0).cells.size(), pattern == "eight" ? 8u : 4u);
    int steps = 0;
    for (; steps < 200 && foundation_force(start) < weight; ++steps)
      ASSERT_EQ(start.step().status, StepStatus::converged);
    // The wave climbs 0.2 m at sqrt(E (1 - nu)/((1 + nu)(1 - 2 nu) rho)) = 51.9 m/s (bounds of plane strain and of a rod that is free at its
    // sides, 44.7): 3.9 to 4.5 ms, a little more through joints.
    EXPECT_GT(start.time(), 3.5e-3);
    EXPECT_LT(start.time(), 7e-3);
    Scene<2> scene = build_final_scene(start);
    set_at_rest(scene);
    Simulation<2> rest(scene);
    EXPECT_GT(rest.system_coordinates(0).norm(), 0);
    double sum = 0, worst = 0;
    constexpr int kSteps = 500;
    for (int k = 0; k < kSteps; ++k) {
      ASSERT_EQ(rest.step().status, StepStatus::converged);
      const double force = foundation_force(rest);
      sum += force / kSteps;
      worst = std::max(worst, std::abs(force - weight));
    }
    EXPECT_LT(worst, 0.25 * weight);
    EXPECT_NEAR(sum, weight, weight / 12);
    // Poisson's effect presses head joints: contacts between neighbours of the lowest course that push sideways.
    int pressed = 0;
    for (const ContactState<2>& c : rest.contacts())
      if (std::abs(c.axes(0, 0)) > 0.9 && c.impulse[0] > 0 && c.point.y() < 0.05) ++pressed;
    EXPECT_GT(pressed, 0);
  }
}

}  // namespace
}  // namespace saltus::elastic_wall_slow_test
