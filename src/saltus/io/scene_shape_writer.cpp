#include "saltus/io/scene_shape_writer.hpp"

#include <fmt/format.h>

#include "saltus/io/scene_text.hpp"

namespace saltus {

namespace {

// Each gives the inside of the braces.
template <int Dim>
std::string format_one(const Ball<Dim>& s) {
  return fmt::format("kind = \"{}\", radius = {}", Dim == 2 ? "disk" : "sphere", to_toml(s.radius));
}

template <int Dim>
std::string format_one(const Capsule<Dim>& s) {
  const std::string ends = fmt::format("start = {}, end = {}", to_toml<Dim>(s.start), to_toml<Dim>(s.end));
  if (s.radius == 0) return "kind = \"segment\", " + ends;
  return fmt::format("kind = \"capsule\", {}, radius = {}", ends, to_toml(s.radius));
}

std::string format_one(const ConvexPolygon& s) {
  return fmt::format("kind = \"polygon\", points = {}", to_toml<2>(s.vertices));
}

std::string format_one(const ConvexPolyhedron& s) {
  return fmt::format("kind = \"polyhedron\", points = {}", to_toml<3>(s.vertices));
}

std::string format_one(const Cylinder& s) {
  return fmt::format("kind = \"cylinder\", radius = {}, length = {}", to_toml(s.radius), to_toml(2 * s.half_length));
}

template <int Dim>
std::string format_one(const HalfSpace<Dim>& s) {
  return fmt::format("kind = \"{}\", normal = {}, offset = {}", Dim == 2 ? "half-plane" : "plane",
                     to_toml<Dim>(s.normal), to_toml(s.offset));
}

template <int Dim>
std::string format_one(const Hollow<Dim>& s) {
  return fmt::format("kind = \"{}\", radius = {}", Dim == 2 ? "drum" : "hollow-sphere", to_toml(s.radius));
}

std::string format_one(const HollowCylinder& s) {
  return fmt::format("kind = \"drum\", radius = {}", to_toml(s.radius));
}

std::string format_one(const Polyline& s) {
  return fmt::format("kind = \"polyline\", points = {}, closed = {}", to_toml<2>(s.points), s.closed);
}

std::string format_one(const TriangleMesh& s) {
  std::string triangles;
  for (const auto& [i, j, k] : s.triangles) triangles += fmt::format("{}[{}, {}, {}]", triangles.empty() ? "" : ", ", i, j, k);
  return fmt::format("kind = \"mesh\", vertices = {}, triangles = [{}]", to_toml<3>(s.vertices), triangles);
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
    const std::string shape = std::visit([](const auto& one) { return format_one(one); }, part.shape);
    parts += fmt::format("{}{{ {}, {} }}", parts.empty() ? "" : ", ", shape, format_place(part.pose));
  }
  return fmt::format("kind = \"compound\", parts = [{}]", parts);
}

}  // namespace

template <int Dim>
std::string format_shape(const Shape<Dim>& shape) {
  return "{ " + std::visit([](const auto& s) { return format_one(s); }, shape) + " }";
}

template std::string format_shape<2>(const Shape<2>&);
template std::string format_shape<3>(const Shape<3>&);

}  // namespace saltus
