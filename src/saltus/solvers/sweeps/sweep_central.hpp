// Sweeps over contacts of spheres: lever arms along the normal, inertias without direction. Then
//
//     W = w_n n n + w_t (1 - n n),    w_n = 1/m_a + 1/m_b,   w_t = w_n + d_a^2/J_a + d_b^2/J_b
//
// with arms d_a n and -d_b n. No tangent is needed: everything is a vector of the world. Coulomb's law
// is solved by r_n = (-b_n / w_n)_+ and -b_t / w_t clipped to mu r_n; the convex problem likewise, by a
// projection on the cone in the metric of W. The visit itself is in central_lanes.hpp, for several contacts
// at a time.
#pragma once

#include <algorithm>
#include <vector>

#include "saltus/solvers/sweeps/sweep_kernel.hpp"
#include "saltus/solvers/sweeps/sweep_packs.hpp"

namespace saltus {

class CentralKernel {
 public:
  static constexpr int Dim = 3, kLanes = saltus::kLanes;
  static constexpr bool kHasNormalPart = true;  // SweepPass::normal is looked at
  static constexpr int kVelocities = 8;         // masses among them: a push leaves what does not change

  struct alignas(64) Body {
    double v[3];
    double inverse_mass;
    double w[3];
    double inverse_inertia;
  };

  static Body pack(const SweepBody<3>& b) {
    return {{b.v[0], b.v[1], b.v[2]}, b.inverse_mass[0], {b.w[0], b.w[1], b.w[2]}, b.inverse_inertia[0]};
  }

  static bool accepts(const VelocityProblem<3>& problem);

  void clear(int room) {
    size_ = 0;
    packs_.clear();
    make_room(room / kLanes, packs_);
  }
  void release() { release_if_large(packs_); }
  void add(const PlacedContact<3>& c);
  void add_none(int ground) {
    const int k = add_lane();
    packs_.back().a[k] = packs_.back().b[k] = ground;
  }

  void apply_start(int i, Body* bodies) const {
    const CentralPack& c = packs_[i / kLanes];
    const int k = i % kLanes;
    const Vec<3> p = column(c.r, k), turn = column(c.n, k).cross(p);
    Body &a = bodies[c.a[k]], &b = bodies[c.b[k]];
    for (int axis = 0; axis < 3; ++axis) {
      a.v[axis] -= a.inverse_mass * p[axis];
      b.v[axis] += b.inverse_mass * p[axis];
      a.w[axis] -= a.inverse_inertia * c.da[k] * turn[axis];
      b.w[axis] -= b.inverse_inertia * c.db[k] * turn[axis];
    }
  }

  template <bool Exact>
  void sweep(int begin, int end, bool ahead, const SweepPass& pass, Body* bodies, const Body* frozen,
             SweepSums& sums) {
    const int first = begin / kLanes, rest = static_cast<int>(packs_.size()) - first;
    PackSums lanes{};
    kernels_.central(pack_pass<Exact>(pass), {&packs_[first], (end - begin) / kLanes, ahead ? rest : 0},
                     bodies->v, frozen->v, lanes);
    add_lanes(lanes, sums);
  }

  using Iterate = Vec<3>;
  Iterate before(int i) const { return column(packs_[i / kLanes].last, i % kLanes); }  // of the last sweep
  void restore(int i, const Iterate& r) { set_column(r, packs_[i / kLanes].r, i % kLanes); }
  void store(int i, SweepContact<3>& contact) const {
    contact.r = contact.p = contact.axes().transpose() * column(packs_[i / kLanes].r, i % kLanes);
  }

 private:
  static Vec<3> column(const PackRow* rows, int k) { return {rows[0][k], rows[1][k], rows[2][k]}; }
  static void set_column(const Vec<3>& x, PackRow* rows, int k) {
    for (int axis = 0; axis < 3; ++axis) rows[axis][k] = x[axis];
  }

  int add_lane() {
    if (size_ % kLanes == 0) packs_.push_back({});
    return size_++ % kLanes;
  }

  const PackKernels& kernels_ = best_pack_kernels();
  std::vector<CentralPack> packs_;
  int size_ = 0;  // lanes
};

inline bool CentralKernel::accepts(const VelocityProblem<3>& problem) {
  // Round-off of positions and rotated inertias leaves about 1e-14; impulses found with this much of an error
  // are put back on the true arms at the end.
  constexpr double kRoundOff = 1e-11;
  const auto is_ball = [&](const SweepBody<3>& body, const Vec<3>& arm, const Vec<3>& n) {
    const double* m = body.inverse_mass;
    const double* J = body.inverse_inertia;
    const double small = kRoundOff * J[0];
    return m[0] == m[1] && m[1] == m[2] && m[0] > 0 && J[0] > 0 && std::abs(J[3] - J[0]) <= small &&
           std::abs(J[5] - J[0]) <= small && std::abs(J[1]) <= small && std::abs(J[2]) <= small &&
           std::abs(J[4]) <= small && (arm - arm.dot(n) * n).norm() <= kRoundOff * arm.norm();
  };
  for (const SweepContact<3>& c : problem.contacts) {
    if (c.viscous > 0) return false;
    const Vec<3>& n = c.normal;
    if (!is_immovable<3>(problem.bodies[c.a]) && !is_ball(problem.bodies[c.a], c.arm_a, n)) return false;
    if (!is_immovable<3>(problem.bodies[c.b]) && !is_ball(problem.bodies[c.b], c.arm_b, n)) return false;
  }
  return true;
}

inline void CentralKernel::add(const PlacedContact<3>& c) {
  const SweepContact<3>& contact = c.contact;
  const Mat<3> axes = contact.axes();
  const Vec<3>& n = contact.normal;
  const Vec<3> r = axes * contact.r;
  const SweepBody<3>&a = c.body_a, &b = c.body_b;
  const double da = is_immovable<3>(a) ? 0 : contact.arm_a.dot(n);
  const double db = is_immovable<3>(b) ? 0 : -contact.arm_b.dot(n);
  const double wn = a.inverse_mass[0] + b.inverse_mass[0];
  const double wt = wn + da * da * a.inverse_inertia[0] + db * db * b.inverse_inertia[0];
  const int k = add_lane();
  CentralPack& pack = packs_.back();
  pack.taken = k + 1;
  pack.a[k] = c.a;
  pack.b[k] = c.b;
  set_column(n, pack.n, k);
  set_column(axes * (contact.shift + c.ground), pack.shift, k);
  set_column(r, pack.r, k);
  set_column(r, pack.last, k);
  pack.da[k] = da;
  pack.db[k] = db;
  pack.mu[k] = contact.mu;
  pack.inverse_n[k] = 1 / (wn + contact.compliance_normal);
  pack.inverse_t[k] = 1 / (wt + contact.compliance_tangent);
  pack.compliance_n[k] = contact.compliance_normal;
  pack.compliance_t[k] = contact.compliance_tangent;
}

}  // namespace saltus
