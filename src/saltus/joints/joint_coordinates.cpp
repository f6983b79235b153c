#include "saltus/joints/joint_coordinates.hpp"

namespace saltus {

template <int Dim>
JointRows<Dim> build_rows(const FreeDirection& direction, const PlacedFrames<Dim>& frames, double near) {
  JointRows<Dim> rows;
  if (!direction.rotation) {
    rows.push(evaluate<Dim>(direction.coordinate, frames, near));
    return rows;
  }
  if constexpr (Dim == 3) {
    for (const Coordinate about : {Coordinate::about_x, Coordinate::about_y, Coordinate::about_z})
      rows.push(evaluate<3>(about, frames));
    rows.value = rotation_between(frames);
  }
  return rows;
}

template <int Dim>
JointRows<Dim> build_resisting_rows(const FreeDirection& direction, const PlacedFrames<Dim>& frames,
                                    double near) {
  JointRows<Dim> rows = build_rows<Dim>(direction, frames, near);
  if constexpr (Dim == 3) {
    if (direction.rotation && direction.spring && !direction.spring->rest_rotation.isZero(0)) {
      const Mat<3> rest = rotation_of(direction.spring->rest_rotation);
      rows.value = vector_of(frames.axes_a.transpose() * frames.axes_b * rest.transpose());
    }
    if (!direction.rotation && direction.coordinate == Coordinate::swing) {
      const Vec<3> axis = frames.axes_a.col(2), x = frames.axes_b.col(0), y = frames.axes_b.col(1);
      const Vec<3> along(axis.dot(y), -axis.dot(x), 0);  // e_z x f_z
      const double angle = rows.value[0], sine = along.norm();
      rows = {};
      for (const Vec<3>& about : {x, y}) {
        CoordinateRow<3> row;
        row.b.tail<3>() = about;
        row.a.tail<3>() = -about;
        rows.push(row);
      }
      rows.value = sine > 1e-300 ? Vec<3>(along * (angle / sine)) : Vec<3>(angle, 0, 0);
    }
  }
  return rows;
}

namespace {

Vec<3> values_at(const std::array<TimeFunction, 3>& functions, double t) {
  return {functions[0].at(t), functions[1].at(t), functions[2].at(t)};
}
Vec<3> slopes_before(const std::array<TimeFunction, 3>& functions, double t) {
  return {functions[0].slope_before(t), functions[1].slope_before(t), functions[2].slope_before(t)};
}

}  // namespace

Eigen::Vector3d compute_motor_rates(const FreeDirection& direction, double t) {
  const JointMotor& motor = *direction.motor;
  const bool is_position = motor.kind == JointMotor::Kind::position;
  if (!direction.rotation) return {is_position ? motor.target.slope_before(t) : motor.target.at(t), 0, 0};
  const Vec<3> values = values_at(motor.rotation, t);
  return is_position ? spin_of(values, slopes_before(motor.rotation, t)) : values;
}

template <int Dim>
Eigen::Vector3d compute_motor_gap(const FreeDirection& direction, double t, double value,
                                  const PlacedFrames<Dim>& frames) {
  const JointMotor& motor = *direction.motor;
  if constexpr (Dim == 3)
    if (direction.rotation) {
      const Mat<3> now = frames.axes_a.transpose() * frames.axes_b;
      return vector_of(rotation_of(values_at(motor.rotation, t)) * now.transpose());
    }
  return {motor.target.at(t) - value, 0, 0};
}

template <int Dim>
bool place_pair(const FramePair<Dim>& pair, std::span<const int> slot_of, std::span<const Pose<Dim>> poses,
                PlacedFrames<Dim>& frames) {
  int a = -1, b = -1;
  if (!find_slot(pair.a, slot_of, a) || !find_slot(pair.b, slot_of, b)) return false;
  frames =
      place_frames<Dim>(pair.frame_a, a < 0 ? nullptr : &poses[a], pair.frame_b, b < 0 ? nullptr : &poses[b]);
  return true;
}

template JointRows<2> build_rows<2>(const FreeDirection&, const PlacedFrames<2>&, double);
template JointRows<3> build_rows<3>(const FreeDirection&, const PlacedFrames<3>&, double);
template JointRows<2> build_resisting_rows<2>(const FreeDirection&, const PlacedFrames<2>&, double);
template JointRows<3> build_resisting_rows<3>(const FreeDirection&, const PlacedFrames<3>&, double);
template Eigen::Vector3d compute_motor_gap<2>(const FreeDirection&, double, double, const PlacedFrames<2>&);
template Eigen::Vector3d compute_motor_gap<3>(const FreeDirection&, double, double, const PlacedFrames<3>&);
template bool place_pair<2>(const FramePair<2>&, std::span<const int>, std::span<const Pose<2>>,
                            PlacedFrames<2>&);
template bool place_pair<3>(const FramePair<3>&, std::span<const int>, std::span<const Pose<3>>,
                            PlacedFrames<3>&);

}  // namespace saltus
