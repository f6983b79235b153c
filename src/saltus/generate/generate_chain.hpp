// Chains: links of equal length along a line, joined one to the next.
//
// A link is a capsule of the given width whose axis goes from joint to joint (its round ends reach half a width beyond). In the plane
// joints are revolute; in space spherical, or revolute about an axis.
#pragma once

#include <string>
#include <vector>

#include "saltus/sim/scene.hpp"

namespace saltus {

template <int Dim>
struct ChainSpec {
  std::string where;           // opens error messages
  std::string name = "chain";  // links are NAME-0, NAME-1...; joints NAME-joint-0...
  SceneBody<Dim> model;        // what links have in common
  std::vector<Vec<Dim>> line;  // corners of the line it lies along, two or more
  int links = 1;
  double width = 0.01;           // m
  Vec<3> axis = Vec<3>::Zero();  // 3D: of revolute joints; zero: spherical
  // Names of bodies that its ends are joined to; "world": to the world; empty: free.
  std::string start, end;
  JointFriction friction;  // in every joint
  std::optional<double> stabilisation_time;
};

template <int Dim>
struct Chain {
  std::vector<SceneBody<Dim>> bodies;
  std::vector<SceneJoint<Dim>> joints;
};

// InputError: a line of no length, links thicker than long.
template <int Dim>
Chain<Dim> generate_chain(const ChainSpec<Dim>& spec);

}  // namespace saltus
