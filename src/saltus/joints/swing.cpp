#include "saltus/joints/swing.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "saltus/math/small_eigen.hpp"

namespace saltus {

namespace {

bool is_line(JointKind kind) {
  return kind == JointKind::rod || kind == JointKind::rope || kind == JointKind::spring;
}

Inertia<2> swing_stiffness(const Vec<2>& force, const Vec<2>& arm) { return Inertia<2>(force.dot(arm)); }
Inertia<3> swing_stiffness(const Vec<3>& force, const Vec<3>& arm) {
  return force.dot(arm) * Mat<3>::Identity() - 0.5 * (force * arm.transpose() + arm * force.transpose());
}

// Largest of K x = omega^2 J x, both in the axes of the body.
double largest_square(const Inertia<2>& stiffness, const Inertia<2>& inertia) {
  return stiffness(0, 0) / inertia(0, 0);
}
double largest_square(const Inertia<3>& stiffness, const Inertia<3>& inertia) {
  Mat<3> root = Mat<3>::Zero();  // Cholesky's factor of J
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < 3; ++i) {
      double rest = inertia(i, j);
      for (int k = 0; k < j; ++k) rest -= root(i, k) * root(j, k);
      root(i, j) = i == j ? std::sqrt(rest) : rest / root(j, j);
    }
  const Mat<3> half = root.triangularView<Eigen::Lower>().solve(stiffness);
  const Mat<3> whole = root.triangularView<Eigen::Lower>().solve(Mat<3>(half.transpose()));
  return symmetric_eigenvalues<3>(whole)[2];
}

Inertia<2> in_body_axes(const Pose<2>&, const Inertia<2>& tensor) { return tensor; }
Inertia<3> in_body_axes(const Pose<3>& pose, const Inertia<3>& tensor) {
  const Mat<3> turn = pose.rotation();
  return turn.transpose() * tensor * turn;
}

// The direction about which a joint that holds turns leaves one free; zero: it leaves none.
Spin<2> free_axis(const Joint<2>&, const PlacedFrames<2>&) { return Spin<2>::Zero(); }
Spin<3> free_axis(const Joint<3>& joint, const PlacedFrames<3>& frames) {
  const bool turns_z = std::any_of(joint.free.begin(), joint.free.end(), [](const FreeDirection& free) {
    return !free.rotation && free.coordinate == Coordinate::turn_z;
  });
  return turns_z ? Spin<3>(frames.axes_a.col(2)) : Spin<3>(Spin<3>::Zero());
}

}  // namespace

template <int Dim>
void JointSwing<Dim>::index(const JointSet<Dim>& joints) {
  std::unordered_map<BodyId, int> place;
  const auto find = [&](BodyId id) {
    return id < 0 ? -1 : place.try_emplace(id, static_cast<int>(place.size())).first->second;
  };
  first_.clear(), second_.clear();
  for (int i = 0; i < joints.count(); ++i) {
    first_.push_back(find(joints.joint(i).pair.a));
    second_.push_back(find(joints.joint(i).pair.b));
  }
  bodies_.resize(place.size());
}

template <int Dim>
double JointSwing<Dim>::square(const Body& body, const BodySet<Dim>& bodies) const {
  if (body.slot < 0 || !bodies.model[body.slot].all_free) return 0;
  const BodyModel<Dim>& model = bodies.model[body.slot];
  const double across = 2 * body.across / model.mass;
  if (body.turn == Turn::held) return across;
  const Inertia<Dim> stiffness = in_body_axes(bodies.pose[body.slot], body.stiffness);
  if (body.turn == Turn::free) return std::max(across, largest_square(stiffness, model.inertia));
  Spin<Dim> axis = body.axis;
  if constexpr (Dim == 3) axis = bodies.pose[body.slot].unrotated(axis);
  return std::max(across, axis.dot(stiffness * axis) / axis.dot(model.inertia * axis));
}

template <int Dim>
typename JointSwing<Dim>::Fastest JointSwing<Dim>::find(const JointSet<Dim>& joints, std::span<const int> slot_of,
                                                        const BodySet<Dim>& bodies, double h) {
  if (static_cast<int>(first_.size()) != joints.count()) index(joints);
  std::fill(bodies_.begin(), bodies_.end(), Body());
  for (int i = 0; i < joints.count(); ++i) {
    const Joint<Dim>& joint = joints.joint(i);
    PlacedFrames<Dim> frames;
    if (joint.pair.b < 0 || !place_pair<Dim>(joint.pair, slot_of, bodies.pose, frames)) continue;
    const Vec<Dim> force = joints.states()[i].impulse.template head<Dim>() / h;  // on the second body
    const Spin<Dim> axis = free_axis(joint, frames);
    const double length = (frames.point_b - frames.point_a).norm();
    const double across =
        is_line(joint.kind) && length > 0 ? std::max(0.0, force.dot(frames.point_a - frames.point_b)) / (length * length) : 0;
    const auto act = [&](int place, BodyId id, const Vec<Dim>& push, const Vec<Dim>& arm) {
      if (place < 0) return;
      Body& body = bodies_[place];
      body.slot = slot_of[id];
      body.joint = i;
      body.across += across;
      body.stiffness += swing_stiffness(push, arm);
      if (joint.held_turns.empty()) return;
      body.turn = axis.isZero(0) || (body.turn == Turn::held) ? Turn::held : Turn::about_axis;
      body.axis = axis;
    };
    act(first_[i], joint.pair.a, -force, frames.point_a - frames.centre_a);
    act(second_[i], joint.pair.b, force, frames.point_b - frames.centre_b);
  }
  Fastest fastest;
  for (const Body& body : bodies_)
    if (const double s = square(body, bodies); s > fastest.rate * fastest.rate) fastest = {std::sqrt(s), body.joint};
  return fastest;
}

template class JointSwing<2>;
template class JointSwing<3>;

}  // namespace saltus
