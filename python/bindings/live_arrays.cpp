#include "live_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::bindings {

namespace {

// Bodies of the scene itself come first; those that follow the surfaces of systems are not counted.
template <int Dim>
py::ssize_t own_bodies(const Scene<Dim>& scene) {
  return std::find_if(scene.bodies.begin(), scene.bodies.end(),
                      [](const auto& b) { return b.follows >= 0; }) -
         scene.bodies.begin();
}

template <int Dim>
int width_of(LiveKind kind) {
  switch (kind) {
    case LiveKind::orientations: return Dim == 2 ? 1 : 4;
    case LiveKind::spins:
    case LiveKind::torques: return kSpins<Dim>;
    default: return Dim;
  }
}

void put_orientation(const Pose<2>& pose, double* row) { row[0] = pose.angle(); }
void put_orientation(const Pose<3>& pose, double* row) {
  const Eigen::Quaterniond q = pose.orientation();
  row[0] = q.w(), row[1] = q.x(), row[2] = q.y(), row[3] = q.z();
}

template <int N>
void put_vector(const Vec<N>& v, double* row) {
  std::copy(v.data(), v.data() + N, row);
}

template <int Dim>
void put(LiveKind kind, const Simulation<Dim>& simulation, int slot, double* row) {
  const BodySet<Dim>& bodies = simulation.bodies();
  switch (kind) {
    case LiveKind::positions: put_vector<Dim>(bodies.pose[slot].position, row); break;
    case LiveKind::orientations: put_orientation(bodies.pose[slot], row); break;
    case LiveKind::velocities: put_vector<Dim>(simulation.velocity(slot), row); break;
    case LiveKind::spins: put_vector<kSpins<Dim>>(bodies.spin_world(slot), row); break;
    case LiveKind::forces: put_vector<Dim>(Vec<Dim>::Zero(), row); break;
    case LiveKind::torques: put_vector<kSpins<Dim>>(Spin<Dim>::Zero(), row); break;
  }
}

}  // namespace

template <int Dim>
py::array LiveArrays<Dim>::get(LiveKind kind, const Simulation<Dim>& simulation) {
  Live& live = arrays_[static_cast<std::size_t>(kind)];
  if (!live.array) {
    live.rows = own_bodies(simulation.scene());
    live.width = width_of<Dim>(kind);
    Reals array = live.width == 1 ? Reals(live.rows) : Reals({live.rows, py::ssize_t{live.width}});
    live.data = array.mutable_data();
    array.attr("setflags")(py::arg("write") = false);
    live.array = std::move(array);
    if (kind == LiveKind::forces || kind == LiveKind::torques)
      fill_loads(simulation);
    else
      fill(kind, simulation);
  }
  return py::reinterpret_borrow<py::array>(live.array);
}

template <int Dim>
void LiveArrays<Dim>::refresh(const Simulation<Dim>& simulation) {
  for (const LiveKind kind :
       {LiveKind::positions, LiveKind::orientations, LiveKind::velocities, LiveKind::spins})
    if (arrays_[static_cast<std::size_t>(kind)].array) fill(kind, simulation);
  fill_loads(simulation);
}

template <int Dim>
void LiveArrays<Dim>::fill(LiveKind kind, const Simulation<Dim>& simulation) {
  const Live& live = arrays_[static_cast<std::size_t>(kind)];
  const BodySet<Dim>& bodies = simulation.bodies();
  if (bodies.count() < static_cast<int>(simulation.scene().bodies.size()))
    std::fill(live.data, live.data + live.rows * live.width, std::numeric_limits<double>::quiet_NaN());
  for (int slot = 0; slot < bodies.slots(); ++slot)
    if (bodies.alive(slot) && bodies.id[slot] < live.rows)
      put(kind, simulation, slot, live.data + bodies.id[slot] * live.width);
}

// What contacts did in the last step: impulses over h.
template <int Dim>
void LiveArrays<Dim>::fill_loads(const Simulation<Dim>& simulation) {
  const Live& forces = arrays_[static_cast<std::size_t>(LiveKind::forces)];
  const Live& torques = arrays_[static_cast<std::size_t>(LiveKind::torques)];
  if (!forces.array && !torques.array) return;
  for (const LiveKind kind : {LiveKind::forces, LiveKind::torques})
    if (arrays_[static_cast<std::size_t>(kind)].array) fill(kind, simulation);
  const double h = simulation.scene().scheme.h;
  const Vec<Dim>& period = simulation.scene().period;
  const BodySet<Dim>& bodies = simulation.bodies();
  // Arms are from where the bodies were when contacts were found (schemes/options.hpp).
  const SchemeOptions& scheme = simulation.scene().scheme;
  const double since = scheme.jacobian_at == JacobianAt::detection ? scheme.mean() * h
                       : scheme.jacobian_at == JacobianAt::start   ? h
                                                                   : 0.0;
  const auto add = [&](BodyId id, const Vec<Dim>& force, const Spin<Dim>& rolling, const Vec<Dim>& point) {
    if (id < 0) return;
    if (forces.array && id < forces.rows) Eigen::Map<Vec<Dim>>(forces.data + id * Dim) += force;
    if (!torques.array || id >= torques.rows) return;
    const int slot = bodies.find(id);
    if (slot < 0) return;
    Vec<Dim> arm = point - (bodies.pose[slot].position - since * bodies.velocity[slot]);
    for (int i = 0; i < Dim; ++i)
      if (period[i] > 0) arm[i] -= period[i] * std::round(arm[i] / period[i]);
    Eigen::Map<Spin<Dim>>(torques.data + id * kSpins<Dim>) += moment(arm, force) + rolling;
  };
  for (int i = 0; i < simulation.contact_count(); ++i) {
    const ContactState<Dim> c = simulation.contact(i);
    const Vec<Dim> force = c.axes * c.impulse / h;
    const Spin<Dim> rolling = c.moment / h;
    add(c.b, force, rolling, c.point);
    add(c.a, -force, -rolling, c.point);
  }
}

template class LiveArrays<2>;
template class LiveArrays<3>;

}  // namespace saltus::bindings
