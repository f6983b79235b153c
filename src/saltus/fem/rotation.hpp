// Rotations in space by rotation vectors: |r| rad about r.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace saltus {

inline Eigen::Matrix3d cross_of(const Eigen::Vector3d& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

inline Eigen::Quaterniond turn_by(const Eigen::Vector3d& r) {
  const double angle = r.norm();
  // sin(x/2)/x = 1/2 - x^2/48 + O(x^4): exact to round-off below 1e-4.
  const double factor = angle > 1e-4 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  Eigen::Quaterniond q;
  q.w() = std::cos(angle / 2);
  q.vec() = factor * r;
  return q;
}

// The shortest rotation vector of a unit quaternion: up to half a turn.
inline Eigen::Vector3d rotation_vector(const Eigen::Quaterniond& q) {
  const double sine = q.vec().norm(), cosine = q.w();
  if (sine < 1e-8) return (cosine < 0 ? -2.0 : 2.0) * q.vec();  // asin x = x + O(x^3)
  return (2 * std::atan2(cosine < 0 ? -sine : sine, std::abs(cosine)) / sine) * q.vec();
}

// w = turn_rate(r) dr/dt, for the rotation by r that follows a constant one.
inline Eigen::Matrix3d turn_rate(const Eigen::Vector3d& r) {
  const double a = r.norm();
  constexpr double kSmall = 1e-3;  // below, the terms left out are smaller than round-off
  const double first = a < kSmall ? 0.5 - a * a / 24 : (1 - std::cos(a)) / (a * a);
  const double second = a < kSmall ? 1.0 / 6 - a * a / 120 : (a - std::sin(a)) / (a * a * a);
  const Eigen::Matrix3d cross = cross_of(r);
  return Eigen::Matrix3d::Identity() + first * cross + second * cross * cross;
}

}  // namespace saltus
