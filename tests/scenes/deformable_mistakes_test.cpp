// Mistakes in meshes, materials, supports and loads of [[deformable]]: each is answered by its place, what was given, and what is allowed.
// (Mistakes within mesh files: tests/meshes/mesh_mistakes_test.cpp.)
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::deformable_mistakes_test {
namespace {

// Of reading the scene, or of making a simulation of it.
std::string answer_to(const std::string& body) {
  try {
    const Simulation<2> simulation(
        std::get<Scene<2>>(parse_scene("dimension = 2\n[[deformable]]\n" + body, "scene.toml").scene));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kMesh = "mesh = { kind = \"rectangle\", size = [1, 1], divisions = [1, 1] }\n";
const std::string kSolid = "solid = { kind = \"linear-elastic\", young = 1e6, poisson = 0.3 }\n";

std::string with_mesh(const std::string& mesh) { return "mesh = { " + mesh + " }\n" + kSolid; }
std::string with_solid(const std::string& solid) { return kMesh + "solid = " + solid + "\n"; }
std::string with(const std::string& keys) { return kMesh + kSolid + keys; }

TEST(DeformableMistakes, a_right_one_is_no_mistake) { EXPECT_EQ(answer_to(kMesh + kSolid), "no error"); }

TEST(DeformableMistakes, in_meshes) {
  EXPECT_EQ(answer_to(with_mesh(R"(kind = "rectangle", size = [1, -1], divisions = [1, 1])")),
            "scene.toml:3:41: deformable.0.mesh.size.1: got -1, allowed: a number from 1e-09 to 1000000000");
  EXPECT_EQ(answer_to(with_mesh(R"(kind = "rectangle", size = [1, 1], divisions = [1, 1], element = "h8")")),
            "scene.toml:3:75: deformable.0.mesh.element: got \"h8\" (did you mean \"q8\"?), allowed: t3, t6, "
            "q4, q8");
  EXPECT_EQ(answer_to(with_mesh(
                R"(kind = "quadrilateral", corners = [[0, 0], [1, 1], [1, 0], [0, 1]], divisions = [1, 1])")),
            "scene.toml:3:8: corner 2 of a quadrilateral: got (1, 1), allowed: corners counter-clockwise, "
            "angles below half a "
            "turn");
  EXPECT_EQ(answer_to(with_mesh(R"(kind = "ring", inner = 2, outer = 1, divisions = [1, 4])")),
            "scene.toml:3:8: outer radius: got 1, allowed: above the inner one");
  EXPECT_EQ(answer_to(with("velocities = [[0, 0]]")),
            "scene.toml:5:14: deformable.0.velocities: got 1 vectors, allowed: 4, as the mesh has nodes");
  EXPECT_EQ(
      answer_to(with("displacements = [[0, 0], [-3, 0], [0, 0], [0, 0]]\nkinematics = \"corotational\"")),
      "scene.toml:2:1: element 0 (q4) is turned inside out");
}

TEST(DeformableMistakes, in_materials) {
  EXPECT_EQ(answer_to(kMesh),
            "scene.toml:2:1: deformable.0.solid: got none, allowed: what it is made of: solid = { kind = "
            "\"linear-elastic\", "
            "young = 1e9, poisson = 0.3 }");
  EXPECT_EQ(
      answer_to(with("kinematics = \"finite\"")),
      "scene.toml:2:1: material, linear-elastic, does not fit the kinematics: got finite, allowed: small or "
      "corotational");
  EXPECT_EQ(answer_to(with_solid(R"({ kind = "neo-hookean", young = 1e6, poisson = 0.3 })")),
            "scene.toml:2:1: material, neo-hookean, does not fit the kinematics: got small, allowed: finite");
  EXPECT_EQ(answer_to(with_solid(R"({ kind = "j2-plasticity", young = 1e6, poisson = 0.3 })")),
            "scene.toml:4:9: material needs `yield`");
  EXPECT_EQ(
      answer_to(with_solid(R"({ kind = "linear-elastic", young = 1e6, poisson = 0.3, plane = "stress" })")),
      "scene.toml:4:72: deformable.0.solid.plane: got \"stress\", allowed: a number, or pairs of numbers: a "
      "parameter "
      "of the material (kinematics, plane, mass and so on are keys of the body)");
  EXPECT_EQ(
      answer_to(with_solid(
          R"({ kind = "j2-plasticity", young = 1e6, poisson = 0.3, yield = 1e3, hardening_table = [[0.1, 1e3]] })")),
      "scene.toml:4:71: hardening is told twice: got yield, allowed: hardening_table alone");
  EXPECT_EQ(answer_to(with_solid(R"({ kind = "linear-elastic", young = 1e6, poisson = 0.5 })")),
            "scene.toml:4:59: poisson: got 0.5, allowed: a number above -1, below 0.5");
  EXPECT_EQ(answer_to(with_solid(R"({ kind = "rubber", young = 1e6, poisson = 0.3 })")),
            "scene.toml:4:18: deformable.0.solid.kind: got \"rubber\", allowed: linear-elastic, "
            "st-venant-kirchhoff, "
            "neo-hookean, j2-plasticity, kelvin-voigt, maxwell");
  EXPECT_EQ(
      answer_to(with_solid(R"([{ kind = "linear-elastic", young = 1e6, poisson = 0.3, group = "steel" }])")),
      "scene.toml:4:10: the mesh has no group of elements of this name: got 'steel', allowed: the mesh has "
      "none");
  EXPECT_EQ(
      answer_to(with_solid("[{ kind = \"linear-elastic\", young = 1e6, poisson = 0.3 }, { kind = "
                           "\"linear-elastic\", young = 1e6, poisson = 0.3 }]")),
      "scene.toml:4:67: a second material for all groups: got linear-elastic, allowed: one, or `group`");
  EXPECT_EQ(answer_to(with_solid(R"({ kind = "linear-elastic", young = 1e6, poisson = 0.3, density = -1 })")),
            "scene.toml:4:74: deformable.0.solid.density: got -1, allowed: a number above 0");
  EXPECT_EQ(answer_to(with("kinematics = \"corotational\"\nplane = \"axisymmetric\"")),
            "scene.toml:2:1: nothing turns in axial symmetry: kinematics: got corotational, allowed: small "
            "or finite");
  EXPECT_EQ(answer_to(with("thickness = 0")),
            "scene.toml:5:13: deformable.0.thickness: got 0, allowed: a number above 0");
  EXPECT_EQ(answer_to(with("damping_stiffness = -1")),
            "scene.toml:5:21: deformable.0.damping_stiffness: got -1, allowed: a number, 0 or more");
  EXPECT_EQ(answer_to(with("mass = \"redistributed\"")),
            "scene.toml:2:1: mass of contact nodes to be given to others: got all 4 nodes touch, allowed: "
            "nodes that do not "
            "touch");
}

TEST(DeformableMistakes, in_supports_loads_and_contact) {
  EXPECT_EQ(answer_to(with(R"(supports = [{ on = "left", locked = ["z"] }])")),
            "scene.toml:5:37: deformable.0.supports.0.locked: got \"z\", allowed: x, y");
  EXPECT_EQ(
      answer_to(with(R"(supports = [{ on = "left", drive = { x = { speed = 1 } } }])")),
      "scene.toml:5:44: unknown key \"deformable.0.supports.0.drive.x.speed\": allowed: velocity, position, "
      "acceleration");
  EXPECT_EQ(answer_to(with(R"(loads = [{ on = "left", kind = "traction", value = 1 }])")),
            "scene.toml:5:10: missing key \"deformable.0.loads.0.direction\": allowed: x, y");
  EXPECT_EQ(answer_to(with(R"(loads = [{ on = "left", kind = "pull", value = 1 }])")),
            "scene.toml:5:32: deformable.0.loads.0.kind: got \"pull\", allowed: traction, pressure, force");
  EXPECT_EQ(answer_to(with(R"(loads = [{ on = "roof", kind = "pressure", value = 1 }])")),
            "scene.toml:5:10: the mesh has no group of sides of this name: got 'roof', allowed: 'left', "
            "'right', 'bottom', "
            "'top'");
  EXPECT_EQ(answer_to(with("contact_points = \"corners\"")).substr(0, 70),
            "scene.toml:5:18: deformable.0.contact_points: got \"corners\", allowed: ");
}

}  // namespace
}  // namespace saltus::deformable_mistakes_test
