// Shapes of a trajectory as the viewer draws them: balls by their radius, everything else as triangles and edges in the frame
// of the body.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

struct ViewShape {
  double radius = 0;                              // of a ball; 0: triangles
  std::int32_t point_begin = 0, point_count = 0;  // rows of the arrays below
  std::int32_t triangle_begin = 0, triangle_count = 0;
  std::int32_t edge_begin = 0, edge_count = 0;
};

class ViewShapes {
 public:
  // `extent`, `middle` (in the frame of the body): what is shown of endless shapes. The row of the shape.
  template <int Dim>
  int add(const Shape<Dim>& shape, double extent, const Vec<3>& middle);

  const std::vector<ViewShape>& shapes() const { return shapes_; }
  const std::vector<float>& points() const { return points_; }  // 3 each
  const std::vector<std::int32_t>& triangles() const {
    return triangles_;
  }                                                                  // 3 points each, of the shape's own
  const std::vector<std::int32_t>& edges() const { return edges_; }  // 2 points each

 private:
  std::vector<ViewShape> shapes_;
  std::vector<float> points_;
  std::vector<std::int32_t> triangles_, edges_;
};

}  // namespace saltus
