// Loads, drives and motors that a program sets between steps.
#include "saltus/sim/controls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::controls_test {
namespace {

Scene<2> read(const std::string& text) {
  return std::get<Scene<2>>(parse_scene(text, "controls.toml").scene);
}

const std::string kFree = R"(
dimension = 2
scheme = { h = 1e-2 }
law = { friction = 0 }
[[bodies]]
name = "body"
shape = { kind = "disk", radius = 0.1 }
mass = 2
)";

void take(Simulation<2>& simulation, int steps) {
  for (int i = 0; i < steps; ++i) simulation.step();
}

TEST(controls, a_load_accelerates_beside_the_force_of_the_scene) {
  for (const char* own : {"3", "\"3\"", "{ times = [0, 9], values = [3, 3] }"}) {
    Simulation<2> simulation(read(kFree + "force = { x = " + own + " }\n"));
    simulation.set_load(0, {1, 0}, Spin<2>(0.03));
    take(simulation, 100);
    // 2 kg, 3 + 1 N for 1 s; moment 0.03 N m on m R^2/2 = 0.01 kg m^2. Exact for constant loads, to round-off.
    EXPECT_NEAR(simulation.bodies().velocity[0][0], 2, 1e-12) << own;
    EXPECT_NEAR(simulation.bodies().spin[0][0], 3, 1e-12) << own;
    EXPECT_NEAR(simulation.summary().energy.forces, 4 * 1 + 0.03 * 1.5, 1e-12) << own;
    simulation.set_load(0, {0, 0}, Spin<2>(0.0));
    take(simulation, 100);
    EXPECT_NEAR(simulation.bodies().velocity[0][0], 2 + 1.5, 1e-12) << own;
  }
}

TEST(controls, loads_are_part_of_the_state) {
  Simulation<2> simulation(read(kFree));
  simulation.set_load(0, {4, -1}, Spin<2>(0.2));
  take(simulation, 10);
  Simulation<2> fresh(simulation.scene()), twin = simulation.copy();
  fresh.restore(simulation.save());
  take(simulation, 50), take(fresh, 50), take(twin, 50);
  EXPECT_EQ(fresh.load(0).first, Vec<2>(4, -1));
  EXPECT_EQ(fresh.state_hash(), simulation.state_hash());
  EXPECT_EQ(twin.state_hash(), simulation.state_hash());
}

TEST(controls, a_load_waits_for_a_body_that_comes_later) {
  Simulation<2> simulation(read(kFree + "added_at = 0.5\n"));
  simulation.set_load(0, {4, 0}, Spin<2>(0.0));
  take(simulation, 100);
  EXPECT_NEAR(simulation.bodies().velocity[0][0], 1, 1e-12);
}

TEST(controls, a_drive_goes_at_the_speed_it_is_told) {
  Simulation<2> simulation(read(kFree + "drive = { x = { velocity = \"sin(t)\" } }\n"));
  simulation.set_drive(0, 0, 1);
  take(simulation, 10);
  simulation.set_drive(0, 0, -2);
  take(simulation, 10);
  EXPECT_EQ(simulation.bodies().velocity[0][0], -2);
  // A new speed is reached at the end of a step, which goes at the mean of the two: 0 to 1, then 1 to -2.
  EXPECT_NEAR(simulation.bodies().pose[0].position[0], 0.095 - 0.005 - 0.18, 1e-12);
}

TEST(controls, a_motor_keeps_to_its_target_and_its_limit) {
  Simulation<2> simulation(read(kFree + R"(
[[joints]]
name = "rail"
kind = "prismatic"
bodies = ["body"]
point = [0, 0]
axis = [1, 0]
slide = { motor = { velocity = 0, limit = 1000 } }
)"));
  simulation.set_motor(0, 0, 0.5, kNotSet);
  take(simulation, 5);
  EXPECT_NEAR(simulation.joint_place(0).rate[0], 0.5, 1e-9);
  simulation.set_motor(0, 0, 5, 3);
  Simulation<2> fresh(simulation.scene());
  fresh.restore(simulation.save());
  take(simulation, 10), take(fresh, 10);
  // 3 N on 2 kg for 0.1 s, to the tolerance of the solve.
  EXPECT_NEAR(simulation.joint_place(0).rate[0], 0.5 + 0.15, 1e-9);
  EXPECT_EQ(fresh.state_hash(), simulation.state_hash());
}

TEST(controls, what_cannot_be_controlled_is_an_input_error) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = HUGE_VAL;
  Simulation<2> simulation(read(kFree));
  EXPECT_THROW(simulation.set_load(0, {kNan, 0}, Spin<2>(0.0)), InputError);
  EXPECT_THROW(simulation.set_load(0, {0, 0}, Spin<2>(kInfinity)), InputError);
  EXPECT_THROW(simulation.set_load(1, {0, 0}, Spin<2>(0.0)), InputError);
  EXPECT_THROW(simulation.set_load(-1, {0, 0}, Spin<2>(0.0)), InputError);
  EXPECT_THROW(simulation.set_drive(0, 0, 1), InputError);  // no velocity drives it
  EXPECT_THROW(simulation.set_drive(0, 3, 1), InputError);
  EXPECT_THROW(simulation.set_motor(0, 0, 1, 1), InputError);
  take(simulation, 5);
  EXPECT_EQ(simulation.bodies().velocity[0], Vec<2>(0, 0));
}

}  // namespace
}  // namespace saltus::controls_test
