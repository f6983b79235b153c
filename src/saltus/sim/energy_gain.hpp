// Whether the contact laws of a step gained energy, judged for each connected group of contacts
// (solvers/contact_groups.hpp): what one group loses cannot hide what another gains.
//
// With A = sum r.u+, B = sum r.u- and Q = r.W r, contact impulses change the kinetic energy by A - Q/2 when
// the smooth impulses of the step (gravity, forces, drives, bonds, elastic layers) act before them, and by
// B + Q/2 when they act after. A law gained energy only if both are positive: the difference, the work
// of contacts on what smooth forces do within one step, is of order h and not the law's. Then an inelastic
// contact with Coulomb friction never gains (r.u+ <= 0, so A - Q/2 <= 0), a bounce with e = 1 gives zero, and
// Newton's restitution with friction may give a positive number (Kane's case). Within a group a single
// contact tells nothing: what one wins from its neighbours another has lost.
//
// A known residual e_c makes r.u+ uncertain by |e_c|(|r_c| + m |u~_c|): with the natural map
// r - P_K(r - m u~) = m e, both P_K(..) = r - m e and u~ - e are on the graph of the law. Summed by Cauchy
// and Schwarz that is sqrt(sum e^2) sqrt(sum (|r| + m|u~|)^2).
#pragma once

#include <cmath>
#include <cstdint>

namespace saltus {

// Sums over the contacts of a group.
struct ContactEnergy {
  double end = 0, start = 0;  // A, B: J
  double self = 0;            // Q
  double size_squared = 0;    // sum (|r| + m|u~|)^2, kg m/s squared
  double speed_sum = 0;       // sum |r| (|v_a| + |v_b|): what round-off is relative to
  double best = 0;            // largest r.(u+ + u-)/2 of one contact
  std::int64_t best_contact = -1, count = 0;

  void add(double end_work, double start_work, double size, double speeds, std::int64_t contact);

  double gain() const;  // the smaller of the two, J
  // What round-off explains, and what a residual (sqrt(sum e^2) over the contacts of the group, m/s) does.
  double round_off() const;
  double uncertainty(double residual) const { return residual * std::sqrt(size_squared) + round_off(); }
};

}  // namespace saltus
