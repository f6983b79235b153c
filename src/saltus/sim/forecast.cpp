#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

// A contact that is left out may let others close, and one taken in may lift others: the set is searched by
// turns, in each connected group by itself. After some turns contacts are only taken in, so that the search ends, on the safe side.
template <int Dim>
void Simulation<Dim>::Engine::settle_forecast(StepReport& report) {
  constexpr int kFreeTurns = 10;
  for (int turn = 0;; ++turn) {
    ContactStep step = contact_step();
    step.forecast_known = true;
    state.contacts.update_forecast(step, model.scene.period, views(), work.problem, turn >= kFreeTurns,
                                   work.changed);
    if (work.changed.empty()) break;
    open_none();
    open_contacts(work.changed);
    keep_others();
    step.kept = work.kept;
    state.contacts.build_problem(step, model.scene.period, views(), work.problem);
    solve_again(report);
  }
  work.kept.clear();
}

template void Simulation<2>::Engine::settle_forecast(StepReport&);
template void Simulation<3>::Engine::settle_forecast(StepReport&);

}  // namespace saltus
