#include "saltus/trajectories/trajectory_capture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/trajectories/cell_numbers.hpp"

namespace saltus {

namespace {

template <class Vector>
void put(const Vector& v, std::vector<double>& out) {
  for (int i = 0; i < v.size(); ++i) out.push_back(v[i]);
}

void put_orientation(const Pose<2>& pose, std::vector<double>& out) { out.push_back(pose.angle()); }

void put_orientation(const Pose<3>& pose, std::vector<double>& out) {
  const Eigen::Quaterniond& turn = pose.orientation();
  put(Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z()), out);
}

template <int Dim>
bool is_fixed(const BodyModel<Dim>& model) {
  return std::all_of(model.drive.begin(), model.drive.end(),
                     [](const Drive& drive) { return drive.kind == Drive::Kind::locked; });
}

// Of contacts, in the order in which bodies name them.
template <int Dim>
std::vector<std::string> list_materials(const Scene<Dim>& scene) {
  std::vector<std::string> names;
  const std::string* last = nullptr;
  for (const SceneBody<Dim>& body : scene.bodies) {
    const std::string& name = body.material;
    if (&name != last && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    last = &name;
  }
  return names;
}

template <class From, class To>
void append_all(const From& values, std::vector<To>& column) {
  column.insert(column.end(), values.begin(), values.end());
}

// Names of surfaces in the order in which capture_mesh meets them.
template <int Dim>
void list_surfaces(const SystemMesh<Dim>& mesh, std::vector<std::string>& names) {
  for (const auto& surface : mesh.surfaces)
    if (std::find(names.begin(), names.end(), surface.name) == names.end()) names.push_back(surface.name);
}

void keep_worst(double value, double& worst) { worst = std::max(worst, value); }

}  // namespace

void FrameFigures::add(const StepReport& report) {
  ++steps;
  iterations += report.iterations;
  contact_updates += report.contact_updates;
  unconverged_steps += report.status == StepStatus::unconverged;
  status = std::max(status, report.status);
  keep_worst(report.tolerance, tolerance);
  keep_worst(report.residual_rms, residual_rms);
  keep_worst(report.residual_max, residual_max);
  keep_worst(report.residual_rms_gh, residual_rms_gh);
  keep_worst(report.residual_max_gh, residual_max_gh);
  keep_worst(report.momentum, momentum);
  keep_worst(report.energy.relative_defect(), energy_defect);
  keep_worst(report.penetration, penetration);
  keep_worst(report.penetration_solver, penetration_solver);
  keep_worst(report.penetration_relative, penetration_relative);
  keep_worst(report.inertia_ratio, inertia_ratio);
}

template <int Dim>
TrajectoryHeader build_header(const Simulation<Dim>& simulation, const std::string& scene_text,
                              const std::string& program) {
  const Scene<Dim>& scene = simulation.scene();
  TrajectoryHeader header;
  header.dimension = Dim;
  header.name = scene.name, header.title = scene.title, header.scene_text = scene_text;
  header.program = program;
  header.h = scene.scheme.h;
  put(scene.gravity, header.gravity);
  put(scene.period, header.period);
  header.fields = scene.output.fields;
  for (const SceneBody<Dim>& body : scene.bodies) header.body_names.push_back(body.name);
  header.materials = list_materials(scene);
  for (int i = 0; i < simulation.system_count(); ++i) {
    header.system_names.push_back(simulation.system_name(i));
    header.coordinate_names.push_back(simulation.coordinate_names(i));
    const SystemMesh<Dim> mesh = simulation.system_mesh(i);
    if (!mesh.cells.empty()) header.has_meshes = true;
    list_surfaces(mesh, header.surface_names);
  }
  for (const SceneJoint<Dim>& joint : scene.joints) header.joint_names.push_back(joint.name);
  return header;
}

template <int Dim>
TrajectoryCapture<Dim>::TrajectoryCapture(const std::vector<std::string>& fields, std::size_t rows_of_part)
    : rows_of_part_(rows_of_part) {
  with_contacts_ = is_chosen(Rows::contact, fields);
  with_fields_ = is_chosen(Rows::node_value, fields);
}

template <int Dim>
void TrajectoryCapture<Dim>::load(const TrajectoryFile& file, std::int64_t bodies) {
  TrajectoryData kept;
  for (const Rows rows : {Rows::model, Rows::shape, Rows::number}) file.read(rows, 0, file.rows(rows), kept);
  shapes_.load(kept, file.path());
  known_.clear();
  for (const std::int64_t id : kept.body_id) {
    if (id < 0 || id >= bodies)
      throw InputError(file.path(), "names a body the scene has not (damaged file?)", fmt::format("{}", id));
    is_new(id);
  }
  body_rows_ = file.rows(Rows::body);
  contact_rows_ = file.rows(Rows::contact);
  coordinate_rows_ = file.rows(Rows::coordinate);
  joint_rows_ = file.rows(Rows::joint);
  node_rows_ = file.rows(Rows::node_value);
  cell_rows_ = file.rows(Rows::cell_value);
  parts_known_ = true;
}

template <int Dim>
bool TrajectoryCapture<Dim>::is_new(BodyId id) {
  const auto place = static_cast<std::size_t>(id);
  if (place >= known_.size()) known_.resize(place + 1, false);
  if (known_[place]) return false;
  known_[place] = true;
  return true;
}

template <int Dim>
void TrajectoryCapture<Dim>::capture(const Simulation<Dim>& simulation, const FrameFigures& figures,
                                     const Sink& sink) {
  clear(frame_);
  const std::int64_t first_body = body_rows_, first_contact = contact_rows_;
  const std::int64_t first_coordinate = coordinate_rows_, first_joint = joint_rows_;
  const std::int64_t first_node = node_rows_, first_cell = cell_rows_;
  capture_bodies(simulation, sink);
  if (with_contacts_) capture_contacts(simulation, sink);
  if (!parts_known_) capture_part_models(simulation);
  parts_known_ = true;
  capture_parts(simulation);
  if (with_fields_) capture_fields(simulation);
  count_rows();
  frame_.step.push_back(simulation.steps());
  frame_.time.push_back(simulation.time());
  frame_.body_begin.push_back(first_body), frame_.body_count.push_back(body_rows_ - first_body);
  frame_.contact_begin.push_back(first_contact);
  frame_.contact_count.push_back(contact_rows_ - first_contact);
  frame_.coordinate_begin.push_back(first_coordinate);
  frame_.coordinate_count.push_back(coordinate_rows_ - first_coordinate);
  frame_.joint_begin.push_back(first_joint), frame_.joint_count.push_back(joint_rows_ - first_joint);
  frame_.node_begin.push_back(first_node), frame_.node_count.push_back(node_rows_ - first_node);
  frame_.cell_begin.push_back(first_cell), frame_.cell_count.push_back(cell_rows_ - first_cell);
  capture_energies(simulation);
  capture_figures(figures);
  sink(std::move(frame_));
}

template <int Dim>
void TrajectoryCapture<Dim>::count_rows() {
  body_rows_ += static_cast<std::int64_t>(frame_.id.size());
  contact_rows_ += static_cast<std::int64_t>(frame_.a.size());
  coordinate_rows_ += static_cast<std::int64_t>(frame_.coordinate_system.size());
  joint_rows_ += static_cast<std::int64_t>(frame_.joint.size());
  node_rows_ += static_cast<std::int64_t>(frame_.node_plastic_strain.size());
  cell_rows_ += static_cast<std::int64_t>(frame_.cell_plastic_strain.size());
}

template <int Dim>
void TrajectoryCapture<Dim>::give_part(const Sink& sink) {
  if (frame_.id.size() + frame_.a.size() < rows_of_part_) return;
  count_rows();
  sink(std::move(frame_));
  clear(frame_);
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_bodies(const Simulation<Dim>& simulation, const Sink& sink) {
  const BodySet<Dim>& bodies = simulation.bodies();
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies.alive(slot)) continue;
    if (is_new(bodies.id[slot])) capture_model(simulation, slot);
    frame_.id.push_back(bodies.id[slot]);
    put(bodies.pose[slot].position, frame_.position);
    put_orientation(bodies.pose[slot], frame_.position);
    put(simulation.velocity(slot), frame_.velocity);
    put(bodies.spin_world(slot), frame_.velocity);
    give_part(sink);
  }
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_model(const Simulation<Dim>& simulation, int slot) {
  const BodyModel<Dim>& model = simulation.bodies().model[slot];
  frame_.body_id.push_back(simulation.bodies().id[slot]);
  frame_.body_shape.push_back(shapes_.insert(encode_shape<Dim>(simulation.shape(slot)), frame_));
  frame_.body_scene_index.push_back(simulation.scene_index(slot));
  frame_.body_fixed.push_back(is_fixed(model));
  frame_.body_mass.push_back(model.mass);
  frame_.body_prescribed.push_back(model.all_prescribed);
  const SceneBody<Dim>& body = simulation.scene().bodies[simulation.scene_index(slot)];
  frame_.body_system.push_back(body.follows);
  if (materials_.empty()) materials_ = list_materials(simulation.scene());
  frame_.body_material.push_back(std::find(materials_.begin(), materials_.end(), body.material.str()) -
                                 materials_.begin());
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_contacts(const Simulation<Dim>& simulation, const Sink& sink) {
  for (int i = 0; i < simulation.contact_count(); ++i) {
    const ContactState<Dim> contact = simulation.contact(i);
    frame_.a.push_back(contact.a), frame_.b.push_back(contact.b);
    frame_.feature.push_back(static_cast<std::int64_t>(contact.feature));
    frame_.status.push_back(static_cast<std::int64_t>(contact.status));
    frame_.bonded.push_back(contact.bonded);
    put(contact.point, frame_.point);
    for (int axis = 0; axis < Dim; ++axis) put(contact.axes.col(axis), frame_.axes);
    frame_.gap.push_back(contact.gap);
    put(contact.impulse, frame_.impulse);
    put(contact.moment, frame_.moment);
    put(contact.velocity, frame_.relative_velocity);
    frame_.contact_residual.push_back(contact.residual);
    give_part(sink);
  }
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_part_models(const Simulation<Dim>& simulation) {
  constexpr int kCorners = Dim + 1;
  for (int i = 0; i < simulation.system_count(); ++i) {
    const SystemMesh<Dim> mesh = simulation.system_mesh(i);
    frame_.system_coordinates.push_back(simulation.system_coordinates(i).size());
    frame_.system_node_begin.push_back(static_cast<std::int64_t>(frame_.node.size()) / Dim);
    frame_.system_node_count.push_back(static_cast<std::int64_t>(mesh.nodes.size()));
    frame_.system_element_begin.push_back(static_cast<std::int64_t>(frame_.element.size()) / kCorners);
    frame_.system_element_count.push_back(static_cast<std::int64_t>(mesh.elements.size()));
    for (const Vec<Dim>& node : mesh.nodes) put(node, frame_.node);
    for (const auto& element : mesh.elements)
      frame_.element.insert(frame_.element.end(), element.begin(), element.end());
    capture_mesh(mesh, i);
  }
  for (int i = 0; i < simulation.joint_count(); ++i) {
    const auto [a, b] = simulation.joint_bodies(i);
    frame_.joint_a.push_back(a), frame_.joint_b.push_back(b);
  }
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_mesh(const SystemMesh<Dim>& mesh, int system) {
  frame_.system_cell_begin.push_back(static_cast<std::int64_t>(frame_.cell_type.size()));
  frame_.system_cell_count.push_back(static_cast<std::int64_t>(mesh.cells.size()));
  frame_.system_kinematics.push_back(mesh.kinematics ? static_cast<std::int64_t>(*mesh.kinematics) : -1);
  frame_.system_plane.push_back(mesh.kinematics ? static_cast<std::int64_t>(mesh.plane) : -1);
  append_all(mesh.element_cell, frame_.element_cell);
  for (const ElementKind kind : mesh.cells) frame_.cell_type.push_back(vtk_cell_number(kind));
  append_all(mesh.connectivity, frame_.cell_nodes);
  append_all(mesh.cell_volume, frame_.cell_volume);
  list_surfaces(mesh, surfaces_);
  for (const auto& surface : mesh.surfaces) {
    const auto name = std::find(surfaces_.begin(), surfaces_.end(), surface.name);
    for (const auto& side : surface.sides) {
      frame_.side_system.push_back(system);
      frame_.side_surface.push_back(name - surfaces_.begin());
      append_all(side, frame_.side_nodes);
    }
  }
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_fields(const Simulation<Dim>& simulation) {
  for (int i = 0; i < simulation.system_count(); ++i) {
    const SystemFields fields = simulation.system_fields(i);
    append_all(fields.node_stress, frame_.node_stress);
    append_all(fields.node_strain, frame_.node_strain);
    append_all(fields.node_plastic_strain, frame_.node_plastic_strain);
    append_all(fields.node_reaction, frame_.node_reaction);
    append_all(fields.cell_stress, frame_.cell_stress);
    append_all(fields.cell_strain, frame_.cell_strain);
    append_all(fields.cell_plastic_strain, frame_.cell_plastic_strain);
  }
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_parts(const Simulation<Dim>& simulation) {
  for (int i = 0; i < simulation.system_count(); ++i) {
    const Eigen::VectorXd &q = simulation.system_coordinates(i), &v = simulation.system_velocity(i);
    frame_.coordinate_system.insert(frame_.coordinate_system.end(), static_cast<std::size_t>(q.size()), i);
    put(q, frame_.coordinate);
    put(v, frame_.coordinate_velocity);
  }
  for (int i = 0; i < simulation.joint_count(); ++i) {
    const auto place = simulation.joint_place(i);
    frame_.joint.push_back(i);
    put(place.point, frame_.joint_point);
    put(place.point_b, frame_.joint_point_b);
    put(first_three(place.value), frame_.joint_value);
    put(first_three(place.rate), frame_.joint_rate);
    put(first_three(place.effort), frame_.joint_effort);
    frame_.joint_gap.push_back(place.gap), frame_.joint_row.push_back(place.row);
    frame_.joint_motor_work.push_back(place.motor_work);
    put(place.impulse.template head<Dim>(), frame_.joint_impulse);
    put(place.moment.template tail<kSpins<Dim>>(), frame_.joint_moment);
  }
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_energies(const Simulation<Dim>& simulation) {
  EnergyBalance energy = simulation.summary().energy;
  if (simulation.steps() == 0) {  // no step has told them yet
    const EnergyBalance start = simulation.energy_at_start();
    energy.kinetic = start.kinetic, energy.potential = start.potential;
    energy.elastic_stored = start.elastic_stored;
  }
  frame_.kinetic.push_back(energy.kinetic), frame_.potential.push_back(energy.potential);
  frame_.elastic_stored.push_back(energy.elastic_stored);
  frame_.gravity.push_back(energy.gravity), frame_.forces.push_back(energy.forces);
  frame_.drives.push_back(energy.drives), frame_.damping.push_back(energy.damping);
  frame_.hardening_stored.push_back(energy.hardening_stored);
  frame_.plastic.push_back(energy.plastic), frame_.viscous.push_back(energy.viscous);
  frame_.gyroscopic.push_back(energy.gyroscopic);
  frame_.impact.push_back(energy.impact), frame_.friction.push_back(energy.friction);
  frame_.elastic.push_back(energy.elastic), frame_.cohesion.push_back(energy.cohesion);
  frame_.joints.push_back(energy.joints), frame_.projection.push_back(energy.projection);
  frame_.scheme.push_back(energy.scheme), frame_.defect.push_back(energy.defect);
}

template <int Dim>
void TrajectoryCapture<Dim>::capture_figures(const FrameFigures& figures) {
  frame_.steps.push_back(figures.steps), frame_.iterations.push_back(figures.iterations);
  frame_.contact_updates.push_back(figures.contact_updates);
  frame_.unconverged_steps.push_back(figures.unconverged_steps);
  frame_.step_status.push_back(static_cast<std::int64_t>(figures.status));
  frame_.tolerance.push_back(figures.tolerance);
  frame_.residual_rms.push_back(figures.residual_rms), frame_.residual_max.push_back(figures.residual_max);
  frame_.residual_rms_gh.push_back(figures.residual_rms_gh);
  frame_.residual_max_gh.push_back(figures.residual_max_gh);
  frame_.momentum.push_back(figures.momentum), frame_.energy_defect.push_back(figures.energy_defect);
  frame_.penetration.push_back(figures.penetration);
  frame_.penetration_solver.push_back(figures.penetration_solver);
  frame_.penetration_relative.push_back(figures.penetration_relative);
  frame_.inertia_ratio.push_back(figures.inertia_ratio);
}

template TrajectoryHeader build_header<2>(const Simulation<2>&, const std::string&, const std::string&);
template TrajectoryHeader build_header<3>(const Simulation<3>&, const std::string&, const std::string&);
template class TrajectoryCapture<2>;
template class TrajectoryCapture<3>;

}  // namespace saltus
