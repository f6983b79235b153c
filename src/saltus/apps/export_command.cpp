#include "saltus/apps/export_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "saltus/apps/command.hpp"
#include "saltus/apps/frame_choice.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/exchange/surface_file.hpp"
#include "saltus/running/series.hpp"

namespace saltus {

namespace {

MeasureTable every_row(const MeasureTable& table, std::int64_t every) {
  MeasureTable kept;
  kept.columns = table.columns;
  for (std::size_t row = 0; row < table.rows(); row += static_cast<std::size_t>(every))
    for (std::size_t c = 0; c < table.columns.size(); ++c) kept.numbers.push_back(table.at(row, c));
  return kept;
}

template <int Dim>
void write_surface(const ExportCommand& command, const std::string& out, SurfaceKind kind) {
  const TrajectoryReader<Dim> reader(command.file);
  if (reader.frames() == 0) throw InputError(command.file, "holds no frame");
  const std::int64_t frame = command.at ? frame_at(reader, *command.at) : reader.frames() - 1;
  const SurfaceFile file = build_surface_file<Dim>(reader, frame, kind, command.sides.value_or(32));
  if (file.polygons == 0)
    throw InputError(command.file, "has no body with a surface at this time",
                     fmt::format("{} s", reader.time(frame)));
  write_output(out, file.bytes);
  if (out == "-") return;
  fmt::print("{}: {} polygons of {} bodies, t = {:g} s{}\n", out, file.polygons, file.bodies,
             reader.time(frame),
             file.left_out ? fmt::format("; {} endless ones (planes, drums) left out", file.left_out) : "");
}

void execute(const ExportCommand& command) {
  if (command.csv.empty() && command.vtk.empty() && command.stl.empty() && command.obj.empty() &&
      command.html.empty())
    throw InputError("export", "nothing to write", {},
                     "--html, --csv, --vtk, --stl or --obj (saltus export --help tells more)");
  OutputClaims claims(command.force);
  claims.protect(command.file);
  const std::string csv = claims.claim("--csv", command.csv, OutputKind::stream);
  const std::string stl = claims.claim("--stl", command.stl, OutputKind::stream);
  const std::string obj = claims.claim("--obj", command.obj, OutputKind::stream);
  const std::string html = claims.claim("--html", command.html, OutputKind::stream);
  if (!html.empty()) export_html(command, html);
  if (!csv.empty()) export_csv(command, csv);
  if (!stl.empty()) export_surface(command, stl, false);
  if (!obj.empty()) export_surface(command, obj, true);
  if (!command.vtk.empty()) export_vtk(command, claims);
}

}  // namespace

void export_csv(const ExportCommand& command, const std::string& out) {
  const MeasureTable table =
      every_row(read_series(command.file, command.series, command.frames.from, command.frames.to),
                command.frames.every);
  if (table.rows() == 0) throw InputError(command.file, "has no row between --from and --to");
  write_output(out, format_csv(table));
  if (out != "-") fmt::print("{}: {} rows of {} columns\n", out, table.rows(), table.columns.size());
}

void export_surface(const ExportCommand& command, const std::string& out, bool as_obj) {
  const SurfaceKind kind = as_obj ? SurfaceKind::obj : SurfaceKind::stl;
  if (trajectory_dimension(command.file) == 2)
    write_surface<2>(command, out, kind);
  else
    write_surface<3>(command, out, kind);
}

void add_export_command(CLI::App& app) {
  auto command = std::make_shared<ExportCommand>();
  CLI::App* sub =
      app.add_subcommand("export", "Write a trajectory for other programs: a page, ParaView, tables, CAD");
  sub->add_option("FILE", command->file, "A trajectory written by `saltus run`")->required();
  sub->add_option("--vtk", command->vtk,
                  "Folder for ParaView: bodies, meshes, contacts, force chains and joints of each frame, and "
                  "NAME.pvd to open");
  CLI::Option* html = sub->add_option("--html", command->html,
                                      "One page with the viewer and the frames in it, that opens from disk "
                                      "in any browser, without a network");
  sub->add_option("--max-size", command->most_megabytes,
                  "Of the page, MB; every second, third... frame is left out to keep it")
      ->check(positive())
      ->capture_default_str()
      ->needs(html);
  sub->add_option(
         "--fields", command->fields,
         "What bodies can be coloured by in the page (default: sizes of vectors, categories, and all "
         "that is stored of nodes)")
      ->needs(html);
  CLI::Option* csv = sub->add_option("--csv", command->csv, "Series as a table; - is the screen");
  sub->add_option("--series", command->series,
                  "Which: measures of the run (stress.xx), energy.NAME, solver.NAME, a name before a dot "
                  "(energy), or measures to compute, as `saltus measure` takes them (default: all stored)")
      ->needs(csv);
  sub->add_option("--stl", command->stl, "Surfaces of all bodies in one state, as binary STL");
  sub->add_option("--obj", command->obj, "The same as OBJ: text, bodies by name");
  sub->add_option("--at", command->at, "The state nearest to this time, s (STL, OBJ; default: the last)");
  sub->add_option("--from", command->frames.from, "First time, s");
  sub->add_option("--to", command->frames.to, "Last time, s");
  sub->add_option("--every", command->frames.every, "Every Nth frame (or row)")
      ->check(positive())
      ->capture_default_str();
  sub->add_option("--sides", command->sides,
                  "Sides of round things in surfaces; 0 in --vtk: balls as points only (default: 24 or 32, "
                  "fewer when there are many)")
      ->check(CLI::Range(0, 360));
  add_force(*sub, command->force);
  add_examples(*sub, {"saltus export heap.h5 --html heap.html      a page to send to a colleague",
                      "saltus export heap.h5 --vtk heap            heap/heap.pvd, to open in ParaView",
                      "saltus export heap.h5 --vtk heap --from 1 --to 2 --every 5",
                      "saltus export heap.h5 --csv heap.csv        all series of the run",
                      "saltus export heap.h5 --csv - --series energy stress --from 1",
                      "saltus export wall.h5 --stl wall.stl --at 0.5"});
  sub->callback([command] {
    const ThreadScope threads(0);
    execute(*command);
  });
}

}  // namespace saltus
