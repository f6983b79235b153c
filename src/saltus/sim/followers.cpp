#include "saltus/sim/followers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

// Groups of their own, beside those of the scene: nodes are in the first and look at the second, edges the other way.
constexpr std::uint32_t kNodes = 1u << 30, kEdges = 1u << 31;

Vec<2> left_of(const Vec<2>& v) { return {-v.y(), v.x()}; }

SceneBody<2> make_follower(const SceneElasticBody& from, const char* what, int number, int system) {
  SceneBody<2> body;
  body.name = fmt::format("{} {} {}", from.name.empty() ? "elastic" : from.name, what, number);
  body.where = SharedText(from.where);
  body.material = from.material;
  body.fixed = true;
  body.follows = system;
  return body;
}

// What a corner of the body takes from the end of an edge, so that the round end of its capsule stays inside.
double corner_cut(const Vec<2>& along, const Vec<2>& next, double radius) {
  const double turn = std::atan2(along.x() * next.y() - along.y() * next.x(), along.dot(next));
  return turn > 0 ? radius * std::tan(0.5 * std::min(turn, 2.5)) : 0.0;
}

}  // namespace

void add_followers(const SceneElasticBody& from, const ElasticBody& body, int system, Scene<2>& scene,
                   std::vector<FollowerModel>& followers) {
  constexpr double kPoint = 1e-6;  // radius of a point, of the length of its shorter edge
  constexpr double kInset = 0.2;   // radius of an edge's capsule, of its length
  const auto& edges = body.surface_edges();
  std::vector<double> shortest(body.mesh().nodes.size(), std::numeric_limits<double>::infinity());
  std::vector<int> leaving(body.mesh().nodes.size(), -1), arriving = leaving;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [first, second] = edges[e];
    const double length = (body.position(first) - body.position(second)).norm();
    for (const int node : {first, second}) shortest[node] = std::min(shortest[node], length);
    leaving[first] = arriving[second] = static_cast<int>(e);
  }
  const auto direction = [&](int edge) {
    return Vec<2>((body.position(edges[edge][1]) - body.position(edges[edge][0])).normalized());
  };
  const double thickness = from.size.minCoeff();
  for (const int node : body.surface_nodes()) {
    SceneBody<2> point = make_follower(from, "node", node, system);
    point.shape = Ball<2>{kPoint * shortest[node]};
    point.group = from.group | kNodes;
    point.mask = from.mask | kEdges;
    FollowerModel follower{static_cast<int>(scene.bodies.size()), system, {node, -1}, {}, 0, 0, thickness};
    follower.reference[0] = body.mesh().nodes[node];
    point.pose = place_follower(follower, body.coordinates(), body.velocity(), 0).pose;
    followers.push_back(follower);
    scene.bodies.push_back(std::move(point));
  }
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [first, second] = edges[e];
    const Vec<2> along = direction(static_cast<int>(e));
    const double length = (body.position(second) - body.position(first)).norm();
    const double radius = kInset * std::min(length, thickness);
    const double cut_start = corner_cut(direction(arriving[first]), along, radius);
    const double cut_end = corner_cut(along, direction(leaving[second]), radius);
    const double half = std::max(0.01 * length, 0.5 * (length - cut_start - cut_end));
    SceneBody<2> edge = make_follower(from, "edge", static_cast<int>(e), system);
    edge.shape = Capsule<2>{Vec<2>(-half, 0), Vec<2>(half, 0), radius};
    edge.group = kEdges;
    edge.mask = kNodes;
    FollowerModel follower{static_cast<int>(scene.bodies.size()), system,   {first, second}, {}, radius,
                           0.5 * (cut_start - cut_end),           thickness};
    follower.reference[0] = body.mesh().nodes[first];
    follower.reference[1] = body.mesh().nodes[second];
    edge.pose = place_follower(follower, body.coordinates(), body.velocity(), 0).pose;
    followers.push_back(follower);
    scene.bodies.push_back(std::move(edge));
  }
}

std::vector<int> follower_dofs(const FollowerModel& follower) {
  std::vector<int> dofs;
  for (const int node : follower.nodes)
    if (node >= 0) dofs.push_back(2 * node), dofs.push_back(2 * node + 1);
  return dofs;
}

FollowerPlace place_follower(const FollowerModel& follower, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& v, double advance) {
  const auto at = [&](int end) {
    const Eigen::Index dof = 2 * follower.nodes[end];
    return Vec<2>(follower.reference[end] + q.segment<2>(dof) + advance * v.segment<2>(dof));
  };
  FollowerPlace place;
  if (!follower.is_edge()) {
    place.pose = Pose<2>(at(0));
    place.placement = Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, 2);
    place.placement(0, 0) = place.placement(1, 1) = 1;
    return place;
  }
  // Turns with the edge, and moves with its middle: the distance along a normal is that of linear interpolation.
  const Vec<2> first = at(0), second = at(1), along = (second - first).normalized();
  const double length = (second - first).norm();
  const Vec<2> arm = follower.inset * left_of(along) + follower.middle * along;
  place.pose = Pose<2>(0.5 * (first + second) + arm, std::atan2(along.y(), along.x()));
  place.placement = Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, 4);
  place.placement.row(2) << along.y() / length, -along.x() / length, -along.y() / length, along.x() / length;
  place.placement(0, 0) = place.placement(0, 2) = place.placement(1, 1) = place.placement(1, 3) = 0.5;
  place.placement.topRows<2>() += left_of(arm) * place.placement.row(2);
  return place;
}

Eigen::Vector3d follower_velocity(const FollowerModel& follower,
                                  const Eigen::Matrix<double, kDofs<2>, Eigen::Dynamic>& placement,
                                  const Eigen::VectorXd& v) {
  Eigen::Vector3d result = placement.leftCols<2>() * v.segment<2>(2 * follower.nodes[0]);
  if (follower.is_edge()) result += placement.rightCols<2>() * v.segment<2>(2 * follower.nodes[1]);
  return result;
}

}  // namespace saltus
