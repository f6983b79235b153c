#pragma once

#include <optional>

#include "driver.hpp"
#include "recording.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::bindings {

template <int Dim>
class DriverOf final : public Driver {
 public:
  DriverOf(Scene<Dim> scene, std::string scene_text);
  ~DriverOf() override;

  void advance(std::int64_t count, bool until_stopped, bool strict) override;

  int dimension() const override { return Dim; }
  double time() const override { return use().time(); }
  std::int64_t steps() const override { return use().steps(); }
  double h() const override { return use().scene().scheme.h; }
  int threads() const override { return use().scene().solver.threads; }
  double start_time() const override { return use().scene().start_time; }
  double end_time() const override { return use().scene().end_time; }
  bool finished() const override { return use().finished(); }
  py::object gravity() const override;
  const std::string& stopped() const override { return (use(), measured_.stopped()); }
  const StepReport& report() const override { return (use(), report_); }
  EnergyBalance energy() const override;
  EnergyBalance energy_at_start() const override { return use().energy_at_start(); }
  std::string summary() const override;
  std::vector<std::string> warnings() const override { return use().warnings(); }
  std::uint64_t state_hash() const override { return use().state_hash(); }

  const std::vector<std::string>& body_names() const override { return names_; }
  py::ssize_t body_count() const override { return static_cast<py::ssize_t>(names_.size()); }
  bool is_present(std::int64_t body) const override { return use().bodies().find(body) >= 0; }
  py::object body_model(std::int64_t body) const override;
  py::array live(LiveKind kind) override { return arrays_.get(kind, use()); }

  py::array contacts() const override;
  std::vector<std::string> joint_names() const override;
  py::dict joint(int index) const override;
  std::vector<std::string> system_names() const override;
  py::dict system(int index) const override;
  py::object system_state(int index, bool velocity) const override;
  py::list gaps() const override;
  std::vector<std::string> measure_columns() const override { return (use(), measured_.columns()); }
  py::tuple measures() const override;

  void set_load(std::int64_t body, const py::object& force, const py::object& torque) override;
  void set_loads(const py::object& forces, const py::object& torques) override;
  py::tuple load(std::int64_t body) const override;
  void set_drive(std::int64_t body, const std::string& dof, double speed) override;
  void set_motor(int joint, int direction, double target, double limit) override {
    use().set_motor(joint, direction, target, limit);
  }
  void rest() override { use().rest(); }

  SavedState save() const override;
  void restore(const SavedState& state) override;
  void save_file(const std::string& path) const override;
  void restore_file(const std::string& path) override;
  std::unique_ptr<Driver> copy() const override;
  py::object contact_problem() const override;

  void record(const std::string& path, double every, bool force) override;
  std::int64_t finish_record() override;
  bool is_recording() const override { return recording_ != nullptr; }

 private:
  DriverOf(Simulation<Dim> simulation, const DriverOf& other);
  // The simulation, unless it is in the middle of a step on another thread.
  const Simulation<Dim>& use() const;
  Simulation<Dim>& use();
  int checked_joint(int index) const;
  int checked_system(int index) const;
  std::int64_t checked_body(std::int64_t body) const;
  void refuse_recording() const;
  void take_steps(std::int64_t count, bool until_stopped, bool strict);

  Simulation<Dim> simulation_;
  std::string scene_text_;
  std::vector<std::string> names_;
  Measured<Dim> measured_;
  LiveArrays<Dim> arrays_;
  StepReport report_;
  std::string failure_;  // why it cannot go on; empty: it can
  std::unique_ptr<Recording<Dim>> recording_;
  bool busy_ = false;  // read and written with the interpreter's lock held
};

}  // namespace saltus::bindings
