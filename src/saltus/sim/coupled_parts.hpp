// What a simulation holds beside rigid bodies and their contacts: systems, the rows of systems that bound them, joints,
// and what of them takes part in the step at hand. Empty in most scenes.
#pragma once

#include <memory>
#include <vector>

#include "saltus/contact/coupling.hpp"
#include "saltus/joints/joint_set.hpp"
#include "saltus/sim/followers.hpp"
#include "saltus/sim/scene_systems.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

// A gap of a Lagrangian system and what its law remembers.
struct GapState {
  double r = 0;                              // N s
  double gap = 0, before = 0, velocity = 0;  // m, m/s: at the start of the step, and u at its end
  int block = -1;                            // of the coupling; -1: not active
};

template <int Dim>
struct CoupledParts {
  // Constant after construction.
  std::vector<SceneGap> gaps;
  std::vector<int> gap_system;
  std::vector<FollowerModel> followers;

  // The state proper.
  std::vector<std::unique_ptr<System>> systems;
  std::vector<GapState> gap_states;
  JointSet<Dim> joints;

  // Of the step at hand.
  Coupling<Dim> coupling;
  std::vector<std::vector<int>> part_place;  // of each degree of freedom in its SystemPart; -1: takes no part
  std::vector<FollowerPlace> places;         // of the followers, where contacts are looked for
  std::vector<int> slot_of;                  // of each scene body; -1: not there
  std::vector<Pose<Dim>> predicted;          // q + h v, where Jacobians are taken there
  std::vector<BodyVelocity<Dim>> velocities;
  std::vector<Spin<Dim>> expected;  // moments of joints

  // The worst of the run so far, for its warnings.
  struct {
    double rotation = 0;  // rad, of an element of an elastic body
    double rotation_time = 0;
    int rotated = -1;              // which of scene.elastic
    double gap = 0, gap_time = 0;  // m, s: that a joint is off
    int joint = -1;
    double turn = 0, turn_time = 0;  // rad, s: that the axes of a joint are off
    int turned = -1;
  } worst;

  bool empty() const { return systems.empty() && joints.count() == 0; }
};

}  // namespace saltus
