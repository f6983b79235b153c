#include "saltus/fem/element_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fem/solid_meshes.hpp"
#include "saltus/fem/quadrature.hpp"

namespace saltus::element_shape_test {
namespace {

template <class Check>
void for_all_kinds(Check&& check) {
  for (const ElementKind kind : testing::kPlaneKinds)
    with_kind<2>(kind, [&]<ElementKind K>() { check.template operator()<K>(); });
  for (const ElementKind kind : testing::kSpaceKinds)
    with_kind<3>(kind, [&]<ElementKind K>() { check.template operator()<K>(); });
}

TEST(ElementShape, FunctionsAreOneAtTheirNodeAndSumToOne) {
  for_all_kinds([]<ElementKind K>() {
    using S = ElementShape<K>;
    EXPECT_EQ(S::kNodes, node_count(K));
    EXPECT_EQ(S::kDim, dimension_of(K));
    for (int a = 0; a < S::kNodes; ++a)
      EXPECT_LT((S::values(S::node(a)) - S::Values::Unit(a)).norm(), 1e-15) << name(K) << " node " << a;
    const typename S::Point xi = 0.3 * S::Point::Ones() - 0.2 * S::Point::Unit(0);
    EXPECT_NEAR(S::values(xi).sum(), 1, 1e-15) << name(K);
    EXPECT_LT(S::gradients(xi).colwise().sum().norm(), 1e-15) << name(K);
    // Positions are reproduced: every linear field is.
    typename S::Point sum = S::Point::Zero();
    for (int a = 0; a < S::kNodes; ++a) sum += S::values(xi)[a] * S::node(a);
    EXPECT_LT((sum - xi).norm(), 1e-15) << name(K);
  });
}

TEST(ElementShape, DerivativesAreThoseOfTheFunctions) {
  for_all_kinds([]<ElementKind K>() {
    using S = ElementShape<K>;
    const typename S::Point xi = 0.23 * S::Point::Ones() - 0.11 * S::Point::Unit(1);
    const double h = 1e-5;
    for (int k = 0; k < S::kDim; ++k) {
      const typename S::Point step = h * S::Point::Unit(k);
      const typename S::Values slope = (S::values(xi + step) - S::values(xi - step)) / (2 * h);
      // Cubics: truncation h^2, round-off 1e-16/h.
      EXPECT_LT((slope - S::gradients(xi).col(k)).norm(), 1e-9) << name(K);
    }
  });
}

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

// integral of x^a y^b (z^c) over the reference cell
template <int Dim>
double exact_integral(bool simplex, const std::array<int, Dim>& power) {
  double value = 1;
  int sum = Dim;
  for (const int p : power) {
    value *= simplex ? factorial(p) : (p % 2 == 0 ? 2.0 / (p + 1) : 0.0);
    sum += p;
  }
  return simplex ? value / factorial(sum) : value;
}

// True if every monomial up to the degree (in all for simplices, in each variable for cubes) is integrated.
template <int Dim>
bool is_exact(const Quadrature<Dim>& rule, bool simplex, int degree) {
  std::array<int, Dim> power;
  const int base = degree + 1, count = static_cast<int>(std::pow(base, Dim) + 0.5);
  for (int index = 0; index < count; ++index) {
    int total = 0;
    for (int k = 0, rest = index; k < Dim; ++k, rest /= base) total += power[k] = rest % base;
    if (simplex && total > degree) continue;
    double sum = 0;
    for (const auto& p : rule) {
      double term = p.weight;
      for (int k = 0; k < Dim; ++k) term *= std::pow(p.at[k], power[k]);
      sum += term;
    }
    if (std::abs(sum - exact_integral<Dim>(simplex, power)) > 1e-14)
      return false;  // round-off of a sum of up to 27
  }
  return true;
}

TEST(Quadrature, RulesAreExactToTheirDegreeAndNotBeyond) {
  for (const int degree : {1, 2, 5}) {
    EXPECT_TRUE(is_exact<2>(simplex_rule<2>(degree), true, degree)) << degree;
    EXPECT_TRUE(is_exact<3>(simplex_rule<3>(degree), true, degree)) << degree;
    EXPECT_FALSE(is_exact<2>(simplex_rule<2>(degree), true, degree + 1)) << degree;
    EXPECT_FALSE(is_exact<3>(simplex_rule<3>(degree), true, degree + 1)) << degree;
  }
  for (const int n : {1, 2, 3}) {
    EXPECT_TRUE(is_exact<2>(cube_rule<2>(n), false, 2 * n - 1)) << n;
    EXPECT_TRUE(is_exact<3>(cube_rule<3>(n), false, 2 * n - 1)) << n;
    EXPECT_FALSE(is_exact<3>(cube_rule<3>(n), false, 2 * n)) << n;
  }
}

TEST(Quadrature, StiffnessRulesHaveTheirNumberOfPointsWithPositiveWeights) {
  const auto check = [](ElementKind kind, const auto& rule) {
    EXPECT_EQ(static_cast<int>(rule.size()), stiffness_points(kind)) << name(kind);
    for (const auto& p : rule) EXPECT_GT(p.weight, 0) << name(kind);
  };
  for (const ElementKind kind : testing::kPlaneKinds) check(kind, stiffness_rule<2>(kind));
  for (const ElementKind kind : testing::kSpaceKinds) check(kind, stiffness_rule<3>(kind));
}

}  // namespace
}  // namespace saltus::element_shape_test
