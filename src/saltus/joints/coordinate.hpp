// What two bodies are to each other: numbers that follow from a frame on each, and their rates.
//
// A frame is a point and axes. With p_a, p_b the points, e_i the axes of the first frame and f_i those of the second, all in
// the world, d = p_b - p_a and w = w_b - w_a:
//
//   coordinate     value                                          rate
//   x, y, z        e_i . d                                        its exact derivative: force and counterforce act at p_b
//   turn_x, _y     (e_z x f_z) . e_i, small where it is held      w . e_i
//   turn_z         the angle from e_x to f_x about e_z            w . e_z
//   about_x        turn_x where all three rotations are held:     w . e_i
//   about_y, _z    (e_x x f_x + e_y x f_y + e_z x f_z) . e_i / 2
//   cross          e_x . f_y, zero where it is held               w . (f_y x e_x)
//   fork           the angle from e_y to f_y about e_x            w . e_x      (with cross held: the first of a universal joint)
//   spider         the angle from e_x to f_x about f_y            w . f_y      (the second)
//   distance       |d|                                            its exact derivative
//   swing          the angle between e_z and f_z                  w . (e_z x f_z)/|e_z x f_z|
//   twist          the angle from e_x to f_x about f_z, once e_x  w . (e_z + f_z)/(1 + e_z . f_z)
//                  went with e_z the shortest way to f_z: not defined at a swing of pi
//
// In the plane there are x, y, turn_z and distance. Angles are followed over whole turns: `near` is where they were.
#pragma once

#include <cstdint>

#include "saltus/dynamics/drive.hpp"
#include "saltus/geometry/pose.hpp"

namespace saltus {

enum class Coordinate : std::uint8_t {
  x,
  y,
  z,
  turn_x,
  turn_y,
  turn_z,
  about_x,
  about_y,
  about_z,
  cross,
  fork,
  spider,
  distance,
  swing,
  twist
};

// Whether its unit is the radian (its force a moment).
bool is_angle(Coordinate coordinate);

// A frame in the axes of its body, about the centre of mass; in the world where there is no body.
template <int Dim>
struct JointFrame {
  Vec<Dim> point = Vec<Dim>::Zero();
  Mat<Dim> axes = Mat<Dim>::Identity();  // in columns
};

// Both frames in the world.
template <int Dim>
struct PlacedFrames {
  Vec<Dim> centre_a = Vec<Dim>::Zero(), centre_b = Vec<Dim>::Zero();  // of mass
  Vec<Dim> point_a = Vec<Dim>::Zero(), point_b = Vec<Dim>::Zero();
  Mat<Dim> axes_a = Mat<Dim>::Identity(), axes_b = Mat<Dim>::Identity();
  // The counterforce of x, y, z acts at p_a instead of p_b. Where all of them are held it makes no difference but for what
  // a joint is off; angular momentum is then not kept to round-off (the Newton-Euler schemes of Siconos do so).
  bool own_points = false;
};

// `null`: the world.
template <int Dim>
PlacedFrames<Dim> place_frames(const JointFrame<Dim>& a, const Pose<Dim>* pose_a, const JointFrame<Dim>& b,
                               const Pose<Dim>* pose_b);

// rate = a . (v, w of the first) + b . (v, w of the second)
template <int Dim>
struct CoordinateRow {
  using Jacobian = Eigen::Matrix<double, kDofs<Dim>, 1>;
  double value = 0;
  Jacobian a = Jacobian::Zero(), b = Jacobian::Zero();
};

template <int Dim>
CoordinateRow<Dim> evaluate(Coordinate coordinate, const PlacedFrames<Dim>& frames, double near = 0);

// The vector of the rotation that takes the first frame to the second, components along the first (3D): its length is at most
// pi. Its rate is w along the first frame for what matters here: a moment along it does the work of |rotation|'s change.
Vec<3> rotation_between(const PlacedFrames<3>& frames);

// The rotation of a vector, its length the angle; and the other way, an angle of at most pi.
Mat<3> rotation_of(const Vec<3>& vector);
Vec<3> vector_of(const Mat<3>& rotation);
// w, along fixed axes, of a rotation whose vector has this rate.
Vec<3> spin_of(const Vec<3>& vector, const Vec<3>& rate);

}  // namespace saltus
