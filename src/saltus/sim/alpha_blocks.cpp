// Rows of joints and systems, and the blocks that a level makes of them.
//
//   row                start, smooth, velocity         position             index-3 (smooth)
//   held, guided       G v + g_t = 0                   g = 0                g = 0
//   driven             G v = target
//   stop, gap          velocity: where closed          0 <= g _|_ n >= 0    0 <= g _|_ l >= 0 (negative control)
//   spring             smooth: a compliance
//   friction           velocity: |r| <= h bound
//
// At the start of a run the unknowns are accelerations, and the shift is d(G v + g_t)/dt at constant v.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/sim/alpha_step.hpp"
#include "saltus/sim/system_gaps.hpp"

namespace saltus {

template <int Dim>
void AlphaStep<Dim>::evaluate_rows(double t) {
  build_joint_rows<Dim>(s.state.parts.joints, s.work.parts.slot_of, s.work.motion.detection, t, weights_.h,
                        rows_);
  row_active_.resize(rows_.size());
  row_block_.resize(rows_.size());
  gap_rows_.resize(s.model.parts.gaps.size());
  for (std::size_t i = 0; i < s.model.parts.gaps.size(); ++i) {
    const SystemGap& gap = s.model.parts.gaps[i];
    GapRow& row = gap_rows_[i];
    const RowValues at = saltus::evaluate_rows(gap, system_work_[gap.system].q, t, row.jacobian);
    row.value = at.value, row.rate = at.rate;
    if (s.work.parts.trouble.empty() &&
        (!row.value.allFinite() || !row.rate.allFinite() || !row.jacobian.allFinite()))
      s.work.parts.trouble = describe_not_finite(gap, t, system_work_[gap.system].q);
  }
}

template <int Dim>
void AlphaStep<Dim>::couple(Level level) {
  if (s.state.parts.empty()) return;
  Coupling<Dim>& coupling = s.work.parts.coupling;
  if (level != coupled_) {
    std::swap(coupling, kept_[static_cast<std::size_t>(coupled_)]);
    std::swap(coupling, kept_[static_cast<std::size_t>(level)]);
    coupled_ = level;
  }
  coupling.systems.resize(s.state.parts.systems.size());
  coupling.clear_followers();
  coupling.clear_blocks();
  s.work.parts.part_place.resize(s.state.parts.systems.size());
  for (std::size_t i = 0; i < s.state.parts.systems.size(); ++i) {
    coupling.systems[i].dofs.clear();
    s.work.parts.part_place[i].assign(s.state.parts.systems[i]->degrees_of_freedom(), -1);
  }
  s.add_followers();
  add_joint_blocks(level);
  add_gap_blocks(level);
  prepare_systems(level);
  coupling.index(s.state.bodies.slots());
  if (level != Level::velocity) return;
  // What the sums of gained energy ask for (sim/tied_gain.hpp).
  s.work.parts.start.resize(coupling.systems.size());
  s.work.parts.tied.resize(coupling.systems.size());
  for (std::size_t i = 0; i < coupling.systems.size(); ++i) {
    const std::vector<int>& dofs = coupling.systems[i].dofs;
    Eigen::VectorXd& start = s.work.parts.start[i];
    start.resize(static_cast<Eigen::Index>(dofs.size()));
    for (std::size_t k = 0; k < dofs.size(); ++k)
      start[static_cast<Eigen::Index>(k)] = system_work_[i].v0[dofs[k]];
  }
}

template <int Dim>
bool AlphaStep<Dim>::is_smooth(const JointRow<Dim>& row) const {
  if (row.kind == JointRowKind::spring)
    return row.stiffness * weights_.position + row.damping * weights_.velocity > 0;
  return row.kind == JointRowKind::held || row.kind == JointRowKind::guided ||
         row.kind == JointRowKind::driven;
}

template <int Dim>
void AlphaStep<Dim>::add_joint_blocks(Level level) {
  const double h = weights_.h, ratio = weights_.position / weights_.velocity;
  const bool on_positions = level == Level::position, moves = !on_positions;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const JointRow<Dim>& row = rows_[i];
    row_block_[i] = -1;
    const bool holds = row.kind == JointRowKind::held || row.kind == JointRowKind::guided;
    const bool bilateral = holds || (row.kind == JointRowKind::driven && moves);
    const bool springs = row.kind == JointRowKind::spring && level == Level::smooth && is_smooth(row);
    const double drag = row.stiffness * ratio + row.damping;
    const bool stops =
        row.kind == JointRowKind::stop && (on_positions || (level == Level::velocity && row_active_[i]));
    const bool rubs = row.kind == JointRowKind::friction && level == Level::velocity;
    if (!bilateral && !stops && !rubs && !springs) continue;
    row_block_[i] = static_cast<int>(s.work.parts.coupling.blocks.size());
    TiedBlock& block = add_block<Dim>(row,
                                      stops  ? SetKind::half_line
                                      : rubs ? SetKind::ball
                                             : SetKind::space,
                                      s.work.parts.coupling);
    const auto before = [&](int k) { return rate_of(block, true)[k]; };
    for (int k = 0; k < row.rows; ++k) {
      if (on_positions)
        block.shift[k] = row.g[k] / h;
      else if (stops)
        block.shift[k] = row.restitution * before(k);
      else if (springs)
        block.shift[k] = row.stiffness * (row.g[k] - ratio * rate_of(block, false)[k]) / drag;
      else if (is_index3() && holds && level == Level::smooth)
        block.shift[k] = row.g[k] / ratio - rate_of(block, false)[k];
      else
        block.shift[k] = row.rate[k];
    }
    if (springs) block.compliance.setConstant(1 / (weights_.velocity * drag));
    if (rubs) block.set.radius = h * row.bound;
  }
}

template <int Dim>
void AlphaStep<Dim>::add_gap_blocks(Level level) {
  const bool direct = is_index3() && s.model.scene.scheme.alpha.direct_gaps && level == Level::smooth;
  for (std::size_t i = 0; i < s.model.parts.gaps.size(); ++i) {
    const SystemGap& gap = s.model.parts.gaps[i];
    GapRow& row = gap_rows_[i];
    row.block = -1;
    const bool stops = level == Level::position || (level == Level::velocity && row.active) || direct;
    if (!gap.is_constraint && !stops) continue;
    const int rows = level == Level::velocity ? gap.size() : 1;
    row.block = static_cast<int>(s.work.parts.coupling.blocks.size());
    TiedBlock& block = s.work.parts.coupling.add_block();
    block.set = {gap.is_constraint ? SetKind::space : SetKind::half_line, rows, 0};
    block.ends[0].system = gap.system;
    block.ends[0].jacobian = row.jacobian.leftCols(rows);
    for (const int dof : gap.dofs) block.ends[0].dofs.push_back(s.work.parts.take_part(gap.system, dof));
    block.turns.assign(static_cast<std::size_t>(rows), 0);
    block.shift.setZero(rows);
    block.compliance.setZero(rows);
    block.r.setZero(rows);
    fill_gap_block(level, i, block);
  }
}

template <int Dim>
void AlphaStep<Dim>::fill_gap_block(Level level, std::size_t index, TiedBlock& block) {
  const SystemGap& gap = s.model.parts.gaps[index];
  const GapRow& row = gap_rows_[index];
  if (level == Level::position) {
    block.shift[0] = row.value[0] / weights_.h;
    return;
  }
  if (is_index3() && level == Level::smooth) {
    block.shift[0] = row.value[0] * weights_.velocity / weights_.position - rate_of(block, false)[0];
    return;
  }
  block.shift = row.rate.head(block.set.size);
  block.rate = row.rate;
  if (level != Level::velocity) return;
  const GapState& memory = s.state.parts.gaps[index];
  GapStep& now = s.work.parts.gaps[index];
  now.gap = row.value[0];
  now.rate = row.rate;
  now.jacobian = row.jacobian;
  now.before = row.rate + rate_of(block, true);
  block.r = memory.history.impulse.head(block.set.size);
  if (gap.is_constraint) return;
  now.input = LawInput();
  now.input.gap = now.input.gap_consistent = now.gap;
  now.input.u = now.input.u_free = now.before;
  now.input.duration = weights_.h;
  now.input.mean = 0.5;
  now.input.activation = Activation::implicit;
  now.input.forecast = true;
  now.terms = compute_terms(alpha_law(gap.law), now.input, memory.history);
  if (block.set.size > 1) block.set.kind = SetKind::coulomb;
  block.mu = now.terms.mu;
  block.shift += now.terms.shift.head(block.set.size);
}

// G v of a block, of v~ (or v_0: before), in the axes of the poses at hand.
template <int Dim>
Eigen::Vector3d AlphaStep<Dim>::rate_of(const TiedBlock& block, bool before) const {
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();
  const auto add = [&](const Eigen::MatrixXd& jacobian, const auto& v) {
    for (Eigen::Index k = 0; k < jacobian.cols(); ++k)
      for (Eigen::Index i = 0; i < jacobian.rows(); ++i) rate[k] += jacobian(i, k) * v(i);
  };
  for (const TiedEnd& end : block.ends) {
    if (end.system >= 0) {
      const SystemWork& work = system_work_[end.system];
      const std::vector<int>& dofs = s.work.parts.coupling.systems[end.system].dofs;
      const Eigen::VectorXd& v = before ? work.v0 : work.v;
      add(end.jacobian, [&](Eigen::Index i) { return v[dofs[end.dofs[static_cast<std::size_t>(i)]]]; });
    }
    if (end.slot < 0) continue;
    Twist<Dim> v = Twist<Dim>::Zero();
    if (!lives(end.slot)) {  // a follower
      const auto same = [&](const Follower<Dim>& f) { return f.slot == end.slot; };
      const auto& all = s.work.parts.coupling.followers;
      const auto at = std::find_if(all.begin(), all.end(), same);
      if (at == all.end()) continue;
      const SystemWork& work = system_work_[at->system];
      const std::vector<int>& dofs = s.work.parts.coupling.systems[at->system].dofs;
      for (std::size_t k = 0; k < at->dofs.size(); ++k)
        v += at->placement.col(static_cast<Eigen::Index>(k)) *
             (before ? work.v0 : work.v)[dofs[static_cast<std::size_t>(at->dofs[k])]];
    } else {
      const BodyWork& body = work_[end.slot];
      v = before ? body.v0 : body.v;
      if constexpr (Dim == 3) v.template tail<3>() = body.pose.rotated(Vec<3>(v.template tail<3>()));
    }
    add(end.jacobian, [&](Eigen::Index i) { return v[i]; });
  }
  return rate;
}

// Of each part the largest |G v~ + shift + compliance r| of its bilateral blocks beyond round-off, relative to its parts, or m/s where these
// are small.
template <int Dim>
void AlphaStep<Dim>::find_block_residuals(std::span<const double> impulses) {
  std::size_t at = 0;
  for (const TiedBlock& block : s.work.parts.coupling.blocks) {
    const int node = part_of(block);
    double& worst = parts_[node].lack;
    parts_[node].has_blocks = true;
    const Eigen::Vector3d u = rate_of(block, false);
    for (int k = 0; k < block.set.size; ++k, ++at) {
      const double r = at < impulses.size() ? impulses[at] : 0;
      const double lack = u[k] + block.shift[k] + block.compliance[k] * r;
      if (block.set.kind == SetKind::half_line) {
        worst = std::max(worst, std::abs(std::min(lack, r)));
        continue;
      }
      double scale = std::abs(block.shift[k]) + weights_.h;
      for (const TiedEnd& end : block.ends) {
        if (end.slot >= 0 && lives(end.slot)) scale += work_[end.slot].v.norm();
        if (end.system >= 0) scale += system_work_[end.system].v.norm();
      }
      worst = std::max(worst, std::max(0.0, std::abs(lack) - nodes_[node].round_off) / scale);
    }
  }
}

// Impulses of the blocks on bodies and systems of open parts; `last_r_` keeps those of the rows.
template <int Dim>
void AlphaStep<Dim>::gather_pushes() {
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (is_open(slot)) work_[slot].pushed.setZero();
  std::size_t at = 0;
  for (const TiedBlock& block : s.work.parts.coupling.blocks) {
    const std::size_t first = at;
    at += static_cast<std::size_t>(block.r.size());
    last_r_.resize(std::max(last_r_.size(), at));
    if (!parts_[part_of(block)].open) continue;
    for (Eigen::Index k = 0; k < block.r.size(); ++k)
      last_r_[first + static_cast<std::size_t>(k)] = block.r[k];
    for (const TiedEnd& end : block.ends) {
      if (end.slot < 0 || !lives(end.slot)) continue;
      BodyWork& body = work_[end.slot];
      Twist<Dim> push = Twist<Dim>::Zero();
      for (Eigen::Index k = 0; k < block.r.size(); ++k) push += end.jacobian.col(k) * block.r[k];
      if constexpr (Dim == 3) push.template tail<3>() = body.pose.unrotated(Vec<3>(push.template tail<3>()));
      body.pushed += push;
    }
  }
  last_r_.resize(at);
  for (std::size_t i = 0; i < system_work_.size(); ++i) {
    if (!is_open(system_node(i))) continue;
    const SystemPart& part = s.work.parts.coupling.systems[i];
    system_work_[i].pushed.setZero();
    for (std::size_t k = 0; k < part.dofs.size(); ++k)
      system_work_[i].pushed[part.dofs[k]] = part.impulse[static_cast<Eigen::Index>(k)];
  }
}

// Forces that motors are given, at the poses at hand.
template <int Dim>
void AlphaStep<Dim>::gather_given() {
  for (int slot = 0; slot < s.state.bodies.slots(); ++slot)
    if (is_open(slot)) work_[slot].given.setZero();
  for (const JointRow<Dim>& row : rows_) {
    if (row.kind != JointRowKind::push) continue;
    for (int e = 0; e < row.ends; ++e) {
      if (!lives(row.slot[e]) || !is_open(row.slot[e])) continue;
      Twist<Dim> push = row.bound * row.jacobian[e].col(0);
      BodyWork& body = work_[row.slot[e]];
      if constexpr (Dim == 3) push.template tail<3>() = body.pose.unrotated(Vec<3>(push.template tail<3>()));
      body.given += push;
    }
  }
}

// A part of the tolerance, but not beyond what round-off of the velocities allows: solvers would look for it for ever.
template <int Dim>
GroupSolution AlphaStep<Dim>::solve_blocks(double tighter) {
  constexpr double kRoundOff = 16 * std::numeric_limits<double>::epsilon();
  s.work.problem.mass = s.work.mean_mass;
  s.work.problem.length = s.work.mean_length;
  GroupSolverOptions options = s.solver_options();
  options.sticks = false;  // displacements have no friction, and start from no velocity
  least_.clear();
  for (const Node& node : nodes_) least_.push_back(node.round_off);
  if (options.of_free_velocity) {
    options.tolerance = std::min(options.tolerance, std::max(tighter * options.tolerance, kRoundOff));
  } else {
    for (int slot = 0; slot < s.state.bodies.slots(); ++slot) {
      const SweepBody<Dim>& body = s.work.problem.bodies[slot];
      const double speed = Eigen::Map<const Vec<Dim>>(body.v).norm() +
                           radius_of_gyration(slot) * Eigen::Map<const Spin<Dim>>(body.w).norm();
      least_[slot] = std::max(least_[slot], std::min(options.tolerance, kRoundOff * speed));
    }
    options.tolerance *= tighter;
  }
  options.least = least_;
  return s.work.solver.solve(options, s.work.motion.start, s.work.problem,
                             s.state.parts.empty() ? nullptr : &s.work.parts.coupling);
}

template void AlphaStep<2>::evaluate_rows(double);
template void AlphaStep<3>::evaluate_rows(double);
template void AlphaStep<2>::couple(Level);
template void AlphaStep<3>::couple(Level);
template bool AlphaStep<2>::is_smooth(const JointRow<2>&) const;
template bool AlphaStep<3>::is_smooth(const JointRow<3>&) const;
template void AlphaStep<2>::add_joint_blocks(Level);
template void AlphaStep<3>::add_joint_blocks(Level);
template void AlphaStep<2>::add_gap_blocks(Level);
template void AlphaStep<3>::add_gap_blocks(Level);
template void AlphaStep<2>::fill_gap_block(Level, std::size_t, TiedBlock&);
template void AlphaStep<3>::fill_gap_block(Level, std::size_t, TiedBlock&);
template Eigen::Vector3d AlphaStep<2>::rate_of(const TiedBlock&, bool) const;
template Eigen::Vector3d AlphaStep<3>::rate_of(const TiedBlock&, bool) const;
template void AlphaStep<2>::find_block_residuals(std::span<const double>);
template void AlphaStep<3>::find_block_residuals(std::span<const double>);
template void AlphaStep<2>::gather_pushes();
template void AlphaStep<3>::gather_pushes();
template void AlphaStep<2>::gather_given();
template void AlphaStep<3>::gather_given();
template GroupSolution AlphaStep<2>::solve_blocks(double);
template GroupSolution AlphaStep<3>::solve_blocks(double);

}  // namespace saltus
