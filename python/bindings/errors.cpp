// Exceptions of the library become exceptions of Python, with the same text.
#include <fmt/format.h>

#include <cmath>
#include <new>

#include "bindings.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/files/output_error.hpp"

namespace saltus::bindings {

void bind_errors(py::module_& module) {
  // Kept for ever: the translator may run while the interpreter shuts down.
  static py::handle input = py::exception<InputError>(module, "InputError", PyExc_ValueError).release();
  static py::handle output = py::exception<OutputError>(module, "OutputError", PyExc_OSError).release();
  static py::handle failed = py::exception<RunFailed>(module, "RunFailed", PyExc_RuntimeError).release();
  input.attr("__doc__") = "What a user got wrong: where, what, the value, and what is allowed.";
  output.attr("__doc__") = "Output that cannot be written.";
  failed.attr("__doc__") = "A run that cannot go on: its state is not finite.";
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      PyErr_SetString(input.ptr(), error.what());
    } catch (const OutputError& error) {
      PyErr_SetString(output.ptr(), error.what());
    } catch (const RunFailed& error) {
      PyErr_SetString(failed.ptr(), error.what());
    } catch (const std::length_error&) {
      PyErr_SetString(PyExc_MemoryError, "not enough memory for this input");
    }
  });
}

void read_numbers(const py::handle& value, const std::string& what, int count, double* numbers) {
  const std::string allowed = count == 1 ? "a number" : fmt::format("{} numbers", count);
  const auto read = [&](const py::handle& item) {
    const double number = PyFloat_AsDouble(item.ptr());
    if (number == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      throw InputError("", what, py::str(py::repr(value)), allowed);
    }
    return number;
  };
  if (count == 1 && !PySequence_Check(value.ptr())) {
    numbers[0] = read(value);
    return;
  }
  const auto items = py::reinterpret_steal<py::object>(PySequence_Fast(value.ptr(), ""));
  if (!items) PyErr_Clear();
  if (!items || PySequence_Fast_GET_SIZE(items.ptr()) != count)
    throw InputError("", what, py::str(py::repr(value)), allowed);
  for (int i = 0; i < count; ++i) numbers[i] = read(PySequence_Fast_GET_ITEM(items.ptr(), i));
}

}  // namespace saltus::bindings
