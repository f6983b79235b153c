#include "saltus/solvers/sweeps/sweep_budget.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::sweep_budget_test {
namespace {

constexpr double kTolerance = 1e-6, kWorth = 1000;

// Sweeps until given up or done; residual(k) from one on. 0: done.
template <class Residual>
std::int64_t given_up_at(SweepBudget& budget, Residual&& residual) {
  for (std::int64_t k = 1; k < 100'000; ++k) {
    if (residual(k) <= kTolerance) return 0;
    budget.look(k, residual(k));
    if (k >= SweepBudget::kFirst && budget.is_spent(kWorth)) return k;
  }
  return 100'000;
}

TEST(SweepBudget, sweeps_that_promise_the_end_in_time_are_let_go_on) {
  SweepBudget budget(kTolerance);
  // A decade in 60 sweeps: 360 in all.
  EXPECT_EQ(given_up_at(budget, [](std::int64_t k) { return std::pow(10, -static_cast<double>(k) / 60); }),
            0);
}

TEST(SweepBudget, sweeps_that_stand_still_end_after_the_least_part) {
  SweepBudget budget(kTolerance);
  // Six decades are missing: the least part is a tenth of the worth.
  EXPECT_EQ(given_up_at(budget, [](std::int64_t) { return 1.0; }), 100);
  SweepBudget near(kTolerance);
  // One decade: half of it, for pauses end.
  EXPECT_EQ(given_up_at(near, [](std::int64_t) { return 10 * kTolerance; }), 500);
}

TEST(SweepBudget, sweeps_that_stand_still_end_sooner_where_the_other_solver_is_sure) {
  SweepBudget budget(kTolerance);
  for (std::int64_t k = 1; k <= 250; ++k) budget.look(k, 10 * kTolerance);
  // One decade: half of the worth, and half of that.
  EXPECT_FALSE(budget.is_spent(kWorth));
  EXPECT_TRUE(budget.is_spent(kWorth, 0.5));
}

TEST(SweepBudget, promises_are_not_believed_for_ever) {
  SweepBudget budget(kTolerance);
  // The excess falls as 1/k: at every look the end seems about half as far away as the way that was gone, and it never comes.
  const std::int64_t end =
      given_up_at(budget, [](std::int64_t k) { return kTolerance * (1 + 200.0 / static_cast<double>(k)); });
  // k/2 + k/4 = worth at four thirds of it; the excess is not small, which makes the end seem further.
  EXPECT_GE(end, kWorth);
  EXPECT_LE(end, 4 * kWorth / 3);
}

TEST(SweepBudget, sweeps_that_begin_again_are_looked_at_afresh) {
  SweepBudget budget(kTolerance);
  EXPECT_EQ(given_up_at(budget, [](std::int64_t) { return 1.0; }), 100);
  // Worse than before at first, and quick: what was reached before does not hide the rate.
  EXPECT_EQ(
      given_up_at(budget, [](std::int64_t k) { return 10 * std::pow(10, -static_cast<double>(k) / 60); }), 0);
}

}  // namespace
}  // namespace saltus::sweep_budget_test
