// What a reader might take in silence, and what would end the program: each is told where it stands.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "saltus/base/input_error.hpp"
#include "saltus/running/scene_report.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::scene_acceptance_test {
namespace {

namespace fs = std::filesystem;

class SceneAcceptance : public testing::Test {
 protected:
  SceneAcceptance() {
    std::string pattern = (fs::temp_directory_path() / "saltus_accept_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~SceneAcceptance() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  // Reads a scene of this folder and builds its simulation; the message without the folder.
  std::string message_of(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return message([&] {
      const SceneFile file = parse_scene(text, (folder_ / "s.toml").string(), overrides);
      std::visit([](const auto& scene) { [[maybe_unused]] const Simulation simulation(scene); }, file.scene);
    });
  }
  template <class Action>
  std::string message(Action&& action) const {
    try {
      action();
    } catch (const InputError& error) {
      std::string what = error.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = what.find(prefix)) != std::string::npos;) what.erase(at, prefix.size());
      return what;
    }
    return "no error";
  }

  fs::path folder_;
};

const std::string kFloor = "[[bodies]]\nname = \"floor\"\nshape = { kind = \"half-plane\" }\nfixed = true\n";
const std::string kDisk =
    "[[bodies]]\nname = \"disk\"\nshape = { kind = \"disk\", radius = 0.1 }\nposition = [0, 1]\n";

TEST_F(SceneAcceptance, SavedNamesThatAreNotThere) {
  write("start.toml", "dimension = 2\n" + kFloor + kDisk);
  const std::string saved = "dimension = 2\n[law]\n[[generate]]\nkind = \"saved\"\nfile = \"start.toml\"\n";
  EXPECT_EQ(message_of(saved), "no error");
  EXPECT_EQ(message_of(saved + "names = [\"dsk\"]\n"),
            "s.toml:6:9: generate.0.names: got \"dsk\" (did you mean \"disk\"?), allowed: names of bodies of "
            "the file");
  EXPECT_EQ(message_of(saved + "except = [\"zz\"]\n"),
            "s.toml:6:10: generate.0.except: got \"zz\", allowed: names of bodies of the file");
  EXPECT_EQ(
      message_of(saved + "names = [\"disk\"]\nwithin = { radii = [5, 6] }\n"),
      "s.toml:5:8: generate.0.file: got 2 bodies, of which none is taken, allowed: one body or more that "
      "names, except and within let through");
}

TEST_F(SceneAcceptance, AStartBeforeZeroHasItsBodies) {
  const SceneFile file =
      parse_scene("dimension = 2\n[law]\n[run]\nstart = -5\nuntil = -4\n" + kFloor + kDisk, "s.toml");
  const Simulation<2> simulation(std::get<Scene<2>>(file.scene));
  EXPECT_EQ(simulation.bodies().id.size(), 2u);
}

TEST_F(SceneAcceptance, TwoBodiesOfOneName) {
  EXPECT_EQ(message_of("dimension = 2\n[law]\n" + kFloor + kDisk + kDisk),
            "s.toml:11:1: a second body of one name: got \"disk\", allowed: another name: the first is at "
            "s.toml:7:1");
  // Generators may repeat the names they make, as long as nothing refers to one of them.
  const std::string grains =
      "[[generate]]\nkind = \"sample\"\nradii = [0.1, 0.1]\ncount = 2\nfrom = [0, 0]\nto = [1, 1]\n";
  const std::string twice = "dimension = 2\n[law]\n" + grains + grains + "position = [0, 2]\n";
  EXPECT_EQ(message_of(twice), "no error");
  EXPECT_EQ(message_of(twice + "[[servos]]\nwall = \"grain-1\"\nforce = 1\n"),
            "s.toml:16:1: a servo names a wall: got grain-1, allowed: a name that one body has: several have "
            "this one");
}

TEST_F(SceneAcceptance, AVelocityThatIsLocked) {
  EXPECT_EQ(message_of("dimension = 2\n[law]\n" + kDisk + "locked = [\"x\"]\nvelocity = [1, 0]\n"),
            "s.toml:3:1: body \"disk\" has a velocity in a degree of freedom that is locked: got 1, allowed: "
            "0, or a "
            "drive instead of the lock");
  EXPECT_EQ(message_of("dimension = 2\n[law]\n" + kDisk + "locked = [\"x\"]\nvelocity = [0, 1]\nspin = 2\n"),
            "no error");
}

TEST_F(SceneAcceptance, FormulasAreFiniteAllThroughTheRun) {
  const auto driven = [](const std::string& formula) {
    return "dimension = 2\n[run]\nuntil = 4\n[law]\n" + kDisk + "force = { x = \"" + formula + "\" }\n";
  };
  EXPECT_EQ(
      message_of(driven("1/0")),
      "s.toml:9:15: bodies.0.force.x: \"1/0\" is not finite: got inf at t = 0 s, allowed: a finite value all "
      "through the run, 0 to 4 s, of up to 1e+30 in size");
  EXPECT_NE(message_of(driven("log(t-2)")).find("\"log(t-2)\" is not finite"), std::string::npos);
  EXPECT_NE(message_of(driven("1/(t-3)")).find("at t = 3 s"), std::string::npos);
  EXPECT_NE(message_of(driven("1e999")).find("a number out of range: got 1e999"), std::string::npos);
  EXPECT_EQ(message_of(driven("log(t+2)")), "no error");
}

TEST_F(SceneAcceptance, NumbersBeyondAllMeasureAreNamed) {
  for (const char* key : {"gravity=[0,-1e300]", "scheme.h=1e300", "law.cohesion=1e300"}) {
    const std::string text = message_of("dimension = 2\n[law]\n" + kDisk, {key});
    EXPECT_NE(text.find("1e+300, allowed: a number up to 1e+30 in size"), std::string::npos) << text;
  }
}

TEST_F(SceneAcceptance, DriveFilesHoldFiniteNumbers) {
  write("a.txt", "0 1\n1 nan\n");
  write("b.txt", "0 1\n1 inf\n");
  write("c.txt",
        "\xEF\xBB\xBF"
        "0;1,5\r\n1;2,5\r\n");
  const auto driven = [](const std::string& file) {
    return "dimension = 2\n[law]\n" + kDisk + "force = { x = { file = \"" + file + "\" } }\n";
  };
  EXPECT_EQ(message_of(driven("a.txt")), "a.txt:2: not a finite number: got nan");
  EXPECT_EQ(message_of(driven("b.txt")), "b.txt:2: not a finite number: got inf");
  const SceneFile file = parse_scene(driven("c.txt"), (folder_ / "s.toml").string());
  const Scene<2>& scene = std::get<Scene<2>>(file.scene);
  EXPECT_EQ(scene.bodies[0].force[0].at(0.5), 2.0);
}

TEST_F(SceneAcceptance, TablesOfOtherSpreadsheets) {
  const auto grains = [](const std::string& file) {
    return "dimension = 2\n[law]\n[[generate]]\nkind = \"particles\"\nfile = \"" + file + "\"\n";
  };
  write("semicolons.csv", "\xEF\xBB\xBFx;y;r\r\n0,5;1;0,1\r\n1,5;1;0,1\r\n");
  const SceneFile file = parse_scene(grains("semicolons.csv"), (folder_ / "s.toml").string());
  const Scene<2>& scene = std::get<Scene<2>>(file.scene);
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[1].pose.position, Vec<2>(1.5, 1));
  write("commas.csv", "x,y,r\n0,5,1,0,0,1\n");
  EXPECT_EQ(
      message_of(grains("commas.csv")),
      "commas.csv:2: numbers in a row: got 6, allowed: 3, one for each column (with decimal commas, separate "
      "the columns by semicolons)");
  write("far.csv", "x,y,r\n1e308,0,1\n");
  EXPECT_EQ(message_of(grains("far.csv")),
            "far.csv:2: column x: got 1e+308, allowed: a number from -1000000000 to 1000000000");
}

TEST_F(SceneAcceptance, ASceneThatTakesBodiesFromItself) {
  const auto saved = [](const std::string& file) {
    return "dimension = 2\n[law]\n[[generate]]\nkind = \"saved\"\nfile = \"" + file + "\"\n";
  };
  write("s.toml", saved("s.toml"));
  EXPECT_EQ(message_of(saved("s.toml")),
            "s.toml:5:8: generate.0.file: got \"s.toml\", allowed: a scene that does not take bodies from "
            "itself, by "
            "way of others neither");
  write("a.toml", saved("b.toml"));
  write("b.toml", saved("a.toml"));
  EXPECT_NE(message_of(saved("a.toml")).find("a scene that does not take bodies from itself"),
            std::string::npos);
}

TEST_F(SceneAcceptance, KeysOfVeryManyParts) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  EXPECT_EQ(message_of("dimension = 2\n[" + key + "]\n"),
            "s.toml:2: a key of very many parts: allowed: up to 16");
  EXPECT_EQ(message_of("dimension = 2\nx = { " + key + " = 1 }\n"),
            "s.toml:2: a key of very many parts: allowed: up to 16");
  EXPECT_NE(message_of("dimension = 2\n", {key + "=1"}).find("parts of a key: got 100001, allowed: up to 16"),
            std::string::npos);
  EXPECT_EQ(
      message_of(
          "# ......................\ntitle = \"\"\"\n......................\"\"\"\ndimension = 2\n[law]\n" +
          kDisk),
      "no error");
}

TEST_F(SceneAcceptance, ASurfaceWithHolesIsTold) {
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const std::string three = corners + "f 1 3 2\nf 1 2 4\nf 2 3 4\n";
  write("whole.obj", three + "f 3 1 4\n");
  write("holes.obj", three);
  const auto warning = [&](const std::string& file) {
    testing::internal::CaptureStderr();
    parse_scene("dimension = 3\n[[bodies]]\nshape = { kind = \"polyhedron\", file = \"" + file + "\" }\n",
                (folder_ / "s.toml").string());
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warning("whole.obj"), "");
  EXPECT_NE(warning("holes.obj").find("s.toml:3:39: the surface has 3 open edges"), std::string::npos);
}

TEST_F(SceneAcceptance, ADrumOfWhichOnlyTheRotationIsDriven) {
  EXPECT_EQ(message_of(
                "dimension = 2\n[law]\n[[bodies]]\nname = \"drum\"\nshape = { kind = \"drum\", radius = 1 }\n"
                "drive = { rz = { velocity = 1 } }\n"),
            "s.toml:3:1: body \"drum\" has no volume, and is free to move in \"x\", \"y\": fix it, or drive "
            "or lock these "
            "(locked = [\"x\", \"y\"]), or give its mass and inertia");
}

TEST_F(SceneAcceptance, AMissingLawSaysWhereAndWhatToAdd) {
  EXPECT_EQ(message_of("dimension = 2\n" + kFloor + kDisk),
            "s.toml:6:1: no contact law for the materials \"default\" of body \"floor\" and \"default\" of "
            "body \"disk\": "
            "add [law] for all pairs, or [[laws]] with between = [\"default\", \"default\"]");
}

TEST_F(SceneAcceptance, ChecksAndRunsNameBodiesAlike) {
  const SceneFile file =
      parse_scene("dimension = 2\n[law]\n" + kDisk +
                      "[[bodies]]\nshape = { kind = \"disk\", radius = 0.1 }\nposition = [0.1, 1]\n",
                  "s.toml");
  const Scene<2>& scene = std::get<Scene<2>>(file.scene);
  const std::string names = "of \"disk\" and body 1";
  EXPECT_NE(build_scene_report(scene).warnings.at(0).find(names), std::string::npos);
  EXPECT_NE(Simulation<2>(scene).warnings().at(0).find(names), std::string::npos);
}

TEST_F(SceneAcceptance, TheDurationIsToldOnlyFromRepresentativeSteps) {
  const auto duration = [&](const std::string& text) {
    const SceneFile file = parse_scene(text, "s.toml");
    for (const auto& [subject, finding] : build_scene_report(std::get<Scene<2>>(file.scene)).lines)
      if (subject == "duration") return finding;
    return std::string();
  };
  const std::string head = "dimension = 2\ngravity = [0, -9.81]\n[law]\n" + kFloor;
  // Grains that still fall do not touch: what their heap will cost is not known.
  EXPECT_EQ(duration(head + "[[generate]]\nkind = \"sample\"\nradii = [0.1, 0.1]\ncount = 20\nspacing = 2\n"
                            "from = [-1, 0]\nto = [1, 1]\nposition = [0, 1]\n")
                .substr(0, 16),
            "cannot be told: ");
  // A wall that stands has all its contacts.
  EXPECT_EQ(
      duration(head + "[[generate]]\nkind = \"brick-wall\"\nbrick = [0.2, 0.1]\ncourses = 3\nbricks = 3\n")
          .substr(0, 6),
      "about ");
  // A condition may end the run long before.
  const std::string stopped =
      duration(head +
               "[[bodies]]\nshape = { kind = \"disk\", radius = 1 }\nposition = [0, 1]\n"
               "[[measures]]\nkind = \"motion\"\n[[run.stop]]\nwhen = \"motion.speed_max\"\nbelow = 1\n");
  EXPECT_NE(stopped.find("less if run.stop ends it earlier"), std::string::npos) << stopped;
}

TEST_F(SceneAcceptance, BodiesThatOnlyAppearAfterTheEndAreCounted) {
  const SceneFile file = parse_scene(
      "dimension = 2\n[law]\n[run]\nuntil = 1\n" + kFloor +
          "[[bodies]]\nshape = { kind = \"disk\", radius = 0.1 }\nadded_at = 0.5\nposition = [0, 1]\n"
          "[[bodies]]\nshape = { kind = \"disk\", radius = 0.1 }\nadded_at = 2\nposition = [0, 2]\n",
      "s.toml");
  std::string bodies;
  for (const auto& [subject, finding] : build_scene_report(std::get<Scene<2>>(file.scene)).lines)
    if (subject == "bodies") bodies = finding;
  EXPECT_NE(bodies.find("2 appear later, 1 of them after the end"), std::string::npos) << bodies;
}

// `check` refuses what a run would refuse before its first step.
TEST_F(SceneAcceptance, MeasuresOfWhatIsNotThereAreToldByACheck) {
  const std::string bodies =
      "dimension = 2\n[[bodies]]\nname = \"a\"\nshape = { kind = \"disk\", radius = 1 }\n[law]\n";
  for (const std::string wrong :
       {"[[measures]]\nkind = \"joint\"\njoint = \"pin\"\n", "[[measures]]\nkind = \"body\"\nbody = \"b\"\n",
        "[[run.stop]]\nwhen = \"energy.kinetic\"\nabove = 1\n"}) {
    const SceneFile file = parse_scene(bodies + wrong, "scene.toml");
    EXPECT_THROW(build_scene_report(std::get<Scene<2>>(file.scene)), InputError) << wrong;
  }
}

}  // namespace
}  // namespace saltus::scene_acceptance_test
