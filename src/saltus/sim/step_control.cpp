// Steps under control (schemes/step_control.hpp).
#include <algorithm>
#include <cmath>

#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

template <int Dim>
void Simulation<Dim>::Engine::set_length(int halvings) {
  work.scheme.h = std::ldexp(model.scene.scheme.h, -halvings);
}

// Parts of h are sums of powers of 1/2: exact.
template <int Dim>
void Simulation<Dim>::Engine::end_step() {
  state.last_part = work.scheme.h / model.scene.scheme.h;
  state.part += state.last_part;
  if (state.part < 1) return;
  state.part = 0;
  ++state.steps;
}

// Of solids that are not linear, under schemes whose steps may have any length.
template <int Dim>
bool Simulation<Dim>::Engine::may_cut_steps() const {
  const SchemeKind kind = model.scene.scheme.kind;
  if (model.scene.scheme.control.on) return true;
  if (is_alpha(kind) || kind == SchemeKind::schatzman_paoli || kind == SchemeKind::event_driven) return false;
  const auto is_curved = [](const auto& elements) { return !elements->is_linear(); };
  return std::any_of(state.parts.solids.begin(), state.parts.solids.end(), is_curved) ||
         std::any_of(state.parts.beams.begin(), state.parts.beams.end(), is_curved);
}

template <int Dim>
StepReport Simulation<Dim>::Engine::take_controlled() {
  const StepControl& control = model.scene.scheme.control;
  const std::int64_t end = state.steps + 1;
  StepReport whole;
  int halved = 0;
  bool first = true;
  do {
    apply_events();
    keep_state();
    set_length(state.halvings);
    StepReport report = take();
    if (state.halvings < control.halvings && is_to_be_halved(control, report, state.overlap)) {
      restore_state();
      ++state.halvings;
      ++halved;
      continue;
    }
    report.halved = halved;
    halved = 0;
    state.overlap = report.penetration_relative;
    state.summary.add(report);
    whole = first ? std::move(report) : join(whole, std::move(report));
    first = false;
    if (state.halvings > 0 && std::fmod(state.part, std::ldexp(1.0, 1 - state.halvings)) == 0)
      --state.halvings;
  } while (state.steps < end && state.finite);
  set_length(0);
  return whole;
}

template bool Simulation<2>::Engine::may_cut_steps() const;
template bool Simulation<3>::Engine::may_cut_steps() const;
template StepReport Simulation<2>::Engine::take_controlled();
template StepReport Simulation<3>::Engine::take_controlled();
template void Simulation<2>::Engine::set_length(int);
template void Simulation<3>::Engine::set_length(int);
template void Simulation<2>::Engine::end_step();
template void Simulation<3>::Engine::end_step();

}  // namespace saltus
