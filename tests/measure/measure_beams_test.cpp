// Forces in sections of beams against statics: a cantilever under a force and a moment at its end.
#include <gtest/gtest.h>

#include <map>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/scenes/scene_reader.hpp"

namespace saltus::measure_beams_test {
namespace {

template <int Dim>
std::map<std::string, double> measure_at_rest(const std::string& text) {
  Simulation<Dim> simulation(std::get<Scene<Dim>>(parse_scene(text, "cantilever.toml").scene));
  simulation.step();
  Snapshot<Dim> snapshot;
  take_snapshot(simulation, snapshot);
  Measurer<Dim> measurer(simulation.scene().measures, {}, snapshot);
  std::vector<double> row;
  measurer.measure(snapshot, row);
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < row.size(); ++i) values[measurer.columns()[i]] = row[i];
  return values;
}

std::string plane(const std::string& beam, const std::string& measure) {
  return "dimension = 2\ngravity = [0, 0]\n[scheme]\nkind = \"quasi-static\"\nh = 1\n[run]\nsteps = "
         "1\n[law]\n"
         "[[beams]]\nname = \"plank\"\nmesh = { kind = \"line\", from = [0, 0], to = [2, 0], divisions = 4 "
         "}\n"
         "section = { kind = \"rectangle\", width = 0.1, height = 0.05, young = 1e10, density = 1000 }\n"
         "loads = [{ kind = \"force\", on = \"end\", direction = \"y\", value = -10 },\n"
         "  { kind = \"force\", on = \"end\", direction = \"x\", value = 7 }]\n" +
         beam + "[[measures]]\nname = \"at\"\nkind = \"beam-forces\"\nsystem = \"plank\"\n" + measure;
}
const std::string kClamped = "supports = [{ on = \"start\", locked = [\"x\", \"y\", \"rz\"] }]\n";

TEST(MeasureBeams, a_cantilever_in_the_plane) {
  auto at = measure_at_rest<2>(plane(kClamped, "point = [0.6, 0]\n"));
  EXPECT_NEAR(at["at.axial"], 7, 1e-9);
  EXPECT_NEAR(at["at.shear"], -10, 1e-9);
  EXPECT_NEAR(at["at.moment"], -10 * 1.4, 1e-9);
  at = measure_at_rest<2>(plane(kClamped, ""));
  ASSERT_EQ(at.size(), 12u);
  for (const double s : {0.25, 0.75, 1.25, 1.75}) {
    const std::string place = "@" + std::to_string(s).substr(0, 4);
    EXPECT_NEAR(at["at.moment" + place], -10 * (2 - s), 1e-9) << place;
  }
  // Where rotations are large the sections of this stiff one turn by 4e-4 rad.
  at = measure_at_rest<2>(plane(kClamped + "kinematics = \"large\"\n", "point = [0, 0]\n"));
  EXPECT_NEAR(at["at.moment"], -20, 0.02);
  EXPECT_NE(at["at.moment"], -20);
}

TEST(MeasureBeams, a_cantilever_in_space) {
  for (const std::string kinematics : {"small", "large"}) {
    auto at = measure_at_rest<3>(
        "dimension = 3\ngravity = [0, 0, 0]\n[scheme]\nkind = \"quasi-static\"\nh = 1\n[run]\nsteps = "
        "1\n[law]\n"
        "[[beams]]\nname = \"plank\"\nmesh = { kind = \"line\", from = [0, 0, 0], to = [2, 0, 0], divisions "
        "= 4 }\n"
        "section = { kind = \"rectangle\", width = 0.1, height = 0.05, young = 1e10, density = 1000 }\n"
        "supports = [{ on = \"start\", locked = [\"x\", \"y\", \"z\", \"rx\", \"ry\", \"rz\"] }]\n"
        "kinematics = \"" +
        kinematics +
        "\"\nloads = [{ kind = \"force\", on = \"end\", direction = \"z\", value = -10 },\n"
        "  { kind = \"force\", on = \"end\", direction = \"y\", value = 4 },\n"
        "  { kind = \"moment\", on = \"end\", direction = \"x\", value = 3 }]\n"
        "[[measures]]\nname = \"at\"\nkind = \"beam-forces\"\nsystem = \"plank\"\npoint = [0.6, 0, 0]\n");
    const double error = kinematics == "small" ? 1e-9 : 0.02;
    // Axis 2 is z, 3 is x times z: -y.
    EXPECT_NEAR(at["at.shear_2"], -10, error);
    EXPECT_NEAR(at["at.shear_3"], -4, error);
    EXPECT_NEAR(at["at.torsion"], 3, error);
    EXPECT_NEAR(at["at.moment_2"], 4 * 1.4, error);
    EXPECT_NEAR(at["at.moment_3"], -10 * 1.4, error);
  }
}

TEST(MeasureBeams, points_beside_the_line_and_other_names_are_told) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      measure_at_rest<2>(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(plane(kClamped, "point = [1, 0.1]\n")).find("the nearest is (1, 0)"), std::string::npos);
  std::string other = plane(kClamped, "");
  other.replace(other.rfind("\"plank\""), 7, "\"planck\"");
  EXPECT_NE(message(other).find("plank"), std::string::npos);
}

}  // namespace
}  // namespace saltus::measure_beams_test
