// [[system]] and [[elastic]]: what is read, what is written back, and the words that answer mistakes.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_matrix_reader.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"
#include "saltus/sim/deformable_parts.hpp"
#include "saltus/systems/linear_system.hpp"

namespace saltus::scene_systems_test {
namespace {

Scene<2> read(const std::string& text) {
  return std::get<Scene<2>>(parse_scene("dimension = 2\n" + text, "scene.toml").scene);
}

std::string message_of(const std::string& text) {
  try {
    parse_scene(text, "scene.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}
std::string system_message(const std::string& keys) {
  return message_of("dimension = 2\n[[system]]\n" + keys);
}
std::string elastic_message(const std::string& keys) {
  return message_of("dimension = 2\n[[elastic]]\nsize = [2, 1]\ndivisions = [4, 2]\nyoung = 1e6\n" + keys);
}

constexpr const char* kBoth = R"toml(
[materials.rubber]
density = 900
[[system]]
name = "bar"
mass = { tridiagonal = { size = 4, diagonal = 2, off = 0.5, ends = 1 } }
stiffness = { tridiagonal = { size = 4, diagonal = 20, off = -10, ends = 10 } }
damping = { diagonal = [0, 0, 0.1, 0.3] }
q = { all = 5e-5, size = 4 }
v = [-0.1, 0, 0.3, 0.7]
forces = [{ dof = 1, value = "sin(t)" }, { dof = 2, value = 0.3 }]
locked = [3]
drive = [{ dof = 2, position = "0.1*t" }]
gaps = [{ dof = 0, active_below = -1e-15 }, { row = [1, 0, -1, 0], offset = 0.3, kind = "gap-signorini" },
        { dof = 1, sign = -1, restitution = 0.9 }]
[[elastic]]
name = "block"
material = "rubber"
centre = [0.1, 0.7]
size = [2, 1]
divisions = [4, 2]
angle = 0.3
young = 1e6
poisson = 0.3
plane = "stress"
thickness = 0.1
damping_mass = 0.3
damping_stiffness = 1e-4
velocity = [0.1, -0.3]
spin = 0.7
clamped = ["left", "top"]
groups = [1]
touches = [0, 3]
)toml";

TEST(SceneSystems, ALinearSystemIsReadWhole) {
  const SceneLinearSystem system = read(kBoth).systems.at(0);
  const LinearModel model = build_model(system);
  Eigen::Matrix4d M, K;
  M << 1, 0.5, 0, 0, 0.5, 2, 0.5, 0, 0, 0.5, 2, 0.5, 0, 0, 0.5, 1;
  K << 10, -10, 0, 0, -10, 20, -10, 0, 0, -10, 20, -10, 0, 0, -10, 10;
  EXPECT_EQ(Eigen::Matrix4d(model.M), M);
  EXPECT_EQ(Eigen::Matrix4d(model.K), K);
  EXPECT_EQ(Eigen::MatrixXd(model.C).diagonal(), Eigen::Vector4d(0, 0, 0.1, 0.3));
  EXPECT_EQ(model.q, Eigen::Vector4d::Constant(5e-5));
  EXPECT_EQ(model.v, Eigen::Vector4d(-0.1, 0, 0.3, 0.7));
  ASSERT_EQ(model.force.size(), 2u);
  EXPECT_EQ(model.force[1].second.at(7), 0.3);
  ASSERT_EQ(model.driven.size(), 2u);
  EXPECT_EQ(model.driven[0].first, 3);
  EXPECT_EQ(model.driven[1].second.kind, Drive::Kind::position);
  ASSERT_EQ(system.gaps.size(), 3u);
  EXPECT_EQ(system.gaps[0].active_below, -1e-15);
  EXPECT_EQ(system.gaps[0].law.kind, LawKind::newton);
  EXPECT_EQ(system.gaps[1].row, (std::vector<std::pair<int, double>>{{0, 1}, {2, -1}}));
  EXPECT_EQ(system.gaps[1].law.kind, LawKind::gap_signorini);
  EXPECT_EQ(system.gaps[2].row, (std::vector<std::pair<int, double>>{{1, -1}}));
  EXPECT_EQ(system.gaps[2].law.restitution, 0.9);
}

TEST(SceneSystems, AnElasticBodyIsReadWhole) {
  const Scene<2> scene = read(kBoth);
  const SceneDeformable<2> body = deformables<2>(scene).at(0);
  EXPECT_EQ(body.solids.at(0).density, 900);
  EXPECT_EQ(body.plane, PlaneKind::stress);
  EXPECT_EQ(body.mesh->nodes.size(), 15u);
  EXPECT_EQ(body.mesh->elements.size(), 16u);
  // Lower left corner (-1, -0.5), turned by 0.3 about the centre.
  const Vec<2> corner(0.1 - std::cos(0.3) + 0.5 * std::sin(0.3), 0.7 - std::sin(0.3) - 0.5 * std::cos(0.3));
  EXPECT_LT((body.mesh->nodes[0] - corner).norm(), 1e-15);
  ASSERT_FALSE(body.supports.empty());
  EXPECT_EQ(body.mesh->node_groups.at(4).nodes.size(), 3u + 5 - 1);  // left and top share a corner
  EXPECT_EQ(scene.elastic[0].mask, 9u);
}

TEST(SceneSystems, WhatIsWrittenReadsBackTheSame) {
  const std::string once = format_scene<2>(read(kBoth));
  const auto again = std::get<Scene<2>>(parse_scene(once, "again.toml").scene);
  EXPECT_EQ(format_scene<2>(again), once);
  EXPECT_EQ(again.systems.at(0).gaps.at(2).law.restitution, 0.9);
  EXPECT_EQ(again.systems[0].v, (std::vector<double>{-0.1, 0, 0.3, 0.7}));
  EXPECT_EQ(again.elastic.at(0).spin, 0.7);
  EXPECT_EQ(again.elastic[0].clamped.size(), 2u);
  EXPECT_EQ(again.elastic[0].density, 900);
}

TEST(SceneSystems, AMatrixMarketFileIsAMatrix) {
  const SceneMatrix m = parse_matrix_market(
      "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n2 2 2\n1 1 3\n2 1 -0.5\n", "m.mtx", 10);
  EXPECT_EQ(m.size, 2);
  ASSERT_EQ(m.entries.size(), 3u);
  EXPECT_EQ(m.entries[1].column, 1);
  EXPECT_EQ(m.entries[1].value, -0.5);
  const auto fails = [](const std::string& text) {
    try {
      parse_matrix_market(text, "m.mtx", 10);
    } catch (const InputError& error) {
      return error.where();
    }
    return std::string("no error");
  };
  EXPECT_EQ(fails("hello"), "m.mtx:1");
  EXPECT_EQ(fails("%%MatrixMarket matrix coordinate complex general\n"), "m.mtx:1");
  EXPECT_EQ(fails("%%MatrixMarket matrix coordinate real general\n2 3 1\n"), "m.mtx:2");
  EXPECT_EQ(fails("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 5\n"), "m.mtx:3");
  EXPECT_EQ(fails("%%MatrixMarket matrix coordinate real general\n2 2 9000000000\n1 1 5\n"), "m.mtx:2");
  EXPECT_EQ(fails("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n1 1 6\n"), "m.mtx");
}

TEST(SceneSystems, MistakesOfMatrices) {
  EXPECT_EQ(system_message("mass = [[1, 2], [3]]\n"),
            "scene.toml:3:17: system.0.mass.1: got an array of 1, allowed: a row of 2 numbers: the matrix is "
            "square");
  EXPECT_EQ(system_message("mass = [[2, 1], [0, 2]]\n"), "scene.toml:2:1: M is not symmetric");
  EXPECT_EQ(system_message("mass = { diagonal = [1, 2] }\nstiffness = { diagonal = [1] }\n"),
            "scene.toml:4:13: system.0.stiffness: got a matrix of 1 rows, allowed: 2, as the mass has");
  EXPECT_EQ(
      system_message("mass = { tridiagonal = { size = 0, diagonal = 1, off = 0 } }\n"),
      "scene.toml:3:33: system.0.mass.tridiagonal.size: got 0, allowed: a whole number from 1 to 10000000");
  EXPECT_EQ(system_message("mass = { size = 2, entries = [[0, 2, 1]] }\n"),
            "scene.toml:3:30: system.0.mass.entries: got [0, 2, 1], allowed: row and column from 0 to 1, "
            "then a number");
  EXPECT_EQ(system_message("mass = { size = 2, entries = [[0, 0, 1], [0, 0, 2]] }\n"),
            "scene.toml:3:8: system.0.mass: got a second entry at row 0, column 0, allowed: each place once");
  EXPECT_EQ(system_message("mass = 3\n").substr(0, 38), "scene.toml:3:8: system.0.mass: got 3, ");
  EXPECT_EQ(system_message("q = [1]\n").substr(0, 44), "scene.toml:2:1: missing key \"system.0.mass\":");
}

TEST(SceneSystems, MistakesOfSystems) {
  const std::string mass = "mass = { diagonal = [1, 2] }\n";
  EXPECT_EQ(system_message(mass), "no error");
  EXPECT_EQ(system_message(mass + "q = [1]\n"),
            "scene.toml:4:5: system.0.q: got 1 numbers, allowed: 2, as the mass has rows");
  EXPECT_EQ(system_message(mass + "q = { all = 1, size = 3 }\n"),
            "scene.toml:4:23: system.0.q.size: got 3, allowed: a whole number from 2 to 2");
  EXPECT_EQ(system_message(mass + "locked = [2]\n"),
            "scene.toml:4:11: system.0.locked.0: got 2, allowed: a whole number from 0 to 1");
  EXPECT_EQ(system_message(mass + "locked = [1]\ndrive = [{ dof = 1, velocity = 1 }]\n"),
            "scene.toml:2:1: a second drive of one degree of freedom: got 1, allowed: one");
  EXPECT_EQ(system_message(mass + "gaps = [{ offset = 1 }]\n"),
            "scene.toml:4:9: system.0.gaps.0.row: got none or both, allowed: one of row and dof");
  EXPECT_EQ(system_message(mass + "gaps = [{ row = [0, 0] }]\n"),
            "scene.toml:4:17: system.0.gaps.0.row: got zeros, allowed: a row with a number that is not zero");
  EXPECT_EQ(system_message(mass + "gaps = [{ dof = 0, sign = 0 }]\n"),
            "scene.toml:4:27: system.0.gaps.0.sign: got 0, allowed: 1 or -1");
  EXPECT_EQ(
      system_message(mass + "gaps = [{ dof = 0, kind = \"gap-signorini\", restitution = 0.5 }]\n"),
      "scene.toml:4:58: system.0.gaps.0.restitution: got a value that the law \"gap-signorini\" does not "
      "use, allowed: with kind = \"newton\"");
  EXPECT_EQ(system_message(mass + "gaps = [{ dof = 0, restitution = 1.5 }]\n"),
            "scene.toml:4:34: system.0.gaps.0.restitution: got 1.5, allowed: a number from 0 to 1");
  EXPECT_EQ(system_message(mass + "name = \"a\"\n[[system]]\nname = \"a\"\n" + mass),
            "scene.toml:5:1: a second one of one name: got \"a\", allowed: another name: the first is at "
            "scene.toml:2:1");
}

TEST(SceneSystems, MistakesOfElasticBodies) {
  EXPECT_EQ(elastic_message(""), "no error");
  EXPECT_EQ(elastic_message("poisson = 0.5\n"),
            "scene.toml:6:11: Poisson's ratio: got 0.5, allowed: a number above -1, below 0.5");
  EXPECT_EQ(elastic_message("clamped = [\"lft\"]\n"),
            "scene.toml:6:11: elastic.0.clamped: got \"lft\", allowed: left, right, bottom, top");
  EXPECT_EQ(elastic_message("thickness = 0\n"),
            "scene.toml:6:13: elastic.0.thickness: got 0, allowed: a number above 0");
  EXPECT_EQ(message_of("dimension = 2\n[[elastic]]\nsize = [1, 1]\ndivisions = [1.5, 2]\nyoung = 1\n"),
            "scene.toml:4:13: elastic.0.divisions: got [1.5, 2], allowed: two whole numbers, 1 or more");
  EXPECT_EQ(message_of("dimension = 2\n[[elastic]]\nsize = [1, 1]\ndivisions = [1e5, 1e5]\nyoung = 1\n"),
            "scene.toml:4:13: elastic.0.divisions: got 10000200001 nodes, allowed: up to 10000000");
  EXPECT_EQ(message_of("dimension = 3\n[[elastic]]\nsize = [1, 1]\n"),
            "scene.toml:2:1: elastic: got an elastic rectangle in space, allowed: dimension = 2, or "
            "[[deformable]]");
}

}  // namespace
}  // namespace saltus::scene_systems_test
