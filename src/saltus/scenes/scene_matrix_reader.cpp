#include "saltus/scenes/scene_matrix_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "saltus/base/input_error.hpp"
#include "saltus/files/text_scanner.hpp"

namespace saltus {

namespace {

constexpr const char* kMatrixForms =
    "rows [[2, -1], [-1, 2]], { diagonal }, { tridiagonal = { size, diagonal, off, ends } }, { size, entries "
    "} or "
    "{ file }";

std::string size_text(std::int64_t largest) { return fmt::format("1 to {} rows", largest); }

// Sorted, zeros left out. Returns a place that is given twice, or none.
std::string sort_entries(SceneMatrix& matrix) {
  auto& list = matrix.entries;
  const auto place = [](const SceneMatrix::Entry& e) { return std::pair(e.row, e.column); };
  std::stable_sort(list.begin(), list.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  const auto twice = std::adjacent_find(list.begin(), list.end(),
                                        [&](const auto& a, const auto& b) { return place(a) == place(b); });
  if (twice != list.end()) return fmt::format("row {}, column {}", twice->row, twice->column);
  std::erase_if(list, [](const auto& e) { return e.value == 0; });
  return {};
}

SceneMatrix read_rows(const toml::array& rows, const std::string& path, std::int64_t largest) {
  SceneMatrix matrix;
  if (rows.empty() || static_cast<std::int64_t>(rows.size()) > largest)
    fail_value(rows, path, size_text(largest));
  matrix.size = static_cast<int>(rows.size());
  for (int i = 0; i < matrix.size; ++i) {
    const toml::array* row = rows[i].as_array();
    const std::string place = fmt::format("{}.{}", path, i);
    if (!row || static_cast<int>(row->size()) != matrix.size)
      fail_value(rows[i], place, fmt::format("a row of {} numbers: the matrix is square", matrix.size));
    for (int j = 0; j < matrix.size; ++j) {
      const double value = read_number((*row)[j], fmt::format("{}.{}", place, j), kAnyNumber);
      if (value != 0) matrix.entries.push_back({i, j, value});
    }
  }
  return matrix;
}

SceneMatrix read_tridiagonal(TableReader t, std::int64_t largest) {
  SceneMatrix matrix;
  matrix.size = static_cast<int>(t.integer("size", 1, largest));
  const double diagonal = t.number("diagonal", kAnyNumber), off = t.number("off", kAnyNumber);
  const double ends = t.number("ends", diagonal, kAnyNumber);
  t.finish();
  const int last = matrix.size - 1;
  for (int i = 0; i <= last; ++i) {
    if (i > 0) matrix.entries.push_back({i, i - 1, off});
    matrix.entries.push_back({i, i, i == 0 || i == last ? ends : diagonal});
    if (i < last) matrix.entries.push_back({i, i + 1, off});
  }
  return matrix;
}

SceneMatrix read_entries(TableReader& t, std::int64_t largest) {
  SceneMatrix matrix;
  matrix.size = static_cast<int>(t.integer("size", 1, largest));
  for (const Vec<3>& e : t.vectors<3>("entries")) {
    const bool is_place = e[0] == std::floor(e[0]) && e[1] == std::floor(e[1]) && std::min(e[0], e[1]) >= 0 &&
                          std::max(e[0], e[1]) < matrix.size;
    if (!is_place)
      t.fail("entries", fmt::format("[{}, {}, {}]", e[0], e[1], e[2]),
             fmt::format("row and column from 0 to {}, then a number", matrix.size - 1));
    matrix.entries.push_back({static_cast<int>(e[0]), static_cast<int>(e[1]), e[2]});
  }
  return matrix;
}

SceneMatrix read_matrix_table(TableReader t, SceneContext& context) {
  const std::int64_t largest = context.limits.bodies;
  SceneMatrix matrix;
  if (t.has("file")) {
    matrix = parse_matrix_market(context.load_file(t, "file"), context.file_path(t, "file"), largest);
  } else if (t.has("diagonal")) {
    const std::vector<double> values = t.numbers("diagonal");
    if (values.empty() || static_cast<std::int64_t>(values.size()) > largest)
      t.fail("diagonal", fmt::format("{} numbers", values.size()), size_text(largest));
    matrix.size = static_cast<int>(values.size());
    for (int i = 0; i < matrix.size; ++i) matrix.entries.push_back({i, i, values[i]});
  } else if (t.has("tridiagonal")) {
    matrix = read_tridiagonal(t.table("tridiagonal"), largest);
  } else if (t.has("entries")) {
    matrix = read_entries(t, largest);
  } else {
    throw InputError(t.where(), t.path(), "none of these", kMatrixForms);
  }
  t.finish();
  if (const std::string twice = sort_entries(matrix); !twice.empty())
    throw InputError(t.where(), t.path(), "a second entry at " + twice, "each place once");
  return matrix;
}

}  // namespace

SceneMatrix parse_matrix_market(std::string_view text, const std::string& where, std::int64_t largest) {
  TextScanner scan(text, where);
  scan.expect("%%MatrixMarket");
  scan.expect("matrix");
  scan.expect("coordinate");
  const std::string field(scan.token());
  if (field != "real" && field != "integer") scan.fail("field of the matrix", field, "real or integer");
  const std::string kind(scan.token());
  if (kind != "general" && kind != "symmetric")
    scan.fail("symmetry of the matrix", kind, "general or symmetric");
  scan.rest_of_line();
  while (scan.offset() < text.size() && text[scan.offset()] == '%') scan.rest_of_line();
  SceneMatrix matrix;
  matrix.size = static_cast<int>(scan.integer("rows", 1, largest));
  scan.integer("columns", matrix.size, matrix.size);
  const std::int64_t count = scan.integer("entries", 0, std::numeric_limits<std::int64_t>::max());
  scan.require("entries", count);
  for (std::int64_t k = 0; k < count; ++k) {
    const int row = static_cast<int>(scan.integer("row", 1, matrix.size)) - 1;
    const int column = static_cast<int>(scan.integer("column", 1, matrix.size)) - 1;
    const double value = scan.real("entry", k);
    matrix.entries.push_back({row, column, value});
    if (kind == "symmetric" && row != column) matrix.entries.push_back({column, row, value});
  }
  if (!scan.token().empty()) scan.fail("text after the last entry");
  if (const std::string twice = sort_entries(matrix); !twice.empty())
    throw InputError(where, "a second entry, counted from 0, at " + twice, {}, "each place once");
  return matrix;
}

SceneMatrix read_matrix(TableReader& table, std::string_view key, SceneContext& context) {
  const toml::node* node = table.node(key);
  if (!node)
    throw InputError(table.where(), fmt::format("missing key \"{}\"", table.path(key)), {}, kMatrixForms);
  table.form(key, "matrix");
  if (node->is_array()) return read_rows(*node->as_array(), table.path(key), context.limits.bodies);
  if (!node->is_table()) fail_value(*node, table.path(key), kMatrixForms);
  return read_matrix_table(table.table(key), context);
}

}  // namespace saltus
