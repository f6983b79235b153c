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
inline constexpr int kTrajectoryVersion = 2;  // that is written; version 1 is read too

struct TrajectoryData {
  using Reals = std::vector<double>;
  using Integers = std::vector<std::int64_t>;

  // One row per frame. `begin` and `count` say which rows of bodies, contacts... are the frame's.
  Integers step, body_begin, body_count, contact_begin, contact_count;
  Integers coordinate_begin, coordinate_count, joint_begin, joint_count;
  Integers node_begin, node_count, cell_begin, cell_count;
  Reals time;
  // Energies, J: stored ones at the time of the frame, work done on the bodies since the start of the run.
  Reals kinetic, potential, elastic_stored;
  Reals hardening_stored, plastic, viscous;
  Reals gravity, forces, drives, damping, gyroscopic, impact, friction, elastic, cohesion, joints, projection,
      scheme, defect;
  // Of the steps since the frame before: sums, and the worst of each figure.
  Integers steps, iterations, contact_updates, unconverged_steps, step_status;
  Reals tolerance, residual_rms, residual_max, residual_rms_gh, residual_max_gh;
  Reals momentum, energy_defect, penetration, penetration_solver, penetration_relative, inertia_ratio;

  // One row per body and frame.
  Integers id;
  Reals position;  // 2D x, y, angle; 3D x, y, z and the quaternion w, x, y, z
  Reals velocity;  // of the centre of mass, then spin, world axes

  // One row per contact and frame.
  Integers a, b, feature, status, bonded;
  Reals point, axes, gap, impulse, moment, relative_velocity, contact_residual;

  // One row per generalised coordinate and frame, system after system.
  Integers coordinate_system;
  Reals coordinate, coordinate_velocity;

  // One row per joint and frame.
  Integers joint;  // which of the scene
  Reals joint_point, joint_point_b, joint_value, joint_rate, joint_effort, joint_gap, joint_row,
      joint_motor_work, joint_impulse, joint_moment;

  // One row per system of the scene. A mesh is `nodes` and `elements` from its `begin` on; its coordinates are
  // the displacements of its nodes. Systems without nodes have no place in space.
  Integers system_coordinates, system_node_begin, system_node_count;
  Integers system_element_begin, system_element_count;
  Reals node;        // where it is without stress
  Integers element;  // its nodes, counted from the first of the system

  // The finite elements that these simplices are parts of: VTK's number of their kind, their nodes one cell after the other.
  Integers system_cell_begin, system_cell_count;
  Integers system_kinematics, system_plane;  // as in fem/continuum_options.hpp; -1: not a body of elements
  Integers element_cell;                     // counted from the first of the system
  Integers cell_type, cell_nodes;            // nodes counted from the first of the system
  Reals cell_volume;                         // m3, without stress
  // One row per side of a named surface: which of TrajectoryHeader::surface_names; corners, then middles, -1: none.
  Integers side_system, side_surface, side_nodes;

  // One row per node of a mesh and frame, and per cell and frame, system after system (sim/system_mesh.hpp).
  Reals node_stress, node_strain, node_plastic_strain, node_reaction;
  Reals cell_stress, cell_strain, cell_plastic_strain;

  // One row per joint of the scene: ids of its bodies, -1: the world.
  Integers joint_a, joint_b;

  // One row per body that was ever in a frame, in order of appearance.
  Integers body_id, body_shape, body_scene_index, body_fixed;
  Reals body_mass;
  Integers body_prescribed;
  Integers body_system;    // whose surface it follows, without mass; -1: it moves by itself
  Integers body_material;  // which of TrajectoryHeader::materials

  // One row per different shape; `shape_numbers` is a pool that begin and count point into.
  Integers shape_kind, shape_begin, shape_count;
  Reals shape_numbers;

  // One row of measures every few steps; `measure_values` holds as many numbers per row as the header names.
  Integers measure_step;
  Reals measure_time, measure_values;

  std::int64_t frames() const { return static_cast<std::int64_t>(step.size()); }
};

// What the rows of a column count.
enum class Rows {
  frame,
  body,
  contact,
  model,
  shape,
  number,
  measure,
  measure_value,
  coordinate,
  joint,
  system,
  node,
  element,
  joint_model,
  cell,
  cell_node,
  side,
  node_value,
  cell_value
};
inline constexpr int kRowKinds = 19;

struct TrajectoryColumn {
  const char* path;   // of the dataset
  const char* field;  // the name in output.fields that asks for it; "": always there
  Rows rows;
  int width_2d, width_3d;
  std::variant<TrajectoryData::Reals TrajectoryData::*, TrajectoryData::Integers TrajectoryData::*> data;
  enum class Storage {
    real,
    single,
    integer,
    unsigned64,
    shape_kind,
    contact_status,
    step_status,
    flag
  } storage;
  int since = 1;           // version of the format: files of earlier ones may lack it
  bool of_meshes = false;  // files of scenes without meshes lack it

  int width(int dimension) const { return dimension == 2 ? width_2d : width_3d; }
  bool is_real() const { return data.index() == 0; }
};

const std::vector<TrajectoryColumn>& trajectory_columns();

// The names output.fields may hold.
const std::vector<std::string>& trajectory_fields();

// True when the column is written for this choice of fields (empty: all).
bool is_chosen(const TrajectoryColumn& column, const std::vector<std::string>& fields);
// True when a column of such rows is.
bool is_chosen(Rows rows, const std::vector<std::string>& fields);

// Rows held of a kind (of its first column).
std::int64_t row_count(const TrajectoryData& data, Rows rows, int dimension);
std::int64_t byte_count(const TrajectoryData& data);

// Adds the rows of `more`; row numbers inside it (begin columns) must count from where `data` ends or be
// absolute already: they are not changed.
void append(const TrajectoryData& more, TrajectoryData& data);

// Removes all rows, keeps the memory.
void clear(TrajectoryData& data);

}  // namespace saltus
