// Contacts of one pair of bodies.
//
// Bodies are convex parts, a wall (half-space or hollow shape) or ground (polyline, mesh). Parts
// touch parts, walls and ground; walls and ground do not touch each other. A half-space or hollow shape is
// touched at every corner of a part within reach; a cylinder at kRimPoints fixed points of each rim (unless touches_by_rim) and at
// its nearest points, an ellipsoid at the latter.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "saltus/collision/ground.hpp"
#include "saltus/collision/manifold.hpp"
#include "saltus/geometry/shapes.hpp"

namespace saltus {

template <int Dim>
using Wall = std::variant<std::monostate, HalfSpace<Dim>, Hollow<Dim>, HollowCylinder>;

// A shape made ready for detection.
template <int Dim>
struct Collider {
  struct Part {
    ConvexShape<Dim> shape;
    Pose<Dim> pose;
    bool at_origin = true;  // the pose is the identity
    double radius = 0;      // largest distance of the part from pose.position
  };
  struct FixedGround {
    Ground<Dim> surface;
    Bounds<Dim> bounds;  // in its own frame
  };
  std::vector<Part> parts;  // none for a ball, which `radius` tells all about
  Wall<Dim> wall;
  std::unique_ptr<FixedGround> ground;
  double radius = 0;  // largest distance from the origin of the body; infinite for a wall
  bool unbounded = false;
  bool is_ball = false;  // one ball at the origin, of radius `radius`

  bool is_solid() const { return is_ball || !parts.empty(); }
  Bounds<Dim> bounds(const Pose<Dim>& pose) const;
};

template <int Dim>
Collider<Dim> build_collider(const Shape<Dim>& shape);

// The buffers of one thread.
template <int Dim>
class NarrowPhase {
 public:
  // Overwrites `points` with the contacts of gap <= reach, normals from a to b, sorted by feature. `same_a`:
  // a and its pose are those of the last call, and its parts need not be placed again. `rolls`: of Piece.
  void collide(const Collider<Dim>& a, const Pose<Dim>& pose_a, const Collider<Dim>& b,
               const Pose<Dim>& pose_b, double reach, std::vector<ManifoldPoint<Dim>>& points,
               bool same_a = false, bool rolls = true);

 private:
  using Part = typename Collider<Dim>::Part;
  using Points = std::vector<ManifoldPoint<Dim>>;

  // The parts of a solid; that of a ball is made in `ball`.
  static std::span<const Part> parts_of(const Collider<Dim>& collider, Part& ball);

  void collide_parts(const Collider<Dim>& a, const Pose<Dim>& pose_a, const Collider<Dim>& b,
                     const Pose<Dim>& pose_b, double reach, Points& points);
  void collide_wall(const Collider<Dim>& a, const Pose<Dim>& pose_a, const Collider<Dim>& b,
                    const Pose<Dim>& pose_b, double reach, Points& points);

  const Part* placed_ = nullptr;  // of a, in piece_a_
  bool rolls_ = true;
  Part ball_a_, ball_b_;
  Piece<Dim> piece_a_, piece_b_;
  Feature<Dim> corners_;
  ManifoldBuilder<Dim> builder_;
  typename Ground<Dim>::Scratch ground_;
};

}  // namespace saltus
