#include "saltus/joints/joint_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

constexpr int kDirectionRows = 9;  // lower, upper, spring (3), friction (3), motor

template <int Dim>
Eigen::Map<const Eigen::Matrix<double, kDofs<Dim>, 1>> velocity_of(const BodyVelocity<Dim>& body) {
  static_assert(sizeof(BodyVelocity<Dim>) == kDofs<Dim> * sizeof(double));
  return Eigen::Map<const Eigen::Matrix<double, kDofs<Dim>, 1>>(body.v);
}

// Rates of up to three rows; null: the world.
template <int Dim>
Eigen::Vector3d rates(int count, const Eigen::Matrix<double, kDofs<Dim>, 3>& a,
                      const Eigen::Matrix<double, kDofs<Dim>, 3>& b, const BodyVelocity<Dim>* velocity_a,
                      const BodyVelocity<Dim>* velocity_b) {
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();
  for (int i = 0; i < count; ++i) {
    if (velocity_a) rate[i] += a.col(i).dot(velocity_of<Dim>(*velocity_a));
    if (velocity_b) rate[i] += b.col(i).dot(velocity_of<Dim>(*velocity_b));
  }
  return rate;
}

bool find_slot(BodyId id, std::span<const int> slot_of, int& slot) {
  slot = id < 0 ? -1 : slot_of[id];
  return id < 0 || slot >= 0;
}

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

// Impulse and moment on a body, of the impulses of a block.
template <int Dim>
Eigen::Matrix<double, kDofs<Dim>, 1> push_of(const TiedEnd& end, const Eigen::VectorXd& r) {
  Eigen::Matrix<double, kDofs<Dim>, 1> p = Eigen::Matrix<double, kDofs<Dim>, 1>::Zero();
  for (Eigen::Index k = 0; k < r.size(); ++k)
    for (int i = 0; i < kDofs<Dim>; ++i) p[i] += end.jacobian(i, k) * r[k];
  return p;
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
void JointSet<Dim>::Rows::push(const CoordinateRow<Dim>& row) {
  value[count] = row.value;
  a.col(count) = row.a;
  b.col(count) = row.b;
  ++count;
}

template <int Dim>
typename JointSet<Dim>::Layout JointSet<Dim>::layout(const Joint<Dim>& joint) {
  Layout at;
  at.turns = static_cast<int>(joint.held_points.size());
  at.combined = at.turns + static_cast<int>(joint.held_turns.size());
  at.size = at.combined + 1;
  for (std::size_t i = 0; i < joint.free.size(); ++i) {
    at.direction.push_back(at.size);
    at.size += kDirectionRows;
  }
  return at;
}

template <int Dim>
void JointSet<Dim>::add(Joint<Dim> joint) {
  layouts_.push_back(layout(joint));
  JointState state;
  state.r.assign(static_cast<std::size_t>(layouts_.back().size), 0);
  for (const FreeDirection& direction : joint.free) state.value.push_back(direction.start);
  state.rate.assign(joint.free.size(), 0);
  state.effort = state.motor = state.rate;
  for (const CombinedTerm<Dim>& term : joint.combined) state.term.push_back(term.start);
  states_.push_back(std::move(state));
  joints_.push_back(std::move(joint));
}

template <int Dim>
bool JointSet<Dim>::place(const FramePair<Dim>& pair, std::span<const int> slot_of,
                          std::span<const Pose<Dim>> poses, PlacedFrames<Dim>& frames) {
  int a = -1, b = -1;
  if (!find_slot(pair.a, slot_of, a) || !find_slot(pair.b, slot_of, b)) return false;
  frames =
      place_frames<Dim>(pair.frame_a, a < 0 ? nullptr : &poses[a], pair.frame_b, b < 0 ? nullptr : &poses[b]);
  return true;
}

template <int Dim>
typename JointSet<Dim>::Rows JointSet<Dim>::rows_of(const FreeDirection& direction,
                                                    const PlacedFrames<Dim>& frames, double near) {
  Rows rows;
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
std::span<const JointLoad<Dim>> JointSet<Dim>::compute_forces(const JointStep& step,
                                                              std::span<const int> slot_of,
                                                              std::span<const Pose<Dim>> poses) {
  loads_.clear();
  given_.clear();
  for (int i = 0; i < count(); ++i) {
    std::fill(states_[i].motor.begin(), states_[i].motor.end(), 0.0);
    const Joint<Dim>& joint = joints_[i];
    PlacedFrames<Dim> frames;
    for (std::size_t d = 0; d < joint.free.size(); ++d) {
      const std::optional<JointMotor>& motor = joint.free[d].motor;
      if (!motor || motor->kind != JointMotor::Kind::force) continue;
      if (!place(joint.pair, slot_of, poses, frames)) continue;
      const CoordinateRow<Dim> row = evaluate<Dim>(joint.free[d].coordinate, frames, states_[i].value[d]);
      const double force =
          step.mean * motor->target.at(step.time + step.h) + (1 - step.mean) * motor->target.at(step.time);
      const auto push = [&](BodyId id, const typename CoordinateRow<Dim>::Jacobian& jacobian) {
        if (id < 0) return;
        JointLoad<Dim> load;
        load.slot = slot_of[id];
        load.impulse = step.h * force * jacobian.template head<Dim>();
        load.moment = step.h * force * jacobian.template tail<kSpins<Dim>>();
        loads_.push_back(load);
      };
      push(joint.pair.a, row.a);
      push(joint.pair.b, row.b);
      states_[i].motor[d] = step.h * force;
      const Vec<Dim> impulse = step.h * force * row.b.template head<Dim>();
      const Spin<Dim> turning = step.h * force * row.b.template tail<kSpins<Dim>>() -
                                moment(Vec<Dim>(frames.point_b - frames.centre_b), impulse);
      given_.push_back({i, static_cast<int>(d), step.h * force, step.mean, impulse, turning});
    }
  }
  return loads_;
}

template <int Dim>
TiedBlock& JointSet<Dim>::emit(int index, int direction, RowKind kind, int place, const Rows& rows,
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
  set_plain(set, rows.count, turns, block);
  set_end<Dim>(slot_a_, rows.a, rows.count, block.ends[0]);
  set_end<Dim>(slot_b_, rows.b, rows.count, block.ends[1]);
  row.before = rates<Dim>(rows.count, rows.a, rows.b, slot_a_ < 0 ? nullptr : &views.start[slot_a_],
                          slot_b_ < 0 ? nullptr : &views.start[slot_b_]);
  for (int i = 0; i < rows.count; ++i) block.r[i] = states_[index].r[place + i];
  emitted_.push_back(row);
  return block;
}

// Returns the index of its block, -1: nothing is held.
template <int Dim>
int JointSet<Dim>::add_held(int index, const std::vector<Coordinate>& held, int place, const JointStep& step,
                            const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  if (held.empty()) return -1;
  const Joint<Dim>& joint = joints_[index];
  Rows rows;
  for (const Coordinate coordinate : held) rows.push(evaluate<Dim>(coordinate, at_pose_));
  TiedBlock& block =
      emit(index, -1, RowKind::held, place, rows, SetKind::space, is_angle(held[0]), views, coupling);
  if (joint.stabilisation_time > 0) {
    Eigen::Vector3d off = Eigen::Vector3d::Zero();
    for (int i = 0; i < rows.count; ++i)
      off[i] = evaluate<Dim>(held[i], at_start_).value - joint.target(held[i]);
    const double part = beyond(off.norm(), is_angle(held[0]) ? joint.left_turned : joint.left_alone);
    for (int i = 0; i < rows.count; ++i)
      block.shift[i] = part * off[i] / (step.mean * joint.stabilisation_time);
  }
  // What the bodies come with at the very start may contradict the joint: it goes at once.
  if (states_[index].started)
    for (int i = 0; i < rows.count; ++i)
      block.shift[i] += (1 - step.mean) / step.mean * emitted_.back().before[i];
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
  // A slack rope pulls only: its row is total - sum >= 0.
  const double sign = joint.slack ? -1 : 1;
  set_plain(joint.slack ? SetKind::half_line : SetKind::space, 1, is_angle(joint.combined[0].coordinate),
            block);
  double value = -joint.total;
  for (std::size_t i = 0; i < joint.combined.size(); ++i) {
    const CombinedTerm<Dim>& term = joint.combined[i];
    PlacedFrames<Dim> frames;
    if (!place(term.pair, slot_of, views.pose, frames)) {
      coupling.blocks.pop_back();
      return;
    }
    const CoordinateRow<Dim> at = evaluate<Dim>(term.coordinate, frames, states_[index].term[i]);
    if (term.pair.a >= 0) add_to_end<Dim>(slot_of[term.pair.a], sign * term.factor * at.a, block);
    if (term.pair.b >= 0) add_to_end<Dim>(slot_of[term.pair.b], sign * term.factor * at.b, block);
    place(term.pair, slot_of, views.start_pose, frames);
    value += term.factor * evaluate<Dim>(term.coordinate, frames, states_[index].term[i]).value;
  }
  for (const TiedEnd& end : block.ends)
    if (end.slot >= 0) row.before[0] += end.jacobian.col(0).dot(velocity_of<Dim>(views.start[end.slot]));
  const double gap = sign * value, carry = (1 - step.mean) / step.mean;
  if (joint.slack) {
    block.shift[0] = std::max(0.0, gap + (1 - step.mean) * step.h * row.before[0]) / step.h;
    if (joint.stabilisation_time > 0) block.shift[0] += std::min(0.0, gap / joint.stabilisation_time);
  } else {
    if (joint.stabilisation_time > 0)
      block.shift[0] = gap * beyond(std::abs(gap), block.turns[0] ? joint.left_turned : joint.left_alone) /
                       (step.mean * joint.stabilisation_time);
    if (states_[index].started) block.shift[0] += carry * row.before[0];
  }
  block.r[0] = states_[index].r[row.place];
  emitted_.push_back(row);
}

// The gap of a limit may be an angle; the law sees it as a distance, its impulse is a moment then.
template <int Dim>
void JointSet<Dim>::add_limit(int index, int direction, bool upper, const JointStep& step,
                              const JointViews<Dim>& views, const Rows& rows, int place,
                              Coupling<Dim>& coupling) {
  const FreeDirection& free = joints_[index].free[direction];
  const double limit = upper ? free.limits->upper : free.limits->lower, sign = upper ? -1 : 1;
  if (!std::isfinite(limit)) return;
  Rows bound = rows;
  bound.a.col(0) *= sign;
  bound.b.col(0) *= sign;
  PairLaw law;
  law.kind = limit_law(free.limits->restitution);
  law.restitution = free.limits->restitution;
  LawInput input;
  input.gap = sign * (states_[index].value[direction] - limit);
  input.u = rates<Dim>(1, bound.a, bound.b, slot_a_ < 0 ? nullptr : &views.start[slot_a_],
                       slot_b_ < 0 ? nullptr : &views.start[slot_b_]);
  input.u_free = input.u;
  input.gap_consistent = input.gap + (1 - step.mean) * step.h * input.u[0];
  input.duration = step.h;
  input.mean = step.mean;
  input.activation = step.activation;
  input.activation_gamma = step.activation_gamma;
  const LawTerms terms = compute_terms(law, input, ContactHistory());
  if (!terms.active) {
    states_[index].r[place] = 0;
    return;
  }
  TiedBlock& block = emit(index, direction, upper ? RowKind::upper : RowKind::lower, place, bound,
                          SetKind::half_line, is_angle(free.coordinate), views, coupling);
  block.shift[0] = terms.shift[0];
  if (const double tau = joints_[index].stabilisation_time; tau > 0 && input.gap < 0)
    block.shift[0] = std::min(block.shift[0], input.gap / tau);
}

template <int Dim>
void JointSet<Dim>::add_direction(int index, int direction, int load, const JointStep& step,
                                  const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  const FreeDirection& free = joints_[index].free[direction];
  JointState& state = states_[index];
  const int place = layouts_[index].direction[direction];
  const bool turns = free.rotation || is_angle(free.coordinate);
  const double carry = (1 - step.mean) / step.mean;
  const Rows rows = rows_of(free, at_pose_, state.value[direction]);
  if (free.limits) {
    add_limit(index, direction, false, step, views, rows, place, coupling);
    add_limit(index, direction, true, step, views, rows, place + 1, coupling);
  }
  if (free.spring) {
    const JointSpring& spring = *free.spring;
    const double drag = spring.stiffness * step.mean * step.h + spring.damping;  // N s/m, of u_m
    TiedBlock& block =
        emit(index, direction, RowKind::spring, place + 2, rows, SetKind::space, turns, views, coupling);
    block.compliance.setConstant(1 / (step.mean * step.h * drag));
    const Rows now = rows_of(free, at_start_, state.value[direction]);
    for (int i = 0; i < rows.count; ++i)
      block.shift[i] = carry * emitted_.back().before[i] +
                       spring.stiffness * (now.value[i] - spring.zero()) / (step.mean * drag);
  }
  if (free.friction) {
    TiedBlock& block =
        emit(index, direction, RowKind::friction, place + 5, rows, SetKind::ball, turns, views, coupling);
    block.set.radius = step.h * free.friction->constant;
    if (free.friction->coefficient > 0 && load >= 0) {
      block.limit_of = load;
      block.limit_offset = block.set.radius;
      block.limit_factor = free.friction->coefficient * (turns ? free.friction->radius : 1.0);
      block.set.radius += block.limit_factor * coupling.blocks[load].r.norm();
    }
  }
  if (free.motor && free.motor->kind != JointMotor::Kind::force) {
    const JointMotor& motor = *free.motor;
    TiedBlock& block =
        emit(index, direction, RowKind::motor, place + 8, rows, SetKind::space, turns, views, coupling);
    const double end = step.time + step.h;
    double target = motor.target.at(end);
    if (motor.kind == JointMotor::Kind::position) {
      const double tau =
          joints_[index].stabilisation_time > 0 ? joints_[index].stabilisation_time : 10 * step.h;
      target = motor.target.slope_before(end) + (motor.target.at(step.time) - state.value[direction]) / tau;
    }
    block.shift[0] = -target;
    if (motor.limit) {
      block.set.kind = SetKind::ball;
      block.set.radius = step.h * std::max(0.0, motor.limit->at(step.time + step.mean * step.h));
    }
  }
}

template <int Dim>
void JointSet<Dim>::add_joint(int index, const JointStep& step, std::span<const int> slot_of,
                              const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  const Joint<Dim>& joint = joints_[index];
  add_combined(index, step, slot_of, views, coupling);
  if (joint.kind == JointKind::gear || joint.kind == JointKind::pulley) return;
  if (!find_slot(joint.pair.a, slot_of, slot_a_) || !find_slot(joint.pair.b, slot_of, slot_b_)) return;
  place(joint.pair, slot_of, views.start_pose, at_start_);
  place(joint.pair, slot_of, views.pose, at_pose_);
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
  for (int i = 0; i < count(); ++i) add_joint(i, step, slot_of, views, coupling);
}

template <int Dim>
void JointSet<Dim>::account(const Emitted& row, const TiedBlock& block, double done,
                            const Eigen::Vector3d& mean, double h, JointWork& work) {
  JointState& state = states_[row.joint];
  const Joint<Dim>& joint = joints_[row.joint];
  const double along = row.kind == RowKind::upper ? -block.r[0] : block.r[0];
  if (row.direction >= 0 && !joint.free[row.direction].rotation) state.effort[row.direction] += along;
  switch (row.kind) {
    case RowKind::held: work.joints += done; break;
    case RowKind::combined:
      state.row = along;
      (joint.slack ? work.impact : work.joints) += done;
      break;
    case RowKind::lower:
    case RowKind::upper: work.impact += done; break;
    case RowKind::spring: {
      const double lost = -h * joint.free[row.direction].spring->damping * mean.squaredNorm();
      work.damping += lost;
      work.elastic += done - lost;
      break;
    }
    case RowKind::friction: work.friction += done; break;
    case RowKind::motor:
      state.motor[row.direction] = along;
      state.motor_work += done;
      work.drives += done;
      break;
  }
}

template <int Dim>
void JointSet<Dim>::add_load(const Vec<Dim>& impulse, const Spin<Dim>& turning, JointState& state) {
  for (int i = 0; i < Dim; ++i) state.impulse[i] += impulse[i];
  for (int i = 0; i < kSpins<Dim>; ++i) state.moment[3 - kSpins<Dim> + i] += turning[i];
}

template <int Dim>
JointWork JointSet<Dim>::update(const JointStep& step, const Coupling<Dim>& coupling) {
  JointWork work;
  for (JointState& state : states_) {
    state.impulse.setZero();
    state.moment.setZero();
    state.turning[0].setZero();
    state.turning[1].setZero();
    state.row = state.motor_work = 0;
    std::fill(state.effort.begin(), state.effort.end(), 0.0);
  }
  for (const Given& force : given_) {
    states_[force.joint].effort[force.direction] += force.push;
    add_load(force.impulse, force.turning, states_[force.joint]);
  }
  for (const Emitted& row : emitted_) {
    const TiedBlock& block = coupling.blocks[row.block];
    JointState& state = states_[row.joint];
    const int rows = block.set.size;
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    double done = 0;
    for (int i = 0; i < rows; ++i) {
      mean[i] = step.mean * block.u[i] + (1 - step.mean) * row.before[i];
      done += block.r[i] * mean[i];
      state.r[row.place + i] = block.r[i];
    }
    work.size += std::abs(done);
    state.started = true;
    account(row, block, done, mean, step.h, work);
    if (row.kind == RowKind::combined) continue;
    const Eigen::Matrix<double, kDofs<Dim>, 1> p = push_of<Dim>(block.ends[1], block.r);
    const Vec<Dim> impulse = p.template head<Dim>();
    add_load(impulse, Spin<Dim>(p.template tail<kSpins<Dim>>() - moment(row.arm, impulse)), state);
    for (const int e : {0, 1})
      if (block.ends[e].slot >= 0)
        state.turning[e].template tail<kSpins<Dim>>() +=
            push_of<Dim>(block.ends[e], block.r).template tail<kSpins<Dim>>();
  }
  return work;
}

template <int Dim>
void JointSet<Dim>::add_impulses(const Coupling<Dim>& coupling, std::span<Vec<Dim>> impulse,
                                 std::span<Spin<Dim>> moment) const {
  for (const Emitted& row : emitted_)
    for (const TiedEnd& end : coupling.blocks[row.block].ends) {
      if (end.slot < 0) continue;
      const Eigen::Matrix<double, kDofs<Dim>, 1> p = push_of<Dim>(end, coupling.blocks[row.block].r);
      impulse[end.slot] += p.template head<Dim>();
      moment[end.slot] += p.template tail<kSpins<Dim>>();
    }
}

template <int Dim>
void JointSet<Dim>::add_expected(std::span<const int> slot_of, std::span<Spin<Dim>> moment) const {
  for (int i = 0; i < count(); ++i) {
    const FramePair<Dim>& pair = joints_[i].pair;
    const BodyId ids[2] = {pair.a, pair.b};
    for (const int e : {0, 1})
      if (ids[e] >= 0 && slot_of[ids[e]] >= 0)
        moment[slot_of[ids[e]]] += states_[i].turning[e].template tail<kSpins<Dim>>();
  }
}

template <int Dim>
void JointSet<Dim>::update_values(std::span<const int> slot_of, std::span<const Pose<Dim>> poses,
                                  std::span<const BodyVelocity<Dim>> velocity) {
  // Rates before and after: of the work of a given force up to what the bodies turn in a step.
  for (const Given& force : given_)
    states_[force.joint].motor_work +=
        force.push * (1 - force.mean) * states_[force.joint].rate[force.direction];
  for (int i = 0; i < count(); ++i) {
    const Joint<Dim>& joint = joints_[i];
    JointState& state = states_[i];
    PlacedFrames<Dim> frames;
    for (std::size_t k = 0; k < joint.combined.size(); ++k)
      if (place(joint.combined[k].pair, slot_of, poses, frames))
        state.term[k] = evaluate<Dim>(joint.combined[k].coordinate, frames, state.term[k]).value;
    if (joint.free.empty() || !place(joint.pair, slot_of, poses, frames)) continue;
    const int a = joint.pair.a < 0 ? -1 : slot_of[joint.pair.a], b = slot_of[joint.pair.b];
    for (std::size_t d = 0; d < joint.free.size(); ++d) {
      const Rows rows = rows_of(joint.free[d], frames, state.value[d]);
      const Eigen::Vector3d rate =
          rates<Dim>(rows.count, rows.a, rows.b, a < 0 ? nullptr : &velocity[a], &velocity[b]);
      const bool vector = joint.free[d].rotation;
      state.value[d] = vector ? rows.value.norm() : rows.value[0];
      state.rate[d] = vector ? rate.norm() : rate[0];
    }
  }
  for (const Given& force : given_)
    states_[force.joint].motor_work += force.push * force.mean * states_[force.joint].rate[force.direction];
  given_.clear();
}

template <int Dim>
double JointSet<Dim>::stored_energy(std::span<const int> slot_of) const {
  double stored = 0;
  for (int i = 0; i < count(); ++i) {
    int slot = -1;
    if (!find_slot(joints_[i].pair.a, slot_of, slot) || !find_slot(joints_[i].pair.b, slot_of, slot))
      continue;
    for (std::size_t d = 0; d < joints_[i].free.size(); ++d)
      if (const std::optional<JointSpring>& spring = joints_[i].free[d].spring) {
        const double stretch = states_[i].value[d] - spring->zero();
        stored += 0.5 * spring->stiffness * stretch * stretch;
      }
  }
  return stored;
}

template <int Dim>
std::pair<double, double> JointSet<Dim>::off(const Joint<Dim>& joint, const PlacedFrames<Dim>& frames) const {
  double distance = 0, angle = 0;
  for (const Coordinate held : joint.held_points) {
    const double value = evaluate<Dim>(held, frames).value - joint.target(held);
    distance += value * value;
  }
  for (const Coordinate held : joint.held_turns) {
    const double value = evaluate<Dim>(held, frames).value;
    angle += value * value;
  }
  return {std::sqrt(distance), std::sqrt(angle)};
}

template <int Dim>
typename JointSet<Dim>::Off JointSet<Dim>::largest_off(std::span<const int> slot_of,
                                                       std::span<const Pose<Dim>> poses) const {
  Off largest;
  for (int i = 0; i < count(); ++i) {
    PlacedFrames<Dim> frames;
    if (!place(joints_[i].pair, slot_of, poses, frames)) continue;
    const auto [distance, angle] = off(joints_[i], frames);
    if (distance > largest.distance) largest.distance = distance, largest.farthest = i;
    if (angle > largest.angle) largest.angle = angle, largest.turned = i;
  }
  return largest;
}

template class JointSet<2>;
template class JointSet<3>;

}  // namespace saltus
