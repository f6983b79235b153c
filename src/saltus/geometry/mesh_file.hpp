// Triangle meshes from files: STL (text or binary) and OBJ.
#pragma once

#include <string>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

// The kind is told by the name (.stl, .obj). Corners of an STL that are equal bit for bit become one vertex;
// polygons of an OBJ are cut into fans; triangles without area are left out. For a convex body give the
// vertices to build_convex_polyhedron with flatness 1e-6. Throws InputError with the file and, in text files,
// the line: missing, not readable, not a mesh, no triangle.
TriangleMesh read_mesh(const std::string& path);

// A body of an OBJ by its line "o NAME" (or "g NAME"): the triangles from its first one to that of the next.
struct NamedPart {
  std::string name;
  std::size_t first_triangle = 0;
};
TriangleMesh read_mesh(const std::string& path, std::vector<NamedPart>& parts);

// The points of a file, of which a convex body is the hull: an OBJ may have no faces.
TriangleMesh read_hull_points(const std::string& path);

// Edges without a neighbour on the other side: 0 for a surface that encloses a volume.
int count_open_edges(const TriangleMesh& mesh);
// Of a closed surface whose triangles look outwards.
double compute_enclosed_volume(const TriangleMesh& mesh);

}  // namespace saltus
