// Names of systems, elastic bodies and joints, and measures of them.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"

namespace saltus::scene_parts_test {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_scene(text, "scene.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kSystem = "[[system]]\nname = \"a\"\nmass = [[1]]\n";
const std::string kElastic = "[[elastic]]\nname = \"a\"\nsize = [1, 1]\ndivisions = [1, 1]\nyoung = 1e6\n";
const std::string kBody = "[[bodies]]\nname = \"b\"\nshape = { kind = \"disk\", radius = 1 }\n";
const std::string kJoint =
    "[[joints]]\nname = \"j\"\nkind = \"revolute\"\nbodies = [\"b\"]\npoint = [0, 0]\n";

TEST(SceneParts, NamesThatAreThereTwiceAreRefused) {
  EXPECT_EQ(message_of("dimension = 2\n" + kSystem + kElastic),
            "scene.toml:5:1: a second system or elastic body of one name: got \"a\", allowed: another name: "
            "the first "
            "is at scene.toml:2:1");
  EXPECT_EQ(message_of("dimension = 2\n" + kBody + kJoint + kJoint),
            "scene.toml:10:1: a second joint of one name: got \"j\", allowed: another name: the first is at "
            "scene.toml:5:1");
}

TEST(SceneParts, MeasuresOfThemAreReadAndWrittenBack) {
  const std::string text =
      "dimension = 2\n[law]\nfriction = 0.5\n" + kSystem + kBody + kJoint +
      "[[measures]]\nkind = \"system\"\nname = \"s\"\nsystem = \"a\"\ncoordinates = [0]\n" +
      "[[measures]]\nkind = \"joint\"\njoint = \"j\"\n";
  const auto scene = std::get<Scene<2>>(parse_scene(text, "scene.toml").scene);
  const auto again = std::get<Scene<2>>(parse_scene(format_scene(scene), "scene.toml").scene);
  ASSERT_EQ(again.measures.size(), 2u);
  EXPECT_EQ(again.measures[0].part, "a");
  EXPECT_EQ(again.measures[0].coordinates, std::vector<int>{0});
  EXPECT_EQ(again.measures[1].part, "j");
  EXPECT_EQ(message_of("dimension = 2\n[[measures]]\nkind = \"joint\"\njont = \"j\"\n").substr(0, 46),
            "scene.toml:4:1: missing key \"measures.0.joint\"");
  EXPECT_NE(message_of("dimension = 2\n[[measures]]\nkind = \"system\"\nsystem = \"a\"\ncoordinates = [-1]\n")
                .find("scene.toml:5"),
            std::string::npos);
}

}  // namespace
}  // namespace saltus::scene_parts_test
