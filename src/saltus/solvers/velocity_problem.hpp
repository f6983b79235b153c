// The contact problem of rigid bodies in velocity form: bodies with an inverse mass, contacts with two
// lever arms. W is never formed; u = H^T v.
//
//     v = v_free + M^-1 H p,    u = H^T v,    u^ = u + shift + compliance . r,    (r, u^) in Coulomb's law
//
// p is the impulse the bodies feel: p = r, less the viscous part where there is one: viscous . u_t, or
// viscous . (u_t + shift_t) where `viscous_shifted`.
// A contact between a and b has a normal, from which its frame follows (columns n, t, s), arms from the
// centres of mass, and its impulse acts on b. Plain data: no shapes, no laws, no time.
#pragma once

#include <vector>

#include "saltus/geometry/contact_axes.hpp"
#include "saltus/solvers/cone.hpp"

namespace saltus {

template <int Dim>
struct BodyVelocity {
  double v[Dim] = {};          // m/s, world axes
  double w[kSpins<Dim>] = {};  // rad/s
};

// Velocity of a body and what turns an impulse into a change of it: one or two cache lines. The velocities
// come first, one after the other.
template <int Dim>
struct alignas(64) SweepBody : BodyVelocity<Dim> {
  double inverse_mass[Dim] = {};                                     // per axis: 0 where locked or driven
  double inverse_inertia[kSpins<Dim> * (kSpins<Dim> + 1) / 2] = {};  // xx, xy, xz, yy, yz, zz
};

template <int Dim>
struct SweepContact {
  int a = 0, b = 0;  // indices of bodies
  bool viscous_shifted = false;
  float residual = 0;  // out, m/s: e_c of velocity_sweeps.hpp; single, where there is room for it
  Vec<Dim> normal = Vec<Dim>::Unit(0);
  Vec<Dim> point = Vec<Dim>::Zero();  // where it is: for the order of sweeps only
  Vec<Dim> arm_a = Vec<Dim>::Zero(), arm_b = Vec<Dim>::Zero();
  Vec<Dim> shift = Vec<Dim>::Zero();
  Eigen::Matrix<double, Dim - 1, 1> shift_spin = Eigen::Matrix<double, Dim - 1, 1>::Zero();  // of rolling
  Vec<Dim> r = Vec<Dim>::Zero();  // warm start in, impulse out; canonical
  Vec<Dim> p = Vec<Dim>::Zero();  // out: what the bodies feel
  Eigen::Matrix<double, Dim - 1, 1> moment = Eigen::Matrix<double, Dim - 1, 1>::Zero();  // rolling part of r
  double mu = 0, mu_r = 0;
  double compliance_normal = 0, compliance_tangent = 0;
  double viscous = 0;

  Mat<Dim> axes() const { return contact_axes(normal); }
  // What the viscous part adds to u; zero in the normal.
  Vec<Dim> viscous_shift() const {
    Vec<Dim> result = Vec<Dim>::Zero();
    if (viscous_shifted) result.template tail<Dim - 1>() = shift.template tail<Dim - 1>();
    return result;
  }
};

template <int Dim>
struct VelocityProblem {
  std::vector<SweepBody<Dim>> bodies;  // v_free in (cohesion's pull included), v out
  std::vector<SweepContact<Dim>> contacts;
  bool rolling = false;  // some mu_r > 0
  double mass = 1;       // m of the residual: mean mass of the moving bodies
  double length = 1;     // m, brings moments to impulses in the residual

  static constexpr ConeKind cone(bool rolls) {
    if (Dim == 2) return rolls ? ConeKind::rolling_2d : ConeKind::coulomb_2d;
    return rolls ? ConeKind::rolling_3d : ConeKind::coulomb_3d;
  }
};

template <int Dim>
bool is_immovable(const SweepBody<Dim>& body) {
  for (const double m : body.inverse_mass)
    if (m != 0) return false;
  for (const double j : body.inverse_inertia)
    if (j != 0) return false;
  return true;
}

// M^-1 of a body times an impulse and a moment, added to its velocity.
inline void add_impulse(SweepBody<2>& body, const Vec<2>& p, const Spin<2>& turn) {
  body.v[0] += body.inverse_mass[0] * p[0];
  body.v[1] += body.inverse_mass[1] * p[1];
  body.w[0] += body.inverse_inertia[0] * turn[0];
}
inline void add_impulse(SweepBody<3>& body, const Vec<3>& p, const Spin<3>& turn) {
  for (int i = 0; i < 3; ++i) body.v[i] += body.inverse_mass[i] * p[i];
  const double* J = body.inverse_inertia;
  body.w[0] += J[0] * turn[0] + J[1] * turn[1] + J[2] * turn[2];
  body.w[1] += J[1] * turn[0] + J[3] * turn[1] + J[4] * turn[2];
  body.w[2] += J[2] * turn[0] + J[4] * turn[1] + J[5] * turn[2];
}

template <int Dim>
Vec<Dim> point_velocity(const BodyVelocity<Dim>& body, const Vec<Dim>& arm) {
  return Eigen::Map<const Vec<Dim>>(body.v) + spin_velocity(Eigen::Map<const Spin<Dim>>(body.w), arm);
}

// u of a contact in its frame, from the velocities of its bodies.
template <int Dim>
Vec<Dim> relative_velocity(const BodyVelocity<Dim>& a, const BodyVelocity<Dim>& b,
                           const SweepContact<Dim>& c) {
  return c.axes().transpose() * (point_velocity(b, c.arm_b) - point_velocity(a, c.arm_a));
}

template <int Dim>
Spin<Dim> relative_spin(const BodyVelocity<Dim>& a, const BodyVelocity<Dim>& b) {
  return Eigen::Map<const Spin<Dim>>(b.w) - Eigen::Map<const Spin<Dim>>(a.w);
}

// Rolling directions of a contact, as columns of world axes: the plane's spin, or t and s.
inline Eigen::Matrix<double, 1, 1> rolling_axes(const Mat<2>&) { return Eigen::Matrix<double, 1, 1>(1.0); }
inline Eigen::Matrix<double, 3, 2> rolling_axes(const Mat<3>& axes) { return axes.rightCols<2>(); }

template <int Dim>
Eigen::Matrix<double, Dim - 1, 1> rolling_velocity(const BodyVelocity<Dim>& a, const BodyVelocity<Dim>& b,
                                                   const Mat<Dim>& axes) {
  return rolling_axes(axes).transpose() * relative_spin<Dim>(a, b);
}

}  // namespace saltus
