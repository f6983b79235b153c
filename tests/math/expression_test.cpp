#include "saltus/math/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {
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

}  // namespace
}  // namespace saltus
