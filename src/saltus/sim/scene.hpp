// A scene: everything a run needs, as plain data. Readers of files and generators fill it,
// Simulation<Dim> checks it (InputError) and runs it. SI units.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "saltus/base/seldom.hpp"
#include "saltus/base/shared_text.hpp"
#include "saltus/base/sparse_array.hpp"
#include "saltus/collision/detector.hpp"
#include "saltus/dynamics/drive.hpp"
#include "saltus/geometry/mass_properties.hpp"
#include "saltus/laws/pair_law.hpp"
#include "saltus/schemes/options.hpp"
#include "saltus/sim/scene_beam.hpp"
#include "saltus/sim/scene_deformable.hpp"
#include "saltus/sim/scene_joint.hpp"
#include "saltus/sim/scene_measures.hpp"
#include "saltus/sim/scene_systems.hpp"
#include "saltus/sim/scene_tie.hpp"

namespace saltus {

inline const SharedText& default_material() {
  static const SharedText name("default");
  return name;
}

template <int Dim>
struct SceneBody {
  std::string name;
  SharedText where;  // place in the input ("file:line:column"), opens error messages
  SharedText material = default_material();

  Shape<Dim> shape;                      // in its own frame
  Pose<Dim> pose;                        // of that frame, at the start
  Vec<Dim> velocity = Vec<Dim>::Zero();  // of the centre of mass
  Spin<Dim> spin = Spin<Dim>::Zero();    // world axes, rad/s

  // Mass from the density and the shape, unless given. A given inertia (about the centre of mass, axes of
  // the shape's frame) needs a given mass; a given mass without inertia scales the inertia of the
  // uniform shape. A shape without volume needs both unless the body is fixed or wholly driven.
  double density = 1000;
  Seldom<double> mass;
  Seldom<Inertia<Dim>> inertia;
  Seldom<Vec<Dim>> centre;  // in the shape's frame

  bool fixed = false;  // locks every degree of freedom
  int follows = -1;    // the system it is a point of (sim/coupled_parts.hpp); -1: a body of its own
  bool turns = false;  // such a point with rotations of its own: joints may hold them
  SurfacePart part = SurfacePart::none;  // of the surface of a deformable body, which it follows
  SparseArray<Drive, kDofs<Dim>> drive;
  SparseArray<TimeFunction, kDofs<Dim>> force;  // forces then moments, world axes
  double damping = 0, damping_rotation = 0;     // 1/s, added to those of the scene

  std::uint32_t group = 1, mask = ~0u;  // collision groups (collision/detector.hpp)
  double added_at = 0;                  // s; later than the start: appears then
  double removed_at = std::numeric_limits<double>::infinity();
};

// To detection. `stands`: it is fixed or driven, and so is what else stands.
template <int Dim>
BodyFlags flags_of(const SceneBody<Dim>& body, bool stands) {
  return {stands, body.group, body.mask, body.part, body.follows};
}

struct SceneLaw {
  std::string material_a, material_b;
  PairLaw law;
  std::string where;
};

// A pressure on the outer contour of a 2D sample: the contour joins the centres of the outermost bodies,
// each side of it of length l pushes inwards with p l, half on each of its two bodies.
struct Membrane {
  TimeFunction pressure;      // N/m in 2D (per metre of depth)
  std::uint32_t group = ~0u;  // bodies of these groups only, walls (fixed or driven bodies) never
  double longest_side = 0;    // m, of the contour; 0: four times the mean size of the bodies
  // Name of a fixed or driven body that stands for a rough membrane: what it presses rubs on it, with the
  // friction of the pair. Empty: smooth.
  std::string body = {};
  std::string where = {};  // place in the input, opens error messages
};

// Gravity turned in time, by an angle about an axis (2D: about z, so that a positive angle pushes towards
// +x).
template <int Dim>
struct Tilt {
  TimeFunction angle;             // rad
  Vec<3> axis = Vec<3>(0, 0, 1);  // 3D only; any length
  bool is_zero() const { return angle.is_zero(); }
};

// A load on a wall along an axis (a half-plane or plane that is free to move that way), towards the sample. A
// stress acts on the distance (3D: distances) between the walls named `between`, as it is at the start of
// each step, or on a given area. A wall that nothing holds back reaches `speed` and goes no faster: what is
// taken from the load is what would carry the wall beyond it in the step without contact.
struct Servo {
  std::string wall;
  std::string where;  // place in the input, opens error messages
  TimeFunction load;  // a stress in Pa (2D: N/m), compression positive, or a force in N
  bool is_stress = true;
  std::vector<std::string> between;
  double area = 0;  // m2 (2D: m); 0: between walls
  double speed = std::numeric_limits<double>::infinity();
};

struct OutputOptions {
  double every = 0;                 // s between frames; 0: every step
  std::vector<std::string> fields;  // empty: all
  double checkpoint_every = 0;      // s of simulated time; 0: the writer's own choice
  std::int64_t measure_every = 1;   // steps between rows of measures
};

template <int Dim>
struct Scene {
  std::string name, title;
  Vec<Dim> gravity = Vec<Dim>::Zero();  // before it is tilted
  Tilt<Dim> tilt;
  double damping = 0, damping_rotation = 0;  // 1/s, every body
  Vec<Dim> period = Vec<Dim>::Zero();        // cell lengths; 0: not periodic in that direction

  std::vector<SceneBody<Dim>> bodies;
  std::vector<SceneLaw> laws;
  std::optional<PairLaw> default_law;  // for pairs not in `laws`; none: such a pair is an error
  std::string default_law_where;       // place in the input, opens error messages
  std::vector<std::pair<int, int>> excluded_groups;
  std::vector<Membrane> membranes;  // 2D only
  std::vector<Servo> servos;
  std::vector<SceneLinearSystem> systems;
  std::vector<SceneElasticBody> elastic;  // 2D only
  std::vector<SceneDeformable<Dim>> deformable;
  std::vector<SceneLagrangianSystem<Dim>> lagrangian;
  std::vector<SceneBeam<Dim>> beams;

  std::vector<SceneJoint<Dim>> joints;  // in a simulation those of its ties come last
  std::vector<SceneTie> ties;

  SchemeOptions scheme;
  SolverSettings solver;
  double alert = 0;                     // m, contacts listed beyond what a step needs; 0: a default
  double start_time = 0, end_time = 1;  // s
  bool relax_overlaps = false;          // push initial overlaps apart before the run
  // Of the thickness of the thinner body (geometry/thickness.hpp): beyond it a strict run fails.
  double penetration_limit = std::numeric_limits<double>::infinity();

  OutputOptions output;
  std::vector<MeasureSpec<Dim>> measures;
  std::vector<StopCondition> stops;  // any of them ends the run
};

}  // namespace saltus
