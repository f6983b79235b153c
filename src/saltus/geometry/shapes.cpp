#include "saltus/geometry/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

double turn(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) { return cross2(b - a, c - b); }

// Leaves out corners closer to their neighbours than round-off, and those on a straight line.
void drop_idle_corners(std::vector<Vec<2>>& corners, double size) {
  const double tiny = 1e-12 * size;
  bool changed = true;
  while (changed && corners.size() >= 3) {
    changed = false;
    for (std::size_t i = 0; i < corners.size() && corners.size() >= 3 && !changed; ++i) {
      const Vec<2>& before = corners[(i + corners.size() - 1) % corners.size()];
      const Vec<2>& here = corners[i];
      const Vec<2>& after = corners[(i + 1) % corners.size()];
      const double base = (after - before).norm();
      const bool repeated = (here - before).norm() <= tiny;
      const bool straight =
          (here - before).dot(after - here) > 0 && std::abs(turn(before, here, after)) <= tiny * base;
      if (repeated || straight) {
        corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
      }
    }
  }
}

void require_positive(double value, const char* what, const std::string& where) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw InputError(where, what, fmt::format("{}", value), "a finite number above 0");
  }
}

template <int Dim>
void require_finite(const Vec<Dim>& x, const char* what, const std::string& where) {
  if (!x.allFinite()) throw InputError(where, what, "nan or inf", "finite numbers");
}

template <int Dim>
void check_one(const Ball<Dim>& s, const std::string& where) {
  require_positive(s.radius, Dim == 2 ? "radius of a disk" : "radius of a sphere", where);
}

template <int Dim>
void check_one(const Capsule<Dim>& s, const std::string& where) {
  require_finite(s.start, "end of a capsule", where);
  require_finite(s.end, "end of a capsule", where);
  require_positive((s.end - s.start).norm(), "length of the axis of a capsule", where);
  if (!(s.radius >= 0) || !std::isfinite(s.radius)) {
    throw InputError(where, "radius of a capsule", fmt::format("{}", s.radius), "0 (a bare segment) or more");
  }
}

void check_one(const ConvexPolygon& s, const std::string& where) {
  if (s.vertices.size() < 3) {
    throw InputError(where, "number of corners of a polygon", fmt::format("{}", s.vertices.size()),
                     "3 or more");
  }
}

void check_one(const ConvexPolyhedron& s, const std::string& where) {
  if (s.vertices.size() < 4 || s.faces() < 4) {
    throw InputError(where, "a convex polyhedron without faces", {}, "the result of build_convex_polyhedron");
  }
}

void check_one(const Cylinder& s, const std::string& where) {
  require_positive(s.radius, "radius of a cylinder", where);
  require_positive(s.half_length, "half length of a cylinder", where);
}

void check_one(const Ellipsoid& s, const std::string& where) {
  for (const double semi_axis : s.semi_axes) require_positive(semi_axis, "semi-axis of an ellipsoid", where);
}

template <int Dim>
void check_one(const HalfSpace<Dim>& s, const std::string& where) {
  require_finite(s.normal, "normal of a wall", where);
  // The gap of a contact is wrong by this relative error of the length.
  if (std::abs(s.normal.norm() - 1) > 1e-12) {
    throw InputError(where, "length of the normal of a wall", fmt::format("{}", s.normal.norm()), "1");
  }
  if (!std::isfinite(s.offset)) throw InputError(where, "offset of a wall is not finite");
}

template <int Dim>
void check_one(const Hollow<Dim>& s, const std::string& where) {
  require_positive(s.radius, "radius of a drum", where);
}

void check_one(const HollowCylinder& s, const std::string& where) {
  require_positive(s.radius, "radius of a drum", where);
}

void check_one(const Polyline& s, const std::string& where) {
  const std::size_t need = s.closed ? 3 : 2;
  if (s.points.size() < need) {
    throw InputError(where, "number of points of a polyline", fmt::format("{}", s.points.size()),
                     fmt::format("{} or more", need));
  }
  for (std::size_t i = 0; i < s.points.size(); ++i) {
    require_finite(s.points[i], "point of a polyline", where);
    if (i + 1 == s.points.size() && !s.closed) break;
    if (s.points[i] == s.points[(i + 1) % s.points.size()]) {
      throw InputError(
          where, fmt::format("points {} and {} of a polyline are the same", i, (i + 1) % s.points.size()));
    }
  }
}

void check_one(const TriangleMesh& s, const std::string& where) {
  if (s.triangles.empty()) throw InputError(where, "a mesh without triangles");
  for (const Vec<3>& v : s.vertices) require_finite(v, "vertex of a mesh", where);
  for (std::size_t t = 0; t < s.triangles.size(); ++t) {
    const auto& [i, j, k] = s.triangles[t];
    const int count = static_cast<int>(s.vertices.size());
    if (std::min({i, j, k}) < 0 || std::max({i, j, k}) >= count) {
      throw InputError(where, fmt::format("triangle {} of a mesh names a vertex that is not there", t),
                       fmt::format("{} {} {}", i, j, k), fmt::format("0 to {}", count - 1));
    }
    const Vec<3> area = (s.vertices[j] - s.vertices[i]).cross(s.vertices[k] - s.vertices[i]);
    if (!(area.norm() > 0)) {
      throw InputError(where, fmt::format("triangle {} of a mesh has no area", t), {},
                       "leave it out of the mesh");
    }
  }
}

template <int Dim>
void check_one(const Compound<Dim>& s, const std::string& where) {
  if (s.parts.empty()) throw InputError(where, "a compound without parts");
  for (const auto& part : s.parts) {
    require_finite(part.pose.position, "position of a part", where);
    std::visit([&](const auto& shape) { check_one(shape, where); }, part.shape);
  }
}

}  // namespace

ConvexPolygon build_convex_polygon(const std::vector<Vec<2>>& corners, const std::string& where) {
  ConvexPolygon polygon{corners};
  auto& v = polygon.vertices;
  double size = 0, area = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    require_finite(v[i], "corner of a polygon", where);
    size = std::max(size, (v[i] - v[0]).norm());
    area += cross2(v[i] - v[0], v[(i + 1) % v.size()] - v[0]) / 2;
  }
  drop_idle_corners(v, size);
  if (v.size() < 3 || std::abs(area) <= 1e-12 * size * size) {
    throw InputError(where, "a polygon without area", fmt::format("{} distinct corners", v.size()),
                     "at least 3 corners that are not on one line");
  }
  if (area < 0) std::reverse(v.begin(), v.end());
  double angle = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vec<2> in = v[i] - v[(i + v.size() - 1) % v.size()];
    const Vec<2> out = v[(i + 1) % v.size()] - v[i];
    angle += std::atan2(cross2(in, out), in.dot(out));
    if (cross2(in, out) <= 0) {
      throw InputError(where, "a polygon is not convex",
                       fmt::format("a reflex corner at ({}, {})", v[i].x(), v[i].y()),
                       "convex corners; split it into the convex parts of a compound");
    }
  }
  // The outline of a convex polygon turns once; a star turns more.
  if (angle > 3 * 3.14159265358979) throw InputError(where, "the outline of a polygon crosses itself");
  return polygon;
}

ConvexPolygon build_rectangle(double width, double height) {
  const double x = width / 2, y = height / 2;
  return build_convex_polygon({{-x, -y}, {x, -y}, {x, y}, {-x, y}});
}

ConvexPolyhedron build_box(const Vec<3>& sides) {
  std::vector<Vec<3>> corners;
  for (int k = 0; k < 8; ++k) {
    const Vec<3> sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    corners.push_back(0.5 * sign.cwiseProduct(sides));
  }
  return build_convex_polyhedron(corners, "box");
}

TriangleMesh build_height_field(int nx, int ny, double dx, double dy, const std::vector<double>& heights,
                                const Vec<3>& origin, const std::string& where) {
  if (nx < 2 || ny < 2 || heights.size() != std::size_t(nx) * std::size_t(ny)) {
    throw InputError(where, "number of heights of a height field",
                     fmt::format("{} for {} x {}", heights.size(), nx, ny),
                     "nx * ny, with nx and ny at least 2");
  }
  require_positive(dx, "spacing of a height field", where);
  require_positive(dy, "spacing of a height field", where);
  TriangleMesh mesh;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i)
      mesh.vertices.push_back(origin + Vec<3>(i * dx, j * dy, heights[i + nx * j]));
  }
  for (int j = 0; j + 1 < ny; ++j) {
    for (int i = 0; i + 1 < nx; ++i) {
      const int c = i + nx * j;
      mesh.triangles.push_back({c, c + 1, c + nx + 1});
      mesh.triangles.push_back({c, c + nx + 1, c + nx});
    }
  }
  check_one(mesh, where);
  return mesh;
}

template <int Dim>
void check(const Shape<Dim>& shape, const std::string& where) {
  std::visit([&](const auto& s) { check_one(s, where); }, shape);
}

namespace {

template <int Dim>
Shape<Dim> move_one(const HalfSpace<Dim>& s, const Pose<Dim>& pose) {
  const Vec<Dim> normal = pose.rotated(s.normal).normalized();
  return HalfSpace<Dim>{normal, s.offset + normal.dot(pose.position)};
}

template <int Dim>
Shape<Dim> move_one(const Compound<Dim>& s, const Pose<Dim>& pose) {
  Compound<Dim> result = s;
  for (auto& part : result.parts) part.pose = pose * part.pose;
  return result;
}

Shape<2> move_one(const Polyline& s, const Pose<2>& pose) {
  Polyline result = s;
  for (auto& x : result.points) x = pose.to_world(x);
  return result;
}

Shape<3> move_one(const TriangleMesh& s, const Pose<3>& pose) {
  TriangleMesh result = s;
  for (auto& x : result.vertices) x = pose.to_world(x);
  return result;
}

template <int Dim>
Shape<Dim> move_one(const Hollow<Dim>&, const Pose<Dim>&) {
  throw InputError({}, "a drum cannot be moved inside the frame of its body", {}, "move the body");
}

Shape<3> move_one(const HollowCylinder&, const Pose<3>&) {
  throw InputError({}, "a drum cannot be moved inside the frame of its body", {}, "move the body");
}

template <int Dim>
Shape<Dim> move_one(const Capsule<Dim>& s, const Pose<Dim>& pose) {
  return Capsule<Dim>{pose.to_world(s.start), pose.to_world(s.end), s.radius};
}

Shape<2> move_one(const ConvexPolygon& s, const Pose<2>& pose) {
  ConvexPolygon result = s;
  for (auto& x : result.vertices) x = pose.to_world(x);
  return result;
}

Shape<3> move_one(const ConvexPolyhedron& s, const Pose<3>& pose) {
  ConvexPolyhedron result = s;
  for (auto& x : result.vertices) x = pose.to_world(x);
  for (int f = 0; f < s.faces(); ++f) {
    result.normal[f] = pose.rotated(s.normal[f]);
    result.offset[f] = s.offset[f] + result.normal[f].dot(pose.position);
  }
  return result;
}

// The rest are tied to the origin of their frame: a compound of one part carries the pose.
template <int Dim, class S>
Shape<Dim> move_one(const S& s, const Pose<Dim>& pose) {
  return Compound<Dim>{{{s, pose}}};
}

}  // namespace

template <int Dim>
Shape<Dim> moved(const Shape<Dim>& shape, const Pose<Dim>& pose) {
  return std::visit([&](const auto& s) -> Shape<Dim> { return move_one(s, pose); }, shape);
}

template void check<2>(const Shape<2>&, const std::string&);
template void check<3>(const Shape<3>&, const std::string&);
template Shape<2> moved<2>(const Shape<2>&, const Pose<2>&);
template Shape<3> moved<3>(const Shape<3>&, const Pose<3>&);

}  // namespace saltus
