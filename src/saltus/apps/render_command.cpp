#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "saltus/apps/command.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/base/progress.hpp"
#include "saltus/drawing/render.hpp"
#include "saltus/files/output_place.hpp"

namespace saltus {

namespace {

struct RenderCommand {
  std::string file, out, format = "png";
  std::optional<double> at;
  std::int64_t every = 0;
  bool last = false, no_chains = false, no_labels = false, force = false;
  RenderOptions options;
};

template <int Dim>
std::vector<std::int64_t> choose_frames(const TrajectoryReader<Dim>& reader, const RenderCommand& command) {
  if (reader.frames() == 0) throw InputError(command.file, "holds no frame");
  if (command.every == 0) return {command.at ? reader.nearest_frame(*command.at) : reader.frames() - 1};
  std::vector<std::int64_t> frames;
  for (std::int64_t i = 0; i < reader.frames(); i += command.every) frames.push_back(i);
  return frames;
}

std::string picture_path(const RenderCommand& command, std::int64_t frame) {
  if (command.every == 0) return command.out;
  const std::string name = fmt::format("frame-{:06}.{}", frame, command.format);
  return (std::filesystem::path(command.out) / name).string();
}

// All of them before the first is drawn.
std::vector<std::string> claim_pictures(const RenderCommand& command,
                                        const std::vector<std::int64_t>& frames) {
  if (command.every > 0) make_folder(command.out);
  OutputClaims claims(command.force);
  claims.protect(command.file);
  std::vector<std::string> paths;
  for (const std::int64_t frame : frames) {
    check_picture_name(picture_path(command, frame));
    paths.push_back(claims.claim("--out", picture_path(command, frame), OutputKind::stream));
  }
  return paths;
}

// Systems given by their matrices have no place in space.
void check_visible(const TrajectoryFile& file, const TrajectoryHeader& header) {
  if (header.system_names.empty() || file.rows(Rows::body) > 0 || file.rows(Rows::node) > 0) return;
  throw InputError(
      file.path(),
      fmt::format("holds systems without a place in space, there is nothing to draw; their coordinates are "
                  "listed by: saltus measure {} '{{ kind = \"system\", system = \"{}\" }}'",
                  file.path(), header.system_names[0]));
}

template <int Dim>
void render(const RenderCommand& command) {
  const TrajectoryReader<Dim> reader(command.file);
  check_visible(reader.file(), reader.header());
  const std::vector<std::int64_t> frames = choose_frames(reader, command);
  const std::vector<std::string> paths = claim_pictures(command, frames);
  RenderOptions options = command.options;
  options.width += options.width % 2;  // films want even sizes
  options.chains = !command.no_chains, options.labels = !command.no_labels;
  const Renderer<Dim> renderer(reader, options, frames);
  if (command.every == 0) {
    renderer.draw(frames[0], paths[0]);
    fmt::print("{}: frame {} of {}, t = {:g} s\n", command.out, frames[0] + 1, reader.frames(),
               reader.time(frames[0]));
    return;
  }
  Progress progress("render", static_cast<double>(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    renderer.draw(frames[i], paths[i]);
    progress.update(static_cast<double>(i + 1));
  }
  fmt::print("{}: {} pictures, t = {:g} to {:g} s\n", command.out, frames.size(), reader.time(frames.front()),
             reader.time(frames.back()));
}

}  // namespace

void add_render_command(CLI::App& app) {
  auto command = std::make_shared<RenderCommand>();
  CLI::App* render_app = app.add_subcommand("render", "Draw frames of a trajectory, without a display");
  render_app->add_option("FILE", command->file, "A trajectory written by `saltus run`")->required();
  CLI::Option* at = render_app->add_option("--at", command->at, "The frame nearest to this time, s");
  CLI::Option* last =
      render_app->add_flag("--last", command->last, "The last frame (the default)")->excludes(at);
  CLI::Option* every =
      render_app->add_option("--every", command->every, "Every Nth frame, into the folder --out")
          ->check(positive())
          ->excludes(at)
          ->excludes(last);
  render_app
      ->add_option("--out", command->out, "Picture to write (.png, .svg or .pdf), or folder with --every")
      ->required();
  render_app->add_option("--format", command->format, "Kind of the pictures of a folder")
      ->check(one_of("format", {"png", "svg", "pdf"}))
      ->needs(every);
  render_app->add_option("--width", command->options.width, "Width in pixels or points")
      ->check(CLI::Range(200, 10000))
      ->capture_default_str();
  render_app->add_flag("--contacts", command->options.contacts,
                       "Contact points by status; in 3D force chains too");
  render_app->add_flag("--velocities", command->options.velocities, "Velocities as arrows");
  render_app->add_flag("--no-chains", command->no_chains, "No force chains (2D)");
  render_app->add_flag("--no-labels", command->no_labels, "No title, time, legend and scale");
  render_app
      ->add_option("--azimuth", command->options.azimuth,
                   "Where the camera stands, degrees about the vertical (3D)")
      ->capture_default_str();
  render_app
      ->add_option("--elevation", command->options.elevation, "Its height above the horizon, degrees (3D)")
      ->check(CLI::Range(-89.0, 89.0))
      ->capture_default_str();
  add_force(*render_app, command->force);
  add_examples(*render_app,
               {"saltus render heap.h5 --out heap.png                  the last frame",
                "saltus render heap.h5 --at 0.5 --velocities --out heap.svg",
                "saltus render wall.h5 --every 10 --out frames         frames/frame-000000.png...",
                "saltus render wall.h5 --contacts --azimuth 30 --out wall.png"});
  render_app->callback([command] {
    const ThreadScope threads(0);
    if (trajectory_dimension(command->file) == 2)
      render<2>(*command);
    else
      render<3>(*command);
  });
}

}  // namespace saltus
