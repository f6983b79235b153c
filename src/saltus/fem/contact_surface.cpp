#include "saltus/fem/contact_surface.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

namespace saltus {

namespace {

template <int Dim>
class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(const SolidMesh<Dim>& mesh) : mesh_(mesh), point_of_(mesh.nodes.size(), -1) {}

  void add(const MeshSide& side) {
    const auto& element = mesh_.elements[side.element];
    std::vector<int> own;
    for (const int local : face_nodes(element.kind, side.face))
      own.push_back(point_at(mesh_.nodes_of(element)[local]));
    side_ = side;
    cut(own, face_corner_count(element.kind));
  }

  ContactSurface<Dim> finish(ContactPoints touching, bool corners) {
    const bool by_nodes = touching == ContactPoints::nodes || touching == ContactPoints::facets;
    if (!by_nodes) add_inner(touching);
    if (by_nodes || corners) add_nodes(by_nodes, corners);
    return std::move(surface_);
  }

 private:
  using Place = Eigen::Matrix<double, Dim, 1>;

  int point_at(int node) {
    if (point_of_[node] < 0) {
      point_of_[node] = static_cast<int>(surface_.points.size());
      surface_.points.push_back({{node}, {1.0}});
    }
    return point_of_[node];
  }

  // A point between others, of which each is a node.
  int point_between(const std::vector<int>& own, const std::vector<double>& weights) {
    SurfacePoint point;
    for (std::size_t i = 0; i < own.size(); ++i) {
      point.nodes.push_back(surface_.points[own[i]].nodes[0]);
      point.weights.push_back(weights[i]);
    }
    surface_.points.push_back(std::move(point));
    return static_cast<int>(surface_.points.size()) - 1;
  }

  void facet(const std::array<int, Dim>& corners) { surface_.facets.push_back({corners, side_}); }

  void cut(const std::vector<int>& own, int corners) {
    if constexpr (Dim == 2) {
      (void)corners;
      // Elements have their matter on the left of a side.
      if (own.size() == 2)
        facet({own[1], own[0]});
      else
        facet({own[2], own[0]}), facet({own[1], own[2]});
    } else if (corners == 3) {
      if (own.size() == 3) return facet({own[0], own[1], own[2]});
      for (int k = 0; k < 3; ++k) facet({own[k], own[3 + k], own[3 + (k + 2) % 3]});
      facet({own[3], own[4], own[5]});
    } else if (own.size() == 4) {
      const int centre = point_between(own, {0.25, 0.25, 0.25, 0.25});
      for (int k = 0; k < 4; ++k) facet({centre, own[k], own[(k + 1) % 4]});
    } else {
      // The centre of the element's own interpolation.
      const int centre = point_between(own, {-0.25, -0.25, -0.25, -0.25, 0.5, 0.5, 0.5, 0.5});
      for (int k = 0; k < 4; ++k) {
        facet({centre, own[k], own[4 + k]});
        facet({centre, own[4 + k], own[(k + 1) % 4]});
      }
    }
  }

  // All, or those at corners.
  void add_nodes(bool all, bool corners) {
    std::vector<std::vector<int>> facets_of(surface_.points.size());
    for (std::size_t f = 0; f < surface_.facets.size(); ++f)
      for (const int corner : surface_.facets[f].corners) facets_of[corner].push_back(static_cast<int>(f));
    const auto points = static_cast<int>(surface_.points.size());
    for (int i = 0; i < points; ++i) {
      if (surface_.points[i].nodes.size() > 1 || facets_of[i].empty()) continue;
      const bool out = corners && stands_out(i, facets_of[i]);
      if (!all && !out) continue;
      surface_.touching.push_back(i);
      surface_.facets_of.push_back(std::move(facets_of[i]));
      surface_.stands_out.push_back(out);
    }
  }

  // Is a node, a corner of `own` facets, at a corner, an edge or the end of what touches?
  bool stands_out(int point, const std::vector<int>& own) const {
    constexpr double kSharp = 0.5;  // rad
    std::map<int, int> beside;  // how many of the facets have each corner: two, where it is not at the end
    for (const int facet : own)
      for (const int corner : surface_.facets[facet].corners)
        if (corner != point) ++beside[corner];
    const auto is_end = [](const auto& corner) { return corner.second < 2; };
    if (Dim == 2 ? own.size() < 2 : std::any_of(beside.begin(), beside.end(), is_end)) return true;
    const Place first = normal_of(own[0]);
    return std::any_of(own.begin(), own.end(),
                       [&](int facet) { return normal_of(facet).dot(first) < std::cos(kSharp); });
  }

  Place normal_of(int facet) const {
    std::array<Place, Dim> x;
    for (int k = 0; k < Dim; ++k) {
      const SurfacePoint& corner = surface_.points[surface_.facets[facet].corners[k]];
      x[k].setZero();
      for (std::size_t i = 0; i < corner.nodes.size(); ++i)
        x[k] += corner.weights[i] * mesh_.nodes[corner.nodes[i]];
    }
    const Place edge = x[1] - x[0];
    if constexpr (Dim == 2)
      return Place(-edge.y(), edge.x()).normalized();
    else
      return edge.cross(x[2] - x[0]).normalized();
  }

  void add_inner(ContactPoints touching) {
    const double near = 0.5 - 0.5 / std::sqrt(3.0);
    std::vector<std::vector<double>> rule;  // shares of the corners
    if (touching == ContactPoints::middles)
      rule = {std::vector<double>(Dim, 1.0 / Dim)};
    else if (Dim == 2)
      rule = {{1 - near, near}, {near, 1 - near}};
    else
      rule = {{2.0 / 3, 1.0 / 6, 1.0 / 6}, {1.0 / 6, 2.0 / 3, 1.0 / 6}, {1.0 / 6, 1.0 / 6, 2.0 / 3}};
    for (std::size_t f = 0; f < surface_.facets.size(); ++f)
      for (const std::vector<double>& shares : rule) {
        SurfacePoint point;
        for (int k = 0; k < Dim; ++k) {
          const SurfacePoint& corner = surface_.points[surface_.facets[f].corners[k]];
          for (std::size_t i = 0; i < corner.nodes.size(); ++i)
            add_share(corner.nodes[i], shares[k] * corner.weights[i], point);
        }
        surface_.touching.push_back(static_cast<int>(surface_.points.size()));
        surface_.facets_of.push_back({static_cast<int>(f)});
        surface_.stands_out.push_back(false);
        surface_.points.push_back(std::move(point));
      }
  }

  static void add_share(int node, double weight, SurfacePoint& point) {
    for (std::size_t i = 0; i < point.nodes.size(); ++i)
      if (point.nodes[i] == node) {
        point.weights[i] += weight;
        return;
      }
    point.nodes.push_back(node);
    point.weights.push_back(weight);
  }

  const SolidMesh<Dim>& mesh_;
  std::vector<int> point_of_;  // of each node; -1: not on the surface
  MeshSide side_;
  ContactSurface<Dim> surface_;
};

}  // namespace

template <int Dim>
ContactSurface<Dim> build_contact_surface(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides,
                                          ContactPoints touching, bool corners) {
  SurfaceBuilder<Dim> builder(mesh);
  for (const MeshSide& side : sides) builder.add(side);
  return builder.finish(touching, corners);
}

template ContactSurface<2> build_contact_surface<2>(const SolidMesh<2>&, std::span<const MeshSide>,
                                                    ContactPoints, bool);
template ContactSurface<3> build_contact_surface<3>(const SolidMesh<3>&, std::span<const MeshSide>,
                                                    ContactPoints, bool);

}  // namespace saltus
