// The end of a step of the alpha schemes: what bodies, systems, contacts, gaps and joints take from it.
#include <algorithm>

#include "saltus/sim/alpha_step.hpp"

namespace saltus {

// Impulses become memory, velocities and places.
template <int Dim>
void AlphaStep<Dim>::correct(StepReport& report) {
  const double h = weights_.h;
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    if (!is_index3() && s.work.parts.trouble.empty()) {
      const SystemPart& part = s.work.parts.coupling.systems[i];
      for (std::size_t k = 0; k < part.dofs.size(); ++k)
        work.impulse[part.dofs[k]] = part.impulse[static_cast<Eigen::Index>(k)];
      work.form->solve_symmetric(SmoothForm::velocity, work.impulse, work.change);
      work.v1 += work.change;
      work.W = work.v1 - work.v;
      work.form->add_tangent(-0.5 * h, 0, work.W, work.X);
    }
    if (s.work.parts.trouble.empty()) finish_system(static_cast<int>(i));
  }
  move_followers();
  s.count_bonds(s.state.contacts.update(velocity_step(), s.model.scene.period, s.views(), s.work.problem),
                report);
  for (Contact<Dim>& c : s.state.contacts.contacts()) c.gap_end = c.input.gap;
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (lives(slot)) finish_body(slot);
  correct_gaps();
  correct_joints();
  s.place_followers();
  ++s.state.steps;
}

template <int Dim>
void AlphaStep<Dim>::correct_gaps() {
  const double share = weights_.h / weights_.velocity;
  std::size_t at = 0;
  // Impulses of smooth rows, in the order of their blocks: joints first.
  for (const JointRow<Dim>& row : rows_)
    if (is_smooth(row)) at += static_cast<std::size_t>(row.rows);
  for (std::size_t i = 0; i < s.model.parts.gaps.size(); ++i) {
    const SystemGap& gap = s.model.parts.gaps[i];
    const GapRow& row = gap_rows_[i];
    GapState& memory = s.state.parts.gaps[i];
    GapStep& now = s.work.parts.gaps[i];
    const bool smooth = gap.is_constraint || (is_index3() && s.model.scene.scheme.alpha.direct_gaps);
    const double steady = smooth && at < last_r_.size() ? share * last_r_[at] : 0.0;
    if (smooth) ++at;
    now.block = row.block;
    now.gap_end = row.value[0];
    now.velocity = row.rate;
    const Eigen::VectorXd& v = system_work_[gap.system].v1;
    for (std::size_t k = 0; k < gap.dofs.size(); ++k)
      now.velocity.head(gap.size()) +=
          row.jacobian.row(static_cast<Eigen::Index>(k)).transpose() * v[gap.dofs[k]];
    memory.history.impulse.setZero();
    if (row.block >= 0 && !is_index3())
      memory.history.impulse.head(gap.size()) = s.work.parts.coupling.blocks[row.block].r;
    memory.history.impulse[0] += steady;
    if (gap.is_constraint) continue;
    if (row.block < 0 || is_index3()) {
      now.block = -1;
      memory.history.status = steady > 0 ? ContactStatus::stick : ContactStatus::inactive;
      continue;
    }
    LawResult result;
    result.r = memory.history.impulse;
    result.u_hat = now.velocity + now.terms.shift;
    result.gap_end = now.gap_end;
    result.velocity_tolerance = s.tolerance_of_block(row.block);
    update_history(alpha_law(gap.law), now.input, now.terms, result, memory.history);
  }
}

// What joints tell of the step: h times the smooth force, and the impulse of the velocity problem.
template <int Dim>
void AlphaStep<Dim>::correct_joints() {
  if (s.state.parts.joints.count() == 0) return;
  const double h = weights_.h, share = h / weights_.velocity;
  std::vector<JointState>& states = s.state.parts.joints.states();
  for (JointState& state : states) {
    state.impulse.setZero(), state.moment.setZero();
    state.turning[0].setZero(), state.turning[1].setZero();
    state.row = state.motor_work = 0;
    state.started = true;
    std::fill(state.effort.begin(), state.effort.end(), 0.0);
    std::fill(state.motor.begin(), state.motor.end(), 0.0);
  }
  finish_motors();
  for (const MotorWork& motor : motors_) states[motor.row.joint].motor_work += motor.done;
  std::size_t at = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const JointRow<Dim>& row = rows_[i];
    JointState& state = states[row.joint];
    Eigen::Vector3d r = Eigen::Vector3d::Zero();
    for (int k = 0; is_smooth(row) && k < row.rows; ++k, ++at)
      if (at < last_r_.size()) r[k] += share * last_r_[at];
    if (row.kind == JointRowKind::push) r[0] = h * row.bound;
    Eigen::Vector3d jump = Eigen::Vector3d::Zero();
    if (!is_index3() && row_block_[i] >= 0)
      for (int k = 0; k < row.rows; ++k) jump[k] = s.work.parts.coupling.blocks[row_block_[i]].r[k];
    r += jump;
    const Joint<Dim>& joint = s.state.parts.joints.joint(row.joint);
    if (row.direction >= 0 && row.rows == 1) {
      state.effort[row.direction] += row.sign * r[0];
      if (is_motor(row)) {
        state.motor[row.direction] += r[0];
        state.motor_work += jump[0] * mean_rate(row);
      }
    }
    const bool combined =
        row.direction < 0 && !joint.combined.empty() && row.rows == 1 &&
        (joint.kind == JointKind::gear || joint.kind == JointKind::pulley || joint.kind == JointKind::screw);
    if (combined) {
      state.row = (joint.kind == JointKind::pulley ? -1 : 1) * row.sign * r[0];  // of a pulley the tension
      continue;
    }
    const int b = joint.pair.b < 0 ? -1 : s.work.parts.slot_of[joint.pair.b];
    for (int e = 0; e < row.ends; ++e) {
      if (row.slot[e] != b) continue;
      Twist<Dim> push = Twist<Dim>::Zero();
      for (int k = 0; k < row.rows; ++k) push += row.jacobian[e].col(k) * r[k];
      const Vec<Dim> impulse = push.template head<Dim>();
      const Spin<Dim> turning = push.template tail<kSpins<Dim>>() - moment(row.arm, impulse);
      for (int d = 0; d < Dim; ++d) state.impulse[d] += impulse[d];
      for (int d = 0; d < kSpins<Dim>; ++d) state.moment[3 - kSpins<Dim> + d] += turning[d];
    }
  }
}

template void AlphaStep<2>::correct(StepReport&);
template void AlphaStep<3>::correct(StepReport&);
template void AlphaStep<2>::correct_gaps();
template void AlphaStep<3>::correct_gaps();
template void AlphaStep<2>::correct_joints();
template void AlphaStep<3>::correct_joints();

}  // namespace saltus
