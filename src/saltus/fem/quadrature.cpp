#include "saltus/fem/quadrature.hpp"

#include <cmath>

namespace saltus {

Quadrature<1> line_rule(int n) {
  const auto at = [](double x) { return Eigen::Matrix<double, 1, 1>(x); };
  if (n == 1) return {{at(0), 2}};
  if (n == 2) return {{at(-std::sqrt(1.0 / 3)), 1}, {at(std::sqrt(1.0 / 3)), 1}};
  return {{at(-std::sqrt(0.6)), 5.0 / 9}, {at(0), 8.0 / 9}, {at(std::sqrt(0.6)), 5.0 / 9}};
}

namespace {

// All points whose barycentric coordinates are `own` at one corner and `other` at the rest.
template <int Dim>
void add_corner_points(double own, double other, double weight, Quadrature<Dim>& rule) {
  using Point = Eigen::Matrix<double, Dim, 1>;
  for (int i = 0; i <= Dim; ++i) {
    Point p = Point::Constant(other);
    if (i > 0) p[i - 1] = own;
    rule.push_back({p, weight});
  }
}

}  // namespace

template <>
Quadrature<2> simplex_rule<2>(int degree) {
  const Eigen::Vector2d centre = Eigen::Vector2d::Constant(1.0 / 3);
  if (degree == 1) return {{centre, 0.5}};
  Quadrature<2> rule;
  if (degree == 2) {
    add_corner_points<2>(2.0 / 3, 1.0 / 6, 1.0 / 6, rule);
    return rule;
  }
  const double root = std::sqrt(15.0);
  rule.push_back({centre, 9.0 / 80});
  for (const double sign : {-1.0, 1.0}) {
    const double other = (6 + sign * root) / 21;
    add_corner_points<2>(1 - 2 * other, other, (155 + sign * root) / 2400, rule);
  }
  return rule;
}

template <>
Quadrature<3> simplex_rule<3>(int degree) {
  const Eigen::Vector3d centre = Eigen::Vector3d::Constant(0.25);
  if (degree == 1) return {{centre, 1.0 / 6}};
  Quadrature<3> rule;
  if (degree == 2) {
    const double other = (5 - std::sqrt(5.0)) / 20;
    add_corner_points<3>(1 - 3 * other, other, 1.0 / 24, rule);
    return rule;
  }
  const double root = std::sqrt(15.0);
  rule.push_back({centre, 16.0 / 135 / 6});
  for (const double sign : {-1.0, 1.0}) {
    const double other = (7 + sign * root) / 34;
    add_corner_points<3>(1 - 3 * other, other, (2665 - sign * 14 * root) / 37800 / 6, rule);
  }
  const double near = (10 - 2 * root) / 40, far = (10 + 2 * root) / 40;
  for (int i = 0; i <= 3; ++i)
    for (int j = i + 1; j <= 3; ++j) {
      Eigen::Vector3d p = Eigen::Vector3d::Constant(near);
      if (i > 0) p[i - 1] = far;
      p[j - 1] = far;
      rule.push_back({p, 20.0 / 378 / 6});
    }
  return rule;
}

template <int Dim>
Quadrature<Dim> cube_rule(int n) {
  const Quadrature<1> line = line_rule(n);
  Quadrature<Dim> rule;
  const int count = Dim == 2 ? n * n : n * n * n;
  for (int index = 0; index < count; ++index) {
    QuadraturePoint<Dim> p{{}, 1};
    for (int k = 0, rest = index; k < Dim; ++k, rest /= n) {
      p.at[k] = line[rest % n].at[0];
      p.weight *= line[rest % n].weight;
    }
    rule.push_back(p);
  }
  return rule;
}

template <int Dim>
Quadrature<Dim> stiffness_rule(ElementKind kind) {
  using enum ElementKind;
  switch (kind) {
    case t3:
    case t4: return simplex_rule<Dim>(1);
    case t6:
    case t10: return simplex_rule<Dim>(2);
    case q4:
    case h8: return cube_rule<Dim>(2);
    default: return cube_rule<Dim>(3);
  }
}

template <int Dim>
Quadrature<Dim> mass_rule(ElementKind kind) {
  return corner_count(kind) == Dim + 1 ? simplex_rule<Dim>(5) : cube_rule<Dim>(3);
}

template Quadrature<2> cube_rule<2>(int);
template Quadrature<3> cube_rule<3>(int);
template Quadrature<2> stiffness_rule<2>(ElementKind);
template Quadrature<3> stiffness_rule<3>(ElementKind);
template Quadrature<2> mass_rule<2>(ElementKind);
template Quadrature<3> mass_rule<3>(ElementKind);

}  // namespace saltus
