#include "saltus/fem/beams.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/rotation.hpp"

namespace saltus::beams_test {
namespace {

constexpr double kPi = std::numbers::pi;

BeamSection steel() {
  BeamSection s = rectangle_section(0.02, 0.05);
  s.young = 2.1e11, s.density = 7800, s.poisson = 0.3;
  return s;
}

template <int Dim>
LineMesh<Dim> straight(double length, int count, const Eigen::Matrix<double, Dim, 1>& along) {
  LineMesh<Dim> mesh;
  for (int i = 0; i <= count; ++i) mesh.nodes.push_back(length * i / count * along.normalized());
  for (int i = 0; i < count; ++i) mesh.elements.push_back({{i, i + 1}, 0});
  return mesh;
}

// A frame with a corner and a branch, no two elements alike.
template <int Dim>
LineMesh<Dim> crooked() {
  LineMesh<Dim> mesh;
  for (const Eigen::Vector3d& x : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(1, 0.2, 0.1),
                                   Eigen::Vector3d(1.5, 1, -0.3), Eigen::Vector3d(0.4, -0.9, 0.6)})
    mesh.nodes.push_back(x.head<Dim>());
  mesh.elements = {{{0, 1}, 0}, {{1, 2}, 0}, {{3, 1}, 0}};
  return mesh;
}

template <int Dim>
Beams<Dim> make(LineKind kind, bool large, double tension = 0) {
  BeamSection section = steel();
  section.tension = tension;
  return Beams<Dim>(crooked<Dim>(), {section}, {kind, large, Eigen::Vector3d::UnitZ(), "test"});
}

Eigen::VectorXd waves(Eigen::Index size, double amplitude) {
  Eigen::VectorXd q(size);
  for (Eigen::Index i = 0; i < size; ++i) q[i] = amplitude * std::sin(1.3 + 2.1 * static_cast<double>(i));
  return q;
}

// By central differences; the error is that of their step, (1e-6)^2, and of round-off, 1e-16/1e-6, relative.
template <int Dim>
void expect_tangent(Beams<Dim>& beams, const Eigen::VectorXd& q) {
  constexpr double kStep = 1e-6;
  ASSERT_TRUE(beams.evaluate(q, 0.1, {.tangent = true}));
  const Eigen::MatrixXd tangent = beams.tangent();
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    Eigen::VectorXd side = q;
    side[j] += kStep;
    ASSERT_TRUE(beams.evaluate(side, 0.1, {}));
    const Eigen::VectorXd right = beams.force();
    side[j] -= 2 * kStep;
    ASSERT_TRUE(beams.evaluate(side, 0.1, {}));
    const Eigen::VectorXd slope = (right - beams.force()) / (2 * kStep);
    EXPECT_LT((slope - tangent.col(j)).norm(), 1e-7 * tangent.norm()) << "coordinate " << j;
  }
}

template <int Dim>
void expect_force_is_slope_of_energy(Beams<Dim>& beams, const Eigen::VectorXd& q) {
  constexpr double kStep = 1e-6;
  ASSERT_TRUE(beams.evaluate(q, 0.1, {}));
  beams.accept();
  Eigen::VectorXd at = q;
  beams.name_accepted(at);
  ASSERT_TRUE(beams.evaluate(at, 0.1, {}));
  const Eigen::VectorXd force = beams.force();
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    Eigen::VectorXd side = at;
    side[j] += kStep;
    ASSERT_TRUE(beams.evaluate(side, 0.1, {}));
    const double right = beams.stored();
    side[j] -= 2 * kStep;
    ASSERT_TRUE(beams.evaluate(side, 0.1, {}));
    EXPECT_NEAR((right - beams.stored()) / (2 * kStep), force[j], 1e-7 * force.norm()) << "coordinate " << j;
  }
}

TEST(Beams, TangentsAreThoseOfDifferencesInThePlaneAndInSpace) {
  for (const LineKind kind : {LineKind::beam, LineKind::bar, LineKind::string}) {
    Beams<2> plane = make<2>(kind, true, 1e8);
    expect_tangent(plane, waves(plane.degrees_of_freedom(), 0.2));
    Beams<3> space = make<3>(kind, true, 1e8);
    expect_tangent(space, waves(space.degrees_of_freedom(), 0.2));
    // From a state that was accepted: rotations are then two after each other.
    ASSERT_TRUE(space.evaluate(waves(space.degrees_of_freedom(), 0.3), 0.1, {}));
    space.accept();
    Eigen::VectorXd q = waves(space.degrees_of_freedom(), 0.3);
    space.name_accepted(q);
    expect_tangent(space, q + 0.1 * waves(q.size(), 1).reverse());
  }
}

TEST(Beams, ForcesAreTheSlopeOfTheEnergy) {
  for (const LineKind kind : {LineKind::beam, LineKind::bar, LineKind::string}) {
    Beams<2> plane = make<2>(kind, true, 3e7);
    expect_force_is_slope_of_energy(plane, waves(plane.degrees_of_freedom(), 0.3));
    Beams<3> space = make<3>(kind, true, 3e7);
    expect_force_is_slope_of_energy(space, waves(space.degrees_of_freedom(), 0.3));
  }
}

TEST(Beams, ARotationOfAnySizeStrainsNothing) {
  for (const double angle : {0.3, 2.0, 3.1}) {
    Beams<3> space = make<3>(LineKind::beam, true);
    const Eigen::Vector3d turn = angle * Eigen::Vector3d(1, -2, 0.5).normalized();
    const Eigen::Matrix3d R = turn_by(turn).toRotationMatrix();
    Eigen::VectorXd q(space.degrees_of_freedom());
    for (std::size_t i = 0; i < space.mesh().nodes.size(); ++i) {
      const Eigen::Vector3d x = space.mesh().nodes[i];
      q.segment<6>(6 * static_cast<Eigen::Index>(i)) << R * x - x + Eigen::Vector3d(3, 1, -2), turn;
    }
    ASSERT_TRUE(space.evaluate(q, 0.1, {}));
    // Round-off of positions of size 4 m against lengths of 1 m, times E A = 2.1e8 N.
    EXPECT_LT(space.force().norm(), 2.1e8 * 1e-14 * 10);
    Beams<2> plane = make<2>(LineKind::beam, true);
    Eigen::VectorXd p(plane.degrees_of_freedom());
    const Eigen::Rotation2Dd P(4 * angle);
    for (std::size_t i = 0; i < plane.mesh().nodes.size(); ++i) {
      const Eigen::Vector2d x = plane.mesh().nodes[i];
      p.segment<3>(3 * static_cast<Eigen::Index>(i)) << P * x - x + Eigen::Vector2d(3, 1), 4 * angle;
    }
    ASSERT_TRUE(plane.evaluate(p, 0.1, {}));
    EXPECT_LT(plane.force().norm(), 2.1e8 * 1e-14 * 10);
  }
}

// Uniform strains on elements of different lengths: every node inside is in balance, and sections carry what they must.
TEST(Beams, PatchOfUniformStretchBendingAndTwist) {
  LineMesh<3> mesh;
  const double at[] = {0, 0.3, 0.45, 0.8, 1};
  for (const double x : at) mesh.nodes.push_back({x, 0, 0});
  for (int i = 0; i < 4; ++i) mesh.elements.push_back({{i, i + 1}, 0});
  const BeamSection section = steel();
  const double stretch = 1e-4, curvature = 2e-3, side = -1e-3, twist = 3e-3;
  for (const bool large : {false, true}) {
    Beams<3> beams(mesh, {section}, {LineKind::beam, large, Eigen::Vector3d::UnitY(), "test"});
    Eigen::VectorXd q(beams.degrees_of_freedom());
    for (int i = 0; i < 5; ++i) {
      const double x = at[i];
      q.segment<6>(6 * i) << stretch * x, curvature * x * x / 2, -side * x * x / 2, twist * x, side * x,
          curvature * x;
    }
    ASSERT_TRUE(beams.evaluate(q, 0.1, {}));
    const double scale = section.young * section.area * stretch;
    // Large: what is beside the linear strains is of the order of the squares of rotations, (3e-3)^2 of E A.
    const double tolerance = large ? 2.1e8 * 2e-5 : 1e-9 * scale;
    EXPECT_LT(beams.force().segment(6, 18).norm(), tolerance);
    for (int e = 0; e < 4; ++e) {
      const BeamForces f = beams.section_forces(e, q);
      const double G = section.shear_modulus(), some = large ? 2e-2 : 1e-9;
      EXPECT_NEAR(f.section_moment[0], G * section.torsion * twist, some * G * section.torsion * twist);
      EXPECT_NEAR(f.section_moment[1], section.young * section.inertia_side * side,
                  some * std::abs(section.young * section.inertia_side * side));
      EXPECT_NEAR(f.section_moment[2], section.young * section.inertia * curvature,
                  some * section.young * section.inertia * curvature);
      if (!large) {
        EXPECT_NEAR(f.section_force[0], scale, 1e-9 * scale);
      }
    }
  }
}

template <int Dim>
Eigen::VectorXd frequencies(const Beams<Dim>& beams, MassKind kind, const std::vector<int>& held) {
  Beams<Dim> own = beams;
  own.evaluate(Eigen::VectorXd::Zero(own.degrees_of_freedom()), 0.1, {.tangent = true});
  const Eigen::MatrixXd K = own.tangent(), M = own.mass(kind);
  std::vector<int> free;
  for (int i = 0; i < own.degrees_of_freedom(); ++i)
    if (std::find(held.begin(), held.end(), i) == held.end()) free.push_back(i);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K(free, free), M(free, free),
                                                                         Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseMax(0).cwiseSqrt();
}

// First frequency of a cantilever, (1.8751)^2 sqrt(E I/(rho A L^4)), and the slope of the error in log2.
double cantilever_error(int count, bool large, MassKind kind) {
  const BeamSection section = steel();
  const double L = 3, exact = std::pow(1.87510406871196, 2) *
                              std::sqrt(section.young * section.inertia / section.mass()) / (L * L);
  const Beams<2> beams(straight<2>(L, count, {1, 0.5}), {section},
                       {LineKind::beam, large, Eigen::Vector3d::UnitZ(), "test"});
  return frequencies(beams, kind, {0, 1, 2})[0] / exact - 1;
}

TEST(Beams, FrequencyOfACantileverConvergesAtTheOrderOfItsMass) {
  // Consistent: order 4. Elements are few: beyond, round-off of the eigenvalues shows.
  const double first = cantilever_error(2, false, MassKind::consistent),
               second = cantilever_error(4, false, MassKind::consistent);
  EXPECT_NEAR(std::log2(first / second), 4, 0.2);
  EXPECT_LT(std::abs(second), 1e-4);
  // Lumped, and linear masses of large rotations: order 2. Their sections have a rotary inertia, which Euler and Bernoulli leave
  // out: (1/2)(pi h/(2 sqrt(12) L))^2 and more is 2e-4 here.
  for (const auto& [large, kind] : {std::pair(false, MassKind::lumped), std::pair(true, MassKind::consistent),
                                    std::pair(true, MassKind::lumped)}) {
    const double coarse = cantilever_error(8, large, kind), fine = cantilever_error(16, large, kind);
    EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 2, 0.5) << large;
    EXPECT_LT(std::abs(fine), 5e-3);
  }
}

TEST(Beams, FrequenciesInSpaceAreThoseOfBothBendingsTorsionAndStretch) {
  const BeamSection s = steel();
  const double L = 3;
  const Beams<3> beams(straight<3>(L, 12, {1, 2, -1}), {s},
                       {LineKind::beam, false, Eigen::Vector3d::UnitZ(), "test"});
  const Eigen::VectorXd found = frequencies(beams, MassKind::consistent, {0, 1, 2, 3, 4, 5});
  const double bend = 1.87510406871196 * 1.87510406871196 / (L * L);
  const double expected[] = {
      bend * std::sqrt(s.young * s.inertia_side / s.mass()), bend * std::sqrt(s.young * s.inertia / s.mass()),
      kPi / (2 * L) * std::sqrt(s.young / s.density),
      kPi / (2 * L) * std::sqrt(s.shear_modulus() * s.torsion / (s.density * s.polar()))};
  // Linear ones: (pi/(2 n))^2/24 = 7e-4 with 12 elements; cubics far less.
  for (const double w : expected) EXPECT_LT((found.array() / w - 1).abs().minCoeff(), 1e-3) << w;
}

TEST(Beams, FrequenciesOfAStringConvergeWithOrderTwo) {
  BeamSection s = circle_section(1e-3);
  s.young = 2e11, s.density = 7800, s.tension = 500;
  const double L = 2, exact = kPi / L * std::sqrt(s.tension / s.mass());
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const int count = 10 << i;
    const Beams<2> string(straight<2>(L, count, {1, 0}), {s},
                          {LineKind::string, false, Eigen::Vector3d::UnitZ(), "test"});
    error[i] = frequencies(string, MassKind::consistent, {0, 1, 2 * count, 2 * count + 1})[0] / exact - 1;
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.05);
  EXPECT_LT(error[1], 2e-3);  // (pi/20)^2/24
}

TEST(Beams, AStringDoesNotPush) {
  BeamSection s = circle_section(1e-3);
  s.young = 2e11, s.density = 7800;
  Beams<2> string(straight<2>(1, 1, {1, 0}), {s}, {LineKind::string, true, Eigen::Vector3d::UnitZ(), "test"});
  ASSERT_TRUE(string.evaluate(Eigen::Vector4d(0, 0, -0.1, 0), 0.1, {.tangent = true}));
  EXPECT_EQ(string.force().norm(), 0);
  ASSERT_TRUE(string.evaluate(Eigen::Vector4d(0, 0, 0.1, 0), 0.1, {.tangent = true}));
  EXPECT_NEAR(string.force()[2], s.young * s.area * 0.1, 1e-6);
}

TEST(Beams, TheCriticalStepOfABarIsTheTimeOfAWaveThroughAnElement) {
  BeamSection s = steel();
  const Beams<2> bar(straight<2>(1, 10, {1, 0}), {s},
                     {LineKind::bar, true, Eigen::Vector3d::UnitZ(), "test"});
  EXPECT_NEAR(bar.critical_step(Eigen::VectorXd::Zero(22), 0), 0.1 / std::sqrt(s.young / s.density), 1e-12);
}

TEST(Beams, SectionsOfShapesHaveTheirMoments) {
  const BeamSection r = rectangle_section(2, 3), t = tube_section(2, 0.5), c = circle_section(1);
  EXPECT_DOUBLE_EQ(r.inertia, 4.5);
  EXPECT_DOUBLE_EQ(r.inertia_side, 2);
  EXPECT_NEAR(rectangle_section(1, 1).torsion, 0.1406, 1e-3);
  EXPECT_NEAR(t.area, kPi * (4 - 2.25), 1e-12);
  EXPECT_NEAR(c.torsion, kPi / 2, 1e-12);
}

TEST(Beams, MistakesAreNamed) {
  LineMesh<2> mesh = straight<2>(1, 2, {1, 0});
  BeamSection none = steel();
  none.young = 0;
  EXPECT_THROW(Beams<2>(mesh, {none}, {}), InputError);
  mesh.nodes[1] = mesh.nodes[0];
  EXPECT_THROW(Beams<2>(mesh, {steel()}, {}), InputError);
  mesh = straight<2>(1, 2, {1, 0});
  mesh.nodes.push_back({5, 5});
  EXPECT_THROW(Beams<2>(mesh, {steel()}, {}), InputError);
  mesh = straight<2>(1, 2, {1, 0});
  EXPECT_THROW(find_line_nodes(mesh, "tip", "x"), InputError);
}

}  // namespace
}  // namespace saltus::beams_test
