// What a simulation holds beside rigid bodies and their contacts: systems, the rows of systems that bound them, joints,
// and what of them takes part in the step at hand. Empty in most scenes.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "saltus/contact/coupling.hpp"
#include "saltus/fem/beams.hpp"
#include "saltus/fem/continuum.hpp"
#include "saltus/joints/joint_set.hpp"
#include "saltus/joints/swing.hpp"
#include "saltus/laws/pair_law.hpp"
#include "saltus/sim/followers.hpp"
#include "saltus/sim/scene_systems.hpp"
#include "saltus/sim/surface_followers.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

// A gap or a constraint of a system: functions of its coordinates that become a block. The first is the gap, or what is
// held at zero; then positions along the surface.
struct SystemGap {
  int system = 0;
  std::string name, where;  // for messages
  std::vector<std::shared_ptr<const CoordinateFunction>> rows;
  std::vector<int> dofs;  // of the system, that any row depends on
  PairLaw law;
  double active_below = 0;
  double release_above = -1;
  bool is_constraint = false;
  double stabilisation_time = -1;  // s, of a constraint
  double overlap = 0;  // at the start, where it is more than round-off of what scenes are written with

  int size() const { return static_cast<int>(rows.size()); }
};

// What a gap remembers.
struct GapState {
  ContactHistory history;  // impulse: N s
  // Of a constraint: the velocity that broke it at the start of the last step, where it was not taken away; not a number before
  // the first.
  double off = std::numeric_limits<double>::quiet_NaN();
};

// What it is in the step at hand, or was in the last. Vectors are (n, t, s).
struct GapStep {
  double gap = 0, gap_end = 0;                       // m, at the start of the step and at its end
  Eigen::Vector3d before = Eigen::Vector3d::Zero();  // u-, and u at the end: H^T v + df/dt
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();  // df/dt
  Eigen::MatrixXd jacobian;                        // dofs x rows: H
  double off = 0;                                  // what GapState::off will be
  LawInput input;
  LawTerms terms;
  int block = -1;      // of the coupling; -1: not active
  bool lands = false;  // activation by landing: found to overlap in this step
};

// Their part of the model.
template <int Dim>
struct CoupledModel {
  std::vector<SystemGap> gaps;
  std::vector<FollowerModel<Dim>> followers;
  std::vector<SurfaceModel<Dim>> surfaces;  // of deformable bodies
  // Scene bodies of a surface that touch always and are no contact: a point and the facets it belongs to.
  std::vector<std::pair<int, int>> neighbours;
  std::vector<int> follower_of;  // of each scene body; -1: none
  // Of each joint of the scene: the scene bodies of ends on deformable bodies, and of ties; -1: found by its name. Empty: all are.
  std::vector<std::array<int, 2>> joint_ends;
};

// Of the state. Systems and joints know their own constants too: a checkpoint holds their coordinates, velocities and
// impulses.
template <int Dim>
struct CoupledState {
  std::vector<std::unique_ptr<System>> systems;
  std::vector<std::shared_ptr<Continuum<Dim>>> solids;  // of deformable bodies, whose systems have them too
  std::vector<std::shared_ptr<Beams<Dim>>> beams;       // of bars, strings and beams, the last systems
  std::vector<GapState> gaps;                           // as those of the model
  JointSet<Dim> joints;

  // The worst of the run so far, for its warnings.
  struct {
    double rotation = 0;  // rad, of an element of a deformable body in small displacements
    double rotation_time = 0;
    int rotated = -1;              // which deformable body; beams come after them
    double gap = 0, gap_time = 0;  // m, s: that a joint is off
    int joint = -1;
    double turn = 0, turn_time = 0;  // rad, s: that the axes of a joint are off
    int turned = -1;
    double swing = 0, swing_time = 0;  // rad/s, s: faster than its steps follow (joints/swing.hpp)
    int swinging = -1;                 // at which joint
    int swift_looks = 0;               // the last ones in a row that found one
  } worst;

  bool empty() const { return systems.empty() && joints.count() == 0; }
};

// The solution of a block whose group is settled (sim/kept_groups.cpp).
struct KeptBlock {
  int origin, row;
  double radius;
  Eigen::VectorXd r, u;
};

// A point of a surface that a rigid body may touch.
struct TouchedPoint {
  int body, follower;  // slot of the body; number of the point among the followers
  int slot;            // of the point
  double gap;          // m
};

// Of the workspace: the step at hand.
template <int Dim>
struct CoupledWork {
  std::vector<GapStep> gaps;  // as those of the model
  Coupling<Dim> coupling;
  std::vector<KeptBlock> kept_blocks;
  std::vector<std::vector<int>> part_place;  // of each degree of freedom in its SystemPart; -1: takes no part
  std::vector<FollowerPlace<Dim>> places;    // of the followers, where contacts are looked for
  std::vector<int> slot_of;                  // of each scene body; -1: not there
  std::vector<Pose<Dim>> predicted;          // q + h v, where Jacobians are taken there
  std::vector<BodyVelocity<Dim>> velocities;
  std::vector<Spin<Dim>> expected;          // moments of joints
  std::vector<char> jolted;                 // per group: velocities of its bodies jump in this step
  std::vector<int> jolts;                   // blocks of joints that make them
  std::vector<std::pair<int, int>> joined;  // slots of joints whose bodies may touch
  JointSwing<Dim> swing;
  Eigen::VectorXd place_q;               // coordinates of a system where functions are taken
  std::string trouble;                   // a formula that is not finite; empty: none
  std::vector<char> touched;             // per slot: something acts on it
  std::vector<Eigen::VectorXd> impulse;  // of all blocks on each system
  // Of each system, on the degrees of freedom that take part: velocity at the start of the step; impulses of blocks that hold or stop.
  std::vector<Eigen::VectorXd> start, tied;
  FollowerScratch scratch;
  // Per slot, of scenes with deformable bodies: what facets stretch by (BodyViews), and which surface they are of (-1: none).
  std::vector<Mat<Dim>> stretch_start, stretch;
  std::vector<Mat<Dim>> dipole;  // sum of impulse arm^T of the contacts on them
  std::vector<int> surface_of;
  std::vector<TouchedPoint> touched_points;
  std::vector<std::pair<int, int>> contacts_of_body;  // slot and contact, of bodies on surfaces
  std::vector<char> doubled;                          // of contacts: another is at the same place
  std::vector<ContactPoint<Dim>> true_contacts;       // without those of surfaces that are none

  // Place of a degree of freedom in its SystemPart; from now on it takes part in the step.
  int take_part(int system, int dof);
};

}  // namespace saltus
