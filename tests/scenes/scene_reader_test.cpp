#include "saltus/scenes/scene_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "saltus/base/input_error.hpp"
#include "temporary_folder.hpp"

namespace saltus::scene_reader_test {
namespace {

template <int Dim>
Scene<Dim> parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return std::get<Scene<Dim>>(parse_scene(text, "scene.toml", overrides).scene);
}

TEST(SceneReader, AnEmptySceneHasTheDefaultsOfTheProgram) {
  const Scene<2> scene = parse<2>("dimension = 2");
  const Scene<2> fresh;
  EXPECT_EQ(scene.name, "scene");
  EXPECT_EQ(scene.gravity, fresh.gravity);
  EXPECT_EQ(scene.scheme.h, fresh.scheme.h);
  EXPECT_EQ(scene.scheme.theta, fresh.scheme.theta);
  EXPECT_EQ(scene.solver.kind, fresh.solver.kind);
  EXPECT_EQ(scene.solver.tolerance, fresh.solver.tolerance);
  EXPECT_EQ(scene.end_time, fresh.end_time);
  EXPECT_FALSE(scene.default_law);
  EXPECT_TRUE(scene.bodies.empty());
}

TEST(SceneReader, EveryKeyOfTheSchemeSolverRunAndOutputArrives) {
  const Scene<3> scene = parse<3>(R"(
    dimension = 3
    title = "all keys"
    gravity = [0, 0, -9.81]
    damping = 0.1
    damping_rotation = 0.2
    period = [4, 0, 5]
    alert = 0.01
    groups_apart = [[1, 1], [2, 31]]
    [scheme]
    h = 5e-3
    theta = 0.6
    activation = "end"
    jacobian_at = "predicted"
    [solver]
    name = "admm"
    tolerance = 1e-5
    tolerance_velocity = 1e-7
    max_iterations = 77
    threads = 2
    local = "projection"
    margins = { gap = 1e-4, velocity = 1e-3, force = 0.1 }
    [run]
    start = 1
    steps = 100
    relax_overlaps = true
    penetration_limit = 0.02
    [output]
    every = 0.05
    fields = ["positions", "energies"]
    checkpoint_every = 2
  )");
  EXPECT_EQ(scene.title, "all keys");
  EXPECT_EQ(scene.gravity, Vec<3>(0, 0, -9.81));
  EXPECT_EQ(scene.damping, 0.1);
  EXPECT_EQ(scene.damping_rotation, 0.2);
  EXPECT_EQ(scene.period, Vec<3>(4, 0, 5));
  EXPECT_EQ(scene.alert, 0.01);
  EXPECT_EQ(scene.excluded_groups, (std::vector<std::pair<int, int>>{{1, 1}, {2, 31}}));
  EXPECT_EQ(scene.scheme.h, 5e-3);
  EXPECT_EQ(scene.scheme.theta, 0.6);
  EXPECT_EQ(scene.scheme.activation, Activation::end);
  EXPECT_EQ(scene.scheme.jacobian_at, JacobianAt::predicted);
  EXPECT_EQ(scene.solver.kind, SolverKind::admm);
  EXPECT_EQ(scene.solver.tolerance, 1e-5);
  EXPECT_EQ(scene.solver.tolerance_velocity, 1e-7);
  EXPECT_EQ(scene.solver.max_iterations, 77);
  EXPECT_EQ(scene.solver.threads, 2);
  EXPECT_EQ(scene.solver.local, LocalSolverKind::projection);
  ASSERT_TRUE(scene.solver.margins);
  EXPECT_EQ(scene.solver.margins->gap, 1e-4);
  EXPECT_EQ(scene.solver.margins->velocity, 1e-3);
  EXPECT_EQ(scene.solver.margins->force, 0.1);
  EXPECT_EQ(scene.start_time, 1);
  EXPECT_EQ(scene.end_time, 1 + 100 * 5e-3);
  EXPECT_TRUE(scene.relax_overlaps);
  EXPECT_EQ(scene.penetration_limit, 0.02);
  EXPECT_EQ(scene.output.every, 0.05);
  EXPECT_EQ(scene.output.fields, (std::vector<std::string>{"positions", "energies"}));
  EXPECT_EQ(scene.output.checkpoint_every, 2);
}

TEST(SceneReader, EveryKeyOfABodyArrives) {
  const Scene<3> scene = parse<3>(R"toml(
    dimension = 3
    [materials.steel]
    density = 7800
    [[bodies]]
    name = "block"
    material = "steel"
    shape = { kind = "box", size = [1, 2, 3] }
    position = [0.1, 0.2, 0.3]
    quaternion = [0, 0, 0, 2]
    velocity = [1, 2, 3]
    spin = [4, 5, 6]
    mass = 10
    inertia = [2, 3, 4, 0.1, 0.2, 0.3]
    centre = [0.01, 0, 0]
    locked = ["y", "rz"]
    drive = { x = { velocity = "sin(t)" } }
    force = { z = -5, rx = { amplitude = 2, frequency = 3, phase = 0.5, mean = 1 } }
    damping = 0.5
    damping_rotation = 0.25
    groups = [1, 4]
    touches = [0, 1]
    added_at = 0.5
    removed_at = 2.5
  )toml");
  const SceneBody<3>& body = scene.bodies.at(0);
  EXPECT_EQ(body.name, "block");
  EXPECT_EQ(body.where, "scene.toml:5:5");
  EXPECT_EQ(body.material, "steel");
  EXPECT_EQ(body.density, 7800);
  EXPECT_EQ(std::get<ConvexPolyhedron>(body.shape).vertices.size(), 8u);
  EXPECT_EQ(body.pose.position, Vec<3>(0.1, 0.2, 0.3));
  EXPECT_EQ(body.pose.orientation().z(), 1);
  EXPECT_EQ(body.velocity, Vec<3>(1, 2, 3));
  EXPECT_EQ(body.spin, Vec<3>(4, 5, 6));
  EXPECT_EQ(body.mass, 10);
  EXPECT_EQ((*body.inertia)(1, 1), 3);
  EXPECT_EQ((*body.inertia)(2, 0), 0.2);
  EXPECT_EQ(*body.centre, Vec<3>(0.01, 0, 0));
  EXPECT_EQ(body.drive[0].kind, Drive::Kind::velocity);
  EXPECT_EQ(body.drive[0].function.formula.text(), "sin(t)");
  EXPECT_EQ(body.drive[1].kind, Drive::Kind::locked);
  EXPECT_TRUE(body.drive[2].is_free());
  EXPECT_EQ(body.drive[5].kind, Drive::Kind::locked);
  EXPECT_EQ(body.force[2].at(0), -5);
  EXPECT_EQ(body.force[3].kind, TimeFunction::Kind::sine);
  EXPECT_EQ(body.damping, 0.5);
  EXPECT_EQ(body.damping_rotation, 0.25);
  EXPECT_EQ(body.group, 0b10010u);
  EXPECT_EQ(body.mask, 0b11u);
  EXPECT_EQ(body.added_at, 0.5);
  EXPECT_EQ(body.removed_at, 2.5);
}

TEST(SceneReader, ShapesOfThePlaneHaveTheirSizes) {
  const Scene<2> scene = parse<2>(R"(
    dimension = 2
    bodies = [
      { shape = { kind = "disk", radius = 0.5 } },
      { shape = { kind = "rectangle", size = [2, 1] }, angle = 0.5 },
      { shape = { kind = "polygon", points = [[0, 0], [0, 1], [1, 0]] } },
      { shape = { kind = "capsule", start = [0, 0], end = [1, 0], radius = 0.1 } },
      { shape = { kind = "segment", start = [0, 0], end = [1, 0] }, fixed = true },
      { shape = { kind = "half-plane", normal = [0, 2], offset = 1 }, fixed = true },
      { shape = { kind = "drum", radius = 3 }, fixed = true },
      { shape = { kind = "polyline", points = [[0, 0], [1, 0], [2, 1]], closed = true }, fixed = true },
      { shape = { kind = "compound", parts = [{ kind = "disk", radius = 1, position = [1, 0] },
                                              { kind = "rectangle", size = [1, 1], angle = 1 }] } } ]
  )");
  ASSERT_EQ(scene.bodies.size(), 9u);
  EXPECT_EQ(std::get<Disk>(scene.bodies[0].shape).radius, 0.5);
  EXPECT_DOUBLE_EQ(compute_volume<2>(scene.bodies[1].shape), 2);
  EXPECT_EQ(scene.bodies[1].pose.angle(), 0.5);
  EXPECT_DOUBLE_EQ(compute_volume<2>(scene.bodies[2].shape), 0.5);
  EXPECT_EQ(std::get<Capsule<2>>(scene.bodies[3].shape).radius, 0.1);
  EXPECT_EQ(std::get<Capsule<2>>(scene.bodies[4].shape).radius, 0);
  EXPECT_EQ(std::get<HalfPlane>(scene.bodies[5].shape).normal, Vec<2>(0, 1));
  EXPECT_EQ(std::get<HalfPlane>(scene.bodies[5].shape).offset, 1);
  EXPECT_EQ(std::get<HollowDisk>(scene.bodies[6].shape).radius, 3);
  EXPECT_TRUE(std::get<Polyline>(scene.bodies[7].shape).closed);
  const auto& compound = std::get<Compound<2>>(scene.bodies[8].shape);
  ASSERT_EQ(compound.parts.size(), 2u);
  EXPECT_EQ(compound.parts[0].pose.position, Vec<2>(1, 0));
  EXPECT_EQ(compound.parts[1].pose.angle(), 1);
}

TEST(SceneReader, ShapesOfSpaceHaveTheirSizes) {
  const Scene<3> scene = parse<3>(R"(
    dimension = 3
    bodies = [
      { shape = { kind = "sphere", radius = 0.5 } },
      { shape = { kind = "polyhedron", points = [[0,0,0], [1,0,0], [0,1,0], [0,0,1]] } },
      { shape = { kind = "capsule", start = [0, 0, 0], end = [0, 0, 1], radius = 0.1 } },
      { shape = { kind = "cylinder", radius = 1, length = 3 } },
      { shape = { kind = "plane" }, fixed = true },
      { shape = { kind = "hollow-sphere", radius = 3 }, fixed = true },
      { shape = { kind = "drum", radius = 3 }, fixed = true },
      { shape = { kind = "mesh", vertices = [[0,0,0], [1,0,0], [0,1,0]], triangles = [[0, 1, 2]] }, fixed = true },
      { shape = { kind = "height-field", spacing = [1, 2], heights = [[0, 0, 1], [0, 1, 1]] }, fixed = true } ]
  )");
  ASSERT_EQ(scene.bodies.size(), 9u);
  EXPECT_NEAR(compute_volume<3>(scene.bodies[1].shape), 1.0 / 6, 1e-15);
  EXPECT_EQ(std::get<Cylinder>(scene.bodies[3].shape).half_length, 1.5);
  EXPECT_EQ(std::get<Plane>(scene.bodies[4].shape).normal, Vec<3>(0, 0, 1));
  EXPECT_EQ(std::get<HollowCylinder>(scene.bodies[6].shape).radius, 3);
  const auto& ground = std::get<TriangleMesh>(scene.bodies[8].shape);
  EXPECT_EQ(ground.triangles.size(), 4u);
  EXPECT_EQ(ground.vertices[5], Vec<3>(2, 2, 1));
}

TEST(SceneReader, LawsArriveWithTheirPairs) {
  const Scene<2> scene = parse<2>(R"(
    dimension = 2
    [materials.stone]
    [materials.mortar]
    [law]
    friction = 0.3
    [[laws]]
    between = ["stone", "mortar"]
    kind = "elastic"
    friction = 0.6
    friction_dynamic = 0.5
    stiffness_normal = 1e7
    stiffness_tangent = 5e6
    cohesion = 100
    rupture_gap = 1e-4
    bonding = "adhesive"
    viscosity = 3
    rolling = 0.01
    [[laws]]
    between = ["stone", "stone"]
    kind = "moreau"
    dissipation = 0.2
    [[laws]]
    between = ["mortar", "default"]
    kind = "newton"
    restitution = 0.9
    restitution_tangent = -0.5
  )");
  ASSERT_TRUE(scene.default_law);
  EXPECT_EQ(scene.default_law->kind, LawKind::quasi_inelastic);
  EXPECT_EQ(scene.default_law->friction, 0.3);
  ASSERT_EQ(scene.laws.size(), 3u);
  const PairLaw& law = scene.laws[0].law;
  EXPECT_EQ(scene.laws[0].material_a, "stone");
  EXPECT_EQ(scene.laws[0].material_b, "mortar");
  EXPECT_EQ(law.kind, LawKind::elastic);
  EXPECT_EQ(law.friction_dynamic, 0.5);
  EXPECT_EQ(law.stiffness_normal, 1e7);
  EXPECT_EQ(law.stiffness_tangent, 5e6);
  EXPECT_EQ(law.cohesion, 100);
  EXPECT_EQ(law.rupture_gap, 1e-4);
  EXPECT_EQ(law.bonding, Bonding::adhesive);
  EXPECT_EQ(law.viscosity, 3);
  EXPECT_EQ(law.rolling, 0.01);
  EXPECT_EQ(scene.laws[1].law.dissipation, 0.2);
  EXPECT_EQ(scene.laws[2].law.restitution_tangent, -0.5);
}

TEST(SceneReader, AMembraneHasItsPressureAndReach) {
  const Scene<2> scene = parse<2>(R"(
    dimension = 2
    [[membranes]]
    pressure = { times = [0, 1], values = [0, 1e5] }
    groups = [2]
    reach = 0.3
  )");
  ASSERT_EQ(scene.membranes.size(), 1u);
  EXPECT_EQ(scene.membranes[0].pressure.at(0.5), 5e4);
  EXPECT_EQ(scene.membranes[0].group, 4u);
  EXPECT_EQ(scene.membranes[0].longest_side, 0.3);
}

class SceneFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string path(const std::string& name) const { return folder_.path(name); }

  const TemporaryFolder folder_;
};

TEST_F(SceneFiles, FilesAreFoundBesideTheScene) {
  write("quake.txt", "0 0\n1 2\n");
  write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  write("scene.toml", R"(
    dimension = 3
    [[bodies]]
    shape = { kind = "polyhedron", file = "tetra.obj", scale = 2 }
    drive = { x = { acceleration = { file = "quake.txt", scale = 10 } } }
  )");
  const SceneFile file = read_scene(path("scene.toml"));
  const auto& body = std::get<Scene<3>>(file.scene).bodies.at(0);
  EXPECT_NEAR(compute_volume<3>(body.shape), 8.0 / 6, 1e-14);
  EXPECT_EQ(body.drive[0].function.at(0.5), 10);

  write("quake.txt", "0 0\n1 3\n");
  EXPECT_EQ(first_difference(file.text, read_scene(path("scene.toml")).text), "files.quake.txt");
}

TEST_F(SceneFiles, TextAndBinaryStlGiveTheSameTriangles) {
  write("t.stl",
        "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "0\nendloop\nendfacet\nendsolid\n");
  std::string binary(84, 'x');
  const std::uint32_t count = 1;
  binary.replace(80, 4, reinterpret_cast<const char*>(&count), 4);
  const float numbers[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  binary.append(reinterpret_cast<const char*>(numbers), sizeof numbers).append(2, '\0');
  write("b.stl", binary);
  write("scene.toml", R"(
    dimension = 3
    bodies = [ { shape = { kind = "mesh", file = "t.stl" }, fixed = true },
               { shape = { kind = "mesh", file = "b.stl" }, fixed = true } ]
  )");
  const Scene<3> scene = std::get<Scene<3>>(read_scene(path("scene.toml")).scene);
  const auto& text = std::get<TriangleMesh>(scene.bodies[0].shape);
  const auto& same = std::get<TriangleMesh>(scene.bodies[1].shape);
  EXPECT_EQ(text.vertices, same.vertices);
  EXPECT_EQ(text.triangles, same.triangles);
  EXPECT_EQ(text.triangles.size(), 1u);
}

constexpr const char* kTwoBodies = R"(
  dimension = 2
  [[bodies]]
  shape = { kind = "disk", radius = 1 }
  [[bodies]]
  shape = { kind = "disk", radius = 2 }
)";

TEST(SceneOverrides, AKeyIsSetInsideTablesAndArrays) {
  const Scene<2> scene =
      parse<2>(kTwoBodies, {"scheme.h=0.25", "bodies.1.shape.radius=3", "solver.name=admm",
                            "bodies.2={shape={kind=\"disk\", radius=4}}", "gravity=[0, -1]"});
  EXPECT_EQ(scene.scheme.h, 0.25);
  EXPECT_EQ(scene.solver.kind, SolverKind::admm);
  EXPECT_EQ(scene.gravity, Vec<2>(0, -1));
  ASSERT_EQ(scene.bodies.size(), 3u);
  EXPECT_EQ(std::get<Disk>(scene.bodies[1].shape).radius, 3);
  EXPECT_EQ(std::get<Disk>(scene.bodies[2].shape).radius, 4);
}

TEST(SceneOverrides, TheLastOfTwoWins) {
  EXPECT_EQ(parse<2>(kTwoBodies, {"scheme.h=0.25", "scheme.h=0.5"}).scheme.h, 0.5);
}

TEST(SceneDifference, TheFirstChangedKeyIsNamed) {
  const auto text = [](const std::vector<std::string>& set) {
    return parse_scene(kTwoBodies, "a.toml", set).text;
  };
  EXPECT_EQ(first_difference(text({}), text({})), "");
  EXPECT_EQ(first_difference(text({}), text({"scheme.h=0.5"})), "scheme.h");
  EXPECT_EQ(first_difference(text({"scheme.h=0.5"}), text({"scheme.h=0.25"})), "scheme.h");
  EXPECT_EQ(first_difference(text({}), text({"bodies.1.shape.radius=3"})), "bodies.1.shape.radius");
  EXPECT_EQ(first_difference(text({}), text({"bodies.2={shape={kind=\"disk\", radius=4}}"})), "bodies.2");
  EXPECT_EQ(first_difference(text({}), text({"solver.threads=2"})), "");
  EXPECT_EQ(first_difference(text({"solver.threads=2"}), text({"solver.name=nlgs"})), "solver.name");
}

TEST(SceneReader, TheTextOfASceneReadsBackAsTheSameText) {
  const SceneFile first = parse_scene(kTwoBodies, "a.toml", {"scheme.h=0.1"});
  EXPECT_EQ(first_difference(first.text, parse_scene(first.text, "a.toml").text), "");
}

TEST(SceneReader, theta_follows_fremonds_law_unless_it_is_given) {
  const auto theta = [](const std::string& rest) {
    return parse<2>("dimension = 2\n" + rest + "[materials.a]\n[materials.b]\n").scheme.theta;
  };
  const std::string fremond = "[law]\nkind = \"fremond\"\nrestitution = ";
  EXPECT_EQ(theta("[law]\nkind = \"newton\"\nrestitution = 0.4\n"), 0.5);
  EXPECT_EQ(theta(fremond + "0.4\n"), 1 / 1.4);
  EXPECT_EQ(theta(fremond + "0\n"), 0.9);
  EXPECT_EQ(theta("[scheme]\ntheta = 0.6\n" + fremond + "0.4\n"), 0.6);
  const std::string second = "[[laws]]\nbetween = [\"a\", \"b\"]\nkind = \"fremond\"\nrestitution = 0.8\n";
  EXPECT_EQ(theta(fremond + "0.4\n" + second), 1 / 1.8);  // one theta for all: the smallest
}

}  // namespace
}  // namespace saltus::scene_reader_test
