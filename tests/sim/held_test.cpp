// What is held: by three hinges where one would do, by jaws, by layers; and by what stiffness nothing is.
#include <gtest/gtest.h>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::held_test {
namespace {

Simulation<3> build(const std::string& text) {
  return Simulation<3>(std::get<Scene<3>>(parse_scene(text, "scene.toml").scene));
}

// A ball hits a door on three hinges, whose rows repeat each other.
double spin_of_door(const std::string& solver) {
  std::string text =
      "dimension = 3\ngravity = [0, 0, -9.81]\n[scheme]\nh = 1e-3\n[run]\nuntil = 1\n[solver]\nname = \"" +
      solver +
      "\"\n[law]\nfriction = 0.3\n"
      "[[bodies]]\nname = \"door\"\nshape = { kind = \"box\", size = [1, 0.05, 2] }\nposition = [0.5, 0, 1]\n"
      "[[bodies]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"plane\", offset = -0.01 }\n"
      "[[bodies]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.1 }\nposition = [0.8, -1, 0.09]\n"
      "velocity = [0, 3, 0]\n";
  for (const char* height : {"0.2", "1", "1.8"})
    text += std::string(
                "[[joints]]\nkind = \"revolute\"\nbodies = [\"door\"]\naxis = [0, 0, 1]\npoint = [0, 0, ") +
            height + "]\n";
  Simulation<3> simulation = build(text);
  while (!simulation.finished()) simulation.step();
  EXPECT_EQ(simulation.summary().unconverged_steps, 0);
  return simulation.bodies().spin_world(0).z();
}

TEST(Held, a_door_on_three_hinges_turns_alike_by_the_interior_point_method) {
  // Free of friction after the blow, 0.2133 rad/s. At the blow the tolerance, 1e-3 g h = 1e-5 m/s at an arm of 1 m, and a
  // thousandth of it in each of 1000 steps.
  EXPECT_NEAR(spin_of_door("ipm"), spin_of_door("auto"), 2e-5);
}

std::string jaws(const std::string& law, int boxes, double force, const std::string& solver) {
  std::string text =
      "dimension = 3\ngravity = [0, 0, -9.81]\n[scheme]\nh = 1e-3\n[run]\nuntil = 0.5\n[solver]\nname = \"" +
      solver + "\"\n[law]\n" + law;
  for (int i = 0; i < boxes; ++i)
    text += "[[bodies]]\nmass = 2\nshape = { kind = \"box\", size = [0.1, 0.1, 0.1] }\nposition = [" +
            std::to_string(0.1 * i - 0.05 * (boxes - 1)) + ", 0, 0]\n";
  for (const int side : {-1, 1})
    text += "[[bodies]]\nmass = 1\nshape = { kind = \"box\", size = [0.05, 0.2, 0.2] }\nposition = [" +
            std::to_string(side * (0.05 * boxes + 0.025)) +
            ", 0, 0]\nlocked = [\"y\", \"z\", \"rx\", \"ry\", \"rz\"]\nforce = { x = " +
            std::to_string(-side * force) + " }\n";
  return text;
}

TEST(Held, six_boxes_between_jaws_stay_up_by_the_interior_point_method) {
  // mu F = 1.05 times half of the weight at each jaw.
  Simulation<3> simulation =
      build(jaws("kind = \"quasi-inelastic\"\nfriction = 0.25\n", 6, 1.05 * 6 * 2 * 9.81 / 2 / 0.25, "ipm"));
  while (!simulation.finished()) simulation.step();
  // 500 steps of 1e-3 s, at each of the seven joints a tolerance of 1e-3 g h that stuck contacts may have.
  for (int i = 0; i < 6; ++i)
    EXPECT_GT(simulation.bodies().pose[i].position.z(), -500 * 1e-3 * 7 * 1e-3 * 9.81 * 1e-3) << i;
}

TEST(Held, a_layer_that_gives_way_is_no_second_solution) {
  Simulation<3> simulation =
      build(jaws("kind = \"elastic\"\nfriction = 0.25\nstiffness_normal = 1e6\nstiffness_tangent = 5e5\n", 1,
                 41.2, "auto"));
  while (!simulation.finished()) simulation.step();
  EXPECT_EQ(simulation.summary().several_steps, 0);
}

// The jaws are on slides, pressed by a force or by a motor of limited force: contacts and joints in one group.
std::string gripper(const std::string& solver, double h, bool limited) {
  std::string text = "dimension = 3\ngravity = [0, 0, -9.81]\n[scheme]\nh = " + std::to_string(h) +
                     "\n[run]\nuntil = 1\n[solver]\nname = \"" + solver +
                     "\"\n[law]\nfriction = 0.25\n[[bodies]]\nmass = 2\n"
                     "shape = { kind = \"box\", size = [0.2, 0.2, 0.2] }\nposition = [0, 0, 0]\n";
  const std::string force = std::to_string(1.05 * 2 * 9.81 / 2 / 0.25);
  for (const int side : {-1, 1}) {
    const std::string name = side < 0 ? "left" : "right", sign = side < 0 ? "-" : "";
    text += "[[bodies]]\nname = \"" + name +
            "\"\nmass = 0.5\nshape = { kind = \"box\", size = [0.05, 0.15, 0.1] }\nposition = [" + sign +
            "0.125, 0, 0]\n[[joints]]\nkind = \"prismatic\"\nbodies = [\"" + name + "\"]\npoint = [" + sign +
            "0.15, 0, 0]\naxis = [" + (side < 0 ? "1" : "-1") + ", 0, 0]\nslide = { motor = { " +
            (limited ? "velocity = 0.1, limit = " : "force = ") + force + " } }\n";
  }
  return text;
}

TEST(Held, a_box_between_jaws_on_slides_stays_up_by_every_solver) {
  for (const std::string& solver : solver_names())
    for (const double h : {2e-3, 1e-2})
      for (const bool limited : {false, true}) {
        Simulation<3> simulation = build(gripper(solver, h, limited));
        while (!simulation.finished()) simulation.step();
        EXPECT_EQ(simulation.summary().unconverged_steps, 0) << solver << " " << h << " " << limited;
        // A tolerance of 1e-3 g h at each of the two jaws, in every step of a second: 2e-3 g h 1 s.
        EXPECT_LE(std::abs(simulation.bodies().pose[0].position.z()), 2e-3 * 9.81 * h)
            << solver << " " << h << " " << limited;
      }
}

}  // namespace
}  // namespace saltus::held_test
