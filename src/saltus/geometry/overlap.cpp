#include "saltus/geometry/overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "saltus/geometry/convex_cell.hpp"
#include "saltus/geometry/mass_properties.hpp"

namespace saltus {

namespace {

constexpr int kSlices = 64;

// Signed area of the triangle (0, a, b) inside the disk of radius r about 0.
double triangle_in_disk(const Vec<2>& a, const Vec<2>& b, double r) {
  const auto sector = [r](const Vec<2>& p, const Vec<2>& q) {
    return 0.5 * r * r * std::atan2(cross2(p, q), p.dot(q));
  };
  const Vec<2> side = b - a;
  const double length2 = side.squaredNorm();
  if (length2 == 0) return 0;
  // Where the line a + s side enters and leaves the disk.
  const double middle = -a.dot(side) / length2;
  const double distance2 = (a + middle * side).squaredNorm();
  if (distance2 >= r * r) return sector(a, b);
  const double half = std::sqrt((r * r - distance2) / length2);
  const double in = std::max(0.0, middle - half), out = std::min(1.0, middle + half);
  if (in >= out) return sector(a, b);
  const Vec<2> p = a + in * side, q = a + out * side;
  return sector(a, p) + 0.5 * cross2(p, q) + sector(q, b);
}

std::array<Vec<2>, 4> corners(const Bounds<2>& box) {
  return {box.low, Vec<2>(box.high.x(), box.low.y()), box.high, Vec<2>(box.low.x(), box.high.y())};
}

bool is_inside(const Vec<2>& low, const Vec<2>& high, const Vec<2>& x, double r) {
  return (x.array() - r >= low.array()).all() && (x.array() + r <= high.array()).all();
}

// Cuts off what is beyond `limit` along `axis`; `sign` 1: beyond is above.
std::vector<Vec<2>> clip(const std::vector<Vec<2>>& polygon, int axis, double limit, double sign) {
  std::vector<Vec<2>> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec<2>&a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double da = sign * (limit - a[axis]), db = sign * (limit - b[axis]);
    if (da >= 0) kept.push_back(a);
    if ((da > 0 && db < 0) || (da < 0 && db > 0)) kept.push_back(a + da / (da - db) * (b - a));
  }
  return kept;
}

double area(const std::vector<Vec<2>>& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    twice += cross2(polygon[i], polygon[(i + 1) % polygon.size()]);
  return 0.5 * twice;
}

double disk_in_box(const Vec<2>& centre, double radius, const Bounds<2>& box) {
  if (is_inside(box.low, box.high, centre, radius)) return std::numbers::pi * radius * radius;
  return compute_disk_in_polygon(centre, radius, corners(box));
}

double disk_in_ring(double distance, double radius, double r0, double r1) {
  return compute_disk_in_disk(distance, radius, r1) - compute_disk_in_disk(distance, radius, r0);
}

// Sum over slices of a sphere between two heights: `slice(radius of the slice, its height)` is an area.
template <class Slice>
double sum_slices(double z, double radius, double z0, double z1, const Slice& slice) {
  const double low = std::max(z - radius, z0), high = std::min(z + radius, z1);
  if (low >= high) return 0;
  double sum = 0;
  const double width = (high - low) / kSlices;
  for (int i = 0; i < kSlices; ++i) {
    const double at = low + (i + 0.5) * width - z;
    // Mean of r^2 - z^2 over the slice: a whole sphere then has its exact volume.
    sum += width * slice(std::sqrt(std::max(0.0, radius * radius - at * at - width * width / 12)), at + z);
  }
  return sum;
}

template <int Dim>
void cut(const Slab<Dim>& slab, ConvexCell<Dim>& cell) {
  cell.cut({slab.normal, slab.high});
  cell.cut({-slab.normal, -slab.low});
}
template <int Dim>
void cut(const Bounds<Dim>& box, ConvexCell<Dim>& cell) {
  for (int axis = 0; axis < Dim; ++axis) {
    cell.cut({Vec<Dim>::Unit(axis), box.high[axis]});
    cell.cut({-Vec<Dim>::Unit(axis), -box.low[axis]});
  }
}

double part_in_box(const Disk& disk, const Pose<2>& pose, const Bounds<2>& box) {
  return disk_in_box(pose.position, disk.radius, box);
}
double part_in_box(const ConvexPolygon& polygon, const Pose<2>& pose, const Bounds<2>& box) {
  std::vector<Vec<2>> points;
  for (const Vec<2>& v : polygon.vertices) points.push_back(pose.to_world(v));
  for (int axis = 0; axis < 2; ++axis) {
    points = clip(points, axis, box.high[axis], 1);
    points = clip(points, axis, box.low[axis], -1);
  }
  return area(points);
}
double part_in_box(const Sphere& sphere, const Pose<3>& pose, const Bounds<3>& box) {
  const Bounds<2> base{box.low.head<2>(), box.high.head<2>()};
  return sum_slices(pose.position.z(), sphere.radius, box.low.z(), box.high.z(),
                    [&](double r, double) { return disk_in_box(pose.position.head<2>(), r, base); });
}
double part_in_box(const ConvexPolyhedron& polyhedron, const Pose<3>& pose, const Bounds<3>& box) {
  ConvexCell<3> cell(polyhedron, pose);
  cut(box, cell);
  return cell.volume();
}
template <int Dim, class Other>
double part_in_box(const Other& other, const Pose<Dim>& pose, const Bounds<Dim>& box) {
  const auto& x = pose.position.array();
  return (x >= box.low.array()).all() && (x < box.high.array()).all() ? compute_volume<Dim>(Shape<Dim>(other))
                                                                      : 0;
}

double part_in_slab(const Disk& disk, const Pose<2>& pose, const Bounds<2>& box, const Slab<2>& slab) {
  ConvexCell<2> cell(box);
  cut(slab, cell);
  return compute_disk_in_polygon(pose.position, disk.radius, cell.corners());
}
double part_in_slab(const ConvexPolygon& polygon, const Pose<2>& pose, const Bounds<2>& box,
                    const Slab<2>& slab) {
  std::vector<Vec<2>> points;
  for (const Vec<2>& v : polygon.vertices) points.push_back(pose.to_world(v));
  ConvexCell<2> cell(std::move(points));
  cut(box, cell);
  cut(slab, cell);
  return cell.volume();
}
// At each height the slab is a strip of the plane.
double part_in_slab(const Sphere& sphere, const Pose<3>& pose, const Bounds<3>& box, const Slab<3>& slab) {
  const Bounds<2> base{box.low.head<2>(), box.high.head<2>()};
  return sum_slices(pose.position.z(), sphere.radius, box.low.z(), box.high.z(), [&](double r, double z) {
    ConvexCell<2> cell(base);
    cut(Slab<2>{slab.normal.head<2>(), slab.low - slab.normal.z() * z, slab.high - slab.normal.z() * z},
        cell);
    return compute_disk_in_polygon(pose.position.head<2>(), r, cell.corners());
  });
}
double part_in_slab(const ConvexPolyhedron& polyhedron, const Pose<3>& pose, const Bounds<3>& box,
                    const Slab<3>& slab) {
  ConvexCell<3> cell(polyhedron, pose);
  cut(box, cell);
  cut(slab, cell);
  return cell.volume();
}
template <int Dim, class Other>
double part_in_slab(const Other& other, const Pose<Dim>& pose, const Bounds<Dim>& box,
                    const Slab<Dim>& slab) {
  const double place = slab.normal.dot(pose.position);
  return place >= slab.low && place < slab.high ? part_in_box(other, pose, box) : 0;
}

}  // namespace

double compute_disk_in_polygon(const Vec<2>& centre, double radius, std::span<const Vec<2>> polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    sum += triangle_in_disk(polygon[i] - centre, polygon[(i + 1) % polygon.size()] - centre, radius);
  return sum;
}

double compute_disk_in_disk(double distance, double radius_a, double radius_b) {
  const double small = std::min(radius_a, radius_b), large = std::max(radius_a, radius_b);
  if (distance >= small + large || small <= 0) return 0;
  if (distance <= large - small) return std::numbers::pi * small * small;
  // Two circular segments on the common chord.
  const double d2 = distance * distance, s2 = small * small, l2 = large * large;
  const double at_small = std::acos(std::clamp((d2 + s2 - l2) / (2 * distance * small), -1.0, 1.0));
  const double at_large = std::acos(std::clamp((d2 + l2 - s2) / (2 * distance * large), -1.0, 1.0));
  return s2 * (at_small - std::sin(at_small) * std::cos(at_small)) +
         l2 * (at_large - std::sin(at_large) * std::cos(at_large));
}

template <int Dim>
bool is_cut(const Shape<Dim>& shape) {
  return std::holds_alternative<Ball<Dim>>(shape) || std::holds_alternative<Compound<Dim>>(shape) ||
         std::holds_alternative<std::conditional_t<Dim == 2, ConvexPolygon, ConvexPolyhedron>>(shape);
}

template <int Dim>
double compute_overlap(const Shape<Dim>& shape, const Pose<Dim>& pose, const Bounds<Dim>& box) {
  if (const auto* compound = std::get_if<Compound<Dim>>(&shape)) {
    double sum = 0;
    for (const auto& part : compound->parts)
      sum += compute_overlap<Dim>(to_shape<Dim>(part.shape), pose * part.pose, box);
    return sum;
  }
  return std::visit([&](const auto& s) { return part_in_box(s, pose, box); }, shape);
}

template <int Dim>
double compute_overlap(const Shape<Dim>& shape, const Pose<Dim>& pose, const Bounds<Dim>& box,
                       const Slab<Dim>& slab) {
  if (const auto* compound = std::get_if<Compound<Dim>>(&shape)) {
    double sum = 0;
    for (const auto& part : compound->parts)
      sum += compute_overlap<Dim>(to_shape<Dim>(part.shape), pose * part.pose, box, slab);
    return sum;
  }
  return std::visit([&](const auto& s) { return part_in_slab(s, pose, box, slab); }, shape);
}

template <int Dim>
double compute_volume(const Bounds<Dim>& box, const Slab<Dim>& slab) {
  ConvexCell<Dim> cell(box);
  cut(slab, cell);
  return cell.volume();
}

template <int Dim>
double compute_overlap(const Shape<Dim>& shape, const Pose<Dim>& pose, const Vec<Dim>& centre,
                       const Ring& ring) {
  const double distance = (pose.position - centre).template head<2>().norm();
  if (const auto* ball = std::get_if<Ball<Dim>>(&shape)) {
    if constexpr (Dim == 2)
      return disk_in_ring(distance, ball->radius, ring.r0, ring.r1);
    else
      return sum_slices(pose.position.z(), ball->radius, ring.z0, ring.z1,
                        [&](double r, double) { return disk_in_ring(distance, r, ring.r0, ring.r1); });
  }
  const bool level = Dim == 2 || (pose.position[Dim - 1] >= ring.z0 && pose.position[Dim - 1] < ring.z1);
  return level && distance >= ring.r0 && distance < ring.r1 ? compute_volume<Dim>(shape) : 0;
}

template bool is_cut<2>(const Shape<2>&);
template bool is_cut<3>(const Shape<3>&);
template double compute_overlap<2>(const Shape<2>&, const Pose<2>&, const Bounds<2>&);
template double compute_overlap<3>(const Shape<3>&, const Pose<3>&, const Bounds<3>&);
template double compute_overlap<2>(const Shape<2>&, const Pose<2>&, const Bounds<2>&, const Slab<2>&);
template double compute_overlap<3>(const Shape<3>&, const Pose<3>&, const Bounds<3>&, const Slab<3>&);
template double compute_volume<2>(const Bounds<2>&, const Slab<2>&);
template double compute_volume<3>(const Bounds<3>&, const Slab<3>&);
template double compute_overlap<2>(const Shape<2>&, const Pose<2>&, const Vec<2>&, const Ring&);
template double compute_overlap<3>(const Shape<3>&, const Pose<3>&, const Vec<3>&, const Ring&);

}  // namespace saltus
