// The outer contour of a 2D sample and the pressure on it.
//
// The contour is what a disk of diameter `reach` touches when it rolls around the sample: the outer boundary
// of the alpha shape (Edelsbrunner, Kirkpatrick and Seidel 1983). It never crosses itself, and no side is
// longer than `reach`. Of a sample in several clusters, further apart than that, it is that of the largest.
#pragma once

#include <span>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

// Indices of the points on the contour, counter-clockwise; a point that joins two parts of a sample, or ends
// a chain, comes more than once or is gone round. Empty when there is no contour (points too far apart).
std::vector<int> compute_contour(std::span<const Vec<2>> points, double reach);

// Adds pressure times length of each side, inwards, half to each end of the side.
void add_pressure(std::span<const Vec<2>> points, std::span<const int> contour, double pressure,
                  std::span<Vec<2>> force);

}  // namespace saltus
