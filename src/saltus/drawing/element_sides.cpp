#include "saltus/drawing/element_sides.hpp"

#include <algorithm>

namespace saltus {

template <int Dim>
ElementSides::ElementSides(const SystemMesh<Dim>& mesh) : has_elements_(!mesh.cells.empty()) {
  const int* node = mesh.connectivity.data();
  for (const ElementKind kind : mesh.cells) {
    const int corners = face_corner_count(kind);
    const auto add = [&](int a, int b) { sides_.insert(std::minmax(node[a], node[b])); };
    for (int face = 0; face < face_count(kind); ++face) {
      const std::span<const int> own = face_nodes(kind, face);
      const int sides = corners == 2 ? 1 : corners;
      for (int k = 0; k < sides; ++k) {
        const int a = own[static_cast<std::size_t>(k)], b = own[static_cast<std::size_t>((k + 1) % corners)];
        add(a, b);
        if (static_cast<int>(own.size()) == corners) continue;
        const int middle = own[static_cast<std::size_t>(corners + k)];
        add(a, middle), add(middle, b);
      }
    }
    node += node_count(kind);
  }
}

template ElementSides::ElementSides(const SystemMesh<2>&);
template ElementSides::ElementSides(const SystemMesh<3>&);

}  // namespace saltus
