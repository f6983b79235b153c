// Convex polyhedron with its faces and edges: what contact detection walks on.
#pragma once

#include <string>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

struct ConvexPolyhedron {
  // Between vertices v[0] -> v[1]; face[0] has the edge in this direction, face[1] in the other.
  struct Edge {
    int v[2];
    int face[2];
  };

  std::vector<Vec<3>> vertices;
  std::vector<int> face_begin;   // faces + 1 offsets into face_vertex
  std::vector<int> face_vertex;  // corners of each face, counter-clockwise seen from outside
  std::vector<Vec<3>> normal;    // unit, outward, one per face
  std::vector<double> offset;    // normal . x of the plane of each face
  std::vector<Edge> edges;
  std::vector<int> around_begin;  // vertices + 1 offsets into around
  std::vector<int> around;        // faces that meet at each vertex

  int faces() const { return static_cast<int>(normal.size()); }
  int corners(int face) const { return face_begin[face + 1] - face_begin[face]; }
};

// Convex hull of points; points inside it are left out, triangles that share a plane become one
// face. `flatness` is the distance from a plane, relative to the size of the whole, that still counts
// as flat: the default suits numbers in double precision, 1e-6 those of an STL file. Throws InputError
// when the points do not span a volume or a coordinate is not finite.
ConvexPolyhedron build_convex_polyhedron(const std::vector<Vec<3>>& points, const std::string& where = {},
                                         double flatness = 1e-10);

}  // namespace saltus
