#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "saltus/apps/command.hpp"
#include "saltus/apps/scene_options.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/running/measure_table.hpp"
#include "saltus/running/summary.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_writer.hpp"
#include "saltus/scenes/trajectory_scene_text.hpp"
#include "saltus/trajectories/trajectory_final.hpp"

namespace saltus {

namespace {

struct RunCommand {
  SceneOptions scene;
  std::string out, summary, final_scene, csv;
  bool no_output = false, resume = false, strict = false, force = false, quiet = false;
};

constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) { interrupted = 1; }

// Ctrl-C, SIGTERM and the end of the terminal (unless nohup ignores it) end the run after the step it is in;
// a second Ctrl-C ends it at once, which is safe too.
void catch_signals() {
  struct sigaction action = {}, before = {};
  action.sa_handler = on_interrupt;
  // A shell and a study may both pass the hang-up on: the second must not kill.
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A limit on the size of files is then an error of the write, told like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
}

// Worst overlap over the thickness of the thinner body; 0 in summaries of older programs.
double relative_penetration(const nlohmann::json& summary) {
  const nlohmann::json::json_pointer worst("/penetration_relative/worst");
  return summary.contains(worst) && summary[worst].is_number() ? summary[worst].get<double>() : 0;
}

void print_report(const RunResult& result, const std::string& out) {
  const auto json = nlohmann::json::parse(result.summary);
  const auto number = [](const nlohmann::json& value) {
    return value.is_number() ? value.get<double>() : kNoFigure;
  };
  const auto figure = [&](const char* key, const char* part) { return number(json[key][part]); };
  fmt::print("{}: {} at t = {:g} s after {} steps of {:g} s\n", json["scene"].get<std::string>(),
             json["outcome"].get<std::string>(), number(json["time"]), json["steps"].get<std::int64_t>(),
             number(json["h"]));
  if (const std::string stopped = json.value("stopped_by", ""); !stopped.empty())
    fmt::print("  stopped by    {}\n", stopped);
  for (const auto& rest : json.value("rested", std::vector<std::string>()))
    fmt::print("  put to rest   {}\n", rest);
  if (const std::string control = describe_step_control(result.summary); !control.empty())
    fmt::print("  steps         {}\n", control);
  fmt::print("  bodies        {}\n", json["bodies"].get<int>());
  fmt::print("  contacts      {:.1f} mean, {} most\n", number(json["contacts_mean"]),
             json["contacts_max"].get<int>());
  if (const std::string bonds = describe_bonds(result.summary); !bonds.empty())
    fmt::print("  bonds         {}\n", bonds);
  fmt::print("  sweeps        {:.1f} per step, {} contact updates\n", number(json["iterations_mean"]),
             json["contact_updates"].get<std::int64_t>());
  fmt::print("  residual rms  {:.2e} m/s worst, {:.2e} p95, {:.2e} mean", figure("residual_rms", "worst"),
             figure("residual_rms", "p95"), figure("residual_rms", "mean"));
  if (figure("residual_rms_gh", "worst") > 0)
    fmt::print(" (worst {:.2e} g h)", figure("residual_rms_gh", "worst"));
  fmt::print("\n  unconverged   {} steps\n", json["unconverged_steps"].get<std::int64_t>());
  fmt::print("  penetration   {:.2e} m worst, {:.2g} % of the thinner body\n",
             number(json["penetration_max"]), 100 * relative_penetration(json));
  fmt::print("  balance       energy {:.1e}, momentum {:.1e} (worst, relative)\n",
             number(json["energy_balance_worst"]), number(json["momentum_balance_worst"]));
  fmt::print("  cpu           {:.2f} s\n", figure("cpu_seconds", "total"));
  fmt::print("  memory        {}\n",
             format_memory(json["peak_memory_bytes"].get<std::int64_t>(), json["bodies"].get<int>()));
  fmt::print("  state hash    {}\n", json["state_hash"].get<std::string>());
  if (!out.empty()) fmt::print("  written       {} ({} frames)\n", out, result.frames);
  std::fflush(stdout);
}

void print_warnings(const RunResult& result) {
  const auto json = nlohmann::json::parse(result.summary);
  for (const auto& warning : json["warnings"]) log_warning("{}", warning.get<std::string>());
}

constexpr const char* kFinalMark = "# The end of a run of ";

template <int Dim>
RunResult run_scene(Scene<Dim> scene, const RunOptions& options, const std::string& final_path) {
  return run_to_file<Dim>(std::move(scene), options, [&](const Simulation<Dim>& simulation) {
    if (final_path.empty()) return;
    const std::string text = format_scene(build_final_scene(simulation));
    write_output(final_path, fmt::format("{}{}\n{}", kFinalMark, simulation.scene().name, text));
  });
}

std::string beginning_of(const std::string& path, std::size_t size) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

// From the summary: of the whole run, finished before or now.
void judge_strictly(const nlohmann::json& summary) {
  const auto missed = summary.value("unconverged_steps", std::int64_t{0});
  const double limit = summary.value("penetration_limit", HUGE_VAL), worst = relative_penetration(summary);
  if (missed > 0) log_error("{} steps missed their tolerance (--strict)", missed);
  if (worst > limit)
    log_error(
        "bodies overlap by {:.3g} % of the thinner one, more than run.penetration_limit = {:g} (--strict)",
        100 * worst, limit);
  if (missed > 0 || worst > limit) exit_with(kNotConverged);
}

// Files that a run which is resumed wrote before.
bool is_own_summary(const std::string& path) {
  std::ifstream stream(path);
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  return json.is_object() && json.contains("program") && json.contains("state_hash");
}
bool is_own_csv(const std::string& path) { return beginning_of(path, 9) == "step,time"; }
bool is_own_scene(const std::string& path) {
  return beginning_of(path, std::string(kFinalMark).size()) == kFinalMark;
}

// Before anything is done: where the outputs go, and that they destroy nothing.
void claim_outputs(RunCommand& command, const SceneFile& file) {
  OutputClaims claims(command.force);
  claims.protect(file.path);
  for (const std::string& path : named_files(file.text, file.path)) claims.protect(path);
  const auto own = [&](OutputClaims::IsOwn is_own) {
    return command.resume ? is_own : OutputClaims::IsOwn();
  };
  const auto any = [](const std::string&) { return true; };  // the run itself looks at an older trajectory
  command.out = claims.claim("--out", command.out, OutputKind::file, any);
  if (!command.out.empty())
    for (const char* beside : {".next", ".checkpoint", ".lock"}) claims.protect(command.out + beside);
  command.summary = claims.claim("--summary", command.summary, OutputKind::stream, own(is_own_summary));
  command.csv = claims.claim("--csv", command.csv, OutputKind::stream, own(is_own_csv));
  command.final_scene =
      claims.claim("--final-scene", command.final_scene, OutputKind::stream, own(is_own_scene));
}

MeasureTable read_measures(const RunResult& result, const std::string& out) {
  return out.empty() ? build_table(result.measures.columns, result.measures.rows, "measures")
                     : read_tables(out).measures;
}

// Tells how the run ended and leaves with the exit status of it, unless that is success.
void judge(const RunCommand& command, const RunResult& result) {
  if (result.outcome == RunOutcome::interrupted) {
    if (command.out.empty())
      log_info("interrupted; nothing of it is stored (--no-output)");
    else
      log_info("interrupted; go on with: {}", format_words({"--force", "--resume"}, {"--resume"}));
    exit_with(kInterrupted);
  }
  if (result.outcome == RunOutcome::not_finite) {
    log_error("{}: the run failed: {}", command.out.empty() ? command.scene.scene : command.out,
              result.failure);
    exit_with(kNotConverged);
  }
  if (command.strict) judge_strictly(nlohmann::json::parse(result.summary));
}

void execute(RunCommand command) {
  SceneFile file = command.scene.read();
  const std::string name = std::visit([](const auto& scene) { return scene.name; }, file.scene);
  if (command.out.empty() && !command.no_output) command.out = name + ".h5";
  claim_outputs(command, file);
  RunOptions options;
  options.scene_text = file.text;
  options.program = "saltus " SALTUS_VERSION;
  options.output = command.out;
  options.resume = command.resume, options.force = command.force;
  options.keep_measures = !command.csv.empty();
  options.show_progress = !command.quiet;
  options.is_interrupted = [] { return interrupted != 0; };
  catch_signals();
  const RunResult result = std::visit(
      [&](auto& scene) { return run_scene(std::move(scene), options, command.final_scene); }, file.scene);

  if (result.outcome == RunOutcome::was_finished) {
    log_info("{}: this run is finished, nothing to do (--force runs it again)", options.output);
    if (!command.final_scene.empty() && !std::filesystem::exists(command.final_scene))
      throw InputError(command.final_scene,
                       "cannot be made from a run that was finished before: --force runs it again");
  }
  if (!command.summary.empty()) write_output(command.summary, result.summary);
  if (!command.csv.empty()) write_output(command.csv, format_csv(read_measures(result, options.output)));
  const bool talks =
      !command.quiet && command.summary != "-" && command.csv != "-" && command.final_scene != "-";
  if (talks) print_report(result, options.output);
  print_warnings(result);
  judge(command, result);
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto command = std::make_shared<RunCommand>();
  CLI::App* run = app.add_subcommand("run", "Run a scene and write its trajectory");
  command->scene.add_to(*run);
  command->scene.add_end_to(*run);
  CLI::Option* out =
      run->add_option("--out", command->out, "Trajectory to write (default: NAME.h5 in this folder)");
  CLI::Option* no_output =
      run->add_flag("--no-output", command->no_output, "Write no trajectory")->excludes(out);
  run->add_option("--summary", command->summary,
                  "Write the summary of the run here, as JSON (-: standard output)");
  run->add_option("--csv", command->csv, "Write the measures of the scene here, as CSV (-: standard output)");
  run->add_option("--final-scene", command->final_scene,
                  "Write the end state here, as a scene that can be run on");
  CLI::Option* resume = run->add_flag("--resume", command->resume,
                                      "Go on with the trajectory from its last checkpoint, to the same bits; "
                                      "with a later --until also beyond its end")
                            ->excludes(no_output);
  run->add_flag("--strict", command->strict,
                "Exit with 3 when a step missed its tolerance or overlap passed run.penetration_limit");
  run->add_flag("--force", command->force, "Overwrite files that are there already")->excludes(resume);
  run->add_flag("--quiet", command->quiet, "No progress and no report, only warnings and errors");
  add_examples(*run, {"saltus run bouncing-ball-2d",
                      "saltus run wall.toml --out wall.h5 --until 2 --dt 1e-3 --threads 2",
                      "saltus run wall.toml --set law.friction=0.3 --set bodies.3.density=2500",
                      "saltus run wall.toml --out wall.h5 --resume       after Ctrl-C, a crash or kill -9",
                      "saltus info wall.h5; saltus render wall.h5 --last --out wall.png", "",
                      "Exit: 0 done, 2 bad input, 3 tolerance or penetration_limit missed (--strict), 4 "
                      "output not written, 130 interrupted"});
  run->callback([command] { execute(*command); });
}

}  // namespace saltus
