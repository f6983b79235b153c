// The boundary of a mesh, and the nodes of its named parts.
#pragma once

#include <string>
#include <vector>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

// Faces of exactly one element, ascending by element, then face.
template <int Dim>
std::vector<MeshSide> compute_boundary_sides(const SolidMesh<Dim>& mesh);

// Nodes of sides, ascending, each once. Middle nodes are among them.
template <int Dim>
std::vector<int> compute_side_nodes(const SolidMesh<Dim>& mesh, const std::vector<MeshSide>& sides);

// Named parts. Throws InputError at `where` that tells the names there are.
template <int Dim>
const std::vector<MeshSide>& find_sides(const SolidMesh<Dim>& mesh, const std::string& name,
                                        const std::string& where);
template <int Dim>
int find_material(const SolidMesh<Dim>& mesh, const std::string& name, const std::string& where);
// Of the node group of that name, else of the side group, else of the material; ascending, each once.
template <int Dim>
std::vector<int> compute_group_nodes(const SolidMesh<Dim>& mesh, const std::string& name,
                                     const std::string& where);

}  // namespace saltus
