// Rows of joints that other joints imply: loops that are closed more than once.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <map>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

// Beyond so many rows in one loop nobody waits for the answer.
constexpr int kMostRows = 600;
// Of the length of a row, after what others imply of it is taken away: below it is implied by them. Joints are given with
// coordinates of six digits and more.
constexpr double kImplied = 1e-6;

template <int Dim>
struct HeldRow {
  int joint = 0;
  std::vector<std::pair<int, Eigen::Matrix<double, kDofs<Dim>, 1>>> ends;  // slot and Jacobian
};

template <int Dim>
std::vector<HeldRow<Dim>> held_rows(const JointSet<Dim>& joints, std::span<const int> slot_of,
                                    std::span<const Pose<Dim>> poses) {
  std::vector<HeldRow<Dim>> rows;
  const auto add_end = [&](BodyId id, const typename CoordinateRow<Dim>::Jacobian& jacobian,
                           HeldRow<Dim>& row) {
    if (id >= 0) row.ends.emplace_back(slot_of[id], jacobian);
  };
  for (int i = 0; i < joints.count(); ++i) {
    const Joint<Dim>& joint = joints.joint(i);
    PlacedFrames<Dim> frames;
    for (const auto* held : {&joint.held_points, &joint.held_turns})
      for (const Coordinate coordinate : *held) {
        if (!place_pair<Dim>(joint.pair, slot_of, poses, frames)) continue;
        const CoordinateRow<Dim> at = evaluate<Dim>(coordinate, frames);
        HeldRow<Dim> row{i, {}};
        add_end(joint.pair.a, at.a, row), add_end(joint.pair.b, at.b, row);
        rows.push_back(std::move(row));
      }
    if (joint.combined.empty() || joint.slack) continue;
    HeldRow<Dim> row{i, {}};
    bool there = true;
    for (const CombinedTerm<Dim>& term : joint.combined) {
      there &= place_pair<Dim>(term.pair, slot_of, poses, frames);
      if (!there) break;
      const CoordinateRow<Dim> at = evaluate<Dim>(term.coordinate, frames, term.start);
      add_end(term.pair.a, term.factor * at.a, row), add_end(term.pair.b, term.factor * at.b, row);
    }
    if (there) rows.push_back(std::move(row));
  }
  return rows;
}

// A row in the velocities sqrt(m) v of the bodies of its mechanism.
template <int Dim>
Eigen::VectorXd scaled_row(const HeldRow<Dim>& row, const std::map<int, int>& place,
                           const BodySet<Dim>& bodies) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(place.size()) * kDofs<Dim>);
  for (const auto& [slot, jacobian] : row.ends) {
    const auto at = place.find(slot);
    if (at == place.end()) continue;
    const BodyModel<Dim>& model = bodies.model[slot];
    const double turn = std::sqrt(model.inertia.trace() / kSpins<Dim>);
    for (int i = 0; i < kDofs<Dim>; ++i)
      if (model.drive[i].is_free())
        result[at->second * kDofs<Dim> + i] += jacobian[i] / (i < Dim ? std::sqrt(model.mass) : turn);
  }
  return result;
}

}  // namespace

template <int Dim>
std::vector<std::string> Simulation<Dim>::joint_findings() const {
  Engine& engine = *engine_;
  const BodySet<Dim>& bodies = engine.state.bodies;
  const JointSet<Dim>& joints = engine.state.parts.joints;
  std::vector<std::string> findings;
  if (joints.count() == 0) return findings;
  engine.find_slots();
  const auto rows = held_rows<Dim>(joints, engine.work.parts.slot_of, bodies.pose);
  DisjointSets sets;
  sets.reset(bodies.slots());
  const auto moves = [&](int slot) {
    return slot >= 0 && bodies.is_moving(slot) && scene().bodies[bodies.id[slot]].follows < 0;
  };
  for (const auto& row : rows)
    for (const auto& [slot, jacobian] : row.ends)
      for (const auto& [other, unused] : row.ends)
        if (moves(slot) && moves(other)) sets.join(slot, other);
  std::map<int, std::vector<const HeldRow<Dim>*>> mechanisms;
  const auto follows = [&](const auto& end) { return scene().bodies[bodies.id[end.first]].follows >= 0; };
  for (const auto& row : rows)
    for (const auto& [slot, jacobian] : row.ends) {
      // What holds a point of a system moves with it: other rows do not imply it.
      if (std::any_of(row.ends.begin(), row.ends.end(), follows)) break;
      if (moves(slot)) {
        mechanisms[sets.find(slot)].push_back(&row);
        break;
      }
    }
  const auto label = [&](int joint) {
    const std::string& name = scene().joints[joint].name;
    return name.empty() ? fmt::format("{}", joint) : '"' + name + '"';
  };
  std::vector<std::vector<int>> members(static_cast<std::size_t>(bodies.slots()));  // of each root
  for (int slot = 0; slot < bodies.slots(); ++slot)
    if (moves(slot)) members[sets.find(slot)].push_back(slot);
  for (const auto& [root, held] : mechanisms) {
    std::map<int, int> place;
    for (const int slot : members[root]) place.emplace(slot, static_cast<int>(place.size()));
    // A tree of joints cannot repeat itself, but for bodies whose own degrees of freedom are taken.
    if (static_cast<int>(held.size()) > kMostRows) {
      if (held.size() > place.size() * (Dim == 2 ? 2 : 5))
        findings.push_back(fmt::format(
            "a mechanism of {} bodies holds {} rows: too many to look for loops that are closed twice",
            place.size(), held.size()));
      continue;
    }
    std::vector<Eigen::VectorXd> basis;
    std::map<int, int> implied;
    for (const HeldRow<Dim>* row : held) {
      Eigen::VectorXd v = scaled_row(*row, place, bodies);
      const double length = v.norm();
      for (int pass = 0; pass < 2; ++pass)
        for (const Eigen::VectorXd& b : basis) v -= b.dot(v) * b;
      if (v.norm() > kImplied * length && length > 0)
        basis.push_back(v.normalized());
      else
        ++implied[row->joint];
    }
    if (implied.empty()) continue;
    std::string which;
    for (const auto& [joint, count] : implied)
      which += fmt::format("{}{} of joint {}", which.empty() ? "" : ", ", count, label(joint));
    findings.push_back(
        fmt::format("a mechanism of {} bodies holds {} rows of rank {}: those of other joints imply {}. "
                    "Motion and sum of forces are as they "
                    "should be, how loops share the load is not determined: the smallest impulses are taken",
                    place.size(), held.size(), basis.size(), which));
  }
  return findings;
}

template std::vector<std::string> Simulation<2>::joint_findings() const;
template std::vector<std::string> Simulation<3>::joint_findings() const;

}  // namespace saltus
