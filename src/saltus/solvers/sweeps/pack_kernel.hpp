// What the kernels share that visit general contacts in packs (sweep_plane.hpp, sweep_space.hpp). Contacts
// whose W is too singular for the lanes, and those that roll, are visited one by one, behind the packs of their
// block: odd ones. Their lanes are empty.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "saltus/solvers/sweeps/sweep_exact.hpp"
#include "saltus/solvers/sweeps/sweep_kernel.hpp"
#include "saltus/solvers/sweeps/sweep_packs.hpp"

namespace saltus {

// Shape: of its packs. `Pack`, `Cone`, the visit `kSweep`, and for lanes
//
//     bool fill(placed contact, k, pack)       false: the contact is an odd one, the lane is left as it was
//     void make_empty(k, pack)                  a lane whose visit adds nothing
//     void apply(pack, k, body a, body b)       its impulse
template <class Shape>
class PackKernel {
 public:
  using Pack = typename Shape::Pack;
  using Cone = typename Shape::Cone;
  static constexpr int Dim = kDim<Cone>, kLanes = saltus::kLanes;
  static constexpr bool kHasNormalPart = false;
  static constexpr int kVelocities = Dim + kSpins<Dim>;
  using Rolling = std::conditional_t<Dim == 2, Rolling2, Rolling3>;
  using Body = SweepBody<Dim>;

  static const Body& pack(const Body& body) { return body; }
  static bool accepts(const VelocityProblem<Dim>& problem) {
    return std::none_of(problem.contacts.begin(), problem.contacts.end(),
                        [](const SweepContact<Dim>& c) { return c.viscous > 0; });
  }

  void clear(int room) {
    size_ = 0;
    packs_.clear();
    odd_places_.clear();
    rolling_places_.clear();
    odd_.clear(0);
    rolling_.clear(0);
    make_room(room / kLanes, packs_);
  }
  void release() {
    release_if_large(packs_);
    odd_.release();
    rolling_.release();
  }
  void add(const PlacedContact<Dim>& c) {
    const int k = add_lane();
    Pack& pack = packs_.back();
    pack.a[k] = c.a;
    pack.b[k] = c.b;
    if (c.contact.mu_r > 0) {
      rolling_places_.push_back(size_ - 1);
      rolling_.add(c);
      pack.odd[k] = -static_cast<int>(rolling_places_.size());
    } else if (Shape::fill(c, k, pack)) {
      pack.taken = k + 1;
      return;
    } else {
      odd_places_.push_back(size_ - 1);
      odd_.add(c);
      pack.odd[k] = static_cast<int>(odd_places_.size());
    }
    Shape::make_empty(k, pack);
  }
  void add_none(int ground) {
    const int k = add_lane();
    packs_.back().a[k] = packs_.back().b[k] = ground;
    Shape::make_empty(k, packs_.back());
  }

  void apply_start(int i, Body* bodies) const {
    const auto [pack, k, odd] = at(i);
    if (odd > 0) return odd_.apply_start(odd - 1, bodies);
    if (odd < 0) return rolling_.apply_start(-odd - 1, bodies);
    Shape::apply(pack, k, bodies[pack.a[k]], bodies[pack.b[k]]);
  }

  template <bool Exact>
  void sweep(int begin, int end, bool ahead, const SweepPass& pass, Body* bodies, const Body* frozen,
             SweepSums& sums) {
    const int first = begin / kLanes, rest = static_cast<int>(packs_.size()) - first;
    PackSums lanes{};
    (kernels_.*Shape::kSweep)(pack_pass<Exact>(pass),
                              {&packs_[first], (end - begin) / kLanes, ahead ? rest : 0}, bodies->v,
                              frozen->v, lanes);
    add_lanes(lanes, sums);
    visit_odd(odd_, odd_places_, begin, end, pass, bodies, frozen, sums);
    visit_odd(rolling_, rolling_places_, begin, end, pass, bodies, frozen, sums);
  }

  // With its moment, where the contact rolls.
  using Iterate = typename Rolling::Vector;
  Iterate before(int i) const {  // of the last sweep
    const auto [pack, k, odd] = at(i);
    if (odd < 0) return rolling_.before(-odd - 1).r;
    Iterate x = Iterate::Zero();
    x.template head<Dim>() = odd > 0 ? odd_.before(odd - 1).r : column(pack.last, k);
    return x;
  }
  void restore(int i, const Iterate& x) {
    Pack& pack = packs_[i / kLanes];
    const int k = i % kLanes;
    if (pack.odd[k] < 0) return rolling_.restore(-pack.odd[k] - 1, {x, x});
    const Vec<Dim> r = x.template head<Dim>();
    if (pack.odd[k] > 0) return odd_.restore(pack.odd[k] - 1, {r, r});
    for (int axis = 0; axis < Dim; ++axis) pack.r[axis][k] = r[axis];
  }
  void store(int i, SweepContact<Dim>& contact) const {
    const auto [pack, k, odd] = at(i);
    if (odd < 0) return rolling_.store(-odd - 1, contact);
    contact.moment.setZero();
    if (odd > 0) return odd_.store(odd - 1, contact);
    contact.r = contact.p = column(pack.r, k);
  }

 private:
  struct Place {
    const Pack& pack;
    int k, odd;
  };
  Place at(int i) const {
    const Pack& pack = packs_[i / kLanes];
    return {pack, i % kLanes, pack.odd[i % kLanes]};
  }
  static Vec<Dim> column(const PackRow* rows, int k) {
    Vec<Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = rows[axis][k];
    return x;
  }
  template <class Kernel>
  static void visit_odd(Kernel& kernel, const std::vector<int>& places, int begin, int end,
                        const SweepPass& pass, Body* bodies, const Body* frozen, SweepSums& sums) {
    auto odd = std::lower_bound(places.begin(), places.end(), begin);
    for (; odd != places.end() && *odd < end; ++odd)
      kernel.template visit<true>(static_cast<int>(odd - places.begin()), pass, bodies, frozen, sums);
  }
  int add_lane() {
    if (size_ % kLanes == 0) packs_.push_back({});
    return size_++ % kLanes;
  }

  const PackKernels& kernels_ = best_pack_kernels();
  std::vector<Pack> packs_;
  int size_ = 0;  // lanes
  ExactKernel<Cone> odd_;
  ExactKernel<Rolling> rolling_;
  std::vector<int> odd_places_, rolling_places_;  // increasing
};

}  // namespace saltus
