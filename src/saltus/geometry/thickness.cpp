#include "saltus/geometry/thickness.hpp"

#include <algorithm>
#include <limits>

#include "saltus/geometry/corner_tree.hpp"

namespace saltus {

namespace {

template <int Dim>
double thickness(const Ball<Dim>& s) {
  return 2 * s.radius;
}
template <int Dim>
double thickness(const Capsule<Dim>& s) {
  return 2 * s.radius;
}
double thickness(const Cylinder& s) { return 2 * std::min(s.radius, s.half_length); }

double thickness(const Ellipsoid& s) { return 2 * s.semi_axes.minCoeff(); }

double thickness(const ConvexPolygon& s) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < s.vertices.size(); ++i) {
    const Vec<2>& corner = s.vertices[i];
    const Vec<2> inwards = quarter_turn(s.vertices[(i + 1) % s.vertices.size()] - corner).normalized();
    double farthest = 0;
    for (const Vec<2>& x : s.vertices) farthest = std::max(farthest, inwards.dot(x - corner));
    least = std::min(least, farthest);
  }
  return least;
}

double thickness(const ConvexPolyhedron& s) {
  const CornerTree corners(s.vertices);
  double least = std::numeric_limits<double>::infinity();
  int farthest = 0;
  for (std::size_t f = 0; f < s.normal.size(); ++f) {
    farthest = corners.farthest(-s.normal[f], farthest);
    least = std::min(least, s.offset[f] - s.normal[f].dot(s.vertices[static_cast<std::size_t>(farthest)]));
  }
  return least;
}

}  // namespace

template <int Dim>
double compute_thickness(const Shape<Dim>& shape) {
  const auto of_part = [](const auto& s) -> double {
    if constexpr (requires { thickness(s); })
      return thickness(s);
    else
      return 0;
  };
  if (const auto* compound = std::get_if<Compound<Dim>>(&shape)) {
    double most = 0;
    for (const auto& part : compound->parts) most = std::max(most, std::visit(of_part, part.shape));
    return most;
  }
  return std::visit(of_part, shape);
}

template double compute_thickness<2>(const Shape<2>&);
template double compute_thickness<3>(const Shape<3>&);

}  // namespace saltus
