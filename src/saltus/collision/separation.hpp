// The direction along which two cores are farthest apart, or overlap least.
//
// The separation along a unit direction n is s(n) = min_b n.x - max_a n.x. Its maximum over n is the
// distance when the cores are apart, and minus the depth when they overlap. Overlapping polytopes
// have it at a face of one of them or at the cross product of two edges (separating axes; pairs of
// edges are pruned by their Gauss maps: D. Gregorius, GDC 2013); for a cylinder the surface of the
// Minkowski difference is refined around it (expanding polytope: G. van den Bergen, 2001).
#pragma once

#include <limits>

#include "saltus/collision/piece.hpp"

namespace saltus {

template <int Dim>
struct Separation {
  Vec<Dim> normal = Vec<Dim>::Unit(Dim - 1);  // from a to b
  double value = 0;
  Vec<Dim> on_a = Vec<Dim>::Zero();  // points of the two cores nearest along the normal
  Vec<Dim> on_b = Vec<Dim>::Zero();
};

// s(n) itself.
template <int Dim>
double separation_along(const Piece<Dim>& a, const Piece<Dim>& b, const Vec<Dim>& n) {
  return -support_height<Dim>(b, -n) - support_height<Dim>(a, n);
}

// Largest separation of two pieces of which one at least has a curved surface, to a relative tolerance of
// 1e-9.
Separation<3> compute_curved_separation(const Piece<3>& a, const Piece<3>& b);

// Brings the separation of a smooth piece from another, found to a tolerance, to round-off: Newton's method on s(n), whose
// second derivatives on the tangent plane are those of the support functions and s itself. Of what has no
// curvature of its own (corners, and faces, whose normal is then exact already) none is taken. Where a step does not raise s it stays.
void polish_smooth_separation(const Piece<3>& a, const Piece<3>& b, Separation<3>& separation);

// The distance when the cores are apart, minus the depth otherwise: the maximum of s(n) over all n. Of cores
// farther apart than `far` only that is sure: the value is then above `far`. Among axes of equal separation,
// within 1e-10 of the size, faces are preferred to edges, and those of a to those of b.
template <int Dim>
Separation<Dim> compute_signed_distance(const Piece<Dim>& a, const Piece<Dim>& b,
                                        double far = std::numeric_limits<double>::infinity());

}  // namespace saltus
