// Runs a scene to its end and writes its trajectory: what `saltus run` does, without the command line.
//
//     const RunResult result = run_to_file(scene, {.output = "wall.h5"});
//
// A run that is killed at any moment leaves a readable trajectory and can be resumed to the same bits.
// Throws InputError for what the user got wrong (output that exists, a changed scene) and OutputError when
// output cannot be written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/trajectories/trajectory_data.hpp"

namespace saltus {

struct RunOptions {
  std::string output;      // path of the trajectory; empty: none is written
  std::string scene_text;  // SceneFile::text: kept in the output, compared when a run is resumed
  std::string program = "saltus";
  bool resume = false;  // go on with `output` if it is there, also beyond the end it had
  bool force = false;   // overwrite `output`
  bool show_progress = true;
  bool keep_measures = true;             // without an output: in memory, all rows of the run, for its result
  std::function<bool()> is_interrupted;  // asked after every step; empty: never
};

enum class RunOutcome { finished, interrupted, not_finite, was_finished };
const char* name(RunOutcome outcome);

struct RunResult {
  RunOutcome outcome = RunOutcome::finished;
  std::int64_t first_step = 0;  // where a resumed run went on
  std::int64_t frames = 0;      // in the file
  std::string summary;          // JSON (running/summary.hpp)
  std::string failure;          // not_finite: which body, when, why
  // The rows of measures of a run without an output, if they are kept (with one, they are in it).
  struct Measures {
    std::vector<std::string> columns;
    TrajectoryData rows;
  } measures;
};

// `at_end`, if given, sees the simulation at the end of the run, before the output says that it is finished
// (not when it was interrupted, went wrong or was finished before).
template <int Dim>
RunResult run_to_file(Scene<Dim> scene, const RunOptions& options,
                      const std::function<void(const Simulation<Dim>&)>& at_end = {});

// InputError when a trajectory that is there is of another scene than this, or ends elsewhere.
void check_same_run(const std::string& trajectory, const SceneFile& scene);

}  // namespace saltus
