#include "saltus/scenes/scene_joint_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/scenes/scene_function_reader.hpp"
#include "saltus/scenes/scene_text.hpp"

namespace saltus {

namespace {

constexpr JointKind kPlane[] = {JointKind::weld,        JointKind::revolute, JointKind::prismatic,
                                JointKind::cylindrical, JointKind::rod,      JointKind::rope,
                                JointKind::spring,      JointKind::gear,     JointKind::pulley};
constexpr JointKind kSpace[] = {JointKind::weld,        JointKind::revolute,  JointKind::prismatic,
                                JointKind::cylindrical, JointKind::spherical, JointKind::universal,
                                JointKind::planar,      JointKind::screw,     JointKind::rod,
                                JointKind::rope,        JointKind::spring,    JointKind::gear,
                                JointKind::pulley};

template <int Dim>
JointKind read_kind(TableReader& t) {
  std::vector<JointKind> kinds(std::begin(kPlane), std::end(kPlane));
  if (Dim == 3) kinds.assign(std::begin(kSpace), std::end(kSpace));
  std::vector<std::string> names;
  for (const JointKind kind : kinds) names.emplace_back(name(kind));
  return kinds[t.choice("kind", names)];
}

std::optional<double> optional_number(TableReader& t, std::string_view key, const Range& range) {
  if (!t.has(key)) return std::nullopt;
  return t.number(key, range);
}

// The least that is known without a run, of a formula at a thousand moments of it; between them a step that goes below zero tells.
double least_value(const TimeFunction& f, const SceneContext& context) {
  switch (f.kind) {
    case TimeFunction::Kind::constant: return f.value;
    case TimeFunction::Kind::sine: return f.value - std::abs(f.amplitude);
    case TimeFunction::Kind::table: return *std::min_element(f.values.begin(), f.values.end());
    case TimeFunction::Kind::expression: break;
  }
  constexpr int kMoments = 1000;
  double least = f.at(context.start_time);
  for (int i = 1; i <= kMoments; ++i)
    least =
        std::min(least, f.at(context.start_time + (context.end_time - context.start_time) * i / kMoments));
  return least;
}

// Along the axes x, y and z of the first body's frame; what is not given is zero.
void read_components(TableReader& motor, const char* key, SceneContext& context,
                     std::array<TimeFunction, 3>& functions) {
  TableReader t = motor.table(key);
  t.form("components");
  const char* names[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i)
    if (t.has(names[i])) functions[static_cast<std::size_t>(i)] = read_function(t, names[i], context);
  t.finish();
}

JointMotor read_motor(TableReader& t, bool rotation, SceneContext& context) {
  t.form(rotation ? "rotation motor" : "motor");
  JointMotor motor;
  int given = 0;
  const std::pair<const char*, JointMotor::Kind> kinds[] = {{"velocity", JointMotor::Kind::velocity},
                                                            {"position", JointMotor::Kind::position},
                                                            {"force", JointMotor::Kind::force}};
  for (const auto& [key, kind] : kinds)
    if (!(rotation && kind == JointMotor::Kind::force) && t.has(key)) {
      motor.kind = kind;
      if (rotation)
        read_components(t, key, context, motor.rotation);
      else
        motor.target = read_function(t, key, context);
      ++given;
    }
  if (given != 1)
    t.fail("velocity",
           fmt::format("{} of velocity{}", given, rotation ? " and position" : ", position and force"),
           "exactly one of them");
  if (t.has("limit")) {
    if (motor.kind == JointMotor::Kind::force)
      t.fail("limit", "a limit of a motor whose force is given", "a limit with velocity or position");
    motor.limit = read_function(t, "limit", context);
    if (const double least = least_value(*motor.limit, context); least < 0)
      t.fail("limit", fmt::format("{}", least), "0 or more at all times: it holds both ways");
  }
  t.finish();
  return motor;
}

// What of a free direction its keys may say: one of a swing has an upper limit only and rests in line, one of a rotation has no value of
// its own, the length of a spring no load that friction could follow.
struct DirectionKeys {
  bool rotation = false, swing = false, loaded = true;
};

constexpr Range kSwing{0, M_PI, true};

std::optional<JointLimits> read_limits(TableReader& t, bool swing) {
  const bool lower = !swing && t.has("lower"), upper = t.has("upper");
  if (!lower && !upper) {
    if (t.has("restitution")) t.fail("restitution", "without lower or upper", "a limit that it belongs to");
    return std::nullopt;
  }
  JointLimits limits;
  if (lower) limits.lower = t.number("lower", kAnyNumber);
  if (upper) limits.upper = t.number("upper", swing ? kSwing : kAnyNumber);
  limits.restitution = t.number("restitution", 0, Range{0, 1});
  if (!(limits.lower < limits.upper))
    t.fail("upper", fmt::format("{} with lower = {}", limits.upper, limits.lower), "upper above lower");
  return limits;
}

std::optional<JointSpring> read_spring(TableReader& t, const DirectionKeys& keys) {
  const bool one_angle = !keys.rotation && !keys.swing;
  if (!t.has("stiffness") && !t.has("damping") && (keys.swing || !t.has("rest")) &&
      (!one_angle || !t.has("preload")))
    return std::nullopt;
  JointSpring spring;
  spring.stiffness = t.number("stiffness", 0, kNotNegative);
  spring.damping = t.number("damping", 0, kNotNegative);
  if (keys.rotation && t.has("rest")) spring.rest_rotation = t.vector<3>("rest");
  if (one_angle) {
    spring.rest = t.number("rest", 0, kAnyNumber);
    spring.preload = t.number("preload", 0, kAnyNumber);
  }
  if (!(spring.stiffness > 0) && !(spring.damping > 0))
    t.fail("stiffness", "0 with damping = 0",
           "one of them above 0; a constant force is motor = { force = ... }");
  if (!(spring.stiffness > 0) && (spring.rest != 0 || spring.preload != 0 || !spring.rest_rotation.isZero(0)))
    t.fail("stiffness", "0 with rest or preload",
           "a number above 0; a constant force is motor = { force = ... }");
  return spring;
}

std::optional<JointFriction> read_friction(TableReader& t, bool turns, bool loaded) {
  if (!t.has("friction") && !(loaded && t.has("friction_coefficient"))) return std::nullopt;
  JointFriction friction;
  friction.constant = t.number("friction", 0, kNotNegative);
  if (loaded) friction.coefficient = t.number("friction_coefficient", 0, kNotNegative);
  if (turns && friction.coefficient > 0)
    friction.radius = t.number("pin_radius", kPositive);
  else if (turns && t.has("pin_radius"))
    t.fail("pin_radius", "without friction_coefficient", "both, or neither");
  return friction;
}

// One free direction. What a key would do that this direction has no place for is an error, not silence.
void read_direction(TableReader& t, const DirectionKeys& keys, SceneContext& context, FreeDirection& free,
                    std::optional<double>& start) {
  if (!keys.rotation && !keys.swing) start = optional_number(t, "start", kAnyNumber);
  if (!keys.rotation) free.limits = read_limits(t, keys.swing);
  free.spring = read_spring(t, keys);
  free.friction = read_friction(t, keys.rotation || is_angle(free.coordinate), keys.loaded);
  if (!keys.swing)
    if (std::optional<TableReader> motor = t.optional_table("motor"))
      free.motor = read_motor(*motor, keys.rotation, context);
  t.finish();
}

template <int Dim>
void read_directions(TableReader& t, SceneContext& context, SceneJoint<Dim>& joint) {
  const std::vector<std::string> names = direction_names<Dim>(joint.kind);
  Joint<Dim> plain;
  set_kind<Dim>(joint.kind, plain);
  joint.free = plain.free;
  joint.starts.assign(names.size(), std::nullopt);
  for (std::size_t i = 0; i < names.size(); ++i) {
    // The slide of a screw follows from its angle, the length of a rope is a number.
    const bool measured =
        (joint.kind == JointKind::screw && names[i] == "slide") || joint.kind == JointKind::rope;
    if (measured) continue;
    FreeDirection& free = joint.free[i];
    const DirectionKeys keys{free.rotation, free.coordinate == Coordinate::swing && !free.rotation,
                             !plain.held_points.empty()};
    if (std::optional<TableReader> direction = t.optional_table(names[i])) {
      if constexpr (Dim == 3)
        if (keys.rotation && direction->has("start")) joint.rotation_start = direction->vector<3>("start");
      read_direction(*direction, keys, context, free, joint.starts[i]);
    }
  }
  if (joint.kind != JointKind::spring) return;
  const FreeDirection& length = joint.free[0];
  if (!length.limits && !length.spring && !length.friction && !length.motor)
    t.fail("length", "nothing that acts along it", "length = { stiffness = ..., rest = ... }, and more");
}

template <int Dim>
void read_points(TableReader& t, SceneJoint<Dim>& joint) {
  const int given = t.has("point") + t.has("points") + t.has("points_local");
  const bool apart = joint.kind == JointKind::rod || joint.kind == JointKind::rope ||
                     joint.kind == JointKind::spring || joint.kind == JointKind::pulley;
  if (given != 1)
    t.fail("point", fmt::format("{} of point, points, points_local", given),
           apart ? "points = [on the first, on the second], or points_local"
                 : "point (in the world), points, or points_local (in the frames of the bodies)");
  if (t.has("point")) {
    if (apart) t.fail("point", "one point", "points = [on the first, on the second]");
    joint.points[0] = joint.points[1] = t.vector<Dim>("point");
    return;
  }
  joint.local = t.has("points_local");
  const char* key = joint.local ? "points_local" : "points";
  const std::vector<Vec<Dim>> points = t.vectors<Dim>(key);
  if (points.size() != 2)
    t.fail(key, fmt::format("{} points", points.size()), "two: on the first, on the second");
  joint.points[0] = points[0];
  joint.points[1] = points[1];
}

template <int Dim>
Vec<3> read_axis(TableReader& t, const char* key) {
  Vec<3> axis = Vec<3>::Zero();
  axis.head<Dim>() = t.vector<Dim>(key);
  if (!(axis.norm() > 0)) t.fail(key, to_toml(Vec<Dim>(axis.head<Dim>())), "a direction, not zero");
  return axis;
}

template <int Dim>
void read_axes(TableReader& t, SceneJoint<Dim>& joint) {
  const JointKind kind = joint.kind;
  const bool slides = kind == JointKind::prismatic || kind == JointKind::cylindrical;
  const bool needs = Dim == 2 ? slides
                              : slides || kind == JointKind::revolute || kind == JointKind::universal ||
                                    kind == JointKind::planar || kind == JointKind::screw;
  const bool may = needs || (Dim == 3 && (kind == JointKind::spherical || kind == JointKind::weld));
  if (!may) return;
  if (joint.local && t.has("axes_local")) {
    const std::vector<Vec<Dim>> axes = t.vectors<Dim>("axes_local");
    if (axes.size() != 2 || !(axes[0].norm() > 0) || !(axes[1].norm() > 0))
      t.fail("axes_local", fmt::format("{} axes, or one of length zero", axes.size()),
             "two directions: in the first, in the second");
    joint.axis.template head<Dim>() = axes[0];
    joint.axis_b = Vec<3>::Zero();
    joint.axis_b->template head<Dim>() = axes[1];
  } else if (needs || t.has("axis")) {
    joint.axis = read_axis<Dim>(t, "axis");
  }
  if (Dim == 3 && (kind == JointKind::universal || t.has("axis2"))) joint.axis2 = read_axis<Dim>(t, "axis2");
}

template <int Dim>
void read_bodies(TableReader& t, SceneJoint<Dim>& joint) {
  const std::vector<std::string> bodies = t.texts("bodies");
  if (joint.kind == JointKind::pulley ? bodies.size() != 2 : bodies.empty() || bodies.size() > 2)
    t.fail("bodies", fmt::format("{} names", bodies.size()),
           joint.kind == JointKind::pulley ? "[\"first\", \"second\"]"
                                           : "[\"body\"], held by the world, or [\"first\", \"second\"]");
  if (bodies.size() == 2) joint.a = bodies[0];
  joint.b = bodies.back();
  for (const std::string& name : bodies)
    if (name.empty()) t.fail("bodies", "an empty name", "names of bodies; held by the world: [\"body\"]");
  const std::vector<std::string> nodes = t.texts("nodes");
  if (nodes.empty()) return;
  if (nodes.size() != bodies.size())
    t.fail("nodes", fmt::format("{} texts for {} bodies", nodes.size(), bodies.size()),
           "one of each body, empty where it is not deformable");
  joint.nodes[1] = nodes.back();
  if (nodes.size() == 2) joint.nodes[0] = nodes[0];
}

template <int Dim>
void read_gear(TableReader& t, SceneJoint<Dim>& joint) {
  const std::vector<std::string> joints = t.texts("joints");
  if (joints.size() != 2)
    t.fail("joints", fmt::format("{} names", joints.size()), "[\"first\", \"second\"]: two joints");
  const std::vector<std::string> directions = t.texts("directions");
  if (!directions.empty() && directions.size() != 2)
    t.fail("directions", fmt::format("{} names", directions.size()),
           "one of each joint, as [\"angle\", \"slide\"]");
  for (int i = 0; i < 2; ++i) {
    joint.joints[i] = joints[i];
    if (!directions.empty()) joint.directions[i] = directions[i];
  }
  joint.ratio = t.number("ratio", kAnyNumber);
  if (joint.ratio == 0) t.fail("ratio", "0", "any other number: first = ratio x second");
}

template <int Dim>
SceneJoint<Dim> read_joint(TableReader& t, SceneContext& context) {
  SceneJoint<Dim> joint;
  joint.where = t.where();
  joint.name = t.text("name", "");
  joint.kind = read_kind<Dim>(t);
  if (joint.kind == JointKind::gear) {
    read_gear<Dim>(t, joint);
  } else {
    read_bodies<Dim>(t, joint);
    read_points<Dim>(t, joint);
    read_axes<Dim>(t, joint);
    read_directions<Dim>(t, context, joint);
    joint.collide = t.flag("collide", false);
  }
  joint.may_be_off = t.flag("may_be_off", false);
  if (joint.kind == JointKind::screw) {
    joint.lead = t.number("lead", kAnyNumber);
    if (joint.lead == 0) t.fail("lead", "0", "metres per turn; without any it is a revolute joint");
  }
  if (joint.kind == JointKind::rod || joint.kind == JointKind::rope)
    joint.length = optional_number(t, "length", kPositive);
  if (joint.kind == JointKind::rope) {
    joint.direction("length").limits = JointLimits{};
    joint.direction("length").limits->restitution = t.number("restitution", 0, Range{0, 1});
  }
  if (joint.kind == JointKind::pulley) {
    const std::vector<Vec<Dim>> supports = t.vectors<Dim>("supports");
    if (supports.size() != 2)
      t.fail("supports", fmt::format("{} points", supports.size()),
             "two: where the rope leaves for each body");
    joint.supports[0] = supports[0], joint.supports[1] = supports[1];
    joint.ratio = t.number("ratio", 1, kPositive);
    joint.slack = t.flag("slack", true);
  }
  if (joint.kind == JointKind::pulley || joint.kind == JointKind::gear)
    joint.total = optional_number(t, "total", kAnyNumber);
  joint.stabilisation_time = optional_number(t, "stabilisation_time", kNotNegative);
  t.finish();
  return joint;
}

SceneTie read_tie(TableReader& t) {
  SceneTie tie;
  tie.where = t.where();
  tie.name = t.text("name", "");
  const std::vector<std::string> bodies = t.texts("bodies"), on = t.texts("on");
  if (bodies.size() != 2 || bodies[0].empty() || bodies[1].empty())
    t.fail("bodies", fmt::format("{} names", bodies.size()),
           "[\"deformable\", \"other\"]: whose nodes are held, and what holds them");
  if (on.empty() || on.size() > 2 || on[0].empty())
    t.fail("on", fmt::format("{} names", on.size()),
           "[\"group\"] of the first, or [\"group\", \"sides\"] where the second is deformable too");
  tie.bodies[0] = bodies[0], tie.bodies[1] = bodies[1];
  tie.on[0] = on[0];
  if (on.size() == 2) tie.on[1] = on[1];
  tie.tolerance = optional_number(t, "tolerance", kPositive);
  t.finish();
  return tie;
}

}  // namespace

std::vector<SceneTie> read_ties(TableReader& scene) {
  std::vector<SceneTie> ties;
  for (TableReader& t : scene.tables("ties")) ties.push_back(read_tie(t));
  return ties;
}

template <int Dim>
std::vector<SceneJoint<Dim>> read_joints(TableReader& scene, SceneContext& context) {
  std::vector<SceneJoint<Dim>> joints;
  for (TableReader& t : scene.tables("joints")) joints.push_back(read_joint<Dim>(t, context));
  return joints;
}

template std::vector<SceneJoint<2>> read_joints<2>(TableReader&, SceneContext&);
template std::vector<SceneJoint<3>> read_joints<3>(TableReader&, SceneContext&);

}  // namespace saltus
