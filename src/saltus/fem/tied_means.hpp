// Two boundaries that are held together in the mean (mortar): for every node j of the sides of the one
//
//     sum_k own_k u_k = sum_i other_i u_i        own_k = <psi_j N_k> / <psi_j>,   other_i = <psi_j N_i> / <psi_j>
//
// with <> the integral over what of its sides faces sides of the other, N shape functions of sides, psi_j the linear one of a corner and that of a
// middle node: together they span the shape functions, and none has the mean 0. Those of corners sum up to 1, so that a constant
// stress passes whatever the meshes. Exact where sides are flat and straight, and quadrangles parallelograms.
#pragma once

#include <span>
#include <vector>

#include "saltus/fem/contact_surface.hpp"

namespace saltus {

struct TiedMeans {
  int node = 0;             // j
  SurfacePoint own, other;  // weights sum up to 1
};

// Ascending by node; without those that face nothing within `near`, m. Without deformation.
template <int Dim>
std::vector<TiedMeans> compute_tied_means(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides,
                                          const SolidMesh<Dim>& other, std::span<const MeshSide> other_sides,
                                          double near);

}  // namespace saltus
