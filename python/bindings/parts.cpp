// Joints, systems and their gaps, by number.
#include <fmt/format.h>

#include "driver_of.hpp"

namespace saltus::bindings {

namespace {

Reals over_h(std::vector<double> impulses, double h) {
  for (double& impulse : impulses) impulse /= h;
  return to_array(impulses);
}

// The mesh a system has in space: nodes where they are without stress, and its elements as simplices.
template <int Dim>
void add_mesh(const SystemMesh<Dim>& mesh, py::dict& result) {
  const auto nodes = static_cast<py::ssize_t>(mesh.nodes.size());
  const auto elements = static_cast<py::ssize_t>(mesh.elements.size());
  Reals places({nodes, py::ssize_t{Dim}});
  for (py::ssize_t i = 0; i < nodes; ++i)
    for (int k = 0; k < Dim; ++k) places.mutable_at(i, k) = mesh.nodes[static_cast<std::size_t>(i)][k];
  py::array_t<std::int64_t> corners({elements, py::ssize_t{Dim + 1}});
  for (py::ssize_t i = 0; i < elements; ++i)
    for (int k = 0; k <= Dim; ++k)
      corners.mutable_at(i, k) = mesh.elements[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
  result["reference_nodes"] = places;
  result["elements"] = corners;
}

}  // namespace

template <int Dim>
int DriverOf<Dim>::checked_joint(int index) const {
  if (index < 0 || index >= use().joint_count())
    throw py::index_error(fmt::format("joint {}: there are {}", index, simulation_.joint_count()));
  return index;
}

template <int Dim>
int DriverOf<Dim>::checked_system(int index) const {
  if (index < 0 || index >= use().system_count())
    throw py::index_error(fmt::format("system {}: there are {}", index, simulation_.system_count()));
  return index;
}

template <int Dim>
std::vector<std::string> DriverOf<Dim>::joint_names() const {
  std::vector<std::string> names;
  for (int i = 0; i < use().joint_count(); ++i) names.push_back(simulation_.scene().joints[i].name);
  return names;
}

template <int Dim>
py::dict DriverOf<Dim>::joint(int index) const {
  const SceneJoint<Dim>& scene = simulation_.scene().joints[checked_joint(index)];
  const auto place = simulation_.joint_place(index);
  const double h = simulation_.scene().scheme.h;
  py::dict result;
  result["kind"] = name(scene.kind);
  result["directions"] = direction_names<Dim>(scene.kind);
  result["bodies"] = simulation_.joint_bodies(index);
  result["point"] = to_vector(place.point.data(), Dim);
  result["point_b"] = to_vector(place.point_b.data(), Dim);
  result["value"] = to_array(place.value);
  result["rate"] = to_array(place.rate);
  result["effort"] = over_h(place.effort, h);
  result["motor"] = over_h(place.motor, h);
  const Vec<3> force = place.impulse / h, moment = place.moment / h;
  result["force"] = to_vector(force.data(), Dim);
  result["moment"] = Dim == 2 ? py::object(py::float_(moment[2])) : py::object(to_vector(moment.data(), 3));
  result["row"] = place.row / h;
  result["power"] = place.motor_work / h;
  result["gap"] = place.gap;
  result["turn"] = place.turn;
  return result;
}

template <int Dim>
std::vector<std::string> DriverOf<Dim>::system_names() const {
  std::vector<std::string> names;
  for (int i = 0; i < use().system_count(); ++i) names.push_back(simulation_.system_name(i));
  return names;
}

// What of a system does not change.
template <int Dim>
py::dict DriverOf<Dim>::system(int index) const {
  checked_system(index);
  py::dict result;
  const SystemNames names = simulation_.coordinate_names(index);
  result["coordinate_names"] = names.coordinates;
  add_mesh<Dim>(simulation_.system_mesh(index), result);
  return result;
}

template <int Dim>
py::object DriverOf<Dim>::system_state(int index, bool velocity) const {
  checked_system(index);
  const Eigen::VectorXd& of =
      velocity ? simulation_.system_velocity(index) : simulation_.system_coordinates(index);
  return to_vector(of.data(), of.size());
}

template <int Dim>
py::list DriverOf<Dim>::gaps() const {
  py::list result;
  const double h = use().scene().scheme.h;
  for (const auto& gap : simulation_.gaps()) {
    py::dict entry;
    entry["name"] = gap.name;
    entry["system"] = gap.system;
    entry["is_constraint"] = gap.is_constraint;
    entry["gap"] = gap.gap;
    const Vec<3> force = gap.impulse / h;
    entry["impulse"] = to_vector(gap.impulse.data(), 3);
    entry["force"] = to_vector(force.data(), 3);
    entry["velocity"] = to_vector(gap.velocity.data(), 3);
    entry["status"] = name(gap.status);
    result.append(entry);
  }
  return result;
}

template int DriverOf<2>::checked_joint(int) const;
template int DriverOf<3>::checked_joint(int) const;
template int DriverOf<2>::checked_system(int) const;
template int DriverOf<3>::checked_system(int) const;
template std::vector<std::string> DriverOf<2>::joint_names() const;
template std::vector<std::string> DriverOf<3>::joint_names() const;
template py::dict DriverOf<2>::joint(int) const;
template py::dict DriverOf<3>::joint(int) const;
template std::vector<std::string> DriverOf<2>::system_names() const;
template std::vector<std::string> DriverOf<3>::system_names() const;
template py::dict DriverOf<2>::system(int) const;
template py::dict DriverOf<3>::system(int) const;
template py::object DriverOf<2>::system_state(int, bool) const;
template py::object DriverOf<3>::system_state(int, bool) const;
template py::list DriverOf<2>::gaps() const;
template py::list DriverOf<3>::gaps() const;

}  // namespace saltus::bindings
