#include "saltus/trajectories/trajectory_snapshot.hpp"

#include "saltus/geometry/mass_properties.hpp"

namespace saltus {

namespace {

double value_at(const std::vector<double>& column, std::int64_t row) {
  return column.empty() ? 0 : column[static_cast<std::size_t>(row)];
}

EnergyBalance energy_at(const TrajectoryData& d, std::int64_t row) {
  EnergyBalance e;
  e.kinetic = value_at(d.kinetic, row), e.potential = value_at(d.potential, row);
  e.elastic_stored = value_at(d.elastic_stored, row);
  e.hardening_stored = value_at(d.hardening_stored, row);
  e.plastic = value_at(d.plastic, row), e.viscous = value_at(d.viscous, row);
  e.gravity = value_at(d.gravity, row), e.forces = value_at(d.forces, row);
  e.drives = value_at(d.drives, row), e.damping = value_at(d.damping, row);
  e.gyroscopic = value_at(d.gyroscopic, row), e.impact = value_at(d.impact, row);
  e.friction = value_at(d.friction, row), e.elastic = value_at(d.elastic, row);
  e.cohesion = value_at(d.cohesion, row), e.joints = value_at(d.joints, row);
  e.projection = value_at(d.projection, row), e.scheme = value_at(d.scheme, row);
  e.defect = value_at(d.defect, row);
  return e;
}

}  // namespace

namespace {

// The mesh is that of the reader, which outlives the snapshot.
template <int Dim>
SnapshotMesh<Dim> mesh_of(const FrameSystem<Dim>& system) {
  SnapshotMesh<Dim> mesh;
  if (system.mesh && !system.mesh->cells.empty()) mesh.mesh = {std::shared_ptr<void>(), system.mesh};
  SystemFields& fields = mesh.fields;
  for (const FrameField& field : system.node_fields) {
    if (field.name == "stress") fields.node_stress = field.values;
    if (field.name == "strain") fields.node_strain = field.values;
    if (field.name == "plastic_strain") fields.node_plastic_strain = field.values;
    if (field.name == "reaction") fields.node_reaction = field.values;
  }
  for (const FrameField& field : system.cell_fields) {
    if (field.name == "stress") fields.cell_stress = field.values;
    if (field.name == "strain") fields.cell_strain = field.values;
    if (field.name == "plastic_strain") fields.cell_plastic_strain = field.values;
  }
  return mesh;
}

}  // namespace

template <int Dim>
void take_snapshot(const TrajectoryReader<Dim>& reader, std::int64_t number, Snapshot<Dim>& snapshot) {
  // Energies can be measured without bodies.
  const Frame<Dim> frame = reader.has_bodies() ? reader.frame(number) : Frame<Dim>();
  snapshot.step = reader.index().step[static_cast<std::size_t>(number)];
  snapshot.time = reader.time(number);
  snapshot.energy = energy_at(reader.index(), number);
  for (int i = 0; i < Dim; ++i) {
    snapshot.period[i] = reader.header().period[static_cast<std::size_t>(i)];
    snapshot.gravity[i] = reader.header().gravity[static_cast<std::size_t>(i)];
  }
  snapshot.bodies.clear();
  snapshot.contacts.clear();
  for (const FrameBody<Dim>& b : frame.bodies) {
    SnapshotBody<Dim> body;
    body.id = b.id, body.shape = b.shape, body.pose = b.pose;
    body.velocity = b.velocity, body.spin = b.spin;
    body.mass = b.mass, body.system = b.system;
    body.volume = compute_volume<Dim>(*b.shape);
    body.is_grain = body.volume > 0 && !b.prescribed;
    snapshot.bodies.push_back(body);
  }
  for (const FrameContact<Dim>& c : frame.contacts) {
    SnapshotContact<Dim> contact;
    contact.a = c.a, contact.b = c.b, contact.point = c.point, contact.axes = c.axes;
    contact.force = c.impulse / reader.header().h;
    contact.velocity = c.velocity, contact.gap = c.gap;
    contact.slides = c.status == ContactStatus::slide;
    snapshot.contacts.push_back(contact);
  }
  const double h = reader.header().h;
  snapshot.systems.clear();
  snapshot.meshes.clear();
  snapshot.joints.clear();
  for (const FrameSystem<Dim>& s : frame.systems)
    snapshot.systems.push_back(
        {s.coordinates, s.velocity, reader.header().coordinate_names[snapshot.systems.size()]});
  for (const FrameSystem<Dim>& s : frame.systems) snapshot.meshes.push_back(mesh_of(s));
  for (const FrameJoint<Dim>& j : frame.joints)
    snapshot.joints.push_back({j.point, j.value, j.rate, j.effort / h, j.gap, j.impulse / h, j.moment / h,
                               j.row / h, j.motor_work / h, j.a, j.b});
  snapshot.system_names = reader.header().system_names;
  snapshot.joint_names = reader.header().joint_names;
  drop_idle_contacts(snapshot);
}

template void take_snapshot<2>(const TrajectoryReader<2>&, std::int64_t, Snapshot<2>&);
template void take_snapshot<3>(const TrajectoryReader<3>&, std::int64_t, Snapshot<3>&);

}  // namespace saltus
