// A joint of a scene, as plain data (joints/joint.hpp tells the kinds). SI units.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "saltus/geometry/vec.hpp"
#include "saltus/joints/joint.hpp"

namespace saltus {

template <int Dim>
struct SceneJoint {
  std::string name;
  std::string where;  // place in the input, opens error messages
  JointKind kind = JointKind::revolute;
  std::string a, b;  // names of bodies, or of what carries points of systems; `a` empty: the world

  // Of deformable bodies among them: a group of one node, or its number; empty: the node at the point of the joint.
  std::string nodes[2];
  int tie = -1;  // which of the scene made it; -1: it is one of its own

  // Where it is at the start: points on the first and on the second, in the world, or (local) in the frames of the shapes.
  Vec<Dim> points[2] = {Vec<Dim>::Zero(), Vec<Dim>::Zero()};
  bool local = false;
  // Any length, zero: not given. In the plane the direction of a slide (z = 0). `axis` is of the first body where local;
  // `axis2` is the second axis of a universal joint, and angle 0 or the first slide of others.
  Vec<3> axis = Vec<3>::Zero(), axis2 = Vec<3>::Zero();
  std::optional<Vec<3>> axis_b;  // local only: the same axis in the second body

  // As joint.free (FreeDirection::coordinate is not looked at); shorter: the rest is plain. `starts` are values that the
  // input gives: angles begin there, slides are counted from there.
  std::vector<FreeDirection> free;
  std::vector<std::optional<double>> starts;
  // Of a spherical joint: the rotation that took the second body from where the joint is at zero to where it is now, along
  // axis2, axis x axis2 and axis, its length the angle in rad. None: it is at zero.
  std::optional<Vec<3>> rotation_start;

  std::optional<double> length;          // m, of a rod, and the most of a rope; none: that of the start
  double lead = 0;                       // m per turn, of a screw
  double ratio = 1;                      // gear: first = ratio second; pulley: first + ratio second
  std::string joints[2], directions[2];  // of a gear; direction empty: the first
  Vec<Dim> supports[2] = {Vec<Dim>::Zero(),
                          Vec<Dim>::Zero()};  // of a pulley: where its rope leaves for the two bodies
  std::optional<double> total;                // of gear and pulley; none: that of the start
  bool slack = false;                         // of a pulley: its rope may go slack

  std::optional<double> stabilisation_time;  // s; 0: off; none: ten steps
  double left_alone = 0;                     // m, that is not taken back where stabilisation_time is given
  bool collide = false;                      // the two bodies may touch each other
  bool may_be_off = false;                   // it need not close at the start, as at the end of another run

  // The direction of this name, made when it is not there yet. `name` is one of direction_names.
  FreeDirection& direction(const std::string& wanted) {
    const std::vector<std::string> names = direction_names<Dim>(kind);
    free.resize(names.size());
    starts.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == wanted) return free[i];
    return free.at(0);
  }
};

}  // namespace saltus
