// What cannot hold together is told before any step: which joints, constraints, motors and drives, and how many equations of which rank.
#include <gtest/gtest.h>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::contradictions_test {
namespace {

std::string told(const std::string& keys) {
  const std::string head = "dimension = 2\nlaw = {}\n[scheme]\nh = 1e-3\n";
  const Simulation<2> simulation(std::get<Scene<2>>(parse_scene(head + keys, "scene.toml").scene));
  std::string all;
  for (const std::string& text : simulation.scene_warnings()) all += text + '\n';
  return all;
}

std::string system_of(const std::string& constraints) {
  return "[[system]]\nname = \"s\"\ncoordinates = [\"x\", \"y\"]\nmass = { diagonal = [1, 1] }\nconstraints "
         "= [" +
         constraints + "]\n";
}

std::string wheel(const std::string& name, const std::string& x, const std::string& motor) {
  return "[[bodies]]\nname = \"" + name + "\"\nshape = { kind = \"disk\", radius = 0.1 }\nposition = [" + x +
         ", 0]\n[[joints]]\nname = \"pin " + name + "\"\nkind = \"revolute\"\nbodies = [\"" + name +
         "\"]\npoint = [" + x + ", 0]\nangle = { motor = " + motor + " }\n";
}
std::string gear(const std::string& ratio) {
  return "[[joints]]\nname = \"mesh\"\nkind = \"gear\"\njoints = [\"pin a\", \"pin b\"]\nratio = " + ratio +
         "\n";
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

// 0.1 + 0.3 is not 0.2: off by 0.2 m/s.
TEST(Contradictions, constraints_of_a_system_that_cannot_hold_are_told_with_rank_and_remedy) {
  expect_parts(told(system_of(R"("x - 0.1*t", "x + y - 0.2*t", "y - 0.3*t")")),
               {"scene.toml:9:", "constraint \"x - 0.1*t\"", "constraint \"x + y - 0.2*t\"",
                "constraint \"y - 0.3*t\"", "of system \"s\"", "cannot hold together at the start",
                "3 equations of rank 2", "off by 0.2 m/s", "leave one of them out"});
}

TEST(Contradictions, constraints_that_repeat_others_are_loops_and_no_contradiction) {
  const std::string text = system_of(R"("x - 0.1*t", "x + y - 0.2*t", "y - 0.1*t")");
  EXPECT_EQ(told(text), "");
  const Simulation<2> simulation(
      std::get<Scene<2>>(parse_scene("dimension = 2\nlaw = {}\n" + text, "s").scene));
  const auto found = simulation.joint_findings();
  ASSERT_EQ(found.size(), 1u);
  expect_parts(found[0],
               {"1 system holds 3 rows of rank 2", "1 of constraint \"y - 0.1*t\" of system \"s\""});
}

// Both begin at rest: what they ask for later differs.
TEST(Contradictions, that_begin_at_rest_are_told_with_their_time) {
  expect_parts(told(system_of(R"("x - t^2", "x - 2*t^2")")),
               {"cannot hold together: 2 equations of rank 1", "at t = 0.113 s"});
  EXPECT_EQ(told(system_of(R"("x - t^2", "2*x - 2*t^2")")), "");
}

// A pair of formulas that depend on each other where the system starts, and nowhere else: nothing is said of later times.
TEST(Contradictions, of_formulas_that_agree_at_the_start_alone_are_not_made_up) {
  EXPECT_EQ(told(system_of(R"("x + y^2 - t^2", "x - y^2 - 2*t^2")")), "");
}

TEST(Contradictions, of_motors_on_both_sides_of_a_gear) {
  expect_parts(
      told(wheel("a", "0", "{ velocity = 1 }") + wheel("b", "1", "{ velocity = 1 }") + gear("2")),
      {"the motor along angle of joint \"pin a\"", "the motor along angle of joint \"pin b\"",
       "joint \"mesh\"", "3 equations of rank 2", "off by 0.5 m/s or rad/s", "give a motor a limit"});
  const std::string agreed =
      wheel("a", "0", "{ velocity = 2 }") + wheel("b", "1", "{ velocity = 1 }") + gear("2");
  EXPECT_EQ(told(agreed), "");
  const std::string limited =
      wheel("a", "0", "{ velocity = 1, limit = 9 }") + wheel("b", "1", "{ velocity = 1 }") + gear("2");
  EXPECT_EQ(told(limited), "");
}

TEST(Contradictions, of_the_drive_of_a_body_and_its_joint) {
  expect_parts(told(R"([[bodies]]
name = "a"
shape = { kind = "disk", radius = 0.1 }
drive = { x = { velocity = 1 } }
[[joints]]
name = "pin"
kind = "revolute"
bodies = ["a"]
point = [0, 0]
)"),
               {"joint \"pin\"", "the drive of body \"a\"", "1 equation of rank 0", "off by 1 m/s"});
}

// A crank that a motor turns and a slide that moves as its geometry says: redundant, and no contradiction.
TEST(Contradictions, a_mechanism_driven_twice_as_its_geometry_says_has_none) {
  const std::string text = told(R"([[bodies]]
name = "crank"
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.5]
[[bodies]]
name = "rod"
shape = { kind = "disk", radius = 0.1 }
position = [1, 0.5]
[[bodies]]
name = "slider"
shape = { kind = "disk", radius = 0.1 }
position = [2, 0]
[[joints]]
kind = "revolute"
bodies = ["crank"]
point = [0, 0]
angle = { motor = { velocity = -0.5 } }
[[joints]]
kind = "revolute"
bodies = ["crank", "rod"]
point = [0, 1]
[[joints]]
kind = "revolute"
bodies = ["rod", "slider"]
point = [2, 0]
[[joints]]
kind = "prismatic"
bodies = ["slider"]
point = [2, 0]
axis = [1, 0]
slide = { motor = { position = "sin(0.5*t) + sqrt(5 - cos(0.5*t)^2) - 2" } }
)");
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace saltus::contradictions_test
