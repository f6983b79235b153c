#include "saltus/io/measure_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/io/scene_measure_reader.hpp"
#include "saltus/io/scene_reader.hpp"
#include "saltus/io/scene_table.hpp"
#include "saltus/io/trajectory_snapshot.hpp"
#include "saltus/sim/measure.hpp"

namespace saltus {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

MeasureTable read_frames(const TrajectoryFile& file) {
  MeasureTable table;
  TrajectoryData data;
  file.read(Rows::frame, 0, file.frames(), data);
  std::vector<std::vector<double>> columns;
  for (const TrajectoryColumn& column : trajectory_columns()) {
    if (column.rows != Rows::frame || !file.has(column)) continue;
    const std::string path = column.path;
    std::string name = path.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    if (name.rfind("frames.", 0) == 0) name = name.substr(7);
    if (name.find("_begin") != std::string::npos) continue;
    table.columns.push_back(name);
    columns.push_back(std::visit(
        [&](auto member) { return std::vector<double>((data.*member).begin(), (data.*member).end()); },
        column.data));
  }
  for (std::size_t row = 0; row < static_cast<std::size_t>(file.frames()); ++row)
    for (const auto& column : columns) table.numbers.push_back(column[row]);
  return table;
}

template <int Dim>
std::vector<MeasureSpec<Dim>> find_specs(const TrajectoryHeader& header, const std::string& path,
                                         const std::vector<std::string>& measures) {
  std::vector<MeasureSpec<Dim>> specs;
  for (const std::string& text : measures) specs.push_back(parse_measure<Dim>(text, "measure " + text));
  if (measures.empty()) {
    const toml::table tree = parse_bounded(header.scene_text);
    TableReader reader(tree, "");
    specs = read_measures<Dim>(reader);
    if (specs.empty()) throw InputError(path, "its scene asks for no measure: name some");
  }
  return specs;
}

template <int Dim>
MeasureTable compute(const std::string& path, const std::vector<std::string>& measures, double from,
                     double to) {
  const TrajectoryReader<Dim> reader(path);
  const auto specs = find_specs<Dim>(reader.header(), path, measures);
  MeasureTable table;
  if (reader.frames() == 0) return table;
  Snapshot<Dim> snapshot;
  take_snapshot<Dim>(reader, 0, snapshot);
  Measurer<Dim> measurer(specs, reader.header().body_names, snapshot);
  table.columns = {"step", "time"};
  table.columns.insert(table.columns.end(), measurer.columns().begin(), measurer.columns().end());
  for (std::int64_t i = 0; i < reader.frames(); ++i) {
    const bool is_before = reader.time(i) < from;
    if ((is_before && !measurer.remembers()) || reader.time(i) > to) continue;
    take_snapshot<Dim>(reader, i, snapshot);
    if (is_before) {
      std::vector<double> unused;
      measurer.measure(snapshot, unused);
      continue;
    }
    table.numbers.insert(table.numbers.end(), {static_cast<double>(snapshot.step), snapshot.time});
    measurer.measure(snapshot, table.numbers);
  }
  return table;
}

// Empty cells are nan.
double parse_cell(const std::string& cell, bool& is_number) {
  double value = kNone;
  is_number = true;
  if (cell.empty() || cell == "nan") return value;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  is_number = error == std::errc() && end == cell.data() + cell.size();
  return value;
}

std::vector<std::string> split_line(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

}  // namespace

int MeasureTable::find(const std::string& column) const {
  const auto at = std::find(columns.begin(), columns.end(), column);
  return at == columns.end() ? -1 : static_cast<int>(at - columns.begin());
}

std::vector<double> MeasureTable::column(std::size_t index) const {
  std::vector<double> values(rows());
  for (std::size_t row = 0; row < rows(); ++row) values[row] = at(row, index);
  return values;
}

TrajectoryTables read_tables(const std::string& path) {
  const TrajectoryFile file = TrajectoryFile::open(path, TrajectoryFile::Mode::read);
  TrajectoryTables tables;
  tables.frames = read_frames(file);
  const TrajectoryHeader header = file.read_header();
  TrajectoryData data;
  file.read(Rows::measure, 0, file.rows(Rows::measure), data);
  file.read(Rows::measure_value, 0, file.rows(Rows::measure_value), data);
  const std::size_t rows = data.measure_step.size(), width = header.measures.size();
  if (data.measure_values.size() != rows * width)
    throw InputError(path, "rows of /measures and their names do not agree (damaged file?)");
  MeasureTable& table = tables.measures;
  table.columns = {"step", "time"};
  table.columns.insert(table.columns.end(), header.measures.begin(), header.measures.end());
  for (std::size_t row = 0; row < rows; ++row) {
    table.numbers.insert(table.numbers.end(),
                         {static_cast<double>(data.measure_step[row]), data.measure_time[row]});
    const auto begin = data.measure_values.begin() + static_cast<std::ptrdiff_t>(row * width);
    table.numbers.insert(table.numbers.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return tables;
}

MeasureTable compute_measures(const std::string& trajectory, const std::vector<std::string>& measures,
                              double from, double to) {
  return trajectory_dimension(trajectory) == 2 ? compute<2>(trajectory, measures, from, to)
                                               : compute<3>(trajectory, measures, from, to);
}

MeasureTable mean_of(const MeasureTable& table) {
  MeasureTable mean;
  mean.columns = table.columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    double sum = 0, count = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (const double v = table.at(row, c); std::isfinite(v)) sum += v, ++count;
    mean.numbers.push_back(count > 0 ? sum / count : kNone);
  }
  return mean;
}

std::string format_csv(const MeasureTable& table) {
  std::string text = table.texts.empty() ? "" : "case,";
  text += fmt::format("{}\n", fmt::join(table.columns, ","));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!table.texts.empty()) text += table.texts[row] + ",";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const double v = table.at(row, c);
      text += c ? "," : "";
      if (!std::isnan(v)) text += fmt::format("{}", v);
    }
    text += '\n';
  }
  return text;
}

MeasureTable read_csv_table(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw InputError(path, "cannot be read");
  MeasureTable table;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split_line(line);
    if (table.columns.empty()) {
      table.columns = cells;
      continue;
    }
    if (cells.size() != table.columns.size())
      throw InputError(fmt::format("{}:{}", path, number), "cells in a row", fmt::format("{}", cells.size()),
                       fmt::format("{}", table.columns.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      bool is_number = true;
      const double value = parse_cell(cells[c], is_number);
      if (!is_number && c > 0)
        throw InputError(fmt::format("{}:{}", path, number), table.columns[c], cells[c], "a number");
      if (c == 0 && (!is_number || table.columns[0] == "case")) table.texts.push_back(cells[c]);
      table.numbers.push_back(value);
    }
  }
  return table;
}

bool split_place(const std::string& column, std::string& name, double& place) {
  const std::size_t at = column.rfind('@');
  if (at == std::string::npos) return false;
  bool is_number = false;
  name = column.substr(0, at);
  place = parse_cell(column.substr(at + 1), is_number);
  return is_number;
}

}  // namespace saltus
