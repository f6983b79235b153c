// What the velocity problem alone knows (friction, rolling friction, forces of a bound in joints) moves bodies and systems too:
// D of schemes/generalized_alpha.hpp. It starts from that of the last step, which is right for what is held or slides on.
#include "saltus/sim/alpha_step.hpp"

namespace saltus {

// An impulse on a body, or on what it follows: world axes, about its centre; arm: where it acts.
template <int Dim>
void AlphaStep<Dim>::rub(int slot, Twist<Dim> push, const Vec<Dim>& arm) {
  if (lives(slot)) {
    BodyWork& body = work_[slot];
    if constexpr (Dim == 3) push.template tail<3>() = body.pose.unrotated(Vec<3>(push.template tail<3>()));
    body.rubbed += push;
    return;
  }
  const Coupling<Dim>& coupling = s.work.parts.coupling;
  if (slot >= static_cast<int>(coupling.follower_of.size()) || coupling.follower_of[slot] < 0) return;
  const Follower<Dim>& follower = coupling.followers[coupling.follower_of[slot]];
  const std::vector<int>& dofs = coupling.systems[follower.system].dofs;
  for (std::size_t i = 0; i < follower.dofs.size(); ++i)
    system_work_[follower.system].rubbed[dofs[follower.dofs[i]]] +=
        follower.share_of(static_cast<int>(i), push, arm);
}

// Tangential impulses of contacts and gaps, and those of friction and limited motors in joints.
template <int Dim>
void AlphaStep<Dim>::gather_rubs() {
  for (BodyWork& body : work_) body.rubbed.setZero();
  for (SystemWork& work : system_work_) work.rubbed.setZero();
  for (const SweepContact<Dim>& row : s.work.problem.contacts) {
    Vec<Dim> p = row.p;
    p[0] = 0;
    if (p.isZero(0) && row.moment.isZero(0)) continue;
    const Mat<Dim> axes = row.axes();
    p = (axes * p).eval();
    Spin<Dim> rolling;
    if constexpr (Dim == 3)
      rolling = axes.template rightCols<2>() * row.moment;
    else
      rolling = row.moment;
    Twist<Dim> push;
    push << p, moment(row.arm_b, p) + rolling;
    rub(row.b, push, row.arm_b);
    push << p, moment(row.arm_a, p) + rolling;
    rub(row.a, -push, row.arm_a);
  }
  const Coupling<Dim>& coupling = s.work.parts.coupling;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].kind != JointRowKind::friction || row_block_[i] < 0) continue;
    const TiedBlock& block = coupling.blocks[row_block_[i]];
    for (const TiedEnd& end : block.ends)
      if (end.slot >= 0) rub(end.slot, Twist<Dim>(end.jacobian * block.r), Vec<Dim>::Zero());
  }
  for (std::size_t i = 0; i < gap_rows_.size(); ++i) {
    const SystemGap& gap = s.model.parts.gaps[i];
    if (gap.is_constraint || gap_rows_[i].block < 0) continue;
    const Eigen::VectorXd& r = coupling.blocks[gap_rows_[i].block].r;
    for (Eigen::Index row = 1; row < r.size(); ++row)
      for (std::size_t k = 0; k < gap.dofs.size(); ++k)
        system_work_[gap.system].rubbed[gap.dofs[k]] +=
            gap_rows_[i].jacobian(static_cast<Eigen::Index>(k), row) * r[row];
  }
}

// D of the impulses at hand, and where it changed by more than positions are solved to, relative to lengths, or rad; a small part of D
// itself is no change.
template <int Dim>
void AlphaStep<Dim>::slide() {
  constexpr double kSame = 1e-3;
  const double h = weights_.h;
  for (Node& node : nodes_) node.slides = false;
  const auto look = [&](Node& node, double change, double size, double scale) {
    if (change > kSame * size && change / scale > node.allowed) node.slides = true;
  };
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
    if (!lives(slot)) continue;
    BodyWork& body = work_[slot];
    const Twist<Dim> slid = 0.5 * h * over_mass(slot, body.rubbed), change = slid - body.slid;
    look(nodes_[slot], change.template head<Dim>().norm(), slid.template head<Dim>().norm(),
         nodes_[slot].length);
    look(nodes_[slot], change.template tail<kSpins<Dim>>().norm(), slid.template tail<kSpins<Dim>>().norm(),
         1);
    body.slid = slid;
  }
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    SystemWork& work = system_work_[i];
    if (work.rubbed.isZero(0) && work.slid.isZero(0)) continue;
    if (!work.form->factorise(SmoothForm::position, 0.5 * h, 0.25 * h * h)) {
      s.work.parts.trouble = work.form->trouble();
      return;
    }
    work.rhs = 0.5 * h * work.rubbed;
    work.form->solve_symmetric(SmoothForm::position, work.rhs, work.change);
    const double scale = work.q.cwiseAbs().maxCoeff() + (work.q - work.q0).cwiseAbs().maxCoeff();
    const double change = (work.change - work.slid).cwiseAbs().maxCoeff();
    look(nodes_[system_node(i)], change, work.change.cwiseAbs().maxCoeff(), scale);
    work.slid = work.change;
  }
}

template void AlphaStep<2>::rub(int, Twist<2>, const Vec<2>&);
template void AlphaStep<3>::rub(int, Twist<3>, const Vec<3>&);
template void AlphaStep<2>::gather_rubs();
template void AlphaStep<3>::gather_rubs();
template void AlphaStep<2>::slide();
template void AlphaStep<3>::slide();

}  // namespace saltus
