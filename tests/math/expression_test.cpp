#include "saltus/math/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus::expression_test {
namespace {

TEST(Expression, follows_the_usual_precedence) {
  EXPECT_EQ(Expression("2 + 3*4^2/8 - -1").value(0), 9);
  EXPECT_EQ(Expression("-2^2").value(0), -4);
  EXPECT_EQ(Expression("2^3^2").value(0), 512);
  EXPECT_EQ(Expression("(1+2)*t").value(5), 15);
  EXPECT_EQ(Expression("max(t, 3) + min(t, 3)").value(5), 8);
  EXPECT_EQ(Expression("step(t-1)").value(0.5), 0);
  EXPECT_EQ(Expression("step(t-1)").value(1), 1);
}

TEST(Expression, derivative_agrees_with_finite_differences) {
  for (const char* text :
       {"0.1*sin(2*pi*t)+t^3", "exp(-t)/(1+t^2)", "sqrt(1+t)*tanh(t)", "atan(t)*cos(t)-log(2+t)",
        "pow(1+t, 2*t)", "cosh(t)-sinh(2*t)+tan(0.3*t)", "asin(0.5*t)+acos(0.3*t)", "abs(t-3)"}) {
    const Expression f(text);
    const double t = 0.7, d = 1e-5;
    // Centred differences: d^2 f'''/6 with f''' below 1e3 here, and round-off 1e-16/d.
    EXPECT_NEAR(f.derivative(t), (f.value(t + d) - f.value(t - d)) / (2 * d), 1e-7) << text;
  }
}

TEST(Expression, mistakes_name_the_column) {
  const auto message = [](const char* text) -> std::string {
    try {
      Expression{text};
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("1 + sinn(t)").find("column 5"), std::string::npos);
  EXPECT_NE(message("1 + sinn(t)").find("sinn"), std::string::npos);
  EXPECT_NE(message("2*(t+1").find("missing )"), std::string::npos);
  EXPECT_NE(message("").find("ends too early"), std::string::npos);
  EXPECT_NE(message("t 3").find("column 3"), std::string::npos);
  EXPECT_NE(message("max(1)").find("two arguments"), std::string::npos);
  EXPECT_NE(message(std::string(500, '(').c_str()).find("nested"), std::string::npos);
}

const ExpressionNames kNames{{"x", "y_1", "t", "a", "b", "c"}, {{"m", 2.5}}};

TEST(Expression, names_several_variables_and_constants) {
  const Expression f("m*x^2 + sin(y_1)*t", kNames);
  const std::vector<double> at = {3, 0.5, 2, 0, 0, 0};
  EXPECT_DOUBLE_EQ(f.value(at), 2.5 * 9 + std::sin(0.5) * 2);
  EXPECT_EQ(f.used(), (std::vector<int>{0, 1, 2}));
  std::vector<double> slopes(3);
  EXPECT_EQ(f.evaluate(at, slopes), f.value(at));
  EXPECT_DOUBLE_EQ(slopes[0], 15);
  EXPECT_DOUBLE_EQ(slopes[1], 2 * std::cos(0.5));
  EXPECT_DOUBLE_EQ(slopes[2], std::sin(0.5));
}

TEST(Expression, derivatives_in_many_variables_agree_with_finite_differences) {
  // Six variables: more than the directions of one pass.
  const char* texts[] = {"x*y_1*t*a*b*c",
                         "atan2(x*a, y_1 + b)",
                         "pow(1 + x^2, c) - exp(a*b)/t",
                         "min(x, y_1) + max(a, b)*c",
                         "sqrt(x^2 + y_1^2)*tanh(t) - abs(a)*log(b)",
                         "sinh(x)*cosh(a) + tan(c)*acos(y_1/3) + asin(b/4)"};
  for (const char* text : texts) {
    const Expression f(text, kNames);
    std::vector<double> at = {0.3, -1.1, 0.7, 1.9, 0.4, -0.6}, slopes(f.used().size());
    f.evaluate(at, slopes);
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      double& x = at[f.used()[k]];
      const double here = x, d = 1e-5;
      x = here + d;
      const double high = f.value(at);
      x = here - d;
      const double low = f.value(at);
      x = here;
      // As above: d^2 times a third derivative below 1e3, and round-off 1e-16/d.
      EXPECT_NEAR(slopes[k], (high - low) / (2 * d), 1e-7) << text << ", variable " << f.used()[k];
    }
  }
}

TEST(Expression, a_slope_of_infinity_stays_with_its_variable) {
  std::vector<double> at = {1, 0.5, 0, 0, 0, 0}, slopes(2);
  Expression("acos(x) + y_1", kNames).evaluate(at, slopes);
  EXPECT_TRUE(std::isinf(slopes[0]));
  EXPECT_EQ(slopes[1], 1);
}

TEST(Expression, operations_on_constants_are_done_once) {
  const Expression f("2*m*pi + max(3, 1) - -4", kNames);
  EXPECT_TRUE(f.used().empty());
  EXPECT_DOUBLE_EQ(f.value(std::vector<double>(6, 0.0)), 5 * 3.141592653589793 + 7);
}

TEST(Expression, names_that_formulas_may_have) {
  for (const char* name : {"x", "theta_1", "dq2", "T"}) EXPECT_TRUE(is_expression_name(name)) << name;
  for (const char* name : {"", "2x", "_x", "a b", "pi", "sin", "atan2", "x'"})
    EXPECT_FALSE(is_expression_name(name)) << name;
}

TEST(Expression, an_unknown_name_is_answered_by_those_there_are) {
  try {
    Expression("x + z", kNames);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what())
            .find("column 5 of \"x + z\": unknown name: got z, allowed: x, y_1, t, a, b, c, m, pi, sin"),
        0u)
        << error.what();
  }
}

}  // namespace
}  // namespace saltus::expression_test
