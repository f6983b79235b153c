// Whether a contact can do anything: W_nn of its two bodies.
#pragma once

#include <algorithm>
#include <iterator>

#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

// What a body adds to W_nn; zero where it cannot move along the normal.
template <int Dim>
double normal_mobility(const SweepBody<Dim>& body, const Vec<Dim>& normal, const Vec<Dim>& arm) {
  SweepBody<Dim> pushed = body;
  std::fill(std::begin(pushed.v), std::end(pushed.v), 0.0);
  std::fill(std::begin(pushed.w), std::end(pushed.w), 0.0);
  add_impulse(pushed, normal, moment(arm, normal));
  return normal.dot(point_velocity<Dim>(pushed, arm));
}

// Bodies that cannot move along the normal make no row.
template <int Dim>
bool is_movable(const SweepContact<Dim>& row, const SweepBody<Dim>& a, const SweepBody<Dim>& b) {
  return normal_mobility<Dim>(a, row.normal, row.arm_a) + normal_mobility<Dim>(b, row.normal, row.arm_b) > 0;
}

}  // namespace saltus
