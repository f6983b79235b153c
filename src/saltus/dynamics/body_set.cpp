#include "saltus/dynamics/body_set.hpp"

#include <algorithm>
#include <utility>

namespace saltus {

namespace {

template <int Dim>
void fill_derived(BodyModel<Dim>& model) {
  // Read through const: writing would give every body storage of its own (base/sparse_array.hpp).
  const auto& drive = std::as_const(model).drive;
  const auto& force = std::as_const(model).force;
  model.all_free = std::all_of(drive.begin(), drive.end(), [](const Drive& d) { return d.is_free(); });
  model.all_prescribed = std::none_of(drive.begin(), drive.end(), [](const Drive& d) { return d.is_free(); });
  model.has_force =
      std::any_of(force.begin(), force.end(), [](const TimeFunction& f) { return !f.is_zero(); });
  model.spherical = model.inertia == Inertia<Dim>(model.inertia(0, 0) * Inertia<Dim>::Identity());
}

}  // namespace

template <int Dim>
int BodySet<Dim>::add(BodyId wanted, BodyModel<Dim> given, const Pose<Dim>& at, const Vec<Dim>& v,
                      const Spin<Dim>& w) {
  const int slot = static_cast<int>(std::find(id.begin() + first_free_, id.end(), BodyId{-1}) - id.begin());
  first_free_ = slot + 1;
  put(slot, wanted, std::move(given));
  pose[slot] = at;
  velocity[slot] = v;
  set_spin_world(slot, w);
  return slot;
}

template <int Dim>
void BodySet<Dim>::put(int slot, BodyId wanted, BodyModel<Dim> given) {
  if (slot >= slots()) {
    id.resize(slot + 1, -1);
    pose.resize(slot + 1);
    velocity.resize(slot + 1, Vec<Dim>::Zero());
    spin.resize(slot + 1, Spin<Dim>::Zero());
    model.resize(slot + 1);
  }
  id[slot] = wanted;
  model[slot] = std::move(given);
  fill_derived(model[slot]);
  ++count_;
}

template <int Dim>
void BodySet<Dim>::remove(int slot) {
  id[slot] = -1;
  first_free_ = std::min(first_free_, slot);
  model[slot] = {};
  velocity[slot].setZero();
  spin[slot].setZero();
  --count_;
}

template <int Dim>
void BodySet<Dim>::clear(int count) {
  id.assign(count, -1);
  pose.assign(count, Pose<Dim>());
  velocity.assign(count, Vec<Dim>::Zero());
  spin.assign(count, Spin<Dim>::Zero());
  model.assign(count, BodyModel<Dim>());
  count_ = 0;
  first_free_ = 0;
}

template <int Dim>
void BodySet<Dim>::reserve(int slots) {
  id.reserve(slots);
  pose.reserve(slots);
  velocity.reserve(slots);
  spin.reserve(slots);
  model.reserve(slots);
}

template <int Dim>
int BodySet<Dim>::find(BodyId wanted) const {
  // Bodies that all appear at the start have the slot of their number.
  if (wanted >= 0 && wanted < slots() && id[wanted] == wanted) return static_cast<int>(wanted);
  const auto found = std::find(id.begin(), id.end(), wanted);
  return found == id.end() ? -1 : static_cast<int>(found - id.begin());
}

template <int Dim>
Spin<Dim> BodySet<Dim>::spin_world(int slot) const {
  if constexpr (Dim == 2)
    return spin[slot];
  else
    return pose[slot].rotated(spin[slot]);
}

template <int Dim>
void BodySet<Dim>::set_spin_world(int slot, const Spin<Dim>& w) {
  if constexpr (Dim == 2)
    spin[slot] = w;
  else
    spin[slot] = pose[slot].unrotated(w);
}

template <int Dim>
double BodySet<Dim>::kinetic_energy(int slot) const {
  const BodyModel<Dim>& m = model[slot];
  double twice = 0;
  for (int i = 0; i < Dim; ++i)
    if (m.drive[i].is_free()) twice += m.mass * velocity[slot][i] * velocity[slot][i];
  Spin<Dim> w = spin[slot];
  if (!m.all_free) {
    w = spin_world(slot);
    for (int i = 0; i < kSpins<Dim>; ++i)
      if (!m.drive[Dim + i].is_free()) w[i] = 0;
    if constexpr (Dim == 3) w = pose[slot].unrotated(w);
  }
  return 0.5 * (twice + w.dot(m.inertia * w));
}

template class BodySet<2>;
template class BodySet<3>;

}  // namespace saltus
