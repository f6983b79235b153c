#include "saltus/io/trajectory_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/base/progress.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/io/checkpoint_file.hpp"
#include "saltus/io/output_lock.hpp"
#include "saltus/io/scene_reader.hpp"
#include "saltus/io/summary.hpp"
#include "saltus/io/trajectory_files.hpp"
#include "saltus/io/trajectory_writer.hpp"
#include "saltus/sim/measure.hpp"
#include "saltus/sim/stop_monitor.hpp"

namespace saltus {

namespace {

constexpr double kCheckpointInterval = 5;  // s of wall clock between checkpoints, and
constexpr double kCostFactor = 20;         // times the last cost: at most 5 % of a run

// Whether something that happens every `interval` seconds happens at this step; decided by the number of
// the step alone, so that a resumed run decides alike. The margin takes multiples of h as they are meant.
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

// What is there to go on from.
struct Start {
  bool was_finished = false;
  std::optional<Checkpoint> checkpoint;
};

Start find_start(const RunOptions& options) {
  Start start;
  const bool exists = std::filesystem::exists(options.output);
  if (!options.resume && exists && !options.force)
    throw InputError(options.output, "is there already: --force overwrites it, --resume goes on with it");
  if (!options.resume) return start;
  if (!exists) {
    log_info("{}: nothing to resume, starting at the beginning", options.output);
    return start;
  }
  const TrajectoryFile file = TrajectoryFile::open(options.output, TrajectoryFile::Mode::read);
  refuse_changed_scene(options.output, file.read_header().scene_text, options.scene_text);
  start.was_finished = file.is_finished();
  if (!start.was_finished) start.checkpoint = read_checkpoint(checkpoint_path(options.output));
  if (!start.was_finished && !start.checkpoint)
    log_info("{}: stopped before its first checkpoint, starting at the beginning", options.output);
  return start;
}

template <int Dim>
class Run {
 public:
  Run(Scene<Dim> scene, const RunOptions& options)
      : options_(options), simulation_(std::move(scene)), capture_(simulation_.scene().output.fields) {}

  void begin(std::optional<Checkpoint> checkpoint);
  RunOutcome advance();
  RunResult end(RunOutcome outcome);
  const Simulation<Dim>& simulation() const { return simulation_; }

 private:
  void build_measurer();
  void add_frame();
  void add_measures();
  void replay_measures();
  void after_step();
  void save_checkpoint();
  void show(Progress& progress, const StepReport& report) const;
  double output_seconds() const { return output_before_ + output_cpu_; }

  const RunOptions& options_;
  Stopwatch wall_{Clock::wall};
  Simulation<Dim> simulation_;
  TrajectoryCapture<Dim> capture_;
  std::optional<TrajectoryWriter> writer_;
  std::optional<Measurer<Dim>> measurer_;
  std::optional<StopMonitor> monitor_;
  Snapshot<Dim> snapshot_;
  TrajectoryData measured_;  // one row
  std::string stopped_;      // why, empty: it was not
  FrameFigures figures_;
  std::int64_t frames_ = 0, first_step_ = 0;
  double output_before_ = 0, output_cpu_ = 0;
  double last_checkpoint_ = seconds(Clock::wall), checkpoint_cost_ = 0;
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
  const std::string saved = checkpoint_path(options_.output);
  build_measurer();
  if (!checkpoint) {
    // An old checkpoint must be gone before its trajectory is.
    remove_file(saved);
    TrajectoryHeader header = build_header(simulation_, options_.scene_text, options_.program);
    header.measures = measurer_->columns();
    writer_.emplace(TrajectoryWriter::create(options_.output, header));
    add_frame();
    writer_->flush();
    return;
  }
  refuse_changed_scene(saved, checkpoint->scene_text, options_.scene_text);
  simulation_.restore(checkpoint->state);
  writer_.emplace(TrajectoryWriter::resume(options_.output, checkpoint->frames, simulation_.steps()));
  capture_.load(writer_->file());
  replay_measures();
  measurer_->restore(checkpoint->measures);
  frames_ = checkpoint->frames;
  figures_ = checkpoint->figures;
  output_before_ = checkpoint->output_seconds;
  first_step_ = simulation_.steps();
  log_info("{}: going on at step {}, t = {:g} s", options_.output, first_step_, simulation_.time());
}

template <int Dim>
void Run<Dim>::add_frame() {
  capture_.capture(simulation_, figures_, [&](TrajectoryData&& rows) { writer_->add(std::move(rows)); });
  figures_ = {};
  ++frames_;
}

template <int Dim>
void Run<Dim>::add_measures() {
  clear(measured_);
  take_snapshot(simulation_, snapshot_);
  measured_.measure_step.push_back(simulation_.steps());
  measured_.measure_time.push_back(simulation_.time());
  measurer_->measure(snapshot_, measured_.measure_values);
  stopped_ = monitor_->update(simulation_.time(), measured_.measure_values);
  writer_->add(measured_);
}

// What the conditions to stop saw before the checkpoint.
template <int Dim>
void Run<Dim>::replay_measures() {
  const TrajectoryFile& file = writer_->file();
  const std::size_t width = measurer_->columns().size();
  TrajectoryData past;
  file.read(Rows::measure, 0, file.rows(Rows::measure), past);
  file.read(Rows::measure_value, 0, file.rows(Rows::measure_value), past);
  for (std::size_t row = 0; row < past.measure_step.size(); ++row)
    monitor_->update(past.measure_time[row], std::span(past.measure_values).subspan(row * width, width));
}

template <int Dim>
void Run<Dim>::save_checkpoint() {
  const Stopwatch cost(Clock::wall);
  writer_->flush();
  write_checkpoint(checkpoint_path(options_.output),
                   {frames_, output_seconds(), figures_, options_.scene_text, measurer_->memory()},
                   [&](const ByteSink& sink) { simulation_.save(sink); });
  checkpoint_cost_ = cost.seconds();
  last_checkpoint_ = seconds(Clock::wall);
}

template <int Dim>
void Run<Dim>::after_step() {
  const Stopwatch cpu(Clock::process_cpu);
  const Scene<Dim>& scene = simulation_.scene();
  const std::int64_t step = simulation_.steps();
  if (!scene.measures.empty() && (simulation_.finished() || step % scene.output.measure_every == 0))
    add_measures();
  if (simulation_.finished() || !stopped_.empty() || is_due(scene.output.every, scene.scheme.h, step))
    add_frame();
  const double since = seconds(Clock::wall) - last_checkpoint_;
  const bool asked =
      scene.output.checkpoint_every > 0 && is_due(scene.output.checkpoint_every, scene.scheme.h, step);
  if (asked || since >= std::max(kCheckpointInterval, kCostFactor * checkpoint_cost_))
    save_checkpoint();
  else if (writer_->is_due())
    writer_->flush();
  output_cpu_ += cpu.seconds();
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
    figures_.add(report);
    after_step();
    if (report.status == StepStatus::not_finite) return RunOutcome::not_finite;
    if (options_.show_progress) show(progress, report);
    if (!stopped_.empty()) break;
  }
  return RunOutcome::finished;
}

template <int Dim>
RunResult Run<Dim>::end(RunOutcome outcome) {
  const bool interrupted = outcome == RunOutcome::interrupted;
  const Stopwatch cpu(Clock::process_cpu);
  writer_->flush();
  output_cpu_ += cpu.seconds();
  const SummaryContext context{options_.program, options_.output, name(outcome), frames_,
                               output_seconds(), wall_.seconds(), stopped_};
  RunResult result{outcome, first_step_, frames_, format_summary(simulation_, context)};
  if (interrupted) save_checkpoint();
  writer_->finish(!interrupted, result.summary);
  if (!interrupted) remove_file(checkpoint_path(options_.output));
  return result;
}

}  // namespace

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
RunResult run_to_file(Scene<Dim> scene, const RunOptions& options,
                      const std::function<void(const Simulation<Dim>&)>& at_end) {
  const OutputLock lock(options.output);
  Start start = find_start(options);
  if (start.was_finished) {
    const TrajectoryFile file = TrajectoryFile::open(options.output, TrajectoryFile::Mode::read);
    return {RunOutcome::was_finished, 0, file.frames(), file.read_summary()};
  }
  Run<Dim> run(std::move(scene), options);
  run.begin(std::move(start.checkpoint));
  RunResult result = run.end(run.advance());
  // An end state that a study takes for a sample must not be that of a run stopped on its way.
  if (at_end && result.outcome == RunOutcome::finished) at_end(run.simulation());
  return result;
}

template RunResult run_to_file<2>(Scene<2>, const RunOptions&,
                                  const std::function<void(const Simulation<2>&)>&);
template RunResult run_to_file<3>(Scene<3>, const RunOptions&,
                                  const std::function<void(const Simulation<3>&)>&);

}  // namespace saltus
