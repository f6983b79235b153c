// Nodes at one place: found, and made one; meshes put together.
#pragma once

#include <vector>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

// Longest side of the box round the nodes, m.
template <int Dim>
double compute_extent(const SolidMesh<Dim>& mesh);

// For each node the first one within `distance` (m, above 0) of it: itself, or a node before it that has none
// itself. Linear in nodes: they are put into cells of a few distances. Coordinates must be finite.
template <int Dim>
std::vector<int> find_coincident_nodes(const SolidMesh<Dim>& mesh, double distance);

// Nodes within `tolerance` times the extent of the mesh become one, the first of them; connectivity and groups
// follow. Sides of groups that are inside after that leave their group. Returns the new
// number of each node.
template <int Dim>
std::vector<int> merge_nodes(double tolerance, SolidMesh<Dim>& mesh);

// Elements, nodes and groups of `other` come after those of `mesh`; groups of one name become one. Nodes stay apart
// (merge_nodes joins them).
template <int Dim>
void append_mesh(const SolidMesh<Dim>& other, SolidMesh<Dim>& mesh);

}  // namespace saltus
