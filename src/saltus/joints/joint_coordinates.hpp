// Up to three coordinates of one pair of bodies, taken together: what a block of a joint is made of.
#pragma once

#include <span>

#include "saltus/joints/joint.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

template <int Dim>
using BodyRow = Eigen::Matrix<double, kDofs<Dim>, 1>;  // of (v, w) of a body

// Whether the unit of a free direction is the radian.
inline bool turns(const FreeDirection& free) { return free.rotation || is_angle(free.coordinate); }

template <int Dim>
struct JointRows {
  int count = 0;
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  Eigen::Matrix<double, kDofs<Dim>, 3> a, b;

  void push(const CoordinateRow<Dim>& row) {
    value[count] = row.value;
    a.col(count) = row.a;
    b.col(count) = row.b;
    ++count;
  }
};

// The rows of a free direction; `near` as in `evaluate`.
template <int Dim>
JointRows<Dim> build_rows(const FreeDirection& direction, const PlacedFrames<Dim>& frames, double near);

// The rows along which springs, dampers and friction of it act: the same but for a swing, which has two, about the axes x and y of the
// second body, whose values are those of the shortest rotation that takes one axis to the other. `value` is counted from where the spring rests
// if it is of a rotation.
template <int Dim>
JointRows<Dim> build_resisting_rows(const FreeDirection& direction, const PlacedFrames<Dim>& frames,
                                    double near);

// What a motor of velocity or position asks of the rows of its direction: their rates, just before t where they are slopes.
Eigen::Vector3d compute_motor_rates(const FreeDirection& direction, double t);
// How far the rows are from the position that it has at t, where the direction has this value.
template <int Dim>
Eigen::Vector3d compute_motor_gap(const FreeDirection& direction, double t, double value,
                                  const PlacedFrames<Dim>& frames);

template <int Dim>
Eigen::Map<const BodyRow<Dim>> velocity_of(const BodyVelocity<Dim>& body) {
  static_assert(sizeof(BodyVelocity<Dim>) == kDofs<Dim> * sizeof(double));
  return Eigen::Map<const BodyRow<Dim>>(body.v);
}

// Rates of the rows; slot -1: the world.
template <int Dim>
Eigen::Vector3d compute_rates(const JointRows<Dim>& rows, int slot_a, int slot_b, const auto& velocity) {
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();
  for (int i = 0; i < rows.count; ++i) {
    if (slot_a >= 0) rate[i] += rows.a.col(i).dot(velocity_of<Dim>(velocity[slot_a]));
    if (slot_b >= 0) rate[i] += rows.b.col(i).dot(velocity_of<Dim>(velocity[slot_b]));
  }
  return rate;
}

// -1 for the world; false: the body is not there.
inline bool find_slot(BodyId id, std::span<const int> slot_of, int& slot) {
  slot = id < 0 ? -1 : slot_of[id];
  return id < 0 || slot >= 0;
}

// Frames of a pair whose bodies are there; false: one is not.
template <int Dim>
bool place_pair(const FramePair<Dim>& pair, std::span<const int> slot_of, std::span<const Pose<Dim>> poses,
                PlacedFrames<Dim>& frames);

}  // namespace saltus
