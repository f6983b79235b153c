#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "saltus/apps/command.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/drawing/plot.hpp"
#include "saltus/drawing/plot_units.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/running/series.hpp"
#include "saltus/scenes/scene_names.hpp"
#include "saltus/sim/scene_measures.hpp"

namespace saltus {

namespace {

struct PlotCommand {
  std::string out, x, title, x_label, y_label;
  std::vector<std::string> words, files, quantities;
  double running = 0;  // width of the window of running means, in units of x
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  bool points = false, log_x = false, log_y = false, mean = false, force = false;
};

bool is_csv(const std::string& path) { return path.size() > 4 && path.substr(path.size() - 4) == ".csv"; }

// A name of a file, or of a quantity.
bool is_file(const std::string& word) {
  std::error_code error;
  return is_csv(word) || word.ends_with(".h5") || word.ends_with(".hdf5") ||
         std::filesystem::is_regular_file(word, error);
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).stem().string(); }

// What a curve of this file is called: with the name of the file when there are several, with its path when two are
// called the same.
std::string series_name(const PlotCommand& command, const std::string& file, const std::string& quantity) {
  if (command.files.size() < 2) return quantity;
  const bool same = std::count_if(command.files.begin(), command.files.end(), [&](const std::string& other) {
                      return file_name(other) == file_name(file);
                    }) > 1;
  const std::string name = same ? file : file_name(file);
  return command.quantities.size() == 1 ? name : fmt::format("{} ({})", quantity, name);
}

// A profile: the columns NAME@PLACE of the last row (or of the mean) against their places.
bool add_profile(const MeasureTable& table, const PlotCommand& command, const std::string& file,
                 const std::string& quantity, Plot& plot) {
  if (table.rows() == 0) return false;
  const MeasureTable mean = command.mean ? mean_of(table) : MeasureTable();
  PlotSeries series{series_name(command, file, quantity), {}, {}, command.points};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::string name;
    double place = 0;
    if (!split_place(table.columns[c], name, place) || name != quantity) continue;
    series.x.push_back(place);
    series.y.push_back(command.mean ? mean.at(0, c) : table.at(table.rows() - 1, c));
  }
  if (series.x.empty()) return false;
  if (plot.x_label.empty()) plot.x_label = "place";
  plot.series.push_back(std::move(series));
  return true;
}

bool add_curve(const MeasureTable& table, const PlotCommand& command, const std::string& file,
               const std::string& quantity, Plot& plot) {
  const std::string x_name =
      command.x.empty() ? (table.find("time") >= 0 ? "time" : table.columns.at(0)) : command.x;
  const int y = table.find(quantity), x = table.find(x_name);
  if (y < 0 || x < 0) return false;
  if (plot.x_label.empty()) plot.x_label = x_name;
  PlotSeries series{series_name(command, file, quantity), table.column(static_cast<std::size_t>(x)),
                    table.column(static_cast<std::size_t>(y)), command.points};
  if (command.running > 0 && !compute_running_mean(command.running, series))
    throw InputError("--running", fmt::format("{} of {} goes back: it has no running mean", x_name, file));
  plot.series.push_back(std::move(series));
  return true;
}

// A kind of measure that the run did not take is not misspelt: it can be computed from what is stored.
std::string describe_missing_measure(const std::string& file, const std::string& quantity,
                                     const std::vector<std::string>& names) {
  const std::string kind = quantity.substr(0, quantity.find('.'));
  const std::vector<std::string>& kinds = measure_kind_names();
  const bool has_some = std::any_of(names.begin(), names.end(),
                                    [&](const std::string& name) { return name.starts_with(kind + "."); });
  if (is_csv(file) || has_some || std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) return "";
  return fmt::format(
      "; this run did not measure {}: saltus measure {} {} --out measured.csv computes it, for saltus plot "
      "measured.csv",
      kind, file, kind);
}

// --x names a column, or the mistake is its own and not the quantity's.
void check_x(const PlotCommand& command, const std::string& file, const std::vector<MeasureTable>& tables) {
  std::vector<std::string> names;
  for (const MeasureTable& table : tables)
    for (const std::string& column : table.columns)
      if (column.find('@') == std::string::npos &&
          std::find(names.begin(), names.end(), column) == names.end())
        names.push_back(column);
  if (command.x.empty() || std::find(names.begin(), names.end(), command.x) != names.end()) return;
  const std::string nearest = nearest_name(command.x, names);
  throw InputError("--x", fmt::format("{} has no such column", file),
                   nearest.empty() ? command.x : fmt::format("{} (did you mean {}?)", command.x, nearest),
                   join_names(names) + describe_missing_measure(file, command.x, names));
}

void label_axes(const PlotCommand& command, const ColumnUnits& units, Plot& plot) {
  const auto unit_of = [&](const std::string& name) { return units.of(name); };
  if (command.x_label.empty()) plot.x_label = label_of({plot.x_label}, unit_of);
  if (command.y_label.empty()) plot.y_label = label_of(command.quantities, unit_of);
}

std::vector<MeasureTable> read_file(const std::string& file) {
  if (is_csv(file)) return {read_csv_table(file)};
  TrajectoryTables read = read_tables(file);
  return {std::move(read.measures), std::move(read.frames)};
}

void split_words(PlotCommand& command) {
  for (const std::string& word : command.words)
    (is_file(word) ? command.files : command.quantities).push_back(word);
  if (command.files.empty())
    throw InputError("plot", "no file among the words", fmt::format("{}", fmt::join(command.words, " ")),
                     "a trajectory (.h5) or a .csv, then quantities");
  if (command.quantities.empty())
    throw InputError("plot", "no quantity to draw", fmt::format("{}", fmt::join(command.words, " ")),
                     list_series(read_file(command.files[0])));
}

// Names, and what is before their dots: a group is a quantity too.
std::vector<std::string> with_groups(std::vector<std::string> names) {
  std::vector<std::string> groups;
  for (const std::string& name : names)
    if (const std::size_t dot = name.find('.'); dot != std::string::npos)
      groups.push_back(name.substr(0, dot));
  names.insert(names.begin(), groups.begin(), groups.end());
  return names;
}

void execute(PlotCommand command) {
  split_words(command);
  OutputClaims claims(command.force);
  for (const std::string& file : command.files) claims.protect(file);
  const std::string out = claims.claim("--out", command.out, OutputKind::stream);
  std::vector<std::vector<MeasureTable>> tables;
  for (const std::string& file : command.files) {
    tables.push_back(read_file(file));
    check_x(command, file, tables.back());
    for (MeasureTable& table : tables.back()) table = keep_times(table, command.from, command.to);
  }
  std::vector<MeasureTable> all;
  for (const auto& of_file : tables) all.insert(all.end(), of_file.begin(), of_file.end());
  command.quantities = expand_groups(command.quantities, all);
  Plot plot{command.title, command.x_label, command.y_label, command.log_x, command.log_y, {}};
  for (const std::string& quantity : command.quantities)
    for (std::size_t i = 0; i < command.files.size(); ++i) {
      const std::string& file = command.files[i];
      const bool found = std::any_of(tables[i].begin(), tables[i].end(), [&](const MeasureTable& table) {
        return add_curve(table, command, file, quantity, plot) ||
               add_profile(table, command, file, quantity, plot);
      });
      if (found) continue;
      if (!is_csv(file)) require_series_fields(file, quantity);
      const std::vector<std::string> names = series_names(tables[i]);
      const std::string nearest = nearest_name(quantity, with_groups(names));
      throw InputError(file, "no such series or profile",
                       nearest.empty() ? quantity : fmt::format("{} (did you mean {}?)", quantity, nearest),
                       fmt::format("with --x {}: {}{}", command.x.empty() ? "time" : command.x,
                                   fmt::join(names, ", "), describe_missing_measure(file, quantity, names)));
    }
  const ColumnUnits units = is_csv(command.files[0]) ? ColumnUnits() : read_units(command.files[0]);
  label_axes(command, units, plot);
  if (command.running > 0 && command.y_label.empty())
    plot.y_label += fmt::format("{}mean over {:g}{}", plot.y_label.empty() ? "" : ", ", command.running,
                                command.x.empty() || command.x == "time" ? " s" : "");
  write_plot(plot, out);
}

}  // namespace

void add_plot_command(CLI::App& app) {
  auto command = std::make_shared<PlotCommand>();
  CLI::App* plot =
      app.add_subcommand("plot", "Draw series or profiles of a trajectory or a CSV file (gnuplot)");
  plot->add_option(
          "FILES-QUANTITIES", command->words,
          "Files: trajectories, or .csv of `saltus measure` or `saltus study`, several in one figure. "
          "Quantities: columns of measures (stress.xx), energy.NAME, solver.NAME; a profile by its name; a "
          "name before a dot (energy): all of it that is not zero")
      ->required();
  plot->add_option("--out", command->out, "Figure to write: .svg, .png, .pdf, or .csv for the numbers")
      ->required();
  plot->add_option("--x", command->x, "Column of the x axis (default: time)");
  plot->add_option("--from", command->from, "First time, s");
  plot->add_option("--to", command->to, "Last time, s: profiles are those of the last row");
  plot->add_flag("--mean", command->mean, "Profiles: mean over the times");
  plot->add_option(
          "--running", command->running,
          "Curves: running mean over a window of this width about each point, in units of x (time: s)")
      ->check(positive());
  plot->add_flag("--points", command->points, "Points instead of lines");
  plot->add_flag("--log-x", command->log_x, "Logarithmic x axis");
  plot->add_flag("--log-y", command->log_y, "Logarithmic y axis");
  plot->add_option("--title", command->title, "Title of the figure");
  add_force(*plot, command->force);
  plot->add_option("--x-label", command->x_label, "Words under the x axis");
  plot->add_option("--y-label", command->y_label, "Words beside the y axis");
  add_examples(
      *plot,
      {"saltus plot biaxial.h5 stress.sin_phi --x strain.x --out curve.svg",
       "saltus plot couette.h5 profile.velocity.tangential --mean --from 1 --out profile.png",
       "saltus plot heap.h5 energy.kinetic solver.residual_rms --log-y --out heap.svg",
       "saltus plot loose.h5 dense.h5 stress.sin_phi --x strain.y --out both.svg    two runs in one figure",
       "saltus plot drum.h5 energy.kinetic --running 0.2 --out drum.svg",
       "saltus plot study.csv phi --x angle --points --out study.png"});
  plot->callback([command] { execute(*command); });
}

}  // namespace saltus
