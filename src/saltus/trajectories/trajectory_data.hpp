// What a trajectory holds, as columns. One object holds one or several frames: a frame just taken, the
// frames waiting to be written, the frames read back. docs/trajectory.md describes the file.
//
// The table of columns below is the layout of the file: writer and reader walk it and know nothing more.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace saltus {

inline constexpr const char* kTrajectoryFormat = "saltus trajectory";
inline constexpr int kTrajectoryVersion = 1;

struct TrajectoryData {
  using Reals = std::vector<double>;
  using Integers = std::vector<std::int64_t>;

  // One row per frame. `begin` and `count` say which rows of bodies and contacts are the frame's.
  Integers step, body_begin, body_count, contact_begin, contact_count;
  Reals time;
  // Energies, J: stored ones at the time of the frame, work done on the bodies since the start of the run.
  Reals kinetic, potential, elastic_stored;
  Reals gravity, forces, drives, damping, gyroscopic, impact, friction, elastic, cohesion, scheme, defect;
  // Of the steps since the frame before: sums, and the worst of each figure.
  Integers steps, iterations, contact_updates, unconverged_steps, step_status;
  Reals tolerance, residual_rms, residual_max, residual_rms_gh, residual_max_gh;
  Reals momentum, energy_defect, penetration, penetration_solver, penetration_relative;

  // One row per body and frame.
  Integers id;
  Reals position;  // 2D x, y, angle; 3D x, y, z and the quaternion w, x, y, z
  Reals velocity;  // of the centre of mass, then spin, world axes

  // One row per contact and frame.
  Integers a, b, feature, status, bonded;
  Reals point, frame, gap, impulse, moment, relative_velocity;

  // One row per body that was ever in a frame, in order of appearance.
  Integers body_id, body_shape, body_scene_index, body_fixed;
  Reals body_mass;
  Integers body_prescribed;

  // One row per different shape; `shape_numbers` is a pool that begin and count point into.
  Integers shape_kind, shape_begin, shape_count;
  Reals shape_numbers;

  // One row of measures every few steps; `measure_values` holds as many numbers per row as the header names.
  Integers measure_step;
  Reals measure_time, measure_values;

  std::int64_t frames() const { return static_cast<std::int64_t>(step.size()); }
};

// What the rows of a column count.
enum class Rows { frame, body, contact, model, shape, number, measure, measure_value };
inline constexpr int kRowKinds = 8;

struct TrajectoryColumn {
  const char* path;  // of the dataset
  // The name in output.fields that asks for it; "": always there; "*": always written, but missing in files
  // of older programs.
  const char* field;
  Rows rows;
  int width_2d, width_3d;
  std::variant<TrajectoryData::Reals TrajectoryData::*, TrajectoryData::Integers TrajectoryData::*> data;
  enum class Storage { real, integer, unsigned64, shape_kind, contact_status, step_status, flag } storage;

  int width(int dimension) const { return dimension == 2 ? width_2d : width_3d; }
  bool is_real() const { return data.index() == 0; }
};

const std::vector<TrajectoryColumn>& trajectory_columns();

// The names output.fields may hold.
const std::vector<std::string>& trajectory_fields();

// True when the column is written for this choice of fields (empty: all).
bool is_chosen(const TrajectoryColumn& column, const std::vector<std::string>& fields);

// Rows held of a kind (of its first column).
std::int64_t row_count(const TrajectoryData& data, Rows rows, int dimension);
std::int64_t byte_count(const TrajectoryData& data);

// Adds the rows of `more`; row numbers inside it (begin columns) must count from where `data` ends or be
// absolute already: they are not changed.
void append(const TrajectoryData& more, TrajectoryData& data);

// Removes all rows, keeps the memory.
void clear(TrajectoryData& data);

}  // namespace saltus
