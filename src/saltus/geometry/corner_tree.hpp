// Corners of a large polyhedron in a tree of boxes: which of them lies farthest along a direction, exactly,
// without asking all of them. (Climbing from corner to corner is no such answer: a hull that is flat or
// convex only up to a tolerance has places where it ends.)
#pragma once

#include <vector>

#include "saltus/geometry/bounds.hpp"

namespace saltus {

class CornerTree {
 public:
  // `corners`, at least one, must outlive the tree.
  explicit CornerTree(const std::vector<Vec<3>>& corners);

  // Index of the corner; `guess` is one that may be near it, which saves work and changes nothing (but which of
  // several that are equally far it is).
  int farthest(const Vec<3>& direction, int guess) const;

 private:
  struct Node {
    Bounds<3> box;
    int first = 0, count = 0;  // corners of a leaf in order_; count 0: the children are the next node
    int right = 0;             // and this one
  };
  int build(int first, int count);

  const std::vector<Vec<3>>& corners_;
  std::vector<Node> nodes_;
  std::vector<int> order_;
};

}  // namespace saltus
