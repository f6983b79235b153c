#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

// Laws that are not linear in the velocity (friction functions, Hertz) are linearised about a point of each
// contact, and the point follows the solution: for Hertz by Newton's method on a convex force, which from the
// second turn on comes from one side; for a function by the secant method (move_point). What is left is an
// impulse; over the mean mass it is held to the tolerance of the residual.
template <int Dim>
void Simulation<Dim>::Engine::settle_laws(StepReport& report) {
  constexpr int kTurns = 100;
  for (int turn = 0; turn < kTurns; ++turn) {
    ContactStep step = contact_step();
    step.forecast_known = true;
    const double error =
        state.contacts.update_points(step, model.scene.period, views(), work.problem, work.law_points);
    if (error <= report.tolerance * work.mean_mass) return;
    step.points = work.law_points;
    state.contacts.build_problem(step, model.scene.period, views(), work.problem);
    solve_again(report);
  }
  report.status = StepStatus::unconverged;
  report.reason = "the friction function or Hertz's force did not settle";
}

template void Simulation<2>::Engine::settle_laws(StepReport&);
template void Simulation<3>::Engine::settle_laws(StepReport&);

}  // namespace saltus
