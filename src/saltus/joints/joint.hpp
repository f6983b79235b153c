// Joints between two rigid bodies, or a body and the world: what they ask of velocities, as blocks.
//
// A revolute joint holds a point of one body at a point of the other; in space it also keeps an axis in common. Its
// rows act on the velocity at k+theta, taken with the H of the detection pose:
//
//     theta u + (1-theta) u- + stabilisation g / h = 0
//
// with g what the joint is off at the start of the step. Without stabilisation a joint does no work at all and keeps
// the order of the scheme; with theta = 1/2 what it is off stays bounded (8e-5 of the length after 200 s of a pendulum
// of 1 m with h = 0.01), with theta = 1 it grows by O(h^2) in a step. Stabilisation takes it back, and does work: 0.2
// gains 3e-5 of m g L per second of the same pendulum.
//
// A stop bounds the angle by a half line, under Newton's law of impact.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/contact/coupling.hpp"
#include "saltus/dynamics/body_set.hpp"
#include "saltus/laws/pair_law.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

struct AngleStop {
  double lower = -std::numeric_limits<double>::infinity();  // rad, from the start of the run; 0 or less
  double upper = std::numeric_limits<double>::infinity();   // 0 or more
  double restitution = 0;
};

// Constant after the scene is read. Points and axes are in the axes of the bodies, about their centres of mass; those
// of the world where there is no body.
template <int Dim>
struct RevoluteJoint {
  BodyId a = -1, b = -1;  // -1: the world
  Vec<Dim> point_a = Vec<Dim>::Zero(), point_b = Vec<Dim>::Zero();
  Vec<3> axis_a = Vec<3>::UnitZ(), axis_b = Vec<3>::UnitZ();      // unit, 3D
  Vec<3> across_a = Vec<3>::UnitX(), across_b = Vec<3>::UnitX();  // unit, at right angles, 3D: angle 0
  double angle = 0;                                               // 2D: of b in a, at the start
  double stabilisation = 0;
  std::optional<AngleStop> stop;
};

// What a joint remembers from one step to the next.
struct JointState {
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // N s, on b, world axes
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();   // N m s, world axes: what holds the axis
  double angle = 0;                                   // rad, of b in a, since the start
  double stop_impulse = 0;                            // N m s, positive turns b on
  bool started = false;
};

// What of the step a joint needs: the scheme's, in its words.
struct JointStep {
  double h = 0;
  double mean = 0.5;  // weight of the end in the velocity that displaces
  Activation activation = Activation::consistent;
};

// Per slot; see BodyViews.
template <int Dim>
struct JointViews {
  std::span<const Pose<Dim>> start_pose, pose;
  std::span<const BodyVelocity<Dim>> start;
};

template <int Dim>
class JointSet {
 public:
  void add(const RevoluteJoint<Dim>& joint);
  int count() const { return static_cast<int>(joints_.size()); }
  const RevoluteJoint<Dim>& joint(int index) const { return joints_[index]; }
  std::vector<JointState>& states() { return states_; }
  const std::vector<JointState>& states() const { return states_; }

  // Appends the blocks of the joints whose bodies are there. `slot_of`: of each body id, -1: not there.
  void add_blocks(const JointStep& step, std::span<const int> slot_of, const JointViews<Dim>& views,
                  Coupling<Dim>& coupling);
  // Reads the impulses back. Call before the bodies move: `work` is what joints did, `impact` what stops did.
  struct Work {
    double joints = 0, impact = 0, size = 0;  // J; size: of the parts, one by one
  };
  Work update(const JointStep& step, const Coupling<Dim>& coupling);
  // Impulses and moments of the last update, added per slot.
  void add_impulses(std::span<Vec<Dim>> impulse, std::span<Spin<Dim>> moment) const;
  // Angles after the bodies moved.
  void update_angles(std::span<const int> slot_of, std::span<const Pose<Dim>> poses);
  // Largest distance that the two points of a joint are apart now, m; and of which joint.
  std::pair<double, int> largest_gap(std::span<const int> slot_of, std::span<const Pose<Dim>> poses) const;

 private:
  // Slots of the two bodies, -1 for the world; false: one is not there.
  bool find_slots(int joint, std::span<const int> slot_of, int& a, int& b) const;
  struct Row {  // of the coupling: which block is what
    int joint = 0, block = 0;
    enum class Kind { point, axis, lower, upper } kind = Kind::point;
    Eigen::VectorXd before;  // u-
    int slot_a = -1, slot_b = -1;
  };
  void add_point(int index, const JointStep& step, const JointViews<Dim>& views, int a, int b,
                 Coupling<Dim>& coupling);
  void add_axis(int index, const JointStep& step, const JointViews<Dim>& views, int a, int b,
                Coupling<Dim>& coupling);
  void add_stop(int index, bool upper, const JointStep& step, const JointViews<Dim>& views, int a, int b,
                Coupling<Dim>& coupling);
  void push(int index, typename Row::Kind kind, const JointViews<Dim>& views, TiedBlock block,
            Coupling<Dim>& coupling);

  std::vector<RevoluteJoint<Dim>> joints_;
  std::vector<JointState> states_;
  std::vector<Row> rows_;  // of the step
  std::vector<TiedBlock> solved_;
};

extern template class JointSet<2>;
extern template class JointSet<3>;

}  // namespace saltus
