#include "saltus/geometry/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace saltus {

namespace {
constexpr int kLeaf = 4;
}

template <int Dim>
BoxTree<Dim>::BoxTree(const std::vector<Bounds<Dim>>& boxes) : order_(boxes.size()), boxes_(boxes) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!boxes.empty()) build(boxes, 0, static_cast<int>(boxes.size()));
}

template <int Dim>
int BoxTree<Dim>::build(const std::vector<Bounds<Dim>>& boxes, int first, int count) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Bounds<Dim> box, centres;
  for (int k = first; k < first + count; ++k) {
    box.add(boxes[order_[k]]);
    centres.add(Vec<Dim>((boxes[order_[k]].low + boxes[order_[k]].high) / 2));
  }
  nodes_[index].box = box;
  if (count <= kLeaf) {
    nodes_[index].first = first;
    nodes_[index].count = count;
    return index;
  }
  Eigen::Index axis = 0;
  (centres.high - centres.low).maxCoeff(&axis);
  const int half = count / 2;
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](int i, int j) {
    const double x = boxes[i].low(axis) + boxes[i].high(axis), y = boxes[j].low(axis) + boxes[j].high(axis);
    return x != y ? x < y : i < j;
  });
  build(boxes, first, half);
  const int right = build(boxes, first + half, count - half);
  nodes_[index].right = right;
  return index;
}

template <int Dim>
void BoxTree<Dim>::query(const Bounds<Dim>& box, std::vector<int>& found) const {
  found.clear();
  if (nodes_.empty()) return;
  // Median splits: the depth, and with it the stack, stays below log2 of the count.
  int stack[64], height = 0;
  stack[height++] = 0;
  while (height > 0) {
    const int index = stack[--height];
    const Node& node = nodes_[index];
    if (!node.box.overlaps(box)) continue;
    if (node.count == 0) {
      stack[height++] = node.right;
      stack[height++] = index + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      if (boxes_[order_[k]].overlaps(box)) found.push_back(order_[k]);
    }
  }
  std::sort(found.begin(), found.end());
}

template class BoxTree<2>;
template class BoxTree<3>;

}  // namespace saltus
