#include "saltus/exchange/vtk_file.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exchange/vtk_arrays.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/files/zlib_bytes.hpp"
#include "saltus/meshes/vtk_reader.hpp"

namespace saltus::vtk_file_test {
namespace {

// A row of triangles whose corners are no round numbers: more than one block of 1 MB.
VtkPiece build_strip(int cells) {
  VtkPiece piece;
  piece.is_grid = true;
  VtkArray height{"height", 1, std::vector<float>()};
  for (int i = 0; i < cells + 2; ++i) {
    piece.add_point(Vec<2>(0.1 * i / 3, i % 2 ? std::sqrt(2.0) : 0.0));
    std::get<std::vector<float>>(height.values).push_back(static_cast<float>(i));
  }
  for (int i = 0; i < cells; ++i) {
    const std::array<std::int32_t, 3> cell = {i, i % 2 ? i + 2 : i + 1, i % 2 ? i + 1 : i + 2};
    piece.cells.add(cell);
    piece.types.push_back(kVtkTriangle);
  }
  piece.point_data.push_back(height);
  return piece;
}

TEST(VtkFile, a_packed_mesh_reads_back_to_the_same_bits) {
  for (const int cells : {1, 60000}) {
    const VtkPiece piece = build_strip(cells);
    const std::string bytes = format_vtk(piece);
    const RawMesh mesh = parse_vtu(bytes, "strip.vtu");
    ASSERT_EQ(mesh.nodes.size(), static_cast<std::size_t>(cells) + 2);
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
      for (int k = 0; k < 3; ++k)
        ASSERT_EQ(mesh.nodes[i][k], piece.points[3 * i + static_cast<std::size_t>(k)]);
    ASSERT_EQ(mesh.cells.size(), static_cast<std::size_t>(cells));
    EXPECT_EQ(mesh.connectivity, std::vector<int>(piece.cells.points.begin(), piece.cells.points.end()));
    EXPECT_EQ(VtkArrays(bytes).reals("PointData", "height").back(), cells + 1);
  }
}

TEST(VtkFile, damage_to_packed_bytes_is_told) {
  const std::string good = format_vtk(build_strip(100));
  const std::size_t data = good.find('_', good.find("AppendedData"));
  int told = 0;
  for (std::size_t at = data + 1; at < good.size() - 30; at += 7) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    try {
      parse_vtu(bad, "bad.vtu");
    } catch (const InputError&) {
      ++told;
    }
  }
  EXPECT_GT(told, 10);  // bytes of the field, which a mesh does not read, may be anything
  for (std::size_t size = data; size < good.size() - 40; size += 11)
    EXPECT_THROW(parse_vtu(good.substr(0, size), "cut.vtu"), InputError) << size;
}

TEST(VtkFile, surfaces_hold_vertices_lines_and_polygons_and_may_be_empty) {
  VtkPiece piece;
  const std::array<std::int32_t, 1> vertex = {piece.add_point(Vec<3>(1, 2, 3))};
  const std::array<std::int32_t, 2> line = {0, piece.add_point(Vec<3>(4, 5, 6))};
  piece.vertices.add(vertex), piece.lines.add(line);
  piece.cell_data.push_back({"which", 1, std::vector<std::int32_t>{7, -8}});
  const VtkArrays read(format_vtk(piece));
  EXPECT_EQ(read.type, "PolyData");
  EXPECT_EQ(read.piece.attribute("NumberOfLines"), "1");
  EXPECT_EQ(read.reals("Points", "Points"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read.reals("Lines", "connectivity"), (std::vector<double>{0, 1}));
  EXPECT_EQ(read.reals("CellData", "which"), (std::vector<double>{7, -8}));
  EXPECT_TRUE(read.reals("Polys", "offsets").empty());
  EXPECT_TRUE(VtkArrays(format_vtk(VtkPiece())).reals("Points", "Points").empty());
}

TEST(ZlibBytes, what_is_packed_unpacks_and_what_is_not_does_not) {
  const std::string text(100000, 'x');
  EXPECT_EQ(decompress_bytes(compress_bytes(text), text.size()), text);
  EXPECT_FALSE(decompress_bytes(compress_bytes(text), text.size() + 1));
  EXPECT_FALSE(decompress_bytes("no such bytes", 100));
  EXPECT_FALSE(decompress_bytes(compress_bytes(text), std::size_t(1) << 60));  // asks for no such memory
}

}  // namespace
}  // namespace saltus::vtk_file_test
