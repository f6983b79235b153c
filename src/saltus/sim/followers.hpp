// Bodies without mass that follow the surface of an elastic body, so that detection and contact laws see it: a ball
// at each node, too small to be seen, and inside each edge a capsule whose side is the edge. Nodes touch rigid bodies
// and the edges of elastic bodies, their own included but for the two they end; edges touch nodes only.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/dynamics/drive.hpp"
#include "saltus/geometry/pose.hpp"
#include "saltus/sim/scene.hpp"
#include "saltus/systems/elastic_body.hpp"

namespace saltus {

struct FollowerModel {
  int body = 0;  // in scene.bodies
  int system = 0;
  int nodes[2] = {-1, -1};                                 // second -1: a point
  Vec<2> reference[2] = {Vec<2>::Zero(), Vec<2>::Zero()};  // of the nodes, without stress
  double inset = 0;      // m, of an edge: how far inside the body its axis is
  double middle = 0;     // m, of an edge: of its capsule from the middle of the edge
  double thickness = 0;  // m, of the whole body: what overlap is counted in

  bool is_edge() const { return nodes[1] >= 0; }
};

// Adds the followers of a body to the scene.
void add_followers(const SceneElasticBody& from, const ElasticBody& body, int system, Scene<2>& scene,
                   std::vector<FollowerModel>& followers);

// Degrees of freedom that place it: two of each node.
std::vector<int> follower_dofs(const FollowerModel& follower);

// Where it is, and the matrix of (v, w) = placement . (velocities of its nodes), with coordinates q, moved on for
// `advance` seconds by v.
struct FollowerPlace {
  Pose<2> pose;
  Eigen::Matrix<double, kDofs<2>, Eigen::Dynamic> placement;
};
FollowerPlace place_follower(const FollowerModel& follower, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& v, double advance);

// (v, w) of a follower whose nodes move as the system does.
Eigen::Vector3d follower_velocity(const FollowerModel& follower,
                                  const Eigen::Matrix<double, kDofs<2>, Eigen::Dynamic>& placement,
                                  const Eigen::VectorXd& v);

}  // namespace saltus
