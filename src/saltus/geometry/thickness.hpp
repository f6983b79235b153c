// How thick a body is: the unit in which the certificate counts overlap.
//
// Smallest distance between two parallel lines (2D) or planes (3D) that hold the shape between them: the
// diameter of a ball or capsule, the smallest side of a box, the smaller of diameter and height of a
// cylinder. For a polyhedron planes along its faces are tried, not those along two edges (a regular
// tetrahedron counts its height, 1.15 times its width). A compound counts its thickest part. It does not
// change when the shape is turned in its frame.
#pragma once

#include "saltus/geometry/shapes.hpp"

namespace saltus {

// m; 0 for walls and ground, which have no volume.
template <int Dim>
double compute_thickness(const Shape<Dim>& shape);

}  // namespace saltus
