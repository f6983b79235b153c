#include "saltus/joints/joint.hpp"

#include <cmath>
#include <numbers>

namespace saltus {

namespace {

template <int Dim>
Vec<Dim> point_of(std::span<const Pose<Dim>> poses, int slot, const Vec<Dim>& local) {
  return slot < 0 ? local : poses[slot].to_world(local);
}

template <int Dim>
Vec<Dim> direction_of(std::span<const Pose<Dim>> poses, int slot, const Vec<Dim>& local) {
  return slot < 0 ? local : poses[slot].rotated(local);
}

// (v, w) that a unit velocity of the point asks for, per direction of the world.
template <int Dim>
Eigen::MatrixXd point_jacobian(const Vec<Dim>& arm) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(kDofs<Dim>, Dim);
  for (int i = 0; i < Dim; ++i) {
    J(i, i) = 1;
    J.col(i).template tail<kSpins<Dim>>() = moment(arm, Vec<Dim>(Vec<Dim>::Unit(i)));
  }
  return J;
}

template <int Dim>
Eigen::VectorXd velocity_of(const BodyVelocity<Dim>& body) {
  Eigen::VectorXd v(kDofs<Dim>);
  for (int i = 0; i < Dim; ++i) v[i] = body.v[i];
  for (int i = 0; i < kSpins<Dim>; ++i) v[Dim + i] = body.w[i];
  return v;
}

// Two unit vectors at right angles to an axis.
Eigen::Matrix<double, 3, 2> across(const Vec<3>& axis) {
  Eigen::Matrix<double, 3, 2> t;
  t.col(0) =
      axis.cross(std::abs(axis.x()) < 0.6 ? Vec<3>(Vec<3>::UnitX()) : Vec<3>(Vec<3>::UnitY())).normalized();
  t.col(1) = axis.cross(t.col(0));
  return t;
}

// The number of `angle` modulo a whole turn nearest to `near`.
double unwrapped(double angle, double near) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * std::round((near - angle) / kTurn);
}

double angle_of(const RevoluteJoint<2>& joint, std::span<const Pose<2>> poses, int a, int b, double) {
  return (b < 0 ? 0.0 : poses[b].angle()) - (a < 0 ? 0.0 : poses[a].angle()) - joint.angle;
}
double angle_of(const RevoluteJoint<3>& joint, std::span<const Pose<3>> poses, int a, int b, double near) {
  const Vec<3> axis = direction_of<3>(poses, a, joint.axis_a);
  const Vec<3> from = direction_of<3>(poses, a, joint.across_a),
               to = direction_of<3>(poses, b, joint.across_b);
  return unwrapped(std::atan2(axis.dot(from.cross(to)), from.dot(to)), near);
}

Eigen::VectorXd spin_axis(const RevoluteJoint<2>&, std::span<const Pose<2>>, int) {
  return Eigen::VectorXd::Ones(1);
}
Eigen::VectorXd spin_axis(const RevoluteJoint<3>& joint, std::span<const Pose<3>> poses, int a) {
  return direction_of<3>(poses, a, joint.axis_a);
}

}  // namespace

template <int Dim>
void JointSet<Dim>::add(const RevoluteJoint<Dim>& joint) {
  joints_.push_back(joint);
  states_.emplace_back();
}

template <int Dim>
bool JointSet<Dim>::find_slots(int joint, std::span<const int> slot_of, int& a, int& b) const {
  const BodyId first = joints_[joint].a, second = joints_[joint].b;
  a = first < 0 ? -1 : slot_of[first];
  b = second < 0 ? -1 : slot_of[second];
  return (first < 0 || a >= 0) && (second < 0 || b >= 0);
}

template <int Dim>
void JointSet<Dim>::push(int index, typename Row::Kind kind, const JointViews<Dim>& views, TiedBlock block,
                         Coupling<Dim>& coupling) {
  Row row{index,
          static_cast<int>(coupling.blocks.size()),
          kind,
          Eigen::VectorXd::Zero(block.set.size),
          block.ends[0].slot,
          block.ends[1].slot};
  for (const TiedEnd& end : block.ends)
    if (end.slot >= 0) row.before += end.jacobian.transpose() * velocity_of<Dim>(views.start[end.slot]);
  rows_.push_back(std::move(row));
  coupling.blocks.push_back(std::move(block));
}

template <int Dim>
void JointSet<Dim>::add_point(int index, const JointStep& step, const JointViews<Dim>& views, int a, int b,
                              Coupling<Dim>& coupling) {
  const RevoluteJoint<Dim>& joint = joints_[index];
  TiedBlock block;
  block.set = {SetKind::space, Dim, 0};
  const auto end = [&](int slot, const Vec<Dim>& local, double sign) {
    TiedEnd result;
    result.slot = slot;
    if (slot >= 0) result.jacobian = sign * point_jacobian<Dim>(direction_of<Dim>(views.pose, slot, local));
    return result;
  };
  block.ends[0] = end(a, joint.point_a, -1);
  block.ends[1] = end(b, joint.point_b, 1);
  const Vec<Dim> off =
      point_of<Dim>(views.start_pose, b, joint.point_b) - point_of<Dim>(views.start_pose, a, joint.point_a);
  block.shift = joint.stabilisation / (step.mean * step.h) * off;
  block.compliance = Eigen::VectorXd::Zero(Dim);
  block.turns.assign(Dim, 0);
  block.r = states_[index].impulse.template head<Dim>();
  push(index, Row::Kind::point, views, std::move(block), coupling);
  const double carry = states_[index].started ? (1 - step.mean) / step.mean : 0.0;
  coupling.blocks.back().shift += carry * rows_.back().before;
}

template <int Dim>
void JointSet<Dim>::add_axis(int index, const JointStep& step, const JointViews<Dim>& views, int a, int b,
                             Coupling<Dim>& coupling) {
  if constexpr (Dim == 3) {
    const RevoluteJoint<3>& joint = joints_[index];
    const Eigen::Matrix<double, 3, 2> t = across(direction_of<3>(views.pose, a, joint.axis_a));
    TiedBlock block;
    block.set = {SetKind::space, 2, 0};
    for (int e = 0; e < 2; ++e) {
      const int slot = e == 0 ? a : b;
      block.ends[e].slot = slot;
      if (slot < 0) continue;
      block.ends[e].jacobian = Eigen::MatrixXd::Zero(6, 2);
      block.ends[e].jacobian.bottomRows<3>() = (e == 0 ? -1.0 : 1.0) * t;
    }
    const Vec<3> off = direction_of<3>(views.start_pose, a, joint.axis_a)
                           .cross(direction_of<3>(views.start_pose, b, joint.axis_b));
    block.shift = joint.stabilisation / (step.mean * step.h) * (t.transpose() * off);
    block.compliance = Eigen::VectorXd::Zero(2);
    block.turns.assign(2, 1);
    block.r = t.transpose() * states_[index].moment;
    push(index, Row::Kind::axis, views, std::move(block), coupling);
    const double carry = states_[index].started ? (1 - step.mean) / step.mean : 0.0;
    coupling.blocks.back().shift += carry * rows_.back().before;
  } else {
    (void)index, (void)step, (void)views, (void)a, (void)b, (void)coupling;
  }
}

// The gap of a stop is an angle; the law sees it as a distance, its impulse is a moment.
template <int Dim>
void JointSet<Dim>::add_stop(int index, bool upper, const JointStep& step, const JointViews<Dim>& views,
                             int a, int b, Coupling<Dim>& coupling) {
  const RevoluteJoint<Dim>& joint = joints_[index];
  const double limit = upper ? joint.stop->upper : joint.stop->lower, sign = upper ? -1 : 1;
  if (!std::isfinite(limit)) return;
  const Eigen::VectorXd axis = spin_axis(joint, views.pose, a);
  TiedBlock block;
  block.set = {SetKind::half_line, 1, 0};
  for (int e = 0; e < 2; ++e) {
    const int slot = e == 0 ? a : b;
    block.ends[e].slot = slot;
    if (slot < 0) continue;
    block.ends[e].jacobian = Eigen::MatrixXd::Zero(kDofs<Dim>, 1);
    block.ends[e].jacobian.template bottomRows<kSpins<Dim>>() = (e == 0 ? -sign : sign) * axis;
  }
  block.compliance = Eigen::VectorXd::Zero(1);
  block.turns.assign(1, 1);
  block.r = Eigen::VectorXd::Constant(1, std::max(0.0, sign * states_[index].stop_impulse));
  block.shift = Eigen::VectorXd::Zero(1);
  push(index, upper ? Row::Kind::upper : Row::Kind::lower, views, std::move(block), coupling);
  PairLaw law;
  law.kind = LawKind::newton;
  law.restitution = joint.stop->restitution;
  LawInput input;
  input.gap = sign * (states_[index].angle - limit);
  input.u[0] = rows_.back().before[0];
  input.gap_consistent = input.gap + (1 - step.mean) * step.h * input.u[0];
  input.duration = step.h;
  input.mean = step.mean;
  const LawTerms terms = compute_terms(law, input, ContactHistory());
  if (!terms.active) {
    coupling.blocks.pop_back();
    rows_.pop_back();
    return;
  }
  coupling.blocks.back().shift[0] = terms.shift[0];
}

template <int Dim>
void JointSet<Dim>::add_blocks(const JointStep& step, std::span<const int> slot_of,
                               const JointViews<Dim>& views, Coupling<Dim>& coupling) {
  rows_.clear();
  for (int i = 0; i < count(); ++i) {
    const RevoluteJoint<Dim>& joint = joints_[i];
    int a = -1, b = -1;
    if (!find_slots(i, slot_of, a, b)) continue;
    add_point(i, step, views, a, b, coupling);
    add_axis(i, step, views, a, b, coupling);
    if (joint.stop) {
      add_stop(i, false, step, views, a, b, coupling);
      add_stop(i, true, step, views, a, b, coupling);
    }
  }
}

template <int Dim>
typename JointSet<Dim>::Work JointSet<Dim>::update(const JointStep& step, const Coupling<Dim>& coupling) {
  Work work;
  solved_.clear();
  for (JointState& state : states_) state.stop_impulse = 0;
  for (const Row& row : rows_) {
    const TiedBlock& block = coupling.blocks[row.block];
    JointState& state = states_[row.joint];
    solved_.push_back(block);
    const Eigen::VectorXd mean = step.mean * block.u + (1 - step.mean) * row.before;
    const double done = block.r.dot(mean);
    work.size += std::abs(done);
    switch (row.kind) {
      case Row::Kind::point:
        state.impulse.setZero();
        state.impulse.template head<Dim>() = block.r;
        work.joints += done;
        state.started = true;
        break;
      case Row::Kind::axis:
        state.moment = block.ends[1].slot >= 0 ? Vec<3>(block.ends[1].jacobian.bottomRows(3) * block.r)
                                               : Vec<3>(-(block.ends[0].jacobian.bottomRows(3) * block.r));
        work.joints += done;
        break;
      case Row::Kind::lower:
        state.stop_impulse += block.r[0];
        work.impact += done;
        break;
      case Row::Kind::upper:
        state.stop_impulse -= block.r[0];
        work.impact += done;
        break;
    }
  }
  return work;
}

template <int Dim>
void JointSet<Dim>::add_impulses(std::span<Vec<Dim>> impulse, std::span<Spin<Dim>> moment) const {
  for (const TiedBlock& block : solved_)
    for (const TiedEnd& end : block.ends) {
      if (end.slot < 0) continue;
      const Eigen::VectorXd p = end.jacobian * block.r;
      impulse[end.slot] += p.head<Dim>();
      moment[end.slot] += p.tail<kSpins<Dim>>();
    }
}

template <int Dim>
void JointSet<Dim>::update_angles(std::span<const int> slot_of, std::span<const Pose<Dim>> poses) {
  for (int i = 0; i < count(); ++i) {
    const RevoluteJoint<Dim>& joint = joints_[i];
    int a = -1, b = -1;
    if (!find_slots(i, slot_of, a, b)) continue;
    states_[i].angle = angle_of(joint, poses, a, b, states_[i].angle);
  }
}

template <int Dim>
std::pair<double, int> JointSet<Dim>::largest_gap(std::span<const int> slot_of,
                                                  std::span<const Pose<Dim>> poses) const {
  std::pair<double, int> largest{0, -1};
  for (int i = 0; i < count(); ++i) {
    const RevoluteJoint<Dim>& joint = joints_[i];
    int a = -1, b = -1;
    if (!find_slots(i, slot_of, a, b)) continue;
    const double gap =
        (point_of<Dim>(poses, b, joint.point_b) - point_of<Dim>(poses, a, joint.point_a)).norm();
    if (gap > largest.first) largest = {gap, i};
  }
  return largest;
}

template class JointSet<2>;
template class JointSet<3>;

}  // namespace saltus
