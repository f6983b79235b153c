// Where a deformable body has folded into itself: its contact with itself is between points and facets that face each other, and in a crease
// of one facet none may.
#pragma once

#include <Eigen/Core>

#include "saltus/fem/contact_surface.hpp"
#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

struct Folds {
  int nodes = 0;                // of the surface, in elements that they do not belong to
  int node = -1, element = -1;  // the first of them, and where it is
};

// At the displacements q, m. What lies in the outermost tenth of an element, from its side to its middle, is contact. Work n log n.
template <int Dim>
Folds find_folds(const SolidMesh<Dim>& mesh, const ContactSurface<Dim>& surface, const Eigen::VectorXd& q);

}  // namespace saltus
