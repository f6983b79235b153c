// Sweeps over contacts of space between bodies of any shape: W a full symmetric 3 x 3 block.
//
// The convex problem is solved exactly where it opens or sticks, which is nearly everywhere. A contact that
// slides moves along the edge of the cone: the best impulse in a direction of the tangent plane is one
// division, and the direction follows the slip at every visit. The visit itself is in
// space_lanes.hpp and local_lanes.hpp, for several contacts at a time; blocks too singular for it are left to
// local_coulomb_3d.hpp.
#pragma once

#include <cmath>

#include "saltus/solvers/sweeps/pack_kernel.hpp"

namespace saltus {

struct SpaceShape {
  using Pack = SpacePack;
  using Cone = Coulomb3;
  static constexpr SweepPacks<SpacePack> PackKernels::*kSweep = &PackKernels::space;

  static bool fill(const PlacedContact<3>& c, int k, SpacePack& pack);

  static void make_empty(int k, SpacePack& pack) { pack.W[0][k] = pack.W[3][k] = pack.W[5][k] = 1; }

  static void apply(const SpacePack& c, int k, SweepBody<3>& a, SweepBody<3>& b) {
    const Vec<3> n = column(c.n, k), t = column(c.t, k), r = column(c.r, k);
    const Vec<3> p = r[0] * n + r[1] * t + r[2] * n.cross(t);
    add_impulse(a, Vec<3>(-p), Spin<3>(-column(c.arm_a, k).cross(p)));
    add_impulse(b, p, Spin<3>(column(c.arm_b, k).cross(p)));
  }

 private:
  static Vec<3> column(const PackRow* rows, int k) { return {rows[0][k], rows[1][k], rows[2][k]}; }
  static void set_column(const Vec<3>& x, int k, PackRow* rows) {
    for (int axis = 0; axis < 3; ++axis) rows[axis][k] = x[axis];
  }
  static Mat<3> inverse_inertia(const SweepBody<3>& body) {
    const double* J = body.inverse_inertia;
    Mat<3> full;
    full << J[0], J[1], J[2], J[1], J[3], J[4], J[2], J[4], J[5];
    return full;
  }
  // What a body adds to W: F^T M^-1 F of its centre and of its turning, `frame` and `arm` those of the
  // contact.
  static Mat<3> block_of(const SweepBody<3>& body, const Vec<3>& arm, const Mat<3>& axes) {
    const Vec<3> m(body.inverse_mass[0], body.inverse_mass[1], body.inverse_mass[2]);
    Mat<3> turn;
    for (int i = 0; i < 3; ++i) turn.col(i) = arm.cross(axes.col(i));
    return axes.transpose() * m.asDiagonal() * axes + turn.transpose() * inverse_inertia(body) * turn;
  }
  // Whether W is definite enough for the lanes, which eliminate n, then t: of pivots, the share of the
  // diagonal that elimination leaves.
  static bool is_regular(const Mat<3>& W) {
    constexpr double kSmallestPivot = 1e-10;
    if (!(W(0, 0) > 0 && W(1, 1) > 0 && W(2, 2) > 0)) return false;
    const double tt = W(1, 1) - W(0, 1) * W(0, 1) / W(0, 0), ts = W(1, 2) - W(0, 1) * W(0, 2) / W(0, 0),
                 ss = W(2, 2) - W(0, 2) * W(0, 2) / W(0, 0);
    const double size = kSmallestPivot * (W(1, 1) + W(2, 2));
    return tt > size && ss > size && tt * ss - ts * ts > size * (W(1, 1) + W(2, 2));
  }
};

using SpaceKernel = PackKernel<SpaceShape>;

inline bool SpaceShape::fill(const PlacedContact<3>& c, int k, SpacePack& pack) {
  const SweepContact<3>& contact = c.contact;
  const Mat<3> axes = contact.axes();
  Mat<3> W = block_of(c.body_a, contact.arm_a, axes) + block_of(c.body_b, contact.arm_b, axes);
  W.diagonal() += compliance_of<Coulomb3>(contact);
  if (!is_regular(W)) return false;
  set_column(axes.col(0), k, pack.n);
  set_column(axes.col(1), k, pack.t);
  set_column(contact.arm_a, k, pack.arm_a);
  set_column(contact.arm_b, k, pack.arm_b);
  set_column(contact.shift + c.ground, k, pack.shift);
  set_column(contact.r, k, pack.r);
  set_column(contact.r, k, pack.last);
  const double block[6] = {W(0, 0), W(0, 1), W(0, 2), W(1, 1), W(1, 2), W(2, 2)};
  for (int i = 0; i < 6; ++i) pack.W[i][k] = block[i];
  pack.mu[k] = contact.mu;
  pack.compliance_n[k] = contact.compliance_normal;
  pack.compliance_t[k] = contact.compliance_tangent;
  return true;
}

}  // namespace saltus
