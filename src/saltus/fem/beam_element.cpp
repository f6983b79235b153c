#include "saltus/fem/beam_element.hpp"

#include <cmath>

#include "saltus/fem/rotation.hpp"

namespace saltus {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Columns = Eigen::Matrix<double, 3, 9>;  // derivatives in (s, sigma1, sigma2), axes half way

// Functions of x = |psi| that the element is made of, and their derivatives over x.
struct TurnFunctions {
  double a, a1;  // (x/2)/sin(x/2)
  double b, b1;  // (1 - a)/x^2
  double c, c1;  // tan(x/4)/(2 x)
};

TurnFunctions turn_functions(double x) {
  TurnFunctions f;
  const double y = x * x;
  constexpr double kSmall =
      0.02;  // below, the terms left out of the series are smaller than round-off of the closed form
  if (x < kSmall) {
    f.a = 1 + y / 24 + 7 * y * y / 5760;
    f.a1 = 1.0 / 12 + 7 * y / 1440;
    f.b = -(1.0 / 24 + 7 * y / 5760 + 31 * y * y / 967680);
    f.b1 = -(7.0 / 2880 + 31 * y / 241920);
    f.c = 1.0 / 8 + y / 384 + y * y / 15360;
    f.c1 = 1.0 / 192 + y / 3840;
    return f;
  }
  const double sine = std::sin(x / 2), cosine = std::cos(x / 2), tangent = std::tan(x / 4);
  f.a = x / 2 / sine;
  f.a1 = (sine - x / 2 * cosine) / (2 * sine * sine) / x;
  f.b = (1 - f.a) / y;
  f.b1 = -(f.a1 + 2 * f.b) / y;
  f.c = tangent / (2 * x);
  f.c1 = (x / 4 * (1 + tangent * tangent) - tangent) / (2 * y * x);
  return f;
}

bool evaluate_bar(const BeamElement& element, const Vector3d& s, bool with_tangent, BeamForces& forces) {
  const double length = s.norm(), stretch = (length - element.length) / element.length;
  if (!(length > 0)) return false;
  const double stiffness = element.normal_stiffness[0];
  const double pull = element.tension + stiffness * stretch;
  const bool is_slack = element.kind == LineKind::string && pull < 0;
  const Vector3d n = s / length;
  forces.force = is_slack ? Vector3d::Zero() : Vector3d(pull * n);
  forces.m1.setZero(), forces.m2.setZero(), forces.section_moment.setZero();
  forces.section_force = Vector3d(is_slack ? 0.0 : pull, 0, 0);
  // From where it begins to pull, without a tension from rest.
  const double loosest = stiffness > 0 ? -element.tension / stiffness : 0.0;
  forces.stored = is_slack
                      ? element.length * (element.tension * loosest + 0.5 * stiffness * loosest * loosest)
                      : element.length * stretch * (element.tension + 0.5 * stiffness * stretch);
  forces.tangent.setZero();
  if (with_tangent && !is_slack)
    forces.tangent.topLeftCorner<3, 3>() = stiffness / element.length * n * n.transpose() +
                                           pull / length * (Matrix3d::Identity() - n * n.transpose());
  return true;
}

}  // namespace

BeamElement build_beam_element(LineKind kind, const BeamSection& section, const Vector3d& from,
                               const Vector3d& to, const Vector3d& up) {
  BeamElement element;
  element.kind = kind;
  element.length = (to - from).norm();
  const Vector3d e1 = (to - from) / element.length;
  Vector3d e2 = up - up.dot(e1) * e1;
  constexpr double kParallel = 1e-6;  // of up and the line: then any direction across it does
  if (!(e2.norm() > kParallel * up.norm())) e2 = e1.unitOrthogonal();
  e2.normalize();
  element.axes << e1, e2, e1.cross(e2);
  element.tension = section.tension;
  element.normal_stiffness[0] = section.young * section.area;
  if (kind != LineKind::beam) return element;
  const double G = section.shear_modulus(), l2 = element.length * element.length / 12;
  const double shear = section.shear_factor > 0 ? 1 / (section.shear_factor * G * section.area) : 0.0;
  const double bending[2] = {section.young * section.inertia, section.young * section.inertia_side};
  for (int i = 0; i < 2; ++i)
    if (bending[i] > 0) element.normal_stiffness[1 + i] = 1 / (l2 / bending[i] + shear);
  element.bending_stiffness = Vector3d(G * section.torsion, bending[1], bending[0]);
  return element;
}

bool evaluate_beam(const BeamElement& element, const Vector3d& s, const Eigen::Quaterniond& turn1,
                   const Eigen::Quaterniond& turn2, bool with_tangent, BeamForces& forces) {
  if (element.kind != LineKind::beam) return evaluate_bar(element, s, with_tangent, forces);
  const double L = element.length;
  const Eigen::Quaterniond rest(element.axes);
  const Eigen::Quaterniond first = turn1 * rest;
  const Vector3d psi = rotation_vector(first.conjugate() * (turn2 * rest));
  const double x = psi.norm();
  constexpr double kHalfTurn = 3.1;  // rad: beyond, the axes half way are about to jump
  if (!(x < kHalfTurn) || !(s.norm() > 0)) return false;
  const Matrix3d Rm = (first * turn_by(0.5 * psi)).normalized().toRotationMatrix();
  const TurnFunctions f = turn_functions(x);
  const Vector3d g = Rm.transpose() * s / L, strain = g - Vector3d::UnitX();
  const Vector3d pull(element.tension, 0, 0);
  const Vector3d N = element.normal_stiffness.cwiseProduct(strain) + pull;
  const Vector3d M = element.bending_stiffness.cwiseProduct(psi) / L;
  const Vector3d t = L * N.cross(g), AM = f.a * M + f.b * psi.dot(M) * psi;
  const Vector3d bend = AM - f.c * t.cross(psi);
  const Vector3d m1 = 0.5 * t - bend, m2 = 0.5 * t + bend;
  forces.force = Rm * N;
  forces.m1 = Rm * m1;
  forces.m2 = Rm * m2;
  forces.stored = 0.5 * L * strain.dot(N + pull) + 0.5 * psi.dot(M);
  forces.section_force = N;
  forces.section_moment = M;
  forces.moment_change = t;
  if (!with_tangent) return true;

  const Matrix3d one = Matrix3d::Identity(), Psi = cross_of(psi), A = f.a * one + f.b * psi * psi.transpose();
  Columns middle = Columns::Zero(), dpsi = Columns::Zero(), dg;
  middle.block<3, 3>(0, 3) = 0.5 * one + f.c * Psi;
  middle.block<3, 3>(0, 6) = 0.5 * one - f.c * Psi;
  dpsi.block<3, 3>(0, 3) = -A;
  dpsi.block<3, 3>(0, 6) = A;
  dg.noalias() = cross_of(g) * middle;
  dg.block<3, 3>(0, 0) += one / L;
  const Columns dN = element.normal_stiffness.asDiagonal() * dg;
  const Columns dt = L * (cross_of(N) * dg - cross_of(g) * dN);
  const Matrix3d bending = A * element.bending_stiffness.asDiagonal() / L + f.a1 * M * psi.transpose() +
                           f.b1 * psi.dot(M) * psi * psi.transpose() + f.b * psi.dot(M) * one +
                           f.b * psi * M.transpose() - f.c * cross_of(t) -
                           f.c1 * t.cross(psi) * psi.transpose();
  const Columns dbend = bending * dpsi + f.c * Psi * dt;
  Eigen::Matrix<double, 9, 9> own;
  own.topRows<3>() = dN - cross_of(N) * middle;
  own.middleRows<3>(3) = 0.5 * dt - dbend - cross_of(m1) * middle;
  own.bottomRows<3>() = 0.5 * dt + dbend - cross_of(m2) * middle;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      forces.tangent.block<3, 3>(3 * i, 3 * j) = Rm * own.block<3, 3>(3 * i, 3 * j) * Rm.transpose();
  return true;
}

}  // namespace saltus
