// A convex region cut out of a box, half-space by half-space: cells of tessellations, parts of bodies in
// slabs.
#pragma once

#include <vector>

#include "saltus/geometry/bounds.hpp"

namespace saltus {

template <int Dim>
class ConvexCell;

template <>
class ConvexCell<2> {
 public:
  explicit ConvexCell(const Bounds<2>& box);
  explicit ConvexCell(std::vector<Vec<2>> corners) : corners_(std::move(corners)) {}  // counter-clockwise

  // Keeps what is in the matter of `half`: normal . x <= offset. The normal need not be of length 1.
  void cut(const HalfSpace<2>& half);

  bool empty() const { return corners_.size() < 3; }
  double volume() const;  // area
  Vec<2> centre() const;  // of mass
  const std::vector<Vec<2>>& corners() const { return corners_; }

 private:
  std::vector<Vec<2>> corners_;
};

// Faces are kept as loops of corners. A corner that several faces share has the same bits in all of them,
// whatever the order of the cuts: the cell stays closed.
template <>
class ConvexCell<3> {
 public:
  using Loop = std::vector<Vec<3>>;  // counter-clockwise seen from outside

  explicit ConvexCell(const Bounds<3>& box);
  ConvexCell(const ConvexPolyhedron& polyhedron, const Pose<3>& pose);

  void cut(const HalfSpace<3>& half);

  bool empty() const { return faces_.size() < 4; }
  double volume() const;
  Vec<3> centre() const;
  std::vector<Vec<3>> corners() const;  // each once
  const std::vector<Loop>& faces() const { return faces_; }

 private:
  std::vector<Loop> faces_;
};

}  // namespace saltus
