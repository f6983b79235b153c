// One contact of space, Width of them at a time: u = W r + b with W symmetric and definite. Coulomb's law as
// in local_coulomb_3d.hpp, whose symbols these are, and the convex problem of sweep_kernel.hpp. Every lane
// goes on until it has its own answer, whatever the others need. Only for sweep_packs_*.cpp.
#pragma once

#include "saltus/solvers/sweeps/lane_vectors.hpp"

namespace saltus {
namespace {

template <int Width>
struct LaneBlock {
  Lanes<Width> nn, nt, ns, tt, ts, ss;

  Lanes3<Width> times(const Lanes3<Width>& r) const {
    return {nn * r.x + nt * r.y + ns * r.z, nt * r.x + tt * r.y + ts * r.z, ns * r.x + ts * r.y + ss * r.z};
  }
};

// W and b in units where W_nn = 1, the normal eliminated.
template <int Width>
struct Reduced {
  using V = Lanes<Width>;
  V inverse_a, nt, ns, A00, A01, pivot, det, trace;  // pivot: of A after A00
  V beta, q0, q1, p0, p1, wp;

  Reduced(const LaneBlock<Width>& W, const Lanes3<Width>& b) {
    inverse_a = 1 / W.nn;
    nt = W.nt * inverse_a;
    ns = W.ns * inverse_a;
    A00 = W.tt * inverse_a - nt * nt;
    A01 = W.ts * inverse_a - nt * ns;
    const V A11 = W.ss * inverse_a - ns * ns;
    trace = A00 + A11;
    det = A00 * A11 - A01 * A01;
    beta = -b.x;
    q0 = b.y + nt * beta;
    q1 = b.z + ns * beta;
    p0 = A11 * q0 - A01 * q1;
    p1 = A00 * q1 - A01 * q0;
    wp = nt * p0 + ns * p1;
    pivot = A11;
  }

  // r of u = 0, by elimination: backward stable when A is ill-conditioned.
  Lanes3<Width> stick() const {
    const V inverse_A00 = 1 / A00, ratio = A01 * inverse_A00;
    const V t1 = (q1 - ratio * q0) / (pivot - ratio * A01), t0 = (q0 - A01 * t1) * inverse_A00;
    return {inverse_a * (beta + nt * t0 + ns * t1), -inverse_a * t0, -inverse_a * t1};
  }
  LaneMask<Width> sticks(V mu) const {
    const V limit = mu * (beta * det + wp);
    return (limit >= V{}) & (p0 * p0 + p1 * p1 <= limit * limit);
  }
};

// l of the contacts that slide, by Newton's method in a bracket; they have mu > 0.
template <int Width>
inline void find_sliding(const Reduced<Width>& z, Lanes<Width> mu, LaneMask<Width> slides,
                         Lanes<Width>& found) {
  using V = Lanes<Width>;
  constexpr double kNone = 1e300, kRootTolerance = 1e-13;  // see local_coulomb_3d.hpp
  constexpr int kMaxRootSteps = 300;
  const V zero = {}, none = zero + kNone;
  const V wq = z.nt * z.q0 + z.ns * z.q1, pq = z.p0 * z.q0 + z.p1 * z.q1, qq = z.q0 * z.q0 + z.q1 * z.q1;
  const V guess = larger(root(qq) / (mu * z.beta) - 0.5 * z.trace, 0.01 * z.trace);
  V l = found > zero ? found : guess, low = zero, high = none;
  LaneMask<Width> active = slides;
  for (int i = 0; i < kMaxRootSteps; ++i) {
    const V v0 = z.p0 + l * z.q0, v1 = z.p1 + l * z.q1, left2 = v0 * v0 + v1 * v1, left = root(left2);
    const V right = mu * (z.beta * ((l + z.trace) * l + z.det) + z.wp + l * wq), excess = right - left;
    active &= ~(size_of(excess) <= kRootTolerance * left);
    if (!any(active)) break;
    low = excess < zero ? l : low;
    high = excess < zero ? high : l;
    const V slope = mu * (z.beta * (2 * l + z.trace) + wq) * left2 - right * (pq + l * qq);
    V next = l - excess * left2 / slope;
    const LaneMask<Width> strays = active & ~((next > low) & (next < high));
    if (any(strays)) [[unlikely]] {
      const V gain = 1 + mu * root(z.nt * z.nt + z.ns * z.ns), k = mu * z.beta;
      const V far = 2 * (gain * root(qq) / k + root(gain * root(z.p0 * z.p0 + z.p1 * z.p1) / k));
      const V middle = ((low > zero) & (high > 4 * low)) ? root(low) * root(high) : 0.5 * (low + high);
      const V inside = high < none ? middle : far;
      next = strays ? inside : next;
      active &= ~(strays & ~((inside > low) & (inside < high)));
    }
    l = active ? next : l;
  }
  found = slides ? l : found;
}

// `sliding`: l of the last solve that slid, in and out; 0 when there was none.
template <int Width>
inline Lanes3<Width> solve_coulomb(const LaneBlock<Width>& W, Lanes<Width> mu, const Lanes3<Width>& b,
                                   Lanes<Width>& sliding) {
  using V = Lanes<Width>;
  const V zero = {};
  const Reduced<Width> z(W, b);
  const LaneMask<Width> opens = b.x >= zero, slides = ~opens & ~z.sticks(mu);
  Lanes3<Width> r = z.stick();
  if (any(slides)) {
    find_sliding<Width>(z, mu, slides & (mu > zero), sliding);
    // The normal impulse from u_n = 0 along the direction found: exact to round-off.
    const V v0 = z.p0 + sliding * z.q0, v1 = z.p1 + sliding * z.q1;
    const V f = -mu / root(v0 * v0 + v1 * v1), d0 = mu > zero ? f * v0 : zero, d1 = mu > zero ? f * v1 : zero;
    const V n = z.inverse_a * z.beta / (1 + z.nt * d0 + z.ns * d1);
    r = {slides ? n : r.x, slides ? n * d0 : r.y, slides ? n * d1 : r.z};
  }
  return {opens ? zero : r.x, opens ? zero : r.y, opens ? zero : r.z};
}

// On the edge r = n (1, mu d): n is best for d, d turns towards -u_t. The first d is that of the impulse so
// far, so that a solution stays one; if that does not press, the one opposite to b_t: it does, as b is not in
// the dual cone.
template <int Width>
inline Lanes3<Width> slide_convex(const LaneBlock<Width>& W, Lanes<Width> mu, const Lanes3<Width>& b,
                                  const Lanes3<Width>& start) {
  using V = Lanes<Width>;
  constexpr int kTurns = 1;
  const V zero = {}, one = zero + 1;
  const V step = 1 / (W.tt + W.ss);
  const V rt = root(start.y * start.y + start.z * start.z), bt = root(b.y * b.y + b.z * b.z);
  const V d_r0 = rt > zero ? start.y / rt : one, d_r1 = rt > zero ? start.z / rt : zero;
  const auto presses = b.x + mu * (d_r0 * b.y + d_r1 * b.z) < zero;
  const V d_b0 = bt > zero ? -b.y / bt : one, d_b1 = bt > zero ? -b.z / bt : zero;
  V d0 = presses ? d_r0 : d_b0, d1 = presses ? d_r1 : d_b1;
  for (int turn = 0;; ++turn) {
    const V e0 = mu * d0, e1 = mu * d1;
    const V u0 = W.nt + W.tt * e0 + W.ts * e1, u1 = W.ns + W.ts * e0 + W.ss * e1;
    const V along = b.x + e0 * b.y + e1 * b.z;
    const V stiffness = W.nn + W.nt * e0 + W.ns * e1 + e0 * u0 + e1 * u1;
    const V n = along < zero ? -along / stiffness : zero;
    if (turn == kTurns) return {n, n * e0, n * e1};
    const V y0 = n * e0 - step * (b.y + n * u0), y1 = n * e1 - step * (b.z + n * u1);
    const V length = root(y0 * y0 + y1 * y1);
    const auto turns = (n > zero) & (length > zero);
    d0 = turns ? y0 / length : d0;
    d1 = turns ? y1 / length : d1;
  }
}

// The convex problem, exactly where it opens or sticks, from `start` where it slides.
template <int Width>
inline Lanes3<Width> solve_convex(const LaneBlock<Width>& W, Lanes<Width> mu, const Lanes3<Width>& b,
                                  const Lanes3<Width>& start) {
  using V = Lanes<Width>;
  const V zero = {}, bt2 = b.y * b.y + b.z * b.z;
  const LaneMask<Width> opens = (b.x >= zero) & (b.x * b.x >= mu * mu * bt2);
  const Reduced<Width> z(W, b);
  Lanes3<Width> r = z.stick();
  const LaneMask<Width> slides = ~opens & ~((r.x >= zero) & (r.y * r.y + r.z * r.z <= mu * mu * r.x * r.x));
  if (any(slides)) {
    const Lanes3<Width> edge = slide_convex<Width>(W, mu, b, start);
    r = {slides ? edge.x : r.x, slides ? edge.y : r.y, slides ? edge.z : r.z};
  }
  return {opens ? zero : r.x, opens ? zero : r.y, opens ? zero : r.z};
}

}  // namespace
}  // namespace saltus
