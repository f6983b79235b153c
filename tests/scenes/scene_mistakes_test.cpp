// One mistake per scene, and the exact words that answer it.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"

namespace saltus::scene_mistakes_test {
namespace {

std::string message_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "scene.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// With a body whose shape is given.
std::string with_shape(const std::string& shape) {
  return "dimension = 2\n[[bodies]]\nshape = { " + shape + " }\n";
}

TEST(SceneMistakes, TextThatIsNotToml) {
  EXPECT_EQ(message_of("dimension = 2\ngravity = [0, -9.81\n").substr(0, 17), "scene.toml:2:21: ");
}

TEST(SceneMistakes, LoadsThatAreIncomplete) {
  const std::string servo = "dimension = 2\n[[servos]]\nwall = \"lid\"\n";
  EXPECT_EQ(message_of(servo),
            "scene.toml:2:1: servos.0.stress: got none or both, allowed: one of stress and force");
  EXPECT_EQ(message_of(servo + "stress = 1\n"),
            "scene.toml:2:1: servos.0.between: got none or both, allowed: one of between and area");
  EXPECT_EQ(message_of(servo + "force = 1\nspeed = 0\n"),
            "scene.toml:5:9: servos.0.speed: got 0, allowed: a number above 0");
  EXPECT_EQ(message_of(servo + "force = 1\narea = 1\n").substr(0, 45),
            "scene.toml:5:1: unknown key \"servos.0.area\": ");
  EXPECT_EQ(message_of("dimension = 3\ntilt = { angle = 1, axis = [0, 0, 0] }\n"),
            "scene.toml:2:28: tilt.axis: got [0, 0, 0], allowed: a direction");
  EXPECT_EQ(message_of("dimension = 2\ntilt = { angel = 1 }\n").substr(0, 30),
            "scene.toml:2:8: tilt.angle: go");
}

TEST(SceneMistakes, NoDimension) {
  EXPECT_EQ(message_of("title = \"x\"\n"),
            "scene.toml:1:1: missing key \"dimension\": allowed: a whole number from 2 to 3");
}

TEST(SceneMistakes, ADimensionThatIsNotOne) {
  EXPECT_EQ(message_of("dimension = 4\n"),
            "scene.toml:1:13: dimension: got 4, allowed: a whole number from 2 to 3");
}

TEST(SceneMistakes, AMisspeltTable) {
  EXPECT_EQ(message_of("dimension = 2\n[solvr]\nname = \"nlgs\"\n").substr(0, 74),
            "scene.toml:2:2: unknown key \"solvr\": got \"solvr\" (did you mean \"solver\"?),");
}

TEST(SceneMistakes, AMisspeltKey) {
  EXPECT_EQ(message_of("dimension = 2\n[scheme]\nthetta = 0.5\n"),
            "scene.toml:3:1: unknown key \"scheme.thetta\": got \"thetta\" (did you mean \"theta\"?), "
            "allowed: kind, h, theta, activation, activation_gamma, jacobian_at, "
            "position_correction, projection, projection_metric, projection_tolerance, projection_passes, "
            "event_tolerance, most_events, step_control, step_control_halvings, step_control_overlap");
}

TEST(SceneMistakes, AMisspeltKeyThatIsRequired) {
  EXPECT_EQ(
      message_of(with_shape("kind = \"disk\", radus = 1")),
      "scene.toml:3:26: missing key \"bodies.0.shape.radius\": got \"radus\" (did you mean \"radius\"?), "
      "allowed: a number from 1e-09 to 1000000000");
  // Others beside it are right, though nothing has asked for them yet.
  EXPECT_EQ(
      message_of("dimension = 2\n[law]\n[[bodies]]\nposition = [0, 1]\nvelocity = [1, 0]\nshpe = { kind = "
                 "\"disk\", radius = 1 }\n")
          .substr(0, 90),
      "scene.toml:6:1: missing key \"bodies.0.shape\": got \"shpe\" (did you mean \"shape\"?), allowed:");
}

TEST(SceneMistakes, AMissingKey) {
  EXPECT_EQ(
      message_of(with_shape("kind = \"disk\"")),
      "scene.toml:3:9: missing key \"bodies.0.shape.radius\": allowed: a number from 1e-09 to 1000000000");
}

TEST(SceneMistakes, ANegativeRadius) {
  EXPECT_EQ(message_of(with_shape("kind = \"disk\", radius = -1")),
            "scene.toml:3:35: bodies.0.shape.radius: got -1, allowed: a number from 1e-09 to 1000000000");
}

TEST(SceneMistakes, TextWhereANumberBelongs) {
  EXPECT_EQ(message_of("dimension = 2\n[scheme]\nh = \"fast\"\n"),
            "scene.toml:3:5: scheme.h: got \"fast\", allowed: a number above 0");
}

TEST(SceneMistakes, ThetaOutOfRange) {
  EXPECT_EQ(message_of("dimension = 2\n[scheme]\ntheta = 0.3\n"),
            "scene.toml:3:9: scheme.theta: got 0.3, allowed: a number from 0.5 to 1");
}

TEST(SceneMistakes, AnInfiniteNumber) {
  EXPECT_EQ(message_of("dimension = 2\ngravity = [0, inf]\n"),
            "scene.toml:2:15: gravity.1: got inf, allowed: a finite number");
}

TEST(SceneMistakes, AVectorOfTheOtherDimension) {
  EXPECT_EQ(message_of("dimension = 3\ngravity = [0, -9.81]\n"),
            "scene.toml:2:11: gravity: got an array of 2, allowed: an array of 3, each a finite number");
}

TEST(SceneMistakes, AShapeOfTheOtherDimension) {
  EXPECT_EQ(message_of(with_shape("kind = \"sphere\", radius = 1")),
            "scene.toml:3:18: bodies.0.shape.kind: got \"sphere\", allowed: disk, rectangle, polygon, "
            "capsule, segment, "
            "half-plane, drum, polyline, compound");
}

TEST(SceneMistakes, AMisspeltChoice) {
  EXPECT_EQ(message_of("dimension = 2\n[scheme]\nactivation = \"consistant\"\n"),
            "scene.toml:3:14: scheme.activation: got \"consistant\" (did you mean \"consistent\"?), "
            "allowed: consistent, start, end, free, middle, implicit");
}

TEST(SceneMistakes, AMisspeltSolver) {
  EXPECT_EQ(message_of("dimension = 2\n[solver]\nname = \"nlsg\"\n"),
            "scene.toml:3:8: solver.name: got \"nlsg\" (did you mean \"nlgs\"?), "
            "allowed: auto, nlgs, newton, ipm, admm, apgd");
}

TEST(SceneMistakes, AMaterialThatWasNotDeclared) {
  EXPECT_EQ(message_of("dimension = 2\n[materials.stone]\n[[bodies]]\nmaterial = \"stne\"\n"
                       "shape = { kind = \"disk\", radius = 1 }\n"),
            "scene.toml:4:12: bodies.0.material: got \"stne\" (did you mean \"stone\"?), "
            "allowed: default, stone; a material is declared by [materials.NAME]");
}

TEST(SceneMistakes, ARestitutionThatTheLawIgnores) {
  EXPECT_EQ(message_of("dimension = 2\n[law]\nrestitution = 0.5\n"),
            "scene.toml:3:15: law.restitution: got a value that the law \"quasi-inelastic\" does not use, "
            "allowed: with kind = \"newton\" or \"fremond\"");
}

TEST(SceneMistakes, FremondsLawWithTooLargeATheta) {
  EXPECT_EQ(
      message_of("dimension = 2\n[scheme]\ntheta = 0.8\n[law]\nkind = \"fremond\"\nrestitution = 0.5\n"),
      "scene.toml:4:1: Fremond's law with e = 0.5 may gain energy with this theta: got theta = 0.8, "
      "allowed: theta up to 1/(1+e) = 0.666667");
}

TEST(SceneMistakes, TwoLawsForOnePair) {
  EXPECT_EQ(message_of("dimension = 2\n[[laws]]\nbetween = [\"default\", \"default\"]\n[[laws]]\n"
                       "between = [\"default\", \"default\"]\n"),
            "scene.toml:5:11: laws.1.between: got a second law for this pair, "
            "allowed: one law per pair; the first is at scene.toml:2:1");
}

TEST(SceneMistakes, APolygonThatIsNotConvex) {
  EXPECT_EQ(message_of(with_shape("kind = \"polygon\", points = [[0, 0], [2, 0], [1, 0.5], [1, 2]]")),
            "scene.toml:3:38: a polygon is not convex: got a reflex corner at (1, 0.5), "
            "allowed: convex corners; split it into the convex parts of a compound");
}

TEST(SceneMistakes, AnInertiaThatBreaksTheTriangleInequality) {
  const std::string message = message_of(
      "dimension = 3\n[[bodies]]\nshape = { kind = \"sphere\", radius = 1 }\n"
      "mass = 1\ninertia = [1, 1, 3]\n");
  EXPECT_EQ(message.substr(0, 17), "scene.toml:5:11: ");
  EXPECT_NE(message.find("3"), std::string::npos);
}

TEST(SceneMistakes, AnInertiaWithoutAMass) {
  EXPECT_EQ(message_of("dimension = 2\n[[bodies]]\nshape = { kind = \"disk\", radius = 1 }\ninertia = 1\n"),
            "scene.toml:4:11: bodies.0.inertia: got an inertia without a mass, allowed: give the mass too");
}

TEST(SceneMistakes, ADegreeOfFreedomThatDoesNotExist) {
  EXPECT_EQ(
      message_of("dimension = 2\n[[bodies]]\nshape = { kind = \"disk\", radius = 1 }\nlocked = [\"z\"]\n"),
      "scene.toml:4:10: bodies.0.locked: got \"z\", allowed: x, y, rz");
}

TEST(SceneMistakes, ADegreeBothLockedAndDriven) {
  EXPECT_EQ(
      message_of("dimension = 2\n[[bodies]]\nshape = { kind = \"disk\", radius = 1 }\nlocked = [\"x\"]\n"
                 "drive = { x = { velocity = 1 } }\n"),
      "scene.toml:5:15: bodies.0.drive.x: got a degree that is locked too, allowed: drive it or lock it");
}

TEST(SceneMistakes, AFormulaWithAnError) {
  const std::string message = message_of(
      "dimension = 2\n[[bodies]]\nshape = { kind = \"disk\", radius = 1 }\n"
      "force = { x = \"2*foo\" }\n");
  EXPECT_EQ(message.substr(0, 43), "scene.toml:4:15: bodies.0.force.x: column 3");
}

TEST(SceneMistakes, TimesThatDoNotIncrease) {
  EXPECT_EQ(message_of("dimension = 2\n[[bodies]]\nshape = { kind = \"disk\", radius = 1 }\n"
                       "force = { x = { times = [0, 2, 1], values = [0, 0, 0] } }\n"),
            "scene.toml:4:15: bodies.0.force.x: times of a table must increase: got 2.000000 then 1.000000");
}

TEST(SceneMistakes, AFileThatIsNotThere) {
  EXPECT_EQ(message_of("dimension = 2\n[[generate]]\nkind = \"particles\"\nfile = \"no.csv\"\n"),
            "scene.toml:4:8: generate.0.file: got \"no.csv\", "
            "allowed: a file that exists (paths count from the folder of the scene)");
}

TEST(SceneMistakes, ARunWithTwoEnds) {
  EXPECT_EQ(message_of("dimension = 2\n[run]\nuntil = 1\nsteps = 5\n"),
            "scene.toml:4:9: run.steps: got a second end of the run, allowed: one of until and steps");
}

TEST(SceneMistakes, AFieldOfTheOutputThatDoesNotExist) {
  EXPECT_EQ(message_of("dimension = 2\n[output]\nfields = [\"positons\"]\n").substr(0, 74),
            "scene.toml:3:10: output.fields: got \"positons\" (did you mean \"positions\"?)");
}

TEST(SceneMistakes, MoreBodiesThanAllowed) {
  EXPECT_EQ(
      message_of("dimension = 2\n[[generate]]\nkind = \"brick-wall\"\nbrick = [1, 1]\ncourses = "
                 "10000\nbricks = 10000\n"),
      "scene.toml:2:1: generate.0: too many bodies: got 100005000, allowed: 10000000 more in this scene");
}

TEST(SceneMistakes, AMembraneInSpace) {
  EXPECT_EQ(message_of("dimension = 3\n[[membranes]]\npressure = 1\n").substr(0, 39),
            "scene.toml:2:3: unknown key \"membranes\"");
}

TEST(SceneMistakes, ATableWhereTablesBelong) {
  EXPECT_EQ(message_of("dimension = 2\n[bodies]\nname = \"x\"\n"),
            "scene.toml:2:1: bodies: got a table, allowed: tables, each opened by [[bodies]]");
}

TEST(SceneMistakes, AnOverrideWithoutAValue) {
  EXPECT_EQ(message_of("dimension = 2\n", {"scheme.h"}), "--set scheme.h: no value: allowed: a.b.c=value");
}

TEST(SceneMistakes, AnOverrideOutOfRangeNamesTheOption) {
  EXPECT_EQ(message_of("dimension = 2\n", {"scheme.h=-1"}),
            "--set scheme.h=-1: scheme.h: got -1, allowed: a number above 0");
}

TEST(SceneMistakes, AnOverrideOfAKeyThatDoesNotExistNamesTheOption) {
  EXPECT_EQ(message_of("dimension = 2\n", {"scheme.hh=1"}),
            "--set scheme.hh=1: unknown key \"scheme.hh\": got \"hh\" (did you mean \"h\"?), "
            "allowed: kind, h, theta, activation, activation_gamma, jacobian_at, "
            "position_correction, projection, projection_metric, projection_tolerance, projection_passes, "
            "event_tolerance, most_events, step_control, step_control_halvings, step_control_overlap");
}

TEST(SceneMistakes, AnOverrideOfABodyThatDoesNotExist) {
  EXPECT_EQ(message_of("dimension = 2\nbodies = []\n", {"bodies.3.density=1"}),
            "--set bodies.3.density=1: element of an array: got \"3\", allowed: a whole number from 0 to 0");
}

TEST(SceneMistakes, ASceneThatIsNowhere) {
  try {
    read_scene("bouncing-bal");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "no such scene: got \"bouncing-bal\" (did you mean \"bouncing-ball\"?), "
              "allowed: a TOML file, or a name that `saltus scenes` lists");
  }
}

}  // namespace
}  // namespace saltus::scene_mistakes_test
