#include "saltus/trajectories/trajectory_data.hpp"

#include <algorithm>

namespace saltus {

namespace {

using D = TrajectoryData;
using Storage = TrajectoryColumn::Storage;

std::vector<TrajectoryColumn> build_columns() {
  return {
      {"/frames/step", "", Rows::frame, 1, 1, &D::step, Storage::integer},
      {"/frames/time", "", Rows::frame, 1, 1, &D::time, Storage::real},
      {"/frames/body_begin", "", Rows::frame, 1, 1, &D::body_begin, Storage::integer},
      {"/frames/body_count", "", Rows::frame, 1, 1, &D::body_count, Storage::integer},
      {"/frames/contact_begin", "", Rows::frame, 1, 1, &D::contact_begin, Storage::integer},
      {"/frames/contact_count", "", Rows::frame, 1, 1, &D::contact_count, Storage::integer},

      {"/frames/coordinate_begin", "", Rows::frame, 1, 1, &D::coordinate_begin, Storage::integer, 2},
      {"/frames/coordinate_count", "", Rows::frame, 1, 1, &D::coordinate_count, Storage::integer, 2},
      {"/frames/joint_begin", "", Rows::frame, 1, 1, &D::joint_begin, Storage::integer, 2},
      {"/frames/joint_count", "", Rows::frame, 1, 1, &D::joint_count, Storage::integer, 2},

      {"/frames/node_begin", "", Rows::frame, 1, 1, &D::node_begin, Storage::integer, 3, true},
      {"/frames/node_count", "", Rows::frame, 1, 1, &D::node_count, Storage::integer, 3, true},
      {"/frames/cell_begin", "", Rows::frame, 1, 1, &D::cell_begin, Storage::integer, 3, true},
      {"/frames/cell_count", "", Rows::frame, 1, 1, &D::cell_count, Storage::integer, 3, true},

      {"/energy/kinetic", "energies", Rows::frame, 1, 1, &D::kinetic, Storage::real},
      {"/energy/potential", "energies", Rows::frame, 1, 1, &D::potential, Storage::real},
      {"/energy/elastic_stored", "energies", Rows::frame, 1, 1, &D::elastic_stored, Storage::real},
      {"/energy/gravity", "energies", Rows::frame, 1, 1, &D::gravity, Storage::real},
      {"/energy/forces", "energies", Rows::frame, 1, 1, &D::forces, Storage::real},
      {"/energy/drives", "energies", Rows::frame, 1, 1, &D::drives, Storage::real},
      {"/energy/damping", "energies", Rows::frame, 1, 1, &D::damping, Storage::real},
      {"/energy/hardening_stored", "energies", Rows::frame, 1, 1, &D::hardening_stored, Storage::real, 3},
      {"/energy/plastic", "energies", Rows::frame, 1, 1, &D::plastic, Storage::real, 3},
      {"/energy/viscous", "energies", Rows::frame, 1, 1, &D::viscous, Storage::real, 3},
      {"/energy/gyroscopic", "energies", Rows::frame, 1, 1, &D::gyroscopic, Storage::real},
      {"/energy/impact", "energies", Rows::frame, 1, 1, &D::impact, Storage::real},
      {"/energy/friction", "energies", Rows::frame, 1, 1, &D::friction, Storage::real},
      {"/energy/elastic", "energies", Rows::frame, 1, 1, &D::elastic, Storage::real},
      {"/energy/cohesion", "energies", Rows::frame, 1, 1, &D::cohesion, Storage::real},
      {"/energy/joints", "energies", Rows::frame, 1, 1, &D::joints, Storage::real, 2},
      {"/energy/projection", "energies", Rows::frame, 1, 1, &D::projection, Storage::real, 3},
      {"/energy/scheme", "energies", Rows::frame, 1, 1, &D::scheme, Storage::real},
      {"/energy/defect", "energies", Rows::frame, 1, 1, &D::defect, Storage::real},

      {"/solver/steps", "solver", Rows::frame, 1, 1, &D::steps, Storage::integer},
      {"/solver/iterations", "solver", Rows::frame, 1, 1, &D::iterations, Storage::integer},
      {"/solver/contact_updates", "solver", Rows::frame, 1, 1, &D::contact_updates, Storage::integer},
      {"/solver/unconverged_steps", "solver", Rows::frame, 1, 1, &D::unconverged_steps, Storage::integer},
      {"/solver/status", "solver", Rows::frame, 1, 1, &D::step_status, Storage::step_status},
      {"/solver/tolerance", "solver", Rows::frame, 1, 1, &D::tolerance, Storage::real},
      {"/solver/residual_rms", "solver", Rows::frame, 1, 1, &D::residual_rms, Storage::real},
      {"/solver/residual_max", "solver", Rows::frame, 1, 1, &D::residual_max, Storage::real},
      {"/solver/residual_rms_gh", "solver", Rows::frame, 1, 1, &D::residual_rms_gh, Storage::real},
      {"/solver/residual_max_gh", "solver", Rows::frame, 1, 1, &D::residual_max_gh, Storage::real},
      {"/solver/momentum", "solver", Rows::frame, 1, 1, &D::momentum, Storage::real},
      {"/solver/energy_defect", "solver", Rows::frame, 1, 1, &D::energy_defect, Storage::real},
      {"/solver/penetration", "solver", Rows::frame, 1, 1, &D::penetration, Storage::real},
      {"/solver/penetration_solver", "solver", Rows::frame, 1, 1, &D::penetration_solver, Storage::real},
      {"/solver/penetration_relative", "", Rows::frame, 1, 1, &D::penetration_relative, Storage::real, 2},
      {"/solver/inertia_ratio", "solver", Rows::frame, 1, 1, &D::inertia_ratio, Storage::real, 3},

      {"/bodies/id", "", Rows::body, 1, 1, &D::id, Storage::integer},
      {"/bodies/position", "positions", Rows::body, 3, 7, &D::position, Storage::real},
      {"/bodies/velocity", "velocities", Rows::body, 3, 6, &D::velocity, Storage::real},

      {"/contacts/a", "contacts", Rows::contact, 1, 1, &D::a, Storage::integer},
      {"/contacts/b", "contacts", Rows::contact, 1, 1, &D::b, Storage::integer},
      {"/contacts/feature", "contacts", Rows::contact, 1, 1, &D::feature, Storage::unsigned64},
      {"/contacts/status", "contacts", Rows::contact, 1, 1, &D::status, Storage::contact_status},
      {"/contacts/bonded", "contacts", Rows::contact, 1, 1, &D::bonded, Storage::flag},
      {"/contacts/point", "points", Rows::contact, 2, 3, &D::point, Storage::real},
      {"/contacts/frame", "frames", Rows::contact, 4, 9, &D::axes, Storage::real},
      {"/contacts/gap", "gaps", Rows::contact, 1, 1, &D::gap, Storage::real},
      {"/contacts/impulse", "impulses", Rows::contact, 2, 3, &D::impulse, Storage::real},
      {"/contacts/moment", "impulses", Rows::contact, 1, 3, &D::moment, Storage::real},
      {"/contacts/velocity", "relative_velocities", Rows::contact, 2, 3, &D::relative_velocity,
       Storage::real},
      {"/contacts/residual", "residuals", Rows::contact, 1, 1, &D::contact_residual, Storage::single, 3},

      {"/coordinates/system", "", Rows::coordinate, 1, 1, &D::coordinate_system, Storage::integer, 2},
      {"/coordinates/position", "positions", Rows::coordinate, 1, 1, &D::coordinate, Storage::real, 2},
      {"/coordinates/velocity", "velocities", Rows::coordinate, 1, 1, &D::coordinate_velocity, Storage::real,
       2},

      {"/joints/joint", "", Rows::joint, 1, 1, &D::joint, Storage::integer, 2},
      {"/joints/point", "joints", Rows::joint, 2, 3, &D::joint_point, Storage::real, 2},
      {"/joints/point_b", "joints", Rows::joint, 2, 3, &D::joint_point_b, Storage::real, 2},
      {"/joints/value", "joints", Rows::joint, 3, 3, &D::joint_value, Storage::real, 2},
      {"/joints/rate", "joints", Rows::joint, 3, 3, &D::joint_rate, Storage::real, 2},
      {"/joints/effort", "joints", Rows::joint, 3, 3, &D::joint_effort, Storage::real, 2},
      {"/joints/row", "joints", Rows::joint, 1, 1, &D::joint_row, Storage::real, 2},
      {"/joints/motor_work", "joints", Rows::joint, 1, 1, &D::joint_motor_work, Storage::real, 2},
      {"/joints/gap", "joints", Rows::joint, 1, 1, &D::joint_gap, Storage::real, 2},
      {"/joints/impulse", "joints", Rows::joint, 2, 3, &D::joint_impulse, Storage::real, 2},
      {"/joints/moment", "joints", Rows::joint, 1, 3, &D::joint_moment, Storage::real, 2},

      {"/systems/coordinates", "", Rows::system, 1, 1, &D::system_coordinates, Storage::integer, 2},
      {"/systems/node_begin", "", Rows::system, 1, 1, &D::system_node_begin, Storage::integer, 2},
      {"/systems/node_count", "", Rows::system, 1, 1, &D::system_node_count, Storage::integer, 2},
      {"/systems/element_begin", "", Rows::system, 1, 1, &D::system_element_begin, Storage::integer, 2},
      {"/systems/element_count", "", Rows::system, 1, 1, &D::system_element_count, Storage::integer, 2},
      {"/systems/nodes", "", Rows::node, 2, 3, &D::node, Storage::real, 2},
      {"/systems/elements", "", Rows::element, 3, 4, &D::element, Storage::integer, 2},
      {"/systems/cell_begin", "", Rows::system, 1, 1, &D::system_cell_begin, Storage::integer, 3, true},
      {"/systems/cell_count", "", Rows::system, 1, 1, &D::system_cell_count, Storage::integer, 3, true},
      {"/systems/kinematics", "", Rows::system, 1, 1, &D::system_kinematics, Storage::integer, 3},
      {"/systems/plane", "", Rows::system, 1, 1, &D::system_plane, Storage::integer, 3},
      {"/systems/element_cell", "", Rows::element, 1, 1, &D::element_cell, Storage::integer, 3, true},
      {"/systems/cell_type", "", Rows::cell, 1, 1, &D::cell_type, Storage::integer, 3, true},
      {"/systems/cell_volume", "", Rows::cell, 1, 1, &D::cell_volume, Storage::real, 3, true},
      {"/systems/cell_nodes", "", Rows::cell_node, 1, 1, &D::cell_nodes, Storage::integer, 3, true},
      {"/systems/side_system", "", Rows::side, 1, 1, &D::side_system, Storage::integer, 3, true},
      {"/systems/side_surface", "", Rows::side, 1, 1, &D::side_surface, Storage::integer, 3, true},
      {"/systems/side_nodes", "", Rows::side, 3, 8, &D::side_nodes, Storage::integer, 3, true},

      {"/nodes/stress", "stresses", Rows::node_value, 4, 6, &D::node_stress, Storage::real, 3, true},
      {"/nodes/strain", "strains", Rows::node_value, 4, 6, &D::node_strain, Storage::real, 3, true},
      {"/nodes/plastic_strain", "plastic_strains", Rows::node_value, 1, 1, &D::node_plastic_strain,
       Storage::real, 3, true},
      {"/nodes/reaction", "reactions", Rows::node_value, 2, 3, &D::node_reaction, Storage::real, 3, true},
      {"/cells/stress", "stresses", Rows::cell_value, 4, 6, &D::cell_stress, Storage::real, 3, true},
      {"/cells/strain", "strains", Rows::cell_value, 4, 6, &D::cell_strain, Storage::real, 3, true},
      {"/cells/plastic_strain", "plastic_strains", Rows::cell_value, 1, 1, &D::cell_plastic_strain,
       Storage::real, 3, true},

      {"/joint_models/a", "", Rows::joint_model, 1, 1, &D::joint_a, Storage::integer, 2},
      {"/joint_models/b", "", Rows::joint_model, 1, 1, &D::joint_b, Storage::integer, 2},

      {"/models/id", "", Rows::model, 1, 1, &D::body_id, Storage::integer},
      {"/models/shape", "", Rows::model, 1, 1, &D::body_shape, Storage::integer},
      {"/models/scene_index", "", Rows::model, 1, 1, &D::body_scene_index, Storage::integer},
      {"/models/fixed", "", Rows::model, 1, 1, &D::body_fixed, Storage::flag},
      {"/models/mass", "", Rows::model, 1, 1, &D::body_mass, Storage::real},
      {"/models/prescribed", "", Rows::model, 1, 1, &D::body_prescribed, Storage::flag, 2},

      {"/models/system", "", Rows::model, 1, 1, &D::body_system, Storage::integer, 2},
      {"/models/material", "", Rows::model, 1, 1, &D::body_material, Storage::integer, 3},

      {"/shapes/kind", "", Rows::shape, 1, 1, &D::shape_kind, Storage::shape_kind},
      {"/shapes/begin", "", Rows::shape, 1, 1, &D::shape_begin, Storage::integer},
      {"/shapes/count", "", Rows::shape, 1, 1, &D::shape_count, Storage::integer},
      {"/shapes/numbers", "", Rows::number, 1, 1, &D::shape_numbers, Storage::real},

      {"/measures/step", "", Rows::measure, 1, 1, &D::measure_step, Storage::integer, 2},
      {"/measures/time", "", Rows::measure, 1, 1, &D::measure_time, Storage::real, 2},
      {"/measures/values", "", Rows::measure_value, 1, 1, &D::measure_values, Storage::real, 2},
  };
}

// The field whose rows the other contact fields belong to.
constexpr const char* kContacts = "contacts";

bool is_always(const TrajectoryColumn& column) { return !*column.field; }

bool holds(const std::vector<std::string>& fields, const std::string& wanted) {
  return std::find(fields.begin(), fields.end(), wanted) != fields.end();
}

}  // namespace

const std::vector<TrajectoryColumn>& trajectory_columns() {
  static const std::vector<TrajectoryColumn> columns = build_columns();
  return columns;
}

const std::vector<std::string>& trajectory_fields() {
  static const std::vector<std::string> fields = [] {
    std::vector<std::string> found;
    for (const TrajectoryColumn& column : trajectory_columns())
      if (!is_always(column) && !holds(found, column.field)) found.emplace_back(column.field);
    return found;
  }();
  return fields;
}

bool is_chosen(const TrajectoryColumn& column, const std::vector<std::string>& fields) {
  if (fields.empty() || is_always(column) || holds(fields, column.field)) return true;
  if (std::string(column.field) != kContacts) return false;
  // Any column of the contacts needs the pairs it is about.
  return std::any_of(trajectory_columns().begin(), trajectory_columns().end(),
                     [&](const TrajectoryColumn& other) {
                       return other.rows == Rows::contact && holds(fields, other.field);
                     });
}

bool is_chosen(Rows rows, const std::vector<std::string>& fields) {
  const auto& all = trajectory_columns();
  return std::any_of(all.begin(), all.end(), [&](const TrajectoryColumn& column) {
    return column.rows == rows && is_chosen(column, fields);
  });
}

std::int64_t row_count(const TrajectoryData& data, Rows rows, int dimension) {
  for (const TrajectoryColumn& column : trajectory_columns())
    if (column.rows == rows)
      return std::visit([&](auto member) { return static_cast<std::int64_t>((data.*member).size()); },
                        column.data) /
             column.width(dimension);
  return 0;
}

std::int64_t byte_count(const TrajectoryData& data) {
  std::size_t numbers = 0;
  for (const TrajectoryColumn& column : trajectory_columns())
    numbers += std::visit([&](auto member) { return (data.*member).size(); }, column.data);
  return static_cast<std::int64_t>(numbers * sizeof(double));
}

void append(const TrajectoryData& more, TrajectoryData& data) {
  for (const TrajectoryColumn& column : trajectory_columns())
    std::visit(
        [&](auto member) {
          (data.*member).insert((data.*member).end(), (more.*member).begin(), (more.*member).end());
        },
        column.data);
}

void clear(TrajectoryData& data) {
  for (const TrajectoryColumn& column : trajectory_columns())
    std::visit([&](auto member) { (data.*member).clear(); }, column.data);
}

}  // namespace saltus
