#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "saltus/apps/command.hpp"
#include "saltus/apps/scene_options.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/io/measure_table.hpp"
#include "saltus/io/scene_writer.hpp"
#include "saltus/io/summary.hpp"
#include "saltus/io/trajectory_files.hpp"
#include "saltus/io/trajectory_final.hpp"
#include "saltus/io/trajectory_run.hpp"

namespace saltus {

namespace {

struct RunCommand {
  SceneOptions scene;
  std::string out, summary, final_scene, csv;
  bool resume = false, strict = false, force = false, quiet = false;
};

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) { interrupted = 1; }

// Ctrl-C and SIGTERM end the run after the step it is in; a second Ctrl-C ends it at once, which is safe too.
void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A limit on the size of files is then an error of the write, told like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
}

// Worst overlap over the thickness of the thinner body; 0 in summaries of older programs.
double relative_penetration(const nlohmann::json& summary) {
  return summary.value(nlohmann::json::json_pointer("/penetration_relative/worst"), 0.0);
}

void print_report(const RunResult& result, const std::string& out) {
  const auto json = nlohmann::json::parse(result.summary);
  const auto figure = [&](const char* key, const char* part) { return json[key][part].get<double>(); };
  fmt::print("{}: {} at t = {:g} s after {} steps of {:g} s\n", json["scene"].get<std::string>(),
             json["outcome"].get<std::string>(), json["time"].get<double>(),
             json["steps"].get<std::int64_t>(), json["h"].get<double>());
  if (const std::string stopped = json.value("stopped_by", ""); !stopped.empty())
    fmt::print("  stopped by    {}\n", stopped);
  fmt::print("  bodies        {}\n", json["bodies"].get<int>());
  fmt::print("  contacts      {:.1f} mean, {} most\n", json["contacts_mean"].get<double>(),
             json["contacts_max"].get<int>());
  if (const std::string bonds = describe_bonds(result.summary); !bonds.empty())
    fmt::print("  bonds         {}\n", bonds);
  fmt::print("  sweeps        {:.1f} per step, {} contact updates\n", json["iterations_mean"].get<double>(),
             json["contact_updates"].get<std::int64_t>());
  fmt::print("  residual rms  {:.2e} m/s worst, {:.2e} p95, {:.2e} mean", figure("residual_rms", "worst"),
             figure("residual_rms", "p95"), figure("residual_rms", "mean"));
  if (figure("residual_rms_gh", "worst") > 0)
    fmt::print(" (worst {:.2e} g h)", figure("residual_rms_gh", "worst"));
  fmt::print("\n  unconverged   {} steps\n", json["unconverged_steps"].get<std::int64_t>());
  fmt::print("  penetration   {:.2e} m worst, {:.2g} % of the thinner body\n",
             json["penetration_max"].get<double>(), 100 * relative_penetration(json));
  fmt::print("  balance       energy {:.1e}, momentum {:.1e} (worst, relative)\n",
             json["energy_balance_worst"].get<double>(), json["momentum_balance_worst"].get<double>());
  fmt::print("  cpu           {:.2f} s\n", figure("cpu_seconds", "total"));
  fmt::print("  memory        {}\n",
             format_memory(json["peak_memory_bytes"].get<std::int64_t>(), json["bodies"].get<int>()));
  fmt::print("  state hash    {}\n", json["state_hash"].get<std::string>());
  fmt::print("  written       {} ({} frames)\n", out, result.frames);
  for (const auto& warning : json["warnings"]) log_warning("{}", warning.get<std::string>());
}

template <int Dim>
RunResult run_scene(Scene<Dim> scene, const RunOptions& options, const std::string& final_path) {
  return run_to_file<Dim>(std::move(scene), options, [&](const Simulation<Dim>& simulation) {
    if (!final_path.empty()) replace_file(final_path, format_scene(build_final_scene(simulation)));
  });
}

void refuse_existing(const std::string& path, bool force) {
  if (!path.empty() && !force && std::filesystem::exists(path))
    throw InputError(path, "is there already: --force overwrites it");
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

void execute(const RunCommand& command) {
  SceneFile file = command.scene.read();
  RunOptions options;
  options.scene_text = file.text;
  options.program = "saltus " SALTUS_VERSION;
  options.resume = command.resume, options.force = command.force;
  options.show_progress = !command.quiet;
  options.is_interrupted = [] { return interrupted != 0; };
  const std::string name = std::visit([](const auto& scene) { return scene.name; }, file.scene);
  options.output = command.out.empty() ? name + ".h5" : command.out;
  // A summary of the same run is replaced; a scene may be somebody's work.
  refuse_existing(command.final_scene, command.force || command.resume);
  for (const std::string& path : {command.summary, command.csv, command.final_scene})
    if (!path.empty()) check_writable(path);
  catch_signals();
  const RunResult result = std::visit(
      [&](auto& scene) { return run_scene(std::move(scene), options, command.final_scene); }, file.scene);

  if (result.outcome == RunOutcome::was_finished)
    log_info("{}: this run is finished, nothing to do (--force runs it again)", options.output);
  if (!command.summary.empty()) replace_file(command.summary, result.summary);
  if (!command.csv.empty()) replace_file(command.csv, format_csv(read_tables(options.output).measures));
  if (!command.quiet) print_report(result, options.output);
  if (result.outcome == RunOutcome::interrupted) {
    log_info("interrupted; go on with: saltus run {} --out {} --resume", command.scene.scene, options.output);
    exit_with(kInterrupted);
  }
  if (result.outcome == RunOutcome::not_finite) {
    log_error("{}: the state is not finite any more, the run was stopped (a shorter --dt?)", options.output);
    exit_with(kNotConverged);
  }
  if (command.strict) judge_strictly(nlohmann::json::parse(result.summary));
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto command = std::make_shared<RunCommand>();
  CLI::App* run = app.add_subcommand("run", "Run a scene and write its trajectory");
  command->scene.add_to(*run);
  command->scene.add_end_to(*run);
  run->add_option("--out", command->out, "Trajectory to write (default: NAME.h5 in this folder)");
  run->add_option("--summary", command->summary, "Write the summary of the run here, as JSON");
  run->add_option("--csv", command->csv, "Write the measures of the scene here, as CSV");
  run->add_option("--final-scene", command->final_scene,
                  "Write the end state here, as a scene that can be run on");
  run->add_flag("--resume", command->resume,
                "Go on with the trajectory from its last checkpoint, to the same bits");
  run->add_flag("--strict", command->strict,
                "Exit with 3 when a step missed its tolerance or overlap passed run.penetration_limit");
  run->add_flag("--force", command->force, "Overwrite an existing trajectory");
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
