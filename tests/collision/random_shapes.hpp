// Random convex shapes and poses for the fuzz tests: round, thin, tiny and large, from one seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/shapes.hpp"

namespace saltus {

class RandomShapes {
 public:
  explicit RandomShapes(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

  template <int Dim>
  Vec<Dim> vector() {
    Vec<Dim> v;
    for (int k = 0; k < Dim; ++k) v(k) = std::normal_distribution<double>()(engine_);
    return v;
  }
  template <int Dim>
  Vec<Dim> direction() {
    return vector<Dim>().normalized();
  }

  // Sizes over three decades: a pair may have a ratio of 1000.
  double size() { return std::pow(10.0, uniform(-2, 1)); }

  template <int Dim>
  Pose<Dim> turned(const Vec<Dim>& x) {
    if constexpr (Dim == 2) {
      return Pose<2>(x, uniform(-4, 4));
    } else {
      const Eigen::Vector4d q = vector<4>();
      return Pose<3>(x, Eigen::Quaterniond(q(0), q(1), q(2), q(3)));
    }
  }

  ConvexPolygon polygon(double size) {
    const int count = integer(3, 9);
    const double flat = integer(0, 3) == 0 ? 0.01 : uniform(0.2, 1);
    std::vector<double> angles;
    while (static_cast<int>(angles.size()) < count) {
      const double angle = uniform(0, 2 * 3.141592653589793);
      bool far = true;
      for (const double other : angles)
        far = far && std::abs(std::remainder(angle - other, 6.283185307179586)) > 0.05;
      if (far) angles.push_back(angle);
    }
    std::sort(angles.begin(), angles.end());
    std::vector<Vec<2>> corners;
    for (const double angle : angles)
      corners.push_back({size * std::cos(angle), flat * size * std::sin(angle)});
    return build_convex_polygon(corners);
  }

  ConvexPolyhedron polyhedron(double size) {
    // One draw a line: the order in which arguments are evaluated is the compiler's.
    const double width = uniform(0.2, 1);
    const double thickness = integer(0, 3) == 0 ? 0.02 : uniform(0.3, 1);
    const Vec<3> scale(1, width, thickness);
    const int kind = integer(0, 2);
    if (kind == 0) return build_box(size * scale);
    std::vector<Vec<3>> points;
    for (int n = kind == 1 ? 4 : integer(6, 20); n > 0; --n)
      points.push_back(size * scale.cwiseProduct(direction<3>()));
    return build_convex_polyhedron(points);
  }

  template <int Dim>
  ConvexShape<Dim> polytope() {
    if constexpr (Dim == 2) {
      return polygon(size());
    } else {
      return polyhedron(size());
    }
  }

  template <int Dim>
  ConvexShape<Dim> any() {
    const double s = size();
    switch (integer(0, 3)) {
      case 0: return Ball<Dim>{s};
      case 1:
        return Capsule<Dim>{s * vector<Dim>(), s * vector<Dim>(), integer(0, 2) ? s * uniform(0.1, 1) : 0};
      default: return polytope<Dim>();
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace saltus
