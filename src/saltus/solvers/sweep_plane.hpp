// Sweeps over contacts of the plane, of disks and polygons alike. W is 2 x 2, all that depends on it is
// computed beforehand. In the plane the cone has two edges: the convex problem is solved by its interior
// or by the better edge, Coulomb's law by local_coulomb_2d.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "saltus/solvers/local_coulomb_2d.hpp"
#include "saltus/solvers/sweep_kernel.hpp"

namespace saltus {

class PlaneKernel : public OneByOne<PlaneKernel> {
 public:
  static constexpr int Dim = 2;
  static constexpr int kVelocities = 3;
  using Body = SweepBody<2>;

  static const Body& pack(const SweepBody<2>& body) { return body; }
  static bool accepts(const VelocityProblem<2>& problem) {
    return std::none_of(problem.contacts.begin(), problem.contacts.end(),
                        [](const SweepContact<2>& c) { return c.viscous > 0; });
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
  void add(const PlacedContact<2>& c);

  void apply_start(int i, Body* bodies) const {
    const Record& c = records_[i];
    push(c, c.r[0], c.r[1], bodies[c.a], bodies[c.b]);
  }

  template <bool Exact>
  void visit(int i, const SweepPass& pass, Body* bodies, const Body* frozen, SweepSums& sums) {
    Record& c = records_[i];
    if (!Exact || pass.judged) {
      const Pair before = velocity(c, frozen[c.a], frozen[c.b]);
      const double un = before.n + c.compliance_n * c.r[0], ut = before.t + c.compliance_t * c.r[1];
      judge(pass, c.r[0], un, c.r[1] * c.r[1], ut * ut, c.r[1] * ut, c.mu, sums);
      c.slip += pass.follow * (std::abs(ut) - c.slip);
    }

    Body &a = bodies[c.a], &b = bodies[c.b];
    const Pair u = velocity(c, a, b);
    const double yn = c.r[0] + pass.momentum * (c.r[0] - c.last[0]);
    const double yt = c.r[1] + pass.momentum * (c.r[1] - c.last[1]);
    const double bn = u.n - (c.wnn * yn + c.wnt * yt), bt = u.t - (c.wnt * yn + c.wtt * yt);
    Pair r;
    if (Exact || !c.regular) {
      Coulomb2::Vector found(yn, yt);
      const double W[4] = {c.wnn + c.compliance_n, c.wnt, c.wnt, c.wtt + c.compliance_t};
      sums.unsolved += !locals_[i].solve(W, {bn, bt}, found);
      r = {found[0], found[1]};
    } else {
      r = solve_convex(c, bn + c.mu * c.slip, bt);
    }
    const double dn = r.n - yn, dt = r.t - yt;
    sums.along += c.wnn * (dn * (yn - c.r[0]) + dt * (yt - c.r[1]));
    sums.change += dn * dn + dt * dt;
    c.last = c.r;
    c.r = {r.n, r.t};
    push(c, dn, dt, a, b);
  }

  using Iterate = std::array<double, 2>;
  const Iterate& before(int i) const { return records_[i].last; }  // of the last sweep
  void restore(int i, const Iterate& r) { records_[i].r = r; }
  bool ambiguous(int i) const { return locals_[i].ambiguous(); }
  void store(int i, SweepContact<2>& contact) const {
    contact.r = contact.p = {records_[i].r[0], records_[i].r[1]};
  }

 private:
  friend OneByOne<PlaneKernel>;
  struct Pair {
    double n, t;
  };

  struct Record {
    int a, b;
    double n[2], t[2];
    double lever_an, lever_at, lever_bn, lever_bt;  // arm x n, arm x t
    double shift[2];
    Iterate r, last;
    double wnn, wnt, wtt;       // of the bodies
    double inverse[3];          // of W with its compliance: nn, nt, tt
    double edge_up, edge_down;  // -r_n / (b_n +- mu b_t) on the edges r_t = +- mu r_n
    double mu, compliance_n, compliance_t;
    double slip;  // of De Saxce's term
    bool regular;
  };
  static_assert(sizeof(Record) <= 256);

  static Pair velocity(const Record& c, const Body& a, const Body& b) {
    const double x = b.v[0] - a.v[0], y = b.v[1] - a.v[1];
    return {c.n[0] * x + c.n[1] * y + c.lever_bn * b.w[0] - c.lever_an * a.w[0] + c.shift[0],
            c.t[0] * x + c.t[1] * y + c.lever_bt * b.w[0] - c.lever_at * a.w[0] + c.shift[1]};
  }

  static void push(const Record& c, double pn, double pt, Body& a, Body& b) {
    const double x = c.n[0] * pn + c.t[0] * pt, y = c.n[1] * pn + c.t[1] * pt;
    a.v[0] -= a.inverse_mass[0] * x;
    a.v[1] -= a.inverse_mass[1] * y;
    a.w[0] -= a.inverse_inertia[0] * (c.lever_an * pn + c.lever_at * pt);
    b.v[0] += b.inverse_mass[0] * x;
    b.v[1] += b.inverse_mass[1] * y;
    b.w[0] += b.inverse_inertia[0] * (c.lever_bn * pn + c.lever_bt * pt);
  }

  static Pair solve_convex(const Record& c, double bn, double bt) {
    const double n = -(c.inverse[0] * bn + c.inverse[1] * bt), t = -(c.inverse[1] * bn + c.inverse[2] * bt);
    if (n >= 0 && std::abs(t) <= c.mu * n) return {n, t};
    // Along an edge the decrease is (b_n +- mu b_t)^2 edge / 2.
    const double up = std::min(0.0, bn + c.mu * bt), down = std::min(0.0, bn - c.mu * bt);
    if (up * up * c.edge_up >= down * down * c.edge_down) return {-up * c.edge_up, -up * c.edge_up * c.mu};
    return {-down * c.edge_down, down * c.edge_down * c.mu};
  }

  std::vector<Record> records_;
  std::vector<LocalCoulomb2> locals_;
};

inline void PlaneKernel::add(const PlacedContact<2>& c) {
  const SweepContact<2>& k = c.contact;
  Record row{};
  row.a = c.a;
  row.b = c.b;
  const Vec<2>& n = k.normal;
  const Vec<2> t = quarter_turn(n);
  for (int i = 0; i < 2; ++i) {
    row.n[i] = n[i];
    row.t[i] = t[i];
    row.shift[i] = k.shift[i] + c.ground[i];
    row.r[i] = row.last[i] = k.r[i];
  }
  row.lever_an = cross2(k.arm_a, n);
  row.lever_at = cross2(k.arm_a, t);
  row.lever_bn = cross2(k.arm_b, n);
  row.lever_bt = cross2(k.arm_b, t);
  const SweepBody<2>&a = c.body_a, &b = c.body_b;
  const Vec<2> m(a.inverse_mass[0] + b.inverse_mass[0], a.inverse_mass[1] + b.inverse_mass[1]);
  const double ja = a.inverse_inertia[0], jb = b.inverse_inertia[0];
  row.wnn = n.dot(m.cwiseProduct(n)) + ja * row.lever_an * row.lever_an + jb * row.lever_bn * row.lever_bn;
  row.wnt = n.dot(m.cwiseProduct(t)) + ja * row.lever_an * row.lever_at + jb * row.lever_bn * row.lever_bt;
  row.wtt = t.dot(m.cwiseProduct(t)) + ja * row.lever_at * row.lever_at + jb * row.lever_bt * row.lever_bt;
  row.mu = k.mu;
  row.compliance_n = k.compliance_normal;
  row.compliance_t = k.compliance_tangent;
  const double wn = row.wnn + row.compliance_n, wt = row.wtt + row.compliance_t;
  const double det = wn * wt - row.wnt * row.wnt;
  row.regular = det > 1e-10 * wn * wt;
  if (row.regular) {
    row.inverse[0] = wt / det;
    row.inverse[1] = -row.wnt / det;
    row.inverse[2] = wn / det;
    row.edge_up = 1 / (wn + 2 * k.mu * row.wnt + k.mu * k.mu * wt);
    row.edge_down = 1 / (wn - 2 * k.mu * row.wnt + k.mu * k.mu * wt);
  }
  Coulomb2::Matrix W;
  W << wn, row.wnt, row.wnt, wt;
  locals_.emplace_back(W, k.mu, 0.0);
  records_.push_back(row);
}

}  // namespace saltus
