#include "saltus/scenes/scene_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

#include "saltus/base/byte_order_mark.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_names.hpp"

namespace saltus {

namespace {

// Commas, or what spreadsheets put instead of them where a comma is the decimal sign.
char find_separator(std::string_view header) {
  for (const char c : {';', '\t'})
    if (header.find(c) != std::string_view::npos) return c;
  return ',';
}

std::vector<std::string_view> split_cells(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(separator);
    std::string_view cell = line.substr(0, comma);
    while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r'))
      cell.remove_suffix(1);
    cells.push_back(cell);
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

void read_header(const std::vector<std::string_view>& cells, const std::string& where,
                 const std::vector<std::string>& required, const std::vector<std::string>& allowed,
                 CsvTable& table) {
  for (const std::string_view cell : cells) {
    const std::string column(cell);
    const std::string near = nearest_name(column, allowed);
    if (std::find(allowed.begin(), allowed.end(), column) == allowed.end())
      throw InputError(
          where, "unknown column",
          fmt::format("\"{}\"{}", column, near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)),
          join_names(allowed));
    if (table.find(column) >= 0) throw InputError(where, "a column twice", '"' + column + '"');
    table.columns.push_back(column);
  }
  for (const std::string& column : required)
    if (table.find(column) < 0)
      throw InputError(where, fmt::format("missing column \"{}\"", column), join_names(table.columns),
                       "at least " + join_names(required));
}

double read_cell(std::string cell, const std::string& where, const std::string& column) {
  std::replace(cell.begin(), cell.end(), ',', '.');  // the decimal sign, if there is one left
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
    throw InputError(where, fmt::format("column {}", column), fmt::format("\"{}\"", cell), "a finite number");
  return value;
}

}  // namespace

int CsvTable::find(const std::string& column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

std::string CsvTable::where(std::size_t row) const { return fmt::format("{}:{}", path, lines[row]); }

CsvTable parse_csv(const std::string& content, const std::string& path,
                   const std::vector<std::string>& required, const std::vector<std::string>& allowed) {
  CsvTable table;
  table.path = path;
  std::istringstream stream(std::string(without_byte_order_mark(content, path)));
  std::string line;
  char separator = ',';
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    const std::string where = fmt::format("{}:{}", path, number);
    if (table.columns.empty()) separator = find_separator(line);
    const std::vector<std::string_view> cells = split_cells(line, separator);
    if (table.columns.empty()) {
      read_header(cells, where, required, allowed, table);
      continue;
    }
    if (cells.size() != table.columns.size())
      throw InputError(where, "numbers in a row", fmt::format("{}", cells.size()),
                       fmt::format("{}, one for each column{}", table.columns.size(),
                                   cells.size() == 2 * table.columns.size()
                                       ? " (with decimal commas, separate the columns by semicolons)"
                                       : ""));
    for (std::size_t c = 0; c < cells.size(); ++c)
      table.numbers.push_back(read_cell(std::string(cells[c]), where, table.columns[c]));
    table.lines.push_back(number);
  }
  if (table.columns.empty())
    throw InputError(path, "no line with the names of the columns", {}, join_names(allowed));
  return table;
}

}  // namespace saltus
