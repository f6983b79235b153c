#include "saltus/sim/simulation_state.hpp"

namespace saltus {

// A contact that is left out may let others close, and one taken in may lift others: the set is searched by
// turns. After some turns contacts are only taken in, so that the search ends, on the safe side.
template <int Dim>
void Simulation<Dim>::State::settle_forecast(StepReport& report) {
  constexpr int kFreeTurns = 10;
  ContactStep step = contact_step();
  step.forecast_known = true;
  for (int turn = 0; contacts.update_forecast(step, scene.period, views(), problem, turn >= kFreeTurns);
       ++turn) {
    contacts.build_problem(step, scene.period, views(), problem);
    solve_again(report);
  }
}

template <int Dim>
void Simulation<Dim>::State::solve_again(StepReport& report) {
  const std::int64_t iterations = report.iterations, updates = report.contact_updates;
  report.status = StepStatus::converged;
  report.reason.clear();
  report.iterations = report.contact_updates = 0;
  start_systems();
  solve_contacts(report);
  report.iterations += iterations;
  report.contact_updates += updates;
}

template void Simulation<2>::State::settle_forecast(StepReport&);
template void Simulation<3>::State::settle_forecast(StepReport&);
template void Simulation<2>::State::solve_again(StepReport&);
template void Simulation<3>::State::solve_again(StepReport&);

}  // namespace saltus
