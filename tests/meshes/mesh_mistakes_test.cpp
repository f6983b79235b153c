// Mistakes in mesh files: each message names the line, the element, the node or the group.
#include <gtest/gtest.h>

#include "meshes/mesh_texts.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/meshes/mesh_reader.hpp"
#include "saltus/meshes/mesh_shapes.hpp"

namespace saltus::mesh_mistakes_test {
namespace {

template <int Dim = 2>
std::string message_of(const std::string& bytes, MeshFormat format) {
  try {
    parse_mesh<Dim>(bytes, format, "f");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kHead = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string kNodes = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n";
const std::string kTriangles = "2 2 2 1 1 1 2 3\n3 2 2 1 1 1 3 4\n";

std::string msh(const std::string& elements, const std::string& nodes = kNodes,
                const std::string& names = "") {
  const auto lines = std::count(elements.begin(), elements.end(), '\n');
  return kHead + names + nodes + fmt::format("$Elements\n{}\n", lines) + elements + "$EndElements\n";
}
std::string msh_message(const std::string& elements, const std::string& nodes = kNodes,
                        const std::string& names = "") {
  return message_of(msh(elements, nodes, names), MeshFormat::msh);
}

TEST(MeshMistakes, a_good_file_is_read) {
  EXPECT_EQ(msh_message("1 1 2 5 1 1 2\n" + kTriangles), "no error");
}

TEST(MeshMistakes, in_gmsh_files) {
  EXPECT_EQ(msh_message("1 2 2 1 1 1 2 9\n"),
            "f:13: element 1 (t3) has a node that is not there: got node 9, allowed: nodes of the section "
            "$Nodes, which comes "
            "before $Elements");
  EXPECT_EQ(msh_message("1 99 2 1 1 1 2 3\n"),
            "f:13: type of an element: got 99, allowed: a number of gmsh's list of element types");
  EXPECT_EQ(msh_message("1 1 2 5 1 1 3\n1 1 2 5 1 2 4\n" + kTriangles),
            "f: group '5': its element 1 (line of 2 nodes) is no side of an element");
  EXPECT_EQ(msh_message("4 1 2 5 1 1 3\n1 1 2 5 1 1 2\n" + kTriangles),
            "f: group '5': element 1 (line of 2 nodes) is on the boundary, others are not: allowed: sides on "
            "the boundary, or all inside");
  EXPECT_EQ(msh_message("7 10 2 1 1 1 2 3 4 1 2 3 4 1\n"),
            "f: kind of element 7: got quadrangle of 9 nodes, allowed: t3, t6, q4, q8");
  EXPECT_EQ(msh_message("1 1 2 5 1 1 2\n"), "f: the file has no elements of dimension 2: got 1 cells");
  EXPECT_EQ(msh_message("5 4 2 1 1 1 2 3 4\n"), "f: element 5 (t4) in a mesh of dimension 2");
  EXPECT_EQ(msh_message(kTriangles, "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n3 0 1 0\n$EndNodes\n"),
            "f:9: node 3 is there twice");
  EXPECT_EQ(msh_message(kTriangles, "$Nodes\n4\n1 0 0 0\n2 1e999 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"),
            "f:7: x of a node: got '1e999', allowed: a finite number");
  EXPECT_EQ(msh_message(kTriangles, "$Nodes\n4\n1 0 0 0\n2 nan 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"),
            "f:7: x of a node: got 'nan', allowed: a finite number");
  EXPECT_EQ(msh_message(kTriangles, "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0.5\n4 0 1 0\n$EndNodes\n"),
            "f: z of node 3: a mesh of the plane lies at one z: got 0.5, allowed: 0, as node 1");
  EXPECT_EQ(msh_message(kTriangles, kNodes, "$PhysicalNames\n1\n1 8 \"load\"\n$EndPhysicalNames\n"),
            "f:20: physical group 'load' of dimension 1 has no elements");
  EXPECT_EQ(msh_message(kTriangles, kNodes, "$PhysicalNames\n1\n1 8 load\n$EndPhysicalNames\n"),
            "f:6: name of physical group 8: got  load, allowed: a name in quotes");
  EXPECT_EQ(message_of(kHead + "$Nodes\n1000000000\n1 0 0 0\n", MeshFormat::msh),
            "f:5: the file is too short for its number of nodes: got 1000000000, allowed: at most 1 in the "
            "bytes that are left");
  EXPECT_EQ(message_of(kHead + "$Nodes\n-4\n", MeshFormat::msh),
            "f:5: number of nodes: got '-4', allowed: an integer from 0 to 2147483647");
  EXPECT_EQ(message_of("$MeshFormat\n4 0 8\n", MeshFormat::msh),
            "f:2: version of the format: got 4, allowed: 2.2 or 4.1 (gmsh -format msh41)");
  EXPECT_EQ(message_of(kHead + kNodes, MeshFormat::msh), "f:11: the file has no section $Elements");
  EXPECT_EQ(message_of(kHead + "$Periodic\n1\n", MeshFormat::msh),
            "f:4: section $Periodic has no end: allowed: $EndPeriodic");
  EXPECT_EQ(message_of(kHead + std::string("$No\0des\n", 8), MeshFormat::msh).substr(0, 15),
            "f:4: section $N");
}

TEST(MeshMistakes, in_the_shape_of_a_mesh) {
  const std::string two = "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 1 0 0\n$EndNodes\n";
  EXPECT_EQ(msh_message("2 2 2 1 1 1 2 3\n3 2 2 1 1 1 3 4\n4 2 2 1 1 1 3 4\n"),
            "f: the side of nodes 1 3 is shared by element 2 (t3) and element 3 (t3), element 4 (t3): got 3 "
            "elements, allowed: two");
  EXPECT_EQ(msh_message("2 2 2 1 1 1 2 3\n3 2 2 1 1 1 2 4\n4 2 2 1 1 2 3 4\n").substr(0, 50),
            "f: element 2 (t3) and element 3 (t3) lie on one si");
  EXPECT_EQ(msh_message("2 2 2 1 1 1 2 2\n3 2 2 1 1 1 3 4\n"),
            "f: element 2 (t3) is degenerate: it has node 2 twice");
  EXPECT_EQ(msh_message("2 2 2 1 1 1 2 3\n3 2 2 1 1 1 5 3\n", two).substr(0, 41),
            "f: node 2 and node 5 are at one place, (1");
  EXPECT_EQ(msh_message("2 3 2 1 1 1 3 2 4\n").substr(0, 33), "f: element 2 (q4) is inverted: it");
  EXPECT_EQ(msh_message("2 2 2 1 1 1 2 3\n3 2 2 1 1 3 4 5\n",
                        "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 1 2 0\n5 0 2 0\n$EndNodes\n"),
            "f: the surface is no manifold: element 2 (t3) and element 3 (t3) touch in node 3 only");
  EXPECT_EQ(
      msh_message("2 2 2 1 1 1 2 3\n", "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 2 1e-9 0\n$EndNodes\n").substr(0, 36),
      "f: element 2 (t3) is degenerate: its");
  EXPECT_EQ(
      msh_message("9 9 2 1 1 1 2 3 4 5 6\n",
                  "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.9 0 0\n5 0.5 0.5 0\n6 0 0.5 0\n$EndNodes\n"),
      "f: element 9 (t6): middle node 4 of the side from node 1 to node 2, as a share of its length: got "
      "0.9, allowed: between "
      "0.25 and 0.75 (best 0.5); is the order of nodes right?");
  auto box = build_box_mesh<3>({1, 1, 1}, {ElementKind::t4, {1, 1, 1}}, "");
  box.materials = {"m"};
  PlainMesh turned = plain(box);
  std::swap(turned.cells.back().nodes[0], turned.cells.back().nodes[1]);
  EXPECT_EQ(message_of<3>(gmsh_2(turned, false), MeshFormat::msh).substr(0, 34),
            "f: element 18 (t4) is inverted: it");
}

TEST(MeshMistakes, in_decks) {
  const std::string nodes = "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n";
  const auto deck = [&](const std::string& rest) { return message_of(nodes + rest, MeshFormat::inp); };
  EXPECT_EQ(deck("*ELEMENT, TYPE=CPS4\n1, 1,2,3,4\n"), "no error");
  EXPECT_EQ(deck("*ELEMENT, TYPE=CPS5\n1, 1,2,3,4\n").substr(0, 33), "f:6: type of elements: got 'CPS5'");
  EXPECT_EQ(deck("*ELEMENT\n1, 1,2,3,4\n"), "f:6: *ELEMENT without TYPE=");
  EXPECT_EQ(deck("*ELEMENT, TYPE=CPS4\n1, 1,2,3\n*NSET, NSET=a\n1\n"),
            "f:8: element 1 (CPS4) ends before its last node: got 3 nodes, allowed: 4");
  EXPECT_EQ(deck("*ELEMENT, TYPE=CPS4\n1, 1,2,3,4,1\n"), "f:7: nodes of element 1 (CPS4): got 5, allowed: 4");
  EXPECT_EQ(deck("*ELEMENT, TYPE=CPS4\n1, 1,2,3,x\n"),
            "f:7: node of an element: got 'x', allowed: an integer from 1 on");
  EXPECT_EQ(deck("*ELEMENT, TYPE=CPS4\n1, 1,2,3,7\n"),
            "f:7: element 1 (q4) has a node that is not there: got node 7, allowed: nodes of *NODE");
  const std::string element = "*ELEMENT, TYPE=CPS4\n1, 1,2,3,4\n";
  EXPECT_EQ(deck(element + element), "f: element 1 is there twice (several parts in one file?)");
  EXPECT_EQ(deck(element + "*NSET, NSET=a\n5\n"), "f:9: set 'a' names what is not there: got node 5");
  EXPECT_EQ(deck(element + "*NSET, NSET=a\nb\n"),
            "f:9: set 'a' names a set that is not there before it: got 'b'");
  EXPECT_EQ(deck(element + "*NSET, NSET=a, GENERATE\n1, 1000000000000, 1\n"),
            "f:9: set 'a' names what is not there: got node 5");
  EXPECT_EQ(deck(element + "*NSET, NSET=a\n*NSET, NSET=b\n1\n"), "f:9: set 'a' is empty");
  EXPECT_EQ(deck(element + "*SURFACE, NAME=s\n1, S7\n"),
            "f:9: face of surface 's': got 'S7', allowed: S1 to S6");
  EXPECT_EQ(deck(element + "*SURFACE, NAME=s\n1, S5\n"),
            "f: surface 's': face of element 1 (q4): got S5, allowed: S1 to S4");
  EXPECT_EQ(deck("*INCLUDE, INPUT=mesh.inp\n"),
            "f:6: *INCLUDE is not read: the mesh would not be the one meant: allowed: *NODE, *ELEMENT, "
            "*NSET, *ELSET, *SURFACE in one file");
  EXPECT_EQ(message_of("1, 2\n", MeshFormat::inp), "f:1: a line of data before any keyword: got '1'");
  EXPECT_EQ(message_of("*NODE\n1, 0\n", MeshFormat::inp),
            "f:2: coordinates of node 1: got 1, allowed: 2 or 3");
  EXPECT_EQ(message_of("*NODE\n1, 0, 1e999\n", MeshFormat::inp),
            "f:2: coordinate of node 1: got '1e999', allowed: a finite number");
}

TEST(MeshMistakes, in_vtk_files) {
  const std::string head = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  const std::string points = "POINTS 3 float\n0 0 0 1 0 0 0 1 0\n";
  const auto vtk = [&](const std::string& rest) { return message_of(head + rest, MeshFormat::vtk); };
  EXPECT_EQ(vtk(points + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n"), "no error");
  EXPECT_EQ(vtk(points + "CELLS 1 4\n3 0 1 3\nCELL_TYPES 1\n5\n"),
            "f: node of cell 0 (t3): got 3, allowed: 0 to 2");
  EXPECT_EQ(vtk(points + "CELLS 1 4\n4 0 1 2\nCELL_TYPES 1\n5\n"),
            "f:8: the list of cells ends within cell 0: got 4 numbers");
  EXPECT_EQ(vtk(points + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n9\n"),
            "f: nodes of cell 0 (q4): got 3, allowed: 4");
  EXPECT_EQ(vtk("POINTS 2000000000 double\n0 0 0\n").substr(0, 49),
            "f:5: the file is too short for its number of coor");
  EXPECT_EQ(message_of("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n", MeshFormat::vtk),
            "f:4: kind of data: got polydata, allowed: UNSTRUCTURED_GRID");
  EXPECT_EQ(
      message_of("<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">", MeshFormat::vtu),
      "f:1: compressor of the arrays: got vtkLZ4DataCompressor, allowed: vtkZLibDataCompressor, or none "
      "(ParaView: "
      "compressor type ZLib or none)");
  EXPECT_EQ(message_of("<VTKFile type=\"UnstructuredGrid\"><Piece NumberOfPoints=\"1\" NumberOfCells=\"-1\">",
                       MeshFormat::vtu),
            "f:1: NumberOfCells of <Piece>: got '-1', allowed: an integer from 0 to 2147483647");
  std::string good = vtu(plain(build_box_mesh<2>({1, 1}, {}, "")), "binary");
  const std::size_t place = good.find("AAAA") + 2;
  good[place] = '!';
  EXPECT_NE(message_of(good, MeshFormat::vtu).find("not base64"), std::string::npos);
}

TEST(MeshMistakes, a_file_cut_short_anywhere_is_refused_or_lacks_nothing_of_the_mesh) {
  auto mesh = build_box_mesh<2>({1, 1}, {ElementKind::q8}, "");
  mesh.materials = {"m"};
  const PlainMesh text = plain(mesh);
  for (const auto& [bytes, format] :
       {std::pair(gmsh_2(text, true), MeshFormat::msh), std::pair(gmsh_4_binary(text), MeshFormat::msh),
        std::pair(vtk_legacy(text, true), MeshFormat::vtk), std::pair(vtu(text, "appended"), MeshFormat::vtu),
        std::pair(abaqus(mesh), MeshFormat::inp)})
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      try {
        const auto read = parse_mesh<2>(bytes.substr(0, size), format, "f");
        EXPECT_EQ(read.mesh.elements.size(), 1u);
        EXPECT_EQ(read.mesh.nodes.size(), 8u);
      } catch (const InputError&) {
        EXPECT_LT(size, bytes.size());
      }
    }
}

}  // namespace
}  // namespace saltus::mesh_mistakes_test
