#include "saltus/geometry/line_span.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

LineSpan common(const LineSpan& a, const LineSpan& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}
LineSpan around(const LineSpan& a, const LineSpan& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// distance + slope s <= 0.
LineSpan half_span(double distance, double slope) {
  if (slope == 0) return distance <= 0 ? LineSpan{-kInfinity, kInfinity} : LineSpan{};
  return slope > 0 ? LineSpan{-kInfinity, -distance / slope} : LineSpan{-distance / slope, kInfinity};
}

// |arm + s way| <= radius.
template <int Dim>
LineSpan round_span(const Vec<Dim>& arm, const Vec<Dim>& way, double radius) {
  const double length2 = way.squaredNorm();
  if (length2 == 0) return arm.norm() <= radius ? LineSpan{-kInfinity, kInfinity} : LineSpan{};
  const double middle = -arm.dot(way) / length2;
  const double room = radius * radius - (arm + middle * way).squaredNorm();
  if (room < 0) return {};
  const double half = std::sqrt(room / length2);
  return {middle - half, middle + half};
}

template <int Dim>
LineSpan span_in(const Ball<Dim>& ball, const Vec<Dim>& x, const Vec<Dim>& way) {
  return round_span<Dim>(x, way, ball.radius);
}

// Two balls, and between their centres what is within the radius of the axis.
template <int Dim>
LineSpan span_in(const Capsule<Dim>& capsule, const Vec<Dim>& x, const Vec<Dim>& way) {
  const LineSpan ends = around(round_span<Dim>(x - capsule.start, way, capsule.radius),
                               round_span<Dim>(x - capsule.end, way, capsule.radius));
  const double length = (capsule.end - capsule.start).norm();
  if (!(length > 0)) return ends;
  const Vec<Dim> axis = (capsule.end - capsule.start) / length, arm = x - capsule.start;
  const double along = axis.dot(arm), rate = axis.dot(way);
  const LineSpan side = common(round_span<Dim>(arm - along * axis, way - rate * axis, capsule.radius),
                               common(half_span(-along, -rate), half_span(along - length, rate)));
  return around(ends, side);
}

LineSpan span_in(const ConvexPolygon& polygon, const Vec<2>& x, const Vec<2>& way) {
  LineSpan span{-kInfinity, kInfinity};
  for (std::size_t i = 0; i < polygon.vertices.size(); ++i) {
    const Vec<2>& corner = polygon.vertices[i];
    const Vec<2> side = polygon.vertices[(i + 1) % polygon.vertices.size()] - corner;
    span = common(span, half_span(cross2(x - corner, side), cross2(way, side)));
  }
  return span;
}

LineSpan span_in(const ConvexPolyhedron& polyhedron, const Vec<3>& x, const Vec<3>& way) {
  LineSpan span{-kInfinity, kInfinity};
  for (std::size_t face = 0; face < polyhedron.normal.size(); ++face)
    span = common(span, half_span(polyhedron.normal[face].dot(x) - polyhedron.offset[face],
                                  polyhedron.normal[face].dot(way)));
  return span;
}

LineSpan span_in(const Cylinder& cylinder, const Vec<3>& x, const Vec<3>& way) {
  const LineSpan side = round_span<2>(x.head<2>(), way.head<2>(), cylinder.radius);
  return common(side, common(half_span(x.z() - cylinder.half_length, way.z()),
                             half_span(-x.z() - cylinder.half_length, -way.z())));
}

// A ball, in lengths of the semi-axes.
LineSpan span_in(const Ellipsoid& ellipsoid, const Vec<3>& x, const Vec<3>& way) {
  return round_span<3>(x.cwiseQuotient(ellipsoid.semi_axes), way.cwiseQuotient(ellipsoid.semi_axes), 1);
}

template <int Dim>
LineSpan span_in(const Compound<Dim>& compound, const Vec<Dim>& x, const Vec<Dim>& way) {
  LineSpan span;
  for (const auto& part : compound.parts)
    span = around(span, std::visit(
                            [&](const auto& shape) {
                              return span_in(shape, part.pose.to_local(x), part.pose.unrotated(way));
                            },
                            part.shape));
  return span;
}

template <int Dim, class Wall>
LineSpan span_in(const Wall&, const Vec<Dim>&, const Vec<Dim>&) {
  return {};
}

}  // namespace

template <int Dim>
LineSpan compute_line_span(const Shape<Dim>& shape, const Pose<Dim>& pose, const Vec<Dim>& origin,
                           const Vec<Dim>& direction) {
  const Vec<Dim> x = pose.to_local(origin), way = pose.unrotated(direction);
  return std::visit([&](const auto& s) { return span_in(s, x, way); }, shape);
}

template LineSpan compute_line_span<2>(const Shape<2>&, const Pose<2>&, const Vec<2>&, const Vec<2>&);
template LineSpan compute_line_span<3>(const Shape<3>&, const Pose<3>&, const Vec<3>&, const Vec<3>&);

}  // namespace saltus
