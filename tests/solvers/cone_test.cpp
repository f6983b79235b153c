#include "saltus/solvers/cone.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numbers>

#include "saltus/solvers/residual.hpp"
#include "solvers/random_blocks.hpp"
#include "solvers/random_problem.hpp"

namespace saltus::cone_test {
namespace {

using testing::RandomBlocks;

template <class C>
class ConeOf : public ::testing::Test {};
using Cones = ::testing::Types<Coulomb2, Coulomb3, Rolling2, Rolling3>;
TYPED_TEST_SUITE(ConeOf, Cones);

template <class C>
bool inside(const typename C::Vector& r, double mu, double mu_r, double tolerance) {
  return r[0] >= 0 && r.template segment<C::kTangents>(1).norm() <= mu * r[0] + tolerance &&
         (C::kRollings == 0 || r.template tail<C::kRollings>().norm() <= mu_r * r[0] + tolerance);
}

// For a given normal component the nearest point shortens z_t and z_w to their limits: what is left is
// a convex function of one number, minimised by ternary search.
template <class C>
double brute_force_distance(const typename C::Vector& z, double mu, double mu_r) {
  const auto square = [&](double n) {
    const double t = std::max(0.0, z.template segment<C::kTangents>(1).norm() - mu * n);
    const double w = C::kRollings ? std::max(0.0, z.template tail<C::kRollings>().norm() - mu_r * n) : 0.0;
    return (n - z[0]) * (n - z[0]) + t * t + w * w;
  };
  double low = 0, high = 10 * z.norm();
  for (int i = 0; i < 200; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (square(left) > square(right) ? low : high) = square(left) > square(right) ? left : right;
  }
  return std::sqrt(square(low));
}

TYPED_TEST(ConeOf, the_projection_is_the_nearest_point) {
  using C = TypeParam;
  RandomBlocks<C> random(1);
  for (int i = 0; i < 5000; ++i) {
    const typename C::Vector z = random.gaussian_vector();
    const double mu = random.pick(8) ? random.uniform(0, 2) : 0.0,
                 mu_r = random.pick(8) ? random.uniform(0, 2) : 0.0;
    const typename C::Vector p = project<C>(z, mu, mu_r);
    // Numbers of order 1: round-off of a few operations, then of a minimum (square root of eps).
    ASSERT_TRUE(inside<C>(p, mu, mu_r, 1e-14)) << i;
    ASSERT_NEAR((z - p).norm(), brute_force_distance<C>(z, mu, mu_r), 1e-8) << i;
    ASSERT_LE((project<C>(p, mu, mu_r) - p).norm(), 1e-14) << "a second projection changes nothing";
  }
}

// Moreau: z = P(z) - P*(-z); the projection is the only point with z - P(z) orthogonal to P(z) and polar.
TYPED_TEST(ConeOf, what_is_projected_away_is_polar_to_the_cone) {
  using C = TypeParam;
  RandomBlocks<C> random(2);
  for (int i = 0; i < 5000; ++i) {
    const typename C::Vector z = random.gaussian_vector();
    const double mu = random.uniform(0, 2), mu_r = random.uniform(0, 2);
    const typename C::Vector p = project<C>(z, mu, mu_r), away = z - p;
    ASSERT_NEAR(away.dot(p), 0, 1e-13);
    // max over the cone with r_n = 1 of r . (z - p) is attained at full friction along it.
    double support = away[0] + mu * away.template segment<C::kTangents>(1).norm();
    if (C::kRollings) support += mu_r * away.template tail<C::kRollings>().norm();
    ASSERT_LE(support, 1e-13) << i;
  }
}

TYPED_TEST(ConeOf, points_on_the_edges_stay_where_they_are) {
  using C = TypeParam;
  RandomBlocks<C> random(3);
  for (int i = 0; i < 5000; ++i) {
    const double mu = random.uniform(0, 2), mu_r = random.uniform(0, 2);
    typename C::Vector z = random.gaussian_vector();
    z[0] = 0.01;
    const typename C::Vector edge = project<C>(z, mu, mu_r);
    for (const double nudge : {1 - 1e-15, 1.0, 1 + 1e-15}) {
      typename C::Vector near = edge;
      near[0] *= nudge;
      ASSERT_LE((project<C>(near, mu, mu_r) - edge).norm(), 1e-14 * (1 + edge.norm())) << i;
    }
  }
}

TYPED_TEST(ConeOf, the_jacobian_of_the_projection_agrees_with_finite_differences) {
  using C = TypeParam;
  RandomBlocks<C> random(4);
  constexpr double kStep = 1e-6;
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const typename C::Vector z = random.gaussian_vector();
    const double mu = random.uniform(0.1, 2), mu_r = random.uniform(0.1, 2);
    const typename C::Matrix jacobian = projection_jacobian<C>(z, mu, mu_r);
    typename C::Matrix central, forward;
    for (int j = 0; j < C::kSize; ++j) {
      const typename C::Vector d = kStep * C::Vector::Unit(j), p = project<C>(z, mu, mu_r);
      const typename C::Vector plus = project<C>(z + d, mu, mu_r), minus = project<C>(z - d, mu, mu_r);
      central.col(j) = (plus - minus) / (2 * kStep);
      forward.col(j) = (plus - p) / kStep;
    }
    // One-sided differences that disagree reveal a kink within the step: no derivative there. The
    // curvature is 1 / |z_t|, which the same test keeps below 1e3.
    if ((central - forward).norm() > 1e-3) continue;
    ++compared;
    ASSERT_LE((jacobian - central).norm(), 1e-6) << "sample " << i << "\n" << jacobian << "\n\n" << central;
  }
  EXPECT_GT(compared, 1900);
}

TYPED_TEST(ConeOf, de_saxce_makes_the_dual_cone_of_sliding) {
  using C = TypeParam;
  RandomBlocks<C> random(5);
  for (int i = 0; i < 1000; ++i) {
    const double mu = random.uniform(0, 2), mu_r = random.uniform(0, 2);
    typename C::Vector u = random.gaussian_vector(), r;
    u[0] = 0;
    r[0] = 1;
    r.template segment<C::kTangents>(1) = -mu * u.template segment<C::kTangents>(1).normalized();
    if constexpr (C::kRollings > 0)
      r.template tail<C::kRollings>() = -mu_r * u.template tail<C::kRollings>().normalized();
    // Full sliding and rolling is orthogonal to the shifted velocity, and its natural map is zero.
    const typename C::Vector shifted = de_saxce<C>(u, mu, mu_r);
    ASSERT_NEAR(shifted.dot(r), 0, 1e-14);
    ASSERT_LE((r - project<C>(r - shifted, mu, mu_r)).norm(), 1e-14);
  }
}

// Mass by m, length by l, time by s: impulses scale as m l / s, velocities as l / s, W as 1 / m; moments
// carry one more length, angular velocities one less, mu_r is a length.
TEST(Residual, the_scaled_one_is_the_same_in_all_units) {
  for (const ConeKind cone :
       {ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_2d, ConeKind::rolling_3d}) {
    ContactProblem problem = testing::random_problem(cone, 12, 10, 3);
    const int block = block_size(cone), plain = space_dimension(cone);
    Eigen::VectorXd r = Eigen::VectorXd::Random(problem.size()), u = Eigen::VectorXd::Random(problem.size());
    const double before = compute_residuals(problem, r, u).scaled;
    const double m = 1e3, l = 1e-2, s = 7;
    const auto is_rolling_row = [&](int i) { return i % block >= plain; };
    for (int k = 0; k < problem.W.blocks(); ++k)
      for (int j = 0; j < block; ++j)
        for (int i = 0; i < block; ++i)
          problem.W.block_at(k)[i + block * j] *=
              1 / m / (is_rolling_row(i) ? l : 1) / (is_rolling_row(j) ? l : 1);
    for (int i = 0; i < problem.size(); ++i) {
      r[i] *= m * l / s * (is_rolling_row(i) ? l : 1);
      u[i] *= l / s / (is_rolling_row(i) ? l : 1);
      problem.b[i] *= l / s / (is_rolling_row(i) ? l : 1);
    }
    problem.mu_r *= l;
    // Exact but for round-off of 12 contacts.
    EXPECT_NEAR(compute_residuals(problem, r, u).scaled, before, 1e-13 * before) << name(cone);
  }
}

TEST(Residual, a_frictionless_contact_that_parts_without_slip_is_solved) {
  ContactProblem problem = testing::random_problem(ConeKind::coulomb_3d, 1, 4, 2);
  problem.mu.setZero();
  EXPECT_EQ(compute_residuals(problem, Eigen::Vector3d::Zero(), Eigen::Vector3d(0.5, 0, 0)).absolute, 0.0);
}

TEST(Residual, the_scalings_are_the_natural_map_over_their_units) {
  const ContactProblem problem = testing::random_problem(ConeKind::coulomb_3d, 12, 10, 4);
  const Eigen::VectorXd r = Eigen::VectorXd::Random(36), u = 5 * Eigen::VectorXd::Random(36);
  double square = 0;
  for (int c = 0; c < 12; ++c) {
    const Coulomb3::Vector rc = r.segment<3>(3 * c), uc = u.segment<3>(3 * c);
    square += (rc - project<Coulomb3>(rc - de_saxce<Coulomb3>(uc, problem.mu[c], 0), problem.mu[c], 0))
                  .squaredNorm();
  }
  const Residuals residuals = compute_residuals(problem, r, u);
  EXPECT_NEAR(residuals.absolute, std::sqrt(square), 1e-13 * std::sqrt(square));
  EXPECT_DOUBLE_EQ(residuals.relative_b, residuals.absolute / problem.b.norm());
  EXPECT_DOUBLE_EQ(residuals.siconos, residuals.absolute / std::max({problem.b.norm(), r.norm(), u.norm()}));
  EXPECT_EQ(residuals.of(ResidualKind::scaled), residuals.scaled);
}

}  // namespace
}  // namespace saltus::cone_test
