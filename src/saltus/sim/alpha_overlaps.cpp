// Overlaps of the two bodies of a joint under the alpha schemes. They may be the joint's: links hinged inside each other have contacts on either
// side of the hinge, and no position opens both. What a contact of theirs overlaps at the start of a step stays, positions only may not
// deepen it; velocities see it closed.
#include <algorithm>

#include "saltus/sim/alpha_step.hpp"
#include "saltus/sim/joined_contacts.hpp"

namespace saltus {

namespace {

template <class Contact>
auto order_of(const Contact& c) {
  return contact_order(c.a, c.b, c.image, c.feature);
}

template <int Dim, class Held>
auto find_held(std::vector<Held>& held, const Contact<Dim>& c) {
  return std::lower_bound(held.begin(), held.end(), c,
                          [](const Held& h, const Contact<Dim>& of) { return order_of(h) < order_of(of); });
}

}  // namespace

// Of the contacts that the last step left.
template <int Dim>
void AlphaStep<Dim>::find_held_overlaps() {
  held_overlaps_.clear();
  s.list_joined();
  if (s.work.parts.joined.empty()) return;
  for (const Contact<Dim>& c : s.state.contacts.contacts())
    if (c.input.gap < 0 &&
        find_joint_of<Dim>(s.work.parts.joined, s.state.parts.joints, s.work.parts.slot_of, c.a, c.b) >= 0)
      held_overlaps_.push_back({c.a, c.b, c.image, c.feature, c.input.gap});
  std::sort(held_overlaps_.begin(), held_overlaps_.end(),
            [](const HeldOverlap& h, const HeldOverlap& k) { return order_of(h) < order_of(k); });
}

// A contact that was not there begins where it is seen first.
template <int Dim>
void AlphaStep<Dim>::take_held_overlaps(bool positions) {
  if (s.work.parts.joined.empty()) return;
  for (Contact<Dim>& c : s.state.contacts.contacts()) {
    auto at = find_held<Dim>(held_overlaps_, c);
    const bool known = at != held_overlaps_.end() && order_of(*at) == order_of(c);
    if (!positions) {
      if (known) c.input.gap += at->gap;
      continue;
    }
    if (!known) {
      if (!(c.input.gap < 0) ||
          find_joint_of<Dim>(s.work.parts.joined, s.state.parts.joints, s.work.parts.slot_of, c.a, c.b) < 0)
        continue;
      at = held_overlaps_.insert(at, {c.a, c.b, c.image, c.feature, c.input.gap});
    }
    c.input.gap -= at->gap;
  }
}

template void AlphaStep<2>::find_held_overlaps();
template void AlphaStep<3>::find_held_overlaps();
template void AlphaStep<2>::take_held_overlaps(bool);
template void AlphaStep<3>::take_held_overlaps(bool);

}  // namespace saltus
