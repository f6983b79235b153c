// Bodies from surfaces: each closed surface of STL or OBJ files is a body, a stone of an assembly.
#pragma once

#include <string>
#include <vector>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

struct AssemblyPart {
  std::string name;        // of its file, with a number when the file has several
  TriangleMesh surface;    // m
  bool is_convex = false;  // then `hull` is the same matter
  bool is_open = false;    // a surface without an inside: ground
  ConvexPolyhedron hull;   // when it is not open
  double volume = 0, hull_volume = 0;
};

// Bodies of a file are told apart by surface_split.hpp. `scale`: m per unit of the file. Throws InputError
// with the file for what is no surface.
std::vector<AssemblyPart> read_assembly(const std::vector<std::string>& files, double scale);

}  // namespace saltus
