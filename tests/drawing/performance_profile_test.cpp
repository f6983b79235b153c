#include "saltus/drawing/performance_profile.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace saltus::performance_profile_test {

constexpr double kUnsolved = std::numeric_limits<double>::infinity();

// Problem 1: a best; problem 2: b three times faster; problem 3: only b; problem 4: nobody.
PerformanceProfile small_profile() {
  return {"four problems", {"a", "b<c"}, {{1.0, 3.0, kUnsolved, kUnsolved}, {4.0, 1.0, 2.0, kUnsolved}}};
}

TEST(PerformanceProfile, ratios_are_to_the_best_and_leave_out_what_was_not_solved) {
  EXPECT_EQ(compute_ratios(small_profile(), 0), (std::vector<double>{1.0, 3.0}));
  EXPECT_EQ(compute_ratios(small_profile(), 1), (std::vector<double>{1.0, 1.0, 4.0}));
}

TEST(PerformanceProfile, the_legend_counts_solved_problems_and_puts_the_best_first) {
  const std::string svg = format_svg(small_profile());
  const auto a = svg.find("a (2 of 4)"), b = svg.find("b&lt;c (3 of 4)");
  ASSERT_NE(a, std::string::npos) << svg;
  ASSERT_NE(b, std::string::npos) << svg;
  EXPECT_LT(b, a);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(PerformanceProfile, a_curve_climbs_one_problem_at_each_ratio) {
  // The frame spans y = 390 (nothing solved) to 50 (all): a quarter per problem, 85 pixels.
  const std::string svg = format_svg(small_profile());
  EXPECT_NE(svg.find("M70.0 390.0H70.0V305.0H70.0V220.0H"), std::string::npos) << svg;
}

TEST(PerformanceProfile, no_problems_give_a_picture_all_the_same) {
  const std::string svg = format_svg({"nothing", {"a"}, {{}}});
  EXPECT_NE(svg.find("a (0 of 0)"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace saltus::performance_profile_test
