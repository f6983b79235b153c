// Contacts found in a step and those of the last: which is which, and what a contact is given of its past.
#include <algorithm>
#include <tuple>
#include <utility>

#include "saltus/base/large_buffer.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/contact/contact_set.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kContactsPerChunk = 512;
constexpr int kNew = -2;  // row of a contact that no contact of the last step has the name of

// Times the gap of surfaces that touch, so a hundredth of the smaller body: a contact this near to where one was is
// that one, by another name. Round-off of aligned faces and the turn of a step are far below it, the corners of a face
// far above.
constexpr double kSamePlace = 1e4;

// Whether what a contact did before the step matters to its law, beside the guess of its impulse.
bool has_memory(const PairLaw& law) {
  return law.cohesion > 0 || law.stiffness_tangent > 0 || law.friction_dynamic >= 0 || law.viscosity > 0 ||
         law.function;
}

bool carries(const ContactHistory& history) { return history.bonded || !history.impulse.isZero(0); }

// Two bodies, and which image of the second: contacts of a pair follow each other.
constexpr std::uint64_t kNoFeature = 0;
template <int Dim>
auto pair_of(const ContactPoint<Dim>& p) {
  return contact_order(p.a, p.b, p.image, kNoFeature);
}

}  // namespace

namespace {

// Where body a has carried a point of the last step to.
template <int Dim>
Vec<Dim> carried_point(const Vec<Dim>& point, int a, const BodySet<Dim>& bodies, double h) {
  const Vec<Dim> arm = point - bodies.pose[a].position;
  return point + h * (bodies.velocity[a] + spin_velocity(bodies.spin_world(a), arm));
}

// Whether a contact is where one of the last step was.
template <int Dim>
bool is_there(const Vec<Dim>& before, const Contact<Dim>& c, const BodySet<Dim>& bodies, double h) {
  const double place = kSamePlace * touch_gap(bodies.model[c.a].size, bodies.model[c.b].size);
  return (carried_point<Dim>(before, c.a, bodies, h) - c.point).norm() <= place;
}

}  // namespace

// Of the contacts without a namesake, `row` = kNew, those that were where they are now. Detection is at q + (1-theta) h
// v, so that a point of a body moves by h v from one to the next.
template <int Dim>
void ContactSet<Dim>::adopt_histories(std::span<Contact<Dim>> contacts, const BodySet<Dim>& bodies, double h,
                                      std::span<Memory> memories) {
  for (Contact<Dim>& c : contacts) {
    if (c.row != kNew || !has_memory(*c.law)) continue;
    for (Memory& m : memories) {
      if (m.passed_on || !is_there(m.point, c, bodies, h)) continue;
      c.history = m.history;
      c.row = -1;
      m.passed_on = true;
      break;
    }
  }
}

// A bond stays where it is, whatever becomes of names. Where two corners of faces coincide there are one or two contacts, by the
// last digits: of two, the one that was bonded may end, and the other, which has its own name, holds the place from then on.
// The crossing of two edges that lie in one line creeps or jumps along them, and a bond that was given to it goes back to
// the nearest corner when it ends. A contact whose own bond broke takes no other's.
template <int Dim>
void ContactSet<Dim>::adopt_bonds(std::span<Contact<Dim>> contacts, const BodySet<Dim>& bodies, double h,
                                  std::span<Memory> memories) {
  for (const bool anywhere : {false, true})
    for (Memory& m : memories) {
      if (m.passed_on || !m.history.bonded) continue;
      Contact<Dim>* nearest = nullptr;
      for (Contact<Dim>& c : contacts) {
        const bool is_free = c.law->cohesion > 0 && !c.history.bonded && c.history.damage == 0;
        if (!is_free || !(anywhere || is_there(m.point, c, bodies, h))) continue;
        if (!nearest || (c.point - m.point).squaredNorm() < (nearest->point - m.point).squaredNorm())
          nearest = &c;
      }
      if (!nearest) continue;
      nearest->history.bonded = m.passed_on = true;
      nearest->history.damage = m.history.damage;
      nearest->history.impulse += m.history.impulse;
    }
}

// The others start from what is left over of their two bodies.
template <int Dim>
void ContactSet<Dim>::adopt_impulses(std::span<Contact<Dim>> contacts, std::span<Memory> memories) {
  for (Contact<Dim>& c : contacts) {
    if (c.row != kNew) continue;
    Memory* nearest = nullptr;
    double least = 0;
    for (Memory& m : memories) {
      if (m.passed_on || m.history.impulse.isZero(0)) continue;
      const double distance = (m.point - c.point).squaredNorm();
      if (nearest && distance >= least) continue;
      nearest = &m;
      least = distance;
    }
    if (!nearest) return;
    c.history.impulse = nearest->history.impulse;
    c.history.moment = nearest->history.moment;
    nearest->passed_on = true;
  }
}

// Gives the contacts of two bodies, from `first` on, their histories; returns where the next two begin. The cursor
// is at or before the first of their contacts in the last step.
template <int Dim>
std::size_t ContactSet<Dim>::match_pair(std::span<const ContactPoint<Dim>> points, const BodySet<Dim>& bodies,
                                        double h, std::size_t first, std::size_t& cursor) {
  const auto pair = pair_of(points[first]);
  while (cursor < last_.size() && last_[cursor].pair() < pair) ++cursor;
  const std::size_t first_last = cursor;
  std::size_t i = first, fresh = 0, left = 0;
  for (; i < points.size() && pair_of(points[i]) == pair; ++i) {
    Contact<Dim>& c = now_[i];
    for (; cursor < last_.size() && last_[cursor].pair() == pair && last_[cursor].feature < c.feature;
         ++cursor)
      ++left;
    const bool named =
        cursor < last_.size() && last_[cursor].pair() == pair && last_[cursor].feature == c.feature;
    const bool is_bond = named && last_[cursor].history.bonded && c.law->cohesion > 0;
    const bool known = named && (!is_bond || is_there(last_[cursor].point, c, bodies, h));
    c.history = known ? last_[cursor].history : ContactHistory();
    if (known) c.input.before = last_[cursor].velocity, c.input.carried = carries(c.history);
    c.row = known ? -1 : kNew;
    fresh += !known;
    left += named && !known;
    if (named) last_[cursor++].passed_on = known;
  }
  for (; cursor < last_.size() && last_[cursor].pair() == pair; ++cursor) ++left;
  if (left == 0) return i;
  const std::span contacts(now_.begin() + first, now_.begin() + i);
  const std::span memories(last_.begin() + first_last, last_.begin() + cursor);
  if (fresh > 0) adopt_histories(contacts, bodies, h, memories);
  adopt_bonds(contacts, bodies, h, memories);
  if (fresh > 0) adopt_impulses(contacts, memories);
  return i;
}

// Contacts whose two bodies did not touch before, where one of them is of a family that the other touched.
template <int Dim>
void ContactSet<Dim>::adopt_from_family(std::span<const int> family, const BodySet<Dim>& bodies, double h) {
  constexpr double kRoundOff = 1e-9;  // of coordinates, with the factors of a step
  const auto add = [&](int partner, int facet, int memory) {
    if (family[facet] >= 0) ended_.push_back({partner, family[facet], memory});
  };
  ended_.clear();
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const Memory& m = last_[i];
    if (m.passed_on) continue;
    add(m.a, m.b, static_cast<int>(i)), add(m.b, m.a, static_cast<int>(i));
  }
  if (ended_.empty()) return;
  const auto order = [](const Ended& e) { return std::tie(e.partner, e.family, e.memory); };
  std::sort(ended_.begin(), ended_.end(),
            [&](const Ended& e, const Ended& f) { return order(e) < order(f); });
  const auto adopt = [&](int partner, int facet, Contact<Dim>& c) {
    if (family[facet] < 0) return false;
    const std::pair key(partner, family[facet]);
    auto e = std::lower_bound(ended_.begin(), ended_.end(), key, [](const Ended& at, const auto& k) {
      return std::pair(at.partner, at.family) < k;
    });
    for (; e != ended_.end() && std::pair(e->partner, e->family) == key; ++e) {
      Memory& m = last_[e->memory];
      if (m.passed_on || m.image != c.image) continue;
      const Vec<Dim> arm = m.point - bodies.pose[partner].position;
      const Vec<Dim> moved = h * (bodies.velocity[partner] + spin_velocity(bodies.spin_world(partner), arm));
      const double place = 2 * h * m.velocity.norm() + kRoundOff * c.point.cwiseAbs().maxCoeff();
      if ((m.point + moved - c.point).norm() > place) continue;
      c.history = m.history;
      c.input.before = m.velocity;
      c.input.carried = carries(c.history);
      c.row = -1;
      m.passed_on = true;
      return true;
    }
    return false;
  };
  for (Contact<Dim>& c : now_)
    if (c.row == kNew && !adopt(c.a, c.b, c)) adopt(c.b, c.a, c);
}

template <int Dim>
void ContactSet<Dim>::match(std::span<const ContactPoint<Dim>> points, const BodySet<Dim>& bodies,
                            const LawTable& laws, double h, bool initial, std::span<const int> family) {
  last_.clear();
  last_.reserve(now_.size());
  for (const Contact<Dim>& c : now_)
    last_.push_back({c.a, c.b, c.feature, c.image, c.point, c.axes() * c.velocity, c.history, false});
  make_room(points.size(), now_);
  now_.resize(points.size());
  parallel_for(static_cast<std::int64_t>(points.size()), kContactsPerChunk,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   const ContactPoint<Dim>& p = points[i];
                   Contact<Dim>& c = now_[i];
                   c.a = p.a;
                   c.b = p.b;
                   c.feature = p.feature;
                   c.image = p.image;
                   c.point = p.point;
                   c.normal = p.normal;
                   c.law = &laws.require(bodies.model[p.a].material, bodies.model[p.b].material);
                   c.input = {p.gap, p.gap, Vec<Dim>::Zero(), Vec<Dim>::Zero(), false, false, initial};
                 }
               });
  // Two bodies belong to the chunk where their contacts begin.
  parallel_for(
      static_cast<std::int64_t>(points.size()), kContactsPerChunk, [&](std::int64_t begin, std::int64_t end) {
        auto i = static_cast<std::size_t>(begin);
        const auto last = static_cast<std::size_t>(end);
        while (i > 0 && i < last && pair_of(points[i]) == pair_of(points[i - 1])) ++i;
        if (i >= last) return;
        const auto pair = pair_of(points[i]);
        auto cursor =
            static_cast<std::size_t>(std::partition_point(last_.begin(), last_.end(),
                                                          [&](const Memory& m) { return m.pair() < pair; }) -
                                     last_.begin());
        while (i < last) i = match_pair(points, bodies, h, i, cursor);
      });
  if (!family.empty()) adopt_from_family(family, bodies, h);
  release_if_large(last_);
}

template void ContactSet<2>::match(std::span<const ContactPoint<2>>, const BodySet<2>&, const LawTable&,
                                   double, bool, std::span<const int>);
template std::size_t ContactSet<2>::match_pair(std::span<const ContactPoint<2>>, const BodySet<2>&, double,
                                               std::size_t, std::size_t&);
template void ContactSet<2>::adopt_histories(std::span<Contact<2>>, const BodySet<2>&, double,
                                             std::span<Memory>);
template void ContactSet<2>::adopt_bonds(std::span<Contact<2>>, const BodySet<2>&, double, std::span<Memory>);
template void ContactSet<2>::adopt_impulses(std::span<Contact<2>>, std::span<Memory>);
template void ContactSet<2>::adopt_from_family(std::span<const int>, const BodySet<2>&, double);
template void ContactSet<3>::match(std::span<const ContactPoint<3>>, const BodySet<3>&, const LawTable&,
                                   double, bool, std::span<const int>);
template std::size_t ContactSet<3>::match_pair(std::span<const ContactPoint<3>>, const BodySet<3>&, double,
                                               std::size_t, std::size_t&);
template void ContactSet<3>::adopt_histories(std::span<Contact<3>>, const BodySet<3>&, double,
                                             std::span<Memory>);
template void ContactSet<3>::adopt_bonds(std::span<Contact<3>>, const BodySet<3>&, double, std::span<Memory>);
template void ContactSet<3>::adopt_impulses(std::span<Contact<3>>, std::span<Memory>);
template void ContactSet<3>::adopt_from_family(std::span<const int>, const BodySet<3>&, double);

}  // namespace saltus
