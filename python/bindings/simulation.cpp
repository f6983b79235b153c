#include <cmath>
#include <limits>

#include "driver.hpp"
#include "saltus/base/input_error.hpp"
#include "zeroed.hpp"

namespace saltus::bindings {

namespace {

// What Python holds.
struct PySimulation : ZeroedMemory {
  explicit PySimulation(std::unique_ptr<Driver> made) : driver(std::move(made)) {}
  std::unique_ptr<Driver> driver;
};

Driver& of(const PySimulation& simulation) { return checked(simulation.driver); }

py::bytes state_bytes(const SavedState& s) { return s.state; }

py::tuple pack_state(const SavedState& s) {
  return py::make_tuple(state_bytes(s), s.measured.memory, s.measured.steps, s.measured.times,
                        s.measured.values, s.steps, s.time);
}

SavedState unpack_state(const py::tuple& t) {
  if (t.size() != 7) throw InputError("", "a snapshot of another version of saltus");
  SavedState saved;
  saved.state = t[0].cast<std::string>();
  saved.measured = {t[1].cast<std::vector<double>>(), t[2].cast<std::vector<std::int64_t>>(),
                    t[3].cast<std::vector<double>>(), t[4].cast<std::vector<double>>()};
  saved.steps = t[5].cast<std::int64_t>();
  saved.time = t[6].cast<double>();
  return saved;
}

double or_nan(const py::object& value) {
  if (value.is_none()) return std::numeric_limits<double>::quiet_NaN();
  const double number = value.cast<double>();
  if (std::isnan(number)) throw InputError("", "target or limit of a motor", "nan", "a finite number");
  return number;
}

void bind_state(py::module_& module) {
  py::class_<SavedState>(module, "Snapshot", "A state that was kept: a copy, which no step changes.")
      .def_readonly("steps", &SavedState::steps)
      .def_readonly("time", &SavedState::time)
      .def_property_readonly("size", [](const SavedState& s) { return s.state.size(); })
      .def("__eq__", [](const SavedState& a, const SavedState& b) { return a.state == b.state; })
      .def("__eq__", [](const SavedState&, const py::object&) { return false; })
      .def(py::pickle(&pack_state, &unpack_state));
}

}  // namespace

void bind_simulation(py::module_& module) {
  bind_state(module);
  using S = PySimulation;
  using Text = std::string;
  py::class_<S>(module, "Simulation")
      .def(py::init([](const SceneData& scene) { return S(make_driver(scene)); }), py::arg("scene"))
      .def(py::init([](const S& other) { return S(of(other).copy()); }), py::arg("other"))
      .def(
          "step",
          [](S& s, std::int64_t n) {
            of(s).advance(n, false, false);
            return Zeroed<StepReport>(of(s).report());
          },
          py::arg("n") = 1)
      .def(
          "_advance", [](S& s, std::int64_t n, bool strict) { of(s).advance(n, true, strict); }, py::arg("n"),
          py::arg("strict"))
      .def_property_readonly("dimension", [](const S& s) { return of(s).dimension(); })
      .def_property_readonly("time", [](const S& s) { return of(s).time(); })
      .def_property_readonly("steps", [](const S& s) { return of(s).steps(); })
      .def_property_readonly("h", [](const S& s) { return of(s).h(); })
      .def_property_readonly("threads", [](const S& s) { return of(s).threads(); })
      .def_property_readonly("start_time", [](const S& s) { return of(s).start_time(); })
      .def_property_readonly("end_time", [](const S& s) { return of(s).end_time(); })
      .def_property_readonly("finished", [](const S& s) { return of(s).finished(); })
      .def_property_readonly("gravity", [](const S& s) { return of(s).gravity(); })
      .def_property_readonly("stopped", [](const S& s) { return of(s).stopped(); })
      .def_property_readonly("report", [](const S& s) { return Zeroed<StepReport>(of(s).report()); })
      .def_property_readonly("energy", [](const S& s) { return of(s).energy(); })
      .def_property_readonly("warnings", [](const S& s) { return of(s).warnings(); })
      .def_property_readonly("state_hash", [](const S& s) { return of(s).state_hash(); })
      .def("_summary", [](const S& s) { return of(s).summary(); })
      .def("_energy_at_start", [](const S& s) { return of(s).energy_at_start(); })
      .def_property_readonly("body_names", [](const S& s) { return of(s).body_names(); })
      .def_property_readonly("body_count", [](const S& s) { return of(s).body_count(); })
      .def(
          "_is_present", [](const S& s, std::int64_t b) { return of(s).is_present(b); }, py::arg("body"))
      .def(
          "_body_model", [](const S& s, std::int64_t b) { return of(s).body_model(b); }, py::arg("body"))
      .def_property_readonly("positions", [](const S& s) { return of(s).live(LiveKind::positions); })
      .def_property_readonly("orientations", [](const S& s) { return of(s).live(LiveKind::orientations); })
      .def_property_readonly("velocities", [](const S& s) { return of(s).live(LiveKind::velocities); })
      .def_property_readonly("spins", [](const S& s) { return of(s).live(LiveKind::spins); })
      .def_property_readonly("forces", [](const S& s) { return of(s).live(LiveKind::forces); })
      .def_property_readonly("torques", [](const S& s) { return of(s).live(LiveKind::torques); })
      .def_property_readonly("contacts", [](const S& s) { return of(s).contacts(); })
      .def_property_readonly("joint_names", [](const S& s) { return of(s).joint_names(); })
      .def(
          "_joint", [](const S& s, int i) { return of(s).joint(i); }, py::arg("index"))
      .def_property_readonly("system_names", [](const S& s) { return of(s).system_names(); })
      .def(
          "_system", [](const S& s, int i) { return of(s).system(i); }, py::arg("index"))
      .def(
          "_system_state", [](const S& s, int i, bool v) { return of(s).system_state(i, v); },
          py::arg("index"), py::arg("velocity"))
      .def("_gaps", [](const S& s) { return of(s).gaps(); })
      .def_property_readonly("measure_names", [](const S& s) { return of(s).measure_columns(); })
      .def("_measures", [](const S& s) { return of(s).measures(); })
      .def(
          "_set_load",
          [](S& s, std::int64_t b, const py::object& f, const py::object& m) { of(s).set_load(b, f, m); },
          py::arg("body"), py::arg("force"), py::arg("torque"))
      .def(
          "_set_loads", [](S& s, const py::object& f, const py::object& m) { of(s).set_loads(f, m); },
          py::arg("forces"), py::arg("torques"))
      .def(
          "_load", [](const S& s, std::int64_t b) { return of(s).load(b); }, py::arg("body"))
      .def(
          "_set_drive", [](S& s, std::int64_t b, const Text& d, double v) { of(s).set_drive(b, d, v); },
          py::arg("body"), py::arg("dof"), py::arg("speed"))
      .def(
          "_set_motor",
          [](S& s, int j, int d, const py::object& t, const py::object& l) {
            of(s).set_motor(j, d, or_nan(t), or_nan(l));
          },
          py::arg("joint"), py::arg("direction"), py::arg("target"), py::arg("limit"))
      .def(
          "rest", [](S& s) { of(s).rest(); },
          "All velocities become zero; places, deformation, impulses, bonds and what laws remember stay.")
      .def("_save", [](const S& s) { return of(s).save(); })
      .def(
          "_restore", [](S& s, const SavedState& state) { of(s).restore(state); }, py::arg("state"))
      .def(
          "_save_file", [](const S& s, const Text& p) { of(s).save_file(p); }, py::arg("path"))
      .def(
          "_restore_file", [](S& s, const Text& p) { of(s).restore_file(p); }, py::arg("path"))
      .def("contact_problem", [](const S& s) { return of(s).contact_problem(); })
      .def(
          "_record", [](S& s, const Text& p, double e, bool f) { of(s).record(p, e, f); }, py::arg("path"),
          py::arg("every"), py::arg("force"))
      .def("_finish_record", [](S& s) { return of(s).finish_record(); })
      .def_property_readonly("_is_recording", [](const S& s) { return of(s).is_recording(); });
}

}  // namespace saltus::bindings
