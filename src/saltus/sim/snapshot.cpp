#include "saltus/sim/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "saltus/geometry/mass_properties.hpp"

namespace saltus {

template <int Dim>
Vec<Dim> Snapshot<Dim>::arm(int body, const Vec<Dim>& point) const {
  Vec<Dim> arm = point - bodies[static_cast<std::size_t>(body)].pose.position;
  for (int i = 0; i < Dim; ++i)
    if (period[i] > 0) arm[i] -= period[i] * std::round(arm[i] / period[i]);
  return arm;
}

template <int Dim>
int Snapshot<Dim>::find(BodyId id) const {
  const auto at = std::find_if(bodies.begin(), bodies.end(), [&](const auto& body) { return body.id == id; });
  return at == bodies.end() ? -1 : static_cast<int>(at - bodies.begin());
}

template <int Dim>
void drop_idle_contacts(Snapshot<Dim>& snapshot) {
  double largest = 0;
  for (const auto& contact : snapshot.contacts) largest = std::max(largest, contact.force.norm());
  std::erase_if(snapshot.contacts, [&](const auto& c) { return !(c.force.norm() > 1e-9 * largest); });
}

namespace {

// Meshes do not change: they are asked for once.
template <int Dim>
void add_meshes(const Simulation<Dim>& simulation, Snapshot<Dim>& snapshot) {
  const auto& measures = simulation.scene().measures;
  const bool uses_fields =
      std::any_of(measures.begin(), measures.end(), [](const auto& m) { return uses_elements(m.kind); });
  const bool uses_nodes = std::any_of(measures.begin(), measures.end(),
                                      [](const auto& m) { return m.kind == MeasureKind::motion; });
  if (!uses_fields && !uses_nodes) return snapshot.meshes.clear();
  const bool known = !snapshot.meshes.empty();
  snapshot.meshes.resize(snapshot.systems.size());
  for (std::size_t i = 0; i < snapshot.systems.size(); ++i) {
    SnapshotMesh<Dim>& own = snapshot.meshes[i];
    if (!known) {
      SystemMesh<Dim> mesh = simulation.system_mesh(static_cast<int>(i));
      if (!mesh.cells.empty()) own.mesh = std::make_shared<const SystemMesh<Dim>>(std::move(mesh));
    }
    if (own.mesh && uses_fields) own.fields = simulation.system_fields(static_cast<int>(i));
  }
}

template <int Dim>
void add_beams(const Simulation<Dim>& simulation, Snapshot<Dim>& snapshot) {
  snapshot.beams.clear();
  snapshot.support_forces.clear();
  const auto& measures = simulation.scene().measures;
  if (std::none_of(measures.begin(), measures.end(), [](const auto& m) {
        return m.kind == MeasureKind::beam_forces || m.kind == MeasureKind::reaction;
      }))
    return;
  for (std::size_t i = 0; i < snapshot.systems.size(); ++i) {
    snapshot.beams.push_back(simulation.system_beams(static_cast<int>(i)));
    snapshot.support_forces.push_back(snapshot.beams.back() ? simulation.support_force(static_cast<int>(i))
                                                            : Eigen::VectorXd());
  }
}

// `place_of`: of each scene body in the snapshot.
template <int Dim>
void add_parts(const Simulation<Dim>& simulation, std::span<const int> place_of, Snapshot<Dim>& snapshot) {
  const double h = simulation.scene().scheme.h;
  snapshot.systems.resize(static_cast<std::size_t>(simulation.system_count()));
  snapshot.joints.resize(static_cast<std::size_t>(simulation.joint_count()));
  snapshot.system_names.resize(snapshot.systems.size());
  snapshot.joint_names.resize(snapshot.joints.size());
  for (std::size_t i = 0; i < snapshot.systems.size(); ++i) {
    snapshot.systems[i].coordinates = simulation.system_coordinates(static_cast<int>(i));
    snapshot.systems[i].velocity = simulation.system_velocity(static_cast<int>(i));
    snapshot.systems[i].names = simulation.coordinate_names(static_cast<int>(i));
    snapshot.system_names[i] = simulation.system_name(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < snapshot.joints.size(); ++i) {
    const auto place = simulation.joint_place(static_cast<int>(i));
    snapshot.joints[i] = {place.point,
                          first_three(place.value),
                          first_three(place.rate),
                          first_three(place.effort) / h,
                          place.gap,
                          place.impulse.template head<Dim>() / h,
                          place.moment.template tail<kSpins<Dim>>() / h,
                          place.row / h,
                          place.motor_work / h};
    const auto [a, b] = simulation.joint_bodies(static_cast<int>(i));
    if (a >= 0) snapshot.joints[i].a = place_of[static_cast<std::size_t>(a)];
    if (b >= 0) snapshot.joints[i].b = place_of[static_cast<std::size_t>(b)];
    snapshot.joint_names[i] = simulation.scene().joints[i].name;
  }
}

}  // namespace

template <int Dim>
void take_snapshot(const Simulation<Dim>& simulation, Snapshot<Dim>& snapshot) {
  const BodySet<Dim>& bodies = simulation.bodies();
  const Scene<Dim>& scene = simulation.scene();
  snapshot.step = simulation.steps();
  snapshot.time = simulation.time();
  snapshot.period = scene.period;
  snapshot.gravity = scene.gravity;
  snapshot.energy = simulation.summary().energy;
  snapshot.bodies.clear();
  snapshot.contacts.clear();
  std::vector<int> place(scene.bodies.size(), -1);
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies.alive(slot)) continue;
    SnapshotBody<Dim> body;
    body.id = bodies.id[slot];
    body.shape = &simulation.shape(slot);
    body.pose = bodies.pose[slot];
    body.velocity = simulation.velocity(slot);
    body.spin = bodies.spin_world(slot);
    body.mass = bodies.model[slot].mass;
    body.volume = compute_volume<Dim>(*body.shape);
    body.system = scene.bodies[static_cast<std::size_t>(simulation.scene_index(slot))].follows;
    body.is_grain = body.volume > 0 && !bodies.model[slot].all_prescribed;
    place[static_cast<std::size_t>(body.id)] = static_cast<int>(snapshot.bodies.size());
    snapshot.bodies.push_back(body);
  }
  for (const ContactState<Dim>& c : simulation.contacts()) {
    SnapshotContact<Dim> contact;
    contact.a = place[static_cast<std::size_t>(c.a)], contact.b = place[static_cast<std::size_t>(c.b)];
    if (contact.a < 0 || contact.b < 0) continue;
    contact.point = c.point, contact.axes = c.axes;
    contact.force = c.impulse / scene.scheme.h;
    contact.velocity = c.velocity, contact.gap = c.gap;
    contact.slides = c.status == ContactStatus::slide;
    snapshot.contacts.push_back(contact);
  }
  add_parts<Dim>(simulation, place, snapshot);
  add_meshes(simulation, snapshot);
  add_beams(simulation, snapshot);
  drop_idle_contacts(snapshot);
}

template struct Snapshot<2>;
template struct Snapshot<3>;
template void take_snapshot<2>(const Simulation<2>&, Snapshot<2>&);
template void take_snapshot<3>(const Simulation<3>&, Snapshot<3>&);
template void drop_idle_contacts<2>(Snapshot<2>&);
template void drop_idle_contacts<3>(Snapshot<3>&);

}  // namespace saltus
