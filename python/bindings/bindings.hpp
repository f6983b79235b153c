// What the files of the module `saltus._saltus` share. One file binds one concept; Python code in ../saltus makes of them
// what users see, and has the documentation.
//
// Nothing here may end the interpreter: every index and size that comes from Python is checked, every exception of the
// library becomes one of Python, and what Python holds owns its memory.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace saltus::bindings {

namespace py = pybind11;

using Reals = py::array_t<double, py::array::c_style | py::array::forcecast>;

void bind_errors(py::module_& module);
void bind_scenes(py::module_& module);
void bind_reports(py::module_& module);
void bind_simulation(py::module_& module);
void bind_problems(py::module_& module);
void bind_trajectories(py::module_& module);

// A run that cannot go on: a state that is not finite. Becomes saltus.RunFailed.
struct RunFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A new array that owns its memory.
template <class T>
py::array_t<T> to_array(const std::vector<T>& values, std::vector<py::ssize_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<py::ssize_t>(values.size())};
  py::array_t<T> array(shape);
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

inline Reals to_vector(const double* data, py::ssize_t size) {
  Reals array(size);
  std::copy(data, data + size, array.mutable_data());
  return array;
}

// `count` numbers from any sequence; InputError that names `what` otherwise.
void read_numbers(const py::handle& value, const std::string& what, int count, double* numbers);

}  // namespace saltus::bindings
