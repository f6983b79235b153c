// Vectors of space, and the residual of contacts, Width at a time. Only for sweep_packs_*.cpp.
#pragma once

#include "saltus/solvers/sweeps/pack_lanes.hpp"

namespace saltus {
namespace {

template <int Width>
struct Lanes3 {
  Lanes<Width> x, y, z;
};

template <int Width>
inline Lanes3<Width> load3(const PackRow* rows, int k) {
  return {load<Width>(rows[0] + k), load<Width>(rows[1] + k), load<Width>(rows[2] + k)};
}
template <int Width>
inline void store3(const Lanes3<Width>& v, PackRow* rows, int k) {
  store(v.x, rows[0] + k);
  store(v.y, rows[1] + k);
  store(v.z, rows[2] + k);
}

template <int Width>
inline Lanes<Width> dot(const Lanes3<Width>& a, const Lanes3<Width>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <int Width>
inline Lanes3<Width> cross(const Lanes3<Width>& a, const Lanes3<Width>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <int Width>
inline Lanes3<Width> minus(const Lanes3<Width>& a, const Lanes3<Width>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <int Width>
inline Lanes3<Width> times(Lanes<Width> k, const Lanes3<Width>& a) {
  return {k * a.x, k * a.y, k * a.z};
}

// A contact by lengths: r_n, u_n, |r_t|^2, |u_t|^2, r_t . u_t.
template <int Width>
struct LaneLengths {
  Lanes<Width> rn, un, rt2, ut2, rt_ut;
};

// natural_map_square of sweep_kernel.hpp. slip = |u_t|.
template <class V>
inline V residual_square(V rn, V un, V rt2, V ut2, V rt_ut, V mu, V slip) {
  const V zero = {};
  const V zn = rn - un - mu * slip, zt2 = rt2 - 2 * rt_ut + ut2, zt = root(zt2);
  const V pn = (zn + mu * zt) / (1 + mu * mu), f = mu * pn / zt;
  const V inside = (rn - zn) * (rn - zn) + ut2, apex = rn * rn + rt2;
  const V edge = (rn - pn) * (rn - pn) + larger(rt2 - 2 * f * (rt2 - rt_ut) + f * f * zt2, zero);
  const V out = pn > zero ? edge : apex;
  return ((zn >= zero) & (zt2 <= mu * mu * zn * zn)) ? inside : out;
}

// is_within of sweep_kernel.hpp: 1 where it is not.
template <class V>
inline V outside(const PackPass& pass, V rn, V un, V rt2, V ut2, V rt_ut, V mu, V slip) {
  const V zero = {}, normal = pass.margin_normal + zero, impulse = pass.margin_impulse + zero;
  const V k = mu * rn / slip;
  const auto sticks = slip <= pass.margin_sliding + zero;
  const V error = root(sticks ? rt2 : larger(rt2 + 2 * k * rt_ut + k * k * ut2, zero));
  const V bound = sticks ? mu * rn + impulse : impulse;
  const auto open = (rn <= impulse) & (un >= -normal), closed = (un <= normal) & (un >= -normal);
  return ((open | closed) & (error <= bound)) ? zero : zero + 1;
}

// judge of sweep_kernel.hpp for lanes k and up.
template <int Width>
inline void judge(const PackPass& pass, const LaneLengths<Width>& c, Lanes<Width> mu, Lanes<Width> slip,
                  int k, PackSums& sums) {
  if (!pass.judged) return;
  const double m = pass.inverse_mass;
  add(residual_square(m * c.rn, c.un, m * m * c.rt2, c.ut2, m * c.rt_ut, mu, slip), sums.residual + k);
  if (pass.has_margins) add(outside(pass, c.rn, c.un, c.rt2, c.ut2, c.rt_ut, mu, slip), sums.outside + k);
}

}  // namespace
}  // namespace saltus
