#include "saltus/measure/contact_network.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "saltus/measure/measure_stress.hpp"

namespace saltus {

namespace {

// Sets of nodes, each node with its place (in cells of one periodic direction) relative to the root.
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t nodes) : parent_(nodes), offset_(nodes, 0) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int node) {
    int top = node, cells = 0;
    while (parent_[at(top)] != top) cells += offset_[at(top)], top = parent_[at(top)];
    while (parent_[at(node)] != node) {
      const int next = parent_[at(node)], step = offset_[at(node)];
      parent_[at(node)] = top, offset_[at(node)] = cells;
      cells -= step, node = next;
    }
    return top;
  }
  int cell(int node) {  // after root(node)
    return parent_[at(node)] == node ? 0 : offset_[at(node)];
  }
  // b lies `images` cells from a. True when they were joined already, another number of cells apart.
  bool join(int a, int b, int images) {
    const int ra = root(a), rb = root(b), ca = cell(a), cb = cell(b);
    if (ra == rb) return cb - ca != images;
    parent_[at(rb)] = ra, offset_[at(rb)] = ca + images - cb;
    return false;
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  std::vector<int> parent_, offset_;
};

// Of a symmetric tensor, of length 1: a column of the adjugate of T - s I, which has no other image.
Vec<2> principal_direction(const Mat<2>& t, double) {
  const double angle = 0.5 * std::atan2(t(0, 1) + t(1, 0), t(0, 0) - t(1, 1));
  return {std::cos(angle), std::sin(angle)};
}
Vec<3> principal_direction(const Mat<3>& t, double value) {
  const Mat<3> rest = 0.5 * (t + t.transpose()) - value * Mat<3>::Identity();
  Vec<3> best = Vec<3>::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec<3> normal = rest.col(i).cross(rest.col((i + 1) % 3));
    if (normal.squaredNorm() > best.squaredNorm()) best = normal;
  }
  if (!(best.norm() > 0)) {  // two equal values: any direction across the third
    int largest = 0;
    rest.colwise().squaredNorm().maxCoeff(&largest);
    const Vec<3> axis = rest.col(largest);
    int least = 0;
    axis.cwiseAbs().minCoeff(&least);
    best = axis.norm() > 0 ? Vec<3>(axis.cross(Vec<3>::Unit(least))) : Vec<3>::UnitX();
  }
  return best.normalized();
}

struct Link {
  double force;
  int a, b, images;
};

// Edges, and grains that reach the sides of a box along an axis. In a periodic direction grains are where their image nearest
// to the middle of the box is. An edge to another image, on the far side of the cell, joins its grain to the side of the box
// that this image reaches, and not the two grains.
template <int Dim>
std::vector<Link> find_box_links(const Snapshot<Dim>& snapshot, const ContactNetwork<Dim>& network, int axis,
                                 const Bounds<Dim>& box) {
  const double period = snapshot.period[axis], middle = 0.5 * (box.low[axis] + box.high[axis]);
  const int bodies = static_cast<int>(snapshot.bodies.size()), low = bodies, high = bodies + 1;
  std::vector<Link> links;
  const auto body = [&](int i) -> const SnapshotBody<Dim>& {
    return snapshot.bodies[static_cast<std::size_t>(i)];
  };
  const auto cell = [&](int i) {
    return period > 0 ? -static_cast<int>(std::lround((body(i).pose.position[axis] - middle) / period)) : 0;
  };
  const auto join_sides = [&](int grain, int image_of, int image, double force) {
    const Bounds<Dim> bounds = compute_bounds<Dim>(*body(image_of).shape, body(image_of).pose);
    const double move = image * period;
    if (bounds.low[axis] + move <= box.low[axis]) links.push_back({force, grain, low, 0});
    if (bounds.high[axis] + move >= box.high[axis]) links.push_back({force, grain, high, 0});
  };
  for (const auto& edge : network.edges) {
    const int b_seen = cell(edge.a) + edge.images[axis], a_seen = cell(edge.b) - edge.images[axis];
    if (b_seen == cell(edge.b)) {
      links.push_back({edge.force, edge.a, edge.b, 0});
      continue;
    }
    join_sides(edge.a, edge.b, b_seen, edge.force);
    join_sides(edge.b, edge.a, a_seen, edge.force);
  }
  for (int i = 0; i < bodies; ++i)
    if (body(i).is_grain) join_sides(i, i, cell(i), 1e300);
  return links;
}

}  // namespace

template <int Dim>
ContactNetwork<Dim> build_network(const Snapshot<Dim>& snapshot) {
  std::map<std::pair<int, int>, NetworkEdge<Dim>> grains;
  ContactNetwork<Dim> network;
  for (const SnapshotContact<Dim>& c : snapshot.contacts) {
    const bool is_grain_a = snapshot.bodies[static_cast<std::size_t>(c.a)].is_grain,
               is_grain_b = snapshot.bodies[static_cast<std::size_t>(c.b)].is_grain;
    if (!is_grain_a && !is_grain_b) continue;
    const bool turned = is_grain_a && is_grain_b ? c.b < c.a : !is_grain_a;
    NetworkEdge<Dim> edge;
    edge.a = turned ? c.b : c.a, edge.b = turned ? c.a : c.b;
    edge.force = c.force[0];
    edge.branch = snapshot.arm(edge.a, c.point);
    if (!is_grain_a || !is_grain_b) {
      network.walls.push_back(edge);
      continue;
    }
    edge.branch -= snapshot.arm(edge.b, c.point);
    const Vec<Dim> apart = snapshot.bodies[static_cast<std::size_t>(edge.b)].pose.position -
                           snapshot.bodies[static_cast<std::size_t>(edge.a)].pose.position;
    for (int i = 0; i < Dim; ++i)
      if (snapshot.period[i] > 0)
        edge.images[i] = static_cast<int>(std::lround((edge.branch[i] - apart[i]) / snapshot.period[i]));
    const auto [found, is_new] = grains.try_emplace({edge.a, edge.b}, edge);
    if (!is_new) found->second.force += edge.force;
  }
  for (const auto& [pair, edge] : grains) {
    network.edges.push_back(edge);
    network.mean_force += edge.force / static_cast<double>(grains.size());
  }
  return network;
}

template <int Dim>
Topology<Dim> compute_topology(const ContactNetwork<Dim>& network, std::size_t bodies) {
  JoinedSets sets(bodies);
  std::vector<std::vector<int>> later(bodies);  // neighbours of a higher number, ascending
  for (const auto& edge : network.edges) {
    sets.join(edge.a, edge.b, 0);
    later[static_cast<std::size_t>(edge.a)].push_back(edge.b);
  }
  std::vector<bool> touched(bodies, false);
  for (const auto& edge : network.edges)
    touched[static_cast<std::size_t>(edge.a)] = touched[static_cast<std::size_t>(edge.b)] = true;
  Topology<Dim> topology;
  std::vector<int> members(bodies, 0);
  for (std::size_t i = 0; i < bodies; ++i) {
    if (!touched[i]) continue;
    ++topology.joined;
    int& count = members[static_cast<std::size_t>(sets.root(static_cast<int>(i)))];
    topology.components += ++count == 1;
    topology.largest = std::max(topology.largest, count);
  }
  topology.loops = static_cast<int>(network.edges.size()) - topology.joined + topology.components;
  std::vector<int> common;
  for (const auto& edge : network.edges) {
    const auto &a = later[static_cast<std::size_t>(edge.a)], &b = later[static_cast<std::size_t>(edge.b)];
    common.clear();
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    topology.triangles += static_cast<int>(common.size());
  }
  return topology;
}

template <int Dim>
std::vector<int> find_chains(const Snapshot<Dim>& snapshot, const ContactNetwork<Dim>& network,
                             double angle) {
  const std::vector<Mat<Dim>> moments = compute_moments<Dim>(snapshot);
  std::vector<double> major(snapshot.bodies.size(), 0);
  std::vector<Vec<Dim>> direction(snapshot.bodies.size());
  double mean = 0, grains = 0;
  for (std::size_t i = 0; i < major.size(); ++i) {
    if (!snapshot.bodies[i].is_grain) continue;
    const Mat<Dim> stress = moments[i] / snapshot.bodies[i].volume;
    major[i] = principal_values<Dim>(stress)[0];
    direction[i] = principal_direction(stress, major[i]);
    mean += major[i], ++grains;
  }
  mean /= std::max(grains, 1.0);
  JoinedSets sets(major.size());
  const double least = std::cos(angle);
  for (const auto& edge : network.edges) {
    const auto a = static_cast<std::size_t>(edge.a), b = static_cast<std::size_t>(edge.b);
    const double length = edge.branch.norm();
    const auto follows = [&](std::size_t i) {
      return major[i] > mean && std::abs(direction[i].dot(edge.branch)) >= least * length;
    };
    if (follows(a) && follows(b)) sets.join(edge.a, edge.b, 0);
  }
  std::vector<int> members(major.size(), 0), chains;
  for (std::size_t i = 0; i < major.size(); ++i)
    ++members[static_cast<std::size_t>(sets.root(static_cast<int>(i)))];
  for (const int count : members)
    if (count >= 3) chains.push_back(count);
  return chains;
}

template <int Dim>
std::optional<double> compute_percolation(const Snapshot<Dim>& snapshot, const ContactNetwork<Dim>& network,
                                          int axis, const Bounds<Dim>* box) {
  const int bodies = static_cast<int>(snapshot.bodies.size()), low = bodies, high = bodies + 1;
  const bool periodic = snapshot.period[axis] > 0;
  std::vector<Link> links;
  if (box)
    links = find_box_links<Dim>(snapshot, network, axis, *box);
  else
    for (const auto& edge : network.edges) links.push_back({edge.force, edge.a, edge.b, edge.images[axis]});
  if (!periodic)
    for (const auto& edge : network.walls)
      if (std::abs(edge.branch[axis]) > std::sqrt(0.5) * edge.branch.norm())
        links.push_back({edge.force, edge.a, edge.branch[axis] < 0 ? low : high, 0});
  std::stable_sort(links.begin(), links.end(),
                   [](const Link& a, const Link& b) { return a.force > b.force; });
  JoinedSets sets(static_cast<std::size_t>(bodies) + 2);
  for (const Link& link : links) {
    const bool around = sets.join(link.a, link.b, link.images);
    if ((periodic && !box && around) || (!(periodic && !box) && sets.root(low) == sets.root(high)))
      return network.mean_force > 0 ? std::optional(link.force / network.mean_force) : std::nullopt;
  }
  return std::nullopt;
}

template struct ContactNetwork<2>;
template struct ContactNetwork<3>;
template ContactNetwork<2> build_network<2>(const Snapshot<2>&);
template ContactNetwork<3> build_network<3>(const Snapshot<3>&);
template Topology<2> compute_topology<2>(const ContactNetwork<2>&, std::size_t);
template Topology<3> compute_topology<3>(const ContactNetwork<3>&, std::size_t);
template std::vector<int> find_chains<2>(const Snapshot<2>&, const ContactNetwork<2>&, double);
template std::vector<int> find_chains<3>(const Snapshot<3>&, const ContactNetwork<3>&, double);
template std::optional<double> compute_percolation<2>(const Snapshot<2>&, const ContactNetwork<2>&, int,
                                                      const Bounds<2>*);
template std::optional<double> compute_percolation<3>(const Snapshot<3>&, const ContactNetwork<3>&, int,
                                                      const Bounds<3>*);

}  // namespace saltus
