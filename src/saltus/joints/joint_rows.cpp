#include "saltus/joints/joint_rows.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

template <int Dim>
class RowBuilder {
 public:
  using Row = JointRow<Dim>;

  RowBuilder(const JointSet<Dim>& joints, std::span<const int> slot_of, std::span<const Pose<Dim>> poses,
             double t, double h, std::vector<Row>& rows)
      : joints_(joints), slot_of_(slot_of), poses_(poses), t_(t), h_(h), rows_(rows) {}

  void add(int index) {
    const Joint<Dim>& joint = joints_.joint(index);
    index_ = index;
    add_combined(joint);
    if (joint.kind == JointKind::gear || joint.kind == JointKind::pulley) return;
    if (!place_pair<Dim>(joint.pair, slot_of_, poses_, frames_)) return;
    add_held(joint, joint.held_points);
    add_held(joint, joint.held_turns);
    for (std::size_t d = 0; d < joint.free.size(); ++d) add_direction(joint, static_cast<int>(d));
  }

 private:
  int slot(BodyId id) const { return id < 0 ? -1 : slot_of_[id]; }

  Row& open(JointRowKind kind, int direction, bool turns) {
    Row& row = rows_.emplace_back();
    row.joint = index_;
    row.kind = kind;
    row.direction = direction;
    row.turns = turns;
    row.arm = frames_.point_b - frames_.centre_b;
    return row;
  }

  void push(const FramePair<Dim>& pair, const CoordinateRow<Dim>& at, double factor, Row& row) const {
    row.g[row.rows] = factor * at.value;
    row.add_end(slot(pair.a), factor * at.a, row.rows);
    row.add_end(slot(pair.b), factor * at.b, row.rows);
    ++row.rows;
  }

  void add_held(const Joint<Dim>& joint, const std::vector<Coordinate>& held) {
    if (held.empty()) return;
    Row& row = open(JointRowKind::held, -1, is_angle(held[0]));
    for (const Coordinate coordinate : held) {
      push(joint.pair, evaluate<Dim>(coordinate, frames_), 1, row);
      row.g[row.rows - 1] -= joint.target(coordinate);
    }
  }

  void add_combined(const Joint<Dim>& joint) {
    if (joint.combined.empty()) return;
    for (const CombinedTerm<Dim>& term : joint.combined)
      if (!place_pair<Dim>(term.pair, slot_of_, poses_, frames_)) return;
    Row& row = open(joint.slack ? JointRowKind::stop : JointRowKind::held, -1,
                    is_angle(joint.combined[0].coordinate));
    row.sign = joint.slack ? -1 : 1;
    double value = -joint.total;
    for (std::size_t i = 0; i < joint.combined.size(); ++i) {
      const CombinedTerm<Dim>& term = joint.combined[i];
      place_pair<Dim>(term.pair, slot_of_, poses_, frames_);
      const CoordinateRow<Dim> at = evaluate<Dim>(term.coordinate, frames_, joints_.states()[index_].term[i]);
      value += term.factor * at.value;
      row.add_end(slot(term.pair.a), row.sign * term.factor * at.a, 0);
      row.add_end(slot(term.pair.b), row.sign * term.factor * at.b, 0);
    }
    row.g[0] = row.sign * value;
    row.rows = 1;
  }

  // The rows of a free direction: one, or the three of a rotation.
  Row& open_direction(const Joint<Dim>& joint, int d, JointRowKind kind, double sign = 1) {
    return open_free(joint, d, kind, build_rows<Dim>(joint.free[d], frames_, value(d)), sign);
  }

  // What resists along it: of a swing two.
  Row& open_resisting(const Joint<Dim>& joint, int d, JointRowKind kind) {
    return open_free(joint, d, kind, build_resisting_rows<Dim>(joint.free[d], frames_, value(d)), 1);
  }

  double value(int d) const { return joints_.states()[index_].value[d]; }

  Row& open_free(const Joint<Dim>& joint, int d, JointRowKind kind, const JointRows<Dim>& rows, double sign) {
    Row& row = open(kind, d, turns(joint.free[d]));
    row.sign = sign;
    for (int i = 0; i < rows.count; ++i) {
      row.add_end(slot(joint.pair.a), sign * rows.a.col(i), i);
      row.add_end(slot(joint.pair.b), sign * rows.b.col(i), i);
    }
    row.g = sign * rows.value;
    row.rows = rows.count;
    return row;
  }

  void add_stop(const Joint<Dim>& joint, int d, double limit, double sign) {
    if (!std::isfinite(limit)) return;
    Row& row = open_direction(joint, d, JointRowKind::stop, sign);
    row.g[0] -= sign * limit;
    row.restitution = joint.free[d].limits->restitution;
  }

  void add_direction(const Joint<Dim>& joint, int d) {
    const FreeDirection& free = joint.free[d];
    if (free.limits) {
      add_stop(joint, d, free.limits->lower, 1);
      add_stop(joint, d, free.limits->upper, -1);
    }
    if (free.spring) {
      Row& row = open_resisting(joint, d, JointRowKind::spring);
      for (int i = 0; i < row.rows; ++i) row.g[i] -= free.spring->zero();
      row.stiffness = free.spring->stiffness;
      row.damping = free.spring->damping;
    }
    if (free.friction) open_resisting(joint, d, JointRowKind::friction).bound = free.friction->constant;
    if (free.motor) add_motor(joint, d, *free.motor);
  }

  void add_motor(const Joint<Dim>& joint, int d, const JointMotor& motor) {
    using Kind = JointMotor::Kind;
    const JointRowKind kind = motor.kind == Kind::force      ? JointRowKind::push
                              : motor.limit                  ? JointRowKind::friction
                              : motor.kind == Kind::velocity ? JointRowKind::driven
                                                             : JointRowKind::guided;
    Row& row = open_direction(joint, d, kind);
    row.is_motor = true;
    const double s = row.g[0], target = motor.target.at(t_);
    if (kind == JointRowKind::push) row.bound = target;
    if (kind == JointRowKind::guided) row.g[0] = s - target;
    if (kind == JointRowKind::push) return;
    row.rate[0] = motor.kind == Kind::velocity ? -target : -motor.target.slope_before(t_);
    if (kind != JointRowKind::friction) return;
    row.bound = std::max(0.0, motor.limit->at(t_));
    const double tau = joint.stabilisation_time > 0 ? joint.stabilisation_time : 10 * h_;
    if (motor.kind == Kind::position) row.rate[0] += (s - target) / tau;
  }

  const JointSet<Dim>& joints_;
  std::span<const int> slot_of_;
  std::span<const Pose<Dim>> poses_;
  double t_, h_;
  std::vector<Row>& rows_;
  PlacedFrames<Dim> frames_;
  int index_ = 0;
};

}  // namespace

template <int Dim>
void JointRow<Dim>::add_end(int at, const Eigen::Matrix<double, kDofs<Dim>, 1>& column, int row) {
  if (at < 0) return;
  int e = 0;
  while (e < ends && slot[e] != at) ++e;
  if (e == ends) {
    ++ends;
    slot[e] = at;
    jacobian[e].setZero();
  }
  jacobian[e].col(row) += column;
}

template <int Dim>
void build_joint_rows(const JointSet<Dim>& joints, std::span<const int> slot_of,
                      std::span<const Pose<Dim>> poses, double t, double h,
                      std::vector<JointRow<Dim>>& rows) {
  rows.clear();
  RowBuilder<Dim> builder(joints, slot_of, poses, t, h, rows);
  for (int i = 0; i < joints.count(); ++i) builder.add(i);
}

template <int Dim>
TiedBlock& add_block(const JointRow<Dim>& row, SetKind set, Coupling<Dim>& coupling) {
  TiedBlock& block = coupling.add_block();
  block.set = {set, row.rows, 0};
  block.shift.setZero(row.rows);
  block.compliance.setZero(row.rows);
  block.r.setZero(row.rows);
  block.turns.assign(static_cast<std::size_t>(row.rows), row.turns);
  for (int e = 0; e < row.ends; ++e) {
    block.ends[e].slot = row.slot[e];
    block.ends[e].jacobian = row.jacobian[e].leftCols(row.rows);
  }
  return block;
}

template struct JointRow<2>;
template struct JointRow<3>;
template void build_joint_rows<2>(const JointSet<2>&, std::span<const int>, std::span<const Pose<2>>, double,
                                  double, std::vector<JointRow<2>>&);
template void build_joint_rows<3>(const JointSet<3>&, std::span<const int>, std::span<const Pose<3>>, double,
                                  double, std::vector<JointRow<3>>&);
template TiedBlock& add_block<2>(const JointRow<2>&, SetKind, Coupling<2>&);
template TiedBlock& add_block<3>(const JointRow<3>&, SetKind, Coupling<3>&);

}  // namespace saltus
