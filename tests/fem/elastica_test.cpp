// Beams that bend far: against the elastica, integrated here by another way, and against published figures.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "saltus/fem/beams.hpp"

namespace saltus::elastica_test {
namespace {

constexpr double kPi = std::numbers::pi;

// Clamped at its first node; the load comes in equal parts, each by Newton's method.
template <int Dim>
Eigen::VectorXd bend(Beams<Dim>& beams, const Eigen::VectorXd& load, int parts) {
  const int held = beams.stride(), free = beams.degrees_of_freedom() - held;
  Eigen::VectorXd q = Eigen::VectorXd::Zero(beams.degrees_of_freedom());
  for (int part = 1; part <= parts; ++part) {
    bool converged = false;
    for (int turn = 0; turn < 60 && !converged; ++turn) {
      if (!beams.evaluate(q, 1, {.tangent = true})) ADD_FAILURE() << beams.trouble();
      const Eigen::VectorXd lack = static_cast<double>(part) / parts * load - beams.force();
      converged = lack.tail(free).norm() < 1e-9 * load.norm();
      const Eigen::MatrixXd K = Eigen::MatrixXd(beams.tangent()).bottomRightCorner(free, free);
      q.tail(free) += Eigen::PartialPivLU<Eigen::MatrixXd>(K).solve(lack.tail(free));
    }
    EXPECT_TRUE(converged) << "part " << part;
    if (!converged) return q;
    beams.accept();
    beams.name_accepted(q);
  }
  return q;
}

// E I = 1 N m2, E A = 1e4 N: it stretches by a thousandth at most.
constexpr double kStretching = 1e4;
BeamSection slender() {
  BeamSection s;
  s.area = 1, s.inertia = s.inertia_side = s.torsion = 1e-4, s.young = kStretching, s.density = 1;
  s.radius = 0.01;
  return s;
}

template <int Dim>
Beams<Dim> cantilever(int elements, const Eigen::Matrix<double, Dim, 1>& along) {
  LineMesh<Dim> mesh;
  for (int i = 0; i <= elements; ++i)
    mesh.nodes.push_back(static_cast<double>(i) / elements * along.normalized());
  for (int i = 0; i < elements; ++i) mesh.elements.push_back({{i, i + 1}, 0});
  return Beams<Dim>(mesh, {slender()}, {LineKind::beam, true, Eigen::Vector3d::UnitZ(), "test"});
}

struct Tip {
  double x = 0, y = 0, angle = 0;
};

// theta'' = -P s cos(theta), theta(0) = 0, theta'(1) = 0, with the stretch s = 1 + P sin(theta)/(E A): the curvature at the clamp by bisection, the
// curve by Runge and Kutta's rule with steps of 1e-3 (errors of 1e-12).
Tip elastica(double load, double stretching) {
  const auto shoot = [&](double curvature, Tip& tip) {
    Eigen::Vector4d s(0, curvature, 0, 0);  // theta, theta', x, y
    const auto rate = [&](const Eigen::Vector4d& at) {
      const double stretch = 1 + load * std::sin(at[0]) / stretching;
      return Eigen::Vector4d(at[1], -load * stretch * std::cos(at[0]), stretch * std::cos(at[0]),
                             stretch * std::sin(at[0]));
    };
    const double h = 1e-3;
    for (int k = 0; k < 1000; ++k) {
      const Eigen::Vector4d a = rate(s), b = rate(s + h / 2 * a), c = rate(s + h / 2 * b),
                            d = rate(s + h * c);
      s += h / 6 * (a + 2 * b + 2 * c + d);
    }
    tip = {s[2], s[3], s[0]};
    return s[1];
  };
  double low = 0, high = load;  // at most the moment of the load on a straight beam
  Tip tip;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (shoot(middle, tip) > 0 ? high : low) = middle;
  }
  return tip;
}

TEST(Elastica, a_cantilever_under_a_force_at_its_tip_bends_as_the_elastica) {
  // Mattiasson (1981) has for P L^2/(E I) = 10: 1 - x = 0.55500, y = 0.81061, angle = 1.43029. The oracle agrees.
  const Tip ten = elastica(10, 1e12);
  EXPECT_NEAR(1 - ten.x, 0.55500, 5e-6);
  EXPECT_NEAR(ten.y, 0.81061, 5e-6);
  EXPECT_NEAR(ten.angle, 1.43029, 5e-6);
  for (const double load : {1.0, 10.0}) {
    const Tip exact = elastica(load, kStretching);
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const int n = 10 << i;
      Beams<2> beams = cantilever<2>(n, {1, 0});
      Eigen::VectorXd force = Eigen::VectorXd::Zero(beams.degrees_of_freedom());
      force[3 * n + 1] = load;
      const Eigen::VectorXd q = bend(beams, force, 20);
      error[i] = std::hypot(1 + q[3 * n] - exact.x, q[3 * n + 1] - exact.y);
      // Of curvatures of up to 4/m in elements of 1/n: (4/n)^2/12 at most.
      EXPECT_LT(error[i], 16.0 / (n * n) / 12) << load;
      EXPECT_NEAR(q[3 * n + 2], exact.angle, 16.0 / (n * n) / 12) << load;
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.3) << load;
  }
}

// M = 2 pi E I/L: the tip comes back to the clamp, whatever the axis. Chords of a circle of n sides are shorter than arcs: the polygon
// closes nonetheless.
TEST(Elastica, a_moment_at_its_tip_rolls_a_beam_up_into_a_circle) {
  const int n = 16;
  Beams<2> plane = cantilever<2>(n, {1, 0});
  Eigen::VectorXd moment = Eigen::VectorXd::Zero(plane.degrees_of_freedom());
  moment[3 * n + 2] = 2 * kPi;
  const Eigen::VectorXd q = bend(plane, moment, 24);
  EXPECT_NEAR(q[3 * n + 2], 2 * kPi, 1e-6);
  // The chord of a part is at most its length: 1 - (pi/n)^2/6 = 0.6 % shorter; the rest is round-off of the iteration.
  EXPECT_LT(Eigen::Vector2d(1 + q[3 * n], q[3 * n + 1]).norm(), 1e-6);
  double top = 0;
  for (int i = 0; i <= n; ++i) top = std::max(top, q[3 * i + 1]);
  EXPECT_NEAR(top, 1 / kPi, std::pow(kPi / n, 2) / kPi);

  const Eigen::Vector3d along = Eigen::Vector3d(1, 2, -1).normalized(),
                        axis = along.cross(Eigen::Vector3d(0.3, -0.2, 0.9)).normalized();
  Beams<3> space = cantilever<3>(n, along);
  Eigen::VectorXd turning = Eigen::VectorXd::Zero(space.degrees_of_freedom());
  turning.segment<3>(6 * n + 3) = 2 * kPi * axis;
  const Eigen::VectorXd p = bend(space, turning, 48);
  EXPECT_LT((along + p.segment<3>(6 * n)).norm(), 1e-6);
  for (int i = 0; i <= n; ++i)
    EXPECT_NEAR(axis.dot(p.segment<3>(6 * i)), 0, 1e-6) << i;  // stays in its plane
  EXPECT_NEAR(space.section_forces(n / 2, p).section_moment.norm(), 2 * kPi, 1e-5);
}

// A cantilever bent to an eighth of a circle of radius 100, section 1 x 1, E = 1e7, under a force across its plane. Its tip starts at
// (29.29, 70.71, 0). Published (K. J. Bathe, S. Bolourchi, Int. J. Num. Meth. Eng. 14 (1979) 961; J. C. Simo, L. Vu-Quoc, Comp. Meth. Appl.
// Mech. Eng. 58 (1986) 79, with 8 elements): under 300 at (22.5, 59.2, 39.5) and (22.33, 58.84, 40.08), under 600 at (15.9, 47.2, 53.4) and
// (15.79, 47.23, 53.37).
TEST(Elastica, a_bent_cantilever_goes_out_of_its_plane_as_published) {
  const int n = 16;
  LineMesh<3> mesh;
  for (int i = 0; i <= n; ++i) {
    const double a = kPi / 4 * i / n;
    mesh.nodes.emplace_back(100 * (1 - std::cos(a)), 100 * std::sin(a), 0);
  }
  for (int i = 0; i < n; ++i) mesh.elements.push_back({{i, i + 1}, 0});
  BeamSection s = rectangle_section(1, 1);
  s.young = 1e7, s.poisson = 0, s.density = 1;
  const Eigen::Vector3d published[] = {{22.33, 58.84, 40.08}, {15.79, 47.23, 53.37}};
  for (int i = 0; i < 2; ++i) {
    Beams<3> beams(mesh, {s}, {LineKind::beam, true, Eigen::Vector3d::UnitZ(), "test"});
    Eigen::VectorXd force = Eigen::VectorXd::Zero(beams.degrees_of_freedom());
    force[6 * n + 2] = 300 * (i + 1);
    const Eigen::VectorXd q = bend(beams, force, 20);
    const Eigen::Vector3d tip = mesh.nodes[n] + q.segment<3>(6 * n);
    // The two publications differ by 0.7 under 300.
    EXPECT_LT((tip - published[i]).norm(), 0.7) << tip.transpose();
  }
}

}  // namespace
}  // namespace saltus::elastica_test
