// [[system]] with coordinates: what is read, what is written back, and the words that answer mistakes.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/sim/system_check.hpp"
#include "saltus/systems/lagrangian_model.hpp"

namespace saltus::scene_lagrangian_test {
namespace {

constexpr const char* kArm = R"toml(dimension = 2
[scheme]
activation_gamma = 0.25
[law]
friction = 0.3
[[system]]
name = "arm"
coordinates = ["a", "b"]
velocities = ["wa", "wb"]
parameters = { m = 1.5, l = 0.6 }
mass = [["2*m*l^2", "m*l^2*cos(a-b)"], ["m*l^2*cos(a-b)", "m*l^2"]]
force = { a = "-m*9.81*sin(a) - 0.1*wa" }
damping = { diagonal = [0, 0.1] }
q = [0.3, -0.2]
v = [1, 0]
gaps = [{ name = "wall", gap = "1 - l*sin(a)", tangent = "cos(a)", kind = "moreau", dissipation = 0.5, friction = 0.2 },
        { gap = "b + 2 - 0.1*t", restitution = 0.4, active_below = -1e-9 }]
constraints = ["a - b - 0.5", { name = "drive", formula = "a - atan2(t, 2)", stabilisation_time = 0.1, may_be_off = true }]
points = [{ name = "hand", shape = { kind = "disk", radius = 0.1 }, position = ["l*sin(a)", "-l*cos(a)"], angle = "a", groups = [1], touches = [0] }]
)toml";

Scene<2> read(const std::string& text) { return std::get<Scene<2>>(parse_scene(text, "scene.toml").scene); }

// A scene with one system of these keys, read and built.
std::string message_of(const std::string& keys) {
  try {
    Simulation<2> simulation(read("dimension = 2\n[law]\n[[system]]\n" + keys));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

constexpr const char* kMass = "coordinates = [\"x\", \"y\"]\nmass = { diagonal = [1, 1] }\n";
std::string message_with(const std::string& keys) { return message_of(kMass + keys); }

TEST(SceneLagrangian, IsReadWhole) {
  const Scene<2> scene = read(kArm);
  EXPECT_EQ(scene.scheme.activation, Activation::gamma);
  EXPECT_EQ(scene.scheme.activation_gamma, 0.25);
  ASSERT_EQ(scene.lagrangian.size(), 1u);
  EXPECT_TRUE(scene.systems.empty());
  const SceneLagrangianSystem<2>& arm = scene.lagrangian[0];
  EXPECT_EQ(arm.names.velocities, (std::vector<std::string>{"wa", "wb"}));
  ASSERT_EQ(arm.names.parameters.size(), 2u);
  EXPECT_EQ(arm.mass[0][1].text, "m*l^2*cos(a-b)");
  EXPECT_EQ(arm.forces[1].text, "0");
  ASSERT_EQ(arm.gaps.size(), 2u);
  EXPECT_EQ(arm.gaps[0].law.dissipation, 0.5);
  EXPECT_EQ(arm.gaps[0].tangents.at(0).text, "cos(a)");
  EXPECT_EQ(arm.gaps[1].law.restitution, 0.4);
  ASSERT_EQ(arm.constraints.size(), 2u);
  EXPECT_LT(arm.constraints[0].stabilisation_time, 0);
  EXPECT_EQ(arm.constraints[1].stabilisation_time, 0.1);
  EXPECT_EQ(arm.points.at(0).turn[0].text, "a");
  const auto model = build_lagrangian<2>(arm);
  Eigen::MatrixXd M(2, 2);
  model->fill_mass(Eigen::Vector2d(0.3, -0.2), M);
  EXPECT_DOUBLE_EQ(M(0, 1), 1.5 * 0.36 * std::cos(0.5));
  EXPECT_EQ(M(1, 0), M(0, 1));
}

TEST(SceneLagrangian, IsWrittenAsItWasRead) {
  const std::string once = format_scene(read(kArm)), twice = format_scene(read(once));
  EXPECT_EQ(once, twice);
  Simulation<2> ours(read(kArm)), theirs(read(once));
  for (int k = 0; k < 20; ++k) ours.step(), theirs.step();
  EXPECT_EQ(ours.state_hash(), theirs.state_hash());
}

TEST(SceneLagrangian, InSpaceToo) {
  const std::string text = R"toml(dimension = 3
[law]
[[system]]
coordinates = ["x", "y", "z"]
mass = { diagonal = [1, "1 + x^2", "exp(z)"] }
force = [0, "min(x, dy)", -9.81]
gaps = [{ gap = "z + 1", tangent = ["x", "y - t"], friction = 0.5, restitution_tangent = 0.1, regularisation = 3 }]
points = [{ shape = { kind = "box", size = [1, 1, 1] }, position = ["x", "y", "z + 1"], rotation = ["0", "x", "0"] }]
)toml";
  const auto scene = std::get<Scene<3>>(parse_scene(text, "scene.toml").scene);
  const std::string once = format_scene(scene);
  EXPECT_EQ(once, format_scene(std::get<Scene<3>>(parse_scene(once, "scene.toml").scene)));
  Simulation<3> simulation(scene);
  EXPECT_EQ(simulation.step().status, StepStatus::converged);
}

TEST(SceneLagrangian, ACheckFindsNothingWrongWithFormulas) { EXPECT_TRUE(check_systems(read(kArm)).empty()); }

TEST(SceneLagrangian, ACheckFindsAMassThatIsNotPositiveNearTheStart) {
  const auto findings = check_systems(
      read("dimension = 2\n[[system]]\nname = \"s\"\ncoordinates = [\"x\"]\nmass = [[\"x\"]]\nq = [0.01]\n"));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].find("system \"s\": the mass is not positive definite, at t = "), 0u) << findings[0];
}

TEST(SceneLagrangian, AnUnknownNameInAFormula) {
  EXPECT_EQ(message_with("force = [\"-k*x\", 0]\n").substr(0, 92),
            "scene.toml:6:10: column 2 of \"-k*x\": unknown name: got k, allowed: x, y, dx, dy, t, pi, sin,");
}
TEST(SceneLagrangian, AVelocityInTheMass) {
  EXPECT_EQ(message_of("coordinates = [\"x\"]\nmass = [[\"1 + dx\"]]\n").substr(0, 71),
            "scene.toml:5:10: column 5 of \"1 + dx\": unknown name: got dx, allowed: x");
}
TEST(SceneLagrangian, AFormulaThatEndsTooEarly) {
  EXPECT_EQ(message_with("gaps = [{ gap = \"x + \" }]\n"),
            "scene.toml:6:17: column 5 of \"x + \": the formula ends too early");
}
TEST(SceneLagrangian, AMassThatIsNotPositiveDefinite) {
  EXPECT_EQ(message_of("name = \"s\"\ncoordinates = [\"x\", \"y\"]\nmass = [[1, 2], [2, 1]]\n"),
            "scene.toml:3:1: system \"s\": the mass matrix is not positive definite: a coordinate without "
            "mass, or a wrong "
            "sign, at t = 0 s with x = 0, y = 0");
}
TEST(SceneLagrangian, AMassThatIsNotSymmetric) {
  EXPECT_EQ(
      message_of("coordinates = [\"x\", \"y\"]\nmass = [[2, \"x\"], [\"1 + x\", 2]]\n"),
      "scene.toml:5:20: mass[1][0], beside mass[0][1] = 0: got 1, allowed: the same: a mass is symmetric");
}
TEST(SceneLagrangian, ADivisionByZero) {
  EXPECT_EQ(message_of("coordinates = [\"x\"]\nmass = [[1]]\nforce = [\"1/x\"]\n"),
            "scene.toml:3:1: system: force[0] = \"1/x\" is inf, at t = 0 s with x = 0");
  EXPECT_EQ(
      message_with("gaps = [{ gap = \"1/x\" }]\n"),
      "scene.toml:6:17: \"1/x\" at the start: got inf, allowed: a finite value with finite derivatives");
}
TEST(SceneLagrangian, AWrongNumberOfCoordinates) {
  EXPECT_EQ(message_with("q = [1, 2, 3]\n"),
            "scene.toml:6:5: system.0.q: got 3 numbers, allowed: 2, as names of coordinates");
  EXPECT_EQ(
      message_with("force = [1]\n"),
      "scene.toml:6:9: system.0.force: got 1 entries, allowed: a list of 2 formulas, one per coordinate");
  EXPECT_EQ(message_of("coordinates = [\"x\"]\nmass = [[1, 0], [0, 1]]\n"),
            "scene.toml:5:8: system.0.mass: got 2 rows, allowed: 1 rows of 1 formulas, or { diagonal }");
  EXPECT_EQ(
      message_with("stiffness = [[1]]\n"),
      "scene.toml:6:13: system.0.stiffness: got a matrix of 1 rows, allowed: 2, as names of coordinates");
}
TEST(SceneLagrangian, NoCoordinates) {
  EXPECT_EQ(message_of("coordinates = []\nmass = []\n"),
            "scene.toml:4:15: system.0.coordinates: got 0 names, allowed: 1 to 100 names");
}
TEST(SceneLagrangian, NamesThatCannotBe) {
  EXPECT_EQ(message_of("coordinates = [\"x\", \"x\"]\nmass = { diagonal = [1, 1] }\n"),
            "scene.toml:4:15: name of a coordinate that is taken: got \"x\", allowed: names of coordinates, "
            "velocities and "
            "parameters that all differ, and not t");
  EXPECT_EQ(message_of("coordinates = [\"2x\"]\nmass = [[1]]\n"),
            "scene.toml:4:15: name of a coordinate: got \"2x\", allowed: a letter, then letters, digits and "
            "_; not pi, not a "
            "function");
  EXPECT_EQ(message_of("coordinates = [\"x\", \"dx\"]\nmass = { diagonal = [1, 1] }\n").substr(0, 59),
            "scene.toml:4:15: name of a velocity that is taken: got \"dx\"");
  EXPECT_EQ(message_of("coordinates = [\"x\"]\nvelocities = [\"u\", \"v\"]\nmass = [[1]]\n"),
            "scene.toml:4:15: number of names of velocities: got 2, allowed: 1, as coordinates");
}
TEST(SceneLagrangian, AForceOfAnUnknownCoordinate) {
  EXPECT_EQ(message_with("force = { z = 1 }\n").substr(0, 77),
            "scene.toml:6:11: unknown key \"system.0.force.z\": got \"z\" (did you mean \"x\"?),");
}
TEST(SceneLagrangian, FrictionWithoutATangent) {
  EXPECT_EQ(message_with("gaps = [{ gap = \"y\", friction = 0.3 }]\n"),
            "scene.toml:6:33: system.0.gaps.0.friction: got 0.3, allowed: 0, or a tangent: the position "
            "along the surface, as "
            "a formula");
}
TEST(SceneLagrangian, TooManyTangents) {
  EXPECT_EQ(message_with("gaps = [{ gap = \"y\", tangent = [\"x\", \"x\"] }]\n"),
            "scene.toml:6:32: system.0.gaps.0.tangent: got 2 entries, allowed: a list of 1 formula in 2D");
}
TEST(SceneLagrangian, ALawThatAGapCannotHave) {
  EXPECT_EQ(message_with("gaps = [{ gap = \"y\", kind = \"elastic\" }]\n").substr(0, 63),
            "scene.toml:6:29: system.0.gaps.0.kind: got \"elastic\", allowed: ");
  EXPECT_EQ(message_with("gaps = [{ gap = \"y\", kind = \"moreau\", restitution = 0.5 }]\n"),
            "scene.toml:6:53: system.0.gaps.0.restitution: got a value that the law \"moreau\" does not use, "
            "allowed: with "
            "kind = \"newton\" or \"fremond\"");
}
TEST(SceneLagrangian, AConstraintWithoutACoordinate) {
  EXPECT_EQ(message_with("constraints = [\"sin(t)\"]\n"),
            "scene.toml:6:16: a gap, constraint or tangent without a coordinate: got \"sin(t)\", allowed: a "
            "formula that names "
            "a coordinate of the system");
}
TEST(SceneLagrangian, ANegativeTimeOfStabilisation) {
  EXPECT_EQ(
      message_with("constraints = [{ formula = \"x\", stabilisation_time = -1 }]\n"),
      "scene.toml:6:54: system.0.constraints.0.stabilisation_time: got -1, allowed: a number, 0 or more");
}
TEST(SceneLagrangian, APointThatDependsOnTime) {
  EXPECT_EQ(
      message_with("points = [{ shape = { kind = \"disk\", radius = 1 }, position = [\"x + t\", 0] }]\n"),
      "scene.toml:6:64: the place of a point depends on t: got \"x + t\", allowed: a formula of the "
      "coordinates; a "
      "coordinate with a moving constraint may follow t");
}
TEST(SceneLagrangian, APointWithAPlaceTooMany) {
  EXPECT_EQ(
      message_with("points = [{ shape = { kind = \"disk\", radius = 1 }, position = [\"x\", 0, 0] }]\n"),
      "scene.toml:6:63: system.0.points.0.position: got 3 entries, allowed: a list of 2 formulas of the "
      "coordinates");
}
TEST(SceneLagrangian, TwoRulesOfActivation) {
  EXPECT_EQ(
      message_of(
          "coordinates = [\"x\"]\nmass = [[1]]\n[scheme]\nactivation = \"end\"\nactivation_gamma = 0.5\n"),
      "scene.toml:8:20: scheme.activation_gamma: got a second rule of activation, allowed: one of activation "
      "and "
      "activation_gamma");
}
TEST(SceneLagrangian, TwoSystemsOfOneName) {
  EXPECT_EQ(
      message_of(
          "name = \"s\"\nmass = [[1]]\n[[system]]\nname = \"s\"\ncoordinates = [\"x\"]\nmass = [[1]]\n"),
      "scene.toml:6:1: a second one of one name: got \"s\", allowed: another name: the first is at "
      "scene.toml:3:1");
}
TEST(SceneLagrangian, AnotherScheme) {
  EXPECT_EQ(
      message_of("coordinates = [\"x\"]\nmass = [[\"2 + cos(x)\"]]\n[scheme]\n"
                 "kind = \"schatzman-paoli\"\n"),
      "scene.toml:3:1: a mass that depends on coordinates, under the scheme: got schatzman-paoli, allowed: a "
      "constant one (coordinates in which it is), or moreau-jean");
}

}  // namespace
}  // namespace saltus::scene_lagrangian_test
