#include "saltus/contact/position_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/solvers/mobility.hpp"

namespace saltus {

namespace {

// Contacts that joints leave so little of their mobility stay as they are: bodies would go far for little opening, and by more than
// an opening over a length of the bodies beyond what the linear problem knows of a contact.
constexpr double kLeastMobility = 1e-3;

// Overlaps of two bodies of one joint that their joint does not let open, as at both ends of hinged faces, stay: the problem anew without
// them. False: there are none.
template <int Dim>
bool keep_joined(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) {
  bool any = false;
  for (const TiedBlock& block : coupling.blocks) {
    const auto has = [&](int slot) {
      return std::any_of(std::begin(block.ends), std::end(block.ends),
                         [&](const TiedEnd& end) { return end.slot == slot; });
    };
    for (SweepContact<Dim>& c : problem.contacts)
      if (c.shift[0] < 0 && has(c.a) && has(c.b)) c.shift[0] = 0, any = true;
  }
  if (!any) return false;
  for (SweepContact<Dim>& c : problem.contacts) c.r.setZero();
  for (TiedBlock& block : coupling.blocks) block.r.setZero();
  for (SweepBody<Dim>& body : problem.bodies) static_cast<BodyVelocity<Dim>&>(body) = {};
  return true;
}

}  // namespace

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
  if (coupling_.blocks.empty()) return solver_.solve(options, still_, problem_, nullptr).iterations;
  options.held = kLeastMobility;
  options.held_per_length = 1;
  const GroupSolution solved = solver_.solve(options, still_, problem_, &coupling_);
  if (solved.converged || !keep_joined<Dim>(problem_, coupling_)) return solved.iterations;
  return solved.iterations + solver_.solve(options, still_, problem_, &coupling_).iterations;
}

template class PositionProblem<2>;
template class PositionProblem<3>;

}  // namespace saltus
