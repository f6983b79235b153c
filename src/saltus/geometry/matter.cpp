#include "saltus/geometry/matter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

// Below this weight a corner has no part in a nearest point.
constexpr double kOnEdge = 1e-9;
// Elements are as near as the nearest up to this, relative to the size of the whole.
constexpr double kAsNear = 1e-9;

template <int Dim>
double distance_to_segment(const Vec<Dim>& a, const Vec<Dim>& b, const Vec<Dim>& x) {
  const double along = std::clamp((x - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (x - a - along * (b - a)).norm();
}

template <int Dim>
bool holds(const Ball<Dim>& s, const Vec<Dim>& x) {
  return x.norm() <= s.radius;
}
template <int Dim>
bool holds(const Capsule<Dim>& s, const Vec<Dim>& x) {
  return s.radius > 0 && distance_to_segment<Dim>(s.start, s.end, x) <= s.radius;
}
bool holds(const Cylinder& s, const Vec<3>& x) {
  return std::abs(x.z()) <= s.half_length && std::hypot(x.x(), x.y()) <= s.radius;
}
bool holds(const Ellipsoid& s, const Vec<3>& x) { return x.cwiseQuotient(s.semi_axes).norm() <= 1; }
bool holds(const ConvexPolygon& s, const Vec<2>& x) {
  for (std::size_t i = 0; i < s.vertices.size(); ++i)
    if (cross2(s.vertices[(i + 1) % s.vertices.size()] - s.vertices[i], x - s.vertices[i]) < 0) return false;
  return true;
}
bool holds(const ConvexPolyhedron& s, const Vec<3>& x) {
  for (int f = 0; f < s.faces(); ++f)
    if (s.normal[f].dot(x) > s.offset[f]) return false;
  return true;
}
template <int Dim>
bool holds(const HalfSpace<Dim>& s, const Vec<Dim>& x) {
  return s.normal.dot(x) <= s.offset;
}
template <int Dim>
bool holds(const Hollow<Dim>& s, const Vec<Dim>& x) {
  return x.norm() >= s.radius;
}
bool holds(const HollowCylinder& s, const Vec<3>& x) { return std::hypot(x.x(), x.y()) >= s.radius; }
template <int Dim>
bool holds(const Compound<Dim>& s, const Vec<Dim>& x) {
  return std::any_of(s.parts.begin(), s.parts.end(), [&](const auto& part) {
    return std::visit([&](const auto& p) { return holds(p, Vec<Dim>(part.pose.to_local(x))); }, part.shape);
  });
}

// Weights of the corners in the nearest point of an element.
std::array<double, 2> weigh(const std::array<Vec<2>, 2>& p, const Vec<2>& x) {
  const Vec<2> side = p[1] - p[0];
  const double along = std::clamp((x - p[0]).dot(side) / side.squaredNorm(), 0.0, 1.0);
  return {1 - along, along};
}

// Within the triangle by areas; otherwise the best of its sides.
std::array<double, 3> weigh(const std::array<Vec<3>, 3>& p, const Vec<3>& x) {
  const Vec<3> area = (p[1] - p[0]).cross(p[2] - p[0]);
  std::array<double, 3> result{};
  bool within = true;
  for (int k = 0; k < 3; ++k) {
    const Vec<3>&q = p[(k + 1) % 3], &r = p[(k + 2) % 3];
    result[k] = (r - q).cross(x - q).dot(area) / area.squaredNorm();
    within &= result[k] >= 0;
  }
  if (within) return result;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec<3>&q = p[k], &r = p[(k + 1) % 3];
    const double along = std::clamp((x - q).dot(r - q) / (r - q).squaredNorm(), 0.0, 1.0);
    const double distance = (x - q - along * (r - q)).squaredNorm();
    if (!(distance < least)) continue;
    least = distance;
    result = {};
    result[k] = 1 - along;
    result[(k + 1) % 3] = along;
  }
  return result;
}

// Unit normal out of the matter.
Vec<2> normal_of(const std::array<Vec<2>, 2>& p) { return quarter_turn(p[1] - p[0]).normalized(); }
Vec<3> normal_of(const std::array<Vec<3>, 3>& p) { return (p[1] - p[0]).cross(p[2] - p[0]).normalized(); }

// Of an element at its corner k.
double angle_at(const std::array<Vec<2>, 2>&, int) { return 1; }
double angle_at(const std::array<Vec<3>, 3>& p, int k) {
  const Vec<3> side = p[(k + 1) % 3] - p[k], other = p[(k + 2) % 3] - p[k];
  return std::atan2(side.cross(other).norm(), side.dot(other));
}

template <int Dim>
std::array<Vec<Dim>, Dim> corners_of(const std::array<int, Dim>& element,
                                     const std::vector<Vec<Dim>>& corners) {
  std::array<Vec<Dim>, Dim> result;
  for (int k = 0; k < Dim; ++k) result[k] = corners[element[k]];
  return result;
}

}  // namespace

template <int Dim>
Matter<Dim>::Matter(const Shape<Dim>& shape) : shape_(shape) {
  if constexpr (Dim == 2) {
    const auto* line = std::get_if<Polyline>(&shape);
    if (!line) return;
    std::vector<Element> elements;
    const int count = static_cast<int>(line->points.size());
    for (int i = 0; i + 1 < count; ++i) elements.push_back({i, i + 1});
    if (line->closed) elements.push_back({count - 1, 0});
    add_surface(line->points, std::move(elements));
  } else if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    add_surface(mesh->vertices, mesh->triangles);
  }
}

template <int Dim>
void Matter<Dim>::add_surface(const std::vector<Vec<Dim>>& corners, std::vector<Element> elements) {
  corners_ = corners;
  elements_ = std::move(elements);
  std::vector<Bounds<Dim>> boxes(elements_.size());
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    for (const int corner : elements_[e]) boxes[e].add(corners_[corner]);
    bounds_.add(boxes[e]);
  }
  tree_ = BoxTree<Dim>(boxes);
  on_rim_.assign(corners_.size(), 0);
  if constexpr (Dim == 2) {
    for (const Element& e : elements_)
      for (const int corner : e) on_rim_[corner] ^= 1;
  } else {
    for (const Element& e : elements_)
      for (int k = 0; k < 3; ++k)
        if (const std::pair<int, int> edge = std::minmax(e[k], e[(k + 1) % 3]); !rim_.insert(edge).second)
          rim_.erase(edge);
    for (const auto& [u, v] : rim_) on_rim_[u] = on_rim_[v] = 1;
  }
}

template <int Dim>
Vec<Dim> Matter<Dim>::nearest(int element, const Vec<Dim>& x, std::array<double, Dim>& weights) const {
  weights = weigh(corners_of<Dim>(elements_[element], corners_), x);
  Vec<Dim> point = Vec<Dim>::Zero();
  for (int k = 0; k < Dim; ++k) point += weights[k] * corners_[elements_[element][k]];
  return point;
}

// The distance to the surface, and the elements of a box around x that holds the nearest of them.
template <int Dim>
double Matter<Dim>::find_nearest(const Vec<Dim>& x, std::vector<int>& elements) const {
  const double size = (bounds_.high - bounds_.low).norm();
  const double outside = (x - x.cwiseMax(bounds_.low).cwiseMin(bounds_.high)).norm();
  std::array<double, Dim> weights;
  for (double radius = outside + size / 32;; radius *= 2) {
    tree_.query({x.array() - radius, x.array() + radius}, elements);
    if (elements.empty()) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const int e : elements) least = std::min(least, (x - nearest(e, x, weights)).norm());
    if (least <= radius) return least;
  }
}

template <int Dim>
bool Matter<Dim>::is_behind(const Vec<Dim>& x) const {
  std::vector<int> around;
  const double least = find_nearest(x, around);
  const double limit = least + kAsNear * (bounds_.high - bounds_.low).norm();
  std::array<double, Dim> weights;
  double seen = 0;  // from the front, in sum
  for (const int e : around) {
    const Vec<Dim> point = nearest(e, x, weights);
    if ((x - point).norm() > limit) continue;
    std::vector<int> carried;
    for (int k = 0; k < Dim; ++k)
      if (weights[k] > kOnEdge) carried.push_back(k);
    const Element& element = elements_[e];
    if (carried.size() == 1 && on_rim_[element[carried[0]]]) return false;
    if (Dim == 3 && carried.size() == 2 && rim_.count(std::minmax(element[carried[0]], element[carried[1]])))
      return false;
    const auto corners = corners_of<Dim>(element, corners_);
    const double weight = carried.size() == 1 ? angle_at(corners, carried[0]) : 1.0;
    seen += weight * normal_of(corners).dot(x - point);
  }
  return seen < 0;
}

template <int Dim>
bool Matter<Dim>::contains(const Vec<Dim>& x) const {
  if (!elements_.empty()) return is_behind(x);
  return std::visit(
      [&](const auto& s) {
        if constexpr (requires { holds(s, x); })
          return holds(s, x);
        else
          return false;
      },
      shape_);
}

template class Matter<2>;
template class Matter<3>;

}  // namespace saltus
