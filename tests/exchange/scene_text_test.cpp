#include <gtest/gtest.h>

#include <fstream>

#include "saltus/base/input_error.hpp"
#include "saltus/exchange/sample_scene.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "temporary_folder.hpp"

namespace saltus::scene_text_test {
namespace {

SceneFile read_back(const TemporaryFolder& folder, const SceneText& text) {
  for (const SceneText::Table& table : text.tables) folder.write(table.name, table.csv);
  return read_scene(folder.write("scene.toml", text.toml));
}

TEST(SampleScene, a_small_sample_is_written_body_by_body_and_reads_back) {
  const TemporaryFolder folder;
  const Sample sample = parse_particle_text("x y r vx w mass\n1 2 0.5 3 4 7\n5 6 0.25 0 0 1\n", "f", {});
  const SceneFile file =
      read_back(folder, format_sample_scene(sample, {.name = "s", .source = "f", .walls = true}));
  const Scene<2>& scene = std::get<Scene<2>>(file.scene);
  ASSERT_EQ(scene.bodies.size(), 5u);  // with three walls, which come last or first
  int found = 0;
  for (const SceneBody<2>& body : scene.bodies) {
    const auto* disk = std::get_if<Disk>(&body.shape);
    if (!disk || disk->radius != 0.5) continue;
    ++found;
    EXPECT_EQ(body.pose.position, Vec<2>(1, 2));
    EXPECT_EQ(body.velocity, Vec<2>(3, 0));
    EXPECT_EQ(body.spin[0], 4);
    EXPECT_NEAR(body.density * M_PI * 0.25, 7, 1e-12);
  }
  EXPECT_EQ(found, 1);
}

TEST(SampleScene, a_large_sample_has_a_table_for_each_material_and_a_period) {
  const TemporaryFolder folder;
  std::string text =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n150\nITEM: BOX BOUNDS pp ff ff\n0 30\n0 30\n0 30\n"
      "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz\n";
  for (int i = 0; i < 150; ++i)
    text += std::to_string(i) + (i % 3 ? " 1 " : " 2 ") + std::to_string(i % 10) + " " +
            std::to_string(i / 10) + " 1 0.4 0 0 " + std::to_string(i) + " 0 1 0\n";
  const SceneText scene_text =
      format_sample_scene(parse_lammps_dump(text, "f", {}), {.name = "s", .source = "f", .scale = 2});
  EXPECT_EQ(scene_text.tables.size(), 2u);
  const SceneFile file = read_back(folder, scene_text);
  const Scene<3>& scene = std::get<Scene<3>>(file.scene);
  ASSERT_EQ(scene.bodies.size(), 150u);
  EXPECT_EQ(scene.period, Vec<3>(60, 0, 0));
  EXPECT_EQ(std::get<Sphere>(scene.bodies[0].shape).radius, 0.8);
  EXPECT_EQ(scene.bodies[7].spin, Vec<3>(0, 1, 0));
  EXPECT_NE(scene.bodies[0].material.str(), scene.bodies[149].material.str());
}

// A box as text STL, from two corners; facets look outwards.
std::string box_stl(const Vec<3>& low, const Vec<3>& high) {
  const auto at = [&](int k) {
    return Vec<3>(k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(), k & 4 ? high.z() : low.z());
  };
  std::string text;
  for (const auto& f : {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4},
                        std::array{2, 6, 7, 3}, std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}})
    for (const auto& t : {std::array{f[0], f[1], f[2]}, std::array{f[0], f[2], f[3]}}) {
      text += "facet normal 0 0 0\nouter loop\n";
      for (const int k : t) {
        const Vec<3> x = at(k);
        text += "vertex " + std::to_string(x.x()) + " " + std::to_string(x.y()) + " " +
                std::to_string(x.z()) + "\n";
      }
      text += "endloop\nendfacet\n";
    }
  return text;
}

TEST(AssemblyScene, each_closed_surface_is_a_body_and_named_ones_are_fixed) {
  const TemporaryFolder folder;
  const std::string two = folder.write("stones.stl", "solid s\n" + box_stl({0, 0, 1}, {1, 1, 2}) +
                                                         box_stl({0, 0, 2.5}, {1, 2, 3}) + "endsolid\n");
  const std::string base =
      folder.write("base.stl", "solid s\n" + box_stl({-1, -1, 0}, {2, 2, 1}) + "endsolid\n");
  const std::vector<AssemblyPart> parts = read_assembly({two, base}, 0.1);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].name, "stones-1");
  EXPECT_TRUE(parts[0].is_convex);
  EXPECT_NEAR(parts[1].volume, 1e-3, 1e-9);  // 1 x 2 x 0.5 units of 0.1 m
  const SceneFile file = read_back(
      folder, format_assembly_scene(parts, {.name = "s", .source = "f", .scale = 0.1, .fixed = {"base"}}));
  const Scene<3>& scene = std::get<Scene<3>>(file.scene);
  ASSERT_EQ(scene.bodies.size(), 3u);
  EXPECT_FALSE(scene.bodies[0].fixed);
  EXPECT_TRUE(scene.bodies[2].fixed);
  EXPECT_NEAR(compute_volume<3>(scene.bodies[1].shape), 1e-3, 1e-9);
  EXPECT_THROW(format_assembly_scene(parts, {.name = "s", .source = "f", .fixed = {"bass"}}), InputError);
}

TEST(AssemblyScene, stones_of_one_file_that_touch_are_bodies_of_their_own) {
  const TemporaryFolder folder;
  // On a whole face, along an edge, at a corner.
  const std::string wall = folder.write(
      "wall.stl", "solid s\n" + box_stl({0, 0, 0}, {1, 1, 1}) + box_stl({0, 0, 1}, {1, 1, 2}) +
                      box_stl({1, 0, 2}, {2, 1, 3}) + box_stl({2, 1, 3}, {3, 2, 4}) + "endsolid\n");
  const std::vector<AssemblyPart> parts = read_assembly({wall}, 1);
  ASSERT_EQ(parts.size(), 4u);
  for (const AssemblyPart& part : parts) {
    EXPECT_TRUE(part.is_convex && !part.is_open) << part.name;
    EXPECT_NEAR(part.volume, 1, 1e-12) << part.name;
  }
  EXPECT_EQ(parts[3].name, "wall-4");
}

// As programs write them that shade: each face has corners of its own. Names of sides are names of one body.
TEST(AssemblyScene, faces_with_corners_of_their_own_are_one_surface_where_they_meet) {
  const TemporaryFolder folder;
  const std::array<const char*, 8> at = {"0 0 0", "1 0 0", "1 1 0", "0 1 0",
                                         "0 0 1", "1 0 1", "1 1 1", "0 1 1"};
  std::string apart, sides;
  int corners = 0;
  for (const char* x : at) sides += std::string("v ") + x + "\n";
  for (const auto& f : {std::array{3, 2, 1, 0}, std::array{4, 5, 6, 7}, std::array{0, 1, 5, 4},
                        std::array{1, 2, 6, 5}, std::array{2, 3, 7, 6}, std::array{3, 0, 4, 7}}) {
    for (const int k : f) apart += std::string("v ") + at[static_cast<std::size_t>(k)] + "\n";
    apart += "f";
    for (int k = 1; k <= 4; ++k) apart += " " + std::to_string(corners + k);
    apart += "\n", corners += 4;
    sides += "g side" + std::to_string(corners / 4) + "\nf";
    for (const int k : f) sides += " " + std::to_string(k + 1);
    sides += "\n";
  }
  for (const std::string& text : {apart, sides}) {
    const std::vector<AssemblyPart> parts = read_assembly({folder.write("cube.obj", text)}, 1);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_TRUE(parts[0].is_convex && !parts[0].is_open);
    EXPECT_NEAR(parts[0].volume, 1, 1e-12);
  }
}

TEST(AssemblyScene, what_is_not_convex_is_told_taken_as_its_hull_or_fixed) {
  const TemporaryFolder folder;
  const std::string both = folder.write("l.obj",
                                        "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 "
                                        "0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                                        "f 1 6 5 4 3 2\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 "
                                        "9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n");
  const std::vector<AssemblyPart> parts = read_assembly({both}, 1);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_FALSE(parts[0].is_convex);
  EXPECT_THROW(format_assembly_scene(parts, {.name = "s", .source = "f"}), InputError);
  EXPECT_NE(format_assembly_scene(parts, {.name = "s", .source = "f", .hulls = true}).toml.find("polyhedron"),
            std::string::npos);
  EXPECT_NE(format_assembly_scene(parts, {.name = "s", .source = "f", .fixed = {"l"}}).toml.find("\"mesh\""),
            std::string::npos);
}

}  // namespace
}  // namespace saltus::scene_text_test
