// What Python sets between steps.
#include <fmt/format.h>

#include "driver_of.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/dynamics/dof_name.hpp"

namespace saltus::bindings {

namespace {

// Rows of numbers, one per body.
Reals read_rows(const py::object& value, const char* what, py::ssize_t rows, int width) {
  Reals array = Reals::ensure(value);
  if (!array) PyErr_Clear();
  const bool fits = array &&
                    ((array.ndim() == 2 && array.shape(1) == width) || (array.ndim() == 1 && width == 1)) &&
                    array.shape(0) == rows;
  if (!fits)
    throw InputError("", what,
                     array ? std::string(py::str(py::tuple(array.attr("shape")))) : "no array of numbers",
                     fmt::format("an array of shape ({}, {})", rows, width));
  return array;
}

}  // namespace

// None leaves what is set.
template <int Dim>
void DriverOf<Dim>::set_load(std::int64_t body, const py::object& force, const py::object& torque) {
  auto [f, m] = use().load(checked_body(body));
  if (!force.is_none()) read_numbers(force, "force", Dim, f.data());
  if (!torque.is_none()) read_numbers(torque, "torque", kSpins<Dim>, m.data());
  const SceneBody<Dim>& loaded = simulation_.scene().bodies[static_cast<std::size_t>(body)];
  if (loaded.fixed && !(f.isZero(0) && m.isZero(0)))
    throw InputError("", "a load on a body that is fixed changes nothing",
                     loaded.name.empty() ? fmt::format("body {}", body) : '"' + loaded.name + '"',
                     "a body that moves");
  simulation_.set_load(body, f, m);
}

template <int Dim>
void DriverOf<Dim>::set_loads(const py::object& forces, const py::object& torques) {
  use();
  Reals f, m;
  if (!forces.is_none()) f = read_rows(forces, "forces", body_count(), Dim);
  if (!torques.is_none()) m = read_rows(torques, "torques", body_count(), kSpins<Dim>);
  for (py::ssize_t body = 0; body < body_count(); ++body) {
    auto [force, torque] = simulation_.load(body);
    if (!forces.is_none()) force = Eigen::Map<const Vec<Dim>>(f.data() + body * Dim);
    if (!torques.is_none()) torque = Eigen::Map<const Spin<Dim>>(m.data() + body * kSpins<Dim>);
    simulation_.set_load(body, force, torque);
  }
}

template <int Dim>
py::tuple DriverOf<Dim>::load(std::int64_t body) const {
  const auto [f, m] = use().load(checked_body(body));
  const py::object torque =
      Dim == 2 ? py::object(py::float_(m[0])) : py::object(to_vector(m.data(), kSpins<Dim>));
  return py::make_tuple(to_vector(f.data(), Dim), torque);
}

template <int Dim>
void DriverOf<Dim>::set_drive(std::int64_t body, const std::string& dof, double speed) {
  std::string all;
  for (int i = 0; i < kDofs<Dim>; ++i) {
    if (dof == dof_name<Dim>(i)) return use().set_drive(checked_body(body), i, speed);
    all += (i ? ", " : "") + std::string(dof_name<Dim>(i));
  }
  throw InputError("", "a degree of freedom", '"' + dof + '"', all);
}

template void DriverOf<2>::set_load(std::int64_t, const py::object&, const py::object&);
template void DriverOf<3>::set_load(std::int64_t, const py::object&, const py::object&);
template void DriverOf<2>::set_loads(const py::object&, const py::object&);
template void DriverOf<3>::set_loads(const py::object&, const py::object&);
template py::tuple DriverOf<2>::load(std::int64_t) const;
template py::tuple DriverOf<3>::load(std::int64_t) const;
template void DriverOf<2>::set_drive(std::int64_t, const std::string&, double);
template void DriverOf<3>::set_drive(std::int64_t, const std::string&, double);

}  // namespace saltus::bindings
