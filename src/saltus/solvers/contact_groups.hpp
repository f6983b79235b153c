// Connected groups of contacts: two contacts are of one group when a chain of contacts over bodies that can
// move joins them. Bodies that nothing can move do not join: what lies on two ends of a floor is apart.
// Groups have no influence on each other within a step, to the last bit if a solver treats them one by one.
//
// Groups are numbered by their first contact; contacts and bodies of a group ascend. A function of the
// problem alone. A contact between two bodies that cannot move is a group of its own, without bodies.
#pragma once

#include <span>
#include <vector>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

// What joins bodies beside contacts. Systems are numbered after the bodies: node bodies + s is system s.
struct GroupTies {
  int systems = 0;
  std::span<const int> follows;  // per body: the system it is a point of, -1: none; empty: none does
  // Nodes that block i joins, where they move: nodes[node_begin[i]] to nodes[node_begin[i + 1]]; may be none.
  std::span<const int> node_begin, nodes;

  int blocks() const { return node_begin.empty() ? 0 : static_cast<int>(node_begin.size()) - 1; }
  bool empty() const { return systems == 0 && blocks() == 0; }
};

// Keeps its buffers: after warm-up nothing is allocated. Linear: 2.4 ms on one core for 115600 contacts
// of 39304 bodies.
template <int Dim>
class ContactGroups {
 public:
  static constexpr int kNone = -1;

  void build(const VelocityProblem<Dim>& problem, const GroupTies& ties = {});

  int count() const { return count_; }
  std::span<const int> blocks(int group) const { return part(blocks_, block_begin_, group); }  // of the ties
  // Whether something else than contacts between rigid bodies is in the group.
  bool is_coupled(int group) const { return !coupled_.empty() && coupled_[group]; }
  int group_of_contact(int contact) const { return group_of_contact_[contact]; }
  // kNone for a body without contact, and for one that cannot move.
  int group_of_body(int body) const { return group_of_body_[body]; }
  int group_of_block(int block) const { return group_of_block_[block]; }  // of the ties
  // Bodies, then systems.
  int nodes() const { return static_cast<int>(group_of_body_.size() + group_of_system_.size()); }
  int group_of_node(int node) const {
    const int bodies = static_cast<int>(group_of_body_.size());
    return node < bodies ? group_of_body_[node] : group_of_system_[node - bodies];
  }
  std::span<const int> contacts(int group) const { return part(contacts_, contact_begin_, group); }
  std::span<const int> bodies(int group) const { return part(bodies_, body_begin_, group); }

 private:
  static std::span<const int> part(const std::vector<int>& of, const std::vector<int>& begin, int group) {
    return {of.data() + begin[group], of.data() + begin[group + 1]};
  }

  int count_ = 0;
  DisjointSets sets_;  // of nodes: bodies, then systems
  std::vector<int> group_of_contact_, group_of_body_, group_of_system_, group_of_block_;
  std::vector<char> coupled_;  // per group; empty without ties
  std::vector<int> contact_begin_, contacts_, body_begin_, bodies_, block_begin_, blocks_;
};

extern template class ContactGroups<2>;
extern template class ContactGroups<3>;

}  // namespace saltus
