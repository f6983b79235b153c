#include "saltus/geometry/bounds.hpp"

#include <cmath>
#include <limits>

namespace saltus {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <int Dim>
Bounds<Dim> around(const Vec<Dim>& centre, const Vec<Dim>& half) {
  return {centre - half, centre + half};
}

template <int Dim>
Bounds<Dim> bounds(const Ball<Dim>& s, const Pose<Dim>& pose) {
  return around<Dim>(pose.position, Vec<Dim>::Constant(s.radius));
}

template <int Dim>
Bounds<Dim> bounds(const Capsule<Dim>& s, const Pose<Dim>& pose) {
  Bounds<Dim> box;
  box.add(pose.to_world(s.start));
  box.add(pose.to_world(s.end));
  box.inflate(s.radius);
  return box;
}

Bounds<3> bounds(const Cylinder& s, const Pose<3>& pose) {
  const Vec<3> axis = pose.rotation().col(2);
  const Vec<3> rim = s.radius * (1 - axis.array().square()).max(0).sqrt();
  return around<3>(pose.position, s.half_length * axis.cwiseAbs() + rim);
}

Bounds<3> bounds(const Ellipsoid& s, const Pose<3>& pose) {
  return around<3>(pose.position, (pose.rotation() * s.semi_axes.asDiagonal()).rowwise().norm());
}

template <int Dim>
Bounds<Dim> of_points(const std::vector<Vec<Dim>>& points, const Pose<Dim>& pose) {
  Bounds<Dim> box;
  const Mat<Dim> turn = pose.rotation();
  for (const Vec<Dim>& x : points) box.add(pose.position + turn * x);
  return box;
}

Bounds<2> bounds(const ConvexPolygon& s, const Pose<2>& pose) { return of_points<2>(s.vertices, pose); }
Bounds<3> bounds(const ConvexPolyhedron& s, const Pose<3>& pose) { return of_points<3>(s.vertices, pose); }
Bounds<2> bounds(const Polyline& s, const Pose<2>& pose) { return of_points<2>(s.points, pose); }
Bounds<3> bounds(const TriangleMesh& s, const Pose<3>& pose) { return of_points<3>(s.vertices, pose); }

template <int Dim>
Bounds<Dim> bounds(const Compound<Dim>& s, const Pose<Dim>& pose) {
  Bounds<Dim> box;
  for (const auto& part : s.parts) {
    std::visit([&](const auto& shape) { box.add(bounds(shape, pose * part.pose)); }, part.shape);
  }
  return box;
}

double radius(const Cylinder& s) { return std::hypot(s.radius, s.half_length); }
double radius(const Ellipsoid& s) { return s.semi_axes.maxCoeff(); }
template <int Dim>
double radius(const Ball<Dim>& s) {
  return s.radius;
}
template <int Dim>
double radius(const Capsule<Dim>& s) {
  return std::max(s.start.norm(), s.end.norm()) + s.radius;
}
template <int Dim>
double farthest(const std::vector<Vec<Dim>>& points) {
  double largest = 0;
  for (const Vec<Dim>& x : points) largest = std::max(largest, x.norm());
  return largest;
}
double radius(const ConvexPolygon& s) { return farthest<2>(s.vertices); }
double radius(const ConvexPolyhedron& s) { return farthest<3>(s.vertices); }
double radius(const Polyline& s) { return farthest<2>(s.points); }
double radius(const TriangleMesh& s) { return farthest<3>(s.vertices); }

template <int Dim>
double radius(const Compound<Dim>& s) {
  double largest = 0;
  for (const auto& part : s.parts) {
    const double r = std::visit([](const auto& shape) { return radius(shape); }, part.shape);
    largest = std::max(largest, part.pose.position.norm() + r);
  }
  return largest;
}

}  // namespace

template <int Dim>
Bounds<Dim> compute_bounds(const Shape<Dim>& shape, const Pose<Dim>& pose) {
  return std::visit(
      [&](const auto& s) -> Bounds<Dim> {
        if constexpr (requires { bounds(s, pose); }) {
          return bounds(s, pose);
        } else {
          return {Vec<Dim>::Constant(-kInfinity), Vec<Dim>::Constant(kInfinity)};
        }
      },
      shape);
}

template <int Dim>
Bounds<Dim> compute_convex_bounds(const ConvexShape<Dim>& shape, const Pose<Dim>& pose) {
  return std::visit([&](const auto& s) { return bounds(s, pose); }, shape);
}

template <int Dim>
double compute_bounding_radius(const Shape<Dim>& shape) {
  return std::visit(
      [](const auto& s) -> double {
        if constexpr (requires { radius(s); }) {
          return radius(s);
        } else {
          return kInfinity;
        }
      },
      shape);
}

template <int Dim>
bool is_unbounded(const Shape<Dim>& shape) {
  return std::isinf(compute_bounding_radius<Dim>(shape));
}

template Bounds<2> compute_bounds<2>(const Shape<2>&, const Pose<2>&);
template Bounds<3> compute_bounds<3>(const Shape<3>&, const Pose<3>&);
template Bounds<2> compute_convex_bounds<2>(const ConvexShape<2>&, const Pose<2>&);
template Bounds<3> compute_convex_bounds<3>(const ConvexShape<3>&, const Pose<3>&);
template double compute_bounding_radius<2>(const Shape<2>&);
template double compute_bounding_radius<3>(const Shape<3>&);
template bool is_unbounded<2>(const Shape<2>&);
template bool is_unbounded<3>(const Shape<3>&);

}  // namespace saltus
