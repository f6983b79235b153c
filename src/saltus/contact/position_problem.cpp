#include "saltus/contact/position_problem.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/solvers/mobility.hpp"

namespace saltus {

template <int Dim>
void PositionProblem<Dim>::start(std::span<const SweepBody<Dim>> mobility) {
  problem_.bodies.assign(mobility.begin(), mobility.end());
  for (SweepBody<Dim>& body : problem_.bodies) static_cast<BodyVelocity<Dim>&>(body) = {};
  problem_.contacts.clear();
  coupling_.clear_blocks();
}

template <int Dim>
void PositionProblem<Dim>::hold(int slot) {
  problem_.bodies[slot] = {};
}

template <int Dim>
bool PositionProblem<Dim>::add(const ContactPoint<Dim>& point, std::span<const Pose<Dim>> poses,
                               const Vec<Dim>& image_shift, double opening) {
  SweepContact<Dim> row;
  row.a = point.a;
  row.b = point.b;
  row.normal = point.normal;
  row.point = point.point;
  row.arm_a = point.point - poses[point.a].position;
  row.arm_b = point.point - poses[point.b].position - image_shift;
  row.shift[0] = -opening;
  if (!is_movable(row, problem_.bodies[row.a], problem_.bodies[row.b])) return false;
  problem_.contacts.push_back(row);
  return true;
}

template <int Dim>
void PositionProblem<Dim>::drop_closed_groups(std::span<const std::pair<int, int>> ties) {
  groups_.reset(static_cast<int>(problem_.bodies.size()));
  const auto moves = [&](int slot) { return slot >= 0 && !is_immovable(problem_.bodies[slot]); };
  const auto join = [&](int a, int b) {
    if (moves(a) && moves(b)) groups_.join(a, b);
  };
  std::vector<SweepContact<Dim>>& contacts = problem_.contacts;
  for (const SweepContact<Dim>& c : contacts) join(c.a, c.b);
  for (const auto& [a, b] : ties) join(a, b);
  const auto group = [&](const SweepContact<Dim>& c) { return groups_.find(moves(c.a) ? c.a : c.b); };
  opens_.assign(problem_.bodies.size(), false);
  for (const SweepContact<Dim>& c : contacts)
    if (c.shift[0] < 0) opens_[group(c)] = true;
  std::erase_if(contacts, [&](const SweepContact<Dim>& c) { return !opens_[group(c)]; });
}

template <int Dim>
bool PositionProblem<Dim>::is_open(int slot) {
  return !is_immovable(problem_.bodies[slot]) && opens_[groups_.find(slot)];
}

template <int Dim>
std::int64_t PositionProblem<Dim>::solve(double tolerance, std::int64_t max_sweeps, double mass,
                                         double length) {
  const std::vector<SweepContact<Dim>>& contacts = problem_.contacts;
  if (contacts.empty()) return 0;
  const auto opening =
      std::count_if(contacts.begin(), contacts.end(), [](const auto& c) { return c.shift[0] < 0; });
  problem_.mass = mass;
  problem_.length = length;
  // Of the rms over all contacts, as if those that are to open had all of the residual.
  const double rms =
      tolerance * std::sqrt(static_cast<double>(opening) / static_cast<double>(contacts.size()));
  if (!coupling_.blocks.empty()) return solve_tied(rms, max_sweeps);
  VelocitySweepOptions options;
  options.tolerance = rms;
  options.max_sweeps = max_sweeps;
  return sweeps_.solve(options, problem_).sweeps;
}

template <int Dim>
std::int64_t PositionProblem<Dim>::solve_tied(double tolerance, std::int64_t max_sweeps) {
  coupling_.index(static_cast<int>(problem_.bodies.size()));
  still_.assign(problem_.bodies.size(), {});
  GroupSolverOptions options;
  options.solver = SolverKind::nlgs;
  options.tolerance = tolerance;
  options.max_iterations = max_sweeps;
  return solver_.solve(options, still_, problem_, &coupling_).iterations;
}

template class PositionProblem<2>;
template class PositionProblem<3>;

}  // namespace saltus
