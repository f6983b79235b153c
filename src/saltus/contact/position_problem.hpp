// Overlaps taken back on positions: the smallest displacement d of the bodies, in the metric of M, after which every contact has
// opened by what is asked of it,
//
//     min 1/2 d.M d   such that   H_c^T d >= opening_c   for every contact c
//
// H with the normal and the arms of the poses at hand, d the displacement of the centre and a small rotation; no friction. An
// opening above 0 takes bodies apart, one of 0 holds them, one below 0 leaves them room to approach. This is the canonical
// problem with displacements (m) for velocities and -opening for the shift: the sweeps of velocities solve it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/collision/contact_point.hpp"
#include "saltus/geometry/pose.hpp"
#include "saltus/solvers/contact_groups.hpp"
#include "saltus/solvers/sweeps/velocity_sweeps.hpp"

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

  // Ends when the rms, over the contacts that are to open, of what is missing is below `tolerance` (m), or after max_sweeps: what is reached then is
  // an answer of use, never worse than none. Groups of contacts of which none is to open do not take part. `mass` (kg)
  // brings displacements to impulses in the residual. Returns the number of sweeps.
  std::int64_t solve(double tolerance, std::int64_t max_sweeps, double mass);

  // Of a slot: v is the displacement of its centre (m), w its rotation (rad).
  const BodyVelocity<Dim>& displacement(int slot) const { return problem_.bodies[slot]; }

 private:
  void drop_closed_groups();

  VelocityProblem<Dim> problem_;
  ContactGroups<Dim> groups_;
  std::vector<char> opens_;  // per group
  VelocitySweeps<Dim> sweeps_;
};

extern template class PositionProblem<2>;
extern template class PositionProblem<3>;

}  // namespace saltus
