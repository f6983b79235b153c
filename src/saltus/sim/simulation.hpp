// A simulation: built from a scene, advanced step by step, certified at every step.
//
//     Simulation<3> simulation(scene);
//     while (!simulation.finished()) {
//       const StepReport report = simulation.step();
//       if (report.status == StepStatus::not_finite) break;
//     }
//     print(simulation.summary());
//
// Bad scenes are InputErrors in the constructor. A step never throws for numerical reasons: what
// happened is in its report. The same scene gives the same bits on every run and number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "saltus/base/byte_sink.hpp"
#include "saltus/dynamics/body_set.hpp"
#include "saltus/sim/certificate.hpp"
#include "saltus/sim/scene.hpp"
#include "saltus/sim/system_mesh.hpp"
#include "saltus/solvers/problem.hpp"
#include "saltus/solvers/velocity_problem.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

// A contact as the last step left it.
template <int Dim>
struct ContactState {
  BodyId a = -1, b = -1;  // ids; normal from a to b
  std::uint64_t feature = 0;
  Vec<Dim> point;     // where it was detected
  Mat<Dim> axes;      // columns n, t (, s)
  double gap = 0;     // at the start of the step, m
  Vec<Dim> impulse;   // true impulse on b along the axes, N s (divide by h for a force)
  Spin<Dim> moment;   // rolling part, world axes, N m s
  Vec<Dim> velocity;  // relative velocity at the end of the step, along the axes, m/s
  double residual = 0;  // of its law, m/s: what the residual of the step is made of
  ContactStatus status = ContactStatus::inactive;
  bool bonded = false;
};

// What the initial poses have of overlaps. Under a law with an elastic layer an overlap is the compression of
// the layer, which equilibrium needs: counted apart.
struct InitialOverlaps {
  int count = 0;
  double deepest = 0;      // m, positive
  BodyId a = -1, b = -1;   // of the deepest
  int layers = 0;          // compressed elastic layers
  double compression = 0;  // m, of the deepest
  int relaxation_passes = 0;
  double left = 0;                  // m: deepest after relaxation, 0 when it succeeded
  BodyId left_a = -1, left_b = -1;  // its bodies
  int inside = 0;                   // bodies whose centre lies in the matter of another that may touch them
  BodyId inside_body = -1, inside_of = -1;  // the first of them
};

template <int Dim>
class Simulation {
 public:
  explicit Simulation(Scene<Dim> scene);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  StepReport step();

  double time() const;  // start_time + steps h
  std::int64_t steps() const;
  bool finished() const;  // time() has reached end_time (to half a step), or the state is not finite
  const Scene<Dim>& scene() const;

  const BodySet<Dim>& bodies() const;
  // As it is shown and stored: bodies().velocity, but of Schatzman and Paoli's scheme the centred one, which
  // belongs to the start of the last step (schemes/schatzman_paoli.hpp).
  Vec<Dim> velocity(int slot) const;
  const Shape<Dim>& shape(int slot) const;  // in body axes, about the centre of mass
  int scene_index(int slot) const;          // of the body in scene().bodies
  // Contacts of the last step; filled when asked for, valid until the next step.
  std::span<const ContactState<Dim>> contacts() const;
  // The same one by one, for those who only look once: nothing is kept.
  int contact_count() const;
  ContactState<Dim> contact(int index) const;

  // Joints in the order of the scene; systems too: linear ones, elastic bodies, Lagrangian ones.
  struct JointPlace {
    Vec<Dim> point, point_b;  // of the joint on the first body (or the world) and on the second, now
    Vec<3> axis, axis2;       // of the first, as SceneJoint has them
    Vec<3> rotation =
        Vec<3>::Zero();  // from the frame of the first to that of the second (3D), along the first, rad
    // Per free direction, in the order of direction_names (joints/joint.hpp): m or rad, per s; N s or N m s along it in
    // the last step, of all that acts there, and of its motor.
    std::vector<double> value, rate, effort, motor;
    Vec<3> impulse;            // of all the joint, on the second body in the last step, world axes, N s
    Vec<3> moment;             // about point_b, N m s
    double row = 0;            // of a gear, a screw or the rope of a pulley, N s or N m s
    double motor_work = 0;     // J, in the last step
    double gap = 0, turn = 0;  // m, rad: what it holds and is off

    double angle() const { return value.empty() ? 0 : value[0]; }  // along the first free direction
  };
  int joint_count() const;
  JointPlace joint_place(int joint) const;
  std::pair<double, double> joint_lengths(int joint) const;  // m: Joint::length and Joint::total
  // Loops of joints that are closed more than once, a sentence per mechanism.
  std::vector<std::string> joint_findings() const;
  int system_count() const;
  const Eigen::VectorXd& system_coordinates(int system) const;
  const Eigen::VectorXd& system_velocity(int system) const;
  std::string system_name(int system) const;
  SystemNames coordinate_names(int system) const;  // none: its coordinates have numbers only
  SystemMesh<Dim> system_mesh(int system) const;   // without nodes: it has no place in space
  std::shared_ptr<const Beams<Dim>> system_beams(int system) const;  // null: it is none
  Eigen::VectorXd support_force(
      int system) const;  // on its coordinates, of what holds or drives them, in the last step
  SystemFields system_fields(int system) const;  // computed now; empty: it has no finite elements of a solid
  // Ids of the bodies of a joint, -1: the world.
  std::pair<BodyId, BodyId> joint_bodies(int joint) const;
  const System& system(int system) const;
  // Of each gap of the systems, in their order, constraints after the gaps of a system: N s, of the last step.
  std::vector<double> gap_impulses() const;
  struct GapPlace {
    std::string name;
    int system = 0;
    bool is_constraint = false;
    double gap = 0;   // m, now
    Vec<3> impulse;   // (n, t, s), of the last step, N s
    Vec<3> velocity;  // at its end, with the H of the solve, m/s
    ContactStatus status = ContactStatus::inactive;
  };
  std::vector<GapPlace> gaps() const;

  const RunSummary& summary() const;
  // Kinetic, potential and stored energy of the first state, which no step has told; systems are asked by a step
  // that a twin takes.
  EnergyBalance energy_at_start() const;
  const InitialOverlaps& initial_overlaps() const;
  Vec<Dim> gravity() const;  // turned by the tilt, now
  // What is to be told of the scene before any step, one sentence each (laws that are not used, stiffness that pushes away, gaps
  // that overlap, points of joints the wrong way round), and these with what the run so far adds (fast bodies, energy gained...).
  std::vector<std::string> scene_warnings() const;
  std::vector<std::string> warnings() const;

  // Controls, set between steps; each acts from the next step on until it is set again, and is part of the state
  // (sim/controls.hpp). InputError for what is not a number, or is not there to be controlled.
  // Force (N) at the centre of mass and torque (N m) on a body, world axes, beside what the scene has.
  void set_load(BodyId body, const Vec<Dim>& force, const Spin<Dim>& torque);
  std::pair<Vec<Dim>, Spin<Dim>> load(BodyId body) const;
  // Speed, m/s or rad/s, of a degree of freedom that a velocity drives, in place of the function of the scene.
  void set_drive(BodyId body, int dof, double speed);
  // Target and limit of a motor of the scene, in its units, in place of their functions; nan: as it is.
  void set_motor(int joint, int direction, double target, double limit);

  // All velocities become zero; places, deformation, impulses, bonds and what laws remember stay. What is driven moves on with the
  // next step. Kinetic energy is gone with no line of the audit: no step has taken it.
  void rest();

  // The problem of the NEXT step, from the present state, which stays as it is.
  GlobalProblem build_global_problem() const;
  ContactProblem build_contact_problem() const;
  VelocityProblem<Dim> build_velocity_problem() const;  // warm start included

  // Complete state as bytes: a simulation built from the same scene and restored from them goes on to the
  // same bits. They are many: a sink takes them part by part. `restore` throws InputError when the bytes are
  // not a state of this scene.
  void save(const ByteSink& sink) const;
  std::vector<std::byte> save() const;
  void restore(std::span<const std::byte> state);
  // One that goes on to the same bits and shares nothing with this.
  Simulation copy() const;

  // Of ids, positions, velocities, impulses and law history.
  std::uint64_t state_hash() const;

  struct Engine;  // sim/simulation_engine.hpp, for the files of this folder

 private:
  static Simulation restored(const Scene<Dim>& scene, std::span<const std::byte> state);
  Simulation begin_next_step() const;
  void check_controlled(BodyId body) const;

  std::unique_ptr<Engine> engine_;
};

extern template class Simulation<2>;
extern template class Simulation<3>;

}  // namespace saltus
