#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "saltus/apps/command.hpp"
#include "saltus/apps/frame_choice.hpp"
#include "saltus/base/log.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/base/progress.hpp"
#include "saltus/drawing/movie.hpp"
#include "saltus/drawing/render.hpp"
#include "saltus/files/output_place.hpp"

namespace saltus {

namespace {

struct RenderCommand {
  std::string file, out, movie, format = "png";
  std::optional<double> at;
  std::optional<std::int64_t> every;
  FrameChoice frames;
  double pictures_per_second = 25;
  bool last = false, no_chains = false, chains = false, no_labels = false, force = false;
  std::vector<double> eye, target, range;
  std::vector<const CLI::Option*> of_space;  // options that pictures of the plane have no use for
  std::string stresses;
  RenderOptions options;

  bool is_sequence() const { return every.has_value() || !movie.empty(); }
};

template <int Dim>
std::vector<std::int64_t> frames_to_draw(const TrajectoryReader<Dim>& reader, const RenderCommand& command) {
  if (reader.frames() == 0) throw InputError(command.file, "holds no frame");
  if (!command.is_sequence()) return {command.at ? frame_at(reader, *command.at) : reader.frames() - 1};
  FrameChoice choice = command.frames;
  choice.every = command.every.value_or(1);
  return choose_frames(reader, choice);
}

std::string picture_path(const RenderCommand& command, std::int64_t frame) {
  if (!command.is_sequence()) return command.out;
  const std::string name = fmt::format("frame-{:06}.{}", frame, command.format);
  return (std::filesystem::path(command.out) / name).string();
}

// All of them before the first is drawn.
std::vector<std::string> claim_pictures(const RenderCommand& command, const std::vector<std::int64_t>& frames,
                                        OutputClaims& claims) {
  std::vector<std::string> paths;
  if (command.out.empty()) return paths;
  if (command.is_sequence()) {
    const std::string ending = std::filesystem::path(command.out).extension().string();
    if (ending == ".png" || ending == ".svg" || ending == ".pdf")
      throw InputError("--out", "many pictures go into a folder", command.out,
                       "the name of a folder, with --format; without --every and --movie a picture");
    make_folder(command.out);
  }
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

Vec<3> read_place(const char* option, const std::vector<double>& numbers, int dimension) {
  if (static_cast<int>(numbers.size()) != dimension)
    throw InputError(option, "numbers of a place", fmt::format("{}", numbers.size()),
                     fmt::format("{}", dimension));
  Vec<3> place = Vec<3>::Zero();
  for (int k = 0; k < dimension; ++k) place[k] = numbers[static_cast<std::size_t>(k)];
  return place;
}

RenderOptions complete_options(const RenderCommand& command, int dimension) {
  RenderOptions options = command.options;
  options.width += options.width % 2;  // films want even sizes
  options.labels = !command.no_labels;
  if (!command.stresses.empty())
    options.stresses = command.stresses == "bodies" ? StressMarks::bodies : StressMarks::elements;
  if (command.chains || command.no_chains) options.chains = command.chains;
  for (const CLI::Option* option : command.of_space)
    if (dimension == 2 && option->count() > 0)
      throw InputError(option->get_name(), "is for scenes of space", {}, "--target X Y, --zoom, --region");
  if (!command.eye.empty()) options.eye = read_place("--eye", command.eye, dimension);
  if (!command.target.empty()) options.target = read_place("--target", command.target, dimension);
  if (!command.range.empty()) options.range = {command.range[0], command.range[1]};
  if (options.range && !(options.range->first < options.range->second))
    throw InputError("--range", "its two numbers",
                     fmt::format("{} and {}", options.range->first, options.range->second),
                     "the first below the second");
  return options;
}

template <int Dim>
void render(const RenderCommand& command) {
  const TrajectoryReader<Dim> reader(command.file);
  check_visible(reader.file(), reader.header());
  const std::vector<std::int64_t> frames = frames_to_draw(reader, command);
  OutputClaims claims(command.force);
  claims.protect(command.file);
  const std::vector<std::string> paths = claim_pictures(command, frames, claims);
  if (!command.movie.empty()) check_movie_name(command.movie);
  const std::string film = claims.claim("--movie", command.movie, OutputKind::file);
  if (command.options.magnify != 1 && reader.file().rows(Rows::node) == 0)
    log_warning("--magnify is of displacements of meshes: {} has none, it changes nothing", command.file);
  const Renderer<Dim> renderer(reader, complete_options(command, Dim), frames);
  if ((command.options.least_force > 0 || command.options.full_force) && !renderer.shows_chains())
    log_warning(
        "--least-force and --full-force are of force chains, which are not drawn: --chains draws them");
  if (!command.is_sequence()) {
    renderer.draw(frames[0], paths[0]);
    fmt::print("{}: frame {} of {}, t = {:g} s\n", command.out, frames[0] + 1, reader.frames(),
               reader.time(frames[0]));
    return;
  }
  std::unique_ptr<Movie> movie;
  if (!film.empty())
    movie = std::make_unique<Movie>(film, renderer.width(), renderer.height(), command.pictures_per_second);
  Progress progress("render", static_cast<double>(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (movie) {
      const Canvas canvas(renderer.width(), renderer.height());
      renderer.paint(frames[i], canvas);
      movie->add(canvas.pixels());
    }
    if (!paths.empty()) renderer.draw(frames[i], paths[i]);
    progress.update(static_cast<double>(i + 1));
  }
  if (movie) movie->finish();
  const std::string& told = command.movie.empty() ? command.out : command.movie;
  fmt::print("{}: {} pictures, t = {:g} to {:g} s", told, frames.size(), reader.time(frames.front()),
             reader.time(frames.back()));
  if (movie)
    fmt::print(", {:.3g} s of film", static_cast<double>(frames.size()) / command.pictures_per_second);
  fmt::print("\n");
}

// Above 0, s; inf is one.
CLI::Validator duration() {
  const auto check = [](const std::string& word) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(word, value) && value > 0) return {};
    return fmt::format("got {}, allowed: a number above 0, or inf", word);
  };
  return CLI::Validator(check, "S");
}

// How many numbers a place has depends on the trajectory: read_place and compute_scale tell.
void add_view_options(CLI::App& app, RenderCommand& command) {
  RenderOptions& options = command.options;
  const CLI::Option* azimuth =
      app.add_option("--azimuth", options.azimuth, "Where the camera stands, degrees about the vertical (3D)")
          ->capture_default_str();
  const CLI::Option* elevation =
      app.add_option("--elevation", options.elevation, "Its height above the horizon, degrees (3D)")
          ->check(CLI::Range(-89.0, 89.0))
          ->capture_default_str();
  const CLI::Option* eye = app.add_option("--eye", command.eye, "Or exactly where it stands: X Y Z, m (3D)")
                               ->expected(1, 3)
                               ->type_name("X Y Z");
  app.add_option("--target", command.target, "What is in the middle of the picture: X Y (Z), m")
      ->expected(1, 3)
      ->type_name("X Y (Z)");
  const CLI::Option* angle =
      app.add_option("--angle", options.angle, "Field of view from top to bottom, degrees (3D)")
          ->check(CLI::Range(1.0, 150.0));
  command.of_space = {azimuth, elevation, eye, angle};
  app.add_option("--zoom", options.zoom, "Larger by this factor")->check(positive())->capture_default_str();
  app.add_option("--region", options.region,
                 "The part of the world to show: lower corner, upper corner, m. In 3D what moves outside of "
                 "it is left out")
      ->expected(1, 6)
      ->type_name("X Y (Z) X Y (Z)");
  app.add_option("--only", options.only, "Names of bodies that set the view, so that a stray one does not");
}

void add_look_options(CLI::App& app, RenderCommand& command) {
  RenderOptions& options = command.options;
  CLI::Option* colour = app.add_option(
      "--colour,--color", options.colour,
      "Field to colour by: velocity, displacement, spin (or .x, .y, .z of these), rotation, pressure, force, "
      "residual, penetration, "
      "body, material, status; of meshes stress.xx, stress.mises, strain.xy, plastic_strain, reaction...");
  app.add_option("--range", command.range,
                 "Lowest and highest value of the colours (default: those of all pictures)")
      ->expected(2)
      ->needs(colour);
  app.add_flag("--contacts", options.contacts, "Contact points by status; in 3D force chains too");
  CLI::Option* chains = app.add_flag("--chains", command.chains, "Force chains, also in 3D: bodies get pale");
  app.add_flag("--no-chains", command.no_chains, "No force chains")->excludes(chains);
  app.add_option("--least-force", options.least_force, "Leave out chains of smaller forces, N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--full-force", options.full_force,
                 "Force of the widest chain, N (default: near the largest)")
      ->check(positive());
  app.add_flag("--velocities", options.velocities, "Velocities as arrows");
  CLI::Option* trails =
      app.add_option("--trails", options.trails, "Paths of bodies over the last T s; inf: since the start")
          ->check(duration());
  app.add_option("--trails-of", options.trails_of, "Only of the bodies of these names")->needs(trails);
  app.add_option("--magnify", options.magnify, "Displacements of meshes times this")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option(
         "--stresses", command.stresses,
         "Principal stresses of deformable bodies as crosses, of their elements or of bodies as a whole")
      ->check(one_of("stresses", {"elements", "bodies"}));
  app.add_flag("--no-labels", command.no_labels, "No title, time, legend and scale");
}

}  // namespace

void add_render_command(CLI::App& app) {
  auto command = std::make_shared<RenderCommand>();
  CLI::App* render_app =
      app.add_subcommand("render", "Draw frames of a trajectory, or a film, without a display");
  render_app->add_option("FILE", command->file, "A trajectory written by `saltus run`")->required();
  CLI::Option* at = render_app->add_option("--at", command->at, "The frame nearest to this time, s");
  CLI::Option* last =
      render_app->add_flag("--last", command->last, "The last frame (the default)")->excludes(at);
  CLI::Option* every =
      render_app->add_option("--every", command->every, "Every Nth frame, into the folder --out or a film")
          ->check(positive())
          ->excludes(at)
          ->excludes(last);
  render_app->add_option("--out", command->out,
                         "Picture to write (.png, .svg or .pdf), or folder with --every");
  CLI::Option* movie =
      render_app->add_option("--movie", command->movie, "Film to write: .mp4, .webm or .gif (needs ffmpeg)")
          ->excludes(at)
          ->excludes(last);
  render_app->add_option("--fps", command->pictures_per_second, "Pictures per second of the film")
      ->check(CLI::Range(0.1, 240.0))
      ->needs(movie)
      ->capture_default_str();
  render_app->add_option("--from", command->frames.from, "First time of a film or of a folder, s")
      ->excludes(at)
      ->excludes(last);
  render_app->add_option("--to", command->frames.to, "Last time, s")->excludes(at)->excludes(last);
  render_app->add_option("--format", command->format, "Kind of the pictures of a folder")
      ->check(one_of("format", {"png", "svg", "pdf"}))
      ->needs(every);
  render_app->add_option("--width", command->options.width, "Width in pixels or points")
      ->check(CLI::Range(200, 10000))
      ->capture_default_str();
  add_look_options(*render_app, *command);
  add_view_options(*render_app, *command);
  add_force(*render_app, command->force);
  add_examples(*render_app,
               {"saltus render heap.h5 --out heap.png                  the last frame",
                "saltus render heap.h5 --at 0.5 --colour velocity --velocities --out heap.svg",
                "saltus render wall.h5 --every 10 --out frames         frames/frame-000000.png...",
                "saltus render wall.h5 --movie wall.mp4 --colour displacement",
                "saltus render heap3d.h5 --chains --azimuth 30 --out chains.png",
                "saltus render heap.h5 --only lid floor --out lid.png  a view that no stray grain sets",
                "saltus render beam.h5 --magnify 50 --colour displacement.y --out beam.pdf",
                "saltus render wall.h5 --magnify 100 --stresses bodies --chains --out wall.pdf"});
  render_app->callback([command] {
    if (command->out.empty() && command->movie.empty())
      throw InputError("render", "nothing to write", {}, "--out or --movie");
    if (!command->is_sequence() && (std::isfinite(command->frames.from) || std::isfinite(command->frames.to)))
      throw InputError("--from, --to", "are for folders and films", {},
                       "with --every N or --movie; --at T for one picture");
    const ThreadScope threads(0);
    if (trajectory_dimension(command->file) == 2)
      render<2>(*command);
    else
      render<3>(*command);
  });
}

}  // namespace saltus
