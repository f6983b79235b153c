// One trajectory file in HDF5: frames are added at its end or taken off it, rows are read back. It is
// whole on disk after `create`, `flush` and `close`, and only then: see TrajectoryWriter for how a run that
// may be killed uses two of them.
//
// Writing throws OutputError, opening and reading InputError.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "saltus/base/byte_sink.hpp"
#include "saltus/systems/system_names.hpp"
#include "saltus/trajectories/trajectory_data.hpp"

namespace saltus {

// What does not change from frame to frame.
struct TrajectoryHeader {
  int dimension = 2;
  std::string name, title, scene_text, program;
  double h = 0;                                        // s, length of a step
  std::vector<double> gravity, period;                 // one number per direction
  std::vector<std::string> fields;                     // chosen ones; empty: all
  std::vector<std::string> body_names;                 // by index in the scene
  std::vector<std::string> materials;                  // of contacts, those of its bodies; older files: none
  std::vector<std::string> measures;                   // names of the numbers in a row of measures
  std::vector<std::string> system_names, joint_names;  // in the order of the scene
  std::vector<SystemNames> coordinate_names;           // of each system; none: numbers only
  bool has_meshes = false;                             // of deformable bodies
  std::vector<std::string> surface_names;              // of their named surfaces, each once
};

class TrajectoryFile {
 public:
  TrajectoryFile(TrajectoryFile&&) noexcept;
  TrajectoryFile& operator=(TrajectoryFile&&) noexcept;
  ~TrajectoryFile();

  // `shown` is the name in messages, `path` itself when empty.
  static TrajectoryFile create(const std::string& path, const TrajectoryHeader& header,
                               const std::string& shown = {});
  enum class Mode { read, write };
  static TrajectoryFile open(const std::string& path, Mode mode, const std::string& shown = {});

  const std::string& path() const { return path_; }  // as shown
  int dimension() const { return dimension_; }
  int version() const { return version_; }  // of the format
  std::int64_t rows(Rows kind) const { return rows_[static_cast<std::size_t>(kind)]; }
  std::int64_t frames() const { return rows(Rows::frame); }
  bool has(const TrajectoryColumn& column) const;

  void append(const TrajectoryData& data);
  // Keeps the first frames, and the measures up to a step; bodies and shapes stay known.
  void truncate(std::int64_t frames, std::int64_t step);
  // How a run ended. One that goes on, or was interrupted, has the outcome {}.
  struct Outcome {
    bool finished = false;
    std::string summary;  // JSON
    std::string failure;  // why the run could not go on; empty: it did not fail
    std::function<void(const ByteSink&)>
        save;  // gives the last state (trajectories/checkpoint_file.hpp); empty: none
  };
  void set_outcome(const Outcome& outcome);
  void set_scene_text(const std::string& text);
  void flush();
  void close();

  TrajectoryHeader read_header() const;
  bool is_finished() const;
  std::string read_summary() const;           // JSON; empty when the run was killed
  std::string read_failure() const;           // empty: the run did not fail
  std::vector<std::byte> read_state() const;  // empty: none is kept
  // Adds rows [begin, begin + count) of every column of that kind to `data`.
  void read(Rows kind, std::int64_t begin, std::int64_t count, TrajectoryData& data) const;

 private:
  struct Handles;  // of the HDF5 library
  explicit TrajectoryFile(std::string path);
  void create_column(std::size_t index);
  void open_columns();
  void check_fields() const;
  void write_header(const TrajectoryHeader& header);
  void read_version();  // and the dimension
  std::string read_text(const std::string& path) const;
  std::vector<std::string> read_optional_texts(const std::string& path) const;
  [[noreturn]] void fail_writing() const;
  [[noreturn]] void fail_reading(const std::string& what) const;

  std::string path_;
  int dimension_ = 2, version_ = kTrajectoryVersion;
  std::unique_ptr<Handles> handles_;
  std::array<std::int64_t, kRowKinds> rows_{};
};

}  // namespace saltus
