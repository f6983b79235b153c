// Where a run puts what it makes: a trajectory with its checkpoints, or nowhere but its measures in memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "saltus/trajectories/checkpoint_file.hpp"
#include "saltus/trajectories/trajectory_capture.hpp"

namespace saltus {

// What a run knows of itself besides its state.
struct RunFigures {
  FrameFigures since_frame;
  double output_seconds = 0;                      // CPU time spent on output so far
  std::function<std::vector<double>()> measures;  // what measures remember (Measurer::memory)
};

template <int Dim>
class RunStore {
 public:
  virtual ~RunStore() = default;

  virtual void add_frame(const Simulation<Dim>& simulation, const FrameFigures& figures) = 0;
  virtual void add_measures(const TrajectoryData& row) = 0;
  virtual TrajectoryData read_measures() const = 0;  // all so far
  // After every step: brings to the disk what has waited for long. `is_asked`: the scene asks for a
  // checkpoint now.
  virtual void keep_up(const Simulation<Dim>& simulation, const RunFigures& figures, bool is_asked) = 0;
  virtual void flush() = 0;
  virtual std::int64_t frames() const = 0;

  struct End {
    bool finished = false;
    bool interrupted = false;
    std::string failure;  // why the run could not go on; empty: it did not fail
    std::string summary;
  };
  virtual void finish(const Simulation<Dim>& simulation, const RunFigures& figures, const End& end) = 0;
};

struct StorePlan {
  std::string path;  // empty: nothing is stored
  TrajectoryHeader header;
  bool resume = false;  // go on after the first `frames`; else a new file
  std::int64_t frames = 0;
  bool keep_measures = true;  // where nothing is stored: read_measures tells the rows, else none
};

// `simulation` is at the state of the checkpoint, or at its start. Throws InputError and OutputError.
template <int Dim>
std::unique_ptr<RunStore<Dim>> open_store(const Simulation<Dim>& simulation, StorePlan plan);

}  // namespace saltus
