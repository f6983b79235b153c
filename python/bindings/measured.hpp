// The measures of a run that Python steps: rows as `saltus run` would write them, and the conditions to stop of the scene.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "saltus/measure/measure.hpp"
#include "saltus/measure/stop_monitor.hpp"

namespace saltus::bindings {

// What of them goes with a saved state.
struct MeasuredState {
  std::vector<double> memory;  // Measurer::memory
  std::vector<std::int64_t> steps;
  std::vector<double> times, values;
};

template <int Dim>
class Measured {
 public:
  // At the first state: strains refer to it. InputError for measures that do not fit the scene.
  explicit Measured(const Simulation<Dim>& simulation);

  void after_step(Simulation<Dim>& simulation);
  const std::string& stopped() const { return stopped_; }  // why the scene wants to end; empty: it does not
  const std::vector<std::string>& rested() const { return rested_; }  // when and why velocities became zero
  const std::vector<std::string>& columns() const { return measurer_->columns(); }
  const MeasuredState& rows() const { return state_; }
  const std::vector<double>* last_row(std::int64_t step) const;  // null: none was taken at that step

  MeasuredState save() const;
  // Rows beyond `step` are dropped.
  void restore(const MeasuredState& state, const Simulation<Dim>& simulation);

 private:
  bool judge(double time, std::span<const double> row);  // whether bodies come to rest
  bool is_due(const Simulation<Dim>& simulation) const;

  std::optional<Measurer<Dim>> measurer_;
  std::optional<StopMonitor> monitor_;
  Snapshot<Dim> snapshot_;
  std::vector<double> row_;
  MeasuredState state_;
  std::string stopped_;
  std::vector<std::string> rested_;
};

}  // namespace saltus::bindings
