// A joint as constant data: what of the relative motion of two bodies it holds, and what acts along what it leaves free.
//
// Kinds, in the words of joints/coordinate.hpp (frame a carries the axes; its z is the axis of the joint, in the plane its x):
//
//   kind         holds                                     leaves free
//   weld         every coordinate                          nothing
//   revolute     x y z, turn_x turn_y                      turn_z
//   prismatic    x y, all rotations                        z
//   cylindrical  x y, turn_x turn_y                        z, turn_z
//   spherical    x y z                                     swing, the rotation, twist
//   universal    x y z, cross                              fork, spider
//   planar       z, turn_x turn_y                          x, y, turn_z
//   screw        x y, turn_x turn_y, z - lead turn_z/2pi   turn_z
//   rod          distance = length
//   rope                                                   distance, at most length
//   spring                                                 distance
//   gear         s_1 - ratio s_2 - total, free directions of two other joints
//   pulley       distance_1 + ratio distance_2 - total, or no more than total (slack)
//
// In the plane: weld x y turn_z; revolute x y; prismatic y turn_z, along x; cylindrical y (a pin in a slot along x).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "saltus/dynamics/body_set.hpp"
#include "saltus/dynamics/time_function.hpp"
#include "saltus/joints/coordinate.hpp"

namespace saltus {

enum class JointKind {
  weld,
  revolute,
  prismatic,
  cylindrical,
  spherical,
  universal,
  planar,
  screw,
  rod,
  rope,
  spring,
  gear,
  pulley
};
const char* name(JointKind kind);

// Units along a slide or distance; those of rotations are rad, N m...
struct JointLimits {
  double lower = -std::numeric_limits<double>::infinity();  // m
  double upper = std::numeric_limits<double>::infinity();
  double restitution = 0;

  bool operator==(const JointLimits&) const = default;
};

// Force -stiffness (s - rest) - preload - damping ds/dt, taken at k+theta.
struct JointSpring {
  double stiffness = 0, damping = 0;  // N/m, N s/m
  double rest = 0, preload = 0;       // m, N
  Vec<3> rest_rotation =
      Vec<3>::Zero();  // of a rotation: the vector of the one without moment, along the first frame, rad

  // Where the spring alone has no force.
  double zero() const { return stiffness > 0 ? rest - preload / stiffness : rest; }
  bool operator==(const JointSpring&) const = default;
};

// Dry friction of at most constant + coefficient radius |load|, the load being what holds the bodies together (the points of a
// revolute joint, the sides of a slide). The radius is that of the pin; 1 along a slide.
struct JointFriction {
  double constant = 0, coefficient = 0, radius = 1;  // N, 1, m

  bool operator==(const JointFriction&) const = default;
};

struct JointMotor {
  enum class Kind { velocity, position, force };
  Kind kind = Kind::velocity;
  TimeFunction target;                // m/s, m or N
  std::optional<TimeFunction> limit;  // N: no more than this; none: as much as it takes
  // Of a rotation, instead of `target`: the relative spin, or the vector of the rotation, along the axes of the first frame.
  std::array<TimeFunction, 3> rotation;
};

// A free direction: one coordinate, or the whole rotation of a spherical joint. What resists along the swing (springs, dampers, friction)
// acts across the axis of the second body in both directions, so that it does not change where the axes are in line.
struct FreeDirection {
  Coordinate coordinate = Coordinate::turn_z;
  bool rotation = false;  // three rows: `coordinate` is not used
  double start = 0;       // value at the start of the run
  std::optional<JointLimits> limits;
  std::optional<JointSpring> spring;
  std::optional<JointFriction> friction;
  std::optional<JointMotor> motor;

  int rows() const { return rotation ? 3 : 1; }
};

// Two bodies with their frames. -1: the world.
template <int Dim>
struct FramePair {
  BodyId a = -1, b = -1;
  JointFrame<Dim> frame_a, frame_b;
};

// sum of factor x coordinate, a row over up to four bodies.
template <int Dim>
struct CombinedTerm {
  FramePair<Dim> pair;
  Coordinate coordinate = Coordinate::turn_z;
  double factor = 1, start = 0;
};

template <int Dim>
struct Joint {
  JointKind kind = JointKind::revolute;
  FramePair<Dim> pair;
  std::vector<Coordinate> held_points, held_turns;  // three of each at most
  double length = 0;                                // m: of a rod
  std::vector<FreeDirection> free;
  std::vector<CombinedTerm<Dim>> combined;  // none, or the terms of one row
  double total = 0;                         // of that row
  bool slack = false;                       // the row may be below its total
  double stabilisation_time = 0;            // s, in which what the joint is off decays by 1/e; 0: it stays
  double left_alone = 0, left_turned = 0;   // m, rad: up to this it is left alone all the same

  // The value at which a held coordinate stands.
  double target(Coordinate held) const { return held == Coordinate::distance ? length : 0; }
};

// Fills held_points, held_turns and the coordinates of `free` for the kind; gear and pulley have none of them.
template <int Dim>
void set_kind(JointKind kind, Joint<Dim>& joint);
// Of values per free direction, the rest zero.
inline Vec<3> first_three(const std::vector<double>& values) {
  Vec<3> result = Vec<3>::Zero();
  for (std::size_t i = 0; i < values.size() && i < 3; ++i) result[static_cast<int>(i)] = values[i];
  return result;
}
// Names of the free directions of a kind, in the order of `free`.
template <int Dim>
std::vector<std::string> direction_names(JointKind kind);

}  // namespace saltus
