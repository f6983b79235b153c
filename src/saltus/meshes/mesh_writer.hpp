// Meshes to gmsh's .msh, version 4.1, as text.
//
// Materials become physical groups of dimension Dim, groups of sides of dimension Dim - 1, groups of nodes of dimension 0;
// material "" has no physical group. Numbers have 17 digits: what read_mesh gives back is the same to the bit.
#pragma once

#include <string>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

template <int Dim>
std::string format_msh(const SolidMesh<Dim>& mesh);

// Throws InputError for a name with a quote or a control character, OutputError when the file cannot be written.
template <int Dim>
void write_msh(const SolidMesh<Dim>& mesh, const std::string& path);

}  // namespace saltus
