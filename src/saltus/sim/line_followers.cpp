#include "saltus/sim/line_followers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace saltus {

namespace {

Pose<2> node_pose(const Vec<2>& position, const Spin<2>& turn, const Spin<2>& more) {
  return Pose<2>(position, turn[0] + more[0]);
}
Pose<3> node_pose(const Vec<3>& position, const Spin<3>& turn, const Spin<3>& more) {
  return Pose<3>(position, exponential_map(more) * exponential_map(turn));
}

// The x axis lies along the line.
Pose<2> line_pose(const Vec<2>& middle, const Vec<2>& along) {
  return Pose<2>(middle, std::atan2(along.y(), along.x()));
}
// By the shortest turn, (1 + c, x cross along) of unit vectors; half a turn where it points back.
Pose<3> line_pose(const Vec<3>& middle, const Vec<3>& along) {
  const Vec<3> unit = along.normalized();
  const double c = unit.x();
  if (c < -1 + 1e-14) return Pose<3>(middle, Eigen::Quaterniond(0, 0, 0, 1));
  return Pose<3>(middle, Eigen::Quaterniond(1 + c, 0, -unit.z(), unit.y()).normalized());
}

// w = rows (v_end - v_start).
Eigen::Matrix<double, 1, 2> turn_rows(const Vec<2>& along) {
  return quarter_turn(along).transpose() / along.squaredNorm();
}
Mat<3> turn_rows(const Vec<3>& along) {
  Mat<3> cross;
  cross << 0, -along.z(), along.y(), along.z(), 0, -along.x(), -along.y(), along.x(), 0;
  return cross / along.squaredNorm();
}

template <int Dim>
void place_node(const LineFollower<Dim>& line, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                double advance, FollowerPlace<Dim>& place) {
  const Vec<Dim> position = line.start + q.segment<Dim>(line.first) + advance * v.segment<Dim>(line.first);
  if (line.turns)
    place.pose = node_pose(position, Spin<Dim>(q.segment<kSpins<Dim>>(line.first + Dim)),
                           Spin<Dim>(advance * v.segment<kSpins<Dim>>(line.first + Dim)));
  else
    place.pose = Pose<Dim>(position);
  const int size = line.turns ? kDofs<Dim> : Dim;
  place.placement.setZero(kDofs<Dim>, size);
  place.placement.topLeftCorner(size, size).setIdentity();
}

}  // namespace

template <int Dim>
void place_on_line(const LineFollower<Dim>& line, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   double advance, FollowerPlace<Dim>& place) {
  place.corners.clear();
  if (line.is_node) return place_node(line, q, v, advance, place);
  const Vec<Dim> start = line.start + q.segment<Dim>(line.first) + advance * v.segment<Dim>(line.first);
  const Vec<Dim> end = line.end + q.segment<Dim>(line.second) + advance * v.segment<Dim>(line.second);
  const Vec<Dim> along = end - start;
  place.pose = line_pose(Vec<Dim>(0.5 * (start + end)), along);
  const bool twists = Dim == 3 && line.turns;
  const int size = twists ? kDofs<Dim> : Dim;
  place.placement.setZero(kDofs<Dim>, 2 * size);
  const auto turn = turn_rows(along);
  for (int k = 0; k < 2; ++k) {
    auto own = place.placement.middleCols(k * size, size);
    own.template topLeftCorner<Dim, Dim>() = 0.5 * Mat<Dim>::Identity();
    own.template block<kSpins<Dim>, Dim>(Dim, 0) = (k == 0 ? -1.0 : 1.0) * turn;
    if constexpr (Dim == 3)
      if (twists) own.template block<3, 3>(3, 3) = 0.5 / along.squaredNorm() * along * along.transpose();
  }
}

template <int Dim>
void add_line(const SceneBeam<Dim>& from, const Eigen::VectorXd& q, int system, Scene<Dim>& scene,
              std::vector<FollowerModel<Dim>>& followers, std::vector<std::pair<int, int>>& neighbours) {
  using Contact = typename SceneBeam<Dim>::Contact;
  const LineMesh<Dim>& mesh = *from.mesh;
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(q.size());
  const std::string owner = from.name.empty() ? "beam" : from.name;
  const int stride = from.stride();
  std::vector<double> radius(mesh.nodes.size(), 0);
  const auto radius_of = [&](const typename LineMesh<Dim>::Element& element) {
    if (from.radius) return *from.radius;
    const auto& all = from.sections;
    const auto own = std::find_if(all.begin(), all.end(), [&](const auto& s) {
      return s.group == mesh.groups[element.group] && !s.group.empty();
    });
    const auto rest = std::find_if(all.begin(), all.end(), [](const auto& s) { return s.group.empty(); });
    return (own != all.end() ? own : rest)->section.radius;
  };
  for (const auto& element : mesh.elements)
    for (const int node : element.nodes) radius[node] = std::max(radius[node], radius_of(element));

  const auto add = [&](LineFollower<Dim> line, std::vector<int> dofs, std::string name, Shape<Dim> shape,
                       bool touches) {
    FollowerModel<Dim> follower;
    follower.body = static_cast<int>(scene.bodies.size());
    follower.system = system;
    follower.dofs = std::move(dofs);
    follower.line = std::make_shared<const LineFollower<Dim>>(line);
    FollowerPlace<Dim> place;
    place_on_line(line, q, still, 0, place);
    SceneBody<Dim> body;
    body.name = std::move(name);
    body.where = SharedText(from.where);
    body.material = from.material;
    body.centre = Vec<Dim>::Zero().eval();
    body.fixed = true;
    body.follows = system;
    body.turns = line.is_node && line.turns;
    body.shape = std::move(shape);
    body.pose = place.pose;
    body.group = touches ? from.group : 0;
    body.mask = touches ? from.mask : 0;
    followers.push_back(std::move(follower));
    scene.bodies.push_back(std::move(body));
  };
  const auto coordinates = [&](std::initializer_list<int> nodes, int count) {
    std::vector<int> dofs;
    for (const int node : nodes)
      for (int i = 0; i < count; ++i) dofs.push_back(stride * node + i);
    return dofs;
  };

  std::map<int, std::string> names;
  for (const auto& group : mesh.node_groups)
    if (group.nodes.size() == 1) names.emplace(group.nodes[0], group.name);
  const bool turns = from.kind == LineKind::beam;
  for (int i = 0; i < static_cast<int>(mesh.nodes.size()); ++i) {
    const auto named = names.find(i);
    const std::string own = named != names.end() ? named->second : fmt::format("node {}", i);
    add({mesh.nodes[i], mesh.nodes[i], stride * i, stride * i, true, turns}, coordinates({i}, stride),
        owner + " " + own, Ball<Dim>{radius[i]}, from.contact == Contact::nodes);
  }
  std::vector<std::vector<int>> at(mesh.nodes.size());  // bodies of elements at each node
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto& [nodes, group] = mesh.elements[e];
    const double half = 0.5 * (mesh.nodes[nodes[1]] - mesh.nodes[nodes[0]]).norm();
    const int body = static_cast<int>(scene.bodies.size());
    for (const int node : nodes) {
      for (const int other : at[node]) neighbours.emplace_back(other, body);
      at[node].push_back(body);
    }
    add({mesh.nodes[nodes[0]], mesh.nodes[nodes[1]], stride * nodes[0], stride * nodes[1], false, turns},
        coordinates({nodes[0], nodes[1]}, Dim == 3 ? stride : Dim), fmt::format("{} element {}", owner, e),
        Capsule<Dim>{-half * Vec<Dim>::UnitX(), half * Vec<Dim>::UnitX(), radius_of(mesh.elements[e])},
        from.contact == Contact::length);
  }
}

template <int Dim>
std::vector<int> elements_at_node(const Scene<Dim>& scene, const std::vector<FollowerModel<Dim>>& followers,
                                  int follower) {
  std::vector<int> found;
  if (follower < 0 || !followers[follower].line || !followers[follower].line->is_node) return found;
  const Vec<Dim> node = followers[follower].line->start;
  const auto* ball = std::get_if<Ball<Dim>>(&scene.bodies[followers[follower].body].shape);
  const double near = ball ? 2 * ball->radius : 0.0;
  for (const FollowerModel<Dim>& other : followers)
    if (other.line && !other.line->is_node && other.system == followers[follower].system &&
        std::min((other.line->start - node).norm(), (other.line->end - node).norm()) <= near)
      found.push_back(other.body);
  return found;
}

template std::vector<int> elements_at_node<2>(const Scene<2>&, const std::vector<FollowerModel<2>>&, int);
template std::vector<int> elements_at_node<3>(const Scene<3>&, const std::vector<FollowerModel<3>>&, int);
template void add_line<2>(const SceneBeam<2>&, const Eigen::VectorXd&, int, Scene<2>&,
                          std::vector<FollowerModel<2>>&, std::vector<std::pair<int, int>>&);
template void add_line<3>(const SceneBeam<3>&, const Eigen::VectorXd&, int, Scene<3>&,
                          std::vector<FollowerModel<3>>&, std::vector<std::pair<int, int>>&);
template void place_on_line<2>(const LineFollower<2>&, const Eigen::VectorXd&, const Eigen::VectorXd&, double,
                               FollowerPlace<2>&);
template void place_on_line<3>(const LineFollower<3>&, const Eigen::VectorXd&, const Eigen::VectorXd&, double,
                               FollowerPlace<3>&);

}  // namespace saltus
