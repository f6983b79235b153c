// Whether a point lies in the matter of a shape.
//
// Solids and walls hold the points within them. Polylines and meshes have their matter behind them
// (geometry/shapes.hpp): a point lies there when the nearest point of the surface sees it from behind, at an
// edge or corner by the sum of the normals that meet, weighted by their angles. That tells inside from
// outside of a closed surface without exception (Baerentzen and Aanaes 2005). Points nearest to the rim of an
// open surface are not in its matter: past a rim there is no behind.
#pragma once

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "saltus/geometry/box_tree.hpp"

namespace saltus {

// Holds on to the shape it is made of.
template <int Dim>
class Matter {
 public:
  explicit Matter(const Shape<Dim>& shape);

  bool contains(const Vec<Dim>& x) const;  // in the frame of the shape

 private:
  using Element = std::array<int, Dim>;
  void add_surface(const std::vector<Vec<Dim>>& corners, std::vector<Element> elements);
  Vec<Dim> nearest(int element, const Vec<Dim>& x, std::array<double, Dim>& weights) const;
  double find_nearest(const Vec<Dim>& x, std::vector<int>& elements) const;
  bool is_behind(const Vec<Dim>& x) const;

  const Shape<Dim>& shape_;
  // Of a polyline or a mesh.
  std::vector<Vec<Dim>> corners_;
  std::vector<Element> elements_;
  std::set<std::pair<int, int>> rim_;  // edges of one element only, lower corner first; ends of a polyline
  std::vector<char> on_rim_;           // corners
  BoxTree<Dim> tree_;
  Bounds<Dim> bounds_;
};

}  // namespace saltus
