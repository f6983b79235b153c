// Triangles from STL (text or binary) and OBJ files.
#pragma once

#include <string>

#include "saltus/geometry/shapes.hpp"
#include "saltus/io/scene_context.hpp"

namespace saltus {

// The keys file and scale (default 1: the file is in metres) of a shape.
TriangleMesh read_surface(TableReader& table, SceneContext& context);

// From the content of a file; its ending (.stl or .obj) says the format. Equal corners of different triangles
// become one vertex; triangles without area are left out; polygons of an OBJ file are cut into triangles.
// Throws InputError with `path` (and the line, in text).
TriangleMesh parse_surface(const std::string& content, const std::string& path);

}  // namespace saltus
