// What joints remember and tell (joint_blocks.cpp makes their blocks).
#include "saltus/joints/joint_set.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr int kDirectionRows = 8;  // lower, upper, spring (3), friction (3); then the motor

// Impulse and moment on a body, of the impulses of a block.
template <int Dim>
BodyRow<Dim> push_of(const TiedEnd& end, const Eigen::VectorXd& r) {
  BodyRow<Dim> p = BodyRow<Dim>::Zero();
  for (Eigen::Index k = 0; k < r.size(); ++k)
    for (int i = 0; i < kDofs<Dim>; ++i) p[i] += end.jacobian(i, k) * r[k];
  return p;
}

// Adds what acts on the second body, (impulse, moment about its centre of mass), as a load at the point `arm` from there.
template <int Dim>
void add_load(const BodyRow<Dim>& push, const Vec<Dim>& arm, JointState& state) {
  const Vec<Dim> impulse = push.template head<Dim>();
  const Spin<Dim> turning = push.template tail<kSpins<Dim>>() - moment(arm, impulse);
  for (int i = 0; i < Dim; ++i) state.impulse[i] += impulse[i];
  for (int i = 0; i < kSpins<Dim>; ++i) state.moment[3 - kSpins<Dim> + i] += turning[i];
}

// The largest velocity that one of the bodies gives the rows.
template <int Dim>
double fastest_end(const TiedBlock& block, std::span<const BodyVelocity<Dim>> velocity) {
  double fastest = 0;
  for (const TiedEnd& end : block.ends)
    if (end.slot >= 0)
      fastest = std::max(fastest, (end.jacobian.transpose() * velocity_of<Dim>(velocity[end.slot])).norm());
  return fastest;
}

}  // namespace

template <int Dim>
typename JointSet<Dim>::Layout JointSet<Dim>::layout(const Joint<Dim>& joint) {
  Layout at;
  at.turns = static_cast<int>(joint.held_points.size());
  at.combined = at.turns + static_cast<int>(joint.held_turns.size());
  at.size = at.combined + 1;
  for (const FreeDirection& free : joint.free) {
    at.direction.push_back(at.size);
    at.size += kDirectionRows + free.rows();
  }
  return at;
}

template <int Dim>
JointState JointSet<Dim>::fresh_state(const Joint<Dim>& joint, int rows) {
  JointState state;
  state.r.assign(static_cast<std::size_t>(rows), 0);
  for (const FreeDirection& direction : joint.free) state.value.push_back(direction.start);
  state.rate.assign(joint.free.size(), 0);
  state.effort = state.motor = state.motor_force = state.rate;
  for (const CombinedTerm<Dim>& term : joint.combined) state.term.push_back(term.start);
  return state;
}

template <int Dim>
void JointSet<Dim>::add(Joint<Dim> joint) {
  layouts_.push_back(layout(joint));
  states_.push_back(fresh_state(joint, layouts_.back().size));
  joints_.push_back(std::move(joint));
}

template <int Dim>
void JointSet<Dim>::begin(int index, Joint<Dim> joint) {
  states_[index] = fresh_state(joint, layouts_[index].size);
  states_[index].begun = states_[index].late = true;
  joints_[index] = std::move(joint);
}

template <int Dim>
bool JointSet<Dim>::is_there(int index, std::span<const int> slot_of) const {
  const Joint<Dim>& joint = joints_[index];
  int slot = -1;
  const auto has = [&](const FramePair<Dim>& pair) {
    return find_slot(pair.a, slot_of, slot) && find_slot(pair.b, slot_of, slot);
  };
  return has(joint.pair) && std::all_of(joint.combined.begin(), joint.combined.end(),
                                        [&](const CombinedTerm<Dim>& term) { return has(term.pair); });
}

template <int Dim>
void JointSet<Dim>::account(const Emitted& row, const TiedBlock& block, double done,
                            const Eigen::Vector3d& mean, double h, JointWork& work) {
  JointState& state = states_[row.joint];
  const Joint<Dim>& joint = joints_[row.joint];
  double along = row.kind == RowKind::upper ? -block.r[0] : block.r[0];
  if (row.direction >= 0 && block.r.size() > 1) along = block.r.dot(row.along.head(block.r.size()));
  if (row.direction >= 0 && joint.free[row.direction].rotation) {
    state.turned += block.r;
    along = block.r.norm();
  } else if (row.direction >= 0) {
    state.effort[row.direction] += along;
  }
  switch (row.kind) {
    case RowKind::held: work.joints += done; break;
    case RowKind::combined:
      // Of a pulley the tension: a row that is not slack pushes its length up, and a rope pulls it down.
      state.row = joint.kind == JointKind::pulley && !joint.slack ? -along : along;
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
void JointSet<Dim>::clear_told() {
  for (JointState& state : states_) {
    state.impulse.setZero();
    state.moment.setZero();
    state.turning[0].setZero();
    state.turning[1].setZero();
    state.turned.setZero();
    state.row = state.motor_work = 0;
    std::fill(state.effort.begin(), state.effort.end(), 0.0);
    std::fill(state.motor.begin(), state.motor.end(), 0.0);
  }
}

template <int Dim>
void JointSet<Dim>::tell(const Given& force, double mean, std::span<const BodyVelocity<Dim>> start,
                         std::span<const SweepBody<Dim>> solved) {
  JointState& state = states_[force.joint];
  state.effort[force.direction] += force.push;
  state.motor[force.direction] += force.push;
  const auto act = [&](int end, int slot, const BodyRow<Dim>& jacobian) {
    if (slot < 0) return;
    state.motor_work += force.push * (mean * jacobian.dot(velocity_of<Dim>(solved[slot])) +
                                      (1 - mean) * jacobian.dot(velocity_of<Dim>(start[slot])));
    state.turning[end].template tail<kSpins<Dim>>() += force.push * jacobian.template tail<kSpins<Dim>>();
  };
  act(0, force.slot_a, force.row.a);
  act(1, force.slot_b, force.row.b);
  add_load<Dim>(force.push * force.row.b, force.arm, state);
}

template <int Dim>
void JointSet<Dim>::find_jolts(const Coupling<Dim>& coupling, std::span<const BodyVelocity<Dim>> start,
                               std::vector<int>& blocks) const {
  // Of the larger of both speeds: a motor that follows a smooth function changes it by less, but where it is about to turn round, and
  // a jump by less makes loads alternate by less than twice that.
  constexpr double kJump = 0.05;
  blocks.clear();
  for (const Emitted& row : emitted_) {
    const TiedBlock& block = coupling.blocks[row.block];
    const JointState& state = states_[row.joint];
    const bool pushes = block.set.kind == SetKind::half_line && block.r[0] > 0;
    const bool drives = row.kind == RowKind::motor && block.set.kind == SetKind::space;
    double asked = std::abs(block.shift[0]), had = std::abs(row.before[0]),
           jump = std::abs(-block.shift[0] - row.before[0]);
    if (block.set.size > 1)
      asked = block.shift.norm(), had = row.before.norm(),
      jump = (block.shift + row.before.head(block.set.size)).norm();
    // A bound without restitution is reached in two steps: it pushes in both.
    if ((pushes && (!(state.r[row.place] > 0) || -row.before[0] > kJump * fastest_end<Dim>(block, start))) ||
        (drives && jump > kJump * std::max(asked, had)) ||
        (!state.started && row.broken > kJump * fastest_end<Dim>(block, start)))
      blocks.push_back(row.block);
  }
}

template <int Dim>
void JointSet<Dim>::set_jolted(const std::function<bool(int)>& is_jolted) {
  for (const Emitted& row : emitted_) states_[row.joint].jolted = false;
  for (const Emitted& row : emitted_)
    if (is_jolted(row.block)) states_[row.joint].jolted = true;
}

template <int Dim>
JointWork JointSet<Dim>::update(const JointStep& step, const Coupling<Dim>& coupling,
                                std::span<const BodyVelocity<Dim>> start,
                                std::span<const SweepBody<Dim>> solved) {
  JointWork work;
  clear_told();
  for (const Given& force : given_) tell(force, step.mean, start, solved);
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
    add_load<Dim>(push_of<Dim>(block.ends[1], block.r), row.arm, state);
    for (const int e : {0, 1})
      if (block.ends[e].slot >= 0)
        state.turning[e].template tail<kSpins<Dim>>() +=
            push_of<Dim>(block.ends[e], block.r).template tail<kSpins<Dim>>();
  }
  for (int i = 0; i < count(); ++i)
    for (std::size_t d = 0; d < joints_[i].free.size(); ++d)
      if (joints_[i].free[d].rotation) states_[i].effort[d] = states_[i].turned.norm();
  return work;
}

template <int Dim>
void JointSet<Dim>::add_impulses(const Coupling<Dim>& coupling, std::span<Vec<Dim>> impulse,
                                 std::span<Spin<Dim>> moment) const {
  for (const Emitted& row : emitted_)
    for (const TiedEnd& end : coupling.blocks[row.block].ends) {
      if (end.slot < 0) continue;
      const BodyRow<Dim> p = push_of<Dim>(end, coupling.blocks[row.block].r);
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
  for (int i = 0; i < count(); ++i) {
    const Joint<Dim>& joint = joints_[i];
    JointState& state = states_[i];
    PlacedFrames<Dim> frames;
    for (std::size_t k = 0; k < joint.combined.size(); ++k)
      if (place_pair<Dim>(joint.combined[k].pair, slot_of, poses, frames))
        state.term[k] = evaluate<Dim>(joint.combined[k].coordinate, frames, state.term[k]).value;
    if (joint.free.empty() || !place_pair<Dim>(joint.pair, slot_of, poses, frames)) continue;
    const int a = joint.pair.a < 0 ? -1 : slot_of[joint.pair.a], b = slot_of[joint.pair.b];
    for (std::size_t d = 0; d < joint.free.size(); ++d) {
      const JointRows<Dim> rows = build_rows<Dim>(joint.free[d], frames, state.value[d]);
      const Eigen::Vector3d rate = compute_rates<Dim>(rows, a, b, velocity);
      const bool vector = joint.free[d].rotation;
      state.value[d] = vector ? rows.value.norm() : rows.value[0];
      state.rate[d] = vector ? rate.norm() : rate[0];
      if (vector && joint.free[d].spring)
        state.stretch = build_resisting_rows<Dim>(joint.free[d], frames, state.value[d]).value.norm();
    }
  }
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
        const double stretch =
            joints_[i].free[d].rotation ? states_[i].stretch : states_[i].value[d] - spring->zero();
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
    if (!place_pair<Dim>(joints_[i].pair, slot_of, poses, frames)) continue;
    const auto [distance, angle] = off(joints_[i], frames);
    if (distance > largest.distance) largest.distance = distance, largest.farthest = i;
    if (angle > largest.angle) largest.angle = angle, largest.turned = i;
  }
  return largest;
}

template class JointSet<2>;
template class JointSet<3>;

}  // namespace saltus
