// The outer contour of a 2D sample and the pressure on it.
//
// The contour is the concave hull that a segment of length `reach` finds when it swings around the sample
// (the swinging arm of Galton and Duckham, GIScience 2006): from the lowest body, the next one
// is the first met within reach when turning clockwise from the direction one came from.
#pragma once

#include <span>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

// Indices of the points on the contour, counter-clockwise. Fewer than 3 when there is no contour
// (points too far apart: the arm reaches none).
std::vector<int> compute_contour(std::span<const Vec<2>> points, double reach);

// Adds pressure times length of each side, inwards, half to each end of the side.
void add_pressure(std::span<const Vec<2>> points, std::span<const int> contour, double pressure,
                  std::span<Vec<2>> force);

}  // namespace saltus
