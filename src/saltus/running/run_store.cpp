#include "saltus/running/run_store.hpp"

#include <algorithm>
#include <utility>

#include "saltus/base/timer.hpp"
#include "saltus/files/trajectory_files.hpp"
#include "saltus/trajectories/trajectory_writer.hpp"

namespace saltus {

namespace {

constexpr double kCheckpointInterval = 5;  // s of wall clock between checkpoints, and
constexpr double kCostFactor = 20;         // times the last cost: at most 5 % of a run

template <int Dim>
class TrajectoryStore : public RunStore<Dim> {
 public:
  TrajectoryStore(const Simulation<Dim>& simulation, StorePlan plan)
      : path_(plan.path), scene_text_(plan.header.scene_text), capture_(plan.header.fields) {
    // What a run that was killed in the middle of a checkpoint left (refuse_foreign_files has looked at it).
    remove_file(checkpoint_path(path_) + ".part");
    if (!plan.resume) {
      // An old checkpoint must be gone before its trajectory is.
      remove_file(checkpoint_path(path_));
      writer_.emplace(TrajectoryWriter::create(path_, plan.header));
      return;
    }
    frames_ = plan.frames;
    writer_.emplace(TrajectoryWriter::resume(path_, frames_, simulation.steps(), scene_text_));
    capture_.load(writer_->file(), static_cast<std::int64_t>(simulation.scene().bodies.size()));
  }

  void add_frame(const Simulation<Dim>& simulation, const FrameFigures& figures) override {
    capture_.capture(simulation, figures, [&](TrajectoryData&& rows) { writer_->add(std::move(rows)); });
    ++frames_;
  }

  void add_measures(const TrajectoryData& row) override { writer_->add(row); }

  TrajectoryData read_measures() const override {
    const TrajectoryFile& file = writer_->file();
    TrajectoryData past;
    for (const Rows rows : {Rows::measure, Rows::measure_value}) file.read(rows, 0, file.rows(rows), past);
    return past;
  }

  void keep_up(const Simulation<Dim>& simulation, const RunFigures& figures, bool is_asked) override {
    const double since = seconds(Clock::wall) - last_checkpoint_;
    if (is_asked || since >= std::max(kCheckpointInterval, kCostFactor * checkpoint_cost_))
      save_checkpoint(simulation, figures);
    else if (writer_->is_due())
      writer_->flush();
  }

  void flush() override { writer_->flush(); }
  std::int64_t frames() const override { return frames_; }

  void finish(const Simulation<Dim>& simulation, const RunFigures& figures,
              const typename RunStore<Dim>::End& end) override {
    if (end.interrupted) save_checkpoint(simulation, figures);
    TrajectoryFile::Outcome outcome{end.finished, end.summary, end.failure, {}};
    if (end.finished)
      outcome.save = [&](const ByteSink& sink) {
        encode_checkpoint(
            header(figures), [&](const ByteSink& state) { simulation.save(state); }, sink);
      };
    writer_->finish(outcome);
    if (!end.interrupted) remove_file(checkpoint_path(path_));
  }

 private:
  CheckpointHeader header(const RunFigures& figures) const {
    return {frames_, figures.output_seconds, figures.since_frame, scene_text_, figures.measures()};
  }

  void save_checkpoint(const Simulation<Dim>& simulation, const RunFigures& figures) {
    const Stopwatch cost(Clock::wall);
    writer_->flush();
    write_checkpoint(checkpoint_path(path_), header(figures),
                     [&](const ByteSink& sink) { simulation.save(sink); });
    checkpoint_cost_ = cost.seconds();
    last_checkpoint_ = seconds(Clock::wall);
  }

  std::string path_, scene_text_;
  TrajectoryCapture<Dim> capture_;
  std::optional<TrajectoryWriter> writer_;
  std::int64_t frames_ = 0;
  double last_checkpoint_ = seconds(Clock::wall), checkpoint_cost_ = 0;
};

template <int Dim>
class NoStore : public RunStore<Dim> {
 public:
  explicit NoStore(bool keep_measures) : keep_measures_(keep_measures) {}

  void add_frame(const Simulation<Dim>&, const FrameFigures&) override {}
  void add_measures(const TrajectoryData& row) override {
    if (keep_measures_) append(row, measures_);
  }
  TrajectoryData read_measures() const override { return measures_; }
  void keep_up(const Simulation<Dim>&, const RunFigures&, bool) override {}
  void flush() override {}
  std::int64_t frames() const override { return 0; }
  void finish(const Simulation<Dim>&, const RunFigures&, const typename RunStore<Dim>::End&) override {}

 private:
  bool keep_measures_;
  TrajectoryData measures_;
};

}  // namespace

template <int Dim>
std::unique_ptr<RunStore<Dim>> open_store(const Simulation<Dim>& simulation, StorePlan plan) {
  if (plan.path.empty()) return std::make_unique<NoStore<Dim>>(plan.keep_measures);
  return std::make_unique<TrajectoryStore<Dim>>(simulation, std::move(plan));
}

template std::unique_ptr<RunStore<2>> open_store<2>(const Simulation<2>&, StorePlan);
template std::unique_ptr<RunStore<3>> open_store<3>(const Simulation<3>&, StorePlan);

}  // namespace saltus
