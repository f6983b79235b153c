#include "saltus/sim/surface_followers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/sim/crossing_edges.hpp"

namespace saltus {

namespace {

constexpr double kPointSize = 1e-6;  // radius of a point, of the size of its smallest facet

template <int Dim>
SceneBody<Dim> make_follower(const SceneDeformable<Dim>& from, SurfacePart part, std::size_t number,
                             int system) {
  SceneBody<Dim> body;
  const char* what = part == SurfacePart::point ? "point" : "facet";
  body.name = fmt::format("{} {} {}", from.name.empty() ? "deformable" : from.name, what, number);
  body.part = part;
  body.group = from.group;
  body.mask = from.mask;
  body.where = SharedText(from.where);
  body.material = from.material;
  body.centre = Vec<Dim>::Zero().eval();
  body.fixed = true;
  body.follows = system;
  return body;
}

// Corners of a follower as shares of nodes, which become its degrees of freedom.
template <int Dim>
FollowerModel<Dim> share_nodes(const SolidMesh<Dim>& mesh, std::span<const SurfacePoint* const> corners) {
  FollowerModel<Dim> follower;
  std::vector<int> nodes;
  for (const SurfacePoint* corner : corners)
    for (const int node : corner->nodes)
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  follower.shares.setZero(static_cast<Eigen::Index>(corners.size()), static_cast<Eigen::Index>(nodes.size()));
  for (std::size_t c = 0; c < corners.size(); ++c) {
    Vec<Dim> place = Vec<Dim>::Zero();
    for (std::size_t i = 0; i < corners[c]->nodes.size(); ++i) {
      const int node = corners[c]->nodes[i];
      place += corners[c]->weights[i] * mesh.nodes[node];
      const auto column = std::find(nodes.begin(), nodes.end(), node) - nodes.begin();
      follower.shares(static_cast<Eigen::Index>(c), column) += corners[c]->weights[i];
    }
    follower.corners.push_back(place);
  }
  for (const int node : nodes)
    for (int i = 0; i < Dim; ++i) follower.dofs.push_back(Dim * node + i);
  return follower;
}

Shape<2> patch(std::span<const Vec<2>> corners, double depth) {
  return Polyline{{corners.begin(), corners.end()}, false, depth};
}
Shape<3> patch(std::span<const Vec<3>> corners, double depth) {
  return TriangleMesh{{corners.begin(), corners.end()}, {{0, 1, 2}}, depth};
}

// How far the element behind a facet reaches, m.
template <int Dim>
double height_behind(const SolidMesh<Dim>& mesh, const MeshSide& side, const FollowerPlace<Dim>& place) {
  const Vec<Dim> normal = facet_normal(place.corners);
  double height = 0;
  for (const int node : mesh.nodes_of(mesh.elements[side.element]))
    height = std::max(height, -normal.dot(mesh.nodes[node] - place.pose.position));
  return height;
}

// How the share of corner k in a point of a facet grows along the facet, 1/m.
Vec<2> share_slope(std::span<const Vec<2>> x, const Vec<2>&, int k) {
  const Vec<2> edge = x[1] - x[0];
  return (k == 0 ? -1.0 : 1.0) / edge.squaredNorm() * edge;
}
Vec<3> share_slope(std::span<const Vec<3>> x, const Vec<3>& normal, int k) {
  const double twice_area = (x[1] - x[0]).cross(x[2] - x[0]).norm();
  return normal.cross(x[(k + 2) % 3] - x[(k + 1) % 3]) / twice_area;
}

// Rows of w = rows . (velocity of a corner), from the slope of its share.
Eigen::Matrix<double, 1, 2> turn_rows(const Vec<2>& slope, const Vec<2>&) {
  return Vec<2>(-slope.y(), slope.x()).transpose();
}
// The plane turns with the gradient of normal velocities; within the plane half the curl is what turns.
Mat<3> turn_rows(const Vec<3>& slope, const Vec<3>& normal) {
  return slope.cross(normal) * normal.transpose() + 0.5 * normal * normal.cross(slope).transpose();
}

// The symmetric part, in the plane of the facet, of the gradient of velocities that a unit velocity of a corner in direction k makes.
template <int Dim>
Mat<Dim> stretch_of(const Vec<Dim>& slope, const Vec<Dim>& normal, int k) {
  const Vec<Dim> along = Vec<Dim>::Unit(k) - normal[k] * normal;
  return 0.5 * (along * slope.transpose() + slope * along.transpose());
}

}  // namespace

// Outside is on the left of a segment.
Vec<2> facet_normal(std::span<const Vec<2>> corners) {
  const Vec<2> edge = corners[1] - corners[0];
  return Vec<2>(-edge.y(), edge.x()).normalized();
}
Vec<3> facet_normal(std::span<const Vec<3>> corners) {
  return (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
}

template <int Dim>
void place_on_surface(const FollowerModel<Dim>& follower, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      double advance, FollowerPlace<Dim>& place) {
  const auto corners = static_cast<Eigen::Index>(follower.corners.size()), nodes = follower.shares.cols();
  place.corners.assign(follower.corners.begin(), follower.corners.end());
  for (Eigen::Index i = 0; i < nodes; ++i) {
    const int dof = follower.dofs[Dim * i];
    const Vec<Dim> d = q.segment<Dim>(dof) + advance * v.segment<Dim>(dof);
    for (Eigen::Index c = 0; c < corners; ++c)
      if (const double share = follower.shares(c, i); share != 0) place.corners[c] += share * d;
  }
  Vec<Dim> middle = Vec<Dim>::Zero();
  for (const Vec<Dim>& x : place.corners) middle += x / static_cast<double>(corners);
  place.pose = Pose<Dim>(middle);
  place.placement.setZero(kDofs<Dim>, Dim * nodes);
  place.stretch.setZero(Dim * Dim, corners == 1 ? 0 : Dim * nodes);
  if (corners == 1) {
    for (Eigen::Index i = 0; i < nodes; ++i)
      for (int k = 0; k < Dim; ++k) place.placement(k, Dim * i + k) = follower.shares(0, i);
    return;
  }
  for (Vec<Dim>& x : place.corners) x -= middle;
  const Vec<Dim> normal = facet_normal(std::span<const Vec<Dim>>(place.corners));
  for (int c = 0; c < Dim; ++c) {
    const Vec<Dim> slope = share_slope(std::span<const Vec<Dim>>(place.corners), normal, c);
    const auto turn = turn_rows(slope, normal);
    for (Eigen::Index i = 0; i < nodes; ++i) {
      const double share = follower.shares(c, i);
      if (share == 0) continue;
      for (int k = 0; k < Dim; ++k) {
        place.placement(k, Dim * i + k) += share / Dim;
        Eigen::Map<Mat<Dim>>(place.stretch.col(Dim * i + k).data()) += share * stretch_of(slope, normal, k);
      }
      place.placement.template block<kSpins<Dim>, Dim>(Dim, Dim * i) += share * turn;
    }
  }
}

template <int Dim>
Eigen::Matrix<double, kDofs<Dim>, 1> move_on_surface(const FollowerModel<Dim>& follower,
                                                     const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                     FollowerPlace<Dim>& place) {
  const auto corners = static_cast<int>(follower.corners.size());
  std::array<Vec<Dim>, Dim> speed;
  speed.fill(Vec<Dim>::Zero());
  place.corners.assign(follower.corners.begin(), follower.corners.end());
  for (Eigen::Index i = 0; i < follower.shares.cols(); ++i) {
    const int dof = follower.dofs[Dim * i];
    for (int c = 0; c < corners; ++c) {
      const double share = follower.shares(c, i);
      if (share == 0) continue;
      place.corners[c] += share * q.segment<Dim>(dof);
      speed[c] += share * v.segment<Dim>(dof);
    }
  }
  Eigen::Matrix<double, kDofs<Dim>, 1> motion = Eigen::Matrix<double, kDofs<Dim>, 1>::Zero();
  Vec<Dim> middle = Vec<Dim>::Zero();
  for (int c = 0; c < corners; ++c) {
    middle += place.corners[c] / static_cast<double>(corners);
    motion.template head<Dim>() += speed[c] / static_cast<double>(corners);
  }
  place.pose = Pose<Dim>(middle);
  if (corners == 1) return motion;
  for (Vec<Dim>& x : place.corners) x -= middle;
  const Vec<Dim> normal = facet_normal(std::span<const Vec<Dim>>(place.corners));
  for (int c = 0; c < Dim; ++c)
    motion.template tail<kSpins<Dim>>() +=
        turn_rows(share_slope(std::span<const Vec<Dim>>(place.corners), normal, c), normal) * speed[c];
  return motion;
}

template <int Dim>
SurfaceModel<Dim> add_surface(const SceneDeformable<Dim>& from, const Eigen::VectorXd& q, int system,
                              Scene<Dim>& scene, std::vector<FollowerModel<Dim>>& followers,
                              std::vector<std::pair<int, int>>& neighbours) {
  constexpr double kDepth = 0.5;  // of a patch, of the height of its element
  const SolidMesh<Dim>& mesh = *from.mesh;
  SurfaceModel<Dim> model;
  model.system = system;
  model.touches_itself = from.touches_itself;
  model.is_facets = from.points == ContactPoints::facets;
  model.surface = build_contact_surface(mesh, contact_sides(from), from.points, from.corners_touch);
  const ContactSurface<Dim>& surface = model.surface;
  model.points_of.resize(surface.facets.size());
  for (std::size_t i = 0; i < surface.facets_of.size(); ++i)
    for (const int facet : surface.facets_of[i]) model.points_of[facet].push_back(static_cast<int>(i));
  const double thickness = smallest_extent(mesh);
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(q.size());
  FollowerPlace<Dim> place;
  const auto add = [&](FollowerModel<Dim>&& follower, SceneBody<Dim>&& body) {
    follower.body = static_cast<int>(scene.bodies.size());
    follower.system = system;
    follower.thickness = thickness;
    body.pose = place.pose;
    followers.push_back(std::move(follower));
    scene.bodies.push_back(std::move(body));
  };

  std::vector<FollowerModel<Dim>> facets;
  std::vector<double> sizes, depths;
  for (const auto& facet : surface.facets) {
    std::array<const SurfacePoint*, Dim> corners;
    for (int k = 0; k < Dim; ++k) corners[k] = &surface.points[facet.corners[k]];
    facets.push_back(share_nodes<Dim>(mesh, corners));
    place_on_surface(facets.back(), still, still, 0, place);
    double size = 0;
    for (const Vec<Dim>& x : place.corners) size = std::max(size, x.norm());
    sizes.push_back(size);
    depths.push_back(kDepth * height_behind(mesh, facet.side, place));
  }

  model.first_point = static_cast<int>(followers.size());
  for (std::size_t i = 0; i < surface.touching.size(); ++i) {
    const std::array<const SurfacePoint*, 1> own = {&surface.points[surface.touching[i]]};
    FollowerModel<Dim> follower = share_nodes<Dim>(mesh, own);
    place_on_surface(follower, q, still, 0, place);
    double size = std::numeric_limits<double>::infinity();
    for (const int facet : surface.facets_of[i]) size = std::min(size, sizes[facet]);
    SceneBody<Dim> body = make_follower(from, SurfacePart::point, i, system);
    body.shape = Ball<Dim>{kPointSize * size};
    add(std::move(follower), std::move(body));
  }
  model.first_facet = static_cast<int>(followers.size());
  for (std::size_t f = 0; f < facets.size(); ++f) {
    place_on_surface(facets[f], q, still, 0, place);
    SceneBody<Dim> body = make_follower(from, SurfacePart::facet, f, system);
    body.shape = patch(std::span<const Vec<Dim>>(place.corners), depths[f]);
    add(std::move(facets[f]), std::move(body));
  }
  if constexpr (Dim == 3) model.edges = find_sharp_edges(surface, mesh, depths);
  for (std::size_t i = 0; i < surface.touching.size(); ++i)
    for (const int facet : surface.facets_of[i])
      neighbours.emplace_back(followers[model.first_point + i].body,
                              followers[model.first_facet + facet].body);
  return model;
}

template <int Dim>
int add_surface_point(const SceneDeformable<Dim>& from, const SurfacePoint& point, const std::string& name,
                      const Eigen::VectorXd& q, int system, Scene<Dim>& scene,
                      std::vector<FollowerModel<Dim>>& followers) {
  const std::array<const SurfacePoint*, 1> own = {&point};
  FollowerModel<Dim> follower = share_nodes<Dim>(*from.mesh, own);
  FollowerPlace<Dim> place;
  place_on_surface(follower, q, Eigen::VectorXd(Eigen::VectorXd::Zero(q.size())), 0, place);
  follower.body = static_cast<int>(scene.bodies.size());
  follower.system = system;
  follower.thickness = smallest_extent(*from.mesh);
  SceneBody<Dim> body = make_follower(from, SurfacePart::point, 0, system);
  body.name = name;
  body.shape = Ball<Dim>{kPointSize * follower.thickness};
  body.pose = place.pose;
  body.group = body.mask = 0;
  followers.push_back(std::move(follower));
  scene.bodies.push_back(std::move(body));
  return followers.back().body;
}

template <int Dim>
double smallest_extent(const SolidMesh<Dim>& mesh) {
  Vec<Dim> low = mesh.nodes[0], high = low;
  for (const Vec<Dim>& x : mesh.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  return (high - low).minCoeff();
}

template int add_surface_point<2>(const SceneDeformable<2>&, const SurfacePoint&, const std::string&,
                                  const Eigen::VectorXd&, int, Scene<2>&, std::vector<FollowerModel<2>>&);
template int add_surface_point<3>(const SceneDeformable<3>&, const SurfacePoint&, const std::string&,
                                  const Eigen::VectorXd&, int, Scene<3>&, std::vector<FollowerModel<3>>&);
template double smallest_extent<2>(const SolidMesh<2>&);
template double smallest_extent<3>(const SolidMesh<3>&);
template SurfaceModel<2> add_surface<2>(const SceneDeformable<2>&, const Eigen::VectorXd&, int, Scene<2>&,
                                        std::vector<FollowerModel<2>>&, std::vector<std::pair<int, int>>&);
template SurfaceModel<3> add_surface<3>(const SceneDeformable<3>&, const Eigen::VectorXd&, int, Scene<3>&,
                                        std::vector<FollowerModel<3>>&, std::vector<std::pair<int, int>>&);
template Eigen::Matrix<double, 3, 1> move_on_surface<2>(const FollowerModel<2>&, const Eigen::VectorXd&,
                                                        const Eigen::VectorXd&, FollowerPlace<2>&);
template Eigen::Matrix<double, 6, 1> move_on_surface<3>(const FollowerModel<3>&, const Eigen::VectorXd&,
                                                        const Eigen::VectorXd&, FollowerPlace<3>&);
template void place_on_surface<2>(const FollowerModel<2>&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                                  double, FollowerPlace<2>&);
template void place_on_surface<3>(const FollowerModel<3>&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                                  double, FollowerPlace<3>&);

}  // namespace saltus
