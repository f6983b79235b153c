// Sweeps over contacts with rolling friction or with a viscous part, Coulomb's law solved exactly by the
// local solvers of the canonical problem. General rather than fast.
//
// With a viscous part the bodies feel p = r - D (u + s) (D on the tangent, s the shift it acts on): u = W p +
// q0 is u = A (W r + q0 - W D s) with A = (I + W D)^-1.
#pragma once

#include <Eigen/LU>
#include <type_traits>
#include <vector>

#include "saltus/solvers/local/local_coulomb_2d.hpp"
#include "saltus/solvers/local/local_coulomb_3d.hpp"
#include "saltus/solvers/local/local_rolling.hpp"
#include "saltus/solvers/sweeps/sweep_block.hpp"
#include "saltus/solvers/sweeps/sweep_kernel.hpp"

namespace saltus {

// |r - P_K(r - u~)|^2 in units of velocity.
template <class C>
double natural_map_square(const typename C::Vector& r, const typename C::Vector& u, double mu, double mu_r,
                          double inverse_mass, double length) {
  typename C::Vector impulse = r * inverse_mass, speed = u;
  impulse.template tail<C::kRollings>() /= length;
  speed.template tail<C::kRollings>() *= length;
  const double ratio = mu_r / length;
  return (impulse - project<C>(impulse - de_saxce<C>(speed, mu, ratio), mu, ratio)).squaredNorm();
}

// a . b, rolling moments brought to the unit of impulses by the length: (N s)^2.
template <class C>
double impulse_product(const typename C::Vector& a, const typename C::Vector& b, double length) {
  if constexpr (C::kRollings == 0) return a.dot(b);
  constexpr int kForces = 1 + C::kTangents;
  return a.template head<kForces>().dot(b.template head<kForces>()) +
         a.template tail<C::kRollings>().dot(b.template tail<C::kRollings>()) / (length * length);
}

template <class C>
class ExactKernel : public OneByOne<ExactKernel<C>> {
 public:
  static constexpr int Dim = kDim<C>;
  static constexpr int kVelocities = Dim + kSpins<Dim>;
  using Body = SweepBody<Dim>;

  static const Body& pack(const Body& body) { return body; }

  void clear(int room) {
    records_.clear();
    viscous_.clear();
    make_room(room, records_);
  }
  void release() {
    release_if_large(records_);
    release_if_large(viscous_);
  }
  void add(const PlacedContact<Dim>& c);

  void apply_start(int i, Body* bodies) const {
    const Record& c = records_[i];
    apply_impulse<C>(c.contact, c.viscous < 0 ? c.r : viscous_[c.viscous].p, bodies[c.a], bodies[c.b]);
  }

  template <bool>
  void visit(int i, const SweepPass& pass, Body* bodies, const Body* frozen, SweepSums& sums) {
    Record& c = records_[i];
    inspect(c, pass, frozen[c.a], frozen[c.b], sums);
    Body &a = bodies[c.a], &b = bodies[c.b];
    const Vector y = c.r + pass.extrapolation * (c.r - c.last);
    const Vector u = contact_velocity<C>(a, b, c.contact) + c.ground;
    Vector r = y, dp;
    if (c.viscous < 0) {
      const Vector q = u + c.shift + c.compliance.cwiseProduct(y) - c.W * y;
      sums.unsolved += !c.local.solve(c.W.data(), q, r);
      dp = r - y;
    } else {
      Viscous& part = viscous_[c.viscous];
      const Vector p = part.p + pass.extrapolation * (part.p - part.last);
      const Vector free = part.A * (u - part.W * (p + part.Ds));
      sums.unsolved += !c.local.solve(c.W.data(), free + c.shift, r);
      dp = r - part.D.cwiseProduct(free + part.A * part.W * r) - part.Ds - p;
      part.last = part.p;
      part.p = p + dp;
    }
    sums.along += c.W(0, 0) * impulse_product<C>(r - y, y - c.r, pass.length);
    sums.change += impulse_product<C>(r - y, r - y, pass.length);
    c.last = c.r;
    c.r = r;
    apply_impulse<C>(c.contact, dp, a, b);
  }

  struct Iterate {
    typename C::Vector r, p;
  };
  Iterate before(int i) const {  // of the last sweep
    const Record& c = records_[i];
    return {c.last, c.viscous < 0 ? c.last : viscous_[c.viscous].last};
  }
  void restore(int i, const Iterate& x) {
    Record& c = records_[i];
    c.r = x.r;
    if (c.viscous >= 0) viscous_[c.viscous].p = x.p;
  }
  void store(int i, SweepContact<Dim>& contact) const {
    const Record& c = records_[i];
    contact.r = c.r.template head<Dim>();
    contact.p = c.viscous < 0 ? contact.r : Vec<Dim>(viscous_[c.viscous].p.template head<Dim>());
    if constexpr (C::kRollings > 0) contact.moment = c.r.template tail<C::kRollings>();
  }

 private:
  friend OneByOne<ExactKernel<C>>;
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;
  using Rolling = std::conditional_t<Dim == 2, LocalRolling2, LocalRolling3>;
  using Plain = std::conditional_t<Dim == 2, LocalCoulomb2, LocalCoulomb3>;
  using Local = std::conditional_t<(C::kRollings > 0), Rolling, Plain>;

  struct Record {
    int a, b;
    int viscous;  // index of its viscous part, -1: none
    SweepContact<Dim> contact;
    Vector shift, ground, compliance, r, last;
    Matrix W;  // of the local problem: compliance and viscous part included
    Local local;
  };
  struct Viscous {
    Matrix W, A;
    Vector D, Ds, p, last;
  };

  void inspect(const Record& c, const SweepPass& pass, const Body& a, const Body& b, SweepSums& sums) const {
    if (!pass.judged) return;
    Vector u = contact_velocity<C>(a, b, c.contact) + c.ground;
    if (c.viscous >= 0) {
      const Viscous& part = viscous_[c.viscous];
      const Vector lag = (part.p - c.r + part.D.cwiseProduct(u) + part.Ds) * pass.inverse_mass;
      sums.residual += lag.squaredNorm();
    }
    u += c.shift + c.compliance.cwiseProduct(c.r);
    const SweepContact<Dim>& k = c.contact;
    sums.residual += natural_map_square<C>(c.r, u, k.mu, k.mu_r, pass.inverse_mass, pass.length);
    if (!pass.margins) return;
    const auto rt = c.r.template segment<C::kTangents>(1);
    const auto ut = u.template segment<C::kTangents>(1);
    sums.outside +=
        !is_within(*pass.margins, c.r[0], u[0], rt.squaredNorm(), ut.squaredNorm(), rt.dot(ut), k.mu);
  }

  std::vector<Record> records_;
  std::vector<Viscous> viscous_;
};

template <class C>
void ExactKernel<C>::add(const PlacedContact<Dim>& c) {
  Record row{c.a,
             c.b,
             -1,
             c.contact,
             shift_of<C>(c.contact),
             Vector::Zero(),
             compliance_of<C>(c.contact),
             impulse_of<C>(c.contact),
             impulse_of<C>(c.contact),
             compute_block<C>(c.body_a, c.body_b, c.contact),
             Local(Matrix::Identity(), 0, 0)};
  row.ground.template head<Dim>() = c.ground;
  if constexpr (C::kRollings > 0)
    row.ground.template tail<C::kRollings>() = rolling_axes(c.contact.axes()).transpose() * c.ground_spin;
  if (c.contact.viscous > 0) {
    Viscous part{row.W, Matrix::Identity(), Vector::Zero(), Vector::Zero(), row.r, row.r};
    part.D.template segment<C::kTangents>(1).setConstant(c.contact.viscous);
    part.Ds.template head<Dim>() = c.contact.viscous * c.contact.viscous_shift();
    part.A = (Matrix::Identity() + part.W * part.D.asDiagonal()).inverse();
    row.W = part.A * part.W;
    row.viscous = static_cast<int>(viscous_.size());
    viscous_.push_back(part);
  }
  row.W.diagonal() += row.compliance;
  row.local = Local(row.W, c.contact.mu, c.contact.mu_r);
  records_.push_back(row);
}

}  // namespace saltus
