// Shape functions of a kind of element on its reference cell, and their derivatives.
//
//     t3 t6, t4 t10   corners 0 and the unit vectors, L_0 = 1 - sum xi, L_k = xi_k
//                     linear: L_i; quadratic: L_i (2 L_i - 1), middles 4 L_i L_j
//     q4, h8          [-1, 1]^Dim: product of (1 + xi_k c_k)/2, corner at c
//     q8, h20         corner: the same times (sum xi_k c_k - (Dim - 1)); middle: (1 - xi_m^2) times the product
//                     over the other directions (serendipity)
#pragma once

#include <Eigen/Core>
#include <array>

#include "saltus/fem/element_kind.hpp"

namespace saltus {

namespace detail {

// The two corners of every middle, triangle or tetrahedron, square or cube (element_kind.hpp).
inline constexpr std::array<std::array<int, 2>, 3> kMiddlesOfTriangle = {{{0, 1}, {1, 2}, {2, 0}}};
inline constexpr std::array<std::array<int, 2>, 6> kMiddlesOfTetrahedron = {
    {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
inline constexpr std::array<std::array<double, 2>, 8> kNodesOfSquare = {
    {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
inline constexpr std::array<std::array<double, 3>, 20> kNodesOfCube = {
    {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
     {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
     {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}}};

template <int Dim, bool Quadratic>
struct SimplexShape {
  static constexpr int kDim = Dim, kNodes = Quadratic ? (Dim + 1) * (Dim + 2) / 2 : Dim + 1;
  using Point = Eigen::Matrix<double, Dim, 1>;
  using Values = Eigen::Matrix<double, kNodes, 1>;
  using Gradients = Eigen::Matrix<double, kNodes, Dim>;

  static Point node(int i) {
    if (i <= Dim) return i == 0 ? Point(Point::Zero()) : Point(Point::Unit(i - 1));
    return 0.5 * (node(middle(i)[0]) + node(middle(i)[1]));
  }
  static Values values(const Point& xi) {
    Values n;
    for (int i = 0; i <= Dim; ++i) n[i] = Quadratic ? L(xi, i) * (2 * L(xi, i) - 1) : L(xi, i);
    for (int i = Dim + 1; i < kNodes; ++i) n[i] = 4 * L(xi, middle(i)[0]) * L(xi, middle(i)[1]);
    return n;
  }
  static Gradients gradients(const Point& xi) {
    Gradients g;
    for (int i = 0; i <= Dim; ++i) g.row(i) = (Quadratic ? 4 * L(xi, i) - 1 : 1.0) * dL(i);
    for (int i = Dim + 1; i < kNodes; ++i) {
      const auto [a, b] = middle(i);
      g.row(i) = 4 * (L(xi, a) * dL(b) + L(xi, b) * dL(a));
    }
    return g;
  }

 private:
  static std::array<int, 2> middle(int i) {
    if constexpr (Dim == 2)
      return kMiddlesOfTriangle[i - 3];
    else
      return kMiddlesOfTetrahedron[i - 4];
  }
  static double L(const Point& xi, int i) { return i == 0 ? 1 - xi.sum() : xi[i - 1]; }
  static Eigen::Matrix<double, 1, Dim> dL(int i) {
    using Row = Eigen::Matrix<double, 1, Dim>;
    return i == 0 ? Row(Row::Constant(-1)) : Row(Row::Unit(i - 1));
  }
};

template <int Dim, bool Quadratic>
struct CubeShape {
  static constexpr int kDim = Dim, kNodes = (Dim == 2 ? 4 : 8) + (Quadratic ? (Dim == 2 ? 4 : 12) : 0);
  using Point = Eigen::Matrix<double, Dim, 1>;
  using Values = Eigen::Matrix<double, kNodes, 1>;
  using Gradients = Eigen::Matrix<double, kNodes, Dim>;

  static Point node(int i) {
    Point c;
    for (int k = 0; k < Dim; ++k)
      if constexpr (Dim == 2)
        c[k] = kNodesOfSquare[i][k];
      else
        c[k] = kNodesOfCube[i][k];
    return c;
  }
  static Values values(const Point& xi) {
    Values n;
    for (int i = 0; i < kNodes; ++i) {
      const Point c = node(i);
      n[i] = product(c, xi, -1);
      if (Quadratic && i < corners()) n[i] *= xi.dot(c) - (Dim - 1);
    }
    return n;
  }
  static Gradients gradients(const Point& xi) {
    Gradients g;
    for (int i = 0; i < kNodes; ++i) {
      const Point c = node(i);
      const bool corner = Quadratic && i < corners();
      for (int k = 0; k < Dim; ++k) {
        g(i, k) = slope(c[k], xi[k]) * product(c, xi, k);
        if (corner) g(i, k) = g(i, k) * (xi.dot(c) - (Dim - 1)) + product(c, xi, -1) * c[k];
      }
    }
    return g;
  }

 private:
  static constexpr int corners() { return Dim == 2 ? 4 : 8; }
  // One direction: (1 + x c)/2 towards corners, 1 - x^2 along the side of a middle.
  static double factor(double c, double x) { return c == 0 ? 1 - x * x : (1 + x * c) / 2; }
  static double slope(double c, double x) { return c == 0 ? -2 * x : c / 2; }
  static double product(const Point& c, const Point& xi, int without) {
    double p = 1;
    for (int k = 0; k < Dim; ++k)
      if (k != without) p *= factor(c[k], xi[k]);
    return p;
  }
};

}  // namespace detail

template <ElementKind K>
struct ElementShape;
template <>
struct ElementShape<ElementKind::t3> : detail::SimplexShape<2, false> {};
template <>
struct ElementShape<ElementKind::t6> : detail::SimplexShape<2, true> {};
template <>
struct ElementShape<ElementKind::q4> : detail::CubeShape<2, false> {};
template <>
struct ElementShape<ElementKind::q8> : detail::CubeShape<2, true> {};
template <>
struct ElementShape<ElementKind::t4> : detail::SimplexShape<3, false> {};
template <>
struct ElementShape<ElementKind::t10> : detail::SimplexShape<3, true> {};
template <>
struct ElementShape<ElementKind::h8> : detail::CubeShape<3, false> {};
template <>
struct ElementShape<ElementKind::h20> : detail::CubeShape<3, true> {};

// Calls use.template operator()<K>() for the kind, of those of a dimension.
template <int Dim, class Use>
decltype(auto) with_kind(ElementKind kind, Use&& use) {
  using enum ElementKind;
  if constexpr (Dim == 2) {
    switch (kind) {
      case t6: return use.template operator()<t6>();
      case q4: return use.template operator()<q4>();
      case q8: return use.template operator()<q8>();
      default: return use.template operator()<t3>();
    }
  } else {
    switch (kind) {
      case t10: return use.template operator()<t10>();
      case h8: return use.template operator()<h8>();
      case h20: return use.template operator()<h20>();
      default: return use.template operator()<t4>();
    }
  }
}

}  // namespace saltus
