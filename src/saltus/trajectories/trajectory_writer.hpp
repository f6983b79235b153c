// Writes the trajectory of a run so that the file is whole whenever the process dies.
//
// An HDF5 file that is being changed cannot be read: metadata in the middle of it is overwritten. So there
// are two files, PATH and PATH.next. Frames wait in memory, large ones in PATH.next; `flush` brings PATH.next
// up to date, all of it on disk, and then exchanges the two names in one operation of the file system. PATH
// is therefore a whole file with all frames of the last flush, at every moment. A flush costs what its frames
// cost (each is written twice, once to each file), not what the file holds; while a run goes on it takes
// twice the room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "saltus/trajectories/trajectory_file.hpp"

namespace saltus {

class TrajectoryWriter {
 public:
  // A new file in place of whatever was there. Throws OutputError.
  static TrajectoryWriter create(const std::string& path, const TrajectoryHeader& header);
  // Goes on with a file, after its first `frames` and the measures up to `step`, under a scene whose end may
  // be another. Throws InputError when it is no trajectory or has fewer frames.
  static TrajectoryWriter resume(const std::string& path, std::int64_t frames, std::int64_t step,
                                 const std::string& scene_text);

  TrajectoryWriter(TrajectoryWriter&&) noexcept = default;
  TrajectoryWriter& operator=(TrajectoryWriter&&) = delete;
  ~TrajectoryWriter();  // without `finish`: PATH stays as the last flush left it

  void add(const TrajectoryData& rows);
  // The same; the rows may be taken in exchange for the memory of rows long written.
  void add(TrajectoryData&& rows);
  // Enough waits in memory, or for long enough: a second, and twenty times what the last flush took.
  bool is_due() const;
  void flush();
  // Last flush, with the outcome of the run; PATH.next goes away. Nothing can be added after it.
  void finish(const TrajectoryFile::Outcome& outcome);

  const TrajectoryFile& file() const { return *front_; }  // as of the last flush

 private:
  TrajectoryWriter(TrajectoryFile front, TrajectoryFile back);
  void update_back();
  void copy_to_back();  // the rows that only front_ has
  void publish();

  std::string path_, next_;
  std::optional<TrajectoryFile> front_, back_;  // behind PATH and PATH.next
  TrajectoryData pending_;                      // in neither file
  TrajectoryData lag_;                          // in front_ only
  bool spilled_ = false;                        // back_ has rows that were too many to wait
  double last_flush_ = 0, last_cost_ = 0;       // s, wall clock
};

// A run writes files beside its output: PATH.next, PATH.checkpoint, PATH.lock, with their unfinished states. InputError when
// one of them is there that no run has left: a link, or another content than these have.
void refuse_foreign_files(const std::string& path);

}  // namespace saltus
