#include "saltus/running/trajectory_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/base/progress.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/files/output_lock.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/measure/stop_monitor.hpp"
#include "saltus/running/run_failure.hpp"
#include "saltus/running/run_length.hpp"
#include "saltus/running/run_store.hpp"
#include "saltus/running/summary.hpp"
#include "saltus/trajectories/trajectory_writer.hpp"

namespace saltus {

namespace {

// Whether something that happens every `interval` seconds happens at this step; decided by the number of
// the step alone, so that a resumed run decides alike. The slack takes multiples of h as they are meant.
bool is_due(double interval, double h, std::int64_t step) {
  if (interval <= h) return true;
  const auto count = [&](std::int64_t steps) {
    return std::floor((static_cast<double>(steps) + 1e-6) * h / interval);
  };
  return count(step) > count(step - 1);
}

void refuse_changed_scene(const std::string& path, const std::string& then, const std::string& now) {
  if (then == now) return;
  const std::string key = first_difference(then, now);
  if (key.empty()) return;
  throw InputError(
      path, fmt::format("the scene has changed since this run began, at the key {}: put it back, or start "
                        "again with --force",
                        key));
}

// The rule of Simulation::finished.
template <int Dim>
bool is_end(const Scene<Dim>& scene, std::int64_t step) {
  const double h = scene.scheme.h;
  return scene.start_time + static_cast<double>(step) * h >= scene.end_time - 0.5 * h;
}

template <int Dim>
void refuse_earlier_end(const std::string& path, const Scene<Dim>& scene, std::int64_t step) {
  if (step > 0 && is_end(scene, step - 1))
    throw InputError(path, "the run is beyond the end asked for", fmt::format("{} steps", step),
                     "an end (run.until, run.steps) that is later, or --force to start again");
}

// What is there to go on from.
struct Start {
  std::optional<RunResult> done;  // the run came to an end before
  std::optional<Checkpoint> checkpoint;
};

std::int64_t last_step(const TrajectoryFile& file) {
  TrajectoryData last;
  if (file.frames() > 0) file.read(Rows::frame, file.frames() - 1, 1, last);
  return last.step.empty() ? 0 : last.step[0];
}

bool was_stopped(const TrajectoryFile& file) {
  const auto summary = nlohmann::json::parse(file.read_summary(), nullptr, false);
  return summary.is_object() && summary.contains("stopped_by") && summary["stopped_by"] != "";
}

// A finished run is done, unless the scene now ends later.
template <int Dim>
void find_end(const TrajectoryFile& file, const Scene<Dim>& scene, Start& start) {
  const std::int64_t step = last_step(file);
  if (!was_stopped(file)) refuse_earlier_end(file.path(), scene, step);
  if (is_end(scene, step) || was_stopped(file)) {
    start.done = RunResult{RunOutcome::was_finished, 0, file.frames(), file.read_summary(), {}, {}};
    return;
  }
  const std::vector<std::byte> state = file.read_state();
  if (state.empty())
    throw InputError(file.path(),
                     "the run is finished and keeps no state to go on from: --force starts again");
  start.checkpoint = decode_checkpoint(state, file.path());
}

template <int Dim>
Start find_start(const RunOptions& options, const Scene<Dim>& scene) {
  Start start;
  if (options.output.empty()) return start;
  std::error_code error;
  const bool exists = std::filesystem::exists(options.output, error);
  if (!options.resume && exists && !options.force)
    throw InputError(options.output, "is there already: --force overwrites it, --resume goes on with it");
  if (!options.resume) return start;
  if (!exists) {
    log_info("{}: nothing to resume, starting at the beginning", options.output);
    return start;
  }
  const TrajectoryFile file = TrajectoryFile::open(options.output, TrajectoryFile::Mode::read);
  refuse_changed_scene(options.output, file.read_header().scene_text, options.scene_text);
  if (const std::string failure = file.read_failure(); !failure.empty())
    start.done = RunResult{RunOutcome::not_finite, 0, file.frames(), file.read_summary(), failure, {}};
  else if (file.is_finished())
    find_end(file, scene, start);
  else
    start.checkpoint = read_checkpoint(checkpoint_path(options.output));
  if (!start.done && !start.checkpoint)
    log_info("{}: stopped before its first checkpoint, starting at the beginning", options.output);
  return start;
}

template <int Dim>
class Run {
 public:
  Run(Scene<Dim> scene, const RunOptions& options) : options_(options), simulation_(std::move(scene)) {}

  void begin(std::optional<Checkpoint> checkpoint);
  RunOutcome advance();
  RunResult end(RunOutcome outcome, const std::function<void(const Simulation<Dim>&)>& at_end);

 private:
  void build_measurer();
  void add_frame();
  void add_measures();
  void judge_measures(double time, std::span<const double> row);
  void replay_measures();
  void after_step();
  void show(Progress& progress, const StepReport& report) const;

  const RunOptions& options_;
  Stopwatch wall_{Clock::wall};
  Simulation<Dim> simulation_;
  std::unique_ptr<RunStore<Dim>> store_;
  std::optional<Measurer<Dim>> measurer_;
  std::optional<StopMonitor> monitor_;
  Snapshot<Dim> snapshot_;
  TrajectoryData measured_;          // one row
  std::string stopped_, failure_;    // why, empty: it was not, it did not
  std::vector<std::string> rested_;  // when and why
  bool rests_ = false;               // after this step
  RunFigures figures_;
  std::int64_t first_step_ = 0;
};

// From the first state, also when a run is resumed: strains refer to it.
template <int Dim>
void Run<Dim>::build_measurer() {
  const Scene<Dim>& scene = simulation_.scene();
  std::vector<std::string> names;
  if (!scene.measures.empty()) {
    for (const SceneBody<Dim>& body : scene.bodies) names.push_back(body.name);
    take_snapshot(simulation_, snapshot_);
  }
  measurer_.emplace(scene.measures, names, snapshot_);
  monitor_.emplace(scene.stops, measurer_->columns());
}

template <int Dim>
void Run<Dim>::begin(std::optional<Checkpoint> checkpoint) {
  build_measurer();
  figures_.measures = [this] { return measurer_->memory(); };
  StorePlan plan{options_.output, build_header(simulation_, options_.scene_text, options_.program), false, 0};
  plan.header.measures = measurer_->columns();
  plan.keep_measures = options_.keep_measures;
  if (!checkpoint) {
    store_ = open_store(simulation_, std::move(plan));
    add_frame();
    store_->flush();
    return;
  }
  refuse_changed_scene(checkpoint_path(options_.output), checkpoint->scene_text, options_.scene_text);
  simulation_.restore(checkpoint->state);
  refuse_earlier_end(options_.output, simulation_.scene(), simulation_.steps());
  plan.resume = true, plan.frames = checkpoint->frames;
  store_ = open_store(simulation_, std::move(plan));
  replay_measures();
  measurer_->restore(checkpoint->measures);
  figures_.since_frame = checkpoint->figures;
  figures_.output_seconds = checkpoint->output_seconds;
  first_step_ = simulation_.steps();
  log_info("{}: going on at step {}, t = {:g} s", options_.output, first_step_, simulation_.time());
}

template <int Dim>
void Run<Dim>::add_frame() {
  store_->add_frame(simulation_, figures_.since_frame);
  figures_.since_frame = {};
}

template <int Dim>
void Run<Dim>::add_measures() {
  clear(measured_);
  take_snapshot(simulation_, snapshot_);
  measured_.measure_step.push_back(simulation_.steps());
  measured_.measure_time.push_back(simulation_.time());
  measurer_->measure(snapshot_, measured_.measure_values);
  judge_measures(simulation_.time(), measured_.measure_values);
  store_->add_measures(measured_);
}

template <int Dim>
void Run<Dim>::judge_measures(double time, std::span<const double> row) {
  StopMonitor::Verdict verdict = monitor_->update(time, row);
  stopped_ = std::move(verdict.end);
  rests_ = !verdict.rest.empty();
  if (rests_) rested_.push_back(fmt::format("{} at t = {:g} s", verdict.rest, time));
}

// What the conditions to stop saw before the checkpoint.
template <int Dim>
void Run<Dim>::replay_measures() {
  const std::size_t width = measurer_->columns().size();
  const TrajectoryData past = store_->read_measures();
  if (past.measure_values.size() != past.measure_step.size() * width)
    throw InputError(options_.output, "rows of /measures and their names do not agree (damaged file?)");
  for (std::size_t row = 0; row < past.measure_step.size(); ++row)
    judge_measures(past.measure_time[row], std::span(past.measure_values).subspan(row * width, width));
  stopped_.clear(), rests_ = false;
}

template <int Dim>
void Run<Dim>::after_step() {
  const Stopwatch cpu(Clock::process_cpu);
  const Scene<Dim>& scene = simulation_.scene();
  const std::int64_t step = simulation_.steps();
  if (!scene.measures.empty() && (simulation_.finished() || step % scene.output.measure_every == 0))
    add_measures();
  if (simulation_.finished() || !stopped_.empty() || rests_ ||
      is_due(scene.output.every, scene.scheme.h, step))
    add_frame();
  if (rests_) {
    simulation_.rest();
    rests_ = false;
  }
  store_->keep_up(
      simulation_, figures_,
      scene.output.checkpoint_every > 0 && is_due(scene.output.checkpoint_every, scene.scheme.h, step));
  figures_.output_seconds += cpu.seconds();
}

template <int Dim>
void Run<Dim>::show(Progress& progress, const StepReport& report) const {
  progress.update(static_cast<double>(report.step), [&] {
    return fmt::format("t = {:.4g} s   {} contacts, {} sweeps, residual {:.1e} m/s{}", report.time,
                       report.contacts, report.iterations, report.residual_rms,
                       report.status == StepStatus::converged ? "" : " (tolerance missed)");
  });
}

template <int Dim>
RunOutcome Run<Dim>::advance() {
  const Scene<Dim>& scene = simulation_.scene();
  const double total = std::round((scene.end_time - scene.start_time) / scene.scheme.h);
  Progress progress(scene.name, total, static_cast<double>(simulation_.steps()));
  while (!simulation_.finished()) {
    if (options_.is_interrupted && options_.is_interrupted()) return RunOutcome::interrupted;
    const StepReport report = simulation_.step();
    figures_.since_frame.add(report);
    if (report.status == StepStatus::not_finite) failure_ = explain_failure(simulation_, report);
    after_step();
    if (!failure_.empty()) return RunOutcome::not_finite;
    if (options_.show_progress) show(progress, report);
    if (!stopped_.empty()) break;
  }
  return RunOutcome::finished;
}

template <int Dim>
RunResult Run<Dim>::end(RunOutcome outcome, const std::function<void(const Simulation<Dim>&)>& at_end) {
  const Stopwatch cpu(Clock::process_cpu);
  store_->flush();
  figures_.output_seconds += cpu.seconds();
  const bool finished = outcome == RunOutcome::finished;
  const SummaryContext context{
      options_.program, options_.output, name(outcome), store_->frames(), figures_.output_seconds,
      wall_.seconds(),  stopped_,        failure_,      rested_};
  RunResult result{outcome,  first_step_, store_->frames(), format_summary(simulation_, context),
                   failure_, {}};
  if (options_.output.empty()) result.measures = {measurer_->columns(), store_->read_measures()};
  // An end state that a study takes for a sample must not be that of a run stopped on its way, and it must be
  // there when the trajectory says that the run is finished.
  if (at_end && finished) at_end(simulation_);
  store_->finish(simulation_, figures_,
                 {finished, outcome == RunOutcome::interrupted, failure_, result.summary});
  return result;
}

}  // namespace

void check_same_run(const std::string& trajectory, const SceneFile& scene) {
  const TrajectoryFile file = TrajectoryFile::open(trajectory, TrajectoryFile::Mode::read);
  refuse_changed_scene(trajectory, file.read_header().scene_text, scene.text);
  if (!file.is_finished() || was_stopped(file)) return;
  const std::int64_t step = last_step(file);
  std::visit(
      [&](const auto& now) {
        refuse_earlier_end(trajectory, now, step);
        if (!is_end(now, step))
          throw InputError(trajectory, "the run ended before the end that the scene has now",
                           fmt::format("{} steps", step), "one that is run on: the study without --collect");
      },
      scene.scene);
}

const char* name(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::finished: return "finished";
    case RunOutcome::interrupted: return "interrupted";
    case RunOutcome::not_finite: return "not_finite";
    case RunOutcome::was_finished: break;
  }
  return "was_finished";
}

template <int Dim>
RunResult run_to_file(Scene<Dim> scene, const RunOptions& given,
                      const std::function<void(const Simulation<Dim>&)>& at_end) {
  RunOptions options = given;
  std::optional<OutputLock> lock;
  if (const std::string note = check_run_length(scene); !note.empty()) log_info("{}", note);
  if (!options.output.empty()) {
    options.output = OutputClaims(true).claim("output", given.output, OutputKind::file);
    refuse_foreign_files(options.output);
    lock.emplace(options.output);
  }
  Start start = find_start(options, scene);
  if (start.done) return *start.done;
  Run<Dim> run(std::move(scene), options);
  run.begin(std::move(start.checkpoint));
  return run.end(run.advance(), at_end);
}

template RunResult run_to_file<2>(Scene<2>, const RunOptions&,
                                  const std::function<void(const Simulation<2>&)>&);
template RunResult run_to_file<3>(Scene<3>, const RunOptions&,
                                  const std::function<void(const Simulation<3>&)>&);

}  // namespace saltus
