// Where a line passes through a shape.
#pragma once

#include "saltus/geometry/shapes.hpp"

namespace saltus {

// origin + s direction is in the shape for low <= s <= high; empty() when for no s.
struct LineSpan {
  double low = 1e300, high = -1e300;
  bool empty() const { return low > high; }
};

// Exact for all solid shapes; of a compound from the first of its parts to the last, gaps included. Walls and
// ground have no span. The direction is of length 1.
template <int Dim>
LineSpan compute_line_span(const Shape<Dim>& shape, const Pose<Dim>& pose, const Vec<Dim>& origin,
                           const Vec<Dim>& direction);

}  // namespace saltus
