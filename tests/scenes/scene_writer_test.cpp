#include "saltus/scenes/scene_writer.hpp"

#include <gtest/gtest.h>

#include "saltus/scenes/scene_reader.hpp"

namespace saltus::scene_writer_test {
namespace {

// Every kind of value a scene can hold, with numbers whose decimal form is long.
constexpr const char* kPlane = R"toml(
title = "quotes \" and \\ and a line\nend"
dimension = 2
gravity = [0.1, -9.80665]
tilt = { angle = "0.1*t" }
damping = 0.3
damping_rotation = 0.7
period = [12.5, 0]
alert = 1e-3
groups_apart = [[1, 2]]
[scheme]
h = 0.001234567890123
theta = 0.51
activation = "free"
jacobian_at = "start"
[solver]
name = "newton"
tolerance = 1.1e-7
tolerance_velocity = 3e-9
max_iterations = 12
threads = 3
local = "newton"
margins = { gap = 0.1, velocity = 0.2, force = 0.3 }
[run]
start = -1
until = 2.7
relax_overlaps = true
penetration_limit = 0.07
[output]
every = 0.3
fields = ["positions"]
checkpoint_every = 4
[materials."my stone"]
density = 2700.7
[materials.steel]
[law]
kind = "fremond"
restitution = 0.1
[[laws]]
between = ["my stone", "steel"]
kind = "elastic"
friction = 0.6
friction_dynamic = 0.1
stiffness_normal = 1e7
stiffness_tangent = 3e6
cohesion = 10
rupture_gap = 0.1
bonding = "adhesive"
viscosity = 0.3
rolling = 0.2
[[laws]]
between = ["steel", "steel"]
kind = "newton"
restitution = 0.3
restitution_tangent = 0.1
[[laws]]
between = ["my stone", "my stone"]
kind = "moreau"
dissipation = 0.3
[[membranes]]
pressure = "1 + t^2"
groups = [1, 3]
reach = 0.7
[[servos]]
wall = "lid"
stress = { times = [0, 0.1], values = [0, 1e5] }
between = ["left", "right"]
speed = 0.3
[[servos]]
wall = "lid"
stress = 3e4
area = 0.7
[[servos]]
wall = "lid"
force = 33
[[bodies]]
name = "disk"
material = "my stone"
shape = { kind = "disk", radius = 0.1 }
position = [0.1, 0.2]
angle = 7.7
velocity = [0.3, 0.4]
spin = 0.1
mass = 3.3
inertia = 0.1
centre = [0.01, 0.02]
locked = ["y"]
drive = { x = { position = { times = [0, 0.1], values = [0, 0.3] } } }
force = { x = 0.1, rz = { amplitude = 0.1, frequency = 0.3, phase = 0.7, mean = 0.9 } }
damping = 0.1
damping_rotation = 0.2
groups = [1]
touches = [0, 3]
added_at = 0.1
removed_at = 0.3
[[bodies]]
shape = { kind = "rectangle", size = [0.1, 0.3] }
drive = { rz = { velocity = "0.1*t" }, y = { acceleration = 0.1 } }
[[bodies]]
shape = { kind = "capsule", start = [0.1, 0.2], end = [0.3, 0.7], radius = 0.1 }
[[bodies]]
shape = { kind = "segment", start = [0.1, 0.2], end = [0.3, 0.7] }
fixed = true
[[bodies]]
shape = { kind = "half-plane", normal = [0.3, 0.7], offset = 0.1 }
fixed = true
[[bodies]]
shape = { kind = "drum", radius = 0.3 }
fixed = true
[[bodies]]
shape = { kind = "polyline", points = [[0.1, 0.3], [0.7, 0.3]] }
fixed = true
[[bodies]]
shape = { kind = "compound", parts = [{ kind = "disk", radius = 0.1, position = [0.3, 0.7] },
                                      { kind = "polygon", points = [[0, 0], [0.1, 0], [0, 0.3]], angle = 0.1 }] }
)toml";

constexpr const char* kSpace = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
tilt = { angle = { times = [0, 1], values = [0, 0.3] }, axis = [0, 1, 0] }
[law]
friction = 0.3
[[bodies]]
shape = { kind = "sphere", radius = 0.1 }
position = [0.1, 0.2, 0.3]
rotation = [0.1, 0.7, 0.3]
velocity = [0.1, 0.2, 0.3]
spin = [0.1, 0.2, 0.3]
mass = 1
inertia = [0.1, 0.2, 0.15, 0.01, 0.02, 0.03]
[[bodies]]
shape = { kind = "box", size = [0.1, 0.3, 0.7] }
[[bodies]]
shape = { kind = "polyhedron", points = [[0, 0, 0], [0.3, 0.1, 0], [0.1, 0.7, 0.1], [0, 0, 1.1], [0.1, 0.1, 0.1]] }
[[bodies]]
shape = { kind = "capsule", start = [0.1, 0.2, 0.3], end = [0.3, 0.7, 0.9], radius = 0.1 }
[[bodies]]
shape = { kind = "cylinder", radius = 0.1, length = 0.7 }
[[bodies]]
shape = { kind = "segment", start = [0, 0, 0], end = [0, 0, 1] }
fixed = true
[[bodies]]
shape = { kind = "plane", normal = [0.1, 0.3, 0.7] }
fixed = true
[[bodies]]
shape = { kind = "hollow-sphere", radius = 0.3 }
fixed = true
[[bodies]]
shape = { kind = "drum", radius = 0.3 }
fixed = true
[[bodies]]
shape = { kind = "height-field", spacing = [0.1, 0.3], heights = [[0, 0.1], [0.3, 0.7]], origin = [0.1, 0, 0] }
fixed = true
[[bodies]]
shape = { kind = "compound", parts = [{ kind = "box", size = [0.1, 0.3, 0.7], position = [0.1, 0.3, 0.7] },
                                      { kind = "sphere", radius = 0.3, rotation = [0, 0, 0.3] }] }
)toml";

// The text written for a scene is a complete account of it, so equal texts mean equal scenes.
template <int Dim>
std::string write_and_read(const std::string& text) {
  return format_scene<Dim>(std::get<Scene<Dim>>(parse_scene(text, "scene.toml").scene));
}

TEST(SceneWriter, AWrittenSceneOfThePlaneReadsBackTheSame) {
  const std::string once = write_and_read<2>(kPlane);
  EXPECT_EQ(write_and_read<2>(once), once);
  EXPECT_EQ(first_difference(once, write_and_read<2>(once)), "");
}

TEST(SceneWriter, AWrittenSceneOfSpaceReadsBackTheSame) {
  const std::string once = write_and_read<3>(kSpace);
  EXPECT_EQ(write_and_read<3>(once), once);
}

// Independent of the writer: the fields themselves.
TEST(SceneWriter, NoValueOfABodyIsLost) {
  const auto first = std::get<Scene<2>>(parse_scene(kPlane, "scene.toml").scene);
  const auto again = std::get<Scene<2>>(parse_scene(format_scene<2>(first), "scene.toml").scene);
  EXPECT_EQ(again.title, first.title);
  EXPECT_EQ(again.scheme.h, first.scheme.h);
  EXPECT_EQ(again.end_time, first.end_time);
  ASSERT_EQ(again.bodies.size(), first.bodies.size());
  const SceneBody<2>&a = first.bodies[0], &b = again.bodies[0];
  EXPECT_EQ(b.material, "my stone");
  EXPECT_EQ(b.density, a.density);
  EXPECT_EQ(b.pose.position, a.pose.position);
  EXPECT_EQ(b.pose.angle(), a.pose.angle());
  EXPECT_EQ(b.spin, a.spin);
  EXPECT_EQ(b.mass, a.mass);
  EXPECT_EQ(b.drive[0].function.values, a.drive[0].function.values);
  EXPECT_EQ(b.drive[1].kind, Drive::Kind::locked);
  EXPECT_EQ(b.force[2].phase, 0.7);
  EXPECT_EQ(b.group, a.group);
  EXPECT_EQ(b.mask, a.mask);
  EXPECT_EQ(b.removed_at, a.removed_at);
  EXPECT_EQ(again.laws[0].law.rupture_gap, 0.1);
  EXPECT_EQ(again.membranes[0].pressure.at(2), 5);
  EXPECT_EQ(std::get<HalfPlane>(again.bodies[4].shape).normal,
            std::get<HalfPlane>(first.bodies[4].shape).normal);
}

}  // namespace
}  // namespace saltus::scene_writer_test
