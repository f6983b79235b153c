// The visit of sweep_kernel.hpp for Width contacts of space at a time. Only for sweep_packs_*.cpp.
#pragma once

#include "saltus/solvers/sweeps/local_lanes.hpp"

namespace saltus {
namespace {

template <int Width>
class SpaceLanes {
 public:
  static void sweep(const PackPass& pass, const PackBlock<SpacePack>& block, double* bodies,
                    const double* frozen, PackSums& sums) {
    if (pass.exact)
      sweep<true>(pass, block, bodies, frozen, sums);
    else
      sweep<false>(pass, block, bodies, frozen, sums);
  }

 private:
  using V = Lanes<Width>;
  using Vector = Lanes3<Width>;
  // v, w; then 1/m by axis, J^-1 as xx, xy, xz, yy, yz, zz
  static constexpr int kRecord = 16, kVelocities = 6, kMass = 6, kInertia = 9, kAll = 15;
  struct Arms {
    Vector n, t, s, a, b, shift;
  };

  static Vector velocity(const Arms& c, const V* a, const V* b) {
    const Vector turn_a = cross<Width>({a[3], a[4], a[5]}, c.a),
                 turn_b = cross<Width>({b[3], b[4], b[5]}, c.b);
    const Vector u = {(b[0] - a[0]) + (turn_b.x - turn_a.x), (b[1] - a[1]) + (turn_b.y - turn_a.y),
                      (b[2] - a[2]) + (turn_b.z - turn_a.z)};
    return {dot(c.n, u) + c.shift.x, dot(c.t, u) + c.shift.y, dot(c.s, u) + c.shift.z};
  }

  static void push(const Arms& c, const Vector& dr, V* a, V* b) {
    const Vector p = {dr.x * c.n.x + dr.y * c.t.x + dr.z * c.s.x, dr.x * c.n.y + dr.y * c.t.y + dr.z * c.s.y,
                      dr.x * c.n.z + dr.y * c.t.z + dr.z * c.s.z};
    add_impulse({-p.x, -p.y, -p.z}, c.a, a);
    add_impulse(p, c.b, b);
  }
  static void add_impulse(const Vector& p, const Vector& arm, V* body) {
    const Vector m = cross(arm, p);
    const V* J = body + kInertia;
    body[0] += body[kMass] * p.x;
    body[1] += body[kMass + 1] * p.y;
    body[2] += body[kMass + 2] * p.z;
    body[3] += J[0] * m.x + J[1] * m.y + J[2] * m.z;
    body[4] += J[1] * m.x + J[3] * m.y + J[4] * m.z;
    body[5] += J[2] * m.x + J[4] * m.y + J[5] * m.z;
  }

  // Judges the frozen iterate; returns its slip.
  [[gnu::always_inline]] static V inspect(const PackPass& pass, const SpacePack& c, int k, const Arms& arms,
                                          const Vector& r, V mu, const double* frozen, PackSums& sums) {
    V a[kRows<Width, kVelocities>], b[kRows<Width, kVelocities>];
    load_bodies<Width, kRecord, kVelocities>(frozen, c.a + k, a);
    load_bodies<Width, kRecord, kVelocities>(frozen, c.b + k, b);
    const V soft_t = load<Width>(c.compliance_t + k);
    const Vector u0 = velocity(arms, a, b);
    const Vector u = {u0.x + load<Width>(c.compliance_n + k) * r.x, u0.y + soft_t * r.y, u0.z + soft_t * r.z};
    const V ut2 = u.y * u.y + u.z * u.z, slip = root(ut2);
    judge<Width>(pass, {r.x, u.x, r.y * r.y + r.z * r.z, ut2, r.y * u.y + r.z * u.z}, mu, slip, k, sums);
    return slip;
  }

  template <bool Exact>
  static void visit(const PackPass& pass, SpacePack& c, int k, double* bodies, const double* frozen,
                    PackSums& sums) {
    Arms arms = {load3<Width>(c.n, k),     load3<Width>(c.t, k),     {},
                 load3<Width>(c.arm_a, k), load3<Width>(c.arm_b, k), load3<Width>(c.shift, k)};
    arms.s = cross(arms.n, arms.t);
    const Vector r = load3<Width>(c.r, k), last = load3<Width>(c.last, k);
    const V mu = load<Width>(c.mu + k);
    V slip = load<Width>(c.slip + k);
    if (!Exact || pass.judged) {
      slip += pass.follow * (inspect(pass, c, k, arms, r, mu, frozen, sums) - slip);
      store(slip, c.slip + k);
    }
    V a[kRows<Width, kAll>], b[kRows<Width, kAll>];
    load_bodies<Width, kRecord, kAll>(bodies, c.a + k, a);
    load_bodies<Width, kRecord, kAll>(bodies, c.b + k, b);
    const double m = pass.extrapolation;
    const Vector y = {r.x + m * (r.x - last.x), r.y + m * (r.y - last.y), r.z + m * (r.z - last.z)};
    const LaneBlock<Width> W = {load<Width>(c.W[0] + k), load<Width>(c.W[1] + k), load<Width>(c.W[2] + k),
                                load<Width>(c.W[3] + k), load<Width>(c.W[4] + k), load<Width>(c.W[5] + k)};
    const V soft_n = load<Width>(c.compliance_n + k), soft_t = load<Width>(c.compliance_t + k);
    const Vector u = velocity(arms, a, b), Wy = W.times(y);
    const Vector q = {u.x - (Wy.x - soft_n * y.x) + (Exact ? V{} : mu * slip), u.y - (Wy.y - soft_t * y.y),
                      u.z - (Wy.z - soft_t * y.z)};
    Vector next;
    if constexpr (Exact) {
      V sliding = load<Width>(c.sliding + k);
      next = solve_coulomb<Width>(W, mu, q, sliding);
      store(sliding, c.sliding + k);
    } else {
      next = solve_convex<Width>(W, mu, q, y);
    }
    const Vector dr = minus(next, y);
    add(W.nn * dot(dr, minus(y, r)), sums.along + k);
    add(dot(dr, dr), sums.change + k);
    store3(r, c.last, k);
    store3(next, c.r, k);
    push(arms, dr, a, b);
    store_bodies<Width, kRecord, kVelocities>(a, c.a + k, bodies);
    store_bodies<Width, kRecord, kVelocities>(b, c.b + k, bodies);
  }

  template <bool Exact>
  static void sweep(const PackPass& pass, const PackBlock<SpacePack>& block, double* bodies,
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
