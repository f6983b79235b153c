// One simulation, of the plane or of space, as Python drives it: `DriverOf<Dim>` behind one door.
//
// A step runs without the interpreter's lock, so that other threads of Python go on. Another thread that asks for the same
// simulation meanwhile gets an exception, never a state in the middle of a step: every call passes `Use`.
#pragma once

#include <memory>
#include <string>

#include "bindings.hpp"
#include "live_arrays.hpp"
#include "measured.hpp"
#include "saltus/schemes/step_report.hpp"
#include "scenes.hpp"
#include "zeroed.hpp"

namespace saltus::bindings {

// A saved state, with what measures remember.
struct SavedState : ZeroedMemory {
  std::string state;  // Simulation::save
  MeasuredState measured;
  std::int64_t steps = 0;
  double time = 0;
};

class Driver {
 public:
  virtual ~Driver() = default;

  // Takes up to `count` steps; fewer when `until_stopped` and the scene wants to end, or a step misses its tolerance under
  // `strict`. RunFailed when the state is not finite, error_already_set after Ctrl-C.
  virtual void advance(std::int64_t count, bool until_stopped, bool strict) = 0;

  virtual int dimension() const = 0;
  virtual double time() const = 0;
  virtual std::int64_t steps() const = 0;
  virtual double h() const = 0;
  virtual int threads() const = 0;
  virtual double start_time() const = 0;
  virtual double end_time() const = 0;
  virtual bool finished() const = 0;
  virtual py::object gravity() const = 0;
  virtual const std::string& stopped() const = 0;
  virtual const StepReport& report() const = 0;
  virtual EnergyBalance energy() const = 0;
  virtual EnergyBalance energy_at_start() const = 0;
  virtual std::string summary() const = 0;
  virtual std::vector<std::string> warnings() const = 0;
  virtual std::uint64_t state_hash() const = 0;

  virtual const std::vector<std::string>& body_names() const = 0;
  virtual py::ssize_t body_count() const = 0;  // without those that follow surfaces
  virtual bool is_present(std::int64_t body) const = 0;
  virtual py::object body_model(std::int64_t body) const = 0;  // mass, inertia, fixed
  virtual py::array live(LiveKind kind) = 0;

  virtual py::array contacts() const = 0;
  virtual std::vector<std::string> joint_names() const = 0;
  virtual py::dict joint(int index) const = 0;
  virtual std::vector<std::string> system_names() const = 0;
  virtual py::dict system(int index) const = 0;
  virtual py::object system_state(int index, bool velocity) const = 0;
  virtual py::list gaps() const = 0;
  virtual std::vector<std::string> measure_columns() const = 0;
  virtual py::tuple measures() const = 0;

  virtual void set_load(std::int64_t body, const py::object& force, const py::object& torque) = 0;
  virtual void set_loads(const py::object& forces, const py::object& torques) = 0;
  virtual py::tuple load(std::int64_t body) const = 0;
  virtual void set_drive(std::int64_t body, const std::string& dof, double speed) = 0;
  virtual void set_motor(int joint, int direction, double target, double limit) = 0;
  virtual void rest() = 0;

  virtual SavedState save() const = 0;
  virtual void restore(const SavedState& state) = 0;
  virtual void save_file(const std::string& path) const = 0;
  virtual void restore_file(const std::string& path) = 0;
  virtual std::unique_ptr<Driver> copy() const = 0;
  virtual py::object contact_problem() const = 0;

  virtual void record(const std::string& path, double every, bool force) = 0;
  virtual std::int64_t finish_record() = 0;
  virtual bool is_recording() const = 0;
};

std::unique_ptr<Driver> make_driver(const SceneData& scene);

}  // namespace saltus::bindings
