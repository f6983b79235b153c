#include "saltus/scenes/scene_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "saltus/scenes/scene_beam_writer.hpp"
#include "saltus/scenes/scene_body_reader.hpp"
#include "saltus/scenes/scene_deformable_writer.hpp"
#include "saltus/scenes/scene_function_writer.hpp"
#include "saltus/scenes/scene_joint_writer.hpp"
#include "saltus/scenes/scene_lagrangian_writer.hpp"
#include "saltus/scenes/scene_measure_writer.hpp"
#include "saltus/scenes/scene_shape_writer.hpp"
#include "saltus/scenes/scene_system_writer.hpp"
#include "saltus/scenes/scene_text.hpp"

namespace saltus {

namespace {

template <int Dim>
void write_motion(const SceneBody<Dim>& body, TextWriter& out) {
  std::string locked, driven, forces;
  const auto append = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  for (int dof = 0; dof < kDofs<Dim>; ++dof) {
    const std::string& dof_name = dof_names<Dim>()[dof];
    const Drive& drive = body.drive[dof];
    if (drive.kind == Drive::Kind::locked)
      append(locked, quote(dof_name));
    else if (!drive.is_free())
      append(driven, fmt::format("{} = {{ {} }}", dof_name, format_drive(drive)));
    if (!body.force[dof].is_zero())
      append(forces, fmt::format("{} = {}", dof_name, format_function(body.force[dof])));
  }
  if (body.fixed) out.key("fixed", "true");
  if (!locked.empty() && !body.fixed) out.key("locked", "[" + locked + "]");
  if (!driven.empty() && !body.fixed) out.key("drive", "{ " + driven + " }");
  if (!forces.empty()) out.key("force", "{ " + forces + " }");
}

void write_pose(const Pose<2>& pose, TextWriter& out) {
  out.key("position", to_toml(pose.position));
  if (pose.angle() != 0) out.key("angle", to_toml(pose.angle()));
}

void write_pose(const Pose<3>& pose, TextWriter& out) {
  const Eigen::Quaterniond& q = pose.orientation();
  out.key("position", to_toml(pose.position));
  if (q.vec() != Vec<3>::Zero()) out.key("quaternion", to_toml(Vec<4>(q.w(), q.x(), q.y(), q.z())));
}

std::string to_toml_inertia(const Inertia<2>& i) { return to_toml(i(0, 0)); }
std::string to_toml_inertia(const Inertia<3>& i) {
  return to_toml(std::vector<double>{i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)});
}

std::string to_toml_spin(const Spin<2>& spin) { return to_toml(spin[0]); }
std::string to_toml_spin(const Spin<3>& spin) { return to_toml(spin); }

template <int Dim>
void write_body(const SceneBody<Dim>& body, bool is_named, TextWriter& out) {
  const SceneBody<Dim> preset;
  out.section("[[bodies]]");
  if (is_named) out.key("name", quote(body.name));
  if (body.material.str() != preset.material) out.key("material", quote(body.material.str()));
  out.key("shape", format_shape<Dim>(body.shape));
  write_pose(body.pose, out);
  if (body.velocity != preset.velocity) out.key("velocity", to_toml(body.velocity));
  if (body.spin != preset.spin) out.key("spin", to_toml_spin(body.spin));
  if (body.density != preset.density) out.key("density", to_toml(body.density));
  if (body.mass) out.key("mass", to_toml(*body.mass));
  if (body.inertia) out.key("inertia", to_toml_inertia(*body.inertia));
  if (body.centre) out.key("centre", to_toml(*body.centre));
  write_motion(body, out);
  if (body.damping != 0) out.key("damping", to_toml(body.damping));
  if (body.damping_rotation != 0) out.key("damping_rotation", to_toml(body.damping_rotation));
  if (body.group != preset.group) out.key("groups", group_list(body.group));
  if (body.mask != preset.mask) out.key("touches", group_list(body.mask));
  if (body.added_at != preset.added_at) out.key("added_at", to_toml(body.added_at));
  if (body.removed_at != preset.removed_at) out.key("removed_at", to_toml(body.removed_at));
}

void write_law(const PairLaw& law, TextWriter& out) {
  const PairLaw preset;
  const auto write = [&](const char* key, double value, double usual) {
    if (value != usual) out.key(key, to_toml(value));
  };
  out.key("kind", quote(name(law.kind)));
  write("friction", law.friction, preset.friction);
  if (law.friction_dynamic >= 0) out.key("friction_dynamic", to_toml(law.friction_dynamic));
  if (law.kind == LawKind::newton || law.kind == LawKind::fremond)
    out.key("restitution", to_toml(law.restitution));
  if (law.kind == LawKind::newton) write("restitution_tangent", law.restitution_tangent, 0);
  if (law.kind == LawKind::moreau) out.key("dissipation", to_toml(law.dissipation));
  if (is_layer(law.kind)) {
    out.key("stiffness_normal", to_toml(law.stiffness_normal));
    out.key("stiffness_tangent", to_toml(law.stiffness_tangent));
  }
  if (law.cohesion > 0) {
    out.key("cohesion", to_toml(law.cohesion));
    out.key("rupture_gap", to_toml(law.rupture_gap));
    out.key("bonding", quote(law.bonding == Bonding::initial ? "initial" : "adhesive"));
  }
  write("viscosity", law.viscosity, preset.viscosity);
  if (law.function && !law.function->formula().empty())
    out.key("friction_function", quote(law.function->formula()));
  else if (law.function)
    out.key("friction_function",
            fmt::format("{{ speeds = {}, forces = {} }}", to_toml(law.function->speeds()),
                        to_toml(law.function->forces())));
  write("regularisation", law.regularisation, preset.regularisation);
  write("rolling", law.rolling, preset.rolling);
}

void write_solver(const SolverSettings& solver, TextWriter& out) {
  constexpr const char* kLocals[] = {"cascade", "newton", "projection"};
  out.section("[solver]");
  out.key("name", quote(name(solver.kind)));
  out.key("tolerance", to_toml(solver.tolerance));
  if (solver.tolerance_velocity > 0) out.key("tolerance_velocity", to_toml(solver.tolerance_velocity));
  out.key("max_iterations", fmt::format("{}", solver.max_iterations));
  out.key("threads", fmt::format("{}", solver.threads));
  out.key("local", quote(kLocals[static_cast<int>(solver.local)]));
  if (const auto& m = solver.margins)
    out.key("margins", fmt::format("{{ gap = {}, velocity = {}, force = {} }}", to_toml(m->gap),
                                   to_toml(m->velocity), to_toml(m->force)));
}

void write_theta(const SchemeOptions& scheme, TextWriter& out) {
  out.key("theta", to_toml(scheme.theta));
  if (scheme.activation == Activation::gamma)
    out.key("activation_gamma", to_toml(scheme.activation_gamma));
  else if (!scheme.lands())
    out.key("activation", quote(name(scheme.activation)));
  out.key("jacobian_at", quote(name(scheme.jacobian_at)));
}

void write_alpha(const SchemeOptions& scheme, TextWriter& out) {
  const AlphaOptions& alpha = scheme.alpha;
  if (scheme.kind == SchemeKind::generalized_alpha || scheme.kind == SchemeKind::alpha_index3)
    out.key("alpha_m", to_toml(alpha.alpha_m));
  if (scheme.kind != SchemeKind::newmark) out.key("alpha_f", to_toml(alpha.alpha_f));
  out.key("beta", to_toml(alpha.beta));
  out.key("gamma", to_toml(alpha.gamma));
  out.key("newton_tolerance", to_toml(alpha.tolerance));
  out.key("newton_iterations", fmt::format("{}", alpha.iterations));
}

template <int Dim>
void write_options(const Scene<Dim>& scene, TextWriter& out) {
  out.section("[scheme]");
  if (scene.scheme.kind != SchemeKind::moreau_jean) out.key("kind", quote(name(scene.scheme.kind)));
  out.key("h", to_toml(scene.scheme.h));
  if (is_alpha(scene.scheme.kind))
    write_alpha(scene.scheme, out);
  else if (scene.scheme.kind != SchemeKind::schatzman_paoli)
    write_theta(scene.scheme, out);
  if (scene.scheme.leaves_overlaps() && !scene.scheme.position_correction)
    out.key("position_correction", "false");
  if (scene.scheme.kind == SchemeKind::moreau_jean_projected) {
    const ProjectionOptions& p = scene.scheme.projection;
    out.key("projection", quote(name(p.kind)));
    out.key("projection_metric", quote(name(p.metric)));
    out.key("projection_tolerance", to_toml(p.tolerance));
    out.key("projection_passes", fmt::format("{}", p.passes));
  }
  if (scene.scheme.kind == SchemeKind::event_driven) {
    out.key("event_tolerance", to_toml(scene.scheme.events.tolerance));
    out.key("most_events", fmt::format("{}", scene.scheme.events.most_events));
  }
  if (const StepControl& control = scene.scheme.control; control.on) {
    out.key("step_control", "true");
    out.key("step_control_halvings", fmt::format("{}", control.halvings));
    out.key("step_control_overlap", to_toml(control.overlap));
  }
  write_solver(scene.solver, out);
  out.section("[run]");
  out.key("start", to_toml(scene.start_time));
  out.key("until", to_toml(scene.end_time));
  if (scene.relax_overlaps) out.key("relax_overlaps", "true");
  if (std::isfinite(scene.penetration_limit)) out.key("penetration_limit", to_toml(scene.penetration_limit));
  if (!scene.stops.empty()) out.key("stop", format_stops(scene.stops));
  out.section("[output]");
  out.key("every", to_toml(scene.output.every));
  if (!scene.output.fields.empty()) out.key("fields", to_toml(scene.output.fields));
  out.key("checkpoint_every", to_toml(scene.output.checkpoint_every));
  if (scene.output.measure_every != 1)
    out.key("measure_every", fmt::format("{}", scene.output.measure_every));
}

template <int Dim>
void write_general(const Scene<Dim>& scene, TextWriter& out) {
  if (!scene.title.empty()) out.key("title", quote(scene.title));
  out.key("dimension", fmt::format("{}", Dim));
  out.key("gravity", to_toml(scene.gravity));
  if (!scene.tilt.is_zero())
    out.key("tilt", fmt::format("{{ angle = {}{} }}", format_function(scene.tilt.angle),
                                Dim == 3 ? ", axis = " + to_toml(scene.tilt.axis) : std::string()));
  if (scene.damping != 0) out.key("damping", to_toml(scene.damping));
  if (scene.damping_rotation != 0) out.key("damping_rotation", to_toml(scene.damping_rotation));
  if (scene.period != Vec<Dim>::Zero()) out.key("period", to_toml(scene.period));
  if (scene.alert != 0) out.key("alert", to_toml(scene.alert));
  std::string apart;
  for (const auto& [g, h] : scene.excluded_groups)
    apart += fmt::format("{}[{}, {}]", apart.empty() ? "" : ", ", g, h);
  if (!apart.empty()) out.key("groups_apart", "[" + apart + "]");
}

template <int Dim>
void write_materials_and_laws(const Scene<Dim>& scene, TextWriter& out) {
  std::set<std::string> materials;
  for (const auto& body : scene.bodies) materials.insert(body.material);
  for (const SceneElasticBody& body : scene.elastic) materials.insert(body.material);
  for (const SceneDeformable<Dim>& body : scene.deformable) materials.insert(body.material);
  for (const SceneBeam<Dim>& body : scene.beams) materials.insert(body.material);
  for (const auto& system : scene.lagrangian)
    for (const auto& point : system.points) materials.insert(point.material);
  for (const SceneLaw& law : scene.laws) materials.insert({law.material_a, law.material_b});
  for (const std::string& material : materials) out.section("[materials." + quote(material) + "]");
  if (scene.default_law) {
    out.section("[law]");
    write_law(*scene.default_law, out);
  }
  for (const SceneLaw& law : scene.laws) {
    out.section("[[laws]]");
    out.key("between", to_toml(std::vector<std::string>{law.material_a, law.material_b}));
    write_law(law.law, out);
  }
}

}  // namespace

template <int Dim>
std::string format_scene(const Scene<Dim>& scene) {
  TextWriter out;
  write_general(scene, out);
  write_options(scene, out);
  write_materials_and_laws(scene, out);
  for (const Membrane& membrane : scene.membranes) {
    out.section("[[membranes]]");
    out.key("pressure", format_function(membrane.pressure));
    if (membrane.group != ~0u) out.key("groups", group_list(membrane.group));
    out.key("reach", to_toml(membrane.longest_side));
    if (!membrane.body.empty()) out.key("body", quote(membrane.body));
  }
  for (const Servo& servo : scene.servos) {
    out.section("[[servos]]");
    out.key("wall", quote(servo.wall));
    out.key(servo.is_stress ? "stress" : "force", format_function(servo.load));
    if (!servo.between.empty()) out.key("between", to_toml(servo.between));
    if (servo.area > 0) out.key("area", to_toml(servo.area));
    if (std::isfinite(servo.speed)) out.key("speed", to_toml(servo.speed));
  }
  for (const SceneLinearSystem& system : scene.systems) write_system(system, out);
  for (const SceneElasticBody& body : scene.elastic) write_elastic(body, out);
  for (const SceneDeformable<Dim>& body : scene.deformable) write_deformable<Dim>(body, out);
  for (const SceneLagrangianSystem<Dim>& system : scene.lagrangian) write_lagrangian<Dim>(system, out);
  for (const SceneBeam<Dim>& body : scene.beams) write_beam<Dim>(body, out);
  for (const SceneJoint<Dim>& joint : scene.joints)
    if (joint.tie < 0) write_joint(joint, out);
  for (const SceneTie& tie : scene.ties) write_tie(tie, out);
  write_measures(scene.measures, out);
  // Generators may repeat their names, written bodies may not: the first keeps it.
  std::set<std::string_view> names;
  for (const SceneBody<Dim>& body : scene.bodies)
    if (body.follows < 0) write_body(body, !body.name.empty() && names.insert(body.name).second, out);
  return out.take();
}

template std::string format_scene<2>(const Scene<2>&);
template std::string format_scene<3>(const Scene<3>&);

}  // namespace saltus
