// Algebra of the second-order cone { x : x_0 >= |x_1..| } that interior point needs: the Jordan
// product x o z = (x.z, x_0 z_1 + z_0 x_1), its inverse, the Nesterov-Todd scaling and the
// longest step to the boundary. Formulas: L. Vandenberghe, "The CVXOPT linear and quadratic
// cone program solvers" (2010).
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::soc {

template <int N>
using Vec = Eigen::Matrix<double, N, 1>;
template <int N>
using Mat = Eigen::Matrix<double, N, N>;

// x_0^2 - |x_1|^2 without cancellation; positive inside the cone.
template <int N>
double determinant(const Vec<N>& x) {
  const double length = x.template tail<N - 1>().norm();
  return (x[0] - length) * (x[0] + length);
}

template <int N>
Vec<N> product(const Vec<N>& x, const Vec<N>& z) {
  Vec<N> result;
  result[0] = x.dot(z);
  result.template tail<N - 1>() = x[0] * z.template tail<N - 1>() + z[0] * x.template tail<N - 1>();
  return result;
}

// y with x o y = d, x inside the cone.
template <int N>
Vec<N> divide(const Vec<N>& d, const Vec<N>& x) {
  const double det = determinant<N>(x);
  const double inner = x.template tail<N - 1>().dot(d.template tail<N - 1>());
  Vec<N> result;
  result[0] = (x[0] * d[0] - inner) / det;
  result.template tail<N - 1>() = (d.template tail<N - 1>() - result[0] * x.template tail<N - 1>()) / x[0];
  return result;
}

// The symmetric matrix T with T x = T^-1 z, x and z inside the cone.
template <int N>
Mat<N> scaling(const Vec<N>& x, const Vec<N>& z) {
  const double root_x = std::sqrt(determinant<N>(x)), root_z = std::sqrt(determinant<N>(z));
  const Vec<N> xs = x / root_x, zs = z / root_z;
  const double gamma = std::sqrt((1 + xs.dot(zs)) / 2);
  Vec<N> w = zs;
  w[0] += xs[0];
  w.template tail<N - 1>() -= xs.template tail<N - 1>();
  w /= 2 * gamma;
  Mat<N> t;
  t(0, 0) = w[0];
  t.template block<1, N - 1>(0, 1) = w.template tail<N - 1>().transpose();
  t.template block<N - 1, 1>(1, 0) = w.template tail<N - 1>();
  t.template bottomRightCorner<N - 1, N - 1>() =
      Mat<N - 1>::Identity() + w.template tail<N - 1>() * w.template tail<N - 1>().transpose() / (1 + w[0]);
  return t * std::sqrt(root_z / root_x);
}

// Largest a with x + a dx in the cone (infinity when there is no limit), x inside.
template <int N>
double longest_step(const Vec<N>& x, const Vec<N>& dx) {
  const double a = determinant<N>(dx);
  const double b = x[0] * dx[0] - x.template tail<N - 1>().dot(dx.template tail<N - 1>());
  const double c = std::max(0.0, determinant<N>(x));
  double step = std::numeric_limits<double>::infinity();
  const double discriminant = b * b - a * c;
  if (discriminant >= 0) {  // roots of a s^2 + 2 b s + c; c >= 0
    const double q = -b + std::sqrt(discriminant);
    if (q > 0) step = c / q;
  }
  if (dx[0] < 0) step = std::min(step, -x[0] / dx[0]);
  return step;
}

}  // namespace saltus::soc
