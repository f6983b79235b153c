// The visit of sweep_kernel.hpp for Width contacts of spheres at a time. Only for sweep_packs_*.cpp.
#pragma once

#include "saltus/solvers/sweeps/lane_vectors.hpp"

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
  using Vector = Lanes3<Width>;
  static constexpr int kRecord = 8;  // doubles of a body
  struct Arms {
    Vector n, shift;
    V da, db;
  };

  static Vector across(const Vector& a, V an, const Vector& n) { return minus(a, times<Width>(an, n)); }

  static Vector velocity(const Arms& c, const V* a, const V* b) {
    const Vector s = {c.db * b[4] + c.da * a[4], c.db * b[5] + c.da * a[5], c.db * b[6] + c.da * a[6]};
    const Vector turn = cross(s, c.n);
    return {b[0] - a[0] - turn.x + c.shift.x, b[1] - a[1] - turn.y + c.shift.y,
            b[2] - a[2] - turn.z + c.shift.z};
  }

  // Judges the frozen iterate; returns its slip.
  [[gnu::always_inline]] static V inspect(const PackPass& pass, const CentralPack& c, int k, const Arms& arms,
                                          const Vector& r, V mu, const double* frozen, PackSums& sums) {
    V a[kRecord], b[kRecord];
    load_bodies<Width, kRecord, kRecord>(frozen, c.a + k, a);
    load_bodies<Width, kRecord, kRecord>(frozen, c.b + k, b);
    const Vector u = velocity(arms, a, b);
    const V un0 = dot(u, arms.n), rn = dot(r, arms.n), soft_t = load<Width>(c.compliance_t + k);
    const Vector rt = across(r, rn, arms.n), ut0 = across(u, un0, arms.n);
    const Vector ut = {ut0.x + soft_t * rt.x, ut0.y + soft_t * rt.y, ut0.z + soft_t * rt.z};
    const V un = un0 + load<Width>(c.compliance_n + k) * rn;
    const V ut2 = dot(ut, ut), slip = root(ut2);
    judge<Width>(pass, {rn, un, dot(rt, rt), ut2, dot(rt, ut)}, mu, slip, k, sums);
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
    const Vector t =
        times<Width>(inverse_t, minus(times<Width>(wt, across(y, yn, arms.n)), across(u, un, arms.n)));
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
    const Arms arms = {load3<Width>(c.n, k), load3<Width>(c.shift, k), load<Width>(c.da + k),
                       load<Width>(c.db + k)};
    const Vector r = load3<Width>(c.r, k), step = minus(r, load3<Width>(c.last, k));
    const V mu = load<Width>(c.mu + k);
    V slip = load<Width>(c.slip + k);
    if (!Exact || pass.judged) {
      slip += pass.follow * (inspect(pass, c, k, arms, r, mu, frozen, sums) - slip);
      store(slip, c.slip + k);
    }
    V a[kRecord], b[kRecord];
    load_bodies<Width, kRecord, kRecord>(bodies, c.a + k, a);
    load_bodies<Width, kRecord, kRecord>(bodies, c.b + k, b);
    const V wn = a[3] + b[3], wt = wn + arms.da * arms.da * a[7] + arms.db * arms.db * b[7];
    const double extrapolation = pass.extrapolation;
    const Vector y = {r.x + extrapolation * step.x, r.y + extrapolation * step.y,
                      r.z + extrapolation * step.z};
    const Vector next = solve<Exact>(pass, c, k, arms, mu, wn, wt, velocity(arms, a, b), y, slip);
    const Vector dr = minus(next, y);
    add(wn * dot(dr, minus(y, r)), sums.along + k);
    add(dot(dr, dr), sums.change + k);
    store3(r, c.last, k);
    store3(next, c.r, k);
    push(arms, dr, a, b);
    store_bodies<Width, kRecord, kRecord>(a, c.a + k, bodies);
    store_bodies<Width, kRecord, kRecord>(b, c.b + k, bodies);
  }

  template <bool Exact>
  static void sweep(const PackPass& pass, const PackBlock<CentralPack>& block, double* bodies,
                    const double* frozen, PackSums& sums) {
    for (int i = 0; i < block.count; ++i) {
      if (i + 1 < block.ahead) prefetch<kRecord, kRecord, kRecord>(block.packs[i + 1], bodies, frozen);
      for (int k = 0; k < block.packs[i].taken; k += Width)
        visit<Exact>(pass, block.packs[i], k, bodies, frozen, sums);
    }
  }
};

}  // namespace
}  // namespace saltus
