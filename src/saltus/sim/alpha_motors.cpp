// What motors do in a step of the alpha schemes. Forces of joints act as the mean of those at both ends of the step along the path of
// their bodies (schemes/generalized_alpha.hpp: Dq.R-): so does the part of a motor, each of the two along the row of its pose.
#include "saltus/sim/alpha_step.hpp"

namespace saltus {

template <int Dim>
bool AlphaStep<Dim>::is_motor(const JointRow<Dim>& row) const {
  return row.is_motor || row.kind == JointRowKind::driven || row.kind == JointRowKind::push;
}

// Among the forces that go on from step to step; motors of a limited force act by impulses.
template <int Dim>
bool AlphaStep<Dim>::is_steady_motor(const JointRow<Dim>& row) const {
  return is_motor(row) && (is_smooth(row) || row.kind == JointRowKind::push);
}

// Of a row, the mean of its velocities before and after the step.
template <int Dim>
double AlphaStep<Dim>::mean_rate(const JointRow<Dim>& row, int k) const {
  double rate = 0;
  for (int e = 0; e < row.ends; ++e) {
    if (row.slot[e] < 0) continue;
    const BodyVelocity<Dim>& v0 = s.work.motion.start[row.slot[e]];
    const SweepBody<Dim>& v1 = s.work.problem.bodies[row.slot[e]];
    const auto column = row.jacobian[e].col(k);
    for (int i = 0; i < Dim; ++i) rate += 0.5 * column[i] * (v0.v[i] + v1.v[i]);
    for (int i = 0; i < kSpins<Dim>; ++i) rate += 0.5 * column[Dim + i] * (v0.w[i] + v1.w[i]);
  }
  return rate;
}

// How far the path of the step goes along the first row, which is of the poses at its start or at its end.
template <int Dim>
double AlphaStep<Dim>::way_along(const JointRow<Dim>& row, bool at_start) const {
  double way = 0;
  for (int e = 0; e < row.ends; ++e) {
    if (row.slot[e] < 0) continue;
    if (!lives(row.slot[e])) return weights_.h * mean_rate(row);  // a follower
    const BodyWork& body = work_[row.slot[e]];
    Twist<Dim> path = body.path + body.U;
    const Pose<Dim>& pose = at_start ? body.start : body.pose;
    if constexpr (Dim == 3) path.template tail<3>() = pose.rotated(Vec<3>(path.template tail<3>()));
    way += row.jacobian[e].col(0).dot(path);
  }
  return way;
}

// At the start of a step: the rows of motors there.
template <int Dim>
void AlphaStep<Dim>::open_motors() {
  motors_.clear();
  for (const JointRow<Dim>& row : rows_)
    if (is_steady_motor(row)) motors_.push_back({row, 0});
}

// Forces that a run starts with, from the blocks that gave its first accelerations.
template <int Dim>
void AlphaStep<Dim>::start_motors() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const JointRow<Dim>& row = rows_[i];
    if (!is_steady_motor(row)) continue;
    const bool pushes = row.kind == JointRowKind::push;
    if (!pushes && row_block_[i] < 0) continue;
    s.state.parts.joints.states()[row.joint].motor_force[row.direction] =
        pushes ? row.bound : s.work.parts.coupling.blocks[row_block_[i]].r[0];
  }
}

// At the end of a step: their work in it, and the forces that the next one starts with.
template <int Dim>
void AlphaStep<Dim>::finish_motors() {
  std::size_t at = 0, motor = 0;
  for (const JointRow<Dim>& row : rows_) {
    const std::size_t first = at;
    if (is_smooth(row)) at += static_cast<std::size_t>(row.rows);
    if (!is_steady_motor(row)) continue;
    double& carried = s.state.parts.joints.states()[row.joint].motor_force[row.direction];
    const bool pushes = row.kind == JointRowKind::push;
    const double force =
        pushes ? row.bound : (first < last_r_.size() ? last_r_[first] : 0) / weights_.velocity;
    MotorWork& work = motors_[motor++];
    work.done = 0.5 * (carried * way_along(work.row, true) + force * way_along(row, false));
    carried = force;
  }
}

template bool AlphaStep<2>::is_motor(const JointRow<2>&) const;
template bool AlphaStep<3>::is_motor(const JointRow<3>&) const;
template bool AlphaStep<2>::is_steady_motor(const JointRow<2>&) const;
template bool AlphaStep<3>::is_steady_motor(const JointRow<3>&) const;
template double AlphaStep<2>::mean_rate(const JointRow<2>&, int) const;
template double AlphaStep<3>::mean_rate(const JointRow<3>&, int) const;
template double AlphaStep<2>::way_along(const JointRow<2>&, bool) const;
template double AlphaStep<3>::way_along(const JointRow<3>&, bool) const;
template void AlphaStep<2>::open_motors();
template void AlphaStep<3>::open_motors();
template void AlphaStep<2>::start_motors();
template void AlphaStep<3>::start_motors();
template void AlphaStep<2>::finish_motors();
template void AlphaStep<3>::finish_motors();

}  // namespace saltus
