#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "saltus/apps/command.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/drawing/plot.hpp"
#include "saltus/drawing/plot_units.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/running/measure_table.hpp"
#include "saltus/scenes/scene_names.hpp"

namespace saltus {

namespace {

struct PlotCommand {
  std::string file, out, x, title, x_label, y_label;
  std::vector<std::string> quantities;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  bool points = false, log_x = false, log_y = false, mean = false, force = false;
};

bool is_csv(const std::string& path) { return path.size() > 4 && path.substr(path.size() - 4) == ".csv"; }

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

// A profile: the columns NAME@PLACE of the last row (or of the mean) against their places.
bool add_profile(const MeasureTable& table, const PlotCommand& command, const std::string& quantity,
                 Plot& plot) {
  if (table.rows() == 0) return false;
  const MeasureTable mean = command.mean ? mean_of(table) : MeasureTable();
  PlotSeries series{quantity, {}, {}, command.points};
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

bool add_curve(const MeasureTable& table, const PlotCommand& command, const std::string& quantity,
               Plot& plot) {
  const std::string x_name =
      command.x.empty() ? (table.find("time") >= 0 ? "time" : table.columns.at(0)) : command.x;
  const int y = table.find(quantity), x = table.find(x_name);
  if (y < 0 || x < 0) return false;
  if (plot.x_label.empty()) plot.x_label = x_name;
  plot.series.push_back({quantity, table.column(static_cast<std::size_t>(x)),
                         table.column(static_cast<std::size_t>(y)), command.points});
  return true;
}

// "energy" stands for all of energy.NAME that are not zero throughout, where no column has the name itself.
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
        if (there && std::find(names.begin(), names.end(), table.columns[c]) == names.end())
          names.push_back(table.columns[c]);
      }
    }
    if (names.size() == before) names.push_back(quantity);
  }
  return names;
}

std::string list_quantities(const std::vector<MeasureTable>& tables) {
  std::vector<std::string> names;
  for (const MeasureTable& table : tables)
    for (const std::string& column : table.columns) {
      const std::string name = column.substr(0, column.rfind('@'));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  return fmt::format("{}", fmt::join(names, ", "));
}

// --x names a column, or the mistake is its own and not the quantity's.
void check_x(const PlotCommand& command, const std::vector<MeasureTable>& tables) {
  std::vector<std::string> names;
  for (const MeasureTable& table : tables)
    for (const std::string& column : table.columns)
      if (column.find('@') == std::string::npos &&
          std::find(names.begin(), names.end(), column) == names.end())
        names.push_back(column);
  if (command.x.empty() || std::find(names.begin(), names.end(), command.x) != names.end()) return;
  const std::string nearest = nearest_name(command.x, names);
  throw InputError("--x", fmt::format("{} has no such column", command.file),
                   nearest.empty() ? command.x : fmt::format("{} (did you mean {}?)", command.x, nearest),
                   join_names(names));
}

// "ball.y, m"; several quantities of one unit: the unit alone.
void label_axes(const PlotCommand& command, const ColumnUnits& units, Plot& plot) {
  const auto with_unit = [&](const std::string& name) {
    const std::string unit = units.of(name);
    return unit.empty() || name.empty() ? name : name + ", " + unit;
  };
  if (command.x_label.empty()) plot.x_label = with_unit(plot.x_label);
  if (!command.y_label.empty()) return;
  const std::string unit = units.of(command.quantities[0]);
  const bool same = std::all_of(command.quantities.begin(), command.quantities.end(),
                                [&](const std::string& quantity) { return units.of(quantity) == unit; });
  plot.y_label = command.quantities.size() == 1 ? with_unit(command.quantities[0]) : same ? unit : "";
}

void execute(PlotCommand command) {
  OutputClaims claims(command.force);
  claims.protect(command.file);
  const std::string out = claims.claim("--out", command.out, OutputKind::stream);
  std::vector<MeasureTable> tables;
  if (is_csv(command.file)) {
    tables.push_back(read_csv_table(command.file));
  } else {
    TrajectoryTables read = read_tables(command.file);
    tables = {std::move(read.measures), std::move(read.frames)};
  }
  check_x(command, tables);
  for (MeasureTable& table : tables) table = keep_times(table, command.from, command.to);
  command.quantities = expand_groups(command.quantities, tables);
  Plot plot{command.title, command.x_label, command.y_label, command.log_x, command.log_y, {}};
  for (const std::string& quantity : command.quantities) {
    const bool found = std::any_of(tables.begin(), tables.end(), [&](const MeasureTable& table) {
      return add_curve(table, command, quantity, plot) || add_profile(table, command, quantity, plot);
    });
    if (!found)
      throw InputError(
          command.file, "no such series or profile", quantity,
          fmt::format("with --x {}: {}", command.x.empty() ? "time" : command.x, list_quantities(tables)));
  }
  label_axes(command, is_csv(command.file) ? ColumnUnits() : read_units(command.file), plot);
  write_plot(plot, out);
}

}  // namespace

void add_plot_command(CLI::App& app) {
  auto command = std::make_shared<PlotCommand>();
  CLI::App* plot =
      app.add_subcommand("plot", "Draw series or profiles of a trajectory or a CSV file (gnuplot)");
  plot->add_option("FILE", command->file, "A trajectory, or a .csv of `saltus measure` or `saltus study`")
      ->required();
  plot->add_option("QUANTITY", command->quantities,
                   "Columns: measures (stress.xx), energy.NAME, solver.NAME; a profile by its name; a "
                   "name before a dot (energy): all of it that is not zero")
      ->required();
  plot->add_option("--out", command->out, "Figure to write: .svg, .png, .pdf, or .csv for the numbers")
      ->required();
  plot->add_option("--x", command->x, "Column of the x axis (default: time)");
  plot->add_option("--from", command->from, "First time, s");
  plot->add_option("--to", command->to, "Last time, s: profiles are those of the last row");
  plot->add_flag("--mean", command->mean, "Profiles: mean over the times");
  plot->add_flag("--points", command->points, "Points instead of lines");
  plot->add_flag("--log-x", command->log_x, "Logarithmic x axis");
  plot->add_flag("--log-y", command->log_y, "Logarithmic y axis");
  plot->add_option("--title", command->title, "Title of the figure");
  add_force(*plot, command->force);
  plot->add_option("--x-label", command->x_label, "Words under the x axis");
  plot->add_option("--y-label", command->y_label, "Words beside the y axis");
  add_examples(*plot, {"saltus plot biaxial.h5 stress.sin_phi --x strain.x --out curve.svg",
                       "saltus plot couette.h5 profile.velocity.tangential --mean --from 1 --out profile.png",
                       "saltus plot heap.h5 energy.kinetic solver.residual_rms --log-y --out heap.svg",
                       "saltus plot study.csv phi --x angle --points --out study.png"});
  plot->callback([command] { execute(*command); });
}

}  // namespace saltus
