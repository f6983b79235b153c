// What the scheme on positions refuses, with the reason, and what it takes.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus {
namespace {

std::string refusal(const std::string& text) {
  try {
    const SceneFile file = parse_scene(text, "scene.toml");
    std::visit([](const auto& read) { Simulation simulation(read); }, file.scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string scene(const std::string& law, const std::string& body, const std::string& scheme = "") {
  return "dimension = 3\n[scheme]\nkind = \"schatzman-paoli\"\n" + scheme + "[law]\n" + law +
         "[[bodies]]\nname = \"b\"\nposition = [0, 0, 1]\n" + body;
}

const std::string kNewton = "kind = \"newton\"\nrestitution = 0.5\n";
const std::string kBall = "shape = { kind = \"sphere\", radius = 0.1 }\n";
const std::string kBox = "shape = { kind = \"box\", size = [1, 1, 1] }\n";

bool says(const std::string& message, const std::string& words) {
  return message.find(words) != std::string::npos;
}

TEST(SchatzmanPaoli, takes_balls_and_bodies_whose_rotations_are_locked) {
  EXPECT_EQ(refusal(scene(kNewton, kBall)), "");
  EXPECT_EQ(refusal(scene("kind = \"gap-signorini\"\n", kBall)), "");
  EXPECT_EQ(refusal(scene(kNewton, kBox + "locked = [\"rx\", \"ry\", \"rz\"]\n")), "");
  EXPECT_EQ(refusal(scene(kNewton, kBall + "locked = [\"rx\", \"ry\", \"rz\"]\n")), "");
}

TEST(SchatzmanPaoli, refuses_rotations_in_space) {
  for (const std::string& body :
       {kBox, kBall + "spin = [1, 0, 0]\n", kBox + "locked = [\"rx\", \"ry\"]\n",
        kBox + "drive = { rx = { velocity = 1 }, ry = { velocity = 0 }, rz = { velocity = 0 } }\n"}) {
    const std::string message = refusal(scene(kNewton, body));
    EXPECT_TRUE(says(message, "scene.toml:")) << message;
    EXPECT_TRUE(says(message, "no meaning for rotations")) << body << message;
  }
}

TEST(SchatzmanPaoli, refuses_laws_on_velocities_at_their_place) {
  const std::string friction = refusal(scene(kNewton + "friction = 0.3\n", kBall));
  EXPECT_TRUE(says(friction, "scene.toml:4")) << friction;
  EXPECT_TRUE(says(friction, "friction is a law on velocities")) << friction;
  for (const char* law : {"kind = \"moreau\"\n", "kind = \"fremond\"\n", "kind = \"velocity-signorini\"\n",
                          "kind = \"quasi-inelastic\"\n", "kind = \"elastic\"\nstiffness_normal = 1e5\n"})
    EXPECT_TRUE(says(refusal(scene(law, kBall)), "newton or gap-signorini")) << law;
  for (const char* key :
       {"cohesion = 5\n", "viscosity = 5\n", "rolling = 0.1\n", "restitution_tangent = 0.5\n"})
    EXPECT_TRUE(says(refusal(scene(kNewton + key, kBall)), "schatzman-paoli")) << key;
}

TEST(SchatzmanPaoli, refuses_activation_and_joints) {
  EXPECT_TRUE(says(refusal(scene(kNewton, kBall, "activation = \"implicit\"\n")), "on every contact"));
  const std::string joint =
      "[[joints]]\nkind = \"revolute\"\nbodies = [\"b\"]\npoint = [0, 0, 2]\naxis = [1, 0, 0]\n";
  EXPECT_TRUE(says(refusal(scene(kNewton, kBall + joint)), "schatzman-paoli"));
}

}  // namespace
}  // namespace saltus
