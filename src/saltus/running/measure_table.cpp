#include "saltus/running/measure_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/beams.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/running/measure_fields.hpp"
#include "saltus/scenes/scene_measure_reader.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_table.hpp"
#include "saltus/trajectories/trajectory_snapshot.hpp"

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
    const toml::table tree = parse_toml(header.scene_text, path);
    TableReader reader(tree, "");
    specs = read_measures<Dim>(reader);
    if (specs.empty()) throw InputError(path, "its scene asks for no measure: name some");
  }
  return specs;
}

// Elements of bars, strings and beams are built from the scene that the file holds: the last of its systems.
template <int Dim>
std::vector<std::shared_ptr<const Beams<Dim>>> find_beams(const TrajectoryHeader& header,
                                                          const std::string& path, std::size_t systems) {
  const Scene<Dim> scene = std::get<Scene<Dim>>(parse_scene(header.scene_text, path).scene);
  std::vector<std::shared_ptr<const Beams<Dim>>> beams(systems);
  if (scene.beams.size() > systems) throw InputError(path, "does not hold the systems of its scene");
  for (std::size_t i = 0; i < scene.beams.size(); ++i)
    beams[systems - scene.beams.size() + i] = build_beams<Dim>(scene.beams[i]);
  return beams;
}

template <int Dim>
MeasureTable compute(const std::string& path, const std::vector<std::string>& measures, double from,
                     double to) {
  const TrajectoryReader<Dim> reader(path);
  const auto specs = find_specs<Dim>(reader.header(), path, measures);
  for (const MeasureSpec<Dim>& spec : specs) require_fields<Dim>(reader.file(), spec);
  MeasureTable table;
  if (reader.frames() == 0) return table;
  Snapshot<Dim> snapshot;
  take_snapshot<Dim>(reader, 0, snapshot);
  if (std::any_of(specs.begin(), specs.end(),
                  [](const auto& spec) { return spec.kind == MeasureKind::beam_forces; }))
    snapshot.beams = find_beams<Dim>(reader.header(), path, snapshot.systems.size());
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
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
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

std::string MeasureTable::text_at(std::size_t row, std::size_t column) const {
  const double v = at(row, column);
  if (std::isnan(v)) return "";
  const auto list = words.find(column);
  return list == words.end() ? fmt::format("{}", v) : list->second.at(static_cast<std::size_t>(v));
}

double MeasureTable::word_value(std::size_t column, const std::string& word) {
  std::vector<std::string>& list = words[column];
  const auto at = std::find(list.begin(), list.end(), word);
  if (at == list.end()) list.push_back(word);
  return static_cast<double>(std::find(list.begin(), list.end(), word) - list.begin());
}

std::vector<double> MeasureTable::column(std::size_t index) const {
  std::vector<double> values(rows());
  for (std::size_t row = 0; row < rows(); ++row) values[row] = at(row, index);
  return values;
}

MeasureTable build_table(const std::vector<std::string>& names, const TrajectoryData& data,
                         const std::string& where) {
  const std::size_t rows = data.measure_step.size(), width = names.size();
  if (data.measure_time.size() != rows || data.measure_values.size() != rows * width)
    throw InputError(where, "rows of /measures and their names do not agree (damaged file?)");
  MeasureTable table;
  table.columns = {"step", "time"};
  table.columns.insert(table.columns.end(), names.begin(), names.end());
  for (std::size_t row = 0; row < rows; ++row) {
    table.numbers.insert(table.numbers.end(),
                         {static_cast<double>(data.measure_step[row]), data.measure_time[row]});
    const auto begin = data.measure_values.begin() + static_cast<std::ptrdiff_t>(row * width);
    table.numbers.insert(table.numbers.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return table;
}

TrajectoryTables read_tables(const std::string& path) {
  const TrajectoryFile file = TrajectoryFile::open(path, TrajectoryFile::Mode::read);
  TrajectoryData data;
  for (const Rows rows : {Rows::measure, Rows::measure_value}) file.read(rows, 0, file.rows(rows), data);
  return {build_table(file.read_header().measures, data, path), read_frames(file)};
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
      text += c ? "," : "";
      text += table.text_at(row, c);
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
    const bool first_row = table.numbers.empty();
    if (cells.size() != table.columns.size())
      throw InputError(fmt::format("{}:{}", path, number), "cells in a row", fmt::format("{}", cells.size()),
                       fmt::format("{}", table.columns.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      bool is_number = true;
      double value = parse_cell(cells[c], is_number);
      if (c == 0 && (!is_number || table.columns[0] == "case")) table.texts.push_back(cells[c]);
      if (c > 0 && (table.words.count(c) || (!is_number && first_row))) {
        value = table.word_value(c, cells[c]);
      } else if (!is_number && c > 0) {
        throw InputError(fmt::format("{}:{}", path, number), table.columns[c], cells[c], "a number");
      }
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
