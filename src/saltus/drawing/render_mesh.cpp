#include "saltus/drawing/render_mesh.hpp"

#include <cmath>
#include <numbers>
#include <tuple>

namespace saltus {

namespace {

constexpr int kAround = 48;  // sides of round things: an angle of 7.5 degrees is not seen with smooth normals

Vec<3> any_across(const Vec<3>& axis) {
  return (std::abs(axis.z()) < 0.9 ? axis.cross(Vec<3>::UnitZ()) : axis.cross(Vec<3>::UnitX())).normalized();
}

class Builder {
 public:
  Builder(const Vec<3>& middle, double extent, Surface& out) : middle_(middle), extent_(extent), out_(out) {}

  void operator()(const Sphere& s, const Pose<3>& pose) { ball(pose.position, s.radius); }
  void operator()(const Capsule<3>& s, const Pose<3>& pose) {
    const Vec<3> a = pose.to_world(s.start), b = pose.to_world(s.end);
    ball(a, s.radius), ball(b, s.radius);
    if (a != b) tube(a, b, s.radius, 1);
  }
  void operator()(const Cylinder& s, const Pose<3>& pose) {
    const Vec<3> a = pose.to_world({0, 0, -s.half_length}), b = pose.to_world({0, 0, s.half_length});
    tube(a, b, s.radius, 1);
    disc(a, (a - b).normalized(), s.radius);
    disc(b, (b - a).normalized(), s.radius);
  }
  void operator()(const Ellipsoid& s, const Pose<3>& pose) {
    const auto corner = [&](const Vec<3>& unit) -> std::pair<Vec<3>, Vec<3>> {
      return {pose.to_world(s.semi_axes.cwiseProduct(unit)),
              pose.rotated(Vec<3>(unit.cwiseQuotient(s.semi_axes).normalized()))};
    };
    for_each_patch([&](const std::array<Vec<3>, 4>& unit) {
      std::array<Vec<3>, 4> x, n;
      for (int k = 0; k < 4; ++k) std::tie(x[k], n[k]) = corner(unit[k]);
      quad(x, n);
    });
  }
  void operator()(const ConvexPolyhedron& s, const Pose<3>& pose) {
    for (int face = 0; face < s.faces(); ++face) {
      const Vec<3> normal = pose.rotated(s.normal[face]);
      const int* corner = s.face_vertex.data() + s.face_begin[face];
      const auto at = [&](int k) { return pose.to_world(s.vertices[corner[k]]); };
      for (int k = 1; k + 1 < s.corners(face); ++k) flat(at(0), at(k), at(k + 1), normal);
    }
  }
  void operator()(const Plane& s, const Pose<3>& pose) {
    const Vec<3> normal = pose.rotated(s.normal), base = pose.to_world(s.offset * s.normal);
    disc(middle_ - normal * normal.dot(middle_ - base), normal, extent_);
  }
  void operator()(const HollowSphere& s, const Pose<3>& pose) {
    // Seen from inside: normals point to the centre.
    for_each_patch([&](const std::array<Vec<3>, 4>& unit) {
      std::array<Vec<3>, 4> x, n;
      for (int k = 0; k < 4; ++k) x[k] = pose.to_world(s.radius * unit[k]), n[k] = -pose.rotated(unit[k]);
      quad(x, n);
    });
  }
  void operator()(const HollowCylinder& s, const Pose<3>& pose) {
    const Vec<3> axis = pose.rotated(Vec<3>::UnitZ());
    const Vec<3> foot = pose.position + axis * axis.dot(middle_ - pose.position);
    tube(foot - extent_ * axis, foot + extent_ * axis, s.radius, -1);
  }
  void operator()(const TriangleMesh& s, const Pose<3>& pose) {
    for (const std::array<int, 3>& t : s.triangles) {
      const Vec<3> a = pose.to_world(s.vertices[t[0]]), b = pose.to_world(s.vertices[t[1]]),
                   c = pose.to_world(s.vertices[t[2]]);
      flat(a, b, c, (b - a).cross(c - a).normalized());
    }
  }
  void operator()(const Compound<3>& s, const Pose<3>& pose) {
    for (const auto& part : s.parts)
      std::visit([&](const auto& inner) { (*this)(inner, pose * part.pose); }, part.shape);
  }

 private:
  void ball(const Vec<3>& centre, double radius) {
    out_.balls.push_back({radius}), out_.centres.push_back(centre);
  }
  void flat(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& normal) {
    out_.triangles.push_back({{a, b, c}, {normal, normal, normal}});
  }
  // Patches of the unit sphere between circles of latitude and longitude.
  template <class Visit>
  void for_each_patch(Visit&& visit) {
    const auto at = [&](int u, int v) -> Vec<3> {
      const double polar = u * 2 * std::numbers::pi / kAround, turn = v * 2 * std::numbers::pi / kAround;
      return {std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)};
    };
    for (int i = 0; i < kAround / 2; ++i)
      for (int j = 0; j < kAround; ++j)
        visit(std::array<Vec<3>, 4>{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
  }
  void quad(const std::array<Vec<3>, 4>& x, const std::array<Vec<3>, 4>& n) {
    out_.triangles.push_back({{x[0], x[1], x[2]}, {n[0], n[1], n[2]}});
    out_.triangles.push_back({{x[0], x[2], x[3]}, {n[0], n[2], n[3]}});
  }
  // `side` 1: seen from outside, -1: from inside.
  void tube(const Vec<3>& a, const Vec<3>& b, double radius, double side) {
    const Vec<3> axis = (b - a).normalized(), x = any_across(axis), y = axis.cross(x);
    for (int k = 0; k < kAround; ++k) {
      const auto way = [&](int i) -> Vec<3> {
        const double turn = i * 2 * std::numbers::pi / kAround;
        return std::cos(turn) * x + std::sin(turn) * y;
      };
      const Vec<3> u = way(k), v = way(k + 1), nu = side * u, nv = side * v;
      out_.triangles.push_back({{a + radius * u, a + radius * v, b + radius * v}, {nu, nv, nv}});
      out_.triangles.push_back({{a + radius * u, b + radius * v, b + radius * u}, {nu, nv, nu}});
    }
  }
  void disc(const Vec<3>& centre, const Vec<3>& normal, double radius) {
    const Vec<3> x = any_across(normal), y = normal.cross(x);
    const auto at = [&](int i) -> Vec<3> {
      const double turn = i * 2 * std::numbers::pi / kAround;
      return centre + radius * (std::cos(turn) * x + std::sin(turn) * y);
    };
    for (int k = 0; k < kAround; ++k) flat(centre, at(k), at(k + 1), normal);
  }

  Vec<3> middle_;
  double extent_;
  Surface& out_;
};

}  // namespace

void add_tube(const Vec<3>& from, const Vec<3>& to, double radius, int sides, Surface& surface) {
  for (const Vec<3>& end : {from, to}) surface.balls.push_back({radius}), surface.centres.push_back(end);
  if (from == to) return;
  const Vec<3> axis = (to - from).normalized(), x = any_across(axis), y = axis.cross(x);
  const auto way = [&](int k) -> Vec<3> {
    const double turn = k * 2 * std::numbers::pi / sides;
    return std::cos(turn) * x + std::sin(turn) * y;
  };
  for (int k = 0; k < sides; ++k) {
    const Vec<3> u = way(k), v = way(k + 1);
    surface.triangles.push_back({{from + radius * u, from + radius * v, to + radius * v}, {u, v, v}});
    surface.triangles.push_back({{from + radius * u, to + radius * v, to + radius * u}, {u, v, u}});
  }
}

Surface build_surface(const Shape<3>& shape, const Pose<3>& pose, const Vec<3>& middle, double extent) {
  Surface surface;
  Builder builder(middle, extent, surface);
  std::visit([&](const auto& s) { builder(s, pose); }, shape);
  return surface;
}

}  // namespace saltus
