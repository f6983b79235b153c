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

// Groups of which no contact is to open stay where they are.
template <int Dim>
void PositionProblem<Dim>::drop_closed_groups() {
  groups_.build(problem_);
  std::vector<SweepContact<Dim>>& contacts = problem_.contacts;
  opens_.assign(groups_.count(), false);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
    if (contacts[i].shift[0] < 0) opens_[groups_.group_of_contact(i)] = true;
  std::size_t kept = 0;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
    if (opens_[groups_.group_of_contact(i)]) contacts[kept++] = contacts[i];
  contacts.resize(kept);
}

template <int Dim>
std::int64_t PositionProblem<Dim>::solve(double tolerance, std::int64_t max_sweeps, double mass) {
  drop_closed_groups();
  const std::vector<SweepContact<Dim>>& contacts = problem_.contacts;
  if (contacts.empty()) return 0;
  const auto opening =
      std::count_if(contacts.begin(), contacts.end(), [](const auto& c) { return c.shift[0] < 0; });
  problem_.mass = mass;
  VelocitySweepOptions options;
  // Of the rms over all contacts, as if those that are to open had all of the residual.
  options.tolerance =
      tolerance * std::sqrt(static_cast<double>(opening) / static_cast<double>(contacts.size()));
  options.max_sweeps = max_sweeps;
  return sweeps_.solve(options, problem_).sweeps;
}

template class PositionProblem<2>;
template class PositionProblem<3>;

}  // namespace saltus
