// The point of the sides of a mesh that is nearest to a place, as shares of nodes.
#pragma once

#include <span>

#include "saltus/fem/contact_surface.hpp"

namespace saltus {

template <int Dim>
struct SidePoint {
  SurfacePoint shares;  // by the shape functions of its side, middle nodes among them
  double distance = 0;  // m, from the place
};

// Without deformation. `sides` is not empty.
template <int Dim>
SidePoint<Dim> find_nearest(const SolidMesh<Dim>& mesh, std::span<const MeshSide> sides,
                            const Eigen::Matrix<double, Dim, 1>& place);

}  // namespace saltus
