#include "saltus/solvers/contact_groups.hpp"

namespace saltus {

template <int Dim>
void ContactGroups<Dim>::build(const VelocityProblem<Dim>& problem) {
  const int bodies = static_cast<int>(problem.bodies.size());
  const int contacts = static_cast<int>(problem.contacts.size());
  // Which bodies move, asked once per body and not once per contact.
  constexpr int kMoves = -2;
  group_of_body_.resize(problem.bodies.size());
  for (int i = 0; i < bodies; ++i) group_of_body_[i] = is_immovable(problem.bodies[i]) ? kNone : kMoves;

  // Contacts are large: they are read once, and leave the body that speaks for them.
  sets_.reset(bodies);
  group_of_contact_.resize(problem.contacts.size());
  for (int i = 0; i < contacts; ++i) {
    const int a = problem.contacts[i].a, b = problem.contacts[i].b;
    const bool a_moves = group_of_body_[a] == kMoves, b_moves = group_of_body_[b] == kMoves;
    if (a_moves && b_moves) sets_.join(a, b);
    group_of_contact_[i] = a_moves ? a : b_moves ? b : kNone;
  }

  // A set gets its number where its first contact is met; its smallest body keeps it.
  count_ = 0;
  for (int& group : group_of_contact_) {
    if (group == kNone) {
      group = count_++;
      continue;
    }
    int& number = group_of_body_[sets_.find(group)];
    if (number == kMoves) number = count_++;
    group = number;
  }
  for (int i = 0; i < bodies; ++i) {
    if (group_of_body_[i] == kNone) continue;
    const int number = group_of_body_[sets_.find(i)];
    group_of_body_[i] = number == kMoves ? kNone : number;
  }
  sort_by_set(group_of_contact_, count_, contact_begin_, contacts_);
  sort_by_set(group_of_body_, count_, body_begin_, bodies_);
}

template class ContactGroups<2>;
template class ContactGroups<3>;

}  // namespace saltus
