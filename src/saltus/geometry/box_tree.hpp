// A fixed tree of boxes: which elements of a ground come near a given box.
#pragma once

#include <vector>

#include "saltus/geometry/bounds.hpp"

namespace saltus {

template <int Dim>
class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(const std::vector<Bounds<Dim>>& boxes);

  // Indices of the boxes that meet `box`, ascending; `found` is overwritten.
  void query(const Bounds<Dim>& box, std::vector<int>& found) const;

 private:
  struct Node {
    Bounds<Dim> box;
    int first = 0, count = 0;  // elements of a leaf in order_; count 0: the children are the next node
    int right = 0;             // and this one
  };
  int build(const std::vector<Bounds<Dim>>& boxes, int first, int count);

  std::vector<Node> nodes_;
  std::vector<int> order_;
  std::vector<Bounds<Dim>> boxes_;  // of the elements
};

}  // namespace saltus
