// What settles by itself in a step of the alpha schemes. The smooth motion is solved in parts that rows of joints and systems join, positions
// in groups that contacts and blocks join: each goes on for as many turns as it needs, whatever is far away.
#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/sim/alpha_step.hpp"

namespace saltus {

template <int Dim>
int AlphaStep<Dim>::system_node(std::size_t system) const {
  return s.system_node(static_cast<int>(system));
}

template <int Dim>
int AlphaStep<Dim>::node_of(int slot) const {
  if (slot < 0 || !s.state.bodies.alive(slot)) return -1;
  if (lives(slot)) return s.state.bodies.model[slot].all_prescribed ? -1 : slot;
  return s.system_node(s.model.parts.followers[s.model.parts.follower_of[s.state.bodies.id[slot]]].system);
}

template <int Dim>
double AlphaStep<Dim>::radius_of_gyration(int slot) const {
  if (!lives(slot)) return 0;
  const BodyModel<Dim>& model = s.state.bodies.model[slot];
  return std::sqrt(model.inertia.trace() / (kSpins<Dim> * model.mass));
}

// Index-3 rows ask for the velocity that takes back g(q~): places are known to a round-off, and no better than over the time in which v~ moves
// them. Rows that repeat others contradict them by as much.
template <int Dim>
double AlphaStep<Dim>::place_round_off(int node) const {
  if (!is_index3()) return 0;
  double farthest = 0;
  const int slots = s.state.bodies.slots();
  if (node >= slots && system_work_[node - slots].q0.size() > 0)
    farthest = system_work_[node - slots].q0.cwiseAbs().maxCoeff();
  else if (node < slots && lives(node))
    farthest = s.state.bodies.pose[node].position.cwiseAbs().maxCoeff();
  return gap_round_off(farthest) * weights_.velocity / weights_.position;
}

// Nodes of a step, all open, and the parts that rows join. A body without rows has nothing that pushes it.
template <int Dim>
void AlphaStep<Dim>::find_parts() {
  const int slots = s.state.bodies.slots(), count = slots + static_cast<int>(system_work_.size());
  nodes_.assign(count, {});
  parts_.assign(count, {});
  sets_.reset(count);
  for (int node = 0; node < count; ++node) {
    nodes_[node].moves = node >= slots || (lives(node) && node_of(node) >= 0);
    nodes_[node].settled = !nodes_[node].moves;
    nodes_[node].allowed = s.model.scene.scheme.alpha.tolerance;
  }
  for (const JointRow<Dim>& row : rows_) {
    int last = -1;
    for (int e = 0; e < row.ends; ++e) {
      if (row.slot[e] >= 0) nodes_[row.slot[e]].tied = true;
      const int node = node_of(row.slot[e]);
      if (node < 0) continue;
      if (last >= 0) sets_.join(last, node);
      last = node;
    }
  }
  for (int node = 0; node < count; ++node) {
    const int part = sets_.find(node);
    nodes_[node].part = part;
    nodes_[part].round_off = std::max(nodes_[part].round_off, place_round_off(node));
    if (node < slots && lives(node) && !nodes_[node].tied) work_[node].pushed.setZero();
  }
  for (Node& node : nodes_) node.round_off = nodes_[node.part].round_off;
}

// That of what it moves; where it moves nothing, of the first body.
template <int Dim>
int AlphaStep<Dim>::part_of(const TiedBlock& block) const {
  int part = 0;
  for (const TiedEnd& end : block.ends) {
    if (end.system >= 0) return nodes_[s.system_node(end.system)].part;
    if (const int node = node_of(end.slot); node >= 0) return nodes_[node].part;
    if (end.slot >= 0) part = nodes_[end.slot].part;
  }
  return part;
}

template <int Dim>
bool AlphaStep<Dim>::is_slid(int node) const {
  const int slots = s.state.bodies.slots();
  if (node < slots) return work_[node].slid == work_[node].U;
  return system_work_[node - slots].slid == system_work_[node - slots].U;
}

template <int Dim>
void AlphaStep<Dim>::settle(int node) {
  if (nodes_[node].settled) return;
  nodes_[node].settled = true;
  const int slots = s.state.bodies.slots();
  if (node < slots) {
    work_[node].looked = work_[node].pose;
    work_[node].looked_U = work_[node].U;
  } else {
    SystemWork& work = system_work_[node - slots];
    work.looked_q = work.q;
    work.looked_U = work.U;
  }
}

// What is settled goes back to where it was looked at, or from there to where it is.
template <int Dim>
void AlphaStep<Dim>::exchange_settled() {
  const int slots = s.state.bodies.slots();
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    if (!nodes_[node].moves || !nodes_[node].settled) continue;
    if (node < slots) {
      std::swap(work_[node].pose, work_[node].looked);
      std::swap(work_[node].U, work_[node].looked_U);
    } else {
      SystemWork& work = system_work_[node - slots];
      work.q.swap(work.looked_q);
      work.U.swap(work.looked_U);
    }
  }
}

// Groups of the position problem that are to be solved in this turn: those in which something is not settled. One that was never solved, is where
// friction leads and has nothing to open is settled as it is. What was settled and is joined by another begins again where it was looked at.
template <int Dim>
bool AlphaStep<Dim>::open_groups() {
  const Coupling<Dim>& coupling = s.work.parts.coupling;
  const int slots = s.state.bodies.slots(), count = static_cast<int>(nodes_.size());
  groups_.build(s.work.problem, s.state.parts.empty() ? GroupTies() : coupling.ties());
  position_groups_.assign(groups_.count(), {});
  for (int node = 0; node < count; ++node) {
    if (!nodes_[node].moves || groups_.group_of_node(node) < 0) continue;
    PositionGroup& group = position_groups_[groups_.group_of_node(node)];
    group.open |= !nodes_[node].settled;
    group.closes |= !is_slid(node);
    group.turns = std::max(group.turns, nodes_[node].turns);
    if (node < slots) group.length += radius_of_gyration(node), ++group.bodies;
  }
  for (std::size_t row = 0; row < s.work.problem.contacts.size(); ++row)
    if (s.work.problem.contacts[row].shift[0] < 0)
      position_groups_[groups_.group_of_contact(static_cast<int>(row))].closes = true;
  if (!s.state.parts.empty())
    for (std::size_t i = 0; i < coupling.blocks.size(); ++i)
      if (coupling.blocks[i].set.kind == SetKind::space || coupling.blocks[i].shift[0] < 0)
        position_groups_[groups_.group_of_block(static_cast<int>(i))].closes = true;
  bool open = false;
  for (int node = 0; node < count; ++node) {
    if (!nodes_[node].moves) continue;
    const int group = groups_.group_of_node(node);
    const bool alone = group < 0;
    const bool starts = (alone ? nodes_[node].turns : position_groups_[group].turns) == 0;
    const bool closes = alone ? !is_slid(node) : position_groups_[group].closes;
    const bool goes_on = alone ? !nodes_[node].settled : position_groups_[group].open;
    if (!goes_on || (starts && !closes)) {
      settle(node);
      continue;
    }
    nodes_[node].settled = false;
    if (alone)
      nodes_[node].length = node < slots ? radius_of_gyration(node) : 1;
    else
      nodes_[node].length = position_groups_[group].bodies > 0
                                ? position_groups_[group].length / position_groups_[group].bodies
                                : 1;
    open = true;
  }
  return open;
}

// The tolerance of contacts is a mean over those of a group: one may be off by the root of their number times as much.
template <int Dim>
bool AlphaStep<Dim>::judge_groups(double& moved, double& allowed) {
  const double tolerance = s.model.scene.scheme.alpha.tolerance;
  const int count = static_cast<int>(nodes_.size());
  for (int node = 0; node < count; ++node)
    if (const int group = groups_.group_of_node(node); group >= 0 && !nodes_[node].settled)
      position_groups_[group].moved = std::max(position_groups_[group].moved, nodes_[node].moved);
  bool open = false;
  moved = 0, allowed = tolerance;
  for (int at = 0; at < count; ++at) {
    Node& node = nodes_[at];
    if (node.settled) continue;
    const int group = groups_.group_of_node(at);
    ++node.turns;
    node.allowed = tolerance;
    if (group >= 0) {
      node.moved = position_groups_[group].moved;
      const double contacts = static_cast<double>(groups_.contacts(group).size());
      node.allowed = std::max(
          tolerance, 4 * weights_.h * s.work.solver.tolerance_of(group) * std::sqrt(contacts) / node.length);
    }
    node.settled = node.moved <= node.allowed;
    open |= !node.settled;
    if (node.moved * allowed > moved * node.allowed) moved = node.moved, allowed = node.allowed;
  }
  return open;
}

// Friction moves bodies other than their positions were solved with: these, and what touches them or is tied to them, are solved once more.
template <int Dim>
bool AlphaStep<Dim>::open_slid() {
  slide();
  const int count = static_cast<int>(nodes_.size());
  if (!s.work.parts.trouble.empty() ||
      std::none_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.slides; }))
    return false;
  sets_.reset(count);
  for (const ContactGroups<Dim>* groups : {&std::as_const(groups_), &s.work.solver.groups()}) {
    first_.assign(groups->count(), -1);
    for (int node = 0; node < count; ++node) {
      const int group = groups->group_of_node(node);
      if (group < 0 || !nodes_[node].moves) continue;
      if (first_[group] >= 0) sets_.join(first_[group], node);
      first_[group] = node;
    }
  }
  for (int node = 0; node < count; ++node)
    if (nodes_[node].slides) nodes_[sets_.find(node)].slides = true;
  for (int node = 0; node < count; ++node)
    if (nodes_[node].moves && nodes_[sets_.find(node)].slides)
      nodes_[node].settled = false, nodes_[node].turns = 0;
  return true;
}

template <int Dim>
int AlphaStep<Dim>::turns_of(int slot) const {
  const int node = node_of(slot);
  return node < 0 ? 0 : nodes_[node].turns;
}

template int AlphaStep<2>::system_node(std::size_t) const;
template int AlphaStep<3>::system_node(std::size_t) const;
template int AlphaStep<2>::node_of(int) const;
template int AlphaStep<3>::node_of(int) const;
template double AlphaStep<2>::radius_of_gyration(int) const;
template double AlphaStep<3>::radius_of_gyration(int) const;
template double AlphaStep<2>::place_round_off(int) const;
template double AlphaStep<3>::place_round_off(int) const;
template void AlphaStep<2>::find_parts();
template void AlphaStep<3>::find_parts();
template int AlphaStep<2>::part_of(const TiedBlock&) const;
template int AlphaStep<3>::part_of(const TiedBlock&) const;
template bool AlphaStep<2>::is_slid(int) const;
template bool AlphaStep<3>::is_slid(int) const;
template void AlphaStep<2>::settle(int);
template void AlphaStep<3>::settle(int);
template void AlphaStep<2>::exchange_settled();
template void AlphaStep<3>::exchange_settled();
template bool AlphaStep<2>::open_groups();
template bool AlphaStep<3>::open_groups();
template bool AlphaStep<2>::judge_groups(double&, double&);
template bool AlphaStep<3>::judge_groups(double&, double&);
template bool AlphaStep<2>::open_slid();
template bool AlphaStep<3>::open_slid();
template int AlphaStep<2>::turns_of(int) const;
template int AlphaStep<3>::turns_of(int) const;

}  // namespace saltus
