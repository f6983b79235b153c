// Mass, centre and inertia of shapes, and their bounds.
#pragma once

#include <string>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

template <int Dim>
struct MassProperties {
  double mass = 0;
  Vec<Dim> centre = Vec<Dim>::Zero();               // in the frame of the shape
  Inertia<Dim> inertia = Inertia<Dim>::Zero();      // about the centre, axes of the shape's frame
};

// Area (2D) or volume (3D); 0 for walls, ground and bare segments.
template <int Dim>
double compute_volume(const Shape<Dim>& shape);

// Exact for all solid shapes; a compound is the sum of its parts (overlaps count twice).
// Throws InputError when the shape has no volume or the density is not positive and finite.
template <int Dim>
MassProperties<Dim> compute_mass_properties(const Shape<Dim>& shape, double density, const std::string& where = {});

// A given mass and inertia must be possible: finite and positive, in 3D symmetric, positive
// definite and with principal moments that obey I_i <= I_j + I_k. Throws InputError.
template <int Dim>
void check_inertia(double mass, const Inertia<Dim>& inertia, const std::string& where = {});

template <int Dim>
struct Bounds {
  Vec<Dim> low = Vec<Dim>::Constant(1e300);
  Vec<Dim> high = Vec<Dim>::Constant(-1e300);

  void add(const Vec<Dim>& x) { low = low.cwiseMin(x), high = high.cwiseMax(x); }
  void add(const Bounds& other) { low = low.cwiseMin(other.low), high = high.cwiseMax(other.high); }
  void inflate(double margin) { low.array() -= margin, high.array() += margin; }
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

// Largest distance of a point of the shape from the origin of its frame; infinite for unbounded shapes.
template <int Dim>
double compute_bounding_radius(const Shape<Dim>& shape);

template <int Dim>
bool is_unbounded(const Shape<Dim>& shape);

}  // namespace saltus
