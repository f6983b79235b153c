// Columns n, t (2D) or n, t, s (3D): a right-handed orthonormal frame that depends on the normal
// alone, continuously except where n is near -e_z. In 2D t is a quarter turn counter-clockwise
// from n. In 3D: J. W. Frisvad's frame in the form of T. Duff et al., J. Comput. Graph. Tech. 6
// (2017), which loses no accuracy anywhere.
#pragma once

#include <cmath>

#include "saltus/geometry/vec.hpp"

namespace saltus {

inline Mat<2> contact_axes(const Vec<2>& normal) {
  Mat<2> axes;
  axes << normal, quarter_turn(normal);
  return axes;
}

inline Mat<3> contact_axes(const Vec<3>& normal) {
  const double sign = std::copysign(1.0, normal.z());
  const double a = -1 / (sign + normal.z());
  const double b = normal.x() * normal.y() * a;
  Mat<3> axes;
  axes.col(0) = normal;
  axes.col(1) = Vec<3>(1 + sign * normal.x() * normal.x() * a, sign * b, -sign * normal.x());
  axes.col(2) = Vec<3>(b, sign + normal.y() * normal.y() * a, -normal.y());
  return axes;
}

}  // namespace saltus
