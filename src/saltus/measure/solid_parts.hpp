// What measures of deformable bodies look for in a snapshot.
#pragma once

#include <array>

#include "saltus/measure/measure.hpp"

namespace saltus {

// Index of a deformable body among the systems. InputError: no such name, or not one with finite elements.
template <int Dim>
std::size_t find_solid(const MeasureContext<Dim>& context, const std::string& name);

// Weights of nodes at a point: x = sum of weight times node.
template <int Dim>
struct MeshPlace {
  std::array<int, Dim + 1> nodes{};
  std::array<double, Dim + 1> weights{};
};
// Of a point of the body without deformation. InputError: it is outside by more than 1e-9 of the size of the body.
template <int Dim>
MeshPlace<Dim> find_in_mesh(const SystemMesh<Dim>& mesh, const Vec<Dim>& point, const std::string& where);

// Of the simplices as they are now; that of mass where the density is the same everywhere.
template <int Dim>
Vec<Dim> centre_of(const Snapshot<Dim>& snapshot, std::size_t system);

// Mean of Cauchy's stress over the cells, by volume.
template <int Dim>
Mat<Dim> mean_stress(const SnapshotMesh<Dim>& own);

// The components of the plane or of space of a stored row.
template <int Dim>
Mat<Dim> tensor_at(const std::vector<double>& rows, std::size_t row);

// Which named surface of the system a contact at x belongs to, whose normal out of the body is `outward`; -1: none is near, that is
// within a tenth of the length of its side. Among sides equally near (to a thousandth of that) it is the one that faces the contact.
template <int Dim>
int find_surface(const Snapshot<Dim>& snapshot, std::size_t system, const Vec<Dim>& x, const Vec<Dim>& outward);

}  // namespace saltus
