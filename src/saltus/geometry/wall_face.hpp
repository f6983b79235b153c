// Which way a wall along the axes faces.
#pragma once

#include "saltus/geometry/pose.hpp"
#include "saltus/geometry/shapes.hpp"

namespace saltus {

struct WallFace {
  int axis = -1;               // -1: not a half-space along an axis
  double sign = 0, place = 0;  // of the normal out of its matter; of its face, m
};

template <int Dim>
WallFace wall_face(const Shape<Dim>& shape, const Pose<Dim>& pose);

}  // namespace saltus
