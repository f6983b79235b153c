#include "saltus/geometry/corner_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace saltus {

namespace {

constexpr int kLeaf = 8;

// No corner in the box is farther along the direction.
double reach(const Bounds<3>& box, const Vec<3>& direction) {
  return direction.cwiseProduct(box.low).cwiseMax(direction.cwiseProduct(box.high)).sum();
}

}  // namespace

CornerTree::CornerTree(const std::vector<Vec<3>>& corners) : corners_(corners), order_(corners.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  build(0, static_cast<int>(corners.size()));
}

int CornerTree::build(int first, int count) {
  const auto index = nodes_.size();
  nodes_.emplace_back();
  Bounds<3> box;
  const auto begin = order_.begin() + first;
  std::for_each(begin, begin + count, [&](int i) { box.add(corners_[static_cast<std::size_t>(i)]); });
  nodes_[index].box = box;
  if (count <= kLeaf) {
    nodes_[index].first = first, nodes_[index].count = count;
    return static_cast<int>(index);
  }
  Eigen::Index axis = 0;
  (box.high - box.low).maxCoeff(&axis);
  const int half = count / 2;
  std::nth_element(begin, begin + half, begin + count, [&](int i, int j) {
    const double x = corners_[static_cast<std::size_t>(i)](axis),
                 y = corners_[static_cast<std::size_t>(j)](axis);
    return x != y ? x < y : i < j;
  });
  build(first, half);
  const int right = build(first + half, count - half);
  nodes_[index].right = right;
  return static_cast<int>(index);
}

int CornerTree::farthest(const Vec<3>& direction, int guess) const {
  int best = guess;
  double most = direction.dot(corners_[static_cast<std::size_t>(guess)]);
  // Median splits: the depth, and with it the stack, stays below log2 of the count.
  std::pair<double, int> stack[64];
  int height = 0;
  stack[height++] = {reach(nodes_[0].box, direction), 0};
  while (height > 0) {
    const auto [bound, index] = stack[--height];
    if (bound <= most) continue;
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    for (int k = node.first; k < node.first + node.count; ++k) {
      const int corner = order_[static_cast<std::size_t>(k)];
      const double x = direction.dot(corners_[static_cast<std::size_t>(corner)]);
      if (x > most) most = x, best = corner;
    }
    if (node.count > 0) continue;
    std::pair<double, int> near{reach(nodes_[static_cast<std::size_t>(index) + 1].box, direction), index + 1};
    std::pair<double, int> far{reach(nodes_[static_cast<std::size_t>(node.right)].box, direction),
                               node.right};
    if (near.first < far.first) std::swap(near, far);
    stack[height++] = far, stack[height++] = near;  // the nearer one is looked at first
  }
  return best;
}

}  // namespace saltus
