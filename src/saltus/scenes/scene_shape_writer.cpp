#include "saltus/scenes/scene_shape_writer.hpp"

#include <fmt/format.h>

#include "saltus/scenes/scene_text.hpp"

namespace saltus {

namespace {

template <int Dim>
std::string kind_of(const Ball<Dim>&) {
  return Dim == 2 ? "disk" : "sphere";
}
template <int Dim>
std::string kind_of(const Capsule<Dim>& s) {
  return s.radius == 0 ? "segment" : "capsule";
}
std::string kind_of(const ConvexPolygon&) { return "polygon"; }
std::string kind_of(const ConvexPolyhedron&) { return "polyhedron"; }
std::string kind_of(const Cylinder&) { return "cylinder"; }
std::string kind_of(const Ellipsoid&) { return "ellipsoid"; }
template <int Dim>
std::string kind_of(const HalfSpace<Dim>&) {
  return Dim == 2 ? "half-plane" : "plane";
}
template <int Dim>
std::string kind_of(const Hollow<Dim>&) {
  return Dim == 2 ? "drum" : "hollow-sphere";
}
std::string kind_of(const HollowCylinder&) { return "drum"; }
std::string kind_of(const Polyline&) { return "polyline"; }
std::string kind_of(const TriangleMesh&) { return "mesh"; }
template <int Dim>
std::string kind_of(const Compound<Dim>&) {
  return "compound";
}

// Each gives the keys that follow the kind.
template <int Dim>
std::string format_one(const Ball<Dim>& s) {
  return fmt::format("radius = {}", to_toml(s.radius));
}

template <int Dim>
std::string format_one(const Capsule<Dim>& s) {
  const std::string ends = fmt::format("start = {}, end = {}", to_toml<Dim>(s.start), to_toml<Dim>(s.end));
  return s.radius == 0 ? ends : fmt::format("{}, radius = {}", ends, to_toml(s.radius));
}

std::string format_one(const ConvexPolygon& s) { return fmt::format("points = {}", to_toml<2>(s.vertices)); }

std::string format_one(const ConvexPolyhedron& s) {
  return fmt::format("points = {}", to_toml<3>(s.vertices));
}

std::string format_one(const Cylinder& s) {
  return fmt::format("radius = {}, length = {}", to_toml(s.radius), to_toml(2 * s.half_length));
}

std::string format_one(const Ellipsoid& s) { return fmt::format("semi_axes = {}", to_toml<3>(s.semi_axes)); }

template <int Dim>
std::string format_one(const HalfSpace<Dim>& s) {
  return fmt::format("normal = {}, offset = {}", to_toml<Dim>(s.normal), to_toml(s.offset));
}

template <int Dim>
std::string format_one(const Hollow<Dim>& s) {
  return fmt::format("radius = {}", to_toml(s.radius));
}

std::string format_one(const HollowCylinder& s) { return fmt::format("radius = {}", to_toml(s.radius)); }

std::string format_one(const Polyline& s) {
  return fmt::format("points = {}, closed = {}", to_toml<2>(s.points), s.closed);
}

std::string format_one(const TriangleMesh& s) {
  std::string triangles;
  for (const auto& [i, j, k] : s.triangles)
    triangles += fmt::format("{}[{}, {}, {}]", triangles.empty() ? "" : ", ", i, j, k);
  return fmt::format("vertices = {}, triangles = [{}]", to_toml<3>(s.vertices), triangles);
}

std::string format_place(const Pose<2>& pose) {
  return fmt::format("position = {}, angle = {}", to_toml<2>(pose.position), to_toml(pose.angle()));
}

std::string format_place(const Pose<3>& pose) {
  const Eigen::Quaterniond& q = pose.orientation();
  return fmt::format("position = {}, quaternion = {}", to_toml<3>(pose.position),
                     to_toml<4>(Vec<4>(q.w(), q.x(), q.y(), q.z())));
}

template <int Dim>
std::string format_one(const Compound<Dim>& s) {
  std::string parts;
  for (const auto& part : s.parts) {
    const std::string shape = std::visit(
        [](const auto& one) { return fmt::format("kind = \"{}\", {}", kind_of(one), format_one(one)); },
        part.shape);
    parts += fmt::format("{}{{ {}, {} }}", parts.empty() ? "" : ", ", shape, format_place(part.pose));
  }
  return fmt::format("parts = [{}]", parts);
}

}  // namespace

template <int Dim>
std::string format_shape(const Shape<Dim>& shape) {
  return std::visit(
      [](const auto& s) { return fmt::format("{{ kind = \"{}\", {} }}", kind_of(s), format_one(s)); }, shape);
}

template <int Dim>
std::string shape_kind(const Shape<Dim>& shape) {
  return std::visit([](const auto& s) { return kind_of(s); }, shape);
}

template std::string shape_kind<2>(const Shape<2>&);
template std::string shape_kind<3>(const Shape<3>&);

template std::string format_shape<2>(const Shape<2>&);
template std::string format_shape<3>(const Shape<3>&);

}  // namespace saltus
