// Boxes along the axes, and the bounds of shapes.
#pragma once

#include "saltus/geometry/shapes.hpp"

namespace saltus {

template <int Dim>
struct Bounds {
  Vec<Dim> low = Vec<Dim>::Constant(1e300);
  Vec<Dim> high = Vec<Dim>::Constant(-1e300);

  void add(const Vec<Dim>& x) { low = low.cwiseMin(x), high = high.cwiseMax(x); }
  void add(const Bounds& other) { low = low.cwiseMin(other.low), high = high.cwiseMax(other.high); }
  void inflate(double by) { low.array() -= by, high.array() += by; }
  bool overlaps(const Bounds& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
  bool contains(const Bounds& other) const {
    return (low.array() <= other.low.array()).all() && (other.high.array() <= high.array()).all();
  }
};

// Box along the axes that holds the shape at a pose. Unbounded shapes (half-space, hollow ones)
// give infinite bounds.
template <int Dim>
Bounds<Dim> compute_bounds(const Shape<Dim>& shape, const Pose<Dim>& pose);

template <int Dim>
Bounds<Dim> compute_convex_bounds(const ConvexShape<Dim>& shape, const Pose<Dim>& pose);

// Largest distance of a point of the shape from the origin of its frame; infinite for unbounded shapes.
template <int Dim>
double compute_bounding_radius(const Shape<Dim>& shape);

template <int Dim>
bool is_unbounded(const Shape<Dim>& shape);

}  // namespace saltus
