#include "saltus/collision/contact_point.hpp"

#include <cmath>

namespace saltus {

Mat<2> contact_frame(const Vec<2>& normal) {
  Mat<2> frame;
  frame << normal, quarter_turn(normal);
  return frame;
}

Mat<3> contact_frame(const Vec<3>& normal) {
  const double sign = std::copysign(1.0, normal.z());
  const double a = -1 / (sign + normal.z());
  const double b = normal.x() * normal.y() * a;
  Mat<3> frame;
  frame.col(0) = normal;
  frame.col(1) = Vec<3>(1 + sign * normal.x() * normal.x() * a, sign * b, -sign * normal.x());
  frame.col(2) = Vec<3>(b, sign + normal.y() * normal.y() * a, -normal.y());
  return frame;
}

}  // namespace saltus
