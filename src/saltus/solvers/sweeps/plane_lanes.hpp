// The visit of sweep_kernel.hpp for Width contacts of the plane at a time. Only for sweep_packs_*.cpp.
#pragma once

#include "saltus/solvers/sweeps/lane_vectors.hpp"

namespace saltus {
namespace {

template <int Width>
class PlaneLanes {
 public:
  static void sweep(const PackPass& pass, const PackBlock<PlanePack>& block, double* bodies,
                    const double* frozen, PackSums& sums) {
    if (pass.exact)
      sweep<true>(pass, block, bodies, frozen, sums);
    else
      sweep<false>(pass, block, bodies, frozen, sums);
  }

 private:
  using V = Lanes<Width>;
  static constexpr int kRecord = 8, kVelocities = 3, kAll = 6;  // v, w; then 1/m by axis, 1/J
  struct Pair {
    V n, t;
  };
  struct Arms {
    V nx, ny, an, at, bn, bt;  // t = (-ny, nx); levers of n and t on a and b
    Pair shift;
  };

  static Pair load2(const PackRow* rows, int k) {
    return {load<Width>(rows[0] + k), load<Width>(rows[1] + k)};
  }
  static void store2(const Pair& x, PackRow* rows, int k) {
    store(x.n, rows[0] + k);
    store(x.t, rows[1] + k);
  }

  static Pair velocity(const Arms& c, const V* a, const V* b) {
    const V x = b[0] - a[0], y = b[1] - a[1];
    return {c.nx * x + c.ny * y + c.bn * b[2] - c.an * a[2] + c.shift.n,
            c.nx * y - c.ny * x + c.bt * b[2] - c.at * a[2] + c.shift.t};
  }

  static void push(const Arms& c, const Pair& p, V* a, V* b) {
    const V x = c.nx * p.n - c.ny * p.t, y = c.ny * p.n + c.nx * p.t;
    a[0] -= a[3] * x;
    a[1] -= a[4] * y;
    a[2] -= a[5] * (c.an * p.n + c.at * p.t);
    b[0] += b[3] * x;
    b[1] += b[4] * y;
    b[2] += b[5] * (c.bn * p.n + c.bt * p.t);
  }

  // Judges the frozen iterate; returns its slip.
  [[gnu::always_inline]] static V inspect(const PackPass& pass, const PlanePack& c, int k, const Arms& arms,
                                          const Pair& r, V mu, const double* frozen, PackSums& sums) {
    V a[kRows<Width, kVelocities>], b[kRows<Width, kVelocities>];
    load_bodies<Width, kRecord, kVelocities>(frozen, c.a + k, a);
    load_bodies<Width, kRecord, kVelocities>(frozen, c.b + k, b);
    const Pair u = velocity(arms, a, b);
    const V un = u.n + load<Width>(c.compliance_n + k) * r.n,
            ut = u.t + load<Width>(c.compliance_t + k) * r.t;
    const V slip = size_of(ut);
    judge<Width>(pass, {r.n, un, r.t * r.t, ut * ut, r.t * ut}, mu, slip, k, sums);
    return slip;
  }

  // The interior of the cone, or one of its edges: r_t = mu r_n (up), r_t = -mu r_n (down).
  template <bool Exact>
  static Pair solve(const PlanePack& c, int k, V mu, V bn, V bt) {
    const V zero = {};
    const V nt = load<Width>(c.inverse[1] + k);
    const Pair stick = {-(load<Width>(c.inverse[0] + k) * bn + nt * bt),
                        -(nt * bn + load<Width>(c.inverse[2] + k) * bt)};
    const auto sticks = (stick.n >= zero) & (size_of(stick.t) <= mu * stick.n);
    if constexpr (Exact) {
      // Friction is against what u_t would be without it, which has the sign of -r_t of the stick.
      const auto up = stick.t > zero;
      const V n = -bn * (up ? load<Width>(c.slide_up + k) : load<Width>(c.slide_down + k));
      const auto open = bn >= zero;
      const V rn = sticks ? stick.n : n, rt = sticks ? stick.t : (up ? mu * n : -(mu * n));
      return {open ? zero : rn, open ? zero : rt};
    }
    // Along an edge the decrease is (b_n +- mu b_t)^2 edge / 2.
    const V edge_up = load<Width>(c.edge_up + k), edge_down = load<Width>(c.edge_down + k);
    const V along_up = larger(-(bn + mu * bt), zero), along_down = larger(-(bn - mu * bt), zero);
    const auto up = along_up * along_up * edge_up >= along_down * along_down * edge_down;
    const V n = up ? along_up * edge_up : along_down * edge_down;
    return {sticks ? stick.n : n, sticks ? stick.t : (up ? n * mu : -(n * mu))};
  }

  template <bool Exact>
  static void visit(const PackPass& pass, PlanePack& c, int k, double* bodies, const double* frozen,
                    PackSums& sums) {
    const Arms arms = {load<Width>(c.n[0] + k),
                       load<Width>(c.n[1] + k),
                       load<Width>(c.lever_a[0] + k),
                       load<Width>(c.lever_a[1] + k),
                       load<Width>(c.lever_b[0] + k),
                       load<Width>(c.lever_b[1] + k),
                       load2(c.shift, k)};
    const Pair r = load2(c.r, k), last = load2(c.last, k);
    const V mu = load<Width>(c.mu + k);
    V slip = load<Width>(c.slip + k);
    if (!Exact || pass.judged) {
      slip += pass.follow * (inspect(pass, c, k, arms, r, mu, frozen, sums) - slip);
      store(slip, c.slip + k);
    }
    V a[kRows<Width, kAll>], b[kRows<Width, kAll>];
    load_bodies<Width, kRecord, kAll>(bodies, c.a + k, a);
    load_bodies<Width, kRecord, kAll>(bodies, c.b + k, b);
    const Pair u = velocity(arms, a, b);
    const V wnn = load<Width>(c.wnn + k), wnt = load<Width>(c.wnt + k), wtt = load<Width>(c.wtt + k);
    const Pair y = {r.n + pass.extrapolation * (r.n - last.n), r.t + pass.extrapolation * (r.t - last.t)};
    const V bn = u.n - (wnn * y.n + wnt * y.t), bt = u.t - (wnt * y.n + wtt * y.t);
    const Pair next = solve<Exact>(c, k, mu, Exact ? bn : bn + mu * slip, bt);
    const Pair dr = {next.n - y.n, next.t - y.t};
    add(wnn * (dr.n * (y.n - r.n) + dr.t * (y.t - r.t)), sums.along + k);
    add(dr.n * dr.n + dr.t * dr.t, sums.change + k);
    store2(r, c.last, k);
    store2(next, c.r, k);
    push(arms, dr, a, b);
    store_bodies<Width, kRecord, kVelocities>(a, c.a + k, bodies);
    store_bodies<Width, kRecord, kVelocities>(b, c.b + k, bodies);
  }

  template <bool Exact>
  static void sweep(const PackPass& pass, const PackBlock<PlanePack>& block, double* bodies,
                    const double* frozen, PackSums& sums) {
    for (int i = 0; i < block.count; ++i) {
      if (i + 1 < block.ahead) prefetch<kRecord, kAll, kVelocities>(block.packs[i + 1], bodies, frozen);
      for (int k = 0; k < block.packs[i].taken; k += Width)
        visit<Exact>(pass, block.packs[i], k, bodies, frozen, sums);
    }
  }
};

}  // namespace
}  // namespace saltus
