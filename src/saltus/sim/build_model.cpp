#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/dynamics/dof_name.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/geometry/thickness.hpp"
#include "saltus/schemes/quasi_static.hpp"
#include "saltus/schemes/schatzman_paoli.hpp"
#include "saltus/sim/alpha_step.hpp"
#include "saltus/sim/body_label.hpp"
#include "saltus/sim/simulation_model.hpp"
#include "saltus/sim/simulation_state.hpp"

namespace saltus {

namespace {

void check_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError("", what, fmt::format("{}", value), "a positive number");
}

template <int Dim>
void check_options(const Scene<Dim>& scene) {
  check_positive(scene.scheme.h, "time step");
  if (!(scene.scheme.theta >= 0.5 && scene.scheme.theta <= 1))
    throw InputError("", "theta", fmt::format("{}", scene.scheme.theta), "0.5 to 1");
  if (!(scene.scheme.activation_gamma >= 0 && scene.scheme.activation_gamma <= 1))
    throw InputError("", "activation_gamma", fmt::format("{}", scene.scheme.activation_gamma), "0 to 1");
  if (!(scene.end_time >= scene.start_time))
    throw InputError("", "end time before the start", fmt::format("{}", scene.end_time),
                     fmt::format("{} or more", scene.start_time));
  if (!(scene.solver.tolerance > 0) && !(scene.solver.tolerance_velocity > 0))
    throw InputError("", "tolerance of the solver", fmt::format("{}", scene.solver.tolerance),
                     "a positive number");
  if (scene.solver.max_iterations < 1)
    throw InputError("", "largest number of iterations", fmt::format("{}", scene.solver.max_iterations),
                     "1 or more");
  if (scene.scheme.kind == SchemeKind::schatzman_paoli && scene.scheme.activation != Activation::consistent)
    throw InputError("", "activation under the scheme schatzman-paoli", name(scene.scheme.activation),
                     "none: its law holds on positions and acts on every contact that is listed");
  if (is_alpha(scene.scheme.kind)) check_alpha_options(scene.scheme, "");
  check_step_control(scene.scheme, "");
  if (scene.scheme.kind == SchemeKind::moreau_jean_projected) {
    check_positive(scene.scheme.projection.tolerance, "projection_tolerance");
    if (scene.scheme.projection.passes < 1)
      throw InputError("", "projection_passes", fmt::format("{}", scene.scheme.projection.passes),
                       "1 or more");
  }
  if (scene.solver.margins && scene.solver.kind != SolverKind::nlgs &&
      scene.solver.kind != SolverKind::automatic)
    throw InputError("", "stopping by margins is for sweeps only", name(scene.solver.kind), "nlgs or auto");
  if (Dim == 3 && !scene.membranes.empty())
    throw InputError("", "a membrane (pressure on an outer contour) exists in 2D only");
}

void check_scheme(SchemeKind scheme, const PairLaw& law, const std::string& where) {
  if (scheme == SchemeKind::schatzman_paoli) check_schatzman_paoli(law, where);
  if (scheme == SchemeKind::quasi_static) check_quasi_static(law, where);
  if (is_alpha(scheme)) check_alpha_law(law, scheme, where);
}

PairLaw law_under(SchemeKind scheme, const PairLaw& law) { return is_alpha(scheme) ? alpha_law(law) : law; }

// Without what takes an overlap back by a velocity.
template <int Dim>
void build_joined_laws(SimulationModel<Dim>& model) {
  const std::vector<PairLaw>& laws = model.laws.laws();
  const bool touch = std::any_of(model.scene.joints.begin(), model.scene.joints.end(),
                                 [](const SceneJoint<Dim>& joint) { return joint.collide; });
  const bool differ = std::any_of(laws.begin(), laws.end(),
                                  [](const PairLaw& law) { return law.kind == LawKind::gap_signorini; });
  if (!touch || !differ) return;
  model.joined_laws = laws;
  for (PairLaw& law : model.joined_laws)
    if (law.kind == LawKind::gap_signorini) law.kind = LawKind::quasi_inelastic;
}

template <int Dim>
void build_laws(SimulationModel<Dim>& model) {
  const Scene<Dim>& scene = model.scene;
  for (const SceneLaw& entry : scene.laws) {
    check_law(entry.law, scene.scheme.theta, entry.where);
    check_scheme(scene.scheme.kind, entry.law, entry.where);
    const int a = model.laws.add_material(entry.material_a), b = model.laws.add_material(entry.material_b);
    model.laws.set(a, b, law_under(scene.scheme.kind, entry.law));
  }
  for (const SceneBody<Dim>& body : scene.bodies)
    model.material.push_back(model.laws.add_material(body.material));
  if (!scene.default_law) return;
  const std::string where = scene.default_law_where.empty() ? "default law" : scene.default_law_where;
  check_law(*scene.default_law, scene.scheme.theta, where);
  check_scheme(scene.scheme.kind, *scene.default_law, where);
  for (int a = 0; a < static_cast<int>(model.laws.materials().size()); ++a)
    for (int b = a; b < static_cast<int>(model.laws.materials().size()); ++b)
      if (!model.laws.has(a, b)) model.laws.set(a, b, law_under(scene.scheme.kind, *scene.default_law));
}

// A body without mass of its own: nothing but its drives moves it.
template <int Dim>
bool is_prescribed(const SceneBody<Dim>& body) {
  return body.fixed ||
         std::none_of(body.drive.begin(), body.drive.end(), [](const Drive& d) { return d.is_free(); });
}

template <int Dim>
std::string quoted_name(const SceneBody<Dim>& body) {
  return body.name.empty() ? "without a name" : '"' + body.name + '"';
}

// What to do with a shape that has no volume, such as a drum, when not all of its motion is given.
template <int Dim>
std::string without_volume(const SceneBody<Dim>& body) {
  std::string free;
  for (int dof = 0; dof < kDofs<Dim>; ++dof)
    if (body.drive[dof].is_free())
      free += fmt::format("{}\"{}\"", free.empty() ? "" : ", ", dof_name<Dim>(dof));
  return fmt::format(
      "body {} has no volume, and is free to move in {}: fix it, or drive or lock these "
      "(locked = [{}]), or give its mass and inertia",
      quoted_name(body), free, free);
}

template <int Dim>
MassProperties<Dim> mass_of(const SceneBody<Dim>& body) {
  MassProperties<Dim> result;
  const bool has_volume = compute_volume<Dim>(body.shape) > 0;
  if (body.inertia && !body.mass) throw InputError(body.where, "a given inertia needs a given mass");
  if (has_volume) {
    result = compute_mass_properties<Dim>(body.shape, body.density, body.where);
    if (body.mass) {
      result.inertia *= *body.mass / result.mass;
      result.mass = *body.mass;
    }
  } else if (!is_prescribed(body) && !(body.mass && body.inertia)) {
    throw InputError(body.where, without_volume(body));
  } else {
    result.mass = body.mass.value_or(1.0);
    result.inertia = Inertia<Dim>::Identity();
  }
  if (body.inertia) result.inertia = *body.inertia;
  if (body.centre) result.centre = *body.centre;
  check_inertia<Dim>(result.mass, result.inertia, body.where);
  return result;
}

template <int Dim>
double smallest_width(const Shape<Dim>& shape) {
  if (is_unbounded<Dim>(shape)) return 0;
  const Bounds<Dim> bounds = compute_bounds<Dim>(shape, Pose<Dim>());
  return (bounds.high - bounds.low).minCoeff();
}

template <int Dim>
void check_start(const SceneBody<Dim>& body) {
  if (!body.velocity.allFinite() || !body.spin.allFinite() || !body.pose.position.allFinite())
    throw InputError(body.where, "position or velocity of body " + quoted_name(body) + " is not finite");
  if (body.fixed && (!body.velocity.isZero(0) || !body.spin.isZero(0)))
    throw InputError(body.where,
                     "body " + quoted_name(body) + " is fixed but has a velocity: drive it instead");
  for (int dof = 0; dof < kDofs<Dim>; ++dof) {
    const double speed = dof < Dim ? body.velocity[dof] : body.spin[dof - Dim];
    if (body.drive[dof].kind == Drive::Kind::locked && speed != 0)
      throw InputError(body.where,
                       "body " + quoted_name(body) + " has a velocity in a degree of freedom that is locked",
                       fmt::format("{}", speed), "0, or a drive instead of the lock");
  }
  if (!(body.damping >= 0) || !(body.damping_rotation >= 0))
    throw InputError(body.where, "damping", fmt::format("{}", std::min(body.damping, body.damping_rotation)),
                     "0 or more");
  if (body.removed_at <= body.added_at)
    throw InputError(body.where, "body " + quoted_name(body) + " is removed before it is added");
}

// In a cell a body must not meet its own image, whichever way it turns.
template <int Dim>
void check_width(const SceneBody<Dim>& body, double radius, const Vec<Dim>& period) {
  if (is_unbounded<Dim>(body.shape)) return;
  const Bounds<Dim> box = compute_bounds<Dim>(body.shape, body.pose);
  for (int k = 0; k < Dim; ++k) {
    const double width = body.fixed ? box.high[k] - box.low[k] : 2 * radius;
    if (period[k] > 0 && !(width < period[k]))
      throw InputError(body.where,
                       fmt::format("body {} is too wide for the period along axis {}", quoted_name(body), k),
                       fmt::format("{}", width), fmt::format("below {}", period[k]));
  }
}

// Frictionless contacts do not turn a ball at rest.
bool may_turn(const SceneBody<3>& body) {
  const auto is_locked = [](const Drive& drive) { return drive.kind == Drive::Kind::locked; };
  const bool all_locked = std::all_of(body.drive.begin() + 3, body.drive.end(), is_locked);
  const bool all_free = std::all_of(body.drive.begin() + 3, body.drive.end(),
                                    [](const Drive& drive) { return drive.is_free(); });
  const bool resting_ball =
      all_free && std::holds_alternative<Ball<3>>(body.shape) && !body.centre && body.spin.isZero(0);
  return !all_locked && !resting_ball;
}

template <int Dim>
void check_body(int index, SimulationModel<Dim>& model) {
  const SceneBody<Dim>& body = model.scene.bodies[index];
  check<Dim>(body.shape, body.where);
  check_start(body);
  if constexpr (Dim == 3) {
    if (model.scene.scheme.kind == SchemeKind::schatzman_paoli && may_turn(body) && !is_prescribed(body))
      throw InputError(
          body.where, "a body that may turn in space, under the scheme", "schatzman-paoli",
          "moreau-jean, or locked = [\"rx\", \"ry\", \"rz\"] for the body: q_(k+1) - 2 q_k + q_(k-1) "
          "has no meaning for rotations");
  }
  const Vec<Dim> centre = mass_of(body).centre;
  if (!centre.isZero(0)) {
    model.centre.emplace(index, centre);
    model.moved_shapes.emplace(index, moved<Dim>(body.shape, Pose<Dim>(Vec<Dim>(-centre))));
  }
  const Shape<Dim>& shape = model.shape_about_mass(index);
  model.thickness.push_back(compute_thickness<Dim>(shape));
  model.bounding_radius.push_back(is_unbounded<Dim>(shape) ? 0.0 : compute_bounding_radius<Dim>(shape));
  check_width(body, model.bounding_radius.back(), model.scene.period);
}

// Bodies of one joint do not touch, unless it says so.
template <int Dim>
bool are_joined(const Scene<Dim>& scene, const SceneBody<Dim>& one, const SceneBody<Dim>& other) {
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const SceneJoint<Dim>& joint) {
    if (joint.collide || joint.a.empty() || joint.b.empty()) return false;
    return (one.name == joint.a && other.name == joint.b) || (one.name == joint.b && other.name == joint.a);
  });
}

// Every pair of materials that can meet has a law: two bodies of theirs, not both prescribed, in groups that
// touch.
template <int Dim>
void check_pairs(const SimulationModel<Dim>& model) {
  struct Kind {
    int material;
    std::uint32_t group, mask;
    bool prescribed;
    int count;
    const SceneBody<Dim>*first, *second;
  };
  std::vector<char> is_point(model.scene.bodies.size(), 0);  // of a system: it moves, and meets what stands
  for (const FollowerModel<Dim>& follower : model.parts.followers)
    is_point[follower.body] = follower.point != nullptr;
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < model.scene.bodies.size(); ++i) {
    const SceneBody<Dim>& body = model.scene.bodies[i];
    const bool prescribed = is_prescribed(body) && !is_point[i];
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) {
      return k.material == model.material[i] && k.group == body.group && k.mask == body.mask &&
             k.prescribed == prescribed;
    });
    if (same == kinds.end())
      kinds.push_back({model.material[i], body.group, body.mask, prescribed, 1, &body, &body});
    else if (++same->count == 2)
      same->second = &body;
  }
  PairFilter filter;
  for (const auto& [g, h] : model.scene.excluded_groups) filter.exclude_groups(g, h);
  for (const Kind& a : kinds)
    for (const Kind& b : kinds) {
      if (&a == &b && a.count < 2) continue;
      const bool meet =
          filter.may_touch(0, {a.prescribed, a.group, a.mask}, 1, {b.prescribed, b.group, b.mask});
      const SceneBody<Dim>& other = &a == &b ? *b.second : *b.first;
      const bool no_others = &a == &b ? a.count == 2 : a.count == 1 && b.count == 1;
      if (no_others && are_joined<Dim>(model.scene, *a.first, other)) continue;
      if (meet && !model.laws.has(a.material, b.material))
        throw InputError(
            other.where,
            fmt::format("no contact law for the materials \"{}\" of body {} and \"{}\" of body {}: add "
                        "[law] for all pairs, or [[laws]] with between = [\"{}\", \"{}\"]",
                        a.first->material.str(), quoted_name(*a.first), other.material.str(),
                        quoted_name(other), a.first->material.str(), other.material.str()));
    }
}

template <int Dim>
void build_events(SimulationModel<Dim>& model) {
  for (int i = 0; i < static_cast<int>(model.scene.bodies.size()); ++i) {
    const SceneBody<Dim>& body = model.scene.bodies[i];
    model.events.push_back({body.added_at, i, true});
    if (std::isfinite(body.removed_at)) model.events.push_back({body.removed_at, i, false});
  }
  std::stable_sort(model.events.begin(), model.events.end(),
                   [](const BodyEvent& a, const BodyEvent& b) { return a.time < b.time; });
}

// What can come in unseen by a turn: all but balls have features off their centre.
template <int Dim>
void measure_features(SimulationModel<Dim>& model) {
  model.turning = model.bounding_radius;
  model.finest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < model.turning.size(); ++i) {
    if (model.thickness[i] > 0) model.finest = std::min(model.finest, model.thickness[i]);
    if (std::holds_alternative<Ball<Dim>>(model.shape_about_mass(static_cast<int>(i)))) model.turning[i] = 0;
  }
}

}  // namespace

template <int Dim>
SimulationModel<Dim> build_simulation_model(Scene<Dim> scene, SimulationState<Dim>& state) {
  check_options(scene);
  SimulationModel<Dim> model;
  model.scene = std::move(scene);
  if (model.scene.scheme.kind == SchemeKind::quasi_static) model.scene.scheme.theta = 1;
  build_systems<Dim>(model, state.parts);
  build_laws<Dim>(model);
  const int count = static_cast<int>(model.scene.bodies.size());
  for (int i = 0; i < count; ++i) check_body<Dim>(i, model);
  for (const FollowerModel<Dim>& point : model.parts.followers)
    if (point.thickness > 0) model.thickness[point.body] = point.thickness;
  measure_features<Dim>(model);
  check_pairs<Dim>(model);
  build_events<Dim>(model);
  build_joints<Dim>(model, state.parts.joints);
  build_servos<Dim>(model);
  build_membranes<Dim>(model);
  for (const PairLaw& law : model.laws.laws()) {
    model.is_rolling |= law.rolling > 0;
    model.is_soft |= is_layer(law.kind) || law.cohesion > 0;
    model.is_linear &= is_linear(law);
    model.has_swift |= needs_forecast(law.kind);
  }
  model.has_swift &= std::any_of(model.turning.begin(), model.turning.end(), [](double r) { return r > 0; });
  // A hundredth of the narrower body: a contact pushed at by its neighbours is known before it closes, and no other bodies decide.
  model.alert = model.scene.alert > 0 ? model.scene.alert : -0.01;
  build_joined_laws(model);
  if (is_alpha(model.scene.scheme.kind)) check_alpha_scene<Dim>(model, state.parts);
  return model;
}

template <int Dim>
BodyModel<Dim> SimulationModel<Dim>::build_body(int index) const {
  const SceneBody<Dim>& body = scene.bodies[index];
  const MassProperties<Dim> properties = mass_of(body);
  BodyModel<Dim> model;
  model.mass = properties.mass;
  model.inertia = properties.inertia;
  model.damping = body.damping + scene.damping;
  model.damping_rotation = body.damping_rotation + scene.damping_rotation;
  model.drive = body.drive;
  if (body.fixed) model.drive.fill({Drive::Kind::locked, {}});
  model.force = body.force;
  model.material = material[index];
  model.size = smallest_width<Dim>(shape_about_mass(index));
  return model;
}

template <int Dim>
Pose<Dim> SimulationModel<Dim>::initial_pose(int body) const {
  Pose<Dim> pose = scene.bodies[body].pose;
  if (const auto own = centre.find(body); own != centre.end()) pose.position = pose.to_world(own->second);
  return pose;
}

template <int Dim>
const Shape<Dim>& SimulationModel<Dim>::shape_about_mass(int body) const {
  const auto moved = moved_shapes.find(body);
  return moved == moved_shapes.end() ? scene.bodies[body].shape : moved->second;
}

template <int Dim>
double SimulationModel<Dim>::thinner(BodyId id_a, BodyId id_b) const {
  const double a = thickness[id_a], b = thickness[id_b];
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

template <int Dim>
std::string SimulationModel<Dim>::label(BodyId id) const {
  return body_label(scene, id);
}

template SimulationModel<2> build_simulation_model<2>(Scene<2>, SimulationState<2>&);
template SimulationModel<3> build_simulation_model<3>(Scene<3>, SimulationState<3>&);
template BodyModel<2> SimulationModel<2>::build_body(int) const;
template Pose<2> SimulationModel<2>::initial_pose(int) const;
template const Shape<2>& SimulationModel<2>::shape_about_mass(int) const;
template double SimulationModel<2>::thinner(BodyId, BodyId) const;
template std::string SimulationModel<2>::label(BodyId) const;
template BodyModel<3> SimulationModel<3>::build_body(int) const;
template Pose<3> SimulationModel<3>::initial_pose(int) const;
template const Shape<3>& SimulationModel<3>::shape_about_mass(int) const;
template double SimulationModel<3>::thinner(BodyId, BodyId) const;
template std::string SimulationModel<3>::label(BodyId) const;

}  // namespace saltus
