// The direction along which two cores are farthest apart, or overlap least.
//
// The separation along a unit direction n is s(n) = min_b n.x - max_a n.x. Its maximum over n is the
// distance when the cores are apart, and minus the depth when they overlap. Overlapping polytopes
// have it at a face of one of them or at the cross product of two edges (separating axes; pairs of
// edges are pruned by their Gauss maps: D. Gregorius, GDC 2013); for a cylinder the surface of the
// Minkowski difference is refined around it (expanding polytope: G. van den Bergen, 2001).
#pragma once

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

// Largest separation over the axes of two polytopes: exact when they overlap, a lower bound of the distance
// otherwise. Faces are preferred to edges, and a to b, within a round-off of 1e-10 of the size.
template <int Dim>
Separation<Dim> compute_separation(const Piece<Dim>& a, const Piece<Dim>& b);

// The same for pieces with curved surfaces, to a relative tolerance of 1e-9.
Separation<3> compute_curved_separation(const Piece<3>& a, const Piece<3>& b);

// The distance when the cores are apart, minus the depth otherwise: the maximum of s(n) over all n.
template <int Dim>
Separation<Dim> compute_signed_distance(const Piece<Dim>& a, const Piece<Dim>& b);

}  // namespace saltus
