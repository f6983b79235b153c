// [[deformable]]: what is read, what is written back, and the words that answer mistakes.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus::scene_deformable_test {
namespace {

constexpr const char* kBody = R"toml(
[materials.copper]
density = 8930
[[deformable]]
name = "bar"
material = "copper"
mesh = { kind = "rectangle", size = [1, 2], divisions = [2, 4], element = "q8", grading = [1, 2] }
centre = [3, 1]
angle = 0.3
plane = "stress"
thickness = 0.1
kinematics = "finite"
mass = "lumped"
newton = "tangent"
mean_dilatation = true
velocity = [0.1, -0.3]
spin = 0.7
contact = ["bottom", "right"]
contact_points = "quadrature"
contact_corners = false
self_contact = true
groups = [2]
[deformable.solid]
kind = "j2-plasticity"
young = 117e9
poisson = 0.35
hardening_table = [[0, 4e8], [0.1, 5e8]]
[[deformable.supports]]
on = "left"
locked = ["x"]
[[deformable.supports]]
on = "top"
drive = { y = { velocity = "0.1*t" } }
[[deformable.loads]]
on = "right"
kind = "pressure"
value = 1e5
[[deformable.loads]]
on = "bottom"
kind = "traction"
direction = "x"
value = { times = [0, 1], values = [0, 2e5] }
)toml";

Scene<2> read(const std::string& text) {
  return std::get<Scene<2>>(parse_scene("dimension = 2\n" + text, "scene.toml").scene);
}

std::string message_of(const std::string& keys, const std::string& solid = "young = 1e6, poisson = 0.3") {
  const std::string head = "dimension = 2\n[[deformable]]\n";
  const std::string rest = "\nsolid = { kind = \"linear-elastic\", " + solid + " }\n";
  const std::string mesh = "mesh = { kind = \"rectangle\", size = [1, 1], divisions = [1, 1] }\n";
  try {
    parse_scene(head + (keys.find("mesh") == 0 ? "" : mesh) + keys + rest, "scene.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SceneDeformable, a_body_is_read_whole) {
  const Scene<2> scene = read(kBody);
  const SceneDeformable<2>& body = scene.deformable.at(0);
  EXPECT_EQ(body.mesh->elements.size(), 8u);
  EXPECT_EQ(body.mesh->elements[0].kind, ElementKind::q8);
  // Lower left corner (-0.5, -1), turned by 0.3.
  const Vec<2> corner(3 - 0.5 * std::cos(0.3) + std::sin(0.3), 1 - 0.5 * std::sin(0.3) - std::cos(0.3));
  double nearest = 1;
  for (const Vec<2>& x : body.mesh->nodes) nearest = std::min(nearest, (x - corner).norm());
  EXPECT_LT(nearest, 1e-15);
  EXPECT_EQ(body.solids.at(0).density, 8930);
  EXPECT_EQ(body.solids[0].parameters.find("hardening_table")->table.size(), 2u);
  EXPECT_EQ(body.kinematics, Kinematics::finite);
  EXPECT_EQ(body.points, ContactPoints::quadrature);
  EXPECT_FALSE(body.corners_touch);
  EXPECT_EQ(body.group, 4u);
  const SolidModel<2> model = build_model(body);
  EXPECT_EQ(model.driven.size(), 9u + 5);  // nodes of the left side and of the top
  EXPECT_EQ(model.pressures.size(), 1u);
  double share = 0;
  for (const auto& [dof, part] : model.forces.at(0).shares) share += part;
  EXPECT_NEAR(share, 1.0 * 0.1, 1e-12);  // length times thickness
  EXPECT_EQ(contact_sides(body).size(), 2u + 4);
}

TEST(SceneDeformable, what_is_written_reads_back_the_same) {
  const std::string once = format_scene<2>(read(kBody));
  const auto again = std::get<Scene<2>>(parse_scene(once, "again.toml").scene);
  EXPECT_EQ(format_scene<2>(again), once);
  EXPECT_EQ(again.deformable.at(0).mesh->nodes, read(kBody).deformable[0].mesh->nodes);
  EXPECT_EQ(again.deformable[0].supports.size(), 2u);
}

TEST(SceneDeformable, mistakes_are_named_with_place_value_and_remedy) {
  EXPECT_EQ(message_of("mesh = { kind = \"blob\" }"),
            "scene.toml:3:17: deformable.0.mesh.kind: got \"blob\", allowed: rectangle, bar, quadrilateral, "
            "ring, disk");
  EXPECT_EQ(
      message_of("mesh = { kind = \"rectangle\", size = [1, 1], divisions = [0, 2] }"),
      "scene.toml:3:58: deformable.0.mesh.divisions.0: got 0, allowed: a whole number from 1 to 1000000");
  EXPECT_EQ(message_of("mesh = { file = \"nix.msh\" }").substr(0, 58),
            "scene.toml:3:17: deformable.0.mesh.file: got \"nix.msh\", al");
  EXPECT_EQ(message_of("", "young = -1, poisson = 0.3").substr(0, 60),
            "scene.toml:5:44: young: got -1, allowed: a number above 0");
  EXPECT_EQ(message_of("", "yung = 1, young = 1, poisson = 0.3").substr(16),
            " material linear-elastic has no such parameter: got yung, allowed: young, poisson");
  EXPECT_EQ(message_of("contact = [\"topp\"]"),
            "scene.toml:2:1: the mesh has no group of sides of this name: got 'topp', allowed: 'left', "
            "'right', 'bottom', "
            "'top'");
  EXPECT_EQ(message_of("supports = [{ on = \"left\" }]").substr(0, 69),
            "scene.toml:4:13: deformable.0.supports.0.locked: got none, allowed: l");
  EXPECT_EQ(message_of("supports = [{ on = \"lft\", locked = [\"x\"] }]"),
            "scene.toml:4:13: the mesh has no group of this name: got 'lft', allowed: 'left', 'right', "
            "'bottom', 'top'");
  EXPECT_EQ(
      message_of("supports = [{ on = \"left\", locked = [\"x\"] }, { on = \"bottom\", locked = [\"x\"] }]"),
      "scene.toml:4:46: a second support of one node in one direction: got node 0, x, allowed: one "
      "of them");
  EXPECT_EQ(message_of("kinematics = \"finite\""),
            "no error");  // told where elements are made, when the scene is checked
  EXPECT_EQ(message_of("displacements = [[1, 2]]").substr(0, 80),
            "scene.toml:4:17: deformable.0.displacements: got 1 vectors, allowed: 4, as the m");
}

}  // namespace
}  // namespace saltus::scene_deformable_test
