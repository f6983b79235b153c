// The shapes of rigid bodies, in the frame of the body. SI units.
//
// Shapes are plain data; the build_ functions and `check` are what makes them valid. Solid
// convex shapes can be parts of a compound. Walls and ground (half-space, hollow shapes,
// polyline, mesh) have no volume: they serve for fixed or driven bodies, or for bodies whose
// mass is given.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "saltus/geometry/convex_polyhedron.hpp"
#include "saltus/geometry/pose.hpp"

namespace saltus {

// Disk (2D) or sphere (3D) about the origin.
template <int Dim>
struct Ball {
  double radius = 0;
};
using Disk = Ball<2>;
using Sphere = Ball<3>;

// All points within `radius` of a segment. Radius 0 is a bare segment: it has no volume.
template <int Dim>
struct Capsule {
  Vec<Dim> start = Vec<Dim>::Zero();
  Vec<Dim> end = Vec<Dim>::Zero();
  double radius = 0;
};

// Corners in counter-clockwise order, strictly convex. See build_convex_polygon.
struct ConvexPolygon {
  std::vector<Vec<2>> vertices;
};

// Round cylinder about the z axis, |z| <= half_length.
struct Cylinder {
  double radius = 0;
  double half_length = 0;
};

// Ellipsoid about the origin: (x/a)^2 + (y/b)^2 + (z/c)^2 <= 1, with the semi-axes a, b, c.
struct Ellipsoid {
  Vec<3> semi_axes = Vec<3>::Zero();
};

// Matter where normal . x <= offset; `normal` is a unit vector out of the matter.
template <int Dim>
struct HalfSpace {
  Vec<Dim> normal = Vec<Dim>::Unit(Dim - 1);
  double offset = 0;
};
using HalfPlane = HalfSpace<2>;
using Plane = HalfSpace<3>;

// Wall of a drum: matter where |x| >= radius; bodies live inside.
template <int Dim>
struct Hollow {
  double radius = 0;
};
using HollowDisk = Hollow<2>;
using HollowSphere = Hollow<3>;

// Wall of an endless drum about the z axis: matter where hypot(x, y) >= radius.
struct HollowCylinder {
  double radius = 0;
};

// Ground made of segments, one-sided: matter lies to the right of the direction of travel, so
// a ground drawn from left to right carries what is above it. `closed` joins the last point to
// the first: clockwise travel makes an island, counter-clockwise the wall of a container. Bodies
// that are wholly on the matter side of a segment, further than their own width, do not touch it.
//
// A `depth` above 0 makes it a patch of the surface of a thick body, m: it is touched along its own normals, and by balls
// and ellipsoids at its border, where the patch beside it begins, by bodies no deeper behind it than that.
struct Polyline {
  std::vector<Vec<2>> points;
  bool closed = false;
  double depth = 0;
};

// Fixed ground made of triangles, one-sided: matter lies behind the counter-clockwise face. `depth` as of Polyline.
struct TriangleMesh {
  std::vector<Vec<3>> vertices;
  std::vector<std::array<int, 3>> triangles;
  double depth = 0;
};

template <int Dim>
struct ConvexShapes;
template <>
struct ConvexShapes<2> {
  using type = std::variant<Disk, Capsule<2>, ConvexPolygon>;
};
template <>
struct ConvexShapes<3> {
  using type = std::variant<Sphere, Capsule<3>, ConvexPolyhedron, Cylinder, Ellipsoid>;
};
template <int Dim>
using ConvexShape = typename ConvexShapes<Dim>::type;

// A rigid cluster of solid convex parts; parts may overlap (mass then counts twice).
template <int Dim>
struct Compound {
  struct Part {
    ConvexShape<Dim> shape;
    Pose<Dim> pose;
  };
  std::vector<Part> parts;
};

template <int Dim>
struct Shapes;
template <>
struct Shapes<2> {
  using type = std::variant<Disk, Capsule<2>, ConvexPolygon, HalfPlane, HollowDisk, Polyline, Compound<2>>;
};
template <>
struct Shapes<3> {
  using type = std::variant<Sphere, Capsule<3>, ConvexPolyhedron, Cylinder, Plane, HollowSphere,
                            HollowCylinder, TriangleMesh, Compound<3>, Ellipsoid>;
};
template <int Dim>
using Shape = typename Shapes<Dim>::type;

// Corners in any order around a convex polygon: orientation is made counter-clockwise,
// repeated and collinear corners are left out. Throws InputError (fewer than 3 corners left,
// no area, not convex: use a compound). `where` names the place of the input.
ConvexPolygon build_convex_polygon(const std::vector<Vec<2>>& corners, const std::string& where = {});

// Rectangle and box about the origin.
ConvexPolygon build_rectangle(double width, double height);
ConvexPolyhedron build_box(const Vec<3>& sides);

// Ground from heights on a regular grid with its first corner at `origin`: height (i, j), at
// origin + (i dx, j dy), is heights[i + nx * j]. Each cell is two triangles facing up.
TriangleMesh build_height_field(int nx, int ny, double dx, double dy, const std::vector<double>& heights,
                                const Vec<3>& origin = Vec<3>::Zero(), const std::string& where = {});

// Throws InputError when a shape is not usable: sizes not positive or not finite, normal zero,
// polyline or mesh without (non-degenerate) elements, compound without parts.
template <int Dim>
void check(const Shape<Dim>& shape, const std::string& where = {});

// The same matter seen from another frame: each point x moves to pose.to_world(x).
template <int Dim>
Shape<Dim> moved(const Shape<Dim>& shape, const Pose<Dim>& pose);

template <int Dim>
Shape<Dim> to_shape(const ConvexShape<Dim>& shape) {
  return std::visit([](const auto& s) { return Shape<Dim>(s); }, shape);
}

}  // namespace saltus
