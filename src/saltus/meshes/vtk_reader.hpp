// VTK's unstructured grids: legacy files (.vtk, text and binary) and XML files (.vtu, text, base64 and appended, packed by
// zlib or not).
#pragma once

#include <string>
#include <string_view>

#include "saltus/meshes/raw_mesh.hpp"

namespace saltus {

// Versions 1 to 5.1 of the format. Throws InputError at "where:line", or "where, byte N" in binary parts.
RawMesh parse_vtk(std::string_view bytes, const std::string& where);
RawMesh parse_vtu(std::string_view bytes, const std::string& where);

}  // namespace saltus
