#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>

#include "saltus/meshes/vtk_cells.hpp"
#include "saltus/meshes/vtk_reader.hpp"
#include "saltus/meshes/vtu_arrays.hpp"
#include "saltus/meshes/xml_tags.hpp"

namespace saltus {

namespace {

class VtuParser {
 public:
  VtuParser(std::string_view bytes, const std::string& where) : text_(bytes), tags_(bytes, where) {
    coding_.where = where;
  }

  RawMesh parse() {
    find_arrays();
    if (pieces_ == 0) tags_.fail("the file has no <Piece> of an <UnstructuredGrid>");
    const auto x = read_vtu_reals(need(points_, "of Points"), 3 * point_count_, coding_);
    RawMesh mesh;
    for (std::uint64_t i = 0; i < point_count_; ++i)
      mesh.nodes.emplace_back(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    mesh.node_numbers.resize(point_count_);
    std::iota(mesh.node_numbers.begin(), mesh.node_numbers.end(), 0);
    VtkCells cells;
    cells.types = read_vtu_integers(need(types_, "'types'"), cell_count_, coding_);
    cells.ends = read_vtu_integers(need(offsets_, "'offsets'"), cell_count_, coding_);
    const VtuArray& nodes = need(connectivity_, "'connectivity'");
    cells.connectivity = read_vtu_integers(nodes, count_vtu_values(nodes, coding_), coding_);
    for (const VtuArray& array : data_)
      if (array.components == 1 && is_vtk_group_name(array.name))
        cells.data.emplace_back(array.name, read_vtu_reals(array, cell_count_, coding_));
    add_vtk_cells(cells, coding_.where, mesh);
    return mesh;
  }

 private:
  const VtuArray& need(const std::optional<VtuArray>& array, const char* what) const {
    if (!array) tags_.fail(fmt::format("the <Piece> has no <DataArray> {}", what));
    return *array;
  }

  void find_arrays() {
    XmlTag tag;
    if (!tags_.next(tag) || tag.name != "VTKFile")
      tags_.fail("first tag of the file", "<" + tag.name + ">", "<VTKFile>");
    read_coding(tag);
    std::string section;
    while (tags_.next(tag)) {
      if (tag.name == "Piece") read_piece(tag);
      if (tag.name == "Points" || tag.name == "Cells" || tag.name == "CellData" || tag.name == "PointData")
        section = tag.name;
      if (tag.name == "/" + section) section.clear();
      if (tag.name == "AppendedData") {
        find_appended(tag);
        return;  // what follows may be bytes
      }
      if (tag.name == "DataArray") keep(read_array_tag(tag), section);
    }
  }

  void read_coding(const XmlTag& tag) {
    if (tag.attribute("type") != "UnstructuredGrid")
      tags_.fail("type of <VTKFile>", tag.attribute("type").substr(0, 30), "UnstructuredGrid");
    const std::string compressor = tag.attribute("compressor");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      tags_.fail("compressor of the arrays", compressor.substr(0, 40),
                 "vtkZLibDataCompressor, or none (ParaView: compressor type ZLib or none)");
    coding_.is_packed = !compressor.empty();
    const std::string order = tag.attribute("byte_order"), header = tag.attribute("header_type");
    if (!order.empty() && order != "LittleEndian" && order != "BigEndian")
      tags_.fail("byte_order", order.substr(0, 20), "LittleEndian or BigEndian");
    if (!header.empty() && header != "UInt32" && header != "UInt64")
      tags_.fail("header_type", header.substr(0, 20), "UInt32 or UInt64");
    coding_.is_swapped = order == "BigEndian";
    coding_.long_header = header == "UInt64";
  }

  std::uint64_t number(const XmlTag& tag, const char* key, std::uint64_t highest) const {
    const std::string text = tag.attribute(key);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value > highest)
      tags_.fail(fmt::format("{} of <{}>", key, tag.name), fmt::format("'{}'", text.substr(0, 30)),
                 fmt::format("an integer from 0 to {}", highest));
    return value;
  }

  void read_piece(const XmlTag& tag) {
    if (++pieces_ > 1) tags_.fail("a second <Piece>", {}, "one, with the whole mesh");
    constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
    point_count_ = number(tag, "NumberOfPoints", kMost);
    cell_count_ = number(tag, "NumberOfCells", kMost);
  }

  VtuArray read_array_tag(const XmlTag& tag) {
    VtuArray array;
    array.name = tag.attribute("Name");
    array.type = tag.attribute("type");
    array.format = tag.attribute("format");
    array.line = tag.line;
    if (!tag.attribute("NumberOfComponents").empty())
      array.components = static_cast<std::int64_t>(number(tag, "NumberOfComponents", 1000));
    if (array.format == "appended")
      array.offset = number(tag, "offset", std::numeric_limits<std::int64_t>::max());
    if (tag.is_closed) return array;
    const std::size_t end = std::min(text_.find('<', tag.end), text_.size());
    array.text = text_.substr(tag.end, end - tag.end);
    return array;
  }

  void keep(VtuArray array, const std::string& section) {
    if (section == "Points" && array.components != 3)
      tags_.fail("components of points", fmt::format("{}", array.components), "3");
    if (section == "Points") points_ = std::move(array);
    if (section == "CellData") data_.push_back(std::move(array));
    if (section != "Cells") return;
    if (array.name == "connectivity")
      connectivity_ = std::move(array);
    else if (array.name == "offsets")
      offsets_ = std::move(array);
    else if (array.name == "types")
      types_ = std::move(array);
  }

  void find_appended(const XmlTag& tag) {
    const std::string encoding = tag.attribute("encoding");
    if (encoding != "raw" && encoding != "base64")
      tags_.fail("encoding of <AppendedData>", encoding.substr(0, 20), "raw or base64");
    coding_.is_raw = encoding == "raw";
    const std::size_t start = text_.find('_', tag.end);
    if (start == std::string_view::npos) tags_.fail("the appended data do not begin", {}, "'_'");
    coding_.appended = text_.substr(start + 1);
  }

  std::string_view text_;
  XmlTags tags_;
  VtuCoding coding_;
  int pieces_ = 0;
  std::uint64_t point_count_ = 0, cell_count_ = 0;
  std::optional<VtuArray> points_, connectivity_, offsets_, types_;
  std::vector<VtuArray> data_;
};

}  // namespace

RawMesh parse_vtu(std::string_view bytes, const std::string& where) {
  return VtuParser(bytes, where).parse();
}

}  // namespace saltus
