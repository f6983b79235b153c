// A trajectory that is written while Python steps a simulation.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "measured.hpp"
#include "saltus/files/output_lock.hpp"
#include "saltus/running/run_store.hpp"

namespace saltus::bindings {

// HDF5 is not for several threads: all of it runs with the interpreter's lock held.
template <int Dim>
class Recording {
 public:
  // The present state is its first frame. Frames come every `every` seconds of simulated time, 0: at every step.
  // InputError when the file is there and `force` is not given, OutputError when it cannot be written.
  Recording(const Simulation<Dim>& simulation, const std::string& scene_text,
            const std::vector<std::string>& columns, const std::string& path, double every, bool force);

  // No lock needed: sums figures, and tells whether a frame or a row is due.
  bool after_step(const Simulation<Dim>& simulation, const StepReport& report, const Measured<Dim>& measured);
  void write(const Simulation<Dim>& simulation, const Measured<Dim>& measured);
  // Whole on disk; the number of frames.
  std::int64_t finish(const Simulation<Dim>& simulation, const Measured<Dim>& measured,
                      const std::string& failure);

 private:
  std::string path_;
  double every_;
  OutputLock lock_;
  std::unique_ptr<RunStore<Dim>> store_;
  RunFigures figures_;
  std::int64_t first_step_ = 0, last_frame_ = 0, last_row_ = -1;
};

}  // namespace saltus::bindings
