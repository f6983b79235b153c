#include "saltus/joints/joint_positions.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

template <int Dim>
void add_row(int slot, const typename CoordinateRow<Dim>::Jacobian& jacobian, int row, TiedBlock& block) {
  if (slot < 0) return;
  for (TiedEnd& end : block.ends) {
    if (end.slot >= 0 && end.slot != slot) continue;
    if (end.slot < 0) {
      end.slot = slot;
      end.jacobian.setZero(kDofs<Dim>, block.set.size);
    }
    end.jacobian.col(row) += jacobian;
    return;
  }
}

template <int Dim>
TiedBlock& add_plain(SetKind kind, int rows, bool turns, Coupling<Dim>& coupling) {
  TiedBlock& block = coupling.add_block();
  block.set = {kind, rows, 0};
  block.shift.setZero(rows);
  block.compliance.setZero(rows);
  block.r.setZero(rows);
  block.turns.assign(static_cast<std::size_t>(rows), turns);
  return block;
}

int slot_of_body(BodyId id, std::span<const int> slot_of) { return id < 0 ? -1 : slot_of[id]; }

template <int Dim>
void add_held(const Joint<Dim>& joint, const std::vector<Coordinate>& held, const PlacedFrames<Dim>& frames,
              std::span<const int> slot_of, Coupling<Dim>& coupling) {
  if (held.empty()) return;
  TiedBlock& block = add_plain(SetKind::space, static_cast<int>(held.size()), is_angle(held[0]), coupling);
  for (std::size_t i = 0; i < held.size(); ++i) {
    const CoordinateRow<Dim> row = evaluate<Dim>(held[i], frames);
    const int at = static_cast<int>(i);
    block.shift[at] = row.value - joint.target(held[i]);
    add_row<Dim>(slot_of_body(joint.pair.a, slot_of), row.a, at, block);
    add_row<Dim>(slot_of_body(joint.pair.b, slot_of), row.b, at, block);
  }
}

template <int Dim>
void add_combined(const Joint<Dim>& joint, const JointState& state, std::span<const int> slot_of,
                  std::span<const Pose<Dim>> poses, double reach, Coupling<Dim>& coupling) {
  double value = -joint.total;
  PlacedFrames<Dim> frames;
  for (std::size_t i = 0; i < joint.combined.size(); ++i) {
    const CombinedTerm<Dim>& term = joint.combined[i];
    if (!place_pair<Dim>(term.pair, slot_of, poses, frames)) return;
    value += term.factor * evaluate<Dim>(term.coordinate, frames, state.term[i]).value;
  }
  const double sign = joint.slack ? -1 : 1, off = sign * value;  // a slack rope: total - sum >= 0
  if (joint.slack && off > reach) return;
  TiedBlock& block = add_plain(joint.slack ? SetKind::half_line : SetKind::space, 1,
                               is_angle(joint.combined[0].coordinate), coupling);
  block.shift[0] = off;
  for (std::size_t i = 0; i < joint.combined.size(); ++i) {
    const CombinedTerm<Dim>& term = joint.combined[i];
    place_pair<Dim>(term.pair, slot_of, poses, frames);
    const CoordinateRow<Dim> at = evaluate<Dim>(term.coordinate, frames, state.term[i]);
    add_row<Dim>(slot_of_body(term.pair.a, slot_of), sign * term.factor * at.a, 0, block);
    add_row<Dim>(slot_of_body(term.pair.b, slot_of), sign * term.factor * at.b, 0, block);
  }
}

template <int Dim>
void add_limits(const JointSet<Dim>& joints, int index, const PlacedFrames<Dim>& frames,
                std::span<const int> slot_of, double reach, const Coupling<Dim>* step,
                Coupling<Dim>& coupling) {
  const Joint<Dim>& joint = joints.joint(index);
  const JointState& state = joints.states()[index];
  for (std::size_t d = 0; d < joint.free.size(); ++d) {
    const FreeDirection& free = joint.free[d];
    if (!free.limits || free.rotation) continue;
    const CoordinateRow<Dim> row = evaluate<Dim>(free.coordinate, frames, state.value[d]);
    for (const double sign : {1.0, -1.0}) {
      const double limit = sign > 0 ? free.limits->lower : free.limits->upper;
      const double gap = sign * (row.value - limit);
      if (!std::isfinite(limit)) continue;
      const bool holds = step && joints.pushes(index, static_cast<int>(d), sign < 0, *step);
      if (!holds && gap > reach) continue;
      TiedBlock& block =
          add_plain(holds ? SetKind::space : SetKind::half_line, 1, is_angle(free.coordinate), coupling);
      block.shift[0] = gap;
      add_row<Dim>(slot_of_body(joint.pair.a, slot_of), sign * row.a, 0, block);
      add_row<Dim>(slot_of_body(joint.pair.b, slot_of), sign * row.b, 0, block);
    }
  }
}

template <int Dim>
void add_joint(const JointSet<Dim>& joints, int index, std::span<const int> slot_of,
               std::span<const Pose<Dim>> poses, double reach, const Coupling<Dim>* step,
               Coupling<Dim>& coupling) {
  const Joint<Dim>& joint = joints.joint(index);
  const JointState& state = joints.states()[index];
  if (!joint.combined.empty()) add_combined<Dim>(joint, state, slot_of, poses, reach, coupling);
  if (joint.kind == JointKind::gear || joint.kind == JointKind::pulley) return;
  PlacedFrames<Dim> frames;
  if (!place_pair<Dim>(joint.pair, slot_of, poses, frames)) return;
  add_held<Dim>(joint, joint.held_points, frames, slot_of, coupling);
  add_held<Dim>(joint, joint.held_turns, frames, slot_of, coupling);
  add_limits<Dim>(joints, index, frames, slot_of, reach, step, coupling);
}

template <int Dim>
double reach_of(const Joint<Dim>& joint, std::span<const int> slot_of, std::span<const double> reach) {
  double most = 0;
  const auto add = [&](const FramePair<Dim>& pair) {
    for (const BodyId id : {pair.a, pair.b})
      if (const int slot = slot_of_body(id, slot_of); slot >= 0) most = std::max(most, reach[slot]);
  };
  add(joint.pair);
  for (const CombinedTerm<Dim>& term : joint.combined) add(term.pair);
  return most;
}

bool is_prescribed(const FreeDirection& free) {
  return free.motor && free.motor->kind != JointMotor::Kind::force && !free.motor->limit;
}

template <int Dim>
void add_driven(const Joint<Dim>& joint, const JointState& state, std::span<const int> slot_of,
                std::span<const Pose<Dim>> poses, Coupling<Dim>& coupling) {
  PlacedFrames<Dim> frames;
  for (std::size_t d = 0; d < joint.free.size(); ++d) {
    const FreeDirection& free = joint.free[d];
    if (!is_prescribed(free) || !place_pair<Dim>(joint.pair, slot_of, poses, frames)) continue;
    const JointRows<Dim> rows = build_rows<Dim>(free, frames, state.value[d]);
    TiedBlock& block = add_plain(SetKind::space, rows.count, turns(free), coupling);
    for (int i = 0; i < rows.count; ++i) {
      add_row<Dim>(slot_of_body(joint.pair.a, slot_of), rows.a.col(i), i, block);
      add_row<Dim>(slot_of_body(joint.pair.b, slot_of), rows.b.col(i), i, block);
    }
  }
}

}  // namespace

template <int Dim>
void add_position_blocks(const JointSet<Dim>& joints, std::span<const int> slot_of,
                         std::span<const Pose<Dim>> poses, std::span<const double> reach,
                         const Coupling<Dim>* step, Coupling<Dim>& coupling) {
  for (int i = 0; i < joints.count(); ++i)
    add_joint<Dim>(joints, i, slot_of, poses, reach_of<Dim>(joints.joint(i), slot_of, reach), step, coupling);
}

template <int Dim>
void add_kept_blocks(const JointSet<Dim>& joints, int index, std::span<const int> slot_of,
                     std::span<const Pose<Dim>> poses, double reach, Coupling<Dim>& coupling) {
  const std::size_t first = coupling.blocks.size();
  add_joint<Dim>(joints, index, slot_of, poses, reach, nullptr, coupling);
  for (std::size_t i = first; i < coupling.blocks.size(); ++i) {
    TiedBlock& block = coupling.blocks[i];
    if (block.set.kind == SetKind::space)
      block.shift.setZero();
    else
      block.shift[0] = std::max(0.0, block.shift[0]);
  }
  add_driven<Dim>(joints.joint(index), joints.states()[index], slot_of, poses, coupling);
}

template void add_position_blocks<2>(const JointSet<2>&, std::span<const int>, std::span<const Pose<2>>,
                                     std::span<const double>, const Coupling<2>*, Coupling<2>&);
template void add_position_blocks<3>(const JointSet<3>&, std::span<const int>, std::span<const Pose<3>>,
                                     std::span<const double>, const Coupling<3>*, Coupling<3>&);
template void add_kept_blocks<2>(const JointSet<2>&, int, std::span<const int>, std::span<const Pose<2>>,
                                 double, Coupling<2>&);
template void add_kept_blocks<3>(const JointSet<3>&, int, std::span<const int>, std::span<const Pose<3>>,
                                 double, Coupling<3>&);

}  // namespace saltus
