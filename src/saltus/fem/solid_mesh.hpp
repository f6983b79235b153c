// A mesh of solid elements, with names for parts of it.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "saltus/fem/element_kind.hpp"

namespace saltus {

struct MeshSide {
  int element = 0, face = 0;  // face as in face_nodes
};

template <int Dim>
struct SolidMesh {
  using Point = Eigen::Matrix<double, Dim, 1>;

  struct Element {
    ElementKind kind = ElementKind::t3;
    int first = 0;     // of its nodes, in `connectivity`
    int material = 0;  // group of elements, in `materials`
  };
  // Named parts: supports, loads and contact surfaces are told by them.
  struct NodeGroup {
    std::string name;
    std::vector<int> nodes;  // ascending, each once
  };
  struct SideGroup {
    std::string name;
    std::vector<MeshSide> sides;  // on the boundary of the mesh
  };

  std::vector<Point> nodes;  // m, where the body is without stress
  std::vector<int> connectivity;
  std::vector<Element> elements;
  std::vector<std::string> materials = {""};  // names of groups of elements
  std::vector<NodeGroup> node_groups;
  std::vector<SideGroup> side_groups;

  std::span<const int> nodes_of(const Element& element) const {
    return {connectivity.data() + element.first, static_cast<std::size_t>(node_count(element.kind))};
  }
  void add_element(ElementKind kind, std::span<const int> own, int material = 0) {
    elements.push_back({kind, static_cast<int>(connectivity.size()), material});
    connectivity.insert(connectivity.end(), own.begin(), own.end());
  }
};

}  // namespace saltus
