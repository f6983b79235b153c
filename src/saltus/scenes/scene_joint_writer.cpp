#include "saltus/scenes/scene_joint_writer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/scenes/scene_function_writer.hpp"

namespace saltus {

namespace {

std::string format_motor(const JointMotor& motor, bool rotation) {
  const char* kind = motor.kind == JointMotor::Kind::velocity   ? "velocity"
                     : motor.kind == JointMotor::Kind::position ? "position"
                                                                : "force";
  const std::array<TimeFunction, 3>& parts = motor.rotation;
  const std::string target = rotation ? fmt::format("{{ x = {}, y = {}, z = {} }}", format_function(parts[0]),
                                                    format_function(parts[1]), format_function(parts[2]))
                                      : format_function(motor.target);
  std::string text = fmt::format("{} = {}", kind, target);
  if (motor.limit) text += ", limit = " + format_function(*motor.limit);
  return "{ " + text + " }";
}

// Empty: there is nothing to say of it.
std::string format_direction(const FreeDirection& free, const std::optional<double>& start,
                             const std::optional<Vec<3>>& rotation_start) {
  std::string text;
  const auto key = [&](const char* name, const std::string& value) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  };
  if (start) key("start", to_toml(*start));
  if (free.rotation && rotation_start) key("start", to_toml(*rotation_start));
  if (free.limits) {
    if (std::isfinite(free.limits->lower)) key("lower", to_toml(free.limits->lower));
    if (std::isfinite(free.limits->upper)) key("upper", to_toml(free.limits->upper));
    key("restitution", to_toml(free.limits->restitution));
  }
  if (free.spring) {
    key("stiffness", to_toml(free.spring->stiffness));
    key("damping", to_toml(free.spring->damping));
    if (free.rotation && !free.spring->rest_rotation.isZero(0))
      key("rest", to_toml(free.spring->rest_rotation));
    if (!free.rotation && free.coordinate != Coordinate::swing && free.spring->stiffness > 0) {
      key("rest", to_toml(free.spring->rest));
      key("preload", to_toml(free.spring->preload));
    }
  }
  if (free.friction) {
    key("friction", to_toml(free.friction->constant));
    if (free.friction->coefficient > 0) {
      key("friction_coefficient", to_toml(free.friction->coefficient));
      if (free.rotation || is_angle(free.coordinate)) key("pin_radius", to_toml(free.friction->radius));
    }
  }
  if (free.motor) key("motor", format_motor(*free.motor, free.rotation));
  return text.empty() ? text : "{ " + text + " }";
}

template <int Dim>
void write_places(const SceneJoint<Dim>& joint, TextWriter& out) {
  const bool apart = joint.kind == JointKind::rod || joint.kind == JointKind::rope ||
                     joint.kind == JointKind::spring || joint.kind == JointKind::pulley;
  if (joint.local || apart || joint.points[0] != joint.points[1])
    out.key(joint.local ? "points_local" : "points",
            to_toml(std::vector<Vec<Dim>>{joint.points[0], joint.points[1]}));
  else
    out.key("point", to_toml(joint.points[0]));
  const Vec<Dim> axis = joint.axis.template head<Dim>(), axis2 = joint.axis2.template head<Dim>();
  const bool slides = joint.kind == JointKind::prismatic || joint.kind == JointKind::cylindrical;
  if (apart || (Dim == 2 && !slides)) return;
  if (joint.axis_b)
    out.key("axes_local", to_toml(std::vector<Vec<Dim>>{axis, Vec<Dim>(joint.axis_b->template head<Dim>())}));
  else if (!axis.isZero(0))
    out.key("axis", to_toml(axis));
  if (Dim == 3 && !axis2.isZero(0)) out.key("axis2", to_toml(axis2));
}

}  // namespace

template <int Dim>
void write_joint(const SceneJoint<Dim>& joint, TextWriter& out) {
  out.section("[[joints]]");
  if (!joint.name.empty()) out.key("name", quote(joint.name));
  out.key("kind", quote(name(joint.kind)));
  if (joint.kind == JointKind::gear) {
    out.key("joints", to_toml(std::vector<std::string>{joint.joints[0], joint.joints[1]}));
    if (!joint.directions[0].empty())
      out.key("directions", to_toml(std::vector<std::string>{joint.directions[0], joint.directions[1]}));
    out.key("ratio", to_toml(joint.ratio));
  } else {
    std::vector<std::string> bodies;
    if (!joint.a.empty()) bodies.push_back(joint.a);
    bodies.push_back(joint.b);
    out.key("bodies", to_toml(bodies));
    if (!joint.nodes[0].empty() || !joint.nodes[1].empty()) {
      std::vector<std::string> nodes = {joint.nodes[1]};
      if (!joint.a.empty()) nodes.insert(nodes.begin(), joint.nodes[0]);
      out.key("nodes", to_toml(nodes));
    }
    write_places(joint, out);
    if (joint.collide) out.key("collide", "true");
  }
  if (joint.may_be_off) out.key("may_be_off", "true");
  if (joint.kind == JointKind::screw) out.key("lead", to_toml(joint.lead));
  if (joint.length) out.key("length", to_toml(*joint.length));
  if (joint.kind == JointKind::pulley) {
    out.key("supports", to_toml(std::vector<Vec<Dim>>{joint.supports[0], joint.supports[1]}));
    out.key("ratio", to_toml(joint.ratio));
    out.key("slack", joint.slack ? "true" : "false");
  }
  if (joint.total) out.key("total", to_toml(*joint.total));
  if (joint.stabilisation_time) out.key("stabilisation_time", to_toml(*joint.stabilisation_time));
  if (joint.kind == JointKind::rope) {
    if (!joint.free.empty() && joint.free[0].limits)
      out.key("restitution", to_toml(joint.free[0].limits->restitution));
    return;
  }
  const std::vector<std::string> names = direction_names<Dim>(joint.kind);
  Joint<Dim> plain;
  set_kind<Dim>(joint.kind, plain);
  for (std::size_t i = 0; i < joint.free.size(); ++i) {
    if (joint.kind == JointKind::screw && names[i] == "slide") continue;
    FreeDirection free = joint.free[i];
    free.coordinate = plain.free[i].coordinate;
    free.rotation = plain.free[i].rotation;
    const std::string text = format_direction(free, i < joint.starts.size() ? joint.starts[i] : std::nullopt,
                                              joint.rotation_start);
    if (!text.empty()) out.key(names[i], text);
  }
}

void write_tie(const SceneTie& tie, TextWriter& out) {
  out.section("[[ties]]");
  if (!tie.name.empty()) out.key("name", quote(tie.name));
  out.key("bodies", to_toml(std::vector<std::string>{tie.bodies[0], tie.bodies[1]}));
  std::vector<std::string> on = {tie.on[0]};
  if (!tie.on[1].empty()) on.push_back(tie.on[1]);
  out.key("on", to_toml(on));
  if (tie.tolerance) out.key("tolerance", to_toml(*tie.tolerance));
}

template void write_joint<2>(const SceneJoint<2>&, TextWriter&);
template void write_joint<3>(const SceneJoint<3>&, TextWriter&);

}  // namespace saltus
