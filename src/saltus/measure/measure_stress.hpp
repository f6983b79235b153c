// Stress of a collection of bodies from its contact forces.
//
// The moment tensor of a body is M_ij = - sum over its contacts of f_i l_j, f the force ON the body and l
// from its centre of mass to the contact (Moreau's internal moment; Love 1927 and Weber 1966 for
// collections). The stress of a region is the sum of the moments of its bodies over its volume: (1/(V h)) sum
// r_i l_j with impulses r, branch vectors l between two grains and centre-to-wall vectors at walls.
// Compression is positive. Moments about the centre of mass do not see gravity; the inertia of spins is left
// out. A body on the border counts by the part of its volume inside.
#pragma once

#include "saltus/measure/region.hpp"

namespace saltus {

// Per entry of snapshot.bodies, N m. Walls have none.
template <int Dim>
std::vector<Mat<Dim>> compute_moments(const Snapshot<Dim>& snapshot);

template <int Dim>
Mat<Dim> compute_stress(const Snapshot<Dim>& snapshot, const std::vector<Mat<Dim>>& moments,
                        const Region<Dim>& region);

// Of the symmetric part, largest first.
template <int Dim>
Vec<Dim> principal_values(const Mat<Dim>& tensor);

// <n n^T> over the contacts of grains in the region (by where the contact is): trace 1, or 0 without
// contacts.
template <int Dim>
Mat<Dim> compute_fabric(const Snapshot<Dim>& snapshot, const Region<Dim>& region);

}  // namespace saltus
