// Sweeps over contacts of the plane, of disks and polygons alike. W is 2 x 2, all that depends on it is
// computed beforehand. In the plane the cone has two edges: the convex problem is solved by its interior
// or by the better edge, Coulomb's law by its interior or the edge against the slip. The visit itself is in
// plane_lanes.hpp, for several contacts at a time; singular blocks are left to local_coulomb_2d.hpp.
#pragma once

#include <cmath>

#include "saltus/solvers/sweeps/pack_kernel.hpp"

namespace saltus {

struct PlaneShape {
  using Pack = PlanePack;
  using Cone = Coulomb2;
  static constexpr SweepPacks<PlanePack> PackKernels::*kSweep = &PackKernels::plane;

  static bool fill(const PlacedContact<2>& c, int k, PlanePack& pack);
  static void make_empty(int k, PlanePack& pack) { pack.wnn[k] = 1; }

  static void apply(const PlanePack& c, int k, SweepBody<2>& a, SweepBody<2>& b) {
    const double rn = c.r[0][k], rt = c.r[1][k];
    const Vec<2> p(c.n[0][k] * rn - c.n[1][k] * rt, c.n[1][k] * rn + c.n[0][k] * rt);
    add_impulse(a, Vec<2>(-p), Spin<2>(-(c.lever_a[0][k] * rn + c.lever_a[1][k] * rt)));
    add_impulse(b, p, Spin<2>(c.lever_b[0][k] * rn + c.lever_b[1][k] * rt));
  }
};

using PlaneKernel = PackKernel<PlaneShape>;

inline bool PlaneShape::fill(const PlacedContact<2>& c, int k, PlanePack& pack) {
  const SweepContact<2>& contact = c.contact;
  const Vec<2>& n = contact.normal;
  const Vec<2> t = quarter_turn(n);
  const double an = cross2(contact.arm_a, n), at = cross2(contact.arm_a, t), bn = cross2(contact.arm_b, n),
               bt = cross2(contact.arm_b, t);
  const SweepBody<2>&a = c.body_a, &b = c.body_b;
  const Vec<2> m(a.inverse_mass[0] + b.inverse_mass[0], a.inverse_mass[1] + b.inverse_mass[1]);
  const double ja = a.inverse_inertia[0], jb = b.inverse_inertia[0], mu = contact.mu;
  const double wnn = n.dot(m.cwiseProduct(n)) + ja * an * an + jb * bn * bn;
  const double wnt = n.dot(m.cwiseProduct(t)) + ja * an * at + jb * bn * bt;
  const double wtt = t.dot(m.cwiseProduct(t)) + ja * at * at + jb * bt * bt;
  const double wn = wnn + contact.compliance_normal, wt = wtt + contact.compliance_tangent;
  const double det = wn * wt - wnt * wnt;
  if (!(wn > 0 && wt > 0 && det > 1e-10 * wn * wt)) return false;
  for (int i = 0; i < 2; ++i) {
    pack.n[i][k] = n[i];
    pack.shift[i][k] = contact.shift[i] + c.ground[i];
    pack.r[i][k] = pack.last[i][k] = contact.r[i];
  }
  pack.lever_a[0][k] = an;
  pack.lever_a[1][k] = at;
  pack.lever_b[0][k] = bn;
  pack.lever_b[1][k] = bt;
  pack.wnn[k] = wnn;
  pack.wnt[k] = wnt;
  pack.wtt[k] = wtt;
  pack.inverse[0][k] = wt / det;
  pack.inverse[1][k] = -wnt / det;
  pack.inverse[2][k] = wn / det;
  pack.edge_up[k] = 1 / (wn + 2 * mu * wnt + mu * mu * wt);
  pack.edge_down[k] = 1 / (wn - 2 * mu * wnt + mu * mu * wt);
  pack.slide_up[k] = 1 / (wn + mu * wnt);
  pack.slide_down[k] = 1 / (wn - mu * wnt);
  pack.mu[k] = mu;
  pack.compliance_n[k] = contact.compliance_normal;
  pack.compliance_t[k] = contact.compliance_tangent;
  return true;
}

}  // namespace saltus
