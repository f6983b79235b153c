// The inside of a simulation: what its files share. Not for users.
#pragma once

#include <cassert>
#include <limits>
#include <unordered_map>
#include <vector>

#include "saltus/base/parallel.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/collision/detector.hpp"
#include "saltus/contact/contact_set.hpp"
#include "saltus/contact/group_solver.hpp"
#include "saltus/schemes/moreau_jean.hpp"
#include "saltus/sim/coupled_parts.hpp"
#include "saltus/sim/energy_gain.hpp"
#include "saltus/sim/membrane.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/solvers/contact_groups.hpp"

namespace saltus {

// A body appears or disappears at the first step that starts at or after its time.
struct BodyEvent {
  double time = 0;
  int body = 0;  // in scene.bodies
  bool appears = true;
};

// The wall of a servo and those it stands between, as indices of scene bodies.
struct ServoWall {
  int body = 0, axis = 0;
  double sign = 1;                           // of its normal along the axis
  std::vector<std::pair<int, int>> between;  // lower and upper
};

// The body of a membrane, and the law of its pushes on each material; -1: smooth.
struct RoughMembrane {
  int body = -1;
  std::vector<PairLaw> laws;
};

// What a membrane pushes a body with, in N, inwards.
template <int Dim>
struct MembranePush {
  int slot = 0, membrane = 0;
  Vec<Dim> force = Vec<Dim>::Zero();
};

template <int Dim>
struct Simulation<Dim>::State {
  // Constant after construction.
  Scene<Dim> scene;
  LawTable laws;
  std::vector<int> material;                         // of each scene body
  std::unordered_map<int, Vec<Dim>> centre;          // of its mass, in the frame of its shape, where not 0
  std::unordered_map<int, Shape<Dim>> moved_shapes;  // about the centre of mass, of the same bodies
  std::vector<double> reach;                         // largest distance from that centre; 0: unbounded
  std::vector<double> thickness;                     // of its shape; 0: a wall or ground
  std::vector<BodyEvent> events;                     // in the order they happen
  std::vector<ServoWall> servos;                     // as scene.servos
  std::vector<RoughMembrane> rough;                  // as scene.membranes
  double alert = 0;
  bool is_soft = false;   // some law has an elastic layer or cohesion
  bool is_linear = true;  // no law has a friction function or Hertz's force
  InitialOverlaps overlaps;

  // The state proper: what save() writes.
  BodySet<Dim> bodies;
  ContactSet<Dim> contacts;
  std::int64_t steps = 0;
  std::size_t next_event = 0;
  int bonds = 0;  // that hold
  bool finite = true;
  RunSummary summary;
  CoupledParts<Dim> parts;  // what is not a rigid body, and what ties

  // Follows from the state.
  Detector<Dim> detector;
  double mean_mass = 1, mean_length = 1;  // of the moving bodies

  // Buffers of a step, and its threads.
  ThreadPool threads{1};
  FreeMotion<Dim> motion;
  VelocityProblem<Dim> problem;
  GroupSolver<Dim> solver;
  std::vector<LawPoint> law_points;         // per contact, of the step at hand
  double velocity_tolerance = 0;            // m/s, asked of the solve of the step
  ContactGroups<Dim> groups;                // of the problem
  std::vector<ContactEnergy> group_energy;  // of each group
  std::vector<double> margin;
  struct {
    std::vector<int> slots;
    std::vector<Vec<2>> points, force;
    MembraneContour contour;
  } pressed;                              // by the membrane at hand
  std::vector<MembranePush<Dim>> pushes;  // of rough membranes
  std::vector<ContactPoint<Dim>> all_points;
  int lost_membranes = 0;               // that found no contour to press on
  Vec<Dim> gravity = Vec<Dim>::Zero();  // mean over the step
  std::vector<Vec<Dim>> extra, contact_impulse;
  std::vector<Spin<Dim>> contact_moment;
  std::vector<ContactState<Dim>> contact_states;
  std::int64_t contact_states_step = -1;

  double time() const { return scene.start_time + static_cast<double>(steps) * scene.scheme.h; }
  double gravity_step() const { return scene.gravity.norm() * scene.scheme.h; }
  ContactStep contact_step() const;
  BodyViews<Dim> views() const { return {motion.detection, motion.start, motion.free, bodies.model}; }

  // Of a scene body, as it enters: made when asked for, because a million bodies that all live from the
  // start would otherwise be kept twice.
  BodyModel<Dim> build_model(int body) const;
  Pose<Dim> initial_pose(int body) const;        // of its centre of mass
  double thinner(int slot_a, int slot_b) const;  // thickness of the thinner body that has one, 0: neither
  std::string label(BodyId id) const;            // its name in quotes, or its number
  const Shape<Dim>& shape_about_mass(int body) const;

  // The verbs of a step, in their order; `audit` after them.
  void predict();
  std::span<const ContactPoint<Dim>> detect();
  void build(std::span<const ContactPoint<Dim>> points);
  void solve(StepReport& report);
  void correct(StepReport& report);

  void count_bonds(const BondCount& count, StepReport& report);
  void apply_events();  // those due at the present time
  void update_means();
  Vec<Dim> gravity_at(double t) const;
  void compute_loads();  // gravity and extra forces of the next step
  void press_membranes();
  // The contacts detected and those of rough membranes; and the laws of these, after the match.
  std::span<const ContactPoint<Dim>> with_membranes(const std::vector<ContactPoint<Dim>>& detected);
  void set_membrane_laws();
  void push_servos();
  double servo_area(const Servo& servo, const ServoWall& wall) const;
  const std::vector<ContactPoint<Dim>>& detect_bodies();
  // Systems and what ties them (sim/coupled_parts.cpp); all do nothing where there are none.
  void find_slots();
  void keep_joined_apart();  // bodies of a joint, and neighbours of a surface, do not touch each other
  void predict_systems();
  void couple();  // after the contact problem is built: what takes part in the solve beside it
  void start_systems();
  void add_followers();
  void put_free_velocities();  // of followers
  Eigen::VectorXd block_impulse(int system) const;
  void settle_systems(StepReport& report);
  void correct_systems();
  // Gaps and constraints of systems (sim/system_gaps.cpp), as part of those above.
  void add_gaps();
  void correct_gaps();
  void audit_gaps(StepReport& report);
  void place_followers();
  void audit_systems(StepReport& report, double& change);
  void watch_parts();
  // Joints (sim/joined_bodies.cpp), as part of those above.
  JointStep joint_step() const;
  std::span<const Pose<Dim>> joint_poses();
  std::span<const Spin<Dim>> expected_moments();
  void exclude_joined();
  void begin_joints();  // whose bodies are there for the first time; InputError where one does not close
  void push_joints();
  void couple_joints();
  void follow_joints();
  void watch_joints();
  void audit_joints(StepReport& report);
  GroupSolverOptions solver_options() const;
  void solve_contacts(StepReport& report);
  // Implicit activation: solves again until the contacts that are active are those the solution forecasts.
  void settle_forecast(StepReport& report);
  // Laws that are not linear in the velocity: solves again until they hold at the solution.
  void settle_laws(StepReport& report);
  void solve_again(StepReport& report);  // the same step: iterations add up
  void audit(StepReport& report);
  void audit_penetration(const Contact<Dim>& contact, std::int64_t index, StepReport& report) const;
  void audit_bodies(StepReport& report);
  // After the others: leaves only the impulses of impact and friction in contact_impulse.
  void audit_gain(StepReport& report);
  void keep_rigid_impulses();
  std::string find_trouble() const;  // of systems and their formulas; empty: none
  void check_finite(StepReport& report);
};

// Checks the scene and fills the constant part of the state (InputError); then the bodies present at the
// start.
template <int Dim>
void build_state(typename Simulation<Dim>::State& state);

// Finds the bodies of rough membranes; InputError when they cannot be.
template <int Dim>
void build_membranes(typename Simulation<Dim>::State& state);

// Finds the walls of the servos; InputError when they cannot do what they are asked.
template <int Dim>
void build_servos(typename Simulation<Dim>::State& state);

// Makes systems and the bodies that follow them, before the bodies are checked; then joints. InputError.
template <int Dim>
void build_systems(typename Simulation<Dim>::State& state);
template <int Dim>
void build_joints(typename Simulation<Dim>::State& state);

// Counts the overlaps of the initial poses and, when the scene says so, pushes them apart.
template <int Dim>
void treat_overlaps(typename Simulation<Dim>::State& state);

// Counts the bodies whose centre lies in the matter of another that may touch them.
template <int Dim>
void find_buried(typename Simulation<Dim>::State& state);

}  // namespace saltus
