// How much of a shape lies in a region: what solid fractions and profiles are made of.
#pragma once

#include <span>

#include "saltus/geometry/bounds.hpp"

namespace saltus {

// Area of the part of a disk inside a convex polygon (corners counter-clockwise). Exact: the polygon is cut
// into triangles with the centre, each of them a sum of triangles and sectors.
double compute_disk_in_polygon(const Vec<2>& centre, double radius, std::span<const Vec<2>> polygon);

// Area common to two disks whose centres are `distance` apart. Exact.
double compute_disk_in_disk(double distance, double radius_a, double radius_b);

// Whether parts of a shape count; what cannot be cut counts wholly where its origin is (low sides belong to a
// region, high ones do not).
template <int Dim>
bool is_cut(const Shape<Dim>& shape);

// Area (2D) or volume (3D) of the part of a solid shape inside a box along the axes.
// Exact for disks, polygons and polyhedra, and for compounds of them; spheres by the midpoint rule on 64
// slices (relative error below 1e-3); other shapes count wholly where their origin is.
template <int Dim>
double compute_overlap(const Shape<Dim>& shape, const Pose<Dim>& pose, const Bounds<Dim>& box);

// The same inside the box and, in it, between two planes: low <= normal . x <= high.
template <int Dim>
struct Slab {
  Vec<Dim> normal = Vec<Dim>::Unit(0);  // of length 1
  double low = 0, high = 0;
};
template <int Dim>
double compute_overlap(const Shape<Dim>& shape, const Pose<Dim>& pose, const Bounds<Dim>& box,
                       const Slab<Dim>& slab);
// Of the box itself.
template <int Dim>
double compute_volume(const Bounds<Dim>& box, const Slab<Dim>& slab);

// The same inside the ring r0 <= |x - centre| <= r1 (3D: about the z axis, from z0 to z1). Exact for disks;
// spheres by 64 slices, each exact; other shapes count wholly where their origin is.
struct Ring {
  double r0 = 0, r1 = 0;
  double z0 = 0, z1 = 0;  // 3D only
};
template <int Dim>
double compute_overlap(const Shape<Dim>& shape, const Pose<Dim>& pose, const Vec<Dim>& centre,
                       const Ring& ring);

}  // namespace saltus
