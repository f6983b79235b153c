// Volume (area in the plane) of a mesh from its surface alone: V = 1/Dim times the integral of x . n. Knows nothing of how
// elements are integrated. Shape functions of a face are polynomials of degree 2 at most in each direction, so that four
// Gauss points in each direction are exact.
#pragma once

#include <array>

#include "saltus/fem/mesh_surface.hpp"

namespace saltus {

inline constexpr std::array<double, 4> kGaussPlaces = {-0.8611363115940526, -0.3399810435848563,
                                                       0.3399810435848563, 0.8611363115940526};
inline constexpr std::array<double, 4> kGaussWeights = {0.3478548451374538, 0.6521451548625461,
                                                        0.6521451548625461, 0.3478548451374538};

// Values of the shape functions of a face at (a, b): [-1, 1]^2, or the triangle (0,0), (1,0), (0,1).
inline std::array<double, 8> face_shape(std::size_t nodes, double a, double b) {
  const double c = 1 - a - b;
  switch (nodes) {
    case 2: return {(1 - a) / 2, (1 + a) / 2};
    case 3: return {c, a, b};
    case 4:
      return {(1 - a) * (1 - b) / 4, (1 + a) * (1 - b) / 4, (1 + a) * (1 + b) / 4, (1 - a) * (1 + b) / 4};
    case 6: return {c * (2 * c - 1), a * (2 * a - 1), b * (2 * b - 1), 4 * c * a, 4 * a * b, 4 * b * c};
    default: break;
  }
  return {(1 - a) * (1 - b) * (-a - b - 1) / 4,
          (1 + a) * (1 - b) * (a - b - 1) / 4,
          (1 + a) * (1 + b) * (a + b - 1) / 4,
          (1 - a) * (1 + b) * (-a + b - 1) / 4,
          (1 - a * a) * (1 - b) / 2,
          (1 + a) * (1 - b * b) / 2,
          (1 - a * a) * (1 + b) / 2,
          (1 - a) * (1 - b * b) / 2};
}

inline double compute_volume(const SolidMesh<2>& mesh) {
  double area = 0;
  for (const MeshSide& side : compute_boundary_sides(mesh)) {
    const auto& element = mesh.elements[side.element];
    std::array<Eigen::Vector2d, 3> x;
    const auto local = face_nodes(element.kind, side.face);
    for (std::size_t k = 0; k < local.size(); ++k) x[k] = mesh.nodes[mesh.nodes_of(element)[local[k]]];
    for (int g = 0; g < 4; ++g) {
      const double a = kGaussPlaces[g];
      Eigen::Vector2d at, slope;
      if (local.size() == 2) {
        at = (1 - a) / 2 * x[0] + (1 + a) / 2 * x[1];
        slope = (x[1] - x[0]) / 2;
      } else {
        at = a * (a - 1) / 2 * x[0] + a * (a + 1) / 2 * x[1] + (1 - a * a) * x[2];
        slope = (a - 0.5) * x[0] + (a + 0.5) * x[1] - 2 * a * x[2];
      }
      area += kGaussWeights[g] * (at.x() * slope.y() - at.y() * slope.x()) / 2;
    }
  }
  return area;
}

inline double compute_volume(const SolidMesh<3>& mesh) {
  double volume = 0;
  for (const MeshSide& side : compute_boundary_sides(mesh)) {
    const auto& element = mesh.elements[side.element];
    const auto local = face_nodes(element.kind, side.face);
    const bool triangle = face_corner_count(element.kind) == 3;
    const auto place = [&](double a, double b) {
      const auto shape = face_shape(local.size(), a, b);
      Eigen::Vector3d x = Eigen::Vector3d::Zero();
      for (std::size_t k = 0; k < local.size(); ++k)
        x += shape[k] * mesh.nodes[mesh.nodes_of(element)[local[k]]];
      return x;
    };
    for (int g = 0; g < 4; ++g)
      for (int h = 0; h < 4; ++h) {
        double a = kGaussPlaces[g], b = kGaussPlaces[h], weight = kGaussWeights[g] * kGaussWeights[h];
        if (triangle) {  // the square folded to the triangle
          const double s = (1 + a) / 2, t = (1 + b) / 2;
          a = s * (1 - t);
          b = t;
          weight *= (1 - t) / 4;
        }
        // Central differences are exact for polynomials of degree two in one variable.
        const double e = 0.5;
        const Eigen::Vector3d da = (place(a + e, b) - place(a - e, b)) / (2 * e),
                              db = (place(a, b + e) - place(a, b - e)) / (2 * e);
        volume += weight * place(a, b).dot(da.cross(db)) / 3;
      }
  }
  return volume;
}

}  // namespace saltus
