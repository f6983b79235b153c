#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

// A contact that is left out may let others close, and one taken in may lift others: the set is searched by
// turns. After some turns contacts are only taken in, so that the search ends, on the safe side.
template <int Dim>
void Simulation<Dim>::Engine::settle_forecast(StepReport& report) {
  constexpr int kFreeTurns = 10;
  ContactStep step = contact_step();
  step.forecast_known = true;
  for (int turn = 0;
       state.contacts.update_forecast(step, model.scene.period, views(), work.problem, turn >= kFreeTurns);
       ++turn) {
    state.contacts.build_problem(step, model.scene.period, views(), work.problem);
    solve_again(report);
  }
}

template <int Dim>
void Simulation<Dim>::Engine::solve_again(StepReport& report) {
  const std::int64_t iterations = report.iterations, updates = report.contact_updates;
  report.status = StepStatus::converged;
  report.reason.clear();
  report.iterations = report.contact_updates = 0;
  start_systems();
  solve_contacts(report);
  report.iterations += iterations;
  report.contact_updates += updates;
}

template void Simulation<2>::Engine::settle_forecast(StepReport&);
template void Simulation<3>::Engine::settle_forecast(StepReport&);
template void Simulation<2>::Engine::solve_again(StepReport&);
template void Simulation<3>::Engine::solve_again(StepReport&);

}  // namespace saltus
