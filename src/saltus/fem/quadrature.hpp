// Points and weights on reference cells (element_shape.hpp).
//
//     stiffness   t3 1, t6 3, q4 2x2, q8 3x3, t4 1, t10 4, h8 2x2x2, h20 3x3x3: full integration, no mode without energy
//     mass        exact for N_i N_j on cells with straight sides, also times the radius: degree 5
//     face        exact for N_i times the normal of a curved face
#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/fem/element_kind.hpp"

namespace saltus {

template <int Dim>
struct QuadraturePoint {
  Eigen::Matrix<double, Dim, 1> at;
  double weight = 0;  // their sum is the size of the cell: 1/2, 4, 1/6, 8
};
template <int Dim>
using Quadrature = std::vector<QuadraturePoint<Dim>>;

// n points of Gauss and Legendre on [-1, 1], n = 1, 2, 3: exact to degree 2 n - 1.
Quadrature<1> line_rule(int n);
// Exact to `degree`, 1, 2 or 5; triangle and tetrahedron (Strang and Fix; Radon; Stroud's T3: 5-1).
template <int Dim>
Quadrature<Dim> simplex_rule(int degree);
// n^Dim points of Gauss and Legendre.
template <int Dim>
Quadrature<Dim> cube_rule(int n);

template <int Dim>
Quadrature<Dim> stiffness_rule(ElementKind kind);
template <int Dim>
Quadrature<Dim> mass_rule(ElementKind kind);

// How many points stiffness_rule has.
constexpr int stiffness_points(ElementKind kind) {
  constexpr int counts[kElementKinds] = {1, 3, 4, 9, 1, 4, 8, 27};
  return counts[static_cast<int>(kind)];
}

}  // namespace saltus
