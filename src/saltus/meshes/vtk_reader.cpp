#include "saltus/meshes/vtk_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <numeric>

#include "saltus/meshes/number_stream.hpp"
#include "saltus/meshes/vtk_cells.hpp"

namespace saltus {

namespace {

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// Names of arrays have %20 for a blank and so on.
std::string decode_name(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == text.data() + i + 3) {
      name += static_cast<char>(code);
      i += 2;
    } else {
      name += text[i];
    }
  }
  return name;
}

class VtkParser {
 public:
  VtkParser(std::string_view bytes, const std::string& where) : in_(bytes, where), where_(where) {}

  RawMesh parse() {
    read_header();
    for (std::string word = to_lower(in_.token()); !word.empty(); word = to_lower(in_.token()))
      if (!read_part(word)) {
        mesh_.notes.push_back("what follows '" + word.substr(0, 40) + "' is not read");
        break;
      }
    if (!has_points_ || !has_cells_ || !has_types_)
      in_.fail("the grid lacks one of POINTS, CELLS, CELL_TYPES");
    add_vtk_cells(cells_, where_, mesh_);
    return std::move(mesh_);
  }

 private:
  void read_header() {
    if (!to_lower(in_.rest_of_line()).starts_with("# vtk datafile version"))
      in_.fail("first line of a VTK file", {}, "# vtk DataFile Version ...");
    in_.rest_of_line();  // title
    const std::string coding = to_lower(in_.token());
    if (coding != "ascii" && coding != "binary")
      in_.fail("coding of the file", coding.substr(0, 20), "ASCII or BINARY");
    in_.is_binary = coding == "binary";
    in_.is_swapped = in_.is_binary;  // these files are big-endian
    if (to_lower(in_.token()) != "dataset")
      in_.fail("the line after the coding", {}, "DATASET UNSTRUCTURED_GRID");
    if (const std::string kind = to_lower(in_.token()); kind != "unstructured_grid")
      in_.fail("kind of data", kind.substr(0, 30), "UNSTRUCTURED_GRID");
  }

  std::int64_t count(std::string_view name) { return in_.integer(name, 0, std::numeric_limits<int>::max()); }

  bool read_part(const std::string& word) {
    if (word == "points") return read_points(), true;
    if (word == "cells") return read_cells(), true;
    if (word == "cell_types") return read_types(), true;
    if (word == "cell_data" || word == "point_data") {
      rows_ = count("number of rows of data");
      of_cells_ = word == "cell_data";
      return true;
    }
    if (word == "metadata") return skip_metadata(), true;
    if (word == "field") return read_field(), true;
    if (word == "scalars") return read_scalars(), true;
    const bool vector = word == "vectors" || word == "normals", tensor = word == "tensors";
    if (!vector && !tensor) return false;
    in_.token();
    const std::string type(in_.token());
    start_data();
    read_values(type, rows_, vector ? 3 : 9, "data", nullptr);
    return true;
  }

  // Values begin right behind the end of the line.
  void start_data() { in_.rest_of_line(); }

  void skip_metadata() {  // up to an empty line
    in_.rest_of_line();
    while (in_.left() > 0)
      if (in_.rest_of_line().find_first_not_of(" \t\r") == std::string_view::npos) return;
  }

  double value(const std::string& type, std::string_view name) {
    if (!in_.is_binary) return in_.real(name);
    if (type == "double") return in_.fetch<double>(name);
    if (type == "float") return in_.fetch<float>(name);
    if (type == "int" || type == "vtkidtype") return in_.fetch<std::int32_t>(name);
    if (type == "unsigned_int") return in_.fetch<std::uint32_t>(name);
    if (type == "long" || type == "vtktypeint64") return static_cast<double>(in_.fetch<std::int64_t>(name));
    if (type == "unsigned_long" || type == "vtktypeuint64")
      return static_cast<double>(in_.fetch<std::uint64_t>(name));
    if (type == "short") return in_.fetch<std::int16_t>(name);
    if (type == "unsigned_short") return in_.fetch<std::uint16_t>(name);
    if (type == "char") return in_.fetch<std::int8_t>(name);
    if (type == "unsigned_char") return in_.fetch<std::uint8_t>(name);
    in_.fail(fmt::format("type of {}", name), type.substr(0, 20),
             "int, long, float, double, char, short, unsigned_...");
  }

  // rows x columns values; kept where there is a place for them.
  void read_values(const std::string& given, std::int64_t rows, std::int64_t columns, std::string_view name,
                   std::vector<double>* kept) {
    const std::string type = to_lower(given);
    if (columns > 0) in_.count(rows, name, columns, columns);
    if (kept) kept->reserve(rows * columns);
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      const double x = value(type, name);
      if (kept) kept->push_back(x);
    }
  }

  // Integers as they are in the file.
  std::vector<std::int64_t> read_integers(const std::string& given, std::int64_t rows,
                                          std::string_view name) {
    const std::string type = to_lower(given);
    const bool is_long = type == "vtktypeint64" || type == "long";
    if (!is_long && type != "int" && type != "vtktypeint32")
      in_.fail(fmt::format("type of {}", name), type.substr(0, 20), "int or vtktypeint64");
    in_.count(rows, name, 1, is_long ? 8 : 4);
    std::vector<std::int64_t> values(rows);
    for (std::int64_t& value : values)
      value = is_long ? in_.size(name, 0) : in_.number(name, 0, std::numeric_limits<int>::max());
    return values;
  }

  void read_points() {
    if (has_points_) in_.fail("a second list of POINTS");
    has_points_ = true;
    const std::int64_t points = count("number of points");
    const std::string type(in_.token());
    start_data();
    std::vector<double> x;
    read_values(type, points, 3, "coordinates", &x);
    mesh_.nodes.reserve(points);
    for (std::int64_t i = 0; i < points; ++i) mesh_.nodes.emplace_back(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    mesh_.node_numbers.resize(points);
    std::iota(mesh_.node_numbers.begin(), mesh_.node_numbers.end(), 0);
  }

  void read_cells() {
    if (has_cells_) in_.fail("a second list of CELLS");
    has_cells_ = true;
    const std::int64_t rows = count("number of cells");
    const std::int64_t size = count("size of the list of cells");
    start_data();
    // Version 5: the ends of cells and their nodes in two arrays.
    if (in_.starts_with("OFFSETS")) {
      in_.token();
      std::string type(in_.token());
      start_data();
      cells_.ends = read_integers(type, rows, "ends of cells");
      if (cells_.ends.empty() || cells_.ends[0] != 0) in_.fail("first offset of cells", {}, "0");
      cells_.ends.erase(cells_.ends.begin());
      in_.expect("CONNECTIVITY");
      type = in_.token();
      start_data();
      cells_.connectivity = read_integers(type, size, "nodes of cells");
      return;
    }
    const std::vector<std::int64_t> list = read_integers("int", size, "list of cells");
    std::size_t at = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (at >= list.size() || static_cast<std::size_t>(list[at]) > list.size() - at - 1)
        in_.fail(fmt::format("the list of cells ends within cell {}", i),
                 fmt::format("{} numbers", list.size()));
      cells_.connectivity.insert(cells_.connectivity.end(), list.begin() + at + 1,
                                 list.begin() + at + 1 + list[at]);
      cells_.ends.push_back(static_cast<std::int64_t>(cells_.connectivity.size()));
      at += static_cast<std::size_t>(list[at]) + 1;
    }
    if (at != list.size())
      in_.fail("size of the list of cells", fmt::format("{}", list.size()),
               fmt::format("{} for {} cells", at, rows));
  }

  void read_types() {
    if (has_types_) in_.fail("a second list of CELL_TYPES");
    has_types_ = true;
    const std::int64_t rows = count("number of types of cells");
    start_data();
    cells_.types = read_integers("int", rows, "types of cells");
  }

  void read_scalars() {
    const std::string name = decode_name(in_.token()), type(in_.token());
    std::string rest(in_.rest_of_line());
    std::int64_t columns = 1;
    if (const std::size_t digit = rest.find_first_not_of(" \t\r"); digit != std::string::npos) {
      if (rest[digit] < '1' || rest[digit] > '4')
        in_.fail("components of scalars", rest.substr(digit, 10), "1 to 4");
      columns = rest[digit] - '0';
    }
    if (in_.starts_with("LOOKUP_TABLE")) in_.rest_of_line();
    keep(name, type, rows_, columns);
  }

  void read_field() {
    in_.token();
    const std::int64_t arrays = count("number of arrays of a field");
    for (std::int64_t i = 0; i < arrays; ++i) {
      std::string word(in_.token());
      if (to_lower(word) == "metadata") {
        skip_metadata();
        word = in_.token();
      }
      const std::int64_t columns = count("components of an array"), rows = count("rows of an array");
      const std::string type(in_.token());
      if (type == "string") in_.fail("type of array '" + word.substr(0, 40) + "'", type, "numbers");
      start_data();
      keep(decode_name(word), type, rows, columns);
    }
  }

  void keep(const std::string& name, const std::string& type, std::int64_t rows, std::int64_t columns) {
    const bool wanted = of_cells_ && columns == 1 && is_vtk_group_name(name);
    std::vector<double> values;
    read_values(type, rows, columns, "values of '" + name.substr(0, 40) + "'", wanted ? &values : nullptr);
    if (wanted) cells_.data.emplace_back(name, std::move(values));
  }

  NumberStream in_;
  const std::string& where_;
  RawMesh mesh_;
  VtkCells cells_;
  bool has_points_ = false, has_cells_ = false, has_types_ = false, of_cells_ = false;
  std::int64_t rows_ = 0;
};

}  // namespace

RawMesh parse_vtk(std::string_view bytes, const std::string& where) {
  return VtkParser(bytes, where).parse();
}

}  // namespace saltus
