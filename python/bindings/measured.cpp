#include "measured.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace saltus::bindings {

template <int Dim>
Measured<Dim>::Measured(const Simulation<Dim>& simulation) {
  const Scene<Dim>& scene = simulation.scene();
  std::vector<std::string> names;
  if (!scene.measures.empty()) {
    for (const SceneBody<Dim>& body : scene.bodies) names.push_back(body.name);
    take_snapshot(simulation, snapshot_);
  }
  measurer_.emplace(scene.measures, names, snapshot_);
  monitor_.emplace(scene.stops, measurer_->columns());
}

template <int Dim>
bool Measured<Dim>::is_due(const Simulation<Dim>& simulation) const {
  const Scene<Dim>& scene = simulation.scene();
  return !scene.measures.empty() &&
         (simulation.finished() || simulation.steps() % scene.output.measure_every == 0);
}

template <int Dim>
bool Measured<Dim>::judge(double time, std::span<const double> row) {
  StopMonitor::Verdict verdict = monitor_->update(time, row);
  stopped_ = std::move(verdict.end);
  if (verdict.rest.empty()) return false;
  rested_.push_back(fmt::format("{} at t = {:g} s", verdict.rest, time));
  return true;
}

template <int Dim>
void Measured<Dim>::after_step(Simulation<Dim>& simulation) {
  if (!is_due(simulation)) return;
  take_snapshot(simulation, snapshot_);
  row_.clear();
  measurer_->measure(snapshot_, row_);
  if (judge(simulation.time(), row_)) simulation.rest();
  state_.steps.push_back(simulation.steps());
  state_.times.push_back(simulation.time());
  state_.values.insert(state_.values.end(), row_.begin(), row_.end());
}

template <int Dim>
const std::vector<double>* Measured<Dim>::last_row(std::int64_t step) const {
  return !state_.steps.empty() && state_.steps.back() == step ? &row_ : nullptr;
}

template <int Dim>
MeasuredState Measured<Dim>::save() const {
  MeasuredState state = state_;
  state.memory = measurer_->memory();
  return state;
}

// The conditions to stop see the rows again.
template <int Dim>
void Measured<Dim>::restore(const MeasuredState& state, const Simulation<Dim>& simulation) {
  measurer_->restore(state.memory);
  state_ = state;
  stopped_.clear();
  rested_.clear();
  monitor_.emplace(simulation.scene().stops, measurer_->columns());
  const std::size_t width = measurer_->columns().size();
  for (std::size_t row = 0; row < state_.steps.size(); ++row)
    judge(state_.times[row], std::span(state_.values).subspan(row * width, width));
}

template class Measured<2>;
template class Measured<3>;

}  // namespace saltus::bindings
