#include "saltus/sim/followers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "saltus/base/input_error.hpp"

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
                   std::vector<FollowerModel<2>>& followers) {
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
    FollowerModel<2> follower{
        static_cast<int>(scene.bodies.size()), system, {2 * node, 2 * node + 1}, thickness};
    follower.nodes[0] = node;
    follower.reference[0] = body.mesh().nodes[node];
    point.pose = place_follower<2>(follower, body.coordinates(), body.velocity(), 0).pose;
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
    FollowerModel<2> follower{static_cast<int>(scene.bodies.size()),
                              system,
                              {2 * first, 2 * first + 1, 2 * second, 2 * second + 1},
                              thickness};
    follower.nodes[0] = first, follower.nodes[1] = second;
    follower.inset = radius;
    follower.middle = 0.5 * (cut_start - cut_end);
    follower.reference[0] = body.mesh().nodes[first];
    follower.reference[1] = body.mesh().nodes[second];
    edge.pose = place_follower<2>(follower, body.coordinates(), body.velocity(), 0).pose;
    followers.push_back(follower);
    scene.bodies.push_back(std::move(edge));
  }
}

void find_neighbours(std::span<const FollowerModel<2>> followers,
                     std::vector<std::pair<int, int>>& neighbours) {
  std::unordered_map<int, int> body_of;  // of each node
  for (const FollowerModel<2>& follower : followers)
    if (!follower.is_edge()) body_of.emplace(follower.nodes[0], follower.body);
  for (const FollowerModel<2>& follower : followers)
    if (follower.is_edge())
      for (const int node : follower.nodes) neighbours.emplace_back(body_of.at(node), follower.body);
  // In the order in which the detector keeps them: each is put at the end.
  std::sort(neighbours.begin(), neighbours.end());
}

namespace {

void place_node_or_edge(const FollowerModel<2>& follower, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        double advance, FollowerPlace<2>& place) {
  const auto at = [&](int end) {
    const Eigen::Index dof = 2 * follower.nodes[end];
    return Vec<2>(follower.reference[end] + q.segment<2>(dof) + advance * v.segment<2>(dof));
  };
  if (!follower.is_edge()) {
    place.pose = Pose<2>(at(0));
    place.placement.setZero(3, 2);
    place.placement(0, 0) = place.placement(1, 1) = 1;
    return;
  }
  // Turns with the edge, and moves with its middle: the distance along a normal is that of linear interpolation.
  const Vec<2> first = at(0), second = at(1), along = (second - first).normalized();
  const double length = (second - first).norm();
  const Vec<2> arm = follower.inset * left_of(along) + follower.middle * along;
  place.pose = Pose<2>(0.5 * (first + second) + arm, std::atan2(along.y(), along.x()));
  Eigen::Matrix<double, 3, 4> placement = Eigen::Matrix<double, 3, 4>::Zero();  // no memory of the heap
  placement.row(2) << along.y() / length, -along.x() / length, -along.y() / length, along.x() / length;
  placement(0, 0) = placement(0, 2) = placement(1, 1) = placement(1, 3) = 0.5;
  placement.topRows<2>() += left_of(arm) * placement.row(2);
  place.placement = placement;
}

Pose<2> pose_of(const Vec<2>& position, const Spin<2>& turn) { return Pose<2>(position, turn[0]); }
Pose<3> pose_of(const Vec<3>& position, const Spin<3>& turn) {
  return Pose<3>(position, exponential_map(turn));
}

// w = rate_of_turn(turn) d(turn)/dt.
Mat<1> rate_of_turn(const Spin<2>&) { return Mat<1>::Identity(); }
Mat<3> rate_of_turn(const Spin<3>& turn) {
  const double a = turn.norm();
  Mat<3> cross;
  cross << 0, -turn.z(), turn.y(), turn.z(), 0, -turn.x(), -turn.y(), turn.x(), 0;
  constexpr double kSmall = 1e-4;  // below, the next term of the series is of the size of round-off
  const double first = a < kSmall ? 0.5 - a * a / 24 : (1 - std::cos(a)) / (a * a);
  const double second = a < kSmall ? 1.0 / 6 - a * a / 120 : (a - std::sin(a)) / (a * a * a);
  return Mat<3>::Identity() + first * cross + second * cross * cross;
}

// Value of a function, and its derivatives added to a row over `dofs`, which hold its own.
template <class Row>
double evaluate_into(const CoordinateFunction& f, const Eigen::VectorXd& q, const std::vector<int>& dofs,
                     Eigen::VectorXd& gradient, Row&& row) {
  gradient.resize(static_cast<Eigen::Index>(f.dofs().size()));
  double rate = 0;
  const double value = f.evaluate(q, 0, gradient, rate);
  for (std::size_t i = 0, k = 0; i < f.dofs().size(); ++i) {
    while (dofs[k] != f.dofs()[i]) ++k;
    row[static_cast<Eigen::Index>(k)] = gradient[static_cast<Eigen::Index>(i)];
  }
  return value;
}

template <int Dim>
void place_point(const FollowerModel<Dim>& follower, const Eigen::VectorXd& q, Eigen::VectorXd& gradient,
                 FollowerPlace<Dim>& place) {
  place.placement.setZero(kDofs<Dim>, static_cast<Eigen::Index>(follower.dofs.size()));
  Vec<Dim> position;
  Spin<Dim> turn = Spin<Dim>::Zero();
  for (int i = 0; i < Dim; ++i)
    position[i] =
        evaluate_into(*follower.point->position[i], q, follower.dofs, gradient, place.placement.row(i));
  for (int i = 0; i < kSpins<Dim>; ++i)
    if (const auto& f = follower.point->turn[i])
      turn[i] = evaluate_into(*f, q, follower.dofs, gradient, place.placement.row(Dim + i));
  const Mat<kSpins<Dim>> rate = rate_of_turn(turn);
  for (Eigen::Index k = 0; k < place.placement.cols(); ++k) {
    const Spin<Dim> column = place.placement.col(k).template tail<kSpins<Dim>>();
    place.placement.col(k).template tail<kSpins<Dim>>() = rate * column;
  }
  place.pose = pose_of(position, turn);
}

// Of a point, at the start: finite, and without time of its own (a body that is driven is there for that).
void check_place(const CoordinateFunction& f, const SceneFormula& formula, const Eigen::VectorXd& q) {
  Eigen::VectorXd gradient(static_cast<Eigen::Index>(f.dofs().size()));
  double rate = 0;
  const double value = f.evaluate(q, 0, gradient, rate);
  if (!std::isfinite(value) || !gradient.allFinite())
    throw InputError(formula.where, "the place of a point, \"" + formula.text + "\"",
                     fmt::format("{}", value), "a finite value with finite derivatives at the start");
  if (f.has_time())
    throw InputError(formula.where, "the place of a point depends on t", '"' + formula.text + '"',
                     "a formula of the coordinates; a coordinate with a moving constraint may follow t");
}

}  // namespace

template <int Dim>
void add_points(const SceneLagrangianSystem<Dim>& from, const System& made, int system, Scene<Dim>& scene,
                std::vector<FollowerModel<Dim>>& followers) {
  for (std::size_t i = 0; i < from.points.size(); ++i) {
    const SceneSystemPoint<Dim>& point = from.points[i];
    auto functions = std::make_shared<PointFunctions<Dim>>();
    FollowerModel<Dim> follower;
    const auto build = [&](const SceneFormula& formula) {
      auto f = build_function(formula, from.names);
      check_place(*f, formula, made.coordinates());
      follower.dofs.insert(follower.dofs.end(), f->dofs().begin(), f->dofs().end());
      return f;
    };
    for (int k = 0; k < Dim; ++k) functions->position[k] = build(point.position[k]);
    for (int k = 0; k < kSpins<Dim>; ++k)
      if (!point.turn[k].text.empty() || point.turn[k].function) functions->turn[k] = build(point.turn[k]);
    std::sort(follower.dofs.begin(), follower.dofs.end());
    follower.dofs.erase(std::unique(follower.dofs.begin(), follower.dofs.end()), follower.dofs.end());
    follower.point = std::move(functions);
    follower.body = static_cast<int>(scene.bodies.size());
    follower.system = system;
    SceneBody<Dim> body;
    body.name = !point.name.empty() ? point.name
                                    : fmt::format("{} point {}", from.name.empty() ? "system" : from.name, i);
    body.where = SharedText(point.where);
    body.material = point.material;
    body.shape = point.shape;
    body.centre = Vec<Dim>::Zero().eval();  // its frame is that of the point
    body.fixed = true;
    body.follows = system;
    body.group = point.group;
    body.mask = point.mask;
    body.pose = place_follower<Dim>(follower, made.coordinates(), made.velocity(), 0).pose;
    followers.push_back(std::move(follower));
    scene.bodies.push_back(std::move(body));
  }
}

template <int Dim>
void place_follower(const FollowerModel<Dim>& follower, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    double advance, FollowerScratch& scratch, FollowerPlace<Dim>& place) {
  if (follower.point) {
    scratch.q = q;
    if (advance != 0) scratch.q += advance * v;
    place_point<Dim>(follower, scratch.q, scratch.gradient, place);
  } else if constexpr (Dim == 2) {
    place_node_or_edge(follower, q, v, advance, place);
  }
}

template <int Dim>
Eigen::Matrix<double, kDofs<Dim>, 1> follower_velocity(
    const FollowerModel<Dim>& follower, const Eigen::Matrix<double, kDofs<Dim>, Eigen::Dynamic>& placement,
    const Eigen::VectorXd& v) {
  Eigen::Matrix<double, kDofs<Dim>, 1> result = Eigen::Matrix<double, kDofs<Dim>, 1>::Zero();
  for (std::size_t i = 0; i < follower.dofs.size(); ++i)
    result += placement.col(static_cast<Eigen::Index>(i)) * v[follower.dofs[i]];
  return result;
}

template void add_points<2>(const SceneLagrangianSystem<2>&, const System&, int, Scene<2>&,
                            std::vector<FollowerModel<2>>&);
template void add_points<3>(const SceneLagrangianSystem<3>&, const System&, int, Scene<3>&,
                            std::vector<FollowerModel<3>>&);
template void place_follower<2>(const FollowerModel<2>&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                                double, FollowerScratch&, FollowerPlace<2>&);
template void place_follower<3>(const FollowerModel<3>&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                                double, FollowerScratch&, FollowerPlace<3>&);
template Eigen::Matrix<double, 3, 1> follower_velocity<2>(const FollowerModel<2>&,
                                                          const Eigen::Matrix<double, 3, Eigen::Dynamic>&,
                                                          const Eigen::VectorXd&);
template Eigen::Matrix<double, 6, 1> follower_velocity<3>(const FollowerModel<3>&,
                                                          const Eigen::Matrix<double, 6, Eigen::Dynamic>&,
                                                          const Eigen::VectorXd&);

}  // namespace saltus
