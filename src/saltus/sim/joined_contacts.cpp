#include "saltus/sim/joined_contacts.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace saltus {

namespace {

constexpr int kMostRows = 6;  // what a joint holds of points and turns

// Of what breaks a joint, the two bodies without it: velocities to add.
template <int Dim>
struct Allowed {
  SweepBody<Dim> a, b;
};

template <int Dim>
void stop(SweepBody<Dim>& body) {
  std::fill(std::begin(body.v), std::end(body.v), 0.0);
  std::fill(std::begin(body.w), std::end(body.w), 0.0);
}

template <int Dim>
void push(const auto& way, double size, SweepBody<Dim>& body) {
  add_impulse(body, Vec<Dim>(size * way.template head<Dim>()),
              Spin<Dim>(size * way.template tail<kSpins<Dim>>()));
}

const TiedEnd* find_end(const TiedBlock& block, int slot) {
  for (const TiedEnd& end : block.ends)
    if (end.slot == slot) return &end;
  return nullptr;
}

template <int Dim>
Allowed<Dim> find_allowed(int joint, int a, int b, const Coupling<Dim>& coupling,
                          const VelocityProblem<Dim>& problem) {
  Allowed<Dim> result{problem.bodies[a], problem.bodies[b]};
  stop(result.a), stop(result.b);
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostRows, kMostRows>;
  const TiedBlock* blocks[kMostRows];
  int rows = 0, first[kMostRows + 1] = {0}, count = 0;
  // Blocks are made joint by joint.
  auto at = std::lower_bound(coupling.blocks.begin(), coupling.blocks.end(), joint,
                             [](const TiedBlock& block, int index) { return block.origin < index; });
  for (; at != coupling.blocks.end() && at->origin == joint; ++at) {
    if (!at->corrects || rows + at->set.size > kMostRows || !find_end(*at, a) || !find_end(*at, b)) continue;
    blocks[count++] = &*at;
    first[count] = rows += at->set.size;
  }
  if (rows == 0) return result;
  Small A(rows, rows);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostRows, 1> before(rows);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < blocks[k]->set.size; ++i) {
      SweepBody<Dim> pushed_a = result.a, pushed_b = result.b;
      push<Dim>(find_end(*blocks[k], a)->jacobian.col(i), 1.0, pushed_a);
      push<Dim>(find_end(*blocks[k], b)->jacobian.col(i), 1.0, pushed_b);
      before[first[k] + i] = blocks[k]->before[i];
      for (int l = 0; l < count; ++l)
        for (int j = 0; j < blocks[l]->set.size; ++j)
          A(first[l] + j, first[k] + i) =
              find_end(*blocks[l], a)->jacobian.col(j).dot(velocity_of<Dim>(pushed_a)) +
              find_end(*blocks[l], b)->jacobian.col(j).dot(velocity_of<Dim>(pushed_b));
    }
  const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostRows, 1> impulses =
      A.completeOrthogonalDecomposition().solve(before);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < blocks[k]->set.size; ++i) {
      push<Dim>(find_end(*blocks[k], a)->jacobian.col(i), -impulses[first[k] + i], result.a);
      push<Dim>(find_end(*blocks[k], b)->jacobian.col(i), -impulses[first[k] + i], result.b);
    }
  return result;
}

bool rebounds(const PairLaw& law) {
  return (law.kind == LawKind::newton || law.kind == LawKind::moreau || law.kind == LawKind::fremond) &&
         !(law.cohesion > 0);
}

// What such a law shifts by, of a contact that is closed.
template <int Dim>
Vec<Dim> shift_of(const PairLaw& law, const Vec<Dim>& u, double mean) {
  LawInput input;
  input.u.setZero();
  input.u.template head<Dim>() = u;
  input.gap = input.gap_consistent = -1;
  input.duration = 1;
  input.mean = mean;
  return compute_terms(law, input, ContactHistory()).shift.template head<Dim>();
}

}  // namespace

template <int Dim>
int find_joint_of(JoinedPairs joined, const JointSet<Dim>& joints, std::span<const int> slot_of, int a,
                  int b) {
  const auto [low, high] = std::minmax(a, b);
  auto at = std::lower_bound(joined.begin(), joined.end(), std::pair(low, -1));
  for (; at != joined.end() && at->first == low; ++at) {
    const FramePair<Dim>& pair = joints.joint(at->second).pair;
    if (std::max(slot_of[pair.a], slot_of[pair.b]) == high) return at->second;
  }
  return -1;
}

template <int Dim>
void take_joints_off(JoinedPairs joined, const JointSet<Dim>& joints, std::span<const int> slot_of,
                     double mean, const Coupling<Dim>& coupling, std::span<const Contact<Dim>> contacts,
                     VelocityProblem<Dim>& problem) {
  const auto follows = [&](int slot) {
    return !coupling.follower_of.empty() && coupling.follower_of[slot] >= 0;
  };
  int last_a = -1, last_b = -1, joint = -1;
  Allowed<Dim> allowed;
  for (const Contact<Dim>& c : contacts) {
    if (c.row < 0 || !rebounds(*c.law) || follows(c.a) || follows(c.b)) continue;
    if (c.a != last_a || c.b != last_b) {
      last_a = c.a, last_b = c.b;
      joint = find_joint_of<Dim>(joined, joints, slot_of, c.a, c.b);
      if (joint >= 0) allowed = find_allowed<Dim>(joint, c.a, c.b, coupling, problem);
    }
    if (joint < 0) continue;
    SweepContact<Dim>& row = problem.contacts[c.row];
    row.shift = shift_of<Dim>(*c.law, c.input.u + relative_velocity<Dim>(allowed.a, allowed.b, row), mean);
  }
}

template int find_joint_of<2>(JoinedPairs, const JointSet<2>&, std::span<const int>, int, int);
template int find_joint_of<3>(JoinedPairs, const JointSet<3>&, std::span<const int>, int, int);
template void take_joints_off<2>(JoinedPairs, const JointSet<2>&, std::span<const int>, double,
                                 const Coupling<2>&, std::span<const Contact<2>>, VelocityProblem<2>&);
template void take_joints_off<3>(JoinedPairs, const JointSet<3>&, std::span<const int>, double,
                                 const Coupling<3>&, std::span<const Contact<3>>, VelocityProblem<3>&);

}  // namespace saltus
