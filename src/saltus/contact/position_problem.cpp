#include "saltus/contact/position_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
std::int64_t PositionProblem<Dim>::solve(std::span<const double> tolerance, std::int64_t max_sweeps) {
  const std::vector<SweepContact<Dim>>& contacts = problem_.contacts;
  if (contacts.empty()) return 0;
  const int slots = static_cast<int>(problem_.bodies.size());
  coupling_.index(slots);
  solved_.build(problem_, coupling_.ties());
  tolerance_.assign(slots, 0.0);
  for (int group = 0; group < solved_.count(); ++group) {
    double least = std::numeric_limits<double>::infinity(), opening = 0;
    for (const int i : solved_.contacts(group)) {
      if (!(contacts[i].shift[0] < 0)) continue;
      ++opening;
      for (const int slot : {contacts[i].a, contacts[i].b}) least = std::min(least, tolerance[slot]);
    }
    if (opening == 0) least = 0;
    // Of the rms over all contacts, as if those that are to open had all of the residual.
    const double rms =
        least * std::sqrt(opening / std::max(1.0, static_cast<double>(solved_.contacts(group).size())));
    for (const int slot : solved_.bodies(group)) tolerance_[slot] = rms;
  }
  still_.assign(slots, {});
  GroupSolverOptions options;
  options.solver = SolverKind::nlgs;
  options.tolerance = 0;
  options.least = tolerance_;
  options.sticks = false;
  options.max_iterations = max_sweeps;
  return solver_.solve(options, still_, problem_, coupling_.blocks.empty() ? nullptr : &coupling_).iterations;
}

template class PositionProblem<2>;
template class PositionProblem<3>;

}  // namespace saltus
