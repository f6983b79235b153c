// Surfaces of bodies of space as balls and triangles, ready to be drawn.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

struct SurfaceTriangle {
  std::array<Vec<3>, 3> corner, normal;  // normals out of the matter, one per corner
  // Of a field, linear in between; nan: the triangle has the colour of its body.
  std::array<float, 3> value{kNoValue, kNoValue, kNoValue};
  std::array<bool, 3> outlined{};  // whether the side across from a corner is drawn: it is one of an element

  static constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
};

struct Surface {
  std::vector<Ball<3>> balls;   // with
  std::vector<Vec<3>> centres;  // their centres
  std::vector<SurfaceTriangle> triangles;
};

// A tube of `sides` sides, closed by balls of its radius.
void add_tube(const Vec<3>& from, const Vec<3>& to, double radius, int sides, Surface& surface);

// `extent`: half the length of what is drawn of endless shapes (planes, drums), about `middle`.
Surface build_surface(const Shape<3>& shape, const Pose<3>& pose, const Vec<3>& middle, double extent);

}  // namespace saltus
