#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>

#include "saltus/apps/command.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/running/measure_table.hpp"
#include "saltus/sim/scene_measures.hpp"

namespace saltus {

namespace {

struct MeasureCommand {
  std::string file, out;
  std::vector<std::string> measures;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  bool last = false, mean = false, stored = false, force = false;
};

MeasureTable last_row(const MeasureTable& table) {
  MeasureTable last;
  last.columns = table.columns;
  const auto width = static_cast<std::ptrdiff_t>(table.columns.size());
  if (table.rows() > 0) last.numbers.assign(table.numbers.end() - width, table.numbers.end());
  return last;
}

MeasureTable stored_rows(const MeasureCommand& command) {
  const MeasureTable all = read_tables(command.file).measures;
  if (all.columns.size() <= 2)
    throw InputError(command.file, "holds no measures of its run: without --stored they are computed");
  MeasureTable table;
  table.columns = all.columns;
  for (std::size_t row = 0; row < all.rows(); ++row) {
    if (all.at(row, 1) < command.from || all.at(row, 1) > command.to) continue;
    const auto begin = all.numbers.begin() + static_cast<std::ptrdiff_t>(row * all.columns.size());
    table.numbers.insert(table.numbers.end(), begin, begin + static_cast<std::ptrdiff_t>(all.columns.size()));
  }
  return table;
}

void execute(const MeasureCommand& command) {
  OutputClaims claims(command.force);
  claims.protect(command.file);
  const std::string out = claims.claim("--out", command.out.empty() ? "-" : command.out, OutputKind::stream);
  MeasureTable table = command.stored
                           ? stored_rows(command)
                           : compute_measures(command.file, command.measures, command.from, command.to);
  if (table.rows() == 0) throw InputError(command.file, "has no frame between --from and --to");
  if (command.mean) table = mean_of(table);
  if (command.last) table = last_row(table);
  write_output(out, format_csv(table));
}

}  // namespace

void add_measure_command(CLI::App& app) {
  auto command = std::make_shared<MeasureCommand>();
  CLI::App* measure =
      app.add_subcommand("measure", "Measure a trajectory: stress, strain, profiles... as CSV");
  measure->add_option("FILE", command->file, "A trajectory written by `saltus run`")->required();
  CLI::Option* which = measure->add_option(
      "MEASURE", command->measures,
      fmt::format("Kinds ({}) or tables like those of [[measures]]; none: those of the scene",
                  fmt::join(measure_kind_names(), ", ")));
  measure->add_flag("--stored", command->stored, "The rows the run itself wrote, every few steps")
      ->excludes(which);
  measure->add_option("--from", command->from, "First time, s");
  measure->add_option("--to", command->to, "Last time, s");
  CLI::Option* mean = measure->add_flag("--mean", command->mean, "One row: the mean over time");
  measure->add_flag("--last", command->last, "The last row only")->excludes(mean);
  measure->add_option("--out", command->out, "CSV file to write (default: the screen)");
  add_force(*measure, command->force);
  add_examples(*measure,
               {"saltus measure biaxial.h5                           the measures its scene asks for",
                "saltus measure heap.h5 stress coordination --last",
                "saltus measure heap.h5 '{ kind = \"profile\", of = [\"velocity.x\"], bins = 10 }' --mean",
                "saltus measure biaxial.h5 --stored --out biaxial.csv"});
  measure->callback([command] { execute(*command); });
}

}  // namespace saltus
