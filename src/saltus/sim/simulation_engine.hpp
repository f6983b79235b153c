// The inside of a simulation: model, state and workspace, and the verbs that make a step of them. Not for users.
#pragma once

#include <cassert>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/sim/simulation.hpp"
#include "saltus/sim/simulation_model.hpp"
#include "saltus/sim/simulation_state.hpp"
#include "saltus/sim/simulation_workspace.hpp"

namespace saltus {

template <int Dim>
class AlphaStep;

template <int Dim>
struct Simulation<Dim>::Engine {
  explicit Engine(Scene<Dim> scene);  // with the bodies that are there at the start; InputError

  SimulationState<Dim> state;
  const SimulationModel<Dim> model;  // after the state: see build_simulation_model
  SimulationWorkspace<Dim> work;
  std::shared_ptr<AlphaStep<Dim>>
      alpha;  // the step of the alpha schemes (sim/alpha_step.hpp); null: another scheme
  std::vector<std::string> contradictions;  // of what holds, at the start: a sentence each

  double time() const { return model.time(state.steps) + state.part * model.scene.scheme.h; }
  bool is_start() const { return state.steps == 0 && state.part == 0; }
  double gravity_step() const { return model.scene.gravity.norm() * work.scheme.h; }
  ContactStep contact_step() const;
  BodyViews<Dim> views() const {
    return {work.motion.detection, work.motion.start,        work.motion.free,
            state.bodies.model,    work.parts.stretch_start, work.parts.stretch};
  }

  // The verbs of a step, in their order; `audit` after them.
  void predict();
  std::span<const ContactPoint<Dim>> detect();
  void build(std::span<const ContactPoint<Dim>> points);
  void solve(StepReport& report);
  void correct(StepReport& report);
  void separate();
  void project(StepReport& report);  // positions, where the scheme does so

  StepReport take();  // one step of the length at hand
  // Step control (sim/step_control.cpp): steps of h and shorter ones until h is done.
  bool may_cut_steps() const;
  StepReport take_controlled();
  void keep_state();
  void restore_state();
  void set_length(int halvings);
  void end_step();  // the clock goes on

  void ignore_followers();  // fills work.ignored
  void count_bonds(const BondCount& count, StepReport& report);
  void apply_events();  // those due at the present time
  // What the program sets (sim/controls.hpp), put where the functions of the scene are.
  void control_body(int slot);
  void control_motor(const MotorControl& control);
  void apply_controls();
  void update_means();
  void compute_loads();  // gravity and extra forces of the next step
  void press_membranes();
  // The contacts detected and those of rough membranes; and the laws of these, after the match.
  // Without those between a point and a facet that face the same way, or of one body that does not touch itself.
  const std::vector<ContactPoint<Dim>>& true_contacts(const std::vector<ContactPoint<Dim>>& detected);
  const SurfaceModel<Dim>& surface_of(int follower) const;
  bool faces(int point, int facet) const;
  void drop_doubled_borders(std::vector<ContactPoint<Dim>>& contacts);
  void drop_held_facets(std::vector<ContactPoint<Dim>>& contacts);
  std::span<const ContactPoint<Dim>> with_membranes(const std::vector<ContactPoint<Dim>>& detected);
  void set_membrane_laws();
  void list_joined();  // of joints whose bodies may touch
  void set_joined_laws();
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
  void put_free_velocities();    // of followers
  void put_solved_velocities();  // of those that are touched
  void put_stretch(int follower, const Eigen::VectorXd& v);
  void find_surfaces();
  const Eigen::VectorXd& block_impulse(int system);  // valid until the next call
  void settle_systems(StepReport& report);
  void correct_systems();
  // Gaps and constraints of systems (sim/system_gaps.cpp), as part of those above.
  void add_gaps();
  void correct_gaps();
  void audit_gaps(StepReport& report);
  void place_followers();
  void audit_systems(StepReport& report, double& change);
  void watch_parts();
  void find_contradictions();  // sim/contradictions.cpp
  // Combined projection (sim/landing.cpp): solves again until no contact is left out that overlaps.
  void settle_landing(StepReport& report);
  bool take_gaps_in();
  // The same for bodies that are thin for their speed, under laws that act where a contact is forecast (sim/swift.cpp).
  void settle_swift(StepReport& report);
  void take_swift_in(std::vector<int>& taken);
  // The problem on positions (sim/project.cpp), as part of `project`.
  void start_projection();
  void start_reach(std::vector<double>& worst) const;
  void project_contacts(std::span<const double> reach, bool closed);
  void project_gaps(std::span<const double> reach, bool closed);
  void project_followers();
  double judge_projection(std::vector<double>& worst);
  void project_systems();
  void displace(EnergyBalance& energy);
  void read_gap_ends();
  // The event-driven scheme (sim/event_step.cpp): what it moves, InputError for what it has no place for; then a whole step,
  // or false where time stepping is to take it.
  void build_event_parts();
  bool advance_by_events(StepReport& report);
  void read_event_gaps(StepReport& report);
  void list_event_contacts(const Eigen::VectorXd& q, StepReport& report);
  // Joints (sim/joined_bodies.cpp), as part of those above.
  JointStep joint_step() const;
  std::span<const Pose<Dim>> joint_poses();
  std::span<const Spin<Dim>> expected_moments();
  // Slots of bodies that do not touch each other.
  void find_joined(std::vector<std::pair<int, int>>& pairs) const;
  void begin_joints();  // whose bodies are there for the first time; InputError where one does not close
  void push_joints();
  void couple_joints();
  void follow_joints();
  void watch_joints();
  void watch_swing();
  void note_jolts();  // sim/joint_jolts.cpp
  void audit_joints(StepReport& report);
  GroupSolverOptions solver_options() const;
  void solve_contacts(StepReport& report);
  // Implicit activation: solves again until the contacts that are active are those the solution forecasts.
  void settle_forecast(StepReport& report);
  // Laws that are not linear in the velocity: solves again until they hold at the solution.
  void settle_laws(StepReport& report);
  void solve_again(StepReport& report);  // the same step: iterations add up
  // Groups that solve_again is not to touch (sim/kept_groups.cpp): those of the last solve, but for the ones that were opened since
  // `open_none`. Nodes are slots, then systems.
  void open_none();
  void open_node(int node);
  void open_slot(int slot);
  void open_contacts(std::span<const int> contacts);
  void keep_others();
  void note_blocks();
  void restore_blocks();
  int system_node(int system) const { return state.bodies.slots() + system; }
  double left_open() const;                    // m, of contacts that act, by the tolerance of the solver
  double tolerance_of_block(int block) const;  // m/s, asked of its group
  void audit(StepReport& report);
  void audit_contacts(StepReport& report);
  void close_balance(double change, EnergyBalance& energy) const;  // after all works: the defect
  void audit_penetration(const Contact<Dim>& contact, std::int64_t index, StepReport& report) const;
  bool is_found_again(const Contact<Dim>& contact) const;
  void audit_separation(StepReport& report);
  void audit_bodies(StepReport& report);
  // After the others: leaves only the impulses of impact and friction in contact_impulse.
  void audit_gain(StepReport& report);
  void keep_rigid_impulses();
  void sum_dipoles();
  std::string find_trouble() const;  // of systems and their formulas; empty: none
  void check_finite(StepReport& report);
};

// Counts the overlaps of the initial poses and, when the scene says so, pushes them apart.
template <int Dim>
void treat_overlaps(typename Simulation<Dim>::Engine& engine);

// Counts the bodies whose centre lies in the matter of another that may touch them.
template <int Dim>
void find_buried(const SimulationModel<Dim>& model, const BodySet<Dim>& bodies, Detector<Dim>& detector,
                 InitialOverlaps& overlaps);

}  // namespace saltus
