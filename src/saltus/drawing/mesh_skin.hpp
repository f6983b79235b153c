// The outside of a mesh of simplices: faces that one element has alone.
#pragma once

#include <array>
#include <vector>

namespace saltus {

// Triangles of tetrahedra, counter-clockwise seen from outside when elements have a positive volume.
std::vector<std::array<int, 3>> build_skin(const std::vector<std::array<int, 4>>& elements);

// Triangles of the plane are their own picture.
inline const std::vector<std::array<int, 3>>& build_skin(const std::vector<std::array<int, 3>>& elements) {
  return elements;
}

}  // namespace saltus
