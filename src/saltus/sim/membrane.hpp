// The outer contour of a 2D sample and the pressure on it.
//
// The contour is what a disk of diameter `longest_side` touches when it rolls around the sample: the outer boundary
// of the alpha shape (Edelsbrunner, Kirkpatrick and Seidel 1983). It never crosses itself, and no side is
// longer than `longest_side`. Of a sample in several clusters, further apart than that, it is that of the largest.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

// Points in square cells, sorted by cell: what is within a cell's side of a point lies in nine of them.
class PointCells {
 public:
  void build(std::span<const Vec<2>> points, double longest_side);

  template <class Visit>
  void near(const Vec<2>& p, Visit&& visit) const {
    for (int j = std::max(0, line(p) - 1); j <= std::min(ny_ - 1, line(p) + 1); ++j)
      for (int i = std::max(0, column(p) - 1); i <= std::min(nx_ - 1, column(p) + 1); ++i)
        for (int k = begin_[i + nx_ * j]; k < begin_[i + nx_ * j + 1]; ++k) visit(point_[k]);
  }

 private:
  int column(const Vec<2>& p) const { return static_cast<int>((p.x() - low_.x()) / side_); }
  int line(const Vec<2>& p) const { return static_cast<int>((p.y() - low_.y()) / side_); }
  int index(const Vec<2>& p) const { return column(p) + nx_ * line(p); }

  Vec<2> low_ = Vec<2>::Zero();
  double side_ = 1;
  int nx_ = 1, ny_ = 1;
  std::vector<int> begin_, next_, point_;
};

// Keeps its buffers: after warm-up nothing is allocated.
class MembraneContour {
 public:
  // Indices of the points on the contour, counter-clockwise; a point that joins two parts of a sample, or
  // ends a chain, comes more than once or is gone round. Empty when there is no contour (points too far
  // apart). Valid until the next call.
  std::span<const int> compute(std::span<const Vec<2>> points, double longest_side);

 private:
  void find_clusters(std::span<const Vec<2>> points, double longest_side);
  int find_start(std::span<const Vec<2>> points, double longest_side);

  PointCells cells_;
  std::vector<int> cluster_, waiting_, size_, contour_;
};

// Adds pressure times length of each side, inwards, half to each end of the side.
void add_pressure(std::span<const Vec<2>> points, std::span<const int> contour, double pressure,
                  std::span<Vec<2>> force);

}  // namespace saltus
