#include "saltus/generate/generate_chain.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

// The point of a line at a part of its length, 0 to 1.
template <int Dim>
Vec<Dim> point_along(const std::vector<Vec<Dim>>& line, double part) {
  double total = 0;
  for (std::size_t i = 1; i < line.size(); ++i) total += (line[i] - line[i - 1]).norm();
  double left = part * total;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const double length = (line[i] - line[i - 1]).norm();
    if (left <= length || i + 1 == line.size())
      return line[i - 1] + (length > 0 ? std::min(1.0, left / length) : 0.0) * (line[i] - line[i - 1]);
    left -= length;
  }
  return line.back();
}

template <int Dim>
SceneJoint<Dim> joint_at(const ChainSpec<Dim>& spec, std::string name, std::string a, std::string b,
                         const Vec<Dim>& point) {
  SceneJoint<Dim> joint;
  joint.where = spec.where;
  joint.name = std::move(name);
  joint.kind = Dim == 2 || !spec.axis.isZero(0) ? JointKind::revolute : JointKind::spherical;
  joint.a = a == "world" ? "" : std::move(a);
  joint.b = std::move(b);
  joint.points[0] = joint.points[1] = point;
  joint.axis = spec.axis;
  joint.stabilisation_time = spec.stabilisation_time;
  if (spec.friction.constant > 0 || spec.friction.coefficient > 0)
    joint.direction(joint.kind == JointKind::revolute ? "angle" : "rotation").friction = spec.friction;
  return joint;
}

Shape<2> link_shape(const Vec<2>& half, double width) { return Capsule<2>{-half, half, 0.5 * width}; }
Shape<3> link_shape(const Vec<3>& half, double width) { return Capsule<3>{-half, half, 0.5 * width}; }

}  // namespace

template <int Dim>
Chain<Dim> generate_chain(const ChainSpec<Dim>& spec) {
  Chain<Dim> chain;
  std::vector<Vec<Dim>> ends;
  for (int i = 0; i <= spec.links; ++i)
    ends.push_back(point_along(spec.line, static_cast<double>(i) / spec.links));
  const auto link = [&](int i) { return fmt::format("{}-{}", spec.name, i); };
  for (int i = 0; i < spec.links; ++i) {
    const Vec<Dim> half = 0.5 * (ends[i + 1] - ends[i]);
    if (!(2 * half.norm() > 1e-9))
      throw InputError(spec.where, fmt::format("link {} of a chain has no length", i), "",
                       "a longer line, or fewer links");
    SceneBody<Dim> body = spec.model;
    body.name = link(i);
    body.shape = link_shape(half, spec.width);
    body.pose = Pose<Dim>(0.5 * (ends[i + 1] + ends[i]));
    chain.bodies.push_back(std::move(body));
    if (i > 0)
      chain.joints.push_back(
          joint_at(spec, fmt::format("{}-joint-{}", spec.name, i), link(i - 1), link(i), ends[i]));
  }
  if (!spec.start.empty())
    chain.joints.push_back(joint_at(spec, spec.name + "-joint-0", spec.start, link(0), ends.front()));
  if (!spec.end.empty())
    chain.joints.push_back(joint_at(spec, fmt::format("{}-joint-{}", spec.name, spec.links), spec.end,
                                    link(spec.links - 1), ends.back()));
  return chain;
}

template Chain<2> generate_chain<2>(const ChainSpec<2>&);
template Chain<3> generate_chain<3>(const ChainSpec<3>&);

}  // namespace saltus
