// Bars, strings and beams to detection, contact laws and joints: a ball at each node and a capsule along each element, without
// mass. Forces between two nodes go to both, linear along the line; they and their moments go whole.
#pragma once

#include <utility>
#include <vector>

#include "saltus/sim/followers.hpp"
#include "saltus/sim/scene_beam.hpp"

namespace saltus {

// A node, or what is between two.
template <int Dim>
struct LineFollower {
  Vec<Dim> start, end;                 // at rest; of a node both are the same
  Eigen::Index first = 0, second = 0;  // coordinates of the nodes; a node has one
  bool is_node = true, turns = false;  // the nodes have rotations
};

// Adds the followers of a body that is at q to the scene. A node is named "BODY node I", or "BODY GROUP" where it is alone in a
// group of the mesh. Neighbours: pairs of scene bodies that touch always and are no contact.
template <int Dim>
void add_line(const SceneBeam<Dim>& from, const Eigen::VectorXd& q, int system, Scene<Dim>& scene,
              std::vector<FollowerModel<Dim>>& followers, std::vector<std::pair<int, int>>& neighbours);

// Scene bodies of the elements that end within two radii of a node, at rest; none where the follower is no node of a line, or -1.
template <int Dim>
std::vector<int> elements_at_node(const Scene<Dim>& scene, const std::vector<FollowerModel<Dim>>& followers,
                                  int follower);

// Where it is, and how it moves: a node with its rotation, an element with its middle, turning with the line and, in space, about
// it as its ends do.
template <int Dim>
void place_on_line(const LineFollower<Dim>& line, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   double advance, FollowerPlace<Dim>& place);

}  // namespace saltus
