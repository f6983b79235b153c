// Overlaps taken back on positions: the smallest displacement d of the bodies, in the metric of M, after which every contact has
// opened by what is asked of it,
//
//     min 1/2 d.M d   such that   H_c^T d >= opening_c   for every contact c
//
// H with the normal and the arms of the poses at hand, d the displacement of the centre and a small rotation; no friction. An
// opening above 0 takes bodies apart, one of 0 holds them, one below 0 leaves them room to approach. This is the canonical
// problem with displacements (m) for velocities and -opening for the shift: sweeps of velocities solve it, each connected group by
// itself. Bodies may be tied by blocks on displacements (joints) too.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/collision/contact_point.hpp"
#include "saltus/contact/coupling.hpp"
#include "saltus/contact/group_solver.hpp"
#include "saltus/geometry/pose.hpp"

namespace saltus {

// Keeps its buffers: after warm-up nothing is allocated.
template <int Dim>
class PositionProblem {
 public:
  // A new problem; what an impulse makes of each body is that of `mobility`, whose velocities are not read.
  void start(std::span<const SweepBody<Dim>> mobility);
  void hold(int slot);  // this body stays where it is
  // The body of slot b is where it is plus `image_shift` (periods). Contacts between bodies that cannot part along the normal
  // are left out: false.
  bool add(const ContactPoint<Dim>& point, std::span<const Pose<Dim>> poses, const Vec<Dim>& image_shift,
           double opening);

  // Call when all contacts are added. Groups of bodies, joined by contacts and by `ties` (pairs of slots, -1: the world), of which
  // no contact is to open do not take part.
  void drop_closed_groups(std::span<const std::pair<int, int>> ties = {});
  bool is_open(int slot);  // in a group that takes part; after drop_closed_groups
  // What ties the bodies of open groups: blocks are to be added to it.
  Coupling<Dim>& coupling() { return coupling_; }

  // A group ends when the rms, over its contacts that are to open, of what is missing is below the smallest `tolerance` of these (m, per
  // slot), or after max_sweeps: what is reached then is an answer of use, never worse than none. Returns the number of sweeps.
  std::int64_t solve(std::span<const double> tolerance, std::int64_t max_sweeps);
  // Of the last solve.
  const ContactGroups<Dim>& groups() const { return solver_.groups(); }

  // Of a slot: v is the displacement of its centre (m), w its rotation (rad).
  const BodyVelocity<Dim>& displacement(int slot) const { return problem_.bodies[slot]; }

 private:
  VelocityProblem<Dim> problem_;
  Coupling<Dim> coupling_;
  DisjointSets groups_;            // of slots
  std::vector<char> opens_;        // of the slot that stands for a group
  ContactGroups<Dim> solved_;      // the groups to be solved
  std::vector<double> tolerance_;  // of each slot: that of its group
  GroupSolver<Dim> solver_;
  std::vector<BodyVelocity<Dim>> still_;
};

extern template class PositionProblem<2>;
extern template class PositionProblem<3>;

}  // namespace saltus
