// From what a file says to a mesh of solids (the rules stand in meshes/mesh_reader.hpp).
#pragma once

#include <string>

#include "saltus/meshes/mesh_reader.hpp"
#include "saltus/meshes/raw_mesh.hpp"

namespace saltus {

// Nodes that no element uses are left out, clockwise elements of the plane turned round; notes tell both. Throws InputError
// where the file holds no mesh of this dimension, or one that check_mesh refuses.
template <int Dim>
ReadMesh<Dim> build_solid_mesh(RawMesh raw, const std::string& where, const MeshReadOptions& options);

}  // namespace saltus
