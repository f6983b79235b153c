#include "saltus/scenes/scene_joint_reader.hpp"

#include <fmt/format.h>

namespace saltus {

namespace {

template <int Dim>
SceneJoint<Dim> read_joint(TableReader& t) {
  SceneJoint<Dim> joint;
  joint.where = t.where();
  joint.name = t.text("name", "");
  t.choice("kind", {"revolute"});
  const std::vector<std::string> bodies = t.texts("bodies");
  if (bodies.empty() || bodies.size() > 2)
    t.fail("bodies", fmt::format("{} names", bodies.size()),
           "[\"body\"], held by the world, or [\"first\", \"second\"]");
  if (bodies.size() == 2) joint.a = bodies[0];
  joint.b = bodies.back();
  joint.point = t.vector<Dim>("point");
  if constexpr (Dim == 3) {
    joint.axis = t.vector<3>("axis");
    if (!(joint.axis.norm() > 0)) t.fail("axis", "[0, 0, 0]", "a direction");
  }
  joint.stabilisation = t.number("stabilisation", joint.stabilisation, Range{0, 1});
  if (std::optional<TableReader> stop = t.optional_table("stop")) {
    if (!stop->has("lower") && !stop->has("upper"))
      t.fail("stop", "neither lower nor upper", "one of them, or both");
    joint.lower = stop->number("lower", joint.lower, Range{-std::numeric_limits<double>::infinity(), 0});
    joint.upper = stop->number("upper", joint.upper, kNotNegative);
    joint.restitution = stop->number("restitution", 0, Range{0, 1});
    stop->finish();
  }
  t.finish();
  return joint;
}

}  // namespace

template <int Dim>
std::vector<SceneJoint<Dim>> read_joints(TableReader& scene) {
  std::vector<SceneJoint<Dim>> joints;
  for (TableReader& t : scene.tables("joints")) joints.push_back(read_joint<Dim>(t));
  return joints;
}

template std::vector<SceneJoint<2>> read_joints<2>(TableReader&);
template std::vector<SceneJoint<3>> read_joints<3>(TableReader&);

}  // namespace saltus
