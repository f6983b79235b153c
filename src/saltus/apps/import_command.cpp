#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "saltus/apps/command.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/exchange/sample_scene.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/scenes/scene_reader.hpp"

namespace saltus {

namespace {

namespace fs = std::filesystem;

struct ImportCommand {
  std::vector<std::string> files;
  std::string out, format;
  bool force = false;
  SampleOptions sample;
  SceneTextOptions scene;
};

std::string read_whole(const std::string& path) {
  std::error_code error;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || fs::is_directory(path, error)) throw InputError(path, "cannot be read");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool is_surface(const std::string& path) {
  std::string end = fs::path(path).extension().string();
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".stl" || end == ".obj";
}

Sample read_sample(const ImportCommand& command) {
  const std::string &path = command.files[0], text = read_whole(path);
  SampleFormat format = guess_sample_format(text);
  if (command.format == "text") format = SampleFormat::text;
  if (command.format == "lammps-data") format = SampleFormat::lammps_data;
  if (command.format == "lammps-dump") format = SampleFormat::lammps_dump;
  switch (format) {
    case SampleFormat::lammps_data: return parse_lammps_data(text, path, command.sample);
    case SampleFormat::lammps_dump: return parse_lammps_dump(text, path, command.sample);
    case SampleFormat::text: break;
  }
  return parse_particle_text(text, path, command.sample);
}

SceneText build_scene_text(const ImportCommand& command, const SceneTextOptions& options, std::string& told) {
  const bool surfaces = command.format == "stl" || (command.format.empty() && is_surface(command.files[0]));
  if (surfaces) {
    const std::vector<AssemblyPart> parts = read_assembly(command.files, options.scale);
    told = fmt::format("{} bodies", parts.size());
    return format_assembly_scene(parts, options);
  }
  if (command.files.size() > 1)
    throw InputError("import", "several files", fmt::format("{}", command.files.size()),
                     "one file of particles, or STL and OBJ files");
  const Sample sample = read_sample(command);
  for (const std::string& note : sample.notes) log_warning("{}", note);
  told = fmt::format("{} {}", sample.balls.size(), sample.dimension == 2 ? "disks" : "spheres");
  return format_sample_scene(sample, options);
}

void execute(const ImportCommand& command) {
  OutputClaims claims(command.force);
  for (const std::string& file : command.files) claims.protect(file);
  const std::string out = claims.claim("--out", command.out, OutputKind::stream);
  SceneTextOptions options = command.scene;
  options.name = fs::path(command.out).stem().string();
  options.source = fmt::format("{}", fmt::join(command.files, ", "));
  std::string told;
  const SceneText text = build_scene_text(command, options, told);
  if (out == "-" && !text.tables.empty())
    throw InputError("--out", "tables of many particles go beside the scene", "-", "the name of a file");
  std::vector<std::string> places;
  for (const SceneText::Table& table : text.tables)
    places.push_back(
        claims.claim("--out", (fs::path(out).parent_path() / table.name).string(), OutputKind::stream));
  for (std::size_t i = 0; i < places.size(); ++i) write_output(places[i], text.tables[i].csv);
  write_output(out, text.toml);
  if (out == "-") return;
  fmt::print("{}: {}{}\n", command.out, told,
             places.empty() ? "" : fmt::format(", with {}", fmt::join(places, ", ")));
  fmt::print("  look at it:  saltus check {0}\n  run it:      saltus run {0}\n", command.out);
}

}  // namespace

void add_import_command(CLI::App& app) {
  auto command = std::make_shared<ImportCommand>();
  CLI::App* sub = app.add_subcommand("import", "Make a scene of a sample that another program wrote");
  sub->add_option(
         "FILE", command->files,
         "Particles as text (YADE, LMGC90: x y z r), a LAMMPS data or dump file, or STL and OBJ files: "
         "each closed surface is a body")
      ->required();
  sub->add_option("--out", command->out, "Scene to write (.toml); many particles go to .csv files beside it")
      ->required();
  sub->add_option("--format", command->format, "Kind of the file (default: told by its content)")
      ->check(one_of("format", {"text", "lammps-data", "lammps-dump", "stl"}));
  sub->add_option(
      "--columns", command->sample.columns,
      "Text: names of the columns, 'x y z r vx vy vz wx wy wz density mass material id'; - is not read");
  sub->add_option("--dimension", command->sample.dimension,
                  "2 takes x and y only (default: told by the file)")
      ->check(CLI::Range(2, 3));
  sub->add_option("--radius", command->sample.radius,
                  "Radius of all particles, where the file has none, in its units")
      ->check(positive());
  sub->add_option("--style", command->sample.style,
                  "LAMMPS data: atom style, where the file does not tell (sphere)");
  sub->add_option("--timestep", command->sample.timestep, "LAMMPS dump: which one (default: the last)");
  sub->add_option("--scale", command->scene.scale, "Metres per unit of length of the file")
      ->check(positive())
      ->capture_default_str();
  sub->add_option("--density", command->scene.density,
                  "kg/m3 (2D: kg/m2), of what tells neither density nor mass")
      ->check(positive())
      ->capture_default_str();
  sub->add_flag("--walls", command->scene.walls,
                "A box around particles, open at the top; a floor under an assembly");
  sub->add_flag("--hulls", command->scene.hulls, "STL: parts that are not convex as their convex hulls");
  sub->add_option("--fixed", command->scene.fixed, "STL: names of parts that do not move");
  add_force(*sub, command->force);
  add_examples(
      *sub, {"saltus import packing.txt --walls --out packing.toml      x y z r, from YADE or LMGC90",
             "saltus import grains.csv --columns 'id x y r' --out grains.toml",
             "saltus import data.granular --out granular.toml           LAMMPS, atom style sphere",
             "saltus import dump.lammpstrj --timestep 5000 --out restart.toml",
             "saltus import arch/*.stl --scale 1e-3 --fixed abutment-left abutment-right --out arch.toml"});
  sub->callback([command] { execute(*command); });
}

}  // namespace saltus
