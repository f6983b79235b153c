// Surfaces of shapes as polygons, in the frame of the body: what VTK, STL and OBJ files hold of them.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

struct SurfaceMesh {
  std::vector<Vec<3>> points;
  std::vector<std::int32_t> corners,
      ends;  // of polygon i: up to ends[i]; counter-clockwise seen from outside

  std::size_t polygons() const { return ends.size(); }
};

struct SurfaceOptions {
  int sides = 24;                  // of round things, 4 or more; 0: balls are left out
  double extent = 1;               // m: half the width of what is shown of endless shapes (planes, drums)
  Vec<3> middle = Vec<3>::Zero();  // about this place, in the frame of the body
};

// Of plane shapes the flat polygon at z = 0; of walls a band, of a polyline thin quads of no thickness: its points as a line
// of polygons with two corners.
template <int Dim>
SurfaceMesh build_surface_mesh(const Shape<Dim>& shape, const SurfaceOptions& options);

}  // namespace saltus
