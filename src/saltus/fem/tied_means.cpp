#include "saltus/fem/tied_means.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "saltus/fem/quadrature.hpp"
#include "saltus/fem/side_point.hpp"

namespace saltus {

namespace {

template <int Dim>
using Point = Eigen::Matrix<double, Dim, 1>;

// A side by its corners, in order.
template <int Dim>
struct Outline {
  std::vector<Point<Dim>> corners;
  Point<Dim> middle, normal;  // out of the body, not of length 1
  double radius = 0;
};

Eigen::Vector2d area_normal(const std::vector<Eigen::Vector2d>& x) {
  return {x[1].y() - x[0].y(), x[0].x() - x[1].x()};
}
Eigen::Vector3d area_normal(const std::vector<Eigen::Vector3d>& x) {
  return (x[x.size() / 2] - x[0]).cross(x.back() - x[1 - x.size() % 2]);
}

template <int Dim>
Outline<Dim> outline_of(const SolidMesh<Dim>& mesh, const MeshSide& side) {
  const auto& element = mesh.elements[side.element];
  const auto local = face_nodes(element.kind, side.face);
  const int corners = face_corner_count(element.kind);
  Outline<Dim> outline;
  outline.middle.setZero();
  for (int k = 0; k < corners; ++k) {
    outline.corners.push_back(mesh.nodes[mesh.nodes_of(element)[local[k]]]);
    outline.middle += outline.corners.back() / corners;
  }
  for (const Point<Dim>& x : outline.corners)
    outline.radius = std::max(outline.radius, (x - outline.middle).norm());
  outline.normal = area_normal(outline.corners);
  return outline;
}

// Calls take(x, weight) for points of the first side that the second lies over, along the normal of the first.
template <class Take>
void integrate_common(const Outline<2>& a, const Outline<2>& b, Take&& take) {
  constexpr double kNothing = 1e-12;
  const Eigen::Vector2d edge = a.corners[1] - a.corners[0];
  const auto along = [&](const Eigen::Vector2d& x) {
    return edge.dot(x - a.corners[0]) / edge.squaredNorm();
  };
  const double first = along(b.corners[0]), second = along(b.corners[1]);
  const double low = std::max(0.0, std::min(first, second)), high = std::min(1.0, std::max(first, second));
  if (high - low <= kNothing) return;
  static const Quadrature<1> rule = line_rule(3);
  for (const QuadraturePoint<1>& p : rule)
    take(Eigen::Vector2d(a.corners[0] + (low + (high - low) * (1 + p.at[0]) / 2) * edge),
         p.weight / 2 * (high - low) * edge.norm());
}

// What of a polygon is on the left of a line in the plane of `normal` (Sutherland and Hodgman).
std::vector<Eigen::Vector3d> cut(const std::vector<Eigen::Vector3d>& polygon, const Eigen::Vector3d& start,
                                 const Eigen::Vector3d& inward) {
  std::vector<Eigen::Vector3d> left;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Eigen::Vector3d &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    const double dp = inward.dot(p - start), dq = inward.dot(q - start);
    if (dp >= 0) left.push_back(p);
    if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) left.push_back(p + dp / (dp - dq) * (q - p));
  }
  return left;
}

template <class Take>
void integrate_common(const Outline<3>& a, const Outline<3>& b, Take&& take) {
  constexpr double kNothing = 1e-12;  // of the square of the size
  const Eigen::Vector3d normal = a.normal.normalized();
  std::vector<Eigen::Vector3d> polygon;
  for (const Eigen::Vector3d& x : b.corners) polygon.push_back(x - normal.dot(x - a.middle) * normal);
  for (std::size_t k = 0; k < a.corners.size() && !polygon.empty(); ++k)
    polygon = cut(polygon, a.corners[k],
                  normal.cross(a.corners[(k + 1) % a.corners.size()] - a.corners[k]).normalized());
  static const Quadrature<2> rule = simplex_rule<2>(5);
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
    const Eigen::Vector3d first = polygon[k] - polygon[0], second = polygon[k + 1] - polygon[0];
    const double twice_area = first.cross(second).norm();
    if (twice_area <= kNothing * a.radius * a.radius) continue;
    for (const QuadraturePoint<2>& p : rule)
      take(Eigen::Vector3d(polygon[0] + p.at[0] * first + p.at[1] * second), p.weight * twice_area);
  }
}

// psi of the nodes of a side, from its shape functions: middle k lies between the corners k and k + 1.
std::vector<double> weights_of(std::vector<double> shape, int corners) {
  for (std::size_t k = corners; k < shape.size(); ++k) {
    const int first = static_cast<int>(k) - corners;
    shape[first] += shape[k] / 2;
    shape[(first + 1) % corners] += shape[k] / 2;
  }
  return shape;
}

SurfacePoint divided(const std::map<int, double>& integrals, double by) {
  SurfacePoint point;
  for (const auto& [node, value] : integrals) {
    point.nodes.push_back(node);
    point.weights.push_back(value / by);
  }
  return point;
}

}  // namespace

template <int Dim>
std::vector<TiedMeans> compute_tied_means(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides,
                                          const SolidMesh<Dim>& other, std::span<const MeshSide> other_sides,
                                          double near) {
  struct Integrals {
    double weight = 0;
    std::map<int, double> own, other;
  };
  std::map<int, Integrals> of_node;
  std::vector<Outline<Dim>> outlines;
  for (const MeshSide& side : other_sides) outlines.push_back(outline_of(other, side));
  for (const MeshSide& side : sides) {
    const Outline<Dim> outline = outline_of(mesh, side);
    const int corners = face_corner_count(mesh.elements[side.element].kind);
    for (std::size_t i = 0; i < outlines.size(); ++i) {
      if (outline.normal.dot(outlines[i].normal) >= 0 ||
          (outline.middle - outlines[i].middle).norm() > outline.radius + outlines[i].radius + near)
        continue;
      integrate_common(outline, outlines[i], [&](const Point<Dim>& x, double weight) {
        const SidePoint<Dim> faced = find_nearest<Dim>(other, other_sides.subspan(i, 1), x);
        if (faced.distance > near + outline.radius) return;  // sides may be curved
        const SurfacePoint own = find_nearest<Dim>(mesh, {&side, 1}, x).shares;
        const std::vector<double> psi = weights_of(own.weights, corners);
        for (std::size_t j = 0; j < psi.size(); ++j) {
          Integrals& integrals = of_node[own.nodes[j]];
          integrals.weight += weight * psi[j];
          for (std::size_t k = 0; k < own.nodes.size(); ++k)
            integrals.own[own.nodes[k]] += weight * psi[j] * own.weights[k];
          for (std::size_t k = 0; k < faced.shares.nodes.size(); ++k)
            integrals.other[faced.shares.nodes[k]] += weight * psi[j] * faced.shares.weights[k];
        }
      });
    }
  }
  std::vector<TiedMeans> means;
  for (const auto& [node, integrals] : of_node)
    if (integrals.weight > 0)
      means.push_back(
          {node, divided(integrals.own, integrals.weight), divided(integrals.other, integrals.weight)});
  return means;
}

template std::vector<TiedMeans> compute_tied_means<2>(const SolidMesh<2>&, std::span<const MeshSide>,
                                                      const SolidMesh<2>&, std::span<const MeshSide>, double);
template std::vector<TiedMeans> compute_tied_means<3>(const SolidMesh<3>&, std::span<const MeshSide>,
                                                      const SolidMesh<3>&, std::span<const MeshSide>, double);

}  // namespace saltus
