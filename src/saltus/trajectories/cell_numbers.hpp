// Finite elements by VTK's numbers of cell types, as trajectories store them. Nodes are in VTK's order, which is ours.
#pragma once

#include <cstdint>
#include <optional>

#include "saltus/fem/element_kind.hpp"

namespace saltus {

inline std::int64_t vtk_cell_number(ElementKind kind) {
  switch (kind) {
    case ElementKind::t3: return 5;
    case ElementKind::t6: return 22;
    case ElementKind::q4: return 9;
    case ElementKind::q8: return 23;
    case ElementKind::t4: return 10;
    case ElementKind::t10: return 24;
    case ElementKind::h8: return 12;
    case ElementKind::h20: return 25;
  }
  return 0;
}

// None: not a number of one of our kinds.
inline std::optional<ElementKind> find_cell_kind(std::int64_t number) {
  for (int i = 0; i < kElementKinds; ++i)
    if (vtk_cell_number(static_cast<ElementKind>(i)) == number) return static_cast<ElementKind>(i);
  return std::nullopt;
}

}  // namespace saltus
