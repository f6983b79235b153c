// Surfaces of bodies of space as balls and triangles, ready to be drawn.
#pragma once

#include <array>
#include <vector>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

struct SurfaceTriangle {
  std::array<Vec<3>, 3> corner, normal;  // normals out of the matter, one per corner
};

struct Surface {
  std::vector<Ball<3>> balls;   // with
  std::vector<Vec<3>> centres;  // their centres
  std::vector<SurfaceTriangle> triangles;
};

// `extent`: half the length of what is drawn of endless shapes (planes, drums), about `middle`.
Surface build_surface(const Shape<3>& shape, const Pose<3>& pose, const Vec<3>& middle, double extent);

}  // namespace saltus
