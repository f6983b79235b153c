#include "saltus/solvers/paradox.hpp"

#include <cmath>
#include <type_traits>

#include "saltus/math/small_solve.hpp"
#include "saltus/solvers/sweeps/sweep_block.hpp"

namespace saltus {

namespace {

template <int Dim>
using Whole = std::conditional_t<Dim == 2, Rolling2, Rolling3>;  // components (n, t..., w...)

// A normal impulse that turns neither body and meets the same mass along all axes moves nothing aside:
// W_nt = 0. Balls never go further.
template <int Dim>
bool is_central(const SweepBody<Dim>& body, const Vec<Dim>& arm, const Vec<Dim>& normal) {
  if (is_immovable(body)) return true;
  for (int i = 1; i < Dim; ++i)
    if (body.inverse_mass[i] != body.inverse_mass[0]) return false;
  return moment(arm, normal).squaredNorm() <= 1e-20 * arm.squaredNorm();
}

// W times a normal impulse.
template <int Dim>
typename Whole<Dim>::Vector normal_column(const VelocityProblem<Dim>& problem, const SweepContact<Dim>& c) {
  SweepBody<Dim> a = problem.bodies[c.a], b = problem.bodies[c.b];
  for (SweepBody<Dim>* body : {&a, &b}) static_cast<BodyVelocity<Dim>&>(*body) = {};
  apply_impulse<Whole<Dim>>(c, Whole<Dim>::Vector::Unit(0), a, b);
  typename Whole<Dim>::Vector column = contact_velocity<Whole<Dim>>(a, b, c);
  column[0] += c.compliance_normal;
  return column;
}

// k <= 0 of sliding along u_t.
template <int Dim>
bool cannot_slide(const typename Whole<Dim>::Vector& column, const SweepContact<Dim>& c, const Vec<Dim>& u) {
  const Eigen::Matrix<double, Dim - 1, 1> slip = u.template tail<Dim - 1>();
  const double along = column.template segment<Dim - 1>(1).dot(slip) / slip.norm();
  return column[0] <= c.mu * along + c.mu_r * column.template tail<Dim - 1>().norm();
}

// Whether r = -W^-1 u, which stops the contact, is in the cone: a rival of r = 0.
template <int Dim>
bool could_stick(const VelocityProblem<Dim>& problem, const SweepContact<Dim>& c, const Vec<Dim>& u) {
  using Plain = std::conditional_t<Dim == 2, Coulomb2, Coulomb3>;
  typename Plain::Matrix W = compute_block<Plain>(problem.bodies[c.a], problem.bodies[c.b], c);
  W.diagonal() += compliance_of<Plain>(c);
  const Vec<Dim> r = -solve_least_norm<Dim>(W, u);
  return r[0] > 0 && r.template tail<Dim - 1>().norm() <= c.mu * r[0];
}

}  // namespace

template <int Dim>
bool is_in_paradox(const VelocityProblem<Dim>& problem, const SweepContact<Dim>& c, const Vec<Dim>& u_start,
                   double slow) {
  const SweepBody<Dim>&a = problem.bodies[c.a], &b = problem.bodies[c.b];
  if (!(c.mu > 0) || std::abs(u_start[0]) > slow) return false;
  if (is_central(a, c.arm_a, c.normal) && is_central(b, c.arm_b, c.normal)) return false;
  const Vec<Dim> u = relative_velocity<Dim>(a, b, c) + c.shift;
  const auto is_fast = [slow](const Vec<Dim>& v) {
    return v.template tail<Dim - 1>().squaredNorm() > slow * slow;
  };
  const bool slid = is_fast(u_start), slides = c.r[0] > 0 && is_fast(u);
  if (!slid && !slides) return false;
  const typename Whole<Dim>::Vector column = normal_column(problem, c);
  if (slides && cannot_slide<Dim>(column, c, u)) return true;
  return slid && cannot_slide<Dim>(column, c, u_start) && (c.r[0] > 0 || could_stick(problem, c, u));
}

template bool is_in_paradox<2>(const VelocityProblem<2>&, const SweepContact<2>&, const Vec<2>&, double);
template bool is_in_paradox<3>(const VelocityProblem<3>&, const SweepContact<3>&, const Vec<3>&, double);

}  // namespace saltus
