// gmsh's .msh, versions 2.0 to 2.2 and 4.1, text and binary.
//
// The parser is our own: gmsh's library is heavy (its geometry kernels come with it), keeps its state in globals, and does not
// survive damaged files. The format is described in gmsh's manual, "Gmsh mesh file formats".
#pragma once

#include <string>
#include <string_view>

#include "saltus/meshes/raw_mesh.hpp"

namespace saltus {

// Throws InputError at "where:line", or "where, byte N" in binary parts.
RawMesh parse_gmsh(std::string_view bytes, const std::string& where);

}  // namespace saltus
