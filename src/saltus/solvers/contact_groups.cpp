#include "saltus/solvers/contact_groups.hpp"

namespace saltus {

template <int Dim>
void ContactGroups<Dim>::build(const VelocityProblem<Dim>& problem, const GroupTies& ties) {
  const int bodies = static_cast<int>(problem.bodies.size());
  const int contacts = static_cast<int>(problem.contacts.size()), nodes = bodies + ties.systems;
  // Which bodies move, asked once per body and not once per contact. A point of a system is its system.
  constexpr int kMoves = -2;
  std::vector<int>& group_of = group_of_body_;
  group_of.resize(static_cast<std::size_t>(nodes));
  for (int i = 0; i < bodies; ++i) group_of[i] = is_immovable(problem.bodies[i]) ? kNone : kMoves;
  for (int i = bodies; i < nodes; ++i) group_of[i] = kMoves;
  const auto node = [&](int body) {
    return ties.follows.empty() || ties.follows[body] < 0 ? body : bodies + ties.follows[body];
  };

  // Contacts are large: they are read once, and leave the node that speaks for them.
  sets_.reset(nodes);
  group_of_contact_.resize(problem.contacts.size());
  for (int i = 0; i < contacts; ++i) {
    const int a = node(problem.contacts[i].a), b = node(problem.contacts[i].b);
    const bool a_moves = group_of[a] == kMoves, b_moves = group_of[b] == kMoves;
    if (a_moves && b_moves) sets_.join(a, b);
    group_of_contact_[i] = a_moves ? a : b_moves ? b : kNone;
  }
  group_of_block_.assign(static_cast<std::size_t>(ties.blocks()), kNone);
  for (int i = 0; i < ties.blocks(); ++i)
    for (int k = ties.node_begin[i]; k < ties.node_begin[i + 1]; ++k) {
      if (group_of[ties.nodes[k]] != kMoves) continue;
      if (group_of_block_[i] != kNone) sets_.join(group_of_block_[i], ties.nodes[k]);
      group_of_block_[i] = ties.nodes[k];
    }

  // A set gets its number where its first contact is met, or else its first block; its smallest node keeps it.
  count_ = 0;
  const auto number_of = [&](int& group) {
    if (group == kNone) {
      group = count_++;
      return;
    }
    int& number = group_of[sets_.find(group)];
    if (number == kMoves) number = count_++;
    group = number;
  };
  for (int& group : group_of_contact_) number_of(group);
  for (int& group : group_of_block_) number_of(group);
  for (int i = 0; i < nodes; ++i) {
    if (group_of[i] == kNone) continue;
    const int number = group_of[sets_.find(i)];
    group_of[i] = number == kMoves ? kNone : number;
  }
  if (!ties.follows.empty())
    for (int i = 0; i < bodies; ++i) group_of[i] = group_of[node(i)];

  group_of_system_.assign(group_of.begin() + bodies, group_of.end());
  coupled_.assign(ties.empty() ? 0 : static_cast<std::size_t>(count_), 0);
  for (const int group : group_of_block_) coupled_[group] = 1;
  for (const int group : group_of_system_)
    if (group >= 0) coupled_[group] = 1;
  sort_by_set(group_of_contact_, count_, contact_begin_, contacts_);
  sort_by_set(group_of_block_, count_, block_begin_, blocks_);
  group_of.resize(static_cast<std::size_t>(bodies));
  sort_by_set(group_of, count_, body_begin_, bodies_);
}

template class ContactGroups<2>;
template class ContactGroups<3>;

}  // namespace saltus
