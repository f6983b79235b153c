// Mass, centre and inertia of shapes.
#pragma once

#include <string>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

template <int Dim>
struct MassProperties {
  double mass = 0;
  Vec<Dim> centre = Vec<Dim>::Zero();           // in the frame of the shape
  Inertia<Dim> inertia = Inertia<Dim>::Zero();  // about the centre, axes of the shape's frame
};

// Area (2D) or volume (3D); 0 for walls, ground and bare segments.
template <int Dim>
double compute_volume(const Shape<Dim>& shape);

// Exact for all solid shapes; a compound is the sum of its parts (overlaps count twice).
// Throws InputError when the shape has no volume or the density is not positive and finite.
template <int Dim>
MassProperties<Dim> compute_mass_properties(const Shape<Dim>& shape, double density,
                                            const std::string& where = {});

// A given mass and inertia must be possible: finite and positive, in 3D symmetric, positive
// definite and with principal moments that obey I_i <= I_j + I_k. Throws InputError.
template <int Dim>
void check_inertia(double mass, const Inertia<Dim>& inertia, const std::string& where = {});

}  // namespace saltus
