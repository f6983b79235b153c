// Sweeps over contacts of spheres: lever arms along the normal, inertias without direction. Then
//
//     W = w_n n n + w_t (1 - n n),    w_n = 1/m_a + 1/m_b,   w_t = w_n + d_a^2/J_a + d_b^2/J_b
//
// with arms d_a n and -d_b n. No tangent is needed: everything is a vector of the world. Coulomb's law
// is solved by r_n = (-b_n / w_n)_+ and -b_t / w_t clipped to mu r_n; the convex problem likewise, by a
// projection on the cone in the metric of W.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "saltus/solvers/sweep_kernel.hpp"

namespace saltus {

class CentralKernel {
 public:
  static constexpr int Dim = 3;
  static constexpr int kVelocities = 8;  // masses among them: a push leaves what does not change

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
    records_.clear();
    make_room(room, records_);
  }
  void release() { release_if_large(records_); }
  void prefetch(int i, const Body* bodies, const Body* frozen) const {
    prefetch_bodies(records_[i].a, records_[i].b, bodies, frozen);
  }
  void add(const PlacedContact<3>& c);

  void apply_start(int i, Body* bodies) const {
    const Record& c = records_[i];
    push(c, c.r, bodies[c.a], bodies[c.b]);
  }

  template <bool Exact>
  void visit(int i, const SweepPass& pass, Body* bodies, const Body* frozen, SweepSums& sums) {
    Record& c = records_[i];
    const double slip = inspect(c, pass, frozen[c.a], frozen[c.b], sums);
    Body &a = bodies[c.a], &b = bodies[c.b];
    const Vector u = velocity(c, a, b);
    Vector y, r;
    for (int k = 0; k < 3; ++k) y[k] = c.r[k] + pass.momentum * (c.r[k] - c.last[k]);
    solve<Exact>(c, u, y, c.mu * slip, r);
    Vector dr;
    double along = 0, change = 0;
    for (int k = 0; k < 3; ++k) {
      dr[k] = r[k] - y[k];
      along += dr[k] * (y[k] - c.r[k]);
      change += dr[k] * dr[k];
      c.last[k] = c.r[k];
      c.r[k] = r[k];
    }
    sums.along += c.wn * along;
    sums.change += change;
    push(c, dr, a, b);
  }

  using Iterate = std::array<double, 3>;
  const Iterate& before(int i) const { return records_[i].last; }  // of the last sweep
  void restore(int i, const Iterate& r) { records_[i].r = r; }
  bool ambiguous(int) const { return false; }  // W_nt = 0
  void store(int i, SweepContact<3>& contact) const {
    contact.r = contact.p = contact.frame.transpose() * Eigen::Map<const Vec<3>>(records_[i].r.data());
  }

 private:
  using Vector = std::array<double, 3>;

  struct Record {
    int a, b;
    Vector n;
    double da, db, mu;
    Vector shift, r, last;        // last: r of the iterate before
    double wn, wt;                // of the bodies
    double inverse_n, inverse_t;  // of w + compliance
    double compliance_n, compliance_t;
  };
  static_assert(sizeof(Record) <= 192);

  static double dot(const Vector& x, const Vector& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

  static Vector velocity(const Record& c, const Body& a, const Body& b) {
    Vector s;
    for (int k = 0; k < 3; ++k) s[k] = c.db * b.w[k] + c.da * a.w[k];
    return {b.v[0] - a.v[0] - (s[1] * c.n[2] - s[2] * c.n[1]) + c.shift[0],
            b.v[1] - a.v[1] - (s[2] * c.n[0] - s[0] * c.n[2]) + c.shift[1],
            b.v[2] - a.v[2] - (s[0] * c.n[1] - s[1] * c.n[0]) + c.shift[2]};
  }

  static void push(const Record& c, const Vector& p, Body& a, Body& b) {
    const Vector turn = {c.n[1] * p[2] - c.n[2] * p[1], c.n[2] * p[0] - c.n[0] * p[2],
                         c.n[0] * p[1] - c.n[1] * p[0]};
    const double turn_a = a.inverse_inertia * c.da, turn_b = b.inverse_inertia * c.db;
    for (int k = 0; k < 3; ++k) {
      a.v[k] -= a.inverse_mass * p[k];
      b.v[k] += b.inverse_mass * p[k];
      a.w[k] -= turn_a * turn[k];
      b.w[k] -= turn_b * turn[k];
    }
  }

  // Judges the frozen iterate; returns its slip.
  static double inspect(const Record& c, const SweepPass& pass, const Body& a, const Body& b,
                        SweepSums& sums) {
    const Vector u = velocity(c, a, b);
    const double un0 = dot(u, c.n), rn = dot(c.r, c.n);
    double rt2 = 0, ut2 = 0, rt_ut = 0;
    for (int k = 0; k < 3; ++k) {
      const double rt = c.r[k] - rn * c.n[k], ut = u[k] - un0 * c.n[k] + c.compliance_t * rt;
      rt2 += rt * rt;
      ut2 += ut * ut;
      rt_ut += rt * ut;
    }
    judge(pass, rn, un0 + c.compliance_n * rn, rt2, ut2, rt_ut, c.mu, sums);
    return std::sqrt(ut2);
  }

  template <bool Exact>
  static void solve(const Record& c, const Vector& u, const Vector& y, double s, Vector& r) {
    const double un = dot(u, c.n), yn = dot(y, c.n);
    const double zn = (c.wn * yn - un - (Exact ? 0 : s)) * c.inverse_n;
    Vector t;
    double t2 = 0;
    for (int k = 0; k < 3; ++k) {
      t[k] = (c.wt * (y[k] - yn * c.n[k]) - (u[k] - un * c.n[k])) * c.inverse_t;
      t2 += t[k] * t[k];
    }
    double n = zn > 0 ? zn : 0, f = 1;
    if (t2 > c.mu * c.mu * n * n) {
      const double length = std::sqrt(t2);
      if constexpr (!Exact) {
        const double ratio = c.mu * c.inverse_n / c.inverse_t;
        n = (zn + ratio * length) / (1 + ratio * c.mu);
        n = n > 0 ? n : 0;
      }
      f = c.mu * n / length;
    }
    for (int k = 0; k < 3; ++k) r[k] = n * c.n[k] + f * t[k];
  }

  std::vector<Record> records_;
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
    const Vec<3> n = c.frame.col(0);
    if (!is_immovable<3>(problem.bodies[c.a]) && !is_ball(problem.bodies[c.a], c.arm_a, n)) return false;
    if (!is_immovable<3>(problem.bodies[c.b]) && !is_ball(problem.bodies[c.b], c.arm_b, n)) return false;
  }
  return true;
}

inline void CentralKernel::add(const PlacedContact<3>& c) {
  const Vec<3> n = c.contact.frame.col(0), shift = c.contact.frame * (c.contact.shift + c.ground),
               r = c.contact.frame * c.contact.r;
  const double da = c.contact.arm_a.dot(n), db = -c.contact.arm_b.dot(n);
  const SweepBody<3>&a = c.body_a, &b = c.body_b;
  const double wn = a.inverse_mass[0] + b.inverse_mass[0];
  const double wt = wn + da * da * a.inverse_inertia[0] + db * db * b.inverse_inertia[0];
  const Vector impulse = {r[0], r[1], r[2]};
  records_.push_back({c.a,
                      c.b,
                      {n[0], n[1], n[2]},
                      is_immovable<3>(a) ? 0 : da,
                      is_immovable<3>(b) ? 0 : db,
                      c.contact.mu,
                      {shift[0], shift[1], shift[2]},
                      impulse,
                      impulse,
                      wn,
                      wt,
                      1 / (wn + c.contact.compliance_normal),
                      1 / (wt + c.contact.compliance_tangent),
                      c.contact.compliance_normal,
                      c.contact.compliance_tangent});
}

}  // namespace saltus
