// Place and orientation of a rigid body: x_world = position + R x_local.
//
// Rotations advance with the exponential map: `rotate(w)` turns by |w| about w, given in the
// world frame, exactly; the length of the quaternion stays 1 to round-off at every call.
#pragma once

#include "saltus/geometry/vec.hpp"

namespace saltus {

template <int Dim>
class Pose;

template <>
class Pose<2> {
 public:
  Pose() = default;
  explicit Pose(const Vec<2>& origin, double angle = 0) : position(origin) { set_angle(angle); }

  double angle() const { return angle_; }  // not reduced: whole turns are kept
  void set_angle(double angle);
  void rotate(const Spin<2>& turn) { set_angle(angle_ + turn(0)); }

  Vec<2> rotated(const Vec<2>& v) const { return {cos_ * v.x() - sin_ * v.y(), sin_ * v.x() + cos_ * v.y()}; }
  Vec<2> unrotated(const Vec<2>& v) const {
    return {cos_ * v.x() + sin_ * v.y(), cos_ * v.y() - sin_ * v.x()};
  }
  Vec<2> to_world(const Vec<2>& local) const { return position + rotated(local); }
  Vec<2> to_local(const Vec<2>& world) const { return unrotated(world - position); }
  Mat<2> rotation() const;
  Pose inverse() const { return Pose(unrotated(-position), -angle_); }

  Vec<2> position = Vec<2>::Zero();

 private:
  double angle_ = 0, cos_ = 1, sin_ = 0;
};

template <>
class Pose<3> {
 public:
  Pose() = default;
  // The quaternion is normalised; zero is a bug of the caller.
  explicit Pose(const Vec<3>& origin, const Eigen::Quaterniond& turn = Eigen::Quaterniond::Identity())
      : position(origin) {
    set_orientation(turn);
  }

  Eigen::Quaterniond orientation() const { return Eigen::Quaterniond(orientation_); }
  void set_orientation(const Eigen::Quaterniond& orientation);
  void rotate(const Spin<3>& turn);

  // The matrix is made anew at every call: who turns many vectors asks for rotation() once.
  Vec<3> rotated(const Vec<3>& v) const { return rotation() * v; }
  Vec<3> unrotated(const Vec<3>& v) const { return rotation().transpose() * v; }
  Vec<3> to_world(const Vec<3>& local) const { return position + rotated(local); }
  Vec<3> to_local(const Vec<3>& world) const { return unrotated(world - position); }
  Mat<3> rotation() const { return orientation_.toRotationMatrix(); }
  Pose inverse() const { return Pose(unrotated(-position), orientation_.conjugate()); }

  Vec<3> position = Vec<3>::Zero();

 private:
  // Not aligned for vector registers: that would cost each pose a seventh of its size in padding.
  Eigen::Quaternion<double, Eigen::DontAlign> orientation_ = Eigen::Quaterniond::Identity();
};

// outer * inner: first into the frame `inner` is given in, then into the world.
Pose<2> operator*(const Pose<2>& outer, const Pose<2>& inner);
Pose<3> operator*(const Pose<3>& outer, const Pose<3>& inner);

// The unit quaternion of a turn by |turn| about `turn`.
Eigen::Quaterniond exponential_map(const Vec<3>& turn);

}  // namespace saltus
