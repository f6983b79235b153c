// What is written in each format is read back: the same nodes to the bit, elements, materials and named sides.
#include <gtest/gtest.h>

#include "meshes/mesh_texts.hpp"
#include "meshes/mesh_volume.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/meshes/mesh_reader.hpp"
#include "saltus/meshes/mesh_shapes.hpp"
#include "saltus/meshes/mesh_writer.hpp"
#include "temporary_folder.hpp"

namespace saltus::mesh_formats_test {
namespace {

// A small distorted body of two materials with names for its sides; no symmetry hides an exchange of nodes.
template <int Dim>
SolidMesh<Dim> sample(ElementKind kind) {
  IntVec<Dim> cells = IntVec<Dim>::Constant(2);
  auto mesh = build_grid_mesh<Dim>(
      {kind, cells},
      [](const Vec<Dim>& u) {
        Vec<Dim> x = u;
        x[0] += 0.3 * u[1] * u[1] + 1.0 / 3;
        x[1] *= 1 + 0.2 * u[0];
        if constexpr (Dim == 3) x[2] = 2 * u[2] + 0.1 * u[0] * u[1];
        return x;
      },
      box_sides<Dim>(), "sample");
  mesh.materials = {"steel", "soft"};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) mesh.elements[e].material = e % 3 == 0;
  return mesh;
}

template <int Dim>
void expect_same(const SolidMesh<Dim>& a, const SolidMesh<Dim>& b, bool with_names) {
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) EXPECT_EQ(a.nodes[i], b.nodes[i]) << i;
  ASSERT_EQ(a.elements.size(), b.elements.size());
  // Formats list elements by material: each is looked for.
  for (std::size_t e = 0; e < a.elements.size(); ++e) {
    const auto own = a.nodes_of(a.elements[e]);
    bool found = false;
    for (const auto& other : b.elements)
      if (other.kind == a.elements[e].kind && std::equal(own.begin(), own.end(), b.nodes_of(other).begin()))
        found = !with_names || a.materials[a.elements[e].material] == b.materials[other.material];
    EXPECT_TRUE(found) << "element " << e;
  }
  ASSERT_EQ(a.side_groups.size(), b.side_groups.size());
  for (std::size_t g = 0; g < a.side_groups.size(); ++g) {
    EXPECT_EQ(with_names ? a.side_groups[g].name : "", with_names ? b.side_groups[g].name : "");
    EXPECT_EQ(a.side_groups[g].sides.size(), b.side_groups[g].sides.size());
    EXPECT_EQ(compute_side_nodes(a, a.side_groups[g].sides), compute_side_nodes(b, b.side_groups[g].sides));
  }
}

template <int Dim>
void expect_round_trips(ElementKind kind) {
  SCOPED_TRACE(name(kind));
  const SolidMesh<Dim> mesh = sample<Dim>(kind);
  const PlainMesh text = plain(mesh);
  const auto check = [&](const std::string& bytes, MeshFormat format, bool with_names, const char* what) {
    SCOPED_TRACE(what);
    const auto read = parse_mesh<Dim>(bytes, format, "file");
    expect_same(mesh, read.mesh, with_names);
  };
  check(format_msh(mesh), MeshFormat::msh, true, "msh 4.1");
  check(gmsh_2(text, false), MeshFormat::msh, true, "msh 2.2");
  check(gmsh_2(text, true), MeshFormat::msh, true, "msh 2.2 binary");
  check(gmsh_2(text, true, true), MeshFormat::msh, true, "msh 2.2 binary of another machine");
  check(gmsh_4_binary(text), MeshFormat::msh, true, "msh 4.1 binary");
  check(abaqus(mesh), MeshFormat::inp, true, "inp");
  check(vtk_legacy(text, false), MeshFormat::vtk, false, "vtk");
  check(vtk_legacy(text, true), MeshFormat::vtk, false, "vtk binary");
  for (const char* format : {"ascii", "binary", "appended"})
    check(vtu(text, format), MeshFormat::vtu, false, format);
}

TEST(MeshFormats, plane_meshes_of_every_kind_come_back_from_every_format) {
  for (const ElementKind kind : {ElementKind::t3, ElementKind::t6, ElementKind::q4, ElementKind::q8})
    expect_round_trips<2>(kind);
}

TEST(MeshFormats, space_meshes_of_every_kind_come_back_from_every_format) {
  for (const ElementKind kind : {ElementKind::t4, ElementKind::t10, ElementKind::h8, ElementKind::h20})
    expect_round_trips<3>(kind);
}

TEST(MeshFormats, line_ends_of_other_systems_and_byte_order_marks_change_nothing) {
  const SolidMesh<2> mesh = sample<2>(ElementKind::q4);
  for (const auto& [text, format] :
       {std::pair(format_msh(mesh), MeshFormat::msh), std::pair(abaqus(mesh), MeshFormat::inp),
        std::pair(vtk_legacy(plain(mesh), false), MeshFormat::vtk),
        std::pair(vtu(plain(mesh), "ascii"), MeshFormat::vtu)}) {
    std::string other = "\xEF\xBB\xBF";
    for (const char c : text) other += c == '\n' ? std::string("\r\n") : std::string(1, c);
    expect_same(mesh, parse_mesh<2>(other, format, "file").mesh, false);
  }
}

TEST(MeshFormats, a_file_is_told_by_its_extension_or_its_content_and_written_names_come_back) {
  SolidMesh<3> mesh = sample<3>(ElementKind::h20);
  mesh.node_groups = {{"a corner", {0}}, {"two nodes", {0, 7}}};
  const TemporaryFolder folder;
  write_msh(mesh, folder.path("a.msh"));
  const auto read = read_mesh<3>(folder.path("a.msh"), {});
  expect_same(mesh, read.mesh, true);
  ASSERT_EQ(read.mesh.node_groups.size(), 2u);
  EXPECT_EQ(read.mesh.node_groups[1].name, "two nodes");
  EXPECT_EQ(read.mesh.node_groups[1].nodes, (std::vector<int>{0, 7}));
  EXPECT_TRUE(read.notes.empty());
  for (const auto& text :
       {format_msh(mesh), abaqus(mesh), vtk_legacy(plain(mesh), true), vtu(plain(mesh), "binary")})
    EXPECT_EQ(read_mesh<3>(folder.write("mesh.dat", text), {}).mesh.elements.size(), 8u);
  MeshReadOptions millimetres;
  millimetres.scale = 1e-3;
  EXPECT_NEAR(compute_volume(read_mesh<3>(folder.path("a.msh"), millimetres).mesh),
              1e-9 * compute_volume(mesh), 1e-21);
}

TEST(MeshFormats, sets_of_a_deck_are_made_of_numbers_ranges_and_other_sets) {
  const auto read = parse_mesh<2>(
      "*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1,1\n6,2,1\n99,7,7\n"
      "*ELEMENT, TYPE=CPS4\n 7, 1,2,5,4\n 8, 2,3,6,5\n"
      "*NSET, NSET=low, GENERATE\n1, 3, 1\n*NSET, NSET=some\nLOW, 6\n99\n*ELSET, ELSET=all, GENERATE\n7, 8\n"
      "*SURFACE, NAME=floor\nall, S1\n*BOUNDARY\nlow, 1, 2\n*Surface interaction, name=x\n",
      MeshFormat::inp, "deck");
  ASSERT_EQ(read.mesh.node_groups.size(), 2u);
  EXPECT_EQ(read.mesh.node_groups[0].nodes, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(read.mesh.node_groups[1].nodes, (std::vector<int>{0, 1, 2, 5}));
  EXPECT_EQ(read.mesh.materials, std::vector<std::string>{"all"});
  EXPECT_EQ(compute_group_nodes(read.mesh, "floor", ""), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(read.element_numbers, (std::vector<std::int64_t>{7, 8}));
  EXPECT_EQ(read.notes, (std::vector<std::string>{
                            "deck: keywords that are not read: *BOUNDARY, *SURFACE INTERACTION",
                            "deck: 1 nodes of no element are left out",
                            "deck: 1 nodes of group 'some' belong to no element and are left out"}));
}

TEST(MeshFormats, clockwise_elements_are_turned_and_keep_their_named_faces) {
  const auto read = parse_mesh<2>(
      "*NODE\n1,0,0\n2,0,1\n3,1,1\n4,1,0\n*ELEMENT, TYPE=CPE4\n1, 1,2,3,4\n*SURFACE, NAME=left\n1, "
      "S1\n*SURFACE, NAME=low\n1, S4\n",
      MeshFormat::inp, "deck");
  EXPECT_EQ(compute_group_nodes(read.mesh, "left", ""), (std::vector<int>{0, 1}));
  EXPECT_EQ(compute_group_nodes(read.mesh, "low", ""), (std::vector<int>{0, 3}));
  EXPECT_EQ(read.notes, std::vector<std::string>{"deck: 1 clockwise elements were turned round"});
  EXPECT_DOUBLE_EQ(compute_volume(read.mesh), 1);
}

TEST(MeshFormats, nodes_at_one_place_are_refused_merged_or_kept_as_asked) {
  const std::string deck =
      "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,1,0\n6,2,0\n7,2,1\n8,1,1.0000000000001\n*ELEMENT, TYPE=CPE4\n1, "
      "1,2,3,4\n2, 5,6,7,8\n"
      "*NSET, NSET=seam\n5, 3\n";
  MeshReadOptions options;
  EXPECT_THROW(parse_mesh<2>(deck, MeshFormat::inp, "deck", options), InputError);
  options.coincident = CoincidentNodes::keep;
  EXPECT_EQ(parse_mesh<2>(deck, MeshFormat::inp, "deck", options).mesh.nodes.size(), 8u);
  options.coincident = CoincidentNodes::merge;
  const auto merged = parse_mesh<2>(deck, MeshFormat::inp, "deck", options);
  EXPECT_EQ(merged.mesh.nodes.size(), 6u);
  EXPECT_EQ(merged.node_numbers, (std::vector<std::int64_t>{1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(merged.mesh.node_groups[0].nodes, (std::vector<int>{1, 2}));
  EXPECT_EQ(compute_boundary_sides(merged.mesh).size(), 6u);
}

}  // namespace
}  // namespace saltus::mesh_formats_test
