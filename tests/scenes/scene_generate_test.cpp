#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/scenes/scene_csv.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "temporary_folder.hpp"
#include "trajectories/trajectory_support.hpp"

namespace saltus::scene_generate_test {
namespace {

template <int Dim>
std::vector<SceneBody<Dim>> generate(const std::string& keys) {
  const std::string head =
      "dimension = " + std::to_string(Dim) + "\n[materials.stone]\ndensity = 2500\n[[generate]]\n";
  return std::get<Scene<Dim>>(parse_scene(head + keys, "scene.toml").scene).bodies;
}

TEST(SceneGenerate, EveryKindOfThePlaneMakesItsBodies) {
  const std::string box = "from = [0, 0]\nto = [1, 1]\n";
  EXPECT_EQ(generate<2>("kind = \"sample\"\nradii = [0.01, 0.02]\ncount = 30\n" + box).size(), 30u);
  EXPECT_EQ(
      generate<2>("kind = \"sample\"\nradii = [0.01, 0.02]\ncount = 30\nlayout = \"random\"\n" + box).size(),
      30u);
  EXPECT_EQ(
      generate<2>("kind = \"sample\"\nradii = [0.01, 0.02]\ncount = 30\nlayout = \"growth\"\n" + box).size(),
      30u);
  EXPECT_EQ(generate<2>("kind = \"sample\"\ndistribution = \"list\"\nradii = [0.01, 0.02]\ncounts = [3, 4]\n"
                        "layout = \"deposit\"\n" +
                        box)
                .size(),
            7u);
  EXPECT_EQ(generate<2>("kind = \"walls\"\n" + box).size(), 3u);
  EXPECT_EQ(generate<2>("kind = \"brick-wall\"\nbrick = [2, 1]\ncourses = 2\nbricks = 3\n").size(), 7u);
  EXPECT_EQ(generate<2>("kind = \"arch\"\nradius = 1\nthickness = 0.2\nvoussoirs = 7\n").size(), 9u);
  EXPECT_EQ(
      generate<2>("kind = \"portico\"\ncolumns = 2\ndrums = 3\ndiameter = 1\ndrum_height = 1\nspacing = 3\n"
                  "architrave_height = 1\n")
          .size(),
      7u);
  EXPECT_EQ(generate<2>("kind = \"tower\"\nbrick = [2, 1]\ncourses = 5\ntop_width = 1\n").size(), 5u);
}

TEST(SceneGenerate, EveryKindOfSpaceMakesItsBodies) {
  const std::string box = "from = [0, 0, 0]\nto = [1, 1, 1]\n";
  EXPECT_EQ(generate<3>("kind = \"sample\"\nradii = [0.01, 0.02]\ncount = 30\n" + box).size(), 30u);
  EXPECT_EQ(generate<3>("kind = \"walls\"\nsides = [\"z-\", \"z+\"]\n" + box).size(), 2u);
  EXPECT_EQ(
      generate<3>(
          "kind = \"arch\"\nradius = 1\nthickness = 0.2\nvoussoirs = 7\ndepth = 1\nspringings = false\n")
          .size(),
      7u);
  EXPECT_EQ(generate<3>("kind = \"tower\"\nbrick = [2, 1, 0.5]\ncourses = 3\nbricks = 2\n").size(), 24u);
  EXPECT_EQ(generate<3>("kind = \"peers-spheres\"\nlattice = [2, 3, 4]\n").size(), 24u);
}

TEST(SceneGenerate, GrainsHaveTheShapesAskedForAndDoNotOverlap) {
  const std::string sample =
      "kind = \"sample\"\nradii = [0.02, 0.05]\ncount = 40\nfrom = [0, 0]\nto = [1, 1]\nlayout = "
      "\"random\"\n";
  for (const char* grain :
       {"{ kind = \"polygon\", corners = [4, 9], elongation = [1, 2], angularity = 1 }",
        "{ kind = \"capsule\", elongation = 3 }", "{ kind = \"cluster\", balls = [2, 5] }"}) {
    const auto bodies = generate<2>(sample + "grain = " + grain + "\n");
    const auto round = generate<2>(sample);
    ASSERT_EQ(bodies.size(), 40u);
    // Places and sizes are those of the disks, which do not overlap.
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      EXPECT_EQ(bodies[i].pose.position, round[i].pose.position);
      EXPECT_NE(bodies[i].shape.index(), round[i].shape.index());
      EXPECT_LE(compute_bounding_radius<2>(bodies[i].shape),
                std::get<Disk>(round[i].shape).radius * (1 + 1e-12));
    }
  }
  const auto fails = [&](const std::string& grain) {
    EXPECT_THROW(generate<2>(sample + "grain = " + grain + "\n"), InputError) << grain;
  };
  fails("{ kind = \"polygon\" }");
  fails("{ kind = \"polygon\", corners = 2 }");
  fails("{ kind = \"polygon\", corners = [8, 5] }");
  fails("{ kind = \"polygon\", corners = 5, elongation = 0.5 }");
  fails("{ kind = \"polygon\", corners = 5, flatness = 2 }");
  fails("{ kind = \"polyhedron\", corners = 5 }");
  fails("{ kind = \"cluster\", balls = 1 }");
}

TEST(SceneGenerate, VoronoiCellsAndWallsWithOpeningsAreReadFromTheirKeys) {
  const std::string cells = "kind = \"voronoi\"\nfrom = [0, 0, 0]\nto = [1, 2, 1]\ncount = 30\n";
  double volume = 0;
  for (const auto& body : generate<3>(cells + "relaxations = 2\nseed = 4\n"))
    volume += compute_volume<3>(body.shape);
  EXPECT_NEAR(volume, 2, 1e-12);
  EXPECT_THROW(generate<3>(cells + "joint = 1\n"), InputError);
  EXPECT_THROW(generate<3>(cells + "stretch = [0, 1, 1]\n"), InputError);
  const std::string wall =
      "kind = \"brick-wall\"\nbrick = [0.2, 0.1]\ncourses = 6\nbricks = 8\nbond = \"flemish\"\n";
  const auto bodies =
      generate<2>(wall + "openings = [{ along = [-0.3, 0.1], courses = [1, 4], lintel = 0.1 }]\n");
  EXPECT_TRUE(std::any_of(bodies.begin(), bodies.end(),
                          [](const auto& body) { return body.name == "brick-lintel-0"; }));
  EXPECT_THROW(generate<2>(wall + "openings = [{ along = [-0.9, 0.1], courses = [1, 4] }]\n"), InputError);
  EXPECT_THROW(generate<2>(wall + "openings = [{ along = [-0.3, 0.1], courses = [1, 7] }]\n"), InputError);
  EXPECT_THROW(generate<2>(wall + "leaves = 2\n"), InputError);
  EXPECT_THROW(generate<2>(wall + "length_spread = 0.1\n"), InputError);
}

TEST(SceneGenerate, GrainsInARingAreWhollyInIt) {
  const std::string sample =
      "kind = \"sample\"\nradii = [0.01, 0.02]\ncount = 100\nfrom = [-0.5, 1.5]\nto = [0.5, 2.5]\n";
  for (const SceneBody<2>& body : generate<2>(sample + "layout = \"random\"\nring = [0.2, 0.4]\n")) {
    const double way = (body.pose.position - Vec<2>(0, 2)).norm(),
                 radius = std::get<Ball<2>>(body.shape).radius;
    EXPECT_GE(way - radius, 0.2);
    EXPECT_LE(way + radius, 0.4);
  }
  EXPECT_THROW(generate<2>(sample + "layout = \"random\"\nring = [0.4, 0.2]\n"), InputError);
  EXPECT_THROW(generate<2>(sample + "ring = [0.2, 0.4]\n"), InputError);  // on a lattice
}

TEST(SceneGenerate, SavedBodiesAreChosenByTheirPlace) {
  const TemporaryFolder folder;
  const std::string file = folder.path("saved.toml");
  std::ofstream(file) << "dimension = 2\n[law]\nfriction = 0\n";
  for (const char* x : {"0.1", "0.2", "0.3"})
    std::ofstream(file, std::ios::app)
        << "[[bodies]]\nname = \"b" << x << "\"\nshape = { kind = \"disk\", radius = 0.01 }\n"
        << "position = [" << x << ", 0]\ndamping = 5\n";
  const std::string saved = "kind = \"saved\"\nfile = \"" + file + "\"\n";
  const auto bodies =
      generate<2>(saved + "within = { centre = [0.05, 0], radii = [0.1, 0.2] }\ndamping = 0\n");
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].pose.position.x(), 0.2);
  EXPECT_EQ(bodies[0].damping, 0);
  EXPECT_EQ(generate<2>(saved)[0].damping, 5);
  EXPECT_THROW(generate<2>(saved + "within = { radii = [0.2, 0.1] }\n"), InputError);
  // No name is no choice of all.
  EXPECT_THROW(generate<2>(saved + "names = []\n"), InputError);
}

TEST(SceneGenerate, KeysOfABodyHoldForEachOfThem) {
  const auto bodies = generate<2>(
      "kind = \"brick-wall\"\nname = \"b\"\nbrick = [2, 1]\ncourses = 1\nbricks = 2\nmaterial = \"stone\"\n"
      "velocity = [1, 2]\ngroups = [3]\nlocked = [\"rz\"]\nposition = [10, 20]\nadded_at = 0.5\n");
  ASSERT_EQ(bodies.size(), 2u);
  for (const SceneBody<2>& body : bodies) {
    EXPECT_EQ(body.density, 2500);
    EXPECT_EQ(body.velocity, Vec<2>(1, 2));
    EXPECT_EQ(body.group, 8u);
    EXPECT_EQ(body.drive[2].kind, Drive::Kind::locked);
    EXPECT_EQ(body.added_at, 0.5);
    EXPECT_EQ(body.where, "scene.toml:4:1");
  }
  EXPECT_EQ(bodies[0].pose.position, Vec<2>(9, 20.5));
  EXPECT_EQ(bodies[1].name, "b-1");
}

TEST(SceneGenerate, ParticlesOfAFileHaveTheirOwnVelocityAndDensity) {
  const TemporaryFolder folder;
  folder.write("p.csv", "# two grains\nx, y, r, vx, density\n1,2,0.5,3,900\r\n\n4,5,0.25,6,800\n");
  folder.write("s.toml",
               "dimension = 2\n[[generate]]\nkind = \"particles\"\nfile = \"p.csv\"\nvelocity = [0, 9]\n");
  const auto bodies = std::get<Scene<2>>(read_scene(folder.path("s.toml")).scene).bodies;
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_EQ(bodies[1].pose.position, Vec<2>(4, 5));
  EXPECT_EQ(std::get<Disk>(bodies[1].shape).radius, 0.25);
  EXPECT_EQ(bodies[1].velocity, Vec<2>(6, 9));
  EXPECT_EQ(bodies[1].density, 800);
  EXPECT_EQ(bodies[1].where, folder.path("p.csv") + ":5");
}

std::string csv_message(const std::string& content) {
  try {
    parse_csv(content, "p.csv", {"x", "r"}, {"x", "r", "density"});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SceneCsv, MistakesNameTheirLine) {
  EXPECT_EQ(csv_message("x,r\n1,2\n"), "no error");
  EXPECT_EQ(csv_message("x,r\n1,2\n1\n"),
            "p.csv:3: numbers in a row: got 1, allowed: 2, one for each column");
  EXPECT_EQ(csv_message("x,r\n1,abc\n"), "p.csv:2: column r: got \"abc\", allowed: a finite number");
  EXPECT_EQ(csv_message("x,r\n1,nan\n"), "p.csv:2: column r: got \"nan\", allowed: a finite number");
  EXPECT_EQ(csv_message("x,r,desnity\n"),
            "p.csv:1: unknown column: got \"desnity\" (did you mean \"density\"?), allowed: x, r, density");
  EXPECT_EQ(csv_message("x\n1\n"), "p.csv:1: missing column \"r\": got x, allowed: at least x, r");
  EXPECT_EQ(csv_message("x,x,r\n"), "p.csv:1: a column twice: got \"x\"");
  EXPECT_EQ(csv_message(""), "p.csv: no line with the names of the columns: allowed: x, r, density");
}

}  // namespace
}  // namespace saltus::scene_generate_test
