// Contacts of a convex piece with half-spaces and hollow shapes.
#pragma once

#include <vector>

#include "saltus/collision/narrow_phase.hpp"

namespace saltus {

// Distance of a ball about `centre` from the wall; negative inside the matter of the wall.
template <int Dim>
double wall_clearance(const Wall<Dim>& wall, const Pose<Dim>& pose, const Vec<Dim>& centre, double radius);

// Appends the contacts with gap <= reach, normals from the wall to the piece. `corners` is a buffer.
template <int Dim>
void collide_with_wall(const Wall<Dim>& wall, const Pose<Dim>& pose, const Piece<Dim>& piece, double reach,
                       Feature<Dim>& corners, std::vector<ManifoldPoint<Dim>>& points);

}  // namespace saltus
