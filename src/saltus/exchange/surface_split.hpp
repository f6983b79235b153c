// Which triangles of an STL or OBJ file are a body.
#pragma once

#include <string>
#include <vector>

#include "saltus/geometry/mesh_file.hpp"

namespace saltus {

struct BodySurface {
  TriangleMesh mesh;
  std::string name;  // that of an OBJ, else `stem`; with a number where several have it
};

// By the names of an OBJ where each is closed; then a body ends where all edges of its triangles are matched, so that bodies that touch
// at corners are told apart when they are written one after the other; and what shares no corner is two. Corners of an OBJ that are
// equal bit for bit are one where that closes a surface.
std::vector<BodySurface> split_into_bodies(const TriangleMesh& mesh, const std::vector<NamedPart>& named,
                                           const std::string& stem);

}  // namespace saltus
