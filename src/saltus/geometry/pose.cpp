#include "saltus/geometry/pose.hpp"

#include <cassert>
#include <cmath>

namespace saltus {

void Pose<2>::set_angle(double angle) {
  angle_ = angle;
  cos_ = std::cos(angle);
  sin_ = std::sin(angle);
}

Mat<2> Pose<2>::rotation() const {
  Mat<2> r;
  r << cos_, -sin_, sin_, cos_;
  return r;
}

void Pose<3>::set_orientation(const Eigen::Quaterniond& orientation) {
  assert(orientation.squaredNorm() > 0);
  orientation_ = orientation.normalized();
}

void Pose<3>::rotate(const Spin<3>& turn) { set_orientation(exponential_map(turn) * orientation_); }

Pose<2> operator*(const Pose<2>& outer, const Pose<2>& inner) {
  return Pose<2>(outer.to_world(inner.position), outer.angle() + inner.angle());
}

Pose<3> operator*(const Pose<3>& outer, const Pose<3>& inner) {
  return Pose<3>(outer.to_world(inner.position), outer.orientation() * inner.orientation());
}

Eigen::Quaterniond exponential_map(const Vec<3>& turn) {
  const double angle = turn.norm();
  // sin(x/2)/x = 1/2 - x^2/48 + O(x^4): exact to round-off below 1e-4.
  const double factor = angle > 1e-4 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  Eigen::Quaterniond q;
  q.w() = std::cos(angle / 2);
  q.vec() = factor * turn;
  return q;
}

}  // namespace saltus
