// Sweeps over contacts of space between bodies of any shape: W a full symmetric 3 x 3 block.
//
// The convex problem is solved exactly where it opens or sticks, which is nearly everywhere. A contact that
// slides moves along the edge of the cone: the best impulse in a direction of the tangent plane is one
// division, and the direction follows the slip for kTurns steps; sweeps do the rest. Coulomb's law is solved
// by local_coulomb_3d.hpp, as are blocks too singular for the convex problem.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "saltus/solvers/local_coulomb_3d.hpp"
#include "saltus/solvers/sweep_block.hpp"
#include "saltus/solvers/sweep_kernel.hpp"

namespace saltus {

class SpaceKernel : public OneByOne<SpaceKernel> {
 public:
  static constexpr int Dim = 3;
  static constexpr int kVelocities = 6;
  using Body = SweepBody<3>;

  static const Body& pack(const SweepBody<3>& body) { return body; }
  static bool accepts(const VelocityProblem<3>& problem) {
    return std::none_of(problem.contacts.begin(), problem.contacts.end(),
                        [](const SweepContact<3>& c) { return c.viscous > 0; });
  }

  void clear(int room) {
    records_.clear();
    locals_.clear();
    make_room(room, records_);
    make_room(room, locals_);
  }
  void release() {
    release_if_large(records_);
    release_if_large(locals_);
  }
  void add(const PlacedContact<3>& c);

  void apply_start(int i, Body* bodies) const {
    const Record& c = records_[i];
    push(c, c.r, bodies[c.a], bodies[c.b]);
  }

  template <bool Exact>
  void visit(int i, const SweepPass& pass, Body* bodies, const Body* frozen, SweepSums& sums) {
    Record& c = records_[i];
    if (!Exact || pass.judged) inspect(pass, frozen[c.a], frozen[c.b], c, sums);
    Body &a = bodies[c.a], &b = bodies[c.b];
    const Vec<3> y = c.r + pass.momentum * (c.r - c.last);
    Vec<3> q = velocity(c, a, b);
    const double* W = c.W;
    q[0] -= (W[0] - c.compliance_n) * y[0] + W[1] * y[1] + W[2] * y[2];
    q[1] -= W[1] * y[0] + (W[3] - c.compliance_t) * y[1] + W[4] * y[2];
    q[2] -= W[2] * y[0] + W[4] * y[1] + (W[5] - c.compliance_t) * y[2];
    Vec<3> r = y;
    if (Exact || !c.regular) {
      sums.unsolved += !locals_[i].solve(block(c).data(), q, r);
    } else {
      q[0] += c.mu * c.slip;
      solve_convex(c, q, r);
    }
    const Vec<3> dr = r - y;
    sums.along += c.W[0] * dr.dot(y - c.r);
    sums.change += dr.squaredNorm();
    c.last = c.r;
    c.r = r;
    push(c, dr, a, b);
  }

  using Iterate = Vec<3>;
  const Iterate& before(int i) const { return records_[i].last; }  // of the last sweep
  void restore(int i, const Iterate& r) { records_[i].r = r; }
  bool ambiguous(int i) const { return locals_[i].ambiguous(); }
  void store(int i, SweepContact<3>& contact) const { contact.r = contact.p = records_[i].r; }

 private:
  friend OneByOne<SpaceKernel>;
  static constexpr int kTurns = 3;

  struct Record {
    int a, b;
    Vec<3> n, t;  // s = n x t
    Vec<3> arm_a, arm_b;
    Vec<3> shift, r, last;
    double W[6];  // nn, nt, ns, tt, ts, ss, compliance included
    double mu, compliance_n, compliance_t;
    bool regular;
    double slip = 0;  // of De Saxce's term
  };
  static_assert(sizeof(Record) <= 264);

  static void inspect(const SweepPass& pass, const Body& a, const Body& b, Record& c, SweepSums& sums) {
    Vec<3> u = velocity(c, a, b);
    u[0] += c.compliance_n * c.r[0];
    u.tail<2>() += c.compliance_t * c.r.tail<2>();
    const double slip2 = u.tail<2>().squaredNorm();
    judge(pass, c.r[0], u[0], c.r.tail<2>().squaredNorm(), slip2, c.r.tail<2>().dot(u.tail<2>()), c.mu, sums);
    c.slip += pass.follow * (std::sqrt(slip2) - c.slip);
  }

  static Mat<3> block(const Record& c) {
    Mat<3> W;
    W << c.W[0], c.W[1], c.W[2], c.W[1], c.W[3], c.W[4], c.W[2], c.W[4], c.W[5];
    return W;
  }

  static Vec<3> velocity(const Record& c, const Body& a, const Body& b) {
    const double* p = c.arm_a.data();
    const double* q = c.arm_b.data();
    const double x = b.v[0] + b.w[1] * q[2] - b.w[2] * q[1] - (a.v[0] + a.w[1] * p[2] - a.w[2] * p[1]);
    const double y = b.v[1] + b.w[2] * q[0] - b.w[0] * q[2] - (a.v[1] + a.w[2] * p[0] - a.w[0] * p[2]);
    const double z = b.v[2] + b.w[0] * q[1] - b.w[1] * q[0] - (a.v[2] + a.w[0] * p[1] - a.w[1] * p[0]);
    const Vec<3>&n = c.n, &t = c.t;
    return {n[0] * x + n[1] * y + n[2] * z + c.shift[0], t[0] * x + t[1] * y + t[2] * z + c.shift[1],
            (n[1] * t[2] - n[2] * t[1]) * x + (n[2] * t[0] - n[0] * t[2]) * y +
                (n[0] * t[1] - n[1] * t[0]) * z + c.shift[2]};
  }

  static void push(const Record& c, const Vec<3>& dr, Body& a, Body& b) {
    const Vec<3>&n = c.n, &t = c.t;
    const double p[3] = {dr[0] * n[0] + dr[1] * t[0] + dr[2] * (n[1] * t[2] - n[2] * t[1]),
                         dr[0] * n[1] + dr[1] * t[1] + dr[2] * (n[2] * t[0] - n[0] * t[2]),
                         dr[0] * n[2] + dr[1] * t[2] + dr[2] * (n[0] * t[1] - n[1] * t[0])};
    turn(c.arm_a.data(), p, -1, a);
    turn(c.arm_b.data(), p, 1, b);
  }

  static void turn(const double* arm, const double* p, double sign, Body& body) {
    const double m[3] = {sign * (arm[1] * p[2] - arm[2] * p[1]), sign * (arm[2] * p[0] - arm[0] * p[2]),
                         sign * (arm[0] * p[1] - arm[1] * p[0])};
    const double* J = body.inverse_inertia;
    for (int k = 0; k < 3; ++k) body.v[k] += sign * body.inverse_mass[k] * p[k];
    body.w[0] += J[0] * m[0] + J[1] * m[1] + J[2] * m[2];
    body.w[1] += J[1] * m[0] + J[3] * m[1] + J[4] * m[2];
    body.w[2] += J[2] * m[0] + J[4] * m[1] + J[5] * m[2];
  }

  static void solve_convex(const Record& c, const Vec<3>& b, Vec<3>& r) {
    const double* W = c.W;
    const double bt2 = b[1] * b[1] + b[2] * b[2];
    if (b[0] >= 0 && b[0] * b[0] >= c.mu * c.mu * bt2) {
      r.setZero();
      return;
    }
    const double m00 = W[3] * W[5] - W[4] * W[4], m01 = W[2] * W[4] - W[1] * W[5],
                 m02 = W[1] * W[4] - W[2] * W[3];
    const double m11 = W[0] * W[5] - W[2] * W[2], m12 = W[1] * W[2] - W[0] * W[4],
                 m22 = W[0] * W[3] - W[1] * W[1];
    const double k = -1 / (W[0] * m00 + W[1] * m01 + W[2] * m02);
    const Vec<3> stick(k * (m00 * b[0] + m01 * b[1] + m02 * b[2]), k * (m01 * b[0] + m11 * b[1] + m12 * b[2]),
                       k * (m02 * b[0] + m12 * b[1] + m22 * b[2]));
    if (stick[0] >= 0 && stick[1] * stick[1] + stick[2] * stick[2] <= c.mu * c.mu * stick[0] * stick[0])
      r = stick;
    else
      slide_convex(c, b, bt2, r);
  }

  // On the edge r = n (1, mu d): n is best for d, d turns towards -u_t. The first d is that of the impulse so
  // far, so that a solution stays one; if that does not press, the one opposite to b_t: it does, as b is
  // not in the dual cone.
  static void slide_convex(const Record& c, const Vec<3>& b, double bt2, Vec<3>& r) {
    const double* W = c.W;
    const double stiffest = W[3] + W[5];
    const double rt = std::sqrt(r[1] * r[1] + r[2] * r[2]);
    double d0 = rt > 0 ? r[1] / rt : 1, d1 = rt > 0 ? r[2] / rt : 0;
    if (!(b[0] + c.mu * (d0 * b[1] + d1 * b[2]) < 0)) {
      const double bt = std::sqrt(bt2);
      d0 = bt > 0 ? -b[1] / bt : 1;
      d1 = bt > 0 ? -b[2] / bt : 0;
    }
    for (int turn = 0;; ++turn) {
      const double e0 = c.mu * d0, e1 = c.mu * d1;
      const double along = b[0] + e0 * b[1] + e1 * b[2];
      const double stiffness =
          W[0] + 2 * (W[1] * e0 + W[2] * e1) + W[3] * e0 * e0 + 2 * W[4] * e0 * e1 + W[5] * e1 * e1;
      const double n = along < 0 ? -along / stiffness : 0;
      r = {n, n * e0, n * e1};
      if (turn == kTurns || n == 0) return;
      const double y0 = r[1] - (b[1] + W[1] * r[0] + W[3] * r[1] + W[4] * r[2]) / stiffest;
      const double y1 = r[2] - (b[2] + W[2] * r[0] + W[4] * r[1] + W[5] * r[2]) / stiffest;
      const double length = std::sqrt(y0 * y0 + y1 * y1);
      if (!(length > 0)) return;
      d0 = y0 / length;
      d1 = y1 / length;
    }
  }

  std::vector<Record> records_;
  std::vector<LocalCoulomb3> locals_;
};

inline void SpaceKernel::add(const PlacedContact<3>& c) {
  const SweepContact<3>& k = c.contact;
  Mat<3> W = compute_block<Coulomb3>(c.body_a, c.body_b, k);
  W.diagonal() += compliance_of<Coulomb3>(k);
  const double det = W.determinant(), size = W(0, 0) * W(1, 1) * W(2, 2);
  const bool regular = det > 1e-10 * size;
  locals_.emplace_back(W, k.mu, 0.0);
  records_.push_back({c.a,
                      c.b,
                      k.normal,
                      k.frame().col(1),
                      k.arm_a,
                      k.arm_b,
                      k.shift + c.ground,
                      k.r,
                      k.r,
                      {W(0, 0), W(0, 1), W(0, 2), W(1, 1), W(1, 2), W(2, 2)},
                      k.mu,
                      k.compliance_normal,
                      k.compliance_tangent,
                      regular});
}

}  // namespace saltus
