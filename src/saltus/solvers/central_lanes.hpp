// The visit of sweep_kernel.hpp for Width contacts of spheres at a time. Only for sweep_packs_*.cpp.
#pragma once

#include "saltus/solvers/pack_lanes.hpp"

namespace saltus {
namespace {

template <int Width>
class CentralLanes {
 public:
  static void sweep(const PackPass& pass, const PackBlock<CentralPack>& block, double* bodies,
                    const double* frozen, PackSums& sums) {
    if (pass.exact)
      sweep<true>(pass, block, bodies, frozen, sums);
    else
      sweep<false>(pass, block, bodies, frozen, sums);
  }

 private:
  using V = Lanes<Width>;
  struct Vector {
    V x, y, z;
  };
  struct Arms {
    Vector n, shift;
    V da, db;
  };

  static Vector load3(const PackRow* rows, int k) {
    return {load<Width>(rows[0] + k), load<Width>(rows[1] + k), load<Width>(rows[2] + k)};
  }
  static void store3(const Vector& v, PackRow* rows, int k) {
    store(v.x, rows[0] + k);
    store(v.y, rows[1] + k);
    store(v.z, rows[2] + k);
  }
  static void add(V x, double* row) { store(load<Width>(row) + x, row); }

  static V dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  static Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  static Vector minus(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  static Vector times(V k, const Vector& a) { return {k * a.x, k * a.y, k * a.z}; }
  static Vector across(const Vector& a, V an, const Vector& n) { return minus(a, times(an, n)); }

  static Vector velocity(const Arms& c, const V* a, const V* b) {
    const Vector s = {c.db * b[4] + c.da * a[4], c.db * b[5] + c.da * a[5], c.db * b[6] + c.da * a[6]};
    const Vector turn = cross(s, c.n);
    return {b[0] - a[0] - turn.x + c.shift.x, b[1] - a[1] - turn.y + c.shift.y,
            b[2] - a[2] - turn.z + c.shift.z};
  }

  // natural_map_square of sweep_kernel.hpp.
  static V residual(V rn, V un, V rt2, V ut2, V rt_ut, V mu, V slip) {
    const V zero = {};
    const V zn = rn - un - mu * slip, zt2 = rt2 - 2 * rt_ut + ut2, zt = root(zt2);
    const V pn = (zn + mu * zt) / (1 + mu * mu), f = mu * pn / zt;
    const V inside = (rn - zn) * (rn - zn) + ut2, apex = rn * rn + rt2;
    const V edge = (rn - pn) * (rn - pn) + larger(rt2 - 2 * f * (rt2 - rt_ut) + f * f * zt2, zero);
    const V out = pn > zero ? edge : apex;
    return ((zn >= zero) & (zt2 <= mu * mu * zn * zn)) ? inside : out;
  }

  // is_within of sweep_kernel.hpp: 1 where it is not.
  static V outside(const PackPass& pass, V rn, V un, V rt2, V ut2, V rt_ut, V mu, V slip) {
    const V zero = {}, normal = pass.margin_normal + zero, impulse = pass.margin_impulse + zero;
    const V k = mu * rn / slip;
    const auto sticks = slip <= pass.margin_sliding + zero;
    const V error = root(sticks ? rt2 : larger(rt2 + 2 * k * rt_ut + k * k * ut2, zero));
    const V bound = sticks ? mu * rn + impulse : impulse;
    const auto open = (rn <= impulse) & (un >= -normal), closed = (un <= normal) & (un >= -normal);
    return ((open | closed) & (error <= bound)) ? zero : zero + 1;
  }

  // Judges the frozen iterate; returns its slip.
  [[gnu::always_inline]] static V inspect(const PackPass& pass, const CentralPack& c, int k, const Arms& arms,
                                          const Vector& r, V mu, const double* frozen, PackSums& sums) {
    V a[kRecord], b[kRecord];
    load_bodies<Width>(frozen, c.a + k, a);
    load_bodies<Width>(frozen, c.b + k, b);
    const Vector u = velocity(arms, a, b);
    const V un0 = dot(u, arms.n), rn = dot(r, arms.n), soft_t = load<Width>(c.compliance_t + k);
    const Vector rt = across(r, rn, arms.n), ut0 = across(u, un0, arms.n);
    const Vector ut = {ut0.x + soft_t * rt.x, ut0.y + soft_t * rt.y, ut0.z + soft_t * rt.z};
    const V un = un0 + load<Width>(c.compliance_n + k) * rn;
    const V rt2 = dot(rt, rt), ut2 = dot(ut, ut), rt_ut = dot(rt, ut), slip = root(ut2);
    const double m = pass.inverse_mass;
    if (pass.judged) add(residual(m * rn, un, m * m * rt2, ut2, m * rt_ut, mu, slip), sums.residual + k);
    if (pass.judged && pass.has_margins)
      add(outside(pass, rn, un, rt2, ut2, rt_ut, mu, slip), sums.outside + k);
    return slip;
  }

  template <bool Exact>
  static Vector solve(const PackPass& pass, const CentralPack& c, int k, const Arms& arms, V mu, V wn, V wt,
                      const Vector& u, const Vector& y, V slip) {
    const V zero = {}, one = zero + 1;
    const V inverse_n = load<Width>(c.inverse_n + k), inverse_t = load<Width>(c.inverse_t + k);
    const V un = dot(u, arms.n), yn = dot(y, arms.n);
    V zn = (Exact ? wn * yn - un : wn * yn - un - mu * slip) * inverse_n;
    if (Exact && pass.normal != 1) zn = yn + pass.normal * (zn - yn);
    const Vector t = times(inverse_t, minus(times(wt, across(y, yn, arms.n)), across(u, un, arms.n)));
    const V t2 = dot(t, t), length = root(t2);
    V rn = larger(zn, zero);
    const auto slides = t2 > mu * mu * rn * rn;
    if constexpr (!Exact) {
      const V ratio = mu * inverse_n / inverse_t;
      rn = slides ? larger((zn + ratio * length) / (1 + ratio * mu), zero) : rn;
    }
    const V f = slides ? mu * rn / length : one;
    return {rn * arms.n.x + f * t.x, rn * arms.n.y + f * t.y, rn * arms.n.z + f * t.z};
  }

  static void push(const Arms& c, const Vector& p, V* a, V* b) {
    const Vector turn = cross(c.n, p);
    const V turn_a = a[7] * c.da, turn_b = b[7] * c.db;
    const V pushes[3] = {p.x, p.y, p.z}, turns[3] = {turn.x, turn.y, turn.z};
    for (int i = 0; i < 3; ++i) {
      a[i] -= a[3] * pushes[i];
      b[i] += b[3] * pushes[i];
      a[4 + i] -= turn_a * turns[i];
      b[4 + i] -= turn_b * turns[i];
    }
  }

  template <bool Exact>
  static void visit(const PackPass& pass, CentralPack& c, int k, double* bodies, const double* frozen,
                    PackSums& sums) {
    const Arms arms = {load3(c.n, k), load3(c.shift, k), load<Width>(c.da + k), load<Width>(c.db + k)};
    const Vector r = load3(c.r, k), step = minus(r, load3(c.last, k));
    const V mu = load<Width>(c.mu + k);
    V slip = load<Width>(c.slip + k);
    if (!Exact || pass.judged) {
      slip += pass.follow * (inspect(pass, c, k, arms, r, mu, frozen, sums) - slip);
      store(slip, c.slip + k);
    }
    V a[kRecord], b[kRecord];
    load_bodies<Width>(bodies, c.a + k, a);
    load_bodies<Width>(bodies, c.b + k, b);
    const V wn = a[3] + b[3], wt = wn + arms.da * arms.da * a[7] + arms.db * arms.db * b[7];
    const double momentum = pass.momentum;
    const Vector y = {r.x + momentum * step.x, r.y + momentum * step.y, r.z + momentum * step.z};
    const Vector next = solve<Exact>(pass, c, k, arms, mu, wn, wt, velocity(arms, a, b), y, slip);
    const Vector dr = minus(next, y);
    add(wn * dot(dr, minus(y, r)), sums.along + k);
    add(dot(dr, dr), sums.change + k);
    store3(r, c.last, k);
    store3(next, c.r, k);
    push(arms, dr, a, b);
    store_bodies<Width>(a, c.a + k, bodies);
    store_bodies<Width>(b, c.b + k, bodies);
  }

  template <bool Exact>
  static void sweep(const PackPass& pass, const PackBlock<CentralPack>& block, double* bodies,
                    const double* frozen, PackSums& sums) {
    for (int i = 0; i < block.count; ++i) {
      if (i + 1 < block.ahead) prefetch(block.packs[i + 1], bodies, frozen);
      for (int k = 0; k < kLanes; k += Width) visit<Exact>(pass, block.packs[i], k, bodies, frozen, sums);
    }
  }
};

}  // namespace
}  // namespace saltus
