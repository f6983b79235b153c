// The blocks that joints ask of a step (joint_set.hpp tells what each is).
#include <algorithm>
#include <cmath>

#include "saltus/joints/joint_set.hpp"

namespace saltus {

namespace {

template <int Dim>
void set_end(int slot, const Eigen::Matrix<double, kDofs<Dim>, 3>& jacobian, int rows, TiedEnd& end) {
  end.slot = slot;
  if (slot < 0) return;
  end.jacobian.resize(kDofs<Dim>, rows);
  end.jacobian = jacobian.leftCols(rows);
}

// Rows of one coordinate each, for the sum over terms: an end per body, whichever terms it is in.
template <int Dim>
void add_to_end(int slot, const Eigen::Matrix<double, kDofs<Dim>, 1>& jacobian, TiedBlock& block) {
  if (slot < 0) return;
  for (TiedEnd& end : block.ends) {
    if (end.slot == slot) {
      end.jacobian += jacobian;
      return;
    }
    if (end.slot >= 0) continue;
    end.slot = slot;
    end.jacobian = jacobian;
    return;
  }
}

// Of the coordinate, with the velocities given per slot.
template <int Dim>
double rate_of(const CoordinateRow<Dim>& row, const FramePair<Dim>& pair, std::span<const int> slot_of,
               std::span<const BodyVelocity<Dim>> velocity) {
  double rate = 0;
  if (pair.a >= 0) rate += row.a.dot(velocity_of<Dim>(velocity[slot_of[pair.a]]));
  if (pair.b >= 0) rate += row.b.dot(velocity_of<Dim>(velocity[slot_of[pair.b]]));
  return rate;
}

// The part of what a joint is off that is beyond what is left alone.
double beyond(double off, double left_alone) { return off > left_alone ? 1 - left_alone / off : 0; }

// Without restitution a bound is reached and not passed, and no forecast decides by its last bit (quasi_inelastic).
LawKind limit_law(double restitution) { return restitution > 0 ? LawKind::newton : LawKind::quasi_inelastic; }

void set_plain(SetKind kind, int rows, bool turns, TiedBlock& block) {
  block.set = {kind, rows, 0};
  block.shift.setZero(rows);
  block.compliance.setZero(rows);
  block.r.setZero(rows);
  block.turns.assign(static_cast<std::size_t>(rows), turns);
}

}  // namespace

template <int Dim>
double JointSet<Dim>::checked(int index, int direction, bool limit, double value) {
  if (bad_motor_.joint < 0 && !(std::isfinite(value) && (!limit || value >= 0)))
    bad_motor_ = {index, direction, limit, value};
  return value;
}

template <int Dim>
std::span<const JointLoad<Dim>> JointSet<Dim>::compute_forces(const JointStep& step,
                                                              std::span<const int> slot_of,
                                                              std::span<const Pose<Dim>> poses) {
  loads_.clear();
  given_.clear();
  landed_.clear();
  bad_motor_ = {};
  for (int i = 0; i < count(); ++i) {
    const Joint<Dim>& joint = joints_[i];
    PlacedFrames<Dim> frames;
    for (std::size_t d = 0; d < joint.free.size(); ++d) {
      const std::optional<JointMotor>& motor = joint.free[d].motor;
      if (!motor || motor->kind != JointMotor::Kind::force) continue;
      if (!place_pair<Dim>(joint.pair, slot_of, poses, frames)) continue;
      const int direction = static_cast<int>(d);
      const double force = checked(
          i, direction, false,
          step.mean * motor->target.at(step.time + step.h) + (1 - step.mean) * motor->target.at(step.time));
      Given given{i, direction, -1, -1, step.h * force, {}, frames.point_b - frames.centre_b};
      given.row = evaluate<Dim>(joint.free[d].coordinate, frames, states_[i].value[d]);
      find_slot(joint.pair.a, slot_of, given.slot_a);
      find_slot(joint.pair.b, slot_of, given.slot_b);
      const auto push = [&](int slot, const BodyRow<Dim>& jacobian) {
        if (slot >= 0)
          loads_.push_back({slot, given.push * jacobian.template head<Dim>(),
                            given.push * jacobian.template tail<kSpins<Dim>>()});
      };
      push(given.slot_a, given.row.a);
      push(given.slot_b, given.row.b);
      given_.push_back(given);
    }
  }
  return loads_;
}

template <int Dim>
TiedBlock& JointSet<Dim>::emit(int index, int direction, RowKind kind, int place, const JointRows<Dim>& rows,
                               SetKind set, bool turns, const JointViews<Dim>& views,
                               Coupling<Dim>& coupling) {
  Emitted row;
  row.joint = index;
  row.block = static_cast<int>(coupling.blocks.size());
  row.direction = direction;
  row.kind = kind;
  row.place = place;
  row.arm = at_pose_.point_b - at_pose_.centre_b;
  TiedBlock& block = coupling.add_block();
  block.origin = index, block.row = place;
  set_plain(set, rows.count, turns, block);
  set_end<Dim>(slot_a_, rows.a, rows.count, block.ends[0]);
  set_end<Dim>(slot_b_, rows.b, rows.count, block.ends[1]);
  row.before = compute_rates<Dim>(rows, slot_a_, slot_b_, views.start);
  for (int i = 0; i < rows.count; ++i) block.r[i] = states_[index].r[place + i];
  // Of more rows, a swing: along where it is.
  if (direction >= 0 && rows.count > 1 && rows.value.norm() > 0) row.along = rows.value.normalized();
  emitted_.push_back(row);
  return block;
}

// Returns the index of its block, -1: nothing is held.
template <int Dim>
int JointSet<Dim>::add_held(int index, const std::vector<Coordinate>& held, int place, const JointStep& step,
                            const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  if (held.empty()) return -1;
  const Joint<Dim>& joint = joints_[index];
  JointRows<Dim> rows;
  for (const Coordinate coordinate : held) rows.push(evaluate<Dim>(coordinate, at_pose_));
  TiedBlock& block =
      emit(index, -1, RowKind::held, place, rows, SetKind::space, is_angle(held[0]), views, coupling);
  block.corrects = true;
  block.before = emitted_.back().before;
  if (joint.stabilisation_time > 0) {
    Eigen::Vector3d off = Eigen::Vector3d::Zero();
    for (int i = 0; i < rows.count; ++i)
      off[i] = evaluate<Dim>(held[i], at_start_).value - joint.target(held[i]);
    const double part = beyond(off.norm(), is_angle(held[0]) ? joint.left_turned : joint.left_alone);
    for (int i = 0; i < rows.count; ++i)
      block.shift[i] = part * off[i] / (step.mean * joint.stabilisation_time);
  }
  Eigen::Vector3d carried = emitted_.back().before;
  if (!states_[index].started || states_[index].jolted) {
    // As seen from where the bodies are. The rest is there because the joint turns within the step: were it taken away as well, loads would
    // alternate about what they are for ever.
    JointRows<Dim> start;
    for (const Coordinate coordinate : held) start.push(evaluate<Dim>(coordinate, at_start_));
    const Eigen::Vector3d broken = compute_rates<Dim>(start, slot_a_, slot_b_, views.start);
    carried -= broken;
    emitted_.back().broken = broken.norm();
  }
  for (int i = 0; i < rows.count; ++i) block.shift[i] += (1 - step.mean) / step.mean * carried[i];
  return emitted_.back().block;
}

template <int Dim>
void JointSet<Dim>::add_combined(int index, const JointStep& step, std::span<const int> slot_of,
                                 const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  const Joint<Dim>& joint = joints_[index];
  if (joint.combined.empty()) return;
  Emitted row;
  row.joint = index;
  row.block = static_cast<int>(coupling.blocks.size());
  row.kind = RowKind::combined;
  row.place = layouts_[index].combined;
  TiedBlock& block = coupling.add_block();
  block.origin = index, block.row = row.place;
  // A slack rope pulls only: its row is total - sum >= 0.
  const double sign = joint.slack ? -1 : 1;
  set_plain(joint.slack ? SetKind::half_line : SetKind::space, 1, is_angle(joint.combined[0].coordinate),
            block);
  block.corrects = !joint.slack;
  double value = -joint.total, broken = 0;  // m, m/s: at the pose of the start
  for (std::size_t i = 0; i < joint.combined.size(); ++i) {
    const CombinedTerm<Dim>& term = joint.combined[i];
    PlacedFrames<Dim> frames;
    if (!place_pair<Dim>(term.pair, slot_of, views.pose, frames)) {
      coupling.blocks.pop_back();
      return;
    }
    const CoordinateRow<Dim> at = evaluate<Dim>(term.coordinate, frames, states_[index].term[i]);
    if (term.pair.a >= 0) add_to_end<Dim>(slot_of[term.pair.a], sign * term.factor * at.a, block);
    if (term.pair.b >= 0) add_to_end<Dim>(slot_of[term.pair.b], sign * term.factor * at.b, block);
    place_pair<Dim>(term.pair, slot_of, views.start_pose, frames);
    const CoordinateRow<Dim> start = evaluate<Dim>(term.coordinate, frames, states_[index].term[i]);
    value += term.factor * start.value;
    broken += sign * term.factor * rate_of<Dim>(start, term.pair, slot_of, views.start);
  }
  for (const TiedEnd& end : block.ends)
    if (end.slot >= 0) row.before[0] += end.jacobian.col(0).dot(velocity_of<Dim>(views.start[end.slot]));
  block.before = row.before;
  const double gap = sign * value, carry = (1 - step.mean) / step.mean;
  if (joint.slack) {
    block.shift[0] = std::max(0.0, gap + (1 - step.mean) * step.h * row.before[0]) / step.h;
    if (joint.stabilisation_time > 0) block.shift[0] += std::min(0.0, gap / joint.stabilisation_time);
  } else {
    if (joint.stabilisation_time > 0)
      block.shift[0] = gap * beyond(std::abs(gap), block.turns[0] ? joint.left_turned : joint.left_alone) /
                       (step.mean * joint.stabilisation_time);
    const bool goes = !states_[index].started || states_[index].jolted;
    if (goes) row.broken = std::abs(broken);
    block.shift[0] += carry * (row.before[0] - (goes ? broken : 0));
  }
  block.r[0] = states_[index].r[row.place];
  emitted_.push_back(row);
}

// The gap of a limit may be an angle; the law sees it as a distance, its impulse is a moment then.
template <int Dim>
void JointSet<Dim>::add_limit(int index, int direction, bool upper, const JointStep& step,
                              const JointViews<Dim>& views, const JointRows<Dim>& rows, int place,
                              Coupling<Dim>& coupling) {
  const FreeDirection& free = joints_[index].free[direction];
  const double limit = upper ? free.limits->upper : free.limits->lower, sign = upper ? -1 : 1;
  if (!std::isfinite(limit)) return;
  JointRows<Dim> bound = rows;
  bound.a.col(0) *= sign;
  bound.b.col(0) *= sign;
  PairLaw law;
  law.kind = limit_law(free.limits->restitution);
  law.restitution = free.limits->restitution;
  LawInput input;
  input.gap = sign * (states_[index].value[direction] - limit);
  input.u = compute_rates<Dim>(bound, slot_a_, slot_b_, views.start);
  input.u_free = input.u;
  input.gap_consistent = input.gap + (1 - step.mean) * step.h * input.u[0];
  input.duration = step.h;
  input.mean = step.mean;
  input.activation = step.activation;
  input.activation_gamma = step.activation_gamma;
  if (step.activation == Activation::landing) {
    const Eigen::Vector3d free_rate = compute_rates<Dim>(bound, slot_a_, slot_b_, views.free);
    input.forecast = input.gap_consistent + step.mean * step.h * free_rate[0] <= 0 ||
                     std::find(landed_.begin(), landed_.end(), std::pair(index, place)) != landed_.end();
  }
  const LawTerms terms = compute_terms(law, input, ContactHistory());
  if (!terms.active) {
    states_[index].r[place] = 0;
    if (step.activation == Activation::landing && needs_forecast(law.kind))
      open_.push_back({index, place, slot_a_, slot_b_, input.gap_consistent, bound});
    return;
  }
  TiedBlock& block = emit(index, direction, upper ? RowKind::upper : RowKind::lower, place, bound,
                          SetKind::half_line, is_angle(free.coordinate), views, coupling);
  block.shift[0] = terms.shift[0];
  if (const double tau = joints_[index].stabilisation_time; tau > 0 && input.gap < 0)
    block.shift[0] = std::min(block.shift[0], input.gap / tau);
}

template <int Dim>
void JointSet<Dim>::add_spring(int index, int direction, const JointStep& step, const JointViews<Dim>& views,
                               const JointRows<Dim>& rows, int place, Coupling<Dim>& coupling) {
  const FreeDirection& free = joints_[index].free[direction];
  const JointSpring& spring = *free.spring;
  const double drag = spring.stiffness * step.mean * step.h + spring.damping;  // N s/m, of u_m
  const double carry = (1 - step.mean) / step.mean;
  TiedBlock& block =
      emit(index, direction, RowKind::spring, place, rows, SetKind::space, turns(free), views, coupling);
  block.compliance.setConstant(1 / (step.mean * step.h * drag));
  const Eigen::Vector3d before = emitted_.back().before;
  Eigen::Vector3d start = Eigen::Vector3d::Zero();
  if (rows.count == 1)
    start[0] = build_rows<Dim>(free, at_start_, states_[index].value[direction]).value[0] - spring.zero();
  else  // rates of a vector are those of its rows near zero only: with the value at the pose of the rows that does not matter
    start = rows.value - (1 - step.mean) * step.h * before;
  for (int i = 0; i < rows.count; ++i)
    block.shift[i] = carry * before[i] + spring.stiffness * start[i] / (step.mean * drag);
}

// `load`: the block of what holds the points together, -1: none.
template <int Dim>
void JointSet<Dim>::add_friction(int index, int direction, int load, const JointStep& step,
                                 const JointViews<Dim>& views, const JointRows<Dim>& rows, int place,
                                 Coupling<Dim>& coupling) {
  const FreeDirection& free = joints_[index].free[direction];
  const JointFriction& friction = *free.friction;
  TiedBlock& block =
      emit(index, direction, RowKind::friction, place, rows, SetKind::ball, turns(free), views, coupling);
  block.set.radius = step.h * friction.constant;
  if (!(friction.coefficient > 0) || load < 0) return;
  block.limit_of = load;
  block.limit_offset = block.set.radius;
  block.limit_factor = friction.coefficient * (turns(free) ? friction.radius : 1.0);
  block.set.radius += block.limit_factor * coupling.blocks[load].r.norm();
}

template <int Dim>
void JointSet<Dim>::add_motor(int index, int direction, const JointStep& step, const JointViews<Dim>& views,
                              const JointRows<Dim>& rows, int place, Coupling<Dim>& coupling) {
  const FreeDirection& free = joints_[index].free[direction];
  const JointMotor& motor = *free.motor;
  TiedBlock& block =
      emit(index, direction, RowKind::motor, place, rows, SetKind::space, turns(free), views, coupling);
  Eigen::Vector3d target = compute_motor_rates(free, step.time + step.h);
  if (motor.kind == JointMotor::Kind::position) {
    const double tau =
        joints_[index].stabilisation_time > 0 ? joints_[index].stabilisation_time : 10 * step.h;
    target += compute_motor_gap<Dim>(free, step.time, states_[index].value[direction], at_start_) / tau;
  }
  for (int i = 0; i < rows.count; ++i) block.shift[i] = -checked(index, direction, false, target[i]);
  if (!motor.limit) return;
  const double limit = checked(index, direction, true, motor.limit->at(step.time + step.mean * step.h));
  block.set.kind = SetKind::ball;
  block.set.radius = step.h * std::max(0.0, limit);
}

template <int Dim>
void JointSet<Dim>::add_direction(int index, int direction, int load, const JointStep& step,
                                  const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  const FreeDirection& free = joints_[index].free[direction];
  const int place = layouts_[index].direction[direction];
  const JointRows<Dim> rows = build_rows<Dim>(free, at_pose_, states_[index].value[direction]);
  if (free.limits) {
    add_limit(index, direction, false, step, views, rows, place, coupling);
    add_limit(index, direction, true, step, views, rows, place + 1, coupling);
  }
  if (free.spring || free.friction) {
    const JointRows<Dim> resisting =
        build_resisting_rows<Dim>(free, at_pose_, states_[index].value[direction]);
    if (free.spring) add_spring(index, direction, step, views, resisting, place + 2, coupling);
    if (free.friction) add_friction(index, direction, load, step, views, resisting, place + 5, coupling);
  }
  if (free.motor && free.motor->kind != JointMotor::Kind::force)
    add_motor(index, direction, step, views, rows, place + 8, coupling);
}

template <int Dim>
void JointSet<Dim>::add_joint(int index, const JointStep& step, std::span<const int> slot_of,
                              const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  const Joint<Dim>& joint = joints_[index];
  add_combined(index, step, slot_of, views, coupling);
  if (joint.kind == JointKind::gear || joint.kind == JointKind::pulley) return;
  if (!find_slot(joint.pair.a, slot_of, slot_a_) || !find_slot(joint.pair.b, slot_of, slot_b_)) return;
  place_pair<Dim>(joint.pair, slot_of, views.start_pose, at_start_);
  place_pair<Dim>(joint.pair, slot_of, views.pose, at_pose_);
  at_pose_.own_points = step.own_points && joint.held_points.size() == Dim;
  const int load = add_held(index, joint.held_points, 0, step, views, coupling);
  add_held(index, joint.held_turns, layouts_[index].turns, step, views, coupling);
  for (std::size_t d = 0; d < joint.free.size(); ++d)
    add_direction(index, static_cast<int>(d), load, step, views, coupling);
}

template <int Dim>
void JointSet<Dim>::add_blocks(const JointStep& step, std::span<const int> slot_of,
                               const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  emitted_.clear();
  open_.clear();
  for (int i = 0; i < count(); ++i) add_joint(i, step, slot_of, views, coupling);
}

template <int Dim>
void JointSet<Dim>::take_in(const JointStep& step, std::span<const SweepBody<Dim>> solved,
                            std::vector<int>& taken) {
  taken.clear();
  for (const OpenLimit& limit : open_) {
    const Eigen::Vector3d rate = compute_rates<Dim>(limit.bound, limit.slot_a, limit.slot_b, solved);
    if (limit.gap + step.mean * step.h * rate[0] > 0) continue;
    landed_.emplace_back(limit.joint, limit.place);
    taken.push_back(limit.joint);
  }
}

template <int Dim>
bool JointSet<Dim>::pushes(int index, int direction, bool upper, const Coupling<Dim>& coupling) const {
  const RowKind kind = upper ? RowKind::upper : RowKind::lower;
  return std::any_of(emitted_.begin(), emitted_.end(), [&](const Emitted& row) {
    return row.joint == index && row.direction == direction && row.kind == kind &&
           coupling.blocks[row.block].r[0] > 0;
  });
}

// What others call of this file: joint_set.cpp names the class, and what it sees of it.
template std::span<const JointLoad<2>> JointSet<2>::compute_forces(const JointStep&, std::span<const int>,
                                                                   std::span<const Pose<2>>);
template std::span<const JointLoad<3>> JointSet<3>::compute_forces(const JointStep&, std::span<const int>,
                                                                   std::span<const Pose<3>>);
template void JointSet<2>::take_in(const JointStep&, std::span<const SweepBody<2>>, std::vector<int>&);
template void JointSet<3>::take_in(const JointStep&, std::span<const SweepBody<3>>, std::vector<int>&);
template bool JointSet<2>::pushes(int, int, bool, const Coupling<2>&) const;
template bool JointSet<3>::pushes(int, int, bool, const Coupling<3>&) const;
template void JointSet<2>::add_blocks(const JointStep&, std::span<const int>, const JointViews<2>&,
                                      Coupling<2>&);
template void JointSet<3>::add_blocks(const JointStep&, std::span<const int>, const JointViews<3>&,
                                      Coupling<3>&);

}  // namespace saltus
