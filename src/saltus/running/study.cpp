#include "saltus/running/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/plot_units.hpp"
#include "saltus/math/expression.hpp"
#include "saltus/scenes/scene_table.hpp"
#include "saltus/scenes/scene_text.hpp"
#include "saltus/trajectories/trajectory_file.hpp"

namespace saltus {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::string> kTakes = {"last", "first", "max", "min", "mean", "peak"};

std::string checked_formula(TableReader& t) {
  std::string text = t.text("formula", "");
  if (!text.empty()) Expression{text};
  return text;
}

double apply_formula(const std::string& formula, double value) {
  return formula.empty() ? value : Expression(formula).value(value);
}

// Beside the study when it is there, else as it stands: a scene of the library.
std::string find_beside(const std::string& study, const std::string& name) {
  const std::filesystem::path beside = std::filesystem::path(study).parent_path() / name;
  return std::filesystem::exists(beside) ? beside.string() : name;
}

// Part of the name of a file in the folder of the study.
std::string file_word(TableReader& t, std::string_view key) {
  std::string word = t.text(key);
  if (word.empty() || word == "." || word == ".." || word.find_first_of("/\\,\"\n") != std::string::npos)
    t.fail(key, '"' + word + '"', "a name without / \\ , and quotes: it is part of the name of a file");
  return word;
}

// Numbers, or texts that are parts of names of files too.
void read_values(TableReader& t, StudyParameter& p) {
  const toml::array* list = t.has("values") ? t.node("values")->as_array() : nullptr;
  if (!list || list->empty() || !list->front().is_string()) {
    p.values = t.numbers("values");
    return;
  }
  p.words = t.texts("values");
  for (const std::string& word : p.words) {
    if (word.empty() || word.find_first_of("/\\,\"\n") != std::string::npos)
      t.fail("values", '"' + word + '"',
             "texts without / \\ , and quotes: they are part of the names of files");
    p.values.push_back(static_cast<double>(p.values.size()));
  }
}

StudyParameter read_parameter(TableReader& t) {
  StudyParameter p;
  // A key that is misspelt is told as such, not as another one that is missing.
  for (const char* key : {"name", "values", "keys", "prepare", "formula", "unit"}) t.has(key);
  t.finish();
  p.name = file_word(t, "name");
  read_values(t, p);
  if (p.values.empty()) t.fail("values", "an empty list", "numbers, or texts");
  p.keys = t.texts("keys");
  p.prepare_keys = t.texts("prepare");
  if (p.keys.empty() && p.prepare_keys.empty())
    t.fail("keys", "nothing", "keys of the scene, like \"law.friction\"");
  p.formula = checked_formula(t);
  p.unit = t.text("unit", "");
  if (!p.formula.empty() && !p.words.empty())
    t.fail("formula", '"' + p.formula + '"', "none: the values are texts");
  return p;
}

StudyResult read_result(TableReader& t) {
  StudyResult r;
  r.name = t.text("name");
  if (t.has("measure") == t.has("summary")) t.fail("measure", "none or both", "one of measure and summary");
  r.measure = t.text("measure", "");
  r.summary = t.text("summary", "");
  r.take = kTakes[static_cast<std::size_t>(t.choice("take", kTakes, 0))];
  r.from = t.number("from", -1e300, kAnyNumber);
  r.to = t.number("to", 1e300, kAnyNumber);
  r.formula = checked_formula(t);
  r.unit = t.text("unit", "");
  t.finish();
  return r;
}

StudyFigure read_figure(TableReader& t) {
  StudyFigure f;
  f.file = file_word(t, "file");
  f.x = t.text("x");
  f.y = t.texts("y");
  f.by = t.text("by", "");
  f.title = t.text("title", ""), f.x_label = t.text("x_label", ""), f.y_label = t.text("y_label", "");
  f.points = t.flag("points", true);
  t.finish();
  return f;
}

std::string describe(const StudyParameter& p, double value) {
  return p.words.empty() ? fmt::format("{}", value) : p.words[static_cast<std::size_t>(value)];
}

// What the keys get: whole numbers as integers, as seeds and counts are.
std::string to_toml_value(const StudyParameter& p, double value) {
  if (!p.words.empty()) return quote(p.words[static_cast<std::size_t>(value)]);
  const double given = apply_formula(p.formula, value);
  const bool whole = given == std::round(given) && std::abs(given) < 1e15;
  return whole ? fmt::format("{:.0f}", given) : to_toml(given);
}

double take(const std::string& how, const std::vector<double>& values) {
  if (values.empty()) return kNoValue;
  if (how == "first") return values.front();
  if (how == "last") return values.back();
  if (how == "max") return *std::max_element(values.begin(), values.end());
  if (how == "min") return *std::min_element(values.begin(), values.end());
  const auto mean = [&](std::size_t begin, std::size_t count) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + count; ++i) sum += values[i];
    return sum / static_cast<double>(count);
  };
  if (how == "mean") return mean(0, values.size());
  // One value of a collection of grains is erratic; its peak is sought in a running mean.
  const std::size_t window = std::max<std::size_t>(1, values.size() / 20);
  double peak = mean(0, window);
  for (std::size_t i = 1; i + window <= values.size(); ++i) peak = std::max(peak, mean(i, window));
  return peak;
}

double collect_measure(const StudyResult& result, const MeasureTable& table, const std::string& path) {
  const int column = table.find(result.measure), time = table.find("time");
  if (column < 0 || time < 0)
    throw InputError(path, "a study collects a measure that the scene does not ask for", result.measure);
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.at(row, static_cast<std::size_t>(time));
    const double v = table.at(row, static_cast<std::size_t>(column));
    if (t >= result.from && t <= result.to && std::isfinite(v)) values.push_back(v);
  }
  return take(result.take, values);
}

const nlohmann::json* find_key(const nlohmann::json& summary, const std::string& key) {
  const nlohmann::json* at = &summary;
  std::istringstream words(key);
  for (std::string word; std::getline(words, word, '.');) {
    if (!at->is_object() || !at->contains(word)) return nullptr;
    at = &(*at)[word];
  }
  return at;
}

double collect_summary(const StudyResult& result, const nlohmann::json& summary, const std::string& path) {
  const nlohmann::json* at = find_key(summary, result.summary);
  if (!at) throw InputError(path, "a study collects a key that the summary does not have", result.summary);
  return at->is_number() ? at->get<double>() : kNoValue;
}

}  // namespace

Study read_study(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path, "the study cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  const toml::table tree = parse_toml(text.str(), path);
  if (tree.contains("dimension") && !tree.contains("scene"))
    throw InputError(path, "this is a scene, not a study: run it by saltus run");
  TableReader t(tree, "");
  Study study;
  study.path = path;
  study.title = t.text("title", "");
  study.scene = find_beside(path, t.text("scene"));
  study.set = t.texts("set");
  study.grid = t.choice("cases", {"grid", "list"}, 0) == 0;
  if (std::optional<TableReader> prepare = t.optional_table("prepare")) {
    study.prepare_scene = find_beside(path, prepare->text("scene"));
    study.prepare_set = prepare->texts("set");
    study.prepare_file_keys = prepare->texts("file_keys");
    if (study.prepare_file_keys.empty())
      prepare->fail("file_keys", "nothing", "keys like \"generate.0.file\"");
    prepare->finish();
  }
  for (TableReader& p : t.tables("parameters")) study.parameters.push_back(read_parameter(p));
  if (study.parameters.empty()) t.fail("parameters", "none", "[[parameters]] with name, values and keys");
  for (TableReader& r : t.tables("collect")) study.results.push_back(read_result(r));
  for (TableReader& f : t.tables("figures")) study.figures.push_back(read_figure(f));
  t.finish();
  if (!study.grid)
    for (const StudyParameter& p : study.parameters)
      if (p.values.size() != study.parameters[0].values.size())
        throw InputError(path, "cases = \"list\" takes parameters side by side: values of " + p.name,
                         fmt::format("{}", p.values.size()),
                         fmt::format("{}", study.parameters[0].values.size()));
  return study;
}

std::vector<StudyCase> build_cases(const Study& study) {
  std::size_t count = study.parameters[0].values.size();
  if (study.grid) {
    count = 1;
    for (const StudyParameter& p : study.parameters) count *= p.values.size();
  }
  std::vector<StudyCase> cases;
  std::set<std::string> names;
  for (std::size_t number = 0; number < count; ++number) {
    StudyCase c;
    c.overrides = study.set, c.prepare_overrides = study.prepare_set;
    std::size_t rest = number;
    for (const StudyParameter& p : study.parameters) {
      const double value = p.values[study.grid ? rest % p.values.size() : number];
      if (study.grid) rest /= p.values.size();
      const std::string toml = to_toml_value(p, value);
      for (const std::string& key : p.keys) c.overrides.push_back(key + "=" + toml);
      for (const std::string& key : p.prepare_keys) c.prepare_overrides.push_back(key + "=" + toml);
      const std::string word = fmt::format("{}={}", p.name, describe(p, value));
      c.name += (c.name.empty() ? "" : ",") + word;
      if (!p.prepare_keys.empty()) c.prepare_name += "," + word;
      c.values.push_back(value);
    }
    if (!study.prepare_scene.empty()) c.prepare_name = "prepare" + c.prepare_name;
    const std::string name = c.name;
    cases.push_back(std::move(c));
    if (!names.insert(name).second)
      throw InputError(study.path, "two cases of the study are the same", name, "values that differ");
  }
  return cases;
}

std::vector<double> collect_results(const Study& study, const std::string& trajectory) {
  const MeasureTable table = read_tables(trajectory).measures;
  const TrajectoryFile file = TrajectoryFile::open(trajectory, TrajectoryFile::Mode::read);
  if (const std::string failure = file.read_failure(); !failure.empty())
    throw InputError(trajectory, "the run failed: " + failure);
  if (!file.is_finished()) throw InputError(trajectory, "is not finished: its numbers are left out");
  const std::string text = file.read_summary();
  const nlohmann::json summary =
      text.empty() ? nlohmann::json::object() : nlohmann::json::parse(text, nullptr, false);
  std::vector<double> numbers;
  for (const StudyResult& result : study.results) {
    const double number = result.summary.empty() ? collect_measure(result, table, trajectory)
                                                 : collect_summary(result, summary, trajectory);
    numbers.push_back(apply_formula(result.formula, number));
  }
  return numbers;
}

std::map<std::string, std::string> find_units(const Study& study, const std::string& trajectory) {
  std::map<std::string, std::string> units;
  for (const StudyParameter& p : study.parameters) units[p.name] = p.unit;
  const ColumnUnits told = read_units(trajectory);
  for (const StudyResult& r : study.results)
    units[r.name] = !r.unit.empty()      ? r.unit
                    : !r.formula.empty() ? ""
                    : r.summary.empty()  ? told.of(r.measure)
                                         : unit_of_summary(r.summary);
  return units;
}

Plot build_figure(const StudyFigure& figure, const MeasureTable& table,
                  const std::map<std::string, std::string>& units) {
  Plot plot{figure.title, figure.x_label, figure.y_label, false, false, {}};
  const auto unit_of = [&](const std::string& column) {
    const auto found = units.find(column);
    return found == units.end() ? std::string() : found->second;
  };
  if (plot.x_label.empty()) plot.x_label = label_of({figure.x}, unit_of);
  if (plot.y_label.empty()) plot.y_label = label_of(figure.y, unit_of);
  const int x = table.find(figure.x), by = figure.by.empty() ? -1 : table.find(figure.by);
  if (x < 0 || (!figure.by.empty() && by < 0))
    throw InputError(figure.file, "a column of a figure", x < 0 ? figure.x : figure.by,
                     fmt::format("{}", fmt::join(table.columns, ", ")));
  for (const std::string& name : figure.y) {
    const int y = table.find(name);
    if (y < 0)
      throw InputError(figure.file, "a column of a figure", name,
                       fmt::format("{}", fmt::join(table.columns, ", ")));
    std::map<double, PlotSeries> groups;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double group = by < 0 ? 0 : table.at(row, static_cast<std::size_t>(by));
      PlotSeries& series = groups[group];
      series.name = by < 0 ? name
                           : fmt::format("{}{} = {}", figure.y.size() > 1 ? name + ", " : "", figure.by,
                                         table.text_at(row, static_cast<std::size_t>(by)));
      series.points = figure.points;
      series.x.push_back(table.at(row, static_cast<std::size_t>(x)));
      series.y.push_back(table.at(row, static_cast<std::size_t>(y)));
    }
    for (auto& [group, series] : groups) plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace saltus
