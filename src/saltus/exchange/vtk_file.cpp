#include "saltus/exchange/vtk_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

#include "saltus/files/zlib_bytes.hpp"

namespace saltus {

namespace {

static_assert(std::endian::native == std::endian::little, "bytes are written as they are in memory");

template <class Number>
constexpr const char* kVtkType = nullptr;
template <>
constexpr const char* kVtkType<float> = "Float32";
template <>
constexpr const char* kVtkType<double> = "Float64";
template <>
constexpr const char* kVtkType<std::int32_t> = "Int32";
template <>
constexpr const char* kVtkType<std::uint8_t> = "UInt8";

class Writer {
 public:
  explicit Writer(const VtkPiece& piece) : piece_(piece) {}

  std::string format() {
    const char* type = piece_.is_grid ? "UnstructuredGrid" : "PolyData";
    line(
        fmt::format("<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">",
                    type));
    line(fmt::format("<{}>", type));
    line(
        fmt::format("<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                    "format=\"ascii\">{}</DataArray></FieldData>",
                    piece_.time));
    open_piece();
    data("PointData", piece_.point_data, static_cast<std::size_t>(piece_.point_count()));
    data("CellData", piece_.cell_data, cells());
    line("<Points>");
    array("Points", 3, piece_.points);
    line("</Points>");
    if (piece_.is_grid) {
      connectivity("Cells", piece_.cells);
    } else {
      connectivity("Verts", piece_.vertices);
      connectivity("Lines", piece_.lines);
      connectivity("Polys", piece_.polygons);
    }
    line("</Piece>");
    line(fmt::format("</{}>", type));
    text_ += "<AppendedData encoding=\"raw\">\n_";
    return text_ + appended_ + "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  std::size_t cells() const {
    return piece_.is_grid
               ? piece_.cells.ends.size()
               : piece_.vertices.ends.size() + piece_.lines.ends.size() + piece_.polygons.ends.size();
  }

  void line(const std::string& words) { text_ += words + '\n'; }

  void open_piece() {
    if (piece_.is_grid)
      line(fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", piece_.point_count(), cells()));
    else
      line(
          fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
                      "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
                      piece_.point_count(), piece_.vertices.ends.size(), piece_.lines.ends.size(),
                      piece_.polygons.ends.size()));
  }

  void data(const char* section, const std::vector<VtkArray>& arrays, [[maybe_unused]] std::size_t count) {
    line(fmt::format("<{}>", section));
    for (const VtkArray& a : arrays)
      std::visit(
          [&](const auto& values) {
            assert(values.size() == count * static_cast<std::size_t>(a.components));
            array(a.name, a.components, values);
          },
          a.values);
    line(fmt::format("</{}>", section));
  }

  void connectivity(const char* section, const VtkConnectivity& cells) {
    line(fmt::format("<{}>", section));
    array("connectivity", 1, cells.points);
    array("offsets", 1, cells.ends);
    if (piece_.is_grid) array("types", 1, piece_.types);
    line(fmt::format("</{}>", section));
  }

  // Blocks of 1 MB: number of blocks, their size, the size of the last if it is shorter, packed sizes; then the blocks.
  template <class Number>
  void array(const std::string& name, int components, const std::vector<Number>& values) {
    line(
        fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
                    "offset=\"{}\"/>",
                    kVtkType<Number>, name, components, appended_.size()));
    constexpr std::size_t kBlock = 1 << 20;
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(Number));
    std::vector<std::uint64_t> head = {(bytes.size() + kBlock - 1) / kBlock, kBlock, bytes.size() % kBlock};
    std::string packed;
    for (std::size_t at = 0; at < bytes.size(); at += kBlock) {
      const std::string block = compress_bytes(bytes.substr(at, kBlock));
      head.push_back(block.size());
      packed += block;
    }
    appended_.append(reinterpret_cast<const char*>(head.data()), head.size() * sizeof head[0]);
    appended_ += packed;
  }

  const VtkPiece& piece_;
  std::string text_ = "<?xml version=\"1.0\"?>\n", appended_;
};

}  // namespace

std::string format_vtk(const VtkPiece& piece) { return Writer(piece).format(); }

std::string format_pvd(const std::vector<VtkEntry>& entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (const VtkEntry& entry : entries)
    text += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n", entry.time,
                        entry.part, entry.name, entry.file);
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace saltus
