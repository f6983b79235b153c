#include "saltus/joints/coordinate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace saltus {

bool is_angle(Coordinate coordinate) {
  switch (coordinate) {
    case Coordinate::x:
    case Coordinate::y:
    case Coordinate::z:
    case Coordinate::distance: return false;
    default: return true;
  }
}

namespace {

// The number of `angle` modulo a whole turn nearest to `near`.
double unwrapped(double angle, double near) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * std::round((near - angle) / kTurn);
}

// From `from` to `to` about the unit vector `axis`; both about at right angles to it.
double angle_about(const Vec<3>& axis, const Vec<3>& from, const Vec<3>& to, double near) {
  return unwrapped(std::atan2(axis.dot(from.cross(to)), from.dot(to)), near);
}

// A force along `direction` on the second body at `point`, its counterforce at `point` too, or at `point_a`.
template <int Dim>
CoordinateRow<Dim> along(const Vec<Dim>& direction, double value, const PlacedFrames<Dim>& frames,
                         const Vec<Dim>& point_a) {
  CoordinateRow<Dim> row;
  row.value = value;
  row.b << direction, moment(Vec<Dim>(frames.point_b - frames.centre_b), direction);
  row.a << -direction, -moment(Vec<Dim>(point_a - frames.centre_a), direction);
  return row;
}

template <int Dim>
CoordinateRow<Dim> slide(int axis, const PlacedFrames<Dim>& frames) {
  const Vec<Dim> direction = frames.axes_a.col(axis);
  return along<Dim>(direction, direction.dot(frames.point_b - frames.point_a), frames,
                    frames.own_points ? frames.point_a : frames.point_b);
}

template <int Dim>
CoordinateRow<Dim> distance(const PlacedFrames<Dim>& frames) {
  const Vec<Dim> apart = frames.point_b - frames.point_a;
  const double length = apart.norm();
  const Vec<Dim> direction = length > 0 ? Vec<Dim>(apart / length) : Vec<Dim>(frames.axes_a.col(0));
  return along<Dim>(direction, length, frames, frames.point_a);
}

template <int Dim>
CoordinateRow<Dim> turn(const Spin<Dim>& axis, double value) {
  CoordinateRow<Dim> row;
  row.value = value;
  row.b.template tail<kSpins<Dim>>() = axis;
  row.a.template tail<kSpins<Dim>>() = -axis;
  return row;
}

Vec<3> misalignment(const PlacedFrames<3>& f) {
  return 0.5 * (f.axes_a.col(0).cross(f.axes_b.col(0)) + f.axes_a.col(1).cross(f.axes_b.col(1)) +
                f.axes_a.col(2).cross(f.axes_b.col(2)));
}

CoordinateRow<3> swing(const PlacedFrames<3>& frames) {
  const Vec<3> from = frames.axes_a.col(2), to = frames.axes_b.col(2), normal = from.cross(to);
  const double sine = normal.norm();
  // Straight on there is no direction to swing in: any will do, as nothing acts there.
  const Vec<3> axis = sine > 1e-300 ? Vec<3>(normal / sine) : Vec<3>(frames.axes_a.col(0));
  return turn<3>(axis, std::atan2(sine, from.dot(to)));
}

// Of the rotation about f_z that is left after the shortest one that takes e_z to f_z, tan = 2 q_w q_z/(q_w^2 - q_z^2).
CoordinateRow<3> twist(const PlacedFrames<3>& frames, double near) {
  const Vec<3> ex = frames.axes_a.col(0), ey = frames.axes_a.col(1), ez = frames.axes_a.col(2);
  const Vec<3> fx = frames.axes_b.col(0), fy = frames.axes_b.col(1), fz = frames.axes_b.col(2);
  constexpr double kLeast = 1e-12;  // at a swing of pi there is no twist: any finite row will do
  return turn<3>(Vec<3>((ez + fz) / std::max(kLeast, 1 + ez.dot(fz))),
                 unwrapped(std::atan2(fx.dot(ey) - fy.dot(ex), ex.dot(fx) + ey.dot(fy)), near));
}

CoordinateRow<3> evaluate_turn(Coordinate coordinate, const PlacedFrames<3>& f, double near) {
  const auto e = [&](int i) { return Vec<3>(f.axes_a.col(i)); };
  const auto to = [&](int i) { return Vec<3>(f.axes_b.col(i)); };
  const int axis = coordinate == Coordinate::turn_x || coordinate == Coordinate::about_x   ? 0
                   : coordinate == Coordinate::turn_y || coordinate == Coordinate::about_y ? 1
                                                                                           : 2;
  switch (coordinate) {
    case Coordinate::turn_x:
    case Coordinate::turn_y: return turn<3>(e(axis), e(2).cross(to(2)).dot(e(axis)));
    case Coordinate::turn_z: return turn<3>(e(2), angle_about(e(2), e(0), to(0), near));
    case Coordinate::cross: return turn<3>(to(1).cross(e(0)), e(0).dot(to(1)));
    case Coordinate::fork: return turn<3>(e(0), angle_about(e(0), e(1), to(1), near));
    case Coordinate::spider: return turn<3>(to(1), angle_about(to(1), e(0), to(0), near));
    case Coordinate::swing: return swing(f);
    case Coordinate::twist: return twist(f, near);
    default: return turn<3>(e(axis), misalignment(f).dot(e(axis)));
  }
}

CoordinateRow<2> evaluate_turn(Coordinate, const PlacedFrames<2>& f, double near) {
  const Vec<2> from = f.axes_a.col(0), to = f.axes_b.col(0);
  return turn<2>(Spin<2>(1.0), unwrapped(std::atan2(cross2(from, to), from.dot(to)), near));
}

}  // namespace

template <int Dim>
PlacedFrames<Dim> place_frames(const JointFrame<Dim>& a, const Pose<Dim>* pose_a, const JointFrame<Dim>& b,
                               const Pose<Dim>* pose_b) {
  PlacedFrames<Dim> placed;
  const auto place = [](const JointFrame<Dim>& frame, const Pose<Dim>* pose, Vec<Dim>& centre,
                        Vec<Dim>& point, Mat<Dim>& axes) {
    if (!pose) {
      point = frame.point;
      axes = frame.axes;
      return;
    }
    const Mat<Dim> rotation = pose->rotation();
    centre = pose->position;
    point = centre + rotation * frame.point;
    axes = rotation * frame.axes;
  };
  place(a, pose_a, placed.centre_a, placed.point_a, placed.axes_a);
  place(b, pose_b, placed.centre_b, placed.point_b, placed.axes_b);
  return placed;
}

template <int Dim>
CoordinateRow<Dim> evaluate(Coordinate coordinate, const PlacedFrames<Dim>& frames, double near) {
  switch (coordinate) {
    case Coordinate::x: return slide<Dim>(0, frames);
    case Coordinate::y: return slide<Dim>(1, frames);
    case Coordinate::z: return slide<Dim>(Dim - 1, frames);
    case Coordinate::distance: return distance<Dim>(frames);
    default: return evaluate_turn(coordinate, frames, near);
  }
}

Vec<3> rotation_between(const PlacedFrames<3>& frames) {
  return vector_of(frames.axes_a.transpose() * frames.axes_b);
}

Vec<3> vector_of(const Mat<3>& rotation) {
  const Eigen::AngleAxisd turn(rotation);
  return turn.angle() * turn.axis();
}

Mat<3> rotation_of(const Vec<3>& vector) {
  const double angle = vector.norm();
  if (!(angle > 0)) return Mat<3>::Identity();
  return Eigen::AngleAxisd(angle, Vec<3>(vector / angle)).toRotationMatrix();
}

Vec<3> spin_of(const Vec<3>& vector, const Vec<3>& rate) {
  const double angle = vector.norm();
  // (1 - cos)/angle^2 and (angle - sin)/angle^3; below 1e-3 their series, right to 1e-15.
  const bool small = angle < 1e-3;
  const double square = angle * angle;
  const double across = small ? 0.5 - square / 24 : (1 - std::cos(angle)) / square;
  const double along = small ? 1.0 / 6 - square / 120 : (angle - std::sin(angle)) / (square * angle);
  const Vec<3> first = vector.cross(rate), second = vector.cross(first);
  return rate + across * first + along * second;
}

template PlacedFrames<2> place_frames<2>(const JointFrame<2>&, const Pose<2>*, const JointFrame<2>&,
                                         const Pose<2>*);
template PlacedFrames<3> place_frames<3>(const JointFrame<3>&, const Pose<3>*, const JointFrame<3>&,
                                         const Pose<3>*);
template CoordinateRow<2> evaluate<2>(Coordinate, const PlacedFrames<2>&, double);
template CoordinateRow<3> evaluate<3>(Coordinate, const PlacedFrames<3>&, double);

}  // namespace saltus
