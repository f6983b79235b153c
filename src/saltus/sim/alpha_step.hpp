// A step of the alpha schemes (schemes/generalized_alpha.hpp has the equations): its own sequence of the verbs of a step,
//
//     solve_smooth      predict, and the bilateral rows of the smooth part
//     solve_positions   detect, build and solve on positions, in turns: contacts are looked for where the bodies will be
//     build_velocities  contacts that are closed there, with their laws
//     solve             and once more from the positions where friction moves other than it did
//     correct, audit
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/joints/joint_rows.hpp"
#include "saltus/schemes/generalized_alpha.hpp"
#include "saltus/sim/simulation_engine.hpp"
#include "saltus/solvers/contact_groups.hpp"
#include "saltus/systems/smooth_form.hpp"

namespace saltus {

template <int Dim>
class AlphaStep {
 public:
  using Engine = typename Simulation<Dim>::Engine;
  explicit AlphaStep(Engine& engine);

  StepReport take();
  // Up to the velocity problem, which is then in the state: for its export.
  void begin(StepReport& report);

 private:
  // Where blocks act, and on what: accelerations at the start of a run, then the three problems of a step.
  enum class Level { start, smooth, position, velocity };

  // A body in the step at hand. Of prescribed degrees of freedom `w`, `v` and `path` are what is prescribed.
  struct BodyWork {
    Pose<Dim> start, pose;
    Twist<Dim> v0, v, v1;   // before, v~, after
    AlphaBody<Dim> before;  // what was carried into the step
    Twist<Dim> w;           // w~
    Twist<Dim> path;        // q~ - q_0
    Twist<Dim> U;           // body axes for its rotation
    Twist<Dim> pushed;      // impulse of smooth blocks, N s
    Twist<Dim> given;       // force of motors, N
    Twist<Dim> rubbed;      // impulse of friction, N s
    Twist<Dim> slid;        // D, in U
    Pose<Dim> looked;       // where contacts were looked for when its positions were solved last, and
    Twist<Dim> looked_U;
  };
  struct SystemWork {
    std::unique_ptr<SmoothForm> form;
    Eigen::VectorXd q0, v0, q, v, v1, w, q_smooth, v_predicted, q_predicted, path, U, W, X, pushed, given,
        rubbed, slid;
    Eigen::VectorXd driven_v, driven_path, force, rhs, change, impulse;
    Eigen::VectorXd seen;        // velocity of the level, as blocks see it
    Eigen::VectorXd x, product;  // of the audit
    SmoothForces start;          // forces at the start of the step
    Eigen::VectorXd start_force, end_force;
    double kinetic = 0;  // J, at the start
    SmoothForces end;
    AlphaSystem before;                  // what was carried into the step
    Eigen::VectorXd looked_q, looked_U;  // as of a body
  };
  // A body or a system (slots, then systems) in the turns of a step: each connected part settles by itself, and what is settled stays,
  // so that what is far away changes nothing.
  struct Node {
    bool moves = false;    // not all of it is prescribed
    bool tied = false;     // there are rows on it
    int part = -1;         // of the smooth problem: the first of its nodes
    double round_off = 0;  // m/s, of the rows of its part that hold positions
    bool settled = true;   // its positions are
    int turns = 0;         // that its positions were solved in
    double length = 1;     // m, of its group
    double moved = 0;      // in the last turn, relative to that
    double allowed = 0;    // what its group is solved to, relative to that
    bool slides = false;   // friction moves it other than its positions know
  };
  struct SmoothPart {
    bool open = true, has_blocks = false, settled = true;
    double lack = 0, change = 0, residual = 0, last = std::numeric_limits<double>::infinity();
  };
  struct PositionGroup {
    bool open = false, closes = false;
    int turns = 0, bodies = 0;
    double length = 0, moved = 0;
  };
  struct MotorWork {    // of a motor whose force goes on from step to step
    JointRow<Dim> row;  // at the start
    double done;        // J, of its force in the step
  };
  struct GapRow {  // of a gap or constraint, at the configuration at hand
    Eigen::Vector3d value, rate;
    Eigen::MatrixXd jacobian;
    bool active = false;
    int block = -1;
  };

  struct HeldOverlap {  // of a contact between the two bodies of a joint
    int a, b;
    IntVec<Dim> image;
    std::uint64_t feature;
    double gap;  // m, below 0, at the start of the step
  };

  bool lives(int slot) const;
  bool is_index3() const;
  double end_time() const;
  ContactStep velocity_step() const;
  void open();  // of a step: copies the state into the work
  void find_smooth_change();
  void judge_smooth(int turn);
  void solve_smooth(StepReport& report);
  void solve_positions(StepReport& report);
  void find_held_overlaps();                // sim/alpha_overlaps.cpp
  void take_held_overlaps(bool positions);  // off the gaps of contacts, or back
  void build_velocities();
  void solve_friction(StepReport& report);

  // sim/alpha_groups.cpp: what settles by itself.
  int node_of(int slot) const;  // -1: it is prescribed, or none
  int system_node(std::size_t system) const;
  void find_parts();
  double place_round_off(int node) const;
  double radius_of_gyration(int slot) const;  // m; 0: of no body
  int part_of(const TiedBlock& block) const;
  bool is_open(int node) const { return parts_[nodes_[node].part].open; }
  bool is_slid(int node) const;  // it is where D leads, without a correction of gaps
  void settle(int node);
  void exchange_settled();
  bool open_groups();                                 // false: nothing is left to solve
  bool judge_groups(double& moved, double& allowed);  // whether one is not settled; of the worst
  bool open_slid();
  int turns_of(int slot) const;

  // sim/alpha_start.cpp: accelerations to start with.
  void adopt_bodies();
  void start_accelerations();
  void adopt_accelerations();
  void rates_ahead(double duration, std::vector<double>& rates);
  void push_springs();

  // sim/alpha_friction.cpp: what moves by friction.
  void rub(int slot, Twist<Dim> push, const Vec<Dim>& arm);
  void gather_rubs();
  void slide();

  // sim/alpha_correct.cpp: the end of a step.
  void correct(StepReport& report);
  void correct_joints();
  void correct_gaps();

  // sim/alpha_motors.cpp: forces of motors and their work.
  bool is_motor(const JointRow<Dim>& row) const;
  bool is_steady_motor(const JointRow<Dim>& row) const;
  double mean_rate(const JointRow<Dim>& row, int k = 0) const;
  double way_along(const JointRow<Dim>& row, bool at_start) const;
  void open_motors();
  void start_motors();
  void finish_motors();

  // sim/alpha_bodies.cpp: rigid bodies.
  Twist<Dim> body_force(int slot, double t, const Pose<Dim>& pose, const Twist<Dim>& v) const;
  Twist<Dim> mass_times(int slot, const Twist<Dim>& x) const;
  Twist<Dim> over_mass(int slot, const Twist<Dim>& x) const;  // zero where prescribed
  bool is_free(int slot, int dof) const;
  void solve_body(int slot);  // w~, v~, q~ with the impulses at hand
  void prescribe(int slot);
  void fill_bodies(Level level);
  void move_bodies(const VelocityProblem<Dim>& solved);
  void finish_body(int slot);

  // sim/alpha_systems.cpp: what is not rigid.
  void open_systems();
  void predict_system(std::size_t index);
  void solve_system(int system, StepReport& report);
  void place_systems(Level level);
  void prepare_systems(Level level);
  void move_systems();
  void finish_system(int system);
  void move_followers();  // in the problem, as v1 of their systems makes them

  // sim/alpha_blocks.cpp: rows of joints and systems as blocks of a level.
  void evaluate_rows(double t);
  void couple(Level level);
  bool is_smooth(const JointRow<Dim>& row) const;  // it makes a block of the smooth problem
  void add_joint_blocks(Level level);
  void add_gap_blocks(Level level);
  void fill_gap_block(Level level, std::size_t gap, TiedBlock& block);
  void find_block_residuals(std::span<const double> impulses);
  void gather_pushes();
  void gather_given();
  Eigen::Vector3d rate_of(const TiedBlock& block, bool before) const;
  bool has_rows() const { return !rows_.empty() || !s.model.parts.gaps.empty(); }
  GroupSolution solve_blocks(double tolerance);

  // sim/alpha_audit.cpp
  void audit(StepReport& report);
  void audit_bodies(StepReport& report, double& change);
  void audit_systems(StepReport& report, double& change);
  void audit_springs(StepReport& report);
  void audit_rows(StepReport& report);
  void tell_newton(const char* what, int turns, double residual, double tolerance, bool settled,
                   StepReport& report);

  Engine& s;
  AlphaWeights weights_;
  // The blocks of a level get the memory that the same level had last: other levels have other blocks. The engine has those
  // of `coupled_`.
  std::array<Coupling<Dim>, 4> kept_;
  Level coupled_ = Level::start;
  std::vector<AlphaBody<Dim>>& bodies_;  // of the state
  std::vector<AlphaSystem>& systems_;

  // Of the step at hand.
  std::vector<BodyWork> work_;
  std::vector<SystemWork> system_work_;
  std::vector<JointRow<Dim>> rows_;
  std::vector<MotorWork> motors_;
  std::vector<int> row_block_;  // of each joint row; -1: none
  std::vector<char> row_active_;
  std::vector<GapRow> gap_rows_;
  std::vector<char> contact_active_;
  std::vector<HeldOverlap> held_overlaps_;  // in the order of contacts
  std::vector<double> last_r_;              // of the smooth blocks
  double joint_stored_ = 0;                 // J, in springs of joints at the start
  std::vector<double> spring_rates_;
  std::vector<Node> nodes_;
  std::vector<SmoothPart> parts_;  // by their first node
  std::vector<PositionGroup> position_groups_;
  ContactGroups<Dim> groups_;  // of the position problem
  DisjointSets sets_;
  std::vector<int> first_;
  std::vector<double> least_;  // per node, m/s: what no solver finds better
  std::string missed_,
      missed_smooth_;  // why the step, or its smooth part, is not what it should be; empty: it is
};

// Throws InputError: what of the scene the scheme has no place for.
template <int Dim>
void check_alpha_scene(const SimulationModel<Dim>& model, const CoupledState<Dim>& parts);

}  // namespace saltus
