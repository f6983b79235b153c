// What joints ask for at given poses and an instant, as rows g(q, t) with their Jacobians, one list for all levels: for
// schemes that hold joints on positions and on velocities (schemes/generalized_alpha.hpp).
//
//   kind      rows                                                      g
//   held      points, turns or the combined row of a joint: g = 0       what it is off
//   guided    a position that a motor without a limit prescribes        s - target(t)
//   driven    a velocity that it prescribes                             rate: -target(t); no g
//   stop      a limit, a slack rope: g >= 0                             distance to it
//   spring    force -k (s - zero) - c ds/dt                             s - zero
//   friction  dry friction, a motor with a limit: |force| <= bound      bound; rate: -target(t)
//   push      a motor's force, given                                    bound: the force
//
// `rate` is dg/dt where q stands still.
#pragma once

#include <span>
#include <vector>

#include "saltus/joints/joint_set.hpp"

namespace saltus {

enum class JointRowKind { held, guided, driven, stop, spring, friction, push };

template <int Dim>
struct JointRow {
  static constexpr int kEnds = TiedBlock::kEnds;
  int joint = 0, direction = -1;  // -1: not along a free one
  JointRowKind kind = JointRowKind::held;
  bool turns = false;     // rad
  bool is_motor = false;  // among friction
  int rows = 0, ends = 0;
  Eigen::Vector3d g = Eigen::Vector3d::Zero(), rate = Eigen::Vector3d::Zero();
  double bound = 0;        // N or N m
  double sign = 1;         // of the row along its direction: -1 at an upper limit
  double restitution = 0;  // of a stop
  double stiffness = 0, damping = 0;
  int slot[kEnds] = {-1, -1, -1, -1};
  Eigen::Matrix<double, kDofs<Dim>, 3> jacobian[kEnds];
  Vec<Dim> arm = Vec<Dim>::Zero();  // of the point of the joint on the second body

  void add_end(int at, const Eigen::Matrix<double, kDofs<Dim>, 1>& column, int row);
};

template <int Dim>
void build_joint_rows(const JointSet<Dim>& joints, std::span<const int> slot_of,
                      std::span<const Pose<Dim>> poses, double t, double h, std::vector<JointRow<Dim>>& rows);

// A block of the row with its ends, without shift, compliance and impulse.
template <int Dim>
TiedBlock& add_block(const JointRow<Dim>& row, SetKind set, Coupling<Dim>& coupling);

}  // namespace saltus
