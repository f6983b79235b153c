// Which lines of a mesh of simplices are sides of its finite elements: the others only cut quadrangles and bricks, and are not drawn.
#pragma once

#include <set>
#include <utility>

#include "saltus/sim/system_mesh.hpp"

namespace saltus {

class ElementSides {
 public:
  template <int Dim>
  explicit ElementSides(const SystemMesh<Dim>& mesh);

  // Of a line between two nodes. Where a mesh tells no elements (files of older programs, beams) its simplices are the elements.
  bool contains(int a, int b) const { return !has_elements_ || sides_.count(std::minmax(a, b)) > 0; }

 private:
  bool has_elements_ = false;
  std::set<std::pair<int, int>> sides_;
};

}  // namespace saltus
