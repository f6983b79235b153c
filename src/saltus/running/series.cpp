#include "saltus/running/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_names.hpp"
#include "saltus/trajectories/stored_fields.hpp"

namespace saltus {

namespace {

bool holds_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A kind of measure, or a table like those of [[measures]].
bool is_measure(const std::string& name) {
  return holds_name(measure_kind_names(), name) || name.find('{') != std::string::npos;
}

bool is_key(const std::string& column) { return column == "step" || column == "time"; }

// `step`, `time` and the columns that are called so, or NAME@PLACE.
MeasureTable pick(const MeasureTable& table, const std::vector<std::string>& names) {
  std::vector<std::size_t> chosen;
  for (const char* key : {"step", "time"})
    if (const int c = table.find(key); c >= 0) chosen.push_back(static_cast<std::size_t>(c));
  const std::size_t keys = chosen.size();
  for (const std::string& name : names)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (!is_key(name) && (table.columns[c] == name || table.columns[c].rfind(name + '@', 0) == 0))
        chosen.push_back(c);
  MeasureTable picked;
  if (chosen.size() == keys) return picked;
  for (const std::size_t c : chosen) picked.columns.push_back(table.columns[c]);
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (const std::size_t c : chosen) picked.numbers.push_back(table.at(row, c));
  return picked;
}

bool has_series(const MeasureTable& table, const std::string& name) {
  return is_key(name) || !pick(table, {name}).columns.empty();
}

}  // namespace

void require_series_fields(const std::string& path, const std::string& name) {
  const std::string group = name.substr(0, name.find('.'));
  const std::string field = group == "energy" ? "energies" : group == "solver" ? "solver" : "";
  if (field.empty()) return;
  require_fields(TrajectoryFile::open(path, TrajectoryFile::Mode::read), {field}, "the series " + name);
}

MeasureTable keep_times(const MeasureTable& table, double from, double to) {
  const int time = table.find("time");
  if (time < 0) return table;
  MeasureTable kept;
  kept.columns = table.columns, kept.words = table.words;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.at(row, static_cast<std::size_t>(time));
    if (t < from || t > to) continue;
    for (std::size_t c = 0; c < table.columns.size(); ++c) kept.numbers.push_back(table.at(row, c));
  }
  return kept;
}

std::vector<std::string> expand_groups(const std::vector<std::string>& quantities,
                                       const std::vector<MeasureTable>& tables) {
  std::vector<std::string> names;
  for (const std::string& quantity : quantities) {
    const std::size_t before = names.size();
    for (const MeasureTable& table : tables) {
      if (table.find(quantity) >= 0) break;
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const std::vector<double> numbers = table.column(c);
        const bool there = table.columns[c].rfind(quantity + '.', 0) == 0 &&
                           table.columns[c].find('@') == std::string::npos &&
                           std::any_of(numbers.begin(), numbers.end(), [](double y) { return y != 0; });
        if (there && !holds_name(names, table.columns[c])) names.push_back(table.columns[c]);
      }
    }
    if (names.size() == before) names.push_back(quantity);
  }
  return names;
}

std::vector<std::string> series_names(const std::vector<MeasureTable>& tables) {
  std::vector<std::string> names;
  for (const MeasureTable& table : tables)
    for (const std::string& column : table.columns) {
      const std::string name = column.substr(0, column.rfind('@'));
      if (!holds_name(names, name)) names.push_back(name);
    }
  return names;
}

std::string list_series(const std::vector<MeasureTable>& tables) {
  return fmt::format("{}", fmt::join(series_names(tables), ", "));
}

MeasureTable join_tables(const std::vector<MeasureTable>& tables) {
  MeasureTable joined;
  joined.columns = {"step", "time"};
  std::map<double, std::vector<double>> rows;  // by step
  for (const MeasureTable& table : tables) {
    if (table.columns.empty()) continue;
    const auto step = static_cast<std::size_t>(table.find("step")),
               time = static_cast<std::size_t>(table.find("time"));
    const std::size_t begin = joined.columns.size();
    for (const std::string& column : table.columns)
      if (!is_key(column)) joined.columns.push_back(column);
    for (auto& [key, row] : rows) row.resize(joined.columns.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t r = 0; r < table.rows(); ++r) {
      std::vector<double>& row = rows[table.at(r, step)];
      row.resize(joined.columns.size(), std::numeric_limits<double>::quiet_NaN());
      row[0] = table.at(r, step), row[1] = table.at(r, time);
      std::size_t to = begin;
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (!is_key(table.columns[c])) row[to++] = table.at(r, c);
    }
  }
  for (const auto& [key, row] : rows) joined.numbers.insert(joined.numbers.end(), row.begin(), row.end());
  return joined;
}

MeasureTable read_series(const std::string& path, const std::vector<std::string>& names, double from,
                         double to) {
  TrajectoryTables read = read_tables(path);
  const std::vector<MeasureTable> stored = {keep_times(read.measures, from, to),
                                            keep_times(read.frames, from, to)};
  if (names.empty()) return join_tables(stored);
  std::vector<MeasureTable> chosen;
  const std::vector<std::string> expanded = expand_groups(names, stored);
  for (const std::string& name : expanded) {
    const auto table = std::find_if(stored.begin(), stored.end(),
                                    [&](const MeasureTable& t) { return has_series(t, name); });
    if (table != stored.end()) {
      chosen.push_back(pick(*table, {name}));
    } else if (is_measure(name)) {
      chosen.push_back(compute_measures(path, {name}, from, to));
    } else {
      require_series_fields(path, name);
      throw InputError(path, "no such series", name,
                       fmt::format("{}; kinds of measures: {}", list_series(stored),
                                   fmt::join(measure_kind_names(), ", ")));
    }
  }
  return join_tables(chosen);
}

}  // namespace saltus
