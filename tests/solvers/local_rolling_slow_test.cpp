#include <gtest/gtest.h>

#include "saltus/solvers/local/local_newton.hpp"
#include "saltus/solvers/local/local_rolling.hpp"
#include "solvers/law_violation.hpp"
#include "solvers/random_blocks.hpp"

namespace saltus::local_rolling_slow_test {
namespace {

using testing::kLawTolerance;
using testing::law_violation;
using testing::RandomBlock;
using testing::RandomBlocks;

template <class Contact>
void expect_law_on_random_blocks() {
  using C = typename Contact::ConeType;
  RandomBlocks<C> blocks(1);
  for (int i = 0; i < 100000; ++i) {
    const RandomBlock<C> block = blocks.next();
    typename C::Vector r = C::Vector::Zero();
    ASSERT_TRUE(Contact(block.W, block.mu, block.mu_r).solve(block.W.data(), block.b, r)) << "block " << i;
    ASSERT_LE(law_violation<C>(block.W, block.b, block.mu, block.mu_r, r), kLawTolerance) << "block " << i;
  }
}

TEST(LocalRolling2, random_blocks_satisfy_the_law) { expect_law_on_random_blocks<LocalRolling2>(); }
TEST(LocalRolling3, random_blocks_satisfy_the_law) { expect_law_on_random_blocks<LocalRolling3>(); }

// The plainest method there is, a projected step repeated, converges for small friction.
template <class Contact>
void expect_the_limit_of_projected_steps() {
  using C = typename Contact::ConeType;
  RandomBlocks<C> blocks(2);
  for (int i = 0; i < 300; ++i) {
    const typename C::Matrix G = blocks.gaussian_matrix();
    const typename C::Matrix W = G * G.transpose() + C::Matrix::Identity();
    const typename C::Vector b = blocks.gaussian_vector();
    const double mu = blocks.uniform(0, 0.2), mu_r = blocks.uniform(0, 0.2);
    typename C::Vector r = C::Vector::Zero(), slow = r;
    ASSERT_TRUE(Contact(W, mu, mu_r).solve(W.data(), b, r));
    for (int k = 0; k < 3000; ++k) update_projection<C>(W, b, mu, mu_r, slow);
    // Condition about 30: 3000 steps contract by far more than round-off needs.
    EXPECT_LT((W * (r - slow)).norm(), 1e-9) << "block " << i;
  }
}

TEST(LocalRolling2, agrees_with_the_limit_of_projected_steps) {
  expect_the_limit_of_projected_steps<LocalRolling2>();
}
TEST(LocalRolling3, agrees_with_the_limit_of_projected_steps) {
  expect_the_limit_of_projected_steps<LocalRolling3>();
}

template <class Contact>
void expect_honest_on_odd_blocks() {
  using C = typename Contact::ConeType;
  RandomBlocks<C> blocks(3);
  for (int i = 0; i < 300; ++i) {
    const typename C::Matrix W = blocks.gaussian_matrix();
    const typename C::Vector b = blocks.gaussian_vector();
    const double mu = blocks.uniform(0, 1), mu_r = blocks.uniform(0, 1);
    typename C::Vector r = C::Vector::Zero();
    const bool ok = Contact(W, mu, mu_r).solve(W.data(), b, r);
    ASSERT_TRUE(r.allFinite());
    if (ok) {
      ASSERT_LE(law_violation<C>(W, b, mu, mu_r, r), kLawTolerance) << "block " << i;
    }
  }
  const typename C::Matrix zero = C::Matrix::Zero();
  typename C::Vector b = C::Vector::Zero(), r = b;
  b[0] = -1;
  EXPECT_FALSE(Contact(zero, 0.5, 0.1).solve(zero.data(), b, r));
  EXPECT_TRUE(r.allFinite());
}

TEST(LocalRolling2, indefinite_and_zero_blocks_make_no_false_claim) {
  expect_honest_on_odd_blocks<LocalRolling2>();
}
TEST(LocalRolling3, indefinite_and_zero_blocks_make_no_false_claim) {
  expect_honest_on_odd_blocks<LocalRolling3>();
}

}  // namespace
}  // namespace saltus::local_rolling_slow_test
