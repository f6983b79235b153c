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

// InputError: a trajectory of a program that did not tell it, so that areas and volumes are not known.
template <int Dim>
Kinematics require_kinematics(const SystemMesh<Dim>& mesh, const std::string& where);

// Axial symmetry: a cell is a ring.
template <int Dim>
bool is_ring(const SystemMesh<Dim>& mesh) {
  return Dim == 2 && mesh.plane == PlaneKind::axisymmetric;
}

// Of plane stress in finite strain: the thickness of a cell now, over that without deformation; else 1.
template <int Dim>
double thickness_ratio(const SnapshotMesh<Dim>& own, std::size_t cell);

// Edges of a simplex from its first corner, as columns.
template <int Dim, class PlaceOf>
Mat<Dim> edges_of(const std::array<int, Dim + 1>& simplex, PlaceOf&& place) {
  Mat<Dim> edges;
  for (int k = 0; k < Dim; ++k) edges.col(k) = place(simplex[k + 1]) - place(simplex[0]);
  return edges;
}

// m3, of each cell: in finite strain now, else without deformation, as the elements have it.
template <int Dim>
std::vector<double> cell_volumes(const Snapshot<Dim>& snapshot, std::size_t system);

// Of the simplices as they are now; that of mass where the density is the same everywhere.
template <int Dim>
Vec<Dim> centre_of(const SnapshotMesh<Dim>& own, const SnapshotSystem& system);
template <int Dim>
Vec<Dim> centre_of(const Snapshot<Dim>& snapshot, std::size_t system) {
  return centre_of<Dim>(snapshot.meshes[system], snapshot.systems[system]);
}

// Mean of Cauchy's stress over the cells, by these volumes.
template <int Dim>
Mat<Dim> mean_stress(const SnapshotMesh<Dim>& own, const std::vector<double>& volumes);

// x lies on a side of this surface, to a hundredth of its length.
template <int Dim>
bool lies_on(const Snapshot<Dim>& snapshot, std::size_t system, std::size_t surface, const Vec<Dim>& x);

// The components of the plane or of space of a stored row.
template <int Dim>
Mat<Dim> tensor_at(const std::vector<double>& rows, std::size_t row);

// Which named surface of the system a contact at x belongs to, whose normal out of the body is `outward`; -1: none is near, that is
// within a tenth of the length of its side. Among sides equally near (to a thousandth of that) it is the one that faces the contact.
template <int Dim>
int find_surface(const Snapshot<Dim>& snapshot, std::size_t system, const Vec<Dim>& x,
                 const Vec<Dim>& outward);

}  // namespace saltus
