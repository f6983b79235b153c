// A joint of a scene, as plain data (joints/joint.hpp). SI units.
#pragma once

#include <limits>
#include <string>

#include "saltus/geometry/vec.hpp"

namespace saltus {

template <int Dim>
struct SceneJoint {
  std::string name;
  std::string where;                  // place in the input, opens error messages
  std::string a, b;                   // names of bodies; `a` empty: the world
  Vec<Dim> point = Vec<Dim>::Zero();  // at the start, world axes
  Vec<3> axis = Vec<3>::UnitZ();      // 3D, world axes at the start; any length
  double stabilisation = 0;  // part of what the joint is off that a step takes back; 0: velocities only
  // Bounds of the angle of b in a, from the start on, rad; infinite: none.
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double restitution = 0;  // at the bounds
};

}  // namespace saltus
