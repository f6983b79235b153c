// The model of a simulation: the scene, checked, and what follows from it. Constant once it is built.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "saltus/dynamics/body_set.hpp"
#include "saltus/laws/law_table.hpp"
#include "saltus/sim/coupled_parts.hpp"
#include "saltus/sim/scene.hpp"

namespace saltus {

template <int Dim>
struct SimulationState;

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

template <int Dim>
struct SimulationModel {
  Scene<Dim> scene;
  LawTable laws;
  std::vector<PairLaw>
      joined_laws;  // as laws.laws(), between bodies of one joint; empty: none of these may touch, or it is the same
  std::vector<int> material;                         // of each scene body
  std::unordered_map<int, Vec<Dim>> centre;          // of its mass, in the frame of its shape, where not 0
  std::unordered_map<int, Shape<Dim>> moved_shapes;  // about the centre of mass, of the same bodies
  std::vector<double> bounding_radius;               // largest distance from that centre; 0: unbounded
  std::vector<double> thickness;                     // of its shape; 0: a wall or ground
  std::vector<double> turning;  // how far its features lie from its centre: as bounding_radius, 0 for a ball
  double finest = 0;            // the smallest thickness
  std::vector<BodyEvent> events;     // in the order they happen
  std::vector<ServoWall> servos;     // as scene.servos
  std::vector<RoughMembrane> rough;  // as scene.membranes
  double alert = 0;                  // as Detector::update takes it
  bool is_soft = false;              // some law has an elastic layer or cohesion
  bool is_linear = true;             // no law has a friction function or Hertz's force
  bool is_rolling = false;           // some law has rolling friction
  bool has_swift = false;            // a law acts on forecasts, and not all bodies are balls: sim/swift.cpp
  CoupledModel<Dim> parts;

  double time(std::int64_t steps) const {
    return scene.start_time + static_cast<double>(steps) * scene.scheme.h;
  }
  Vec<Dim> gravity_at(double t) const;  // turned by the tilt
  double gravity_step() const { return scene.gravity.norm() * scene.scheme.h; }

  // Of a scene body, as it enters: made when asked for, because a million bodies that all live from the
  // start would otherwise be kept twice.
  BodyModel<Dim> build_body(int body) const;
  Pose<Dim> initial_pose(int body) const;    // of its centre of mass
  double thinner(BodyId a, BodyId b) const;  // thickness of the thinner body that has one, 0: neither
  std::string label(BodyId id) const;        // its name in quotes, or its number
  const Shape<Dim>& shape_about_mass(int body) const;
};

// Checks the scene (InputError) and makes the model. Systems and joints, which hold constants and state in one object, are
// put into the state, at their start.
template <int Dim>
SimulationModel<Dim> build_simulation_model(Scene<Dim> scene, SimulationState<Dim>& state);

// Parts of it, in this order. Systems with the bodies that follow them, before bodies are checked:
template <int Dim>
void build_systems(SimulationModel<Dim>& model, CoupledState<Dim>& state);
template <int Dim>
void build_joints(const SimulationModel<Dim>& model, JointSet<Dim>& joints);
// Finds the walls of the servos; InputError when they cannot do what they are asked.
template <int Dim>
void build_servos(SimulationModel<Dim>& model);
// Finds the bodies of rough membranes; InputError when they cannot be.
template <int Dim>
void build_membranes(SimulationModel<Dim>& model);

}  // namespace saltus
