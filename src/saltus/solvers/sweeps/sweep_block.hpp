// W_cc of a contact of a velocity problem: what a unit impulse of each component does to the velocity of its
// own contact. Components (n, t...) and, with rolling, (w...).
#pragma once

#include <algorithm>
#include <iterator>

#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

template <class C>
inline constexpr int kDim = C::kTangents + 1;

template <class C>
typename C::Vector contact_velocity(const SweepBody<kDim<C>>& a, const SweepBody<kDim<C>>& b,
                                    const SweepContact<kDim<C>>& c) {
  typename C::Vector u;
  u.template head<kDim<C>>() = relative_velocity<kDim<C>>(a, b, c);
  if constexpr (C::kRollings > 0) u.template tail<C::kRollings>() = rolling_velocity<kDim<C>>(a, b, c.axes());
  return u;
}

template <class C>
void apply_impulse(const SweepContact<kDim<C>>& c, const typename C::Vector& p, SweepBody<kDim<C>>& a,
                   SweepBody<kDim<C>>& b) {
  constexpr int Dim = kDim<C>;
  const Mat<Dim> axes = c.axes();
  const Vec<Dim> force = axes * p.template head<Dim>();
  Spin<Dim> turn_a = moment(c.arm_a, force), turn_b = moment(c.arm_b, force);
  if constexpr (C::kRollings > 0) {
    const Spin<Dim> roll = rolling_axes(axes) * p.template tail<C::kRollings>();
    turn_a += roll;
    turn_b += roll;
  }
  add_impulse(a, Vec<Dim>(-force), Spin<Dim>(-turn_a));
  add_impulse(b, force, turn_b);
}

template <class C>
typename C::Matrix compute_block(const SweepBody<kDim<C>>& a, const SweepBody<kDim<C>>& b,
                                 const SweepContact<kDim<C>>& c) {
  typename C::Matrix W;
  for (int i = 0; i < C::kSize; ++i) {
    SweepBody<kDim<C>> at_a = a, at_b = b;
    for (SweepBody<kDim<C>>* body : {&at_a, &at_b}) {
      std::fill(std::begin(body->v), std::end(body->v), 0.0);
      std::fill(std::begin(body->w), std::end(body->w), 0.0);
    }
    apply_impulse<C>(c, C::Vector::Unit(i), at_a, at_b);
    W.col(i) = contact_velocity<C>(at_a, at_b, c);
  }
  return 0.5 * (W + W.transpose());
}

template <class C>
typename C::Vector compliance_of(const SweepContact<kDim<C>>& c) {
  typename C::Vector compliance = C::Vector::Zero();
  compliance[0] = c.compliance_normal;
  compliance.template segment<C::kTangents>(1).setConstant(c.compliance_tangent);
  return compliance;
}

template <class C>
typename C::Vector shift_of(const SweepContact<kDim<C>>& c) {
  typename C::Vector shift;
  shift.template head<kDim<C>>() = c.shift;
  if constexpr (C::kRollings > 0) shift.template tail<C::kRollings>() = c.shift_spin;
  return shift;
}

template <class C>
typename C::Vector impulse_of(const SweepContact<kDim<C>>& c) {
  typename C::Vector r;
  r.template head<kDim<C>>() = c.r;
  if constexpr (C::kRollings > 0) r.template tail<C::kRollings>() = c.moment;
  return r;
}

}  // namespace saltus
