#include "saltus/solvers/local/complementarity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace saltus::complementarity_test {
namespace {

constexpr Complementarity kFunctions[] = {Complementarity::alart_curnier, Complementarity::jean_moreau,
                                          Complementarity::natural_map};

template <class C>
class ComplementarityTest : public testing::Test {
 protected:
  using Vector = typename C::Vector;
  Vector draw() {
    Vector x;
    for (int i = 0; i < C::kSize; ++i) x[i] = uniform_(random_);
    return x;
  }
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

using Cones = testing::Types<Coulomb2, Coulomb3, Rolling2, Rolling3>;
TYPED_TEST_SUITE(ComplementarityTest, Cones);

TYPED_TEST(ComplementarityTest, derivatives_agree_with_finite_differences) {
  using C = TypeParam;
  constexpr double kStep = 1e-6, kMu = 0.6, kMuR = 0.3, kRho = 0.8;
  int compared = 0, kinks = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    const auto r = this->draw(), u = this->draw(), dr = this->draw(), du = this->draw();
    for (const Complementarity kind : kFunctions) {
      const auto at = [&](double s) {
        return complementarity<C>(kind, r + s * dr, u + s * du, kMu, kMuR, kRho);
      };
      const Linearised<C> local = linearise<C>(kind, r, u, kMu, kMuR, kRho);
      EXPECT_LT((local.value - at(0)).norm(), 1e-14);
      const typename C::Vector central = (at(kStep) - at(-kStep)) / (2 * kStep);
      const typename C::Vector second = (at(kStep) - 2 * at(0) + at(-kStep)) / kStep;
      if (second.norm() > 1e-4) {  // a kink lies within the step: one-sided slopes differ
        ++kinks;
        continue;
      }
      ++compared;
      // Central differences of functions of size 1: step^2 of truncation, eps/step of round-off,
      // both amplified by the curvature 1/|u_t| of a unit vector, at most 1e4 where no kink is seen.
      EXPECT_LT((local.by_r * dr + local.by_u * du - central).norm(), 1e-4);
    }
  }
  EXPECT_GT(compared, 50 * kinks);
}

TYPED_TEST(ComplementarityTest, the_shift_of_de_saxce_has_the_slope_that_interior_point_uses) {
  using C = TypeParam;
  constexpr double kStep = 1e-6, kMu = 0.6, kMuR = 0.3;
  for (int sample = 0; sample < 2000; ++sample) {
    const auto u = this->draw(), du = this->draw();
    const double slip = u.template segment<C::kTangents>(1).norm();
    const double spin = C::kRollings ? u.template tail<std::max(1, C::kRollings)>().norm() : 1.0;
    if (std::min(slip, spin) < 0.01) continue;  // the kink itself
    const typename C::Vector central =
        (de_saxce<C>(u + kStep * du, kMu, kMuR) - de_saxce<C>(u - kStep * du, kMu, kMuR)) / (2 * kStep);
    const typename C::Matrix slope = de_saxce_jacobian<C>(u, kMu, kMuR);
    // Round-off eps/step = 2e-10, and step^2 times a third derivative of at most 1/0.01^2.
    EXPECT_LT((slope * du - central).norm(), 1e-8);
    EXPECT_LT(((2 * C::Matrix::Identity() - slope) * slope - C::Matrix::Identity()).norm(), 1e-15);
  }
}

TYPED_TEST(ComplementarityTest, zeros_are_exactly_the_contact_law) {
  using C = TypeParam;
  using Block = typename C::Vector;
  constexpr double kMu = 0.5, kMuR = 0.2;
  Block open_r = Block::Zero(), open_u = Block::Ones();
  Block stick_r = Block::Constant(0.01), stick_u = Block::Zero();
  stick_r[0] = 1;
  Block slide_u = Block::Zero(), slide_r = Block::Zero();
  slide_r[0] = 2;
  slide_u[1] = 3;
  slide_r[1] = -kMu * 2;
  Block wrong_r = slide_r;
  wrong_r[1] *= -1;  // friction that pushes along the slip
  for (const Complementarity kind : kFunctions)
    for (const double rho : {0.1, 1.0, 10.0}) {
      EXPECT_EQ(complementarity<C>(kind, open_r, open_u, kMu, kMuR, rho).norm(), 0.0);
      EXPECT_LT(complementarity<C>(kind, stick_r, stick_u, kMu, kMuR, rho).norm(), 1e-15);
      EXPECT_LT(complementarity<C>(kind, slide_r, slide_u, kMu, kMuR, rho).norm(), 1e-14);
      EXPECT_GT(complementarity<C>(kind, wrong_r, slide_u, kMu, kMuR, rho).norm(), 0.1 * std::min(1.0, rho));
    }
}

}  // namespace
}  // namespace saltus::complementarity_test
