// The joints of a simulation: what they ask of a step, as blocks, and what they remember.
//
// Held rows act on the velocity at k+theta, taken with the Jacobian of the detection pose,
//
//     theta u + (1-theta) u- + g / tau = 0
//
// with g what the joint is off at the start of the step and tau its stabilisation time. Without stabilisation (tau = 0: no such
// term) a joint does no work at all and keeps the order of the scheme; with theta = 1/2 what it is off stays bounded (4e-4 m
// in 10^5 steps of 2 ms of a double pendulum of 2 m, its energy kept to 1e-13), with theta = 1 it grows by O(h^2) in a step.
// Stabilisation takes it back, and does work (tau = 10 h: a third of the energy of that pendulum in 200 s), which the audit
// tells. So by default it acts only beyond a thousandth of the size of a joint, which impacts and coarse steps exceed.
//
// Where velocities jump (an impact, a motor that is switched), u at the end of the step does not hold at the pose there: H has turned by
// h w, for the velocity before the jump. Carried along, (1-theta) u- would change its sign in every step for ever, and with theta = 1/2
// the load of the joint be off by about m v w in turn. So in the step after a jump, and the first one, what breaks the rows at the pose of the
// start goes at once, and u- less that is carried. It costs the energy of that velocity, of order h^2; smooth motion pays nothing.
//
// Along a free direction s, each a block of its own:
//
//   limit     half line on the gap s - lower or upper - s: Newton's law of impact, without restitution the quasi-inelastic one;
//             overlap is taken back like g
//   spring    r = -h (k (s - zero + theta h u_m) + c u_m), u_m the velocity at k+theta: a compliance, no energy gained. Of a rotation and
//             of a swing s is a vector, s + (1-theta) h u- that of the pose of the rows: u is its rate near zero only, and what is left of
//             that, theta h (u - u-), is of second order
//   friction  ball of radius h (constant + coefficient radius |load|), on u
//   motor     u = target at the end of the step (a position: its slope, and the distance from it over tau), whole space or
//             ball of radius h limit; a force is given, and is part of the free motion. Of a rotation the three rows together
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "saltus/contact/coupling.hpp"
#include "saltus/joints/joint_coordinates.hpp"
#include "saltus/laws/pair_law.hpp"

namespace saltus {

// What a joint remembers from one step to the next, and tells.
struct JointState {
  bool begun = false;         // its bodies have been there together; false: it waits for one
  bool late = false;          // it began in the course of the run: its frames are of that moment
  bool started = false;       // it has held for a step
  bool jolted = false;        // velocities jumped in the last step: what breaks the joint since goes at once
  std::vector<double> r;      // of all its rows, N s or N m s, in the order of JointSet::layout: warm starts
  std::vector<double> value;  // per free direction, now; of a rotation its angle
  std::vector<double> rate;   // per s
  std::vector<double>
      effort;  // along each free direction, of all that acts there, in the last step: N s or N m s; of a rotation its norm
  std::vector<double> motor;  // the part of the motor
  std::vector<double>
      motor_force;  // of the motor of a free direction at the end of the last step, N or N m: alpha schemes
  std::vector<double> term;  // values of the terms of a combined row
  double row = 0;            // impulse of the combined row: tension of a pulley's rope, N s
  double motor_work = 0;     // J, of all motors in the last step, given forces among them
  double stretch = 0;        // rad, of the spring along a rotation: how far it is from its rest
  Eigen::Vector3d turned =
      Eigen::Vector3d::Zero();  // of `effort` of a rotation, N m s, along the first frame
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // on the second body in the last step, world axes, N s
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();   // about its point of the joint, N m s
  // On the first and the second body about their centres of mass in the last step, N m s, world axes.
  Eigen::Vector3d turning[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
};

// What of the step a joint needs: the scheme's, in its words.
struct JointStep {
  double h = 0;
  double mean = 0.5;  // weight of the end in the velocity that displaces
  Activation activation = Activation::consistent;
  double time = 0;  // of the start
  double activation_gamma = 0;
  bool own_points = false;  // see PlacedFrames, of joints that hold a point
};

// Per slot; see BodyViews.
template <int Dim>
struct JointViews {
  std::span<const Pose<Dim>> start_pose, pose;
  std::span<const BodyVelocity<Dim>> start;
  std::span<const SweepBody<Dim>> free;  // without contacts and joints: where bounds would land
};

// Impulse and moment about the centre of mass.
template <int Dim>
struct JointLoad {
  int slot = 0;
  Vec<Dim> impulse = Vec<Dim>::Zero();
  Spin<Dim> moment = Spin<Dim>::Zero();
};

// Work in a step, J, by kind; size: of the parts, one by one.
struct JointWork {
  double joints = 0, impact = 0, elastic = 0, damping = 0, friction = 0, drives = 0, size = 0;
};

template <int Dim>
class JointSet {
 public:
  void add(Joint<Dim> joint);
  // A joint that begins now, in the place of what was known of it. It has not held yet.
  void begin(int index, Joint<Dim> joint);
  int count() const { return static_cast<int>(joints_.size()); }
  const Joint<Dim>& joint(int index) const { return joints_[index]; }
  Joint<Dim>& joint(int index) { return joints_[index]; }
  std::vector<JointState>& states() { return states_; }
  const std::vector<JointState>& states() const { return states_; }

  // Impulses of motors that are given forces, for the free motion. Call first in a step; `update` tells of them.
  std::span<const JointLoad<Dim>> compute_forces(const JointStep& step, std::span<const int> slot_of,
                                                 std::span<const Pose<Dim>> poses);
  // Appends the blocks of the joints whose bodies are there. `slot_of`: of each body id, -1: not there.
  void add_blocks(const JointStep& step, std::span<const int> slot_of, const JointViews<Dim>& views,
                  Coupling<Dim>& coupling);
  // Activation by landing: bounds without a block that the step with velocities `solved` would pass have one from the next
  // add_blocks of this step on. Lists their joints.
  void take_in(const JointStep& step, std::span<const SweepBody<Dim>> solved, std::vector<int>& taken);
  // Bounds that push in this step, the lower or the upper one of a free direction; until the next add_blocks.
  bool pushes(int index, int direction, bool upper, const Coupling<Dim>& coupling) const;
  // After the solve and before `update`: blocks of this step by which velocities jump. A bound or a rope that begins to push; a motor without
  // a limit whose target is not about what the bodies did; at the start, bodies that contradict their joint.
  void find_jolts(const Coupling<Dim>& coupling, std::span<const BodyVelocity<Dim>> start,
                  std::vector<int>& blocks) const;
  // What `find_jolts` and contacts found, per block, for the next step.
  void set_jolted(const std::function<bool(int)>& is_jolted);
  // Reads the impulses back: efforts, loads and works of the step. `start` and `solved` are the velocities at its two ends, per
  // slot. The work of given forces, external ones to the audit, is in JointState::motor_work only.
  JointWork update(const JointStep& step, const Coupling<Dim>& coupling,
                   std::span<const BodyVelocity<Dim>> start, std::span<const SweepBody<Dim>> solved);
  // Impulses and moments of the blocks of the last update, added per slot.
  void add_impulses(const Coupling<Dim>& coupling, std::span<Vec<Dim>> impulse,
                    std::span<Spin<Dim>> moment) const;
  // Moments of the last step, about centres of mass, added per slot: what this step may expect.
  void add_expected(std::span<const int> slot_of, std::span<Spin<Dim>> moment) const;
  // Values and rates where the bodies are; `velocity` per slot. Those of joints whose bodies are not there stay.
  void update_values(std::span<const int> slot_of, std::span<const Pose<Dim>> poses,
                     std::span<const BodyVelocity<Dim>> velocity);
  // J, in the springs of joints whose bodies are there, at the values of the last update_values.
  double stored_energy(std::span<const int> slot_of) const;

  // Largest of what joints are off now: distance of points (m), angle of axes (rad), and of which joint.
  struct Off {
    double distance = 0, angle = 0;
    int farthest = -1, turned = -1;
  };
  Off largest_off(std::span<const int> slot_of, std::span<const Pose<Dim>> poses) const;
  // What a joint is off: norm of its held points and of its held turns.
  std::pair<double, double> off(const Joint<Dim>& joint, const PlacedFrames<Dim>& frames) const;

  // All bodies of a joint are there.
  bool is_there(int index, std::span<const int> slot_of) const;

  // A motor of the last step that asked for what cannot be: not a number, or a limit below zero.
  struct BadMotor {
    int joint = -1, direction = 0;
    bool limit = false;  // of the limit; else of what it drives
    double value = 0;
  };
  const BadMotor& bad_motor() const { return bad_motor_; }

 private:
  enum class RowKind { held, combined, lower, upper, spring, friction, motor };
  struct Emitted {  // of the coupling: which block is what
    int joint = 0, block = 0, direction = -1;
    RowKind kind = RowKind::held;
    int place = 0;                                     // of its first impulse in JointState::r
    Eigen::Vector3d before = Eigen::Vector3d::Zero();  // u-
    Eigen::Vector3d along = Eigen::Vector3d::UnitX();  // of its rows, the direction whose effort is told
    Vec<Dim> arm = Vec<Dim>::Zero();                   // of the point of the joint on the second body
    double broken = 0;                                 // of it, that goes at once
  };
  struct Given {  // a force that a motor was given
    int joint = 0, direction = 0, slot_a = -1, slot_b = -1;
    double push = 0;  // N s or N m s
    CoordinateRow<Dim> row;
    Vec<Dim> arm = Vec<Dim>::Zero();  // of the point of the joint on the second body
  };
  struct OpenLimit {  // without a block in this step
    int joint = 0, place = 0, slot_a = -1, slot_b = -1;
    double gap = 0;  // with the start's part of the displacement
    JointRows<Dim> bound;
  };
  // Where the impulses of a feature begin in JointState::r.
  struct Layout {
    int turns = 0, combined = 0, size = 0;
    std::vector<int> direction;  // lower, upper, spring (3), friction (3), motor (1; of a rotation 3)
  };

  static Layout layout(const Joint<Dim>& joint);
  static JointState fresh_state(const Joint<Dim>& joint, int rows);
  void add_joint(int index, const JointStep& step, std::span<const int> slot_of, const JointViews<Dim>& views,
                 Coupling<Dim>& coupling);
  int add_held(int index, const std::vector<Coordinate>& held, int place, const JointStep& step,
               const JointViews<Dim>& views, Coupling<Dim>& coupling);
  void add_combined(int index, const JointStep& step, std::span<const int> slot_of,
                    const JointViews<Dim>& views, Coupling<Dim>& coupling);
  void add_direction(int index, int direction, int load, const JointStep& step, const JointViews<Dim>& views,
                     Coupling<Dim>& coupling);
  void add_limit(int index, int direction, bool upper, const JointStep& step, const JointViews<Dim>& views,
                 const JointRows<Dim>& rows, int place, Coupling<Dim>& coupling);
  void add_spring(int index, int direction, const JointStep& step, const JointViews<Dim>& views,
                  const JointRows<Dim>& rows, int place, Coupling<Dim>& coupling);
  void add_friction(int index, int direction, int load, const JointStep& step, const JointViews<Dim>& views,
                    const JointRows<Dim>& rows, int place, Coupling<Dim>& coupling);
  void add_motor(int index, int direction, const JointStep& step, const JointViews<Dim>& views,
                 const JointRows<Dim>& rows, int place, Coupling<Dim>& coupling);
  double checked(int index, int direction, bool limit, double value);
  TiedBlock& emit(int index, int direction, RowKind kind, int place, const JointRows<Dim>& rows, SetKind set,
                  bool turns, const JointViews<Dim>& views, Coupling<Dim>& coupling);
  void clear_told();
  void tell(const Given& force, double mean, std::span<const BodyVelocity<Dim>> start,
            std::span<const SweepBody<Dim>> solved);
  void account(const Emitted& row, const TiedBlock& block, double done, const Eigen::Vector3d& mean, double h,
               JointWork& work);

  std::vector<Joint<Dim>> joints_;
  std::vector<Layout> layouts_;
  std::vector<JointState> states_;
  // Of the step.
  std::vector<Emitted> emitted_;
  std::vector<OpenLimit> open_;
  std::vector<std::pair<int, int>> landed_;  // joint and place of bounds that were taken in
  std::vector<JointLoad<Dim>> loads_;
  std::vector<Given> given_;
  BadMotor bad_motor_;
  PlacedFrames<Dim> at_start_, at_pose_;  // of the joint at hand
  int slot_a_ = -1, slot_b_ = -1;
};

}  // namespace saltus
