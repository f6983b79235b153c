// Joints and chains: one mistake per scene and the exact words that answer it, at reading and at building; what a joint
// keeps when it is written and read back.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::scene_joints_test {
namespace {

template <int Dim>
void build(const SceneFile& file) {
  Simulation<Dim>{std::get<Scene<Dim>>(file.scene)};
}

// Of reading the scene, or else of building its simulation.
std::string message_of(const std::string& text) {
  try {
    const SceneFile file = parse_scene(text, "scene.toml");
    if (std::holds_alternative<Scene<2>>(file.scene))
      build<2>(file);
    else
      build<3>(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// Ten lines.
const std::string kPlane =
    "dimension = 2\n[law]\nfriction = 0.3\n[[bodies]]\nname = \"a\"\nshape = { kind = \"disk\", radius = 0.1 "
    "}\n"
    "[[bodies]]\nname = \"b\"\nshape = { kind = \"disk\", radius = 0.1 }\nposition = [1, 0]\n";
const std::string kSpace =
    "dimension = 3\n[law]\nfriction = 0.3\n[[bodies]]\nname = \"a\"\nshape = { kind = \"sphere\", radius = "
    "0.1 }\n"
    "[[bodies]]\nname = \"b\"\nshape = { kind = \"sphere\", radius = 0.1 }\nposition = [1, 0, 0]\n";

// With the joint at lines 11 to 14 and `more` from line 15.
std::string plane(const std::string& kind, const std::string& more) {
  return kPlane + "[[joints]]\nname = \"j\"\nkind = \"" + kind + "\"\nbodies = [\"a\", \"b\"]\n" + more;
}
std::string space(const std::string& kind, const std::string& more) {
  return kSpace + "[[joints]]\nname = \"j\"\nkind = \"" + kind + "\"\nbodies = [\"a\", \"b\"]\n" + more;
}

TEST(SceneJoints, BodiesThatAreNotThere) {
  const std::string open = kPlane + "[[joints]]\nkind = \"revolute\"\npoint = [0, 0]\n";
  EXPECT_EQ(message_of(open + "bodies = [\"\", \"b\"]\n"),
            "scene.toml:14:10: joints.0.bodies: got an empty name, allowed: names of bodies; held by the "
            "world: [\"body\"]");
  EXPECT_EQ(
      message_of(open + "bodies = [\"a\", \"c\"]\n"),
      "scene.toml:11:1: a joint names a body that is not there: got c, allowed: the name of a body, as a, "
      "b");
  EXPECT_EQ(message_of(open + "bodies = [\"a\", \"a\"]\n"),
            "scene.toml:11:1: a joint between a body and itself: got a, allowed: two bodies, or one and the "
            "world");
}

TEST(SceneJoints, PlacesThatDoNotClose) {
  EXPECT_EQ(message_of(plane("revolute", "points = [[0.5, 0], [0.6, 0]]\n")),
            "scene.toml:11:1: joint \"j\" does not close: at the start its points are apart by: got 0.1 m, "
            "allowed: points that meet, but for what the joint leaves free");
  EXPECT_EQ(message_of(plane("revolute", "points = [[0.5, 0], [0.6, 0]]\nmay_be_off = true\n")), "no error");
  EXPECT_EQ(
      message_of(plane("rod", "points = [[0, 0], [1, 0]]\nlength = 1.25\n")),
      "scene.toml:11:1: joint \"j\" does not close: at the start its points are: got 1 m apart, allowed: its "
      "length 1.25 m, or no length: that of the start");
  EXPECT_EQ(
      message_of(plane("prismatic", "points_local = [[0.5, 0], [-0.5, 0]]\naxes_local = [[1, 0], [0, 1]]\n")),
      "scene.toml:11:1: the joint does not close: at the start its axes in the two bodies are: got 90 "
      "degrees "
      "apart, allowed: one line");
  EXPECT_EQ(message_of(plane("pulley", "points = [[0, 0], [1, 0]]\nsupports = [[0, 0], [1, 1]]\n")),
            "scene.toml:11:1: a pulley at the point that its rope holds: its distance is: got 0 m, allowed: "
            "supports away from the points of the bodies");
}

TEST(SceneJoints, AxesThatAreNone) {
  EXPECT_EQ(message_of(plane("prismatic", "point = [0, 0]\naxis = [0, 0]\n")),
            "scene.toml:16:8: joints.0.axis: got [0, 0], allowed: a direction, not zero");
  EXPECT_EQ(
      message_of(space("universal", "point = [0, 0, 0]\naxis = [1, 0, 0]\naxis2 = [1, 1, 0]\n")),
      "scene.toml:11:1: the axes of a universal joint: got 45 degrees apart, allowed: axis and axis2 at "
      "right angles");
}

TEST(SceneJoints, LimitsThatContradictEachOtherOrTheStart) {
  EXPECT_EQ(message_of(plane("revolute", "point = [0, 0]\nangle = { lower = 1, upper = -1 }\n")),
            "scene.toml:16:30: joints.0.angle.upper: got -1 with lower = 1, allowed: upper above lower");
  EXPECT_EQ(message_of(plane("revolute", "point = [0, 0]\nangle = { lower = 0.5, upper = 1 }\n")),
            "scene.toml:11:1: angle at the start: got 0, allowed: within its limits, 0.5 to 1");
  EXPECT_EQ(
      message_of(plane("revolute", "point = [0, 0]\nangle = { restitution = 0.5 }\n")),
      "scene.toml:16:25: joints.0.angle.restitution: got without lower or upper, allowed: a limit that it "
      "belongs to");
}

TEST(SceneJoints, ASwingHasAnUpperLimitAboveZeroOnly) {
  EXPECT_EQ(message_of(space("spherical", "point = [0, 0, 0]\nswing = { lower = -1 }\n")),
            "scene.toml:16:11: unknown key \"joints.0.swing.lower\": allowed: upper, restitution, stiffness, "
            "damping, "
            "friction, friction_coefficient");
  EXPECT_EQ(message_of(space("spherical", "point = [0, 0, 0]\nswing = { upper = 0 }\n")),
            "scene.toml:16:19: joints.0.swing.upper: got 0, allowed: a number above 0 to "
            "3.141592653589793");
}

TEST(SceneJoints, WhatABallJointCannotDo) {
  const std::string point = "point = [0, 0, 0]\n";
  const auto told = [&](const std::string& more) { return message_of(space("spherical", point + more)); };
  EXPECT_EQ(told("swing = { upper = 4 }\n"),
            "scene.toml:16:19: joints.0.swing.upper: got 4, allowed: a number above 0 to 3.141592653589793");
  EXPECT_EQ(told("swing = { stiffness = -1 }\n"),
            "scene.toml:16:23: joints.0.swing.stiffness: got -1, allowed: a number, 0 or more");
  EXPECT_EQ(told("swing = { stiffness = 1, rest = 0.2 }\n"),
            "scene.toml:16:26: unknown key \"joints.0.swing.rest\": allowed: upper, restitution, stiffness, "
            "damping, friction, friction_coefficient");
  EXPECT_EQ(told("swing = { motor = { velocity = 1 } }\n"),
            "scene.toml:16:11: unknown key \"joints.0.swing.motor\": allowed: upper, restitution, stiffness, "
            "damping, friction, friction_coefficient");
  EXPECT_EQ(told("twist = { lower = 0.1, upper = 1 }\nswing = { upper = 1 }\n"),
            "scene.toml:11:1: twist at the start: got 0, allowed: within its limits, 0.1 to 1");
  EXPECT_EQ(told("twist = { upper = 1 }\n"),
            "scene.toml:11:1: what acts along twist, with a swing of up to: got any angle, allowed: swing = "
            "{ upper = ... } of at most 3 rad: at half a turn of swing there is no twist");
  EXPECT_EQ(told("twist = { upper = 1 }\nswing = { upper = 3.1 }\n"),
            "scene.toml:11:1: what acts along twist, with a swing of up to: got 3.1 rad, allowed: swing = { "
            "upper = ... } of at most 3 rad: at half a turn of swing there is no twist");
  EXPECT_EQ(told("swing = { upper = 1 }\ntwist = { start = 1 }\nrotation = { start = [0, 0, 0.5] }\n"),
            "scene.toml:11:1: start of twist: got 1 rad, allowed: what follows from start of rotation, 0.5 "
            "rad and whole turns");
  EXPECT_EQ(told("rotation = { upper = 1 }\n"),
            "scene.toml:16:14: unknown key \"joints.0.rotation.upper\": allowed: start, stiffness, damping, "
            "rest, friction, friction_coefficient, motor");
  EXPECT_EQ(
      told("rotation = { stiffness = 1, rest = 0.5 }\n"),
      "scene.toml:16:36: joints.0.rotation.rest: got 0.5, allowed: an array of 3, each a finite number");
  EXPECT_EQ(told("rotation = { rest = [0, 0, 1] }\n"),
            "scene.toml:16:12: joints.0.rotation.stiffness: got 0 with damping = 0, allowed: one of them "
            "above 0; a constant force is motor = { force = ... }");
  EXPECT_EQ(told("rotation = { friction = -1 }\n"),
            "scene.toml:16:25: joints.0.rotation.friction: got -1, allowed: a number, 0 or more");
  EXPECT_EQ(told("rotation = { friction_coefficient = 0.3 }\n"),
            "scene.toml:16:12: missing key \"joints.0.rotation.pin_radius\": allowed: a number above 0");
  EXPECT_EQ(told("rotation = { motor = { velocity = 1 } }\n"),
            "scene.toml:16:35: joints.0.rotation.motor.velocity: got 1, allowed: a table");
  EXPECT_EQ(told("rotation = { motor = { force = { x = 1 } } }\n"),
            "scene.toml:16:22: joints.0.rotation.motor.velocity: got 0 of velocity and position, allowed: "
            "exactly one of them");
  EXPECT_EQ(told("rotation = { motor = { velocity = { w = 1 } } }\n"),
            "scene.toml:16:37: unknown key \"joints.0.rotation.motor.velocity.w\": got \"w\" (did you mean "
            "\"x\"?), allowed: x, y, z");
  EXPECT_EQ(told("rotation = { motor = { velocity = { x = \"1/t\" } } }\n"),
            "scene.toml:16:41: joints.0.rotation.motor.velocity.x: \"1/t\" is not finite: got inf at t = 0 "
            "s, allowed: a finite value all through the run, 0 to 1 s, of up to 1e+30 in size");
  EXPECT_EQ(told("rotation = { motor = { velocity = { x = 1 }, limit = -1 } }\n"),
            "scene.toml:16:54: joints.0.rotation.motor.limit: got -1, allowed: 0 or more at all times: it "
            "holds both ways");
}

TEST(SceneJoints, SpringsThatDoNothingOrHaveNoLoad) {
  const std::string points = "points = [[0, 0], [1, 0]]\n";
  EXPECT_EQ(
      message_of(plane("spring", points)),
      "scene.toml:11:1: joints.0.length: got nothing that acts along it, allowed: length = { stiffness = "
      "..., rest = ... }, and more");
  EXPECT_EQ(message_of(plane("spring", points + "length = { stiffness = 1, friction_coefficient = 0.3 }\n"))
                .substr(0, 68),
            "scene.toml:16:27: unknown key \"joints.0.length.friction_coefficient\"");
}

TEST(SceneJoints, MotorsThatAreUnclear) {
  EXPECT_EQ(
      message_of(plane("revolute", "point = [0, 0]\nangle = { motor = { velocity = 1, limit = -2 } }\n")),
      "scene.toml:16:43: joints.0.angle.motor.limit: got -2, allowed: 0 or more at all times: it holds both "
      "ways");
  EXPECT_EQ(
      message_of(plane("revolute",
                       "point = [0, 0]\nangle = { motor = { velocity = 1, limit = { amplitude = 2, "
                       "frequency = 1, mean = 1.5 } } }\n")),
      "scene.toml:16:43: joints.0.angle.motor.limit: got -0.5, allowed: 0 or more at all times: it holds "
      "both ways");
  EXPECT_EQ(message_of(plane("revolute",
                             "point = [0, 0]\nangle = { motor = { velocity = 1, limit = \"0.5 - t\" } }\n")),
            "scene.toml:16:43: joints.0.angle.motor.limit: got -0.5, allowed: 0 or more at all times: it "
            "holds both "
            "ways");
  const std::string system =
      "[[system]]\ncoordinates = [\"x\"]\nmass = [[\"1\"]]\npoints = [{ name = \"p\", shape = { kind = "
      "\"disk\", radius = 0.1 }, position = [\"x\", \"3\"] }]\n";
  EXPECT_EQ(message_of(kPlane +
                       "[[joints]]\nkind = \"spring\"\nbodies = [\"b\", \"p\"]\npoints = [[1, 0], [0, "
                       "3]]\nlength = { motor = { force = 1 } }\n" +
                       system),
            "scene.toml:11:1: a motor of given force at a point of a system or of an elastic body: got p, "
            "allowed: velocity or position with a limit, or a force of the system itself");
  EXPECT_EQ(message_of(plane("revolute", "point = [0, 0]\nangle = { motor = { force = 1, limit = 2 } }\n")),
            "scene.toml:16:40: joints.0.angle.motor.limit: got a limit of a motor whose force is given, "
            "allowed: a limit with velocity or position");
}

TEST(SceneJoints, GearsThatDoNotMesh) {
  const std::string two = plane("revolute", "point = [0.5, 0]\n") +
                          "[[joints]]\nname = \"k\"\nkind = \"revolute\"\nbodies = [\"b\"]\npoint = [1, 0]\n"
                          "[[joints]]\nkind = \"gear\"\nratio = 1\n";
  EXPECT_EQ(message_of(two + "joints = [\"j\", \"k\"]\ntotal = 3\n"),
            "scene.toml:21:1: a gear does not close: at the start first - ratio x second is: got 0, allowed: "
            "total = 3");
  EXPECT_EQ(message_of(two + "joints = [\"j\", \"j\"]\ndirections = [\"\", \"angle\"]\n"),
            "scene.toml:21:1: a gear between a direction and itself: got j, allowed: two directions");
  EXPECT_EQ(
      message_of(two + "joints = [\"j\", \"z\"]\n"),
      "scene.toml:21:1: a gear between joints: got z, allowed: names of two joints with a free direction");
}

TEST(SceneJoints, ChainsThatAreNone) {
  const std::string open = kPlane + "[[chains]]\nwidth = 0.1\n";
  EXPECT_EQ(
      message_of(open + "points = [[0, 3]]\nlinks = 3\n"),
      "scene.toml:13:10: chains.0.points: got 1 points, allowed: two or more: the line that the chain lies "
      "along");
  EXPECT_EQ(message_of(open + "points = [[0, 3], [0, 3]]\nlinks = 3\n"),
            "scene.toml:11:1: link 0 of a chain has no length: allowed: a longer line, or fewer links");
  EXPECT_EQ(message_of(open + "points = [[0, 3], [1, 3]]\nlinks = 0\n"),
            "scene.toml:14:9: chains.0.links: got 0, allowed: a whole number from 1 to 1000000");
}

TEST(SceneJoints, TheRotationOfASphericalJointIsKept) {
  const auto scene = std::get<Scene<3>>(
      parse_scene(space("spherical",
                        "point = [0.5, 0, 0]\naxis = [0, 0, 1]\naxis2 = [1, 0, 0]\nswing = { upper = 1 }\n"
                        "rotation = { start = [0.3, 0, 0], stiffness = 2 }\nmay_be_off = true\n"),
                  "scene.toml")
          .scene);
  const auto again = std::get<Scene<3>>(parse_scene(format_scene(scene), "scene.toml").scene);
  ASSERT_TRUE(again.joints[0].rotation_start.has_value());
  EXPECT_EQ(*again.joints[0].rotation_start, Vec<3>(0.3, 0, 0));
  EXPECT_TRUE(again.joints[0].may_be_off);
  const Simulation<3> simulation(again);
  EXPECT_NEAR(simulation.joint_place(0).value[0], 0.3, 1e-15);  // the swing, to round-off
}

}  // namespace
}  // namespace saltus::scene_joints_test
