#include "saltus/geometry/mesh_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "temporary_folder.hpp"

namespace saltus::mesh_file_test {
namespace {

class MeshFile : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) const {
    return folder_.write(name, content);
  }
  const TemporaryFolder folder_;
};

const char* const kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    "f 1 3 2\nf 1/1 2/2 4/3\nf 2//1 3//1 4//1\nf -4 -1 -2\n";

std::string binary_stl(const TriangleMesh& mesh) {
  std::string bytes(84, ' ');
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  std::memcpy(bytes.data() + 80, &count, 4);
  for (const auto& t : mesh.triangles) {
    float values[12] = {};
    for (int k = 0; k < 9; ++k) values[3 + k] = static_cast<float>(mesh.vertices[t[k / 3]](k % 3));
    bytes.append(reinterpret_cast<const char*>(values), sizeof values);
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string text_stl(const TriangleMesh& mesh) {
  std::string text = "solid test\n";
  for (const auto& t : mesh.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int v : t) {
      const Vec<3>& x = mesh.vertices[v];
      text += "  vertex " + std::to_string(x.x()) + " " + std::to_string(x.y()) + " " +
              std::to_string(x.z()) + "\n";
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid\n";
}

TEST_F(MeshFile, words_of_a_text_stl_may_be_in_capitals) {
  std::string text = text_stl(read_mesh(write("capitals.obj", kTetrahedron)));
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(read_mesh(write("capitals.stl", text)).triangles.size(), 4u);
}

TEST_F(MeshFile, a_text_stl_that_was_cut_is_refused) {
  const std::string text = text_stl(read_mesh(write("cut.obj", kTetrahedron)));
  // In the middle of a facet, and between two.
  for (const std::size_t length : {text.size() / 2, text.find("endfacet") + 9}) {
    try {
      read_mesh(write("cut.stl", text.substr(0, length)));
      FAIL() << length;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("cut short"), std::string::npos) << error.what();
    }
  }
}

TEST_F(MeshFile, a_binary_stl_that_was_cut_is_told_as_such) {
  const std::string bytes = binary_stl(read_mesh(write("cut.obj", kTetrahedron)));
  try {
    read_mesh(write("cut.stl", bytes.substr(0, bytes.size() - 60)));
    FAIL();
  } catch (const InputError& error) {
    const std::string told = error.what();
    for (const char* part : {"cut short", "got 224 bytes", "284: 84 and 50 for each of 4 triangles"})
      EXPECT_NE(told.find(part), std::string::npos) << told;
  }
}

TEST_F(MeshFile, the_same_tetrahedron_comes_from_all_kinds) {
  const TriangleMesh obj = read_mesh(write("a.obj", kTetrahedron));
  ASSERT_EQ(obj.triangles.size(), 4u);
  for (const auto& path : {write("b.stl", binary_stl(obj)), write("c.STL", text_stl(obj))}) {
    const TriangleMesh mesh = read_mesh(path);
    EXPECT_EQ(mesh.vertices.size(), 4u) << path;
    EXPECT_EQ(mesh.triangles.size(), 4u) << path;
    EXPECT_NEAR(compute_volume<3>(build_convex_polyhedron(mesh.vertices, path, 1e-6)), 1.0 / 6, 1e-15)
        << path;
  }
}

TEST_F(MeshFile, mistakes_are_told_with_their_line) {
  const auto message = [](const std::string& path) {
    try {
      read_mesh(path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_NE(message(write("d.obj", "v 0 0 0\nv 1 0 x\n")).find("d.obj:2"), std::string::npos);
  EXPECT_NE(message(write("e.obj", "v 0 0 0\nf 1 2 3\n")).find("1 to 1"), std::string::npos);
  EXPECT_NE(message(write("f.stl", "solid\nendsolid\n")).find("without triangles"), std::string::npos);
  EXPECT_NE(message("no/such/file.stl").find("cannot be opened"), std::string::npos);
  EXPECT_NE(message(write("g.ply", "ply")).find(".obj"), std::string::npos);
}

TEST_F(MeshFile, points_alone_are_those_of_a_hull_and_no_surface) {
  const std::string path = write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  EXPECT_EQ(read_hull_points(path).vertices.size(), 4u);
  try {
    read_mesh(path);
    FAIL();
  } catch (const InputError& error) {
    const std::string told = error.what();
    EXPECT_NE(told.find("4 vertices"), std::string::npos) << told;
    EXPECT_EQ(told.find("STL"), std::string::npos) << told;
  }
}

TEST_F(MeshFile, names_of_an_obj_are_those_of_the_triangles_that_follow) {
  const std::string path =
      write("named.obj", "o first\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\no second\nf 1 2 4\n");
  std::vector<NamedPart> parts;
  read_mesh(path, parts);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].name, "second");
  EXPECT_EQ(parts[1].first_triangle, 1u);
}

}  // namespace
}  // namespace saltus::mesh_file_test
