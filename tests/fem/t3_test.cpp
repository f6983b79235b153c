#include "saltus/fem/t3.hpp"

#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/elasticity.hpp"

namespace saltus {
namespace {

constexpr double kRoundOff = 1e-14;  // of numbers of order 1, a few operations each

const T3 kElement({0.1, 0.2}, {1.3, 0.1}, {0.6, 1.1});
const Elasticity kSteel{2.0, 0.3, PlaneState::strain};

TEST(T3, StiffnessIsSymmetricAndRigidMotionsGiveNoForce) {
  const T3::Matrix k = kElement.stiffness(stiffness_of(kSteel), 0.5);
  EXPECT_LT((k - k.transpose()).norm(), kRoundOff);
  T3::Displacements x, y, turn;
  x << 1, 0, 1, 0, 1, 0;
  y << 0, 1, 0, 1, 0, 1;
  turn << -0.2, 0.1, -0.1, 1.3, -1.1, 0.6;  // (-y, x) at the nodes
  for (const T3::Displacements& u : {x, y, turn}) EXPECT_LT((k * u).norm(), kRoundOff);
}

TEST(T3, EnergyIsThatOfTheStressOverTheArea) {
  T3::Displacements u;
  u << 0.1, -0.2, 0.4, 0.3, -0.1, 0.7;
  const Eigen::Matrix3d D = stiffness_of(kSteel);
  const Eigen::Matrix2d g = kElement.displacement_gradient(u);
  const Eigen::Vector3d strain(g(0, 0), g(1, 1), g(0, 1) + g(1, 0));
  EXPECT_LT((kElement.stress(D, u) - D * strain).norm(), kRoundOff);
  const double energy = 0.5 * strain.dot(D * strain) * kElement.area() * 0.5;
  EXPECT_NEAR(0.5 * u.dot(kElement.stiffness(D, 0.5) * u), energy, kRoundOff);
}

TEST(T3, DisplacementGradientIsThatOfALinearField) {
  Eigen::Matrix2d field;
  field << 0.1, 0.2, -0.3, 0.4;
  T3::Displacements u;
  u << field * Eigen::Vector2d(0.1, 0.2), field * Eigen::Vector2d(1.3, 0.1),
      field * Eigen::Vector2d(0.6, 1.1);
  EXPECT_LT((kElement.displacement_gradient(u) - field).norm(), kRoundOff);
}

TEST(T3, BothMassesAreThatOfTheTriangle) {
  const double mass = 3.0 * 0.5 * kElement.area();
  const T3::Matrix m = kElement.consistent_mass(3.0, 0.5);
  T3::Displacements x;
  x << 1, 0, 1, 0, 1, 0;
  EXPECT_NEAR(x.dot(m * x), mass, kRoundOff);
  EXPECT_NEAR(3 * kElement.lumped_mass(3.0, 0.5), mass, kRoundOff);
  // Exact for linear fields: the integral of rho N_0^2 over the triangle is rho A t/6.
  EXPECT_NEAR(m(0, 0), mass / 6, kRoundOff);
}

TEST(Elasticity, UniaxialStressGivesYoungAndPoisson) {
  // Plane stress: sigma = (1, 0, 0) is eps = (1/E, -nu/E, 0). Plane strain: E/(1-nu^2) and nu/(1-nu) for E, nu.
  const auto check = [](const Elasticity& law, double E, double nu) {
    const Eigen::Vector3d stress = stiffness_of(law) * Eigen::Vector3d(1 / E, -nu / E, 0);
    EXPECT_LT((stress - Eigen::Vector3d(1, 0, 0)).norm(), kRoundOff);
    EXPECT_NEAR(stiffness_of(law)(2, 2), law.young / (2 * (1 + law.poisson)), kRoundOff);
  };
  check({2.0, 0.3, PlaneState::stress}, 2.0, 0.3);
  check({2.0, 0.3, PlaneState::strain}, 2.0 / (1 - 0.09), 0.3 / 0.7);
}

TEST(Elasticity, ModuliOutOfRangeAreRefused) {
  EXPECT_THROW(check_elasticity({0.0, 0.3}, "x"), InputError);
  EXPECT_THROW(check_elasticity({-1.0, 0.3}, "x"), InputError);
  EXPECT_THROW(check_elasticity({1.0, 0.5}, "x"), InputError);
  EXPECT_THROW(check_elasticity({1.0, -1.0}, "x"), InputError);
  EXPECT_THROW(check_elasticity({std::nan(""), 0.3}, "x"), InputError);
  EXPECT_NO_THROW(check_elasticity({1.0, 0.499}, "x"));
}

}  // namespace
}  // namespace saltus
