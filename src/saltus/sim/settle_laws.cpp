#include <algorithm>

#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

// Points of deformable bodies move as the solve left their systems, which laws are to be taken at.
template <int Dim>
void Simulation<Dim>::Engine::put_solved_velocities() {
  for (const Follower<Dim>& follower : work.parts.coupling.followers) {
    const Eigen::VectorXd& v = work.parts.coupling.systems[follower.system].velocity;
    Twist<Dim> moves = Twist<Dim>::Zero();
    Eigen::Matrix<double, Dim * Dim, 1> stretch = Eigen::Matrix<double, Dim * Dim, 1>::Zero();
    for (std::size_t k = 0; k < follower.dofs.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      moves += follower.placement.col(column) * v[follower.dofs[k]];
      if (follower.stretch.cols() > 0) stretch += follower.stretch.col(column) * v[follower.dofs[k]];
    }
    SweepBody<Dim>& body = work.problem.bodies[follower.slot];
    for (int i = 0; i < Dim; ++i) body.v[i] = moves[i];
    for (int i = 0; i < kSpins<Dim>; ++i) body.w[i] = moves[Dim + i];
    if (!work.parts.stretch.empty())
      work.parts.stretch[follower.slot] = Eigen::Map<const Mat<Dim>>(stretch.data());
  }
}

// Laws that are not linear in the velocity (friction functions, Hertz) are linearised about a point of each
// contact, and the point follows the solution: for Hertz by Newton's method on a convex force, which from the
// second turn on comes from one side; for a function by the secant method (move_point). What is left is an
// impulse; over the mean mass of its connected group it is held to the tolerance of the group's residual. A group that is there
// is left alone while others go on.
template <int Dim>
void Simulation<Dim>::Engine::settle_laws(StepReport& report) {
  constexpr int kTurns = 100;
  const std::vector<char> kept_before = work.kept;
  bool settled = false;
  for (int turn = 0; turn < kTurns && !settled; ++turn) {
    put_solved_velocities();
    ContactStep step = contact_step();
    step.forecast_known = true;
    step.kept = work.kept;
    state.contacts.update_points(step, model.scene.period, views(), work.problem, work.law_points,
                                 work.law_errors);
    open_none();
    const ContactGroups<Dim>& groups = work.solver.groups();
    for (std::size_t row = 0; row < work.law_errors.size(); ++row) {
      const int group = groups.group_of_contact(static_cast<int>(row));
      if (!(work.law_errors[row] <= work.solver.tolerance_of(group) * work.solver.mass_of(group)))
        work.open_groups[group] = 1;
    }
    settled = std::all_of(work.open_groups.begin(), work.open_groups.end(), [](char open) { return !open; });
    if (settled) break;
    keep_others();
    put_free_velocities();
    step.points = work.law_points;
    step.kept = work.kept;
    state.contacts.build_problem(step, model.scene.period, views(), work.problem);
    solve_again(report);
  }
  work.kept = kept_before;
  if (settled) return;
  report.status = StepStatus::unconverged;
  report.reason = "the friction function or Hertz's force did not settle";
}

template void Simulation<2>::Engine::put_solved_velocities();
template void Simulation<3>::Engine::put_solved_velocities();
template void Simulation<2>::Engine::settle_laws(StepReport&);
template void Simulation<3>::Engine::settle_laws(StepReport&);

}  // namespace saltus
