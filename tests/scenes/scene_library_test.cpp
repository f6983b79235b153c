#include "saltus/scenes/scene_library.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "saltus/base/input_error.hpp"
#include "saltus/running/scene_report.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"
#include "saltus/sim/simulation.hpp"
#include "temporary_folder.hpp"

namespace saltus::scene_library_test {
namespace {

TEST(SceneLibrary, EveryNameThatIsPromisedIsThereWithATitle) {
  const std::vector<LibraryScene> scenes = list_scenes();
  for (const char* name : {"bouncing-ball",  "bouncing-ball-2d",
                           "incline",        "rolling-sphere",
                           "fast-box",       "cradle",
                           "rocking-block",  "painleve",
                           "arch",           "stack-1000-to-1",
                           "spheres-1000",   "spheres-10000",
                           "wall-205",       "peers-spheres-768",
                           "peers-wall-210", "peers-disks-1000",
                           "drum",           "biaxial",
                           "belt",           "demo",
                           "couette",        "temple-3d",
                           "triaxial",       "silo"}) {
    const auto found =
        std::find_if(scenes.begin(), scenes.end(), [&](const auto& s) { return s.name == name; });
    ASSERT_NE(found, scenes.end()) << name;
    EXPECT_FALSE(found->title.empty()) << name;
  }
}

TEST(SceneLibrary, StudiesAreFoundByNameButAreNotScenes) {
  const std::vector<LibraryScene> scenes = list_scenes();
  EXPECT_TRUE(
      std::none_of(scenes.begin(), scenes.end(), [](const auto& s) { return s.name == "arch-thickness"; }));
  const std::vector<LibraryScene> studies = list_studies();
  EXPECT_TRUE(std::any_of(studies.begin(), studies.end(),
                          [](const auto& s) { return s.name == "arch-thickness" && !s.title.empty(); }));
  EXPECT_TRUE(std::none_of(studies.begin(), studies.end(), [](const auto& s) { return s.name == "arch"; }));
  try {
    read_scene("arch-thickness");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("this is a study, not a scene: run it by saltus study"),
              std::string::npos);
  }
}

// A beginner's table [scene] is no study: what is missing is the dimension.
TEST(SceneLibrary, ATableNamedSceneIsNotTakenForAStudy) {
  try {
    parse_scene("[scene]\ntitle = \"mine\"\n", "mine.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("study"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("dimension"), std::string::npos) << error.what();
  }
}

// Samples that a run has pressed together overlap by what that run left: less than 1 % of the smallest grain,
// the margin of Jean 1995. Nothing else overlaps.
template <int Dim>
double allowed_overlap(const Scene<Dim>& scene) {
  double smallest = 0;
  for (const auto& body : scene.bodies) {
    const auto* grain = std::get_if<Ball<Dim>>(&body.shape);
    if (grain && body.where.str().find("experiments/") != std::string::npos)
      smallest = smallest > 0 ? std::min(smallest, grain->radius) : grain->radius;
  }
  return 0.01 * smallest;
}

template <int Dim>
void start(const Scene<Dim>& scene) {
  ASSERT_FALSE(scene.bodies.empty() && scene.systems.empty() && scene.lagrangian.empty() &&
               scene.beams.empty() && scene.deformable.empty());
  // Large scenes are read, and run elsewhere.
  if (scene.bodies.size() > 1500) return;
  Simulation<Dim> simulation(scene);
  EXPECT_LE(simulation.initial_overlaps().deepest, allowed_overlap(scene))
      << "the deepest: " << simulation.initial_overlaps().deepest << " m, bodies "
      << simulation.initial_overlaps().a << " and " << simulation.initial_overlaps().b;
  const StepReport step = simulation.step();
  EXPECT_NE(step.status, StepStatus::not_finite);
}

TEST(SceneLibrary, EverySceneStartsWithoutOverlaps) {
  for (const LibraryScene& entry : list_scenes()) {
    SCOPED_TRACE(entry.name);
    std::visit([](const auto& scene) { start(scene); }, read_scene(entry.name).scene);
  }
}

TEST(SceneLibrary, EverySceneOfModestSizeReadsBackAfterWriting) {
  for (const LibraryScene& entry : list_scenes()) {
    SCOPED_TRACE(entry.name);
    std::visit(
        [](const auto& scene) {
          if (scene.bodies.size() > 1500) return;
          using SceneType = std::decay_t<decltype(scene)>;
          const std::string once = format_scene(scene);
          const auto again = std::get<SceneType>(parse_scene(once, "again.toml").scene);
          EXPECT_TRUE(format_scene(again) == once);
        },
        read_scene(entry.name).scene);
  }
}

TEST(SceneLibrary, AFolderOfTheUserComesFirst) {
  const TemporaryFolder folder;
  const std::string mine = folder.write("arch.toml", "title = \"mine\"\ndimension = 2\n");
  setenv("SALTUS_SCENES", folder.path().c_str(), 1);
  EXPECT_EQ(find_scene("arch"), mine);
  unsetenv("SALTUS_SCENES");
  EXPECT_NE(find_scene("arch"), mine);
}

TEST(SceneLibrary, TheScenesOfPeersHaveTheirNumbersOfBodies) {
  const auto count = [](const char* name) {
    return std::visit([](const auto& scene) { return scene.bodies.size(); }, read_scene(name).scene);
  };
  EXPECT_EQ(count("peers-spheres-768"), 768u + 5);
  EXPECT_EQ(count("peers-wall-210"), 210u + 1);
  EXPECT_EQ(count("peers-disks-1000"), 1000u + 3);
  EXPECT_EQ(count("spheres-1000"), 1000u + 5);
  EXPECT_EQ(count("spheres-10000"), 10000u + 5);
  EXPECT_EQ(count("spheres-100000"), 100000u + 5);
  EXPECT_EQ(count("wall-205"), 205u + 1);
}

TEST(SceneReport, ItTellsWhatWouldRun) {
  const auto scene = std::get<Scene<2>>(read_scene("belt").scene);
  const SceneReport report = build_scene_report(scene);
  const auto finding = [&](const std::string& subject) -> std::string {
    for (const auto& [name, text] : report.lines)
      if (name == subject) return text;
    return "";
  };
  EXPECT_EQ(finding("bodies"), "4: 3 free, 0 fixed, 1 driven; 2 appear later");
  EXPECT_EQ(finding("shapes"), "1 disk, 1 half-plane, 2 polygon");
  EXPECT_EQ(finding("initial overlaps"), "none");
  EXPECT_EQ(finding("time"), "0 to 3 s, h = 0.001 s: 3000 steps");
  EXPECT_TRUE(report.warnings.empty());
}

TEST(SceneReport, ItWarnsOfOverlapsAndLongSteps) {
  const auto scene = std::get<Scene<2>>(
      parse_scene(
          "dimension = 2\ngravity = [0, -9.81]\n[scheme]\nh = 1\n[law]\n"
          "[[bodies]]\nname = \"a\"\nshape = { kind = \"disk\", radius = 0.1 }\n"
          "[[bodies]]\nname = \"b\"\nshape = { kind = \"disk\", radius = 0.1 }\nposition = [0.15, 0]\n",
          "scene.toml")
          .scene);
  const SceneReport report = build_scene_report(scene);
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_NE(report.warnings[1].find("1, the deepest 0.05 m, of \"a\" and \"b\""), std::string::npos)
      << report.warnings[1];
}

// What is known of a scene before a step is told by `check` as a run tells it.
TEST(SceneReport, ItTellsWhatARunWouldTellOfTheScene) {
  const auto scene = std::get<Scene<2>>(
      parse_scene(
          "dimension = 2\n[scheme]\nkind = \"alpha-index3\"\nh = 1e-3\n[law]\n"
          "[[bodies]]\nshape = { kind = \"disk\", radius = 0.1 }\n"
          "[[system]]\nname = \"arm\"\nmass = { diagonal = [1] }\nstiffness = [[-2]]\nq = [0]\nv = [0]\n",
          "scene.toml")
          .scene);
  const std::vector<std::string> told = Simulation<2>(scene).scene_warnings(),
                                 checked = build_scene_report(scene).warnings;
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NE(told[0].find("laws of contact are not used"), std::string::npos) << told[0];
  EXPECT_NE(told[1].find("\"arm\" has a negative eigenvalue, -2"), std::string::npos) << told[1];
  for (const std::string& text : told) EXPECT_EQ(std::count(checked.begin(), checked.end(), text), 1) << text;
}

// A disk of 0.2 m at 4 m/s crosses a tenth of itself in 5 ms; under gravity sqrt(0.2/9.81)/10 = 14 ms is
// longer.
TEST(SceneReport, TheStepHintFollowsTheFastestAndSmallest) {
  auto scene = std::get<Scene<2>>(
      parse_scene("dimension = 2\n[[bodies]]\nshape = { kind = \"disk\", radius = 0.1 }\nvelocity = [4, 0]\n",
                  "scene.toml")
          .scene);
  EXPECT_NEAR(compute_step_hint(scene), 5e-3, 1e-15);
  scene.gravity = Vec<2>(0, -9.81);
  EXPECT_NEAR(compute_step_hint(scene), 5e-3, 1e-15);
  scene.bodies[0].velocity.setZero();
  EXPECT_NEAR(compute_step_hint(scene), 0.1 * std::sqrt(0.2 / 9.81), 1e-15);
}

}  // namespace
}  // namespace saltus::scene_library_test
