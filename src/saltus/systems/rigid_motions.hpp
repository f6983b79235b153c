// Motions without strain that the supports of a body leave it.
#pragma once

#include <vector>

#include "saltus/fem/continuum_options.hpp"
#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

// Translations and rotations that no support stops, of the piece of the mesh that has most; `is_driven` by degree of freedom,
// Dim node + direction. 0: everything is held, and a stiffness without softening is definite.
template <int Dim>
int count_free_motions(const SolidMesh<Dim>& mesh, PlaneKind plane, const std::vector<char>& is_driven);

}  // namespace saltus
