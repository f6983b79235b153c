#include "saltus/geometry/wall_face.hpp"

#include <cmath>

namespace saltus {

template <int Dim>
WallFace wall_face(const Shape<Dim>& shape, const Pose<Dim>& pose) {
  WallFace face;
  const auto* half = std::get_if<HalfSpace<Dim>>(&shape);
  if (!half) return face;
  const Vec<Dim> normal = pose.rotated(half->normal);
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  if (std::abs(normal[axis]) < 1 - 1e-9) return face;
  face.axis = axis;
  face.sign = normal[axis] > 0 ? 1 : -1;
  face.place = pose.to_world(half->offset * half->normal)[axis];
  return face;
}

template WallFace wall_face<2>(const Shape<2>&, const Pose<2>&);
template WallFace wall_face<3>(const Shape<3>&, const Pose<3>&);

}  // namespace saltus
