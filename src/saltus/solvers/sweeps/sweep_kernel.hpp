// What the kernels of a sweep share. A kernel packs the contacts of a problem into records, in the order of
// a sweep, and visits them one by one or in packs: it knows one shape of W and nothing of order, extrapolation or
// threads.
//
// A visit of a contact, x_k being the iterate that the last sweep left, y the point it was pushed to:
//
//     y = r_k + extrapolation (r_k - r_(k-1))         the bodies have been pushed by as much already
//     r_(k+1) = local solution from y             written to the velocities of the two bodies
//
// Beside it the frozen velocities of x_k give, for a few operations, the residual of the whole iterate x_k,
// and the slip |u_t| that the local problem needs. Two local problems lead to the same fixed point:
//
//   exact     Coulomb's law itself, solved exactly
//   convex    u + s n in the dual cone with s = mu |u_t| of x_k (De Saxce's term, one sweep late, or following
//             by a part of the way at each sweep, which ends cycles that the late term can fall into):
//             minimise r W r / 2 + (b + s n) r over the cone. Extrapolation feeds on a potential; Coulomb's law
//             has none, and a pushed exact iteration runs away, while this one is a descent between two
//             values of s (Cadoux 2009 iterates on s in an outer loop; here it follows at every sweep).
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "saltus/base/large_buffer.hpp"
#include "saltus/solvers/sweeps/sweep_packs.hpp"
#include "saltus/solvers/sweeps/velocity_sweeps.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

// The same for all contacts of a sweep.
struct SweepPass {
  double extrapolation = 0;
  bool exact = true;
  double follow = 1;   // part of the way that the slip of De Saxce's term goes to that of x_k
  double normal = 1;   // part of the way that normal impulses go in exact sweeps, where the kernel has it
  bool judged = true;  // whether the residual of x_k is asked for
  double inverse_mass = 1, length = 1;  // units of the residual
  const VelocityMargins* margins = nullptr;
};

// Summed over contacts.
struct SweepSums {
  double residual = 0;       // e_c^2 of x_k, if it is judged
  double along = 0;          // of the sweep along the push before it, in units of energy
  double change = 0;         // |r_(k+1) - y|^2
  std::int64_t outside = 0;  // contacts of x_k outside the margins, likewise
  int unsolved = 0;          // no local solution: the best bounded answer was taken

  void add(const SweepSums& other) {
    residual += other.residual;
    along += other.along;
    change += other.change;
    outside += other.outside;
    unsolved += other.unsolved;
  }
};

// A contact as a kernel packs it: bodies are places in the arrays of the sweep. Bodies that nothing can move
// are not there; what they do to u comes with the contact.
template <int Dim>
struct PlacedContact {
  const SweepContact<Dim>& contact;
  const SweepBody<Dim>&body_a, &body_b;
  int a, b;
  Vec<Dim> ground;        // u, in the frame, of the bodies that nothing can move
  Spin<Dim> ground_spin;  // their relative spin, world axes
};

// Brings the bodies of a contact that is visited soon into the cache.
template <class Body>
void prefetch_bodies(int a, int b, const Body* bodies, const Body* frozen) {
  constexpr std::size_t kLine = 64;
  for (const Body* body : {bodies + a, bodies + b, frozen + a, frozen + b})
    for (std::size_t at = 0; at < sizeof(Body); at += kLine)
      __builtin_prefetch(reinterpret_cast<const char*>(body) + at);
}

// What kernels share that visit one contact after the other. They have records_ with places a, b.
template <class Kernel>
class OneByOne {
 public:
  static constexpr int kLanes = 1;
  static constexpr bool kHasNormalPart = false;

  template <bool Exact, class Body>
  void sweep(int begin, int end, bool ahead, const SweepPass& pass, Body* bodies, const Body* frozen,
             SweepSums& sums) {
    constexpr int kAhead = 6;
    Kernel& kernel = static_cast<Kernel&>(*this);
    const int last_ahead = ahead ? static_cast<int>(kernel.records_.size()) - kAhead : 0;
    for (int i = begin; i < end; ++i) {
      if (i < last_ahead)
        prefetch_bodies(kernel.records_[i + kAhead].a, kernel.records_[i + kAhead].b, bodies, frozen);
      kernel.template visit<Exact>(i, pass, bodies, frozen, sums);
    }
  }
  void add_none(int) { assert(false && "a pack of one contact is full"); }
};

// |r - P_K(r - u~)|^2 of one contact from lengths: r and u in units of velocity, rt_ut = r_t . u_t.
inline double natural_map_square(double rn, double un, double rt2, double ut2, double rt_ut, double mu) {
  const double zn = rn - un - mu * std::sqrt(ut2);
  const double zt2 = rt2 - 2 * rt_ut + ut2;
  if (zn >= 0 && zt2 <= mu * mu * zn * zn) return (rn - zn) * (rn - zn) + ut2;
  const double zt = std::sqrt(zt2);
  const double pn = (zn + mu * zt) / (1 + mu * mu);
  if (!(pn > 0)) return rn * rn + rt2;
  // r_t - f z_t with f = mu pn / |z_t|, z_t = r_t - u_t
  const double f = mu * pn / zt;
  return (rn - pn) * (rn - pn) + std::max(0.0, rt2 - 2 * f * (rt2 - rt_ut) + f * f * zt2);
}

// The thick graphs of Jean 1995: some point of Signorini's and of Coulomb's graph is within the margins.
inline bool is_within(const VelocityMargins& margins, double rn, double un, double rt2, double ut2,
                      double rt_ut, double mu) {
  const bool open = rn <= margins.impulse && un >= -margins.normal;
  const bool closed = std::abs(un) <= margins.normal;
  if (!open && !closed) return false;
  const double slip = std::sqrt(ut2);
  if (slip <= margins.sliding) return std::sqrt(rt2) <= mu * rn + margins.impulse;
  const double k = mu * rn / slip;  // |r_t + k u_t|
  return std::sqrt(std::max(0.0, rt2 + 2 * k * rt_ut + k * k * ut2)) <= margins.impulse;
}

// Adds what is known of the frozen iterate at one contact; r in N s.
inline void judge(const SweepPass& pass, double rn, double un, double rt2, double ut2, double rt_ut,
                  double mu, SweepSums& sums) {
  if (!pass.judged) return;
  const double k = pass.inverse_mass;
  sums.residual += natural_map_square(k * rn, un, k * k * rt2, ut2, k * rt_ut, mu);
  if (pass.margins) [[unlikely]]
    sums.outside += !is_within(*pass.margins, rn, un, rt2, ut2, rt_ut, mu);
}

template <bool Exact>
PackPass pack_pass(const SweepPass& pass) {
  const VelocityMargins margins = pass.margins ? *pass.margins : VelocityMargins{};
  return {pass.extrapolation,      pass.follow,    pass.normal,     pass.inverse_mass, Exact, pass.judged,
          pass.margins != nullptr, margins.normal, margins.sliding, margins.impulse};
}

inline void add_lanes(const PackSums& lanes, SweepSums& sums) {
  for (int k = 0; k < kLanes; ++k) {
    sums.residual += lanes.residual[k];
    sums.along += lanes.along[k];
    sums.change += lanes.change[k];
    sums.outside += static_cast<std::int64_t>(lanes.outside[k]);
  }
}

}  // namespace saltus
