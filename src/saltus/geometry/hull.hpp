// Triangles of the convex hull of points in space (quickhull: Barber, Dobkin and Huhdanpaa,
// ACM Trans. Math. Softw. 22 (1996)), without the merging of coplanar triangles.
#pragma once

#include <array>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

// Corners of each triangle as indices of `points`, counter-clockwise seen from outside. Points
// within `tolerance` (m) of the hull may be left out. Empty when the points lie within
// `tolerance` of a plane, line or point, or when round-off needs a larger tolerance.
std::vector<std::array<int, 3>> compute_hull_triangles(const std::vector<Vec<3>>& points, double tolerance);

// Whether the points are farther apart than `tolerance` (m) in every direction, as far as a first tetrahedron
// of points tells: without it there is no hull.
bool spans_volume(const std::vector<Vec<3>>& points, double tolerance);

}  // namespace saltus
