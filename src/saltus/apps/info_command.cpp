#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "saltus/apps/command.hpp"
#include "saltus/base/console.hpp"
#include "saltus/running/summary.hpp"
#include "saltus/trajectories/checkpoint_file.hpp"
#include "saltus/trajectories/stored_fields.hpp"
#include "saltus/trajectories/trajectory_file.hpp"

namespace saltus {

namespace {

void print(const char* key, const std::string& value) { fmt::print("  {:<14}{}\n", key, printable(value)); }

std::string format_size(double bytes) {
  return bytes < 1e6 ? fmt::format("{:.1f} kB", bytes / 1e3) : fmt::format("{:.1f} MB", bytes / 1e6);
}

std::string describe_end(const TrajectoryFile& file, const std::string& path) {
  if (const std::string failure = file.read_failure(); !failure.empty()) return "failed: " + failure;
  if (file.is_finished()) return "finished";
  return std::filesystem::exists(checkpoint_path(path))
             ? "not finished: `saltus run SCENE --resume` goes on with it"
             : "not finished, without a checkpoint to go on from";
}

// Points and edges of meshes are bodies to contacts only.
std::int64_t count_followers(const TrajectoryFile& file) {
  TrajectoryData models;
  file.read(Rows::model, 0, file.rows(Rows::model), models);
  return std::count_if(models.body_system.begin(), models.body_system.end(),
                       [](std::int64_t system) { return system >= 0; });
}

void print_frames(const TrajectoryFile& file, const TrajectoryData& data) {
  if (data.frames() == 0) return print("frames", "none");
  print("frames", fmt::format("{}, t = {:g} to {:g} s (steps {} to {})", data.frames(), data.time.front(),
                              data.time.back(), data.step.front(), data.step.back()));
  const auto [least, most] = std::minmax_element(data.body_count.begin(), data.body_count.end());
  const std::int64_t followers = count_followers(file), low = *least - followers, high = *most - followers;
  print("bodies", low == high ? fmt::format("{}", high) : fmt::format("{} to {} per frame", low, high));
  print("contacts",
        fmt::format("{:.1f} per frame, {} most",
                    static_cast<double>(file.rows(Rows::contact)) / static_cast<double>(data.frames()),
                    *std::max_element(data.contact_count.begin(), data.contact_count.end())));
}

void print_parts(const TrajectoryFile& file, const TrajectoryHeader& header) {
  TrajectoryData models;
  file.read(Rows::system, 0, file.rows(Rows::system), models);
  std::vector<std::string> systems, joints;
  for (std::size_t i = 0; i < models.system_coordinates.size(); ++i) {
    const std::string name = i < header.system_names.size() ? header.system_names[i] : "";
    const std::int64_t elements = models.system_element_count[i];
    systems.push_back(fmt::format("{}{} coordinates{}", name.empty() ? "" : name + ": ",
                                  models.system_coordinates[i],
                                  elements > 0 ? fmt::format(" ({} cells)", elements) : ""));
  }
  constexpr std::size_t kListed = 8;
  if (systems.size() > kListed) {
    const auto sum = [](const std::vector<std::int64_t>& counts) {
      return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    };
    print("systems", fmt::format("{}: {} coordinates ({} cells) in all", systems.size(),
                                 sum(models.system_coordinates), sum(models.system_element_count)));
  } else if (!systems.empty()) {
    print("systems", fmt::format("{}", fmt::join(systems, "; ")));
  }
  std::vector<std::string> fields;
  for (const TrajectoryColumn& column : trajectory_columns())
    if (column.rows == Rows::node_value && file.has(column))
      fields.push_back(std::string(column.path).substr(7));
  if (!fields.empty() && file.rows(Rows::node_value) > 0)
    print("fields", fmt::format("{} of nodes and elements", fmt::join(fields, ", ")));
  for (std::size_t i = 0; i < header.joint_names.size(); ++i)
    joints.push_back(header.joint_names[i].empty() ? fmt::format("number {}", i) : header.joint_names[i]);
  if (!joints.empty()) print("joints", fmt::format("{}", fmt::join(joints, ", ")));
}

// From the frames, so that a killed run has one too.
void print_certificate(const TrajectoryData& data) {
  if (data.residual_rms.empty()) return;
  const auto worst = [](const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
  };
  const std::int64_t steps = std::accumulate(data.steps.begin(), data.steps.end(), std::int64_t{0});
  const std::int64_t missed =
      std::accumulate(data.unconverged_steps.begin(), data.unconverged_steps.end(), std::int64_t{0});
  print("residual", fmt::format("rms {:.2e} m/s, largest {:.2e} m/s (worst of {} steps)",
                                worst(data.residual_rms), worst(data.residual_max), steps));
  print("unconverged", fmt::format("{} steps", missed));
  std::string penetration = fmt::format("{:.2e} m worst, {:.2e} m of it left by the solver",
                                        worst(data.penetration), worst(data.penetration_solver));
  if (!data.penetration_relative.empty())
    penetration += fmt::format("; {:.2g} % of the thinner body", 100 * worst(data.penetration_relative));
  print("penetration", penetration);
  print("balance", fmt::format("energy {:.1e}, momentum {:.1e} (worst, relative)", worst(data.energy_defect),
                               worst(data.momentum)));
}

void print_energy(const TrajectoryData& data) {
  if (data.kinetic.empty()) return;
  print("kinetic",
        fmt::format("{:.4g} J at the start, {} at the end", data.kinetic.front(),
                    std::isfinite(data.kinetic.back()) ? fmt::format("{:.4g} J", data.kinetic.back())
                                                       : "not finite"));
  print("dissipated", fmt::format("{:.4g} J by impact, {:.4g} J by friction", 0 - data.impact.back(),
                                  0 - data.friction.back()));
}

// Fields that were not asked for, or that the program that wrote the file did not know.
void print_absent_fields(const TrajectoryFile& file) {
  std::vector<std::string> absent;
  for (const TrajectoryColumn& column : trajectory_columns())
    if (*column.field && !has_field(file, column.field) && (file.rows(Rows::cell) > 0 || !column.of_meshes) &&
        std::find(absent.begin(), absent.end(), column.field) == absent.end())
      absent.emplace_back(column.field);
  if (!absent.empty()) print("left out", fmt::format("{}", fmt::join(absent, ", ")));
}

void print_info(const std::string& path, bool with_scene) {
  const TrajectoryFile file = TrajectoryFile::open(path, TrajectoryFile::Mode::read);
  const TrajectoryHeader header = file.read_header();
  if (with_scene) return fmt::print("{}", printable(header.scene_text));
  TrajectoryData data;
  file.read(Rows::frame, 0, file.frames(), data);
  fmt::print("{}\n", path);
  print("scene", header.title.empty() ? header.name : fmt::format("{} ({})", header.name, header.title));
  print("written by", fmt::format("{}, format version {}, {}", header.program, file.version(),
                                  format_size(static_cast<double>(std::filesystem::file_size(path)))));
  print("state", describe_end(file, path));
  print("dimension", fmt::format("{}", header.dimension));
  print("step", fmt::format("{:g} s", header.h));
  print_frames(file, data);
  print_parts(file, header);
  print_certificate(data);
  print_energy(data);
  print_absent_fields(file);
  const std::string text = file.read_summary();
  const auto summary = nlohmann::json::parse(text, nullptr, false);
  if (const std::string bonds = describe_bonds(text); !bonds.empty()) print("bonds", bonds);
  if (const std::string control = describe_step_control(text); !control.empty()) print("steps", control);
  if (summary.is_object() && summary.contains("state_hash"))
    print("state hash", summary["state_hash"].is_string() ? summary.value("state_hash", "") : "none");
}

}  // namespace

void add_info_command(CLI::App& app) {
  struct Options {
    std::string file;
    bool scene = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* info = app.add_subcommand("info", "Tell what is in a trajectory");
  info->add_option("FILE", options->file, "A trajectory written by `saltus run`")->required();
  info->add_flag("--scene", options->scene, "Print the scene it was made from instead");
  add_examples(*info, {"saltus info wall.h5", "saltus info wall.h5 --scene"});
  info->callback([options] { print_info(options->file, options->scene); });
}

}  // namespace saltus
