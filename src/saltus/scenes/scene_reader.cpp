#include "saltus/scenes/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/scenes/scene_alpha_reader.hpp"
#include "saltus/scenes/scene_at_rest.hpp"
#include "saltus/scenes/scene_beam_reader.hpp"
#include "saltus/scenes/scene_body_reader.hpp"
#include "saltus/scenes/scene_chain_reader.hpp"
#include "saltus/scenes/scene_context.hpp"
#include "saltus/scenes/scene_deformable_reader.hpp"
#include "saltus/scenes/scene_function_reader.hpp"
#include "saltus/scenes/scene_generate_reader.hpp"
#include "saltus/scenes/scene_joint_reader.hpp"
#include "saltus/scenes/scene_lagrangian_reader.hpp"
#include "saltus/scenes/scene_law_reader.hpp"
#include "saltus/scenes/scene_library.hpp"
#include "saltus/scenes/scene_measure_reader.hpp"
#include "saltus/scenes/scene_overrides.hpp"
#include "saltus/scenes/scene_system_reader.hpp"
#include "saltus/scenes/scene_tree.hpp"
#include "saltus/trajectories/trajectory_data.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

// Keys that one kind of scheme has, and no other.
void refuse_keys(TableReader& t, std::initializer_list<const char*> keys, SchemeKind has, SchemeKind asked) {
  for (const char* key : keys)
    if (t.has(key) && asked != has)
      t.fail(key, fmt::format("a key that the scheme \"{}\" does not use", name(asked)),
             fmt::format("with kind = \"{}\"", name(has)));
}

void read_projection(TableReader& t, SchemeOptions& scheme) {
  refuse_keys(t, {"projection", "projection_metric", "projection_tolerance", "projection_passes"},
              SchemeKind::moreau_jean_projected, scheme.kind);
  if (scheme.kind != SchemeKind::moreau_jean_projected) return;
  ProjectionOptions& p = scheme.projection;
  p.kind =
      t.choice("projection", {"combined", "direct"}, 0) ? ProjectionKind::direct : ProjectionKind::combined;
  p.metric = t.choice("projection_metric", {"mass", "identity"}, 0) ? ProjectionMetric::identity
                                                                    : ProjectionMetric::mass;
  p.tolerance = t.number("projection_tolerance", p.tolerance, kPositive);
  p.passes = static_cast<int>(t.integer("projection_passes", p.passes, 1, 1000));
  if (scheme.lands())
    for (const char* key : {"activation", "activation_gamma"})
      if (t.has(key))
        t.fail(key, "a rule of activation under the combined projection",
               "none: the contacts that would overlap are active; or projection = \"direct\"");
}

void read_events(TableReader& t, SchemeOptions& scheme) {
  refuse_keys(t, {"event_tolerance", "most_events"}, SchemeKind::event_driven, scheme.kind);
  if (scheme.kind != SchemeKind::event_driven) return;
  scheme.events.tolerance = t.number("event_tolerance", scheme.events.tolerance, Range{1e-14, 1e-2});
  scheme.events.most_events =
      static_cast<int>(t.integer("most_events", scheme.events.most_events, 1, 1000000));
}

SchemeOptions read_scheme(TableReader& scene, bool& given_theta) {
  SchemeOptions scheme;
  std::optional<TableReader> t = scene.optional_table("scheme");
  if (!t) return scheme;
  constexpr std::array kActivations = {Activation::consistent, Activation::start,  Activation::end,
                                       Activation::free,       Activation::middle, Activation::implicit};
  constexpr std::array kPlaces = {JacobianAt::detection, JacobianAt::start, JacobianAt::predicted};
  std::vector<std::string> activations, places;
  for (const Activation a : kActivations) activations.emplace_back(name(a));
  for (const JacobianAt p : kPlaces) places.emplace_back(name(p));

  constexpr std::array kSchemes = {SchemeKind::moreau_jean,
                                   SchemeKind::schatzman_paoli,
                                   SchemeKind::generalized_alpha,
                                   SchemeKind::newmark,
                                   SchemeKind::hht,
                                   SchemeKind::alpha_index3,
                                   SchemeKind::moreau_jean_projected,
                                   SchemeKind::event_driven,
                                   SchemeKind::explicit_forces,
                                   SchemeKind::dynamic_relaxation,
                                   SchemeKind::quasi_static};
  std::vector<std::string> schemes;
  for (const SchemeKind kind : kSchemes) schemes.emplace_back(name(kind));

  scheme.kind = kSchemes[t->choice("kind", schemes, 0)];
  scheme.h = t->number("h", scheme.h, kPositive);
  read_alpha(*t, scheme);
  if (scheme.kind == SchemeKind::schatzman_paoli)
    for (const char* key : {"theta", "jacobian_at"})
      if (t->has(key))
        t->fail(key, "a key of other schemes",
                "none under schatzman-paoli: laws hold on the gaps at the ends of steps");
  given_theta = t->has("theta") || is_alpha(scheme.kind) || scheme.kind == SchemeKind::quasi_static;
  const double least_theta = scheme.kind == SchemeKind::quasi_static ? 1.0 : 0.5;
  scheme.theta = t->number("theta", least_theta, Range{least_theta, 1});
  scheme.activation = kActivations[t->choice("activation", activations, 0)];
  if (t->has("activation_gamma")) {
    if (t->has("activation"))
      t->fail("activation_gamma", "a second rule of activation", "one of activation and activation_gamma");
    scheme.activation = Activation::gamma;
    scheme.activation_gamma = t->number("activation_gamma", Range{0, 1});
  }
  scheme.jacobian_at = kPlaces[t->choice("jacobian_at", places, 0)];
  scheme.position_correction = t->flag("position_correction", scheme.leaves_overlaps());
  if (scheme.position_correction && !scheme.corrects_positions())
    t->fail("position_correction", "true",
            "false: what the scheme does with positions leaves no overlap to take back");
  read_projection(*t, scheme);
  read_events(*t, scheme);
  scheme.control.on = t->flag("step_control", false);
  for (const char* key : {"step_control_halvings", "step_control_overlap"})
    if (!scheme.control.on && t->has(key))
      t->fail(key, "without step_control", "step_control = true beside it");
  scheme.control.halvings =
      static_cast<int>(t->integer("step_control_halvings", scheme.control.halvings, 1, 30));
  scheme.control.overlap = t->number("step_control_overlap", scheme.control.overlap, Range{0, 1, true});
  check_step_control(scheme, t->where("step_control"));
  t->finish();
  return scheme;
}

SolverSettings read_solver(TableReader& scene) {
  SolverSettings solver;
  std::optional<TableReader> t = scene.optional_table("solver");
  if (!t) return solver;
  constexpr std::array kLocals = {LocalSolverKind::cascade, LocalSolverKind::newton,
                                  LocalSolverKind::projection};
  solver.kind = static_cast<SolverKind>(t->choice("name", solver_names(), 0));
  solver.tolerance = t->number("tolerance", solver.tolerance, kPositive);
  if (t->has("tolerance_velocity")) solver.tolerance_velocity = t->number("tolerance_velocity", kPositive);
  solver.max_iterations = t->integer("max_iterations", solver.max_iterations, 1, kNoLimit);
  solver.threads = static_cast<int>(t->integer("threads", solver.threads, 1, 1024));
  solver.local = kLocals[t->choice("local", {"cascade", "newton", "projection"}, 0)];
  if (std::optional<TableReader> m = t->optional_table("margins")) {
    solver.margins = Margins{m->number("gap", kNotNegative), m->number("velocity", kNotNegative),
                             m->number("force", kNotNegative)};
    m->finish();
  }
  t->finish();
  return solver;
}

template <int Dim>
void read_run(TableReader& scene, Scene<Dim>& result, bool& at_rest) {
  std::optional<TableReader> t = scene.optional_table("run");
  if (!t) return;
  result.start_time = t->number("start", 0, kAnyNumber);
  result.end_time = result.start_time + 1;
  if (t->has("until") && t->has("steps"))
    t->fail("steps", "a second end of the run", "one of until and steps");
  if (t->has("until")) result.end_time = t->number("until", Range{result.start_time});
  if (t->has("steps"))
    result.end_time =
        result.start_time + result.scheme.h * static_cast<double>(t->integer("steps", 0, kNoLimit));
  result.relax_overlaps = t->flag("relax_overlaps", false);
  at_rest = t->flag("at_rest", false);
  if (t->has("penetration_limit")) result.penetration_limit = t->number("penetration_limit", kNotNegative);
  result.stops = read_stops(*t);
  t->finish();
}

OutputOptions read_output(TableReader& scene) {
  OutputOptions output;
  std::optional<TableReader> t = scene.optional_table("output");
  if (!t) return output;
  output.every = t->number("every", 0, kNotNegative);
  output.fields = t->texts("fields");
  for (const std::string& field : output.fields) {
    const auto& names = trajectory_fields();
    if (std::find(names.begin(), names.end(), field) != names.end()) continue;
    const std::string near = nearest_name(field, names);
    t->fail("fields",
            fmt::format("\"{}\"{}", field, near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)),
            join_names(names));
  }
  output.checkpoint_every = t->number("checkpoint_every", 0, kNotNegative);
  output.measure_every = t->integer("measure_every", 1, 1, kNoLimit);
  t->finish();
  return output;
}

std::vector<std::pair<int, int>> read_apart(TableReader& scene) {
  std::vector<std::pair<int, int>> pairs;
  if (!scene.has("groups_apart")) return pairs;
  const std::vector<Vec<2>> numbers = scene.vectors<2>("groups_apart");
  for (const Vec<2>& n : numbers) {
    const bool valid = n == n.array().round().matrix() && n.minCoeff() >= 0 && n.maxCoeff() <= 31;
    if (!valid)
      scene.fail("groups_apart", fmt::format("[{}, {}]", n[0], n[1]), "pairs of numbers of groups, 0 to 31");
    pairs.emplace_back(static_cast<int>(n[0]), static_cast<int>(n[1]));
  }
  return pairs;
}

std::vector<Membrane> read_membranes(TableReader& scene, SceneContext& context) {
  std::vector<Membrane> membranes;
  for (TableReader& t : scene.tables("membranes")) {
    Membrane membrane;
    membrane.pressure = read_function(t, "pressure", context);
    if (t.has("groups")) {
      membrane.group = 0;
      for (const int group : t.integers("groups", 0, 31)) membrane.group |= 1u << group;
    }
    membrane.longest_side = t.number("reach", 0, kNotNegative);
    membrane.body = t.text("body", "");
    membrane.where = t.where();
    t.finish();
    membranes.push_back(std::move(membrane));
  }
  return membranes;
}

template <int Dim>
Tilt<Dim> read_tilt(TableReader& scene, SceneContext& context) {
  Tilt<Dim> tilt;
  std::optional<TableReader> t = scene.optional_table("tilt");
  if (!t) return tilt;
  tilt.angle = read_function(*t, "angle", context);
  if constexpr (Dim == 3) {
    tilt.axis = t->vector<3>("axis");
    if (!(tilt.axis.norm() > 0)) t->fail("axis", "[0, 0, 0]", "a direction");
  }
  t->finish();
  return tilt;
}

std::vector<Servo> read_servos(TableReader& scene, SceneContext& context) {
  std::vector<Servo> servos;
  for (TableReader& t : scene.tables("servos")) {
    Servo servo;
    servo.where = t.where();
    servo.wall = t.text("wall");
    if (t.has("stress") == t.has("force")) t.fail("stress", "none or both", "one of stress and force");
    servo.is_stress = t.has("stress");
    servo.load = read_function(t, servo.is_stress ? "stress" : "force", context);
    if (servo.is_stress) {
      if (t.has("between") == t.has("area")) t.fail("between", "none or both", "one of between and area");
      if (t.has("area")) servo.area = t.number("area", kPositive);
      servo.between = t.texts("between");
    }
    if (t.has("speed")) servo.speed = t.number("speed", kPositive);
    t.finish();
    servos.push_back(std::move(servo));
  }
  return servos;
}

// The smallest of what Fremond's laws ask for; without any 1/2.
template <int Dim>
double default_theta(const Scene<Dim>& scene) {
  double theta = 1;
  const auto look = [&](const PairLaw& law) {
    if (law.kind == LawKind::fremond) theta = std::min(theta, default_theta(law));
  };
  for (const SceneLaw& law : scene.laws) look(law.law);
  if (scene.default_law) look(*scene.default_law);
  return theta < 1 ? theta : SchemeOptions().theta;
}

// A name that was written is that of one body, or what refers to it would find the wrong one. Generators may
// repeat theirs: nothing can refer to those.
template <int Dim>
void check_names(const Scene<Dim>& scene, std::size_t written) {
  std::map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody<Dim>& body = scene.bodies[i];
    if (body.name.empty()) continue;
    const auto [at, is_new] = first.emplace(body.name, i);
    if (!is_new && at->second < written)
      throw InputError(body.where, "a second body of one name", '"' + body.name + '"',
                       fmt::format("another name: the first is at {}", scene.bodies[at->second].where.str()));
  }
}

// Measures find them by their names.
template <int Dim>
void check_part_names(const Scene<Dim>& scene) {
  std::map<std::string_view, const std::string*> systems, joints;
  const auto add = [](const auto& part, const char* what, auto& names) {
    if (part.name.empty()) return;
    const auto [at, is_new] = names.emplace(part.name, &part.where);
    if (!is_new)
      throw InputError(part.where, fmt::format("a second {} of one name", what), '"' + part.name + '"',
                       fmt::format("another name: the first is at {}", *at->second));
  };
  for (const auto& system : scene.systems) add(system, "system", systems);
  for (const auto& body : scene.elastic) add(body, "system or elastic body", systems);
  for (const auto& body : scene.deformable) add(body, "system or deformable body", systems);
  for (const auto& body : scene.beams) add(body, "system or beam", systems);
  for (const auto& joint : scene.joints) add(joint, "joint", joints);
}

template <int Dim>
Scene<Dim> read_tree(TableReader& t, SceneContext& context) {
  Scene<Dim> scene;
  scene.title = t.text("title", "");
  scene.gravity = t.vector<Dim>("gravity", scene.gravity);
  scene.damping = t.number("damping", 0, kNotNegative);
  scene.damping_rotation = t.number("damping_rotation", 0, kNotNegative);
  scene.period = t.vector<Dim>("period", scene.period, kNotNegative);
  scene.alert = t.number("alert", 0, kNotNegative);
  bool given_theta = false;
  scene.scheme = read_scheme(t, given_theta);
  context.theta = scene.scheme.theta;
  scene.solver = read_solver(t);
  bool at_rest = false;
  read_run(t, scene, at_rest);
  context.start_time = scene.start_time, context.end_time = scene.end_time;
  scene.tilt = read_tilt<Dim>(t, context);
  scene.output = read_output(t);

  read_materials(t, context);
  if (std::optional<TableReader> law = t.optional_table("law")) {
    scene.default_law_where = law->where();
    scene.default_law = read_law(*law, context);
  }
  scene.laws = read_laws(t, context);
  if (!given_theta) scene.scheme.theta = default_theta(scene);
  scene.excluded_groups = read_apart(t);
  if constexpr (Dim == 2) scene.membranes = read_membranes(t, context);
  scene.servos = read_servos(t, context);
  scene.systems = read_systems(t, context);
  scene.lagrangian = read_lagrangian<Dim>(t, context);
  if (Dim == 3 && t.has("elastic"))
    t.fail("elastic", "an elastic rectangle in space", "dimension = 2, or [[deformable]]");
  if constexpr (Dim == 2) scene.elastic = read_elastic(t, context);
  scene.deformable = read_deformable<Dim>(t, context);
  scene.beams = read_beams<Dim>(t, context);
  scene.measures = read_measures<Dim>(t);

  std::vector<TableReader> bodies = t.tables("bodies");
  if (static_cast<std::int64_t>(bodies.size()) > context.limits.bodies)
    t.fail("bodies", fmt::format("{} bodies", bodies.size()), fmt::format("up to {}", context.limits.bodies));
  for (TableReader& body : bodies) scene.bodies.push_back(read_body<Dim>(body, context));
  const std::size_t written = scene.bodies.size();
  for (TableReader& generator : t.tables("generate")) {
    const std::int64_t room = context.limits.bodies - static_cast<std::int64_t>(scene.bodies.size());
    std::vector<SceneBody<Dim>> made = read_generator<Dim>(generator, context, room);
    if (made.size() > scene.bodies.size()) scene.bodies.reserve(scene.bodies.size() + made.size());
    std::move(made.begin(), made.end(), std::back_inserter(scene.bodies));
  }
  read_chains<Dim>(t, context, scene);
  check_names(scene, written);
  std::vector<SceneJoint<Dim>> joints = read_joints<Dim>(t, context);
  std::move(joints.begin(), joints.end(), std::back_inserter(scene.joints));
  scene.ties = read_ties(t);
  check_part_names(scene);
  t.finish();
  if (at_rest) set_at_rest(scene);
  return scene;
}

// What a text that was written by format_tree has beside the scene.
toml::table take_recorded_files(toml::table& tree) {
  const toml::table* recorded = tree["files"].as_table();
  toml::table taken = recorded ? *recorded : toml::table();
  if (recorded) tree.erase("files");
  return taken;
}

void warn_of_changed_files(const toml::table& recorded, const SceneContext& context) {
  for (const auto& [name, hash] : recorded) {
    const auto now = context.files.find(std::string(name.str()));
    if (now != context.files.end() && hash.value_or(std::string()) != now->second)
      log_warning("{}: the file {} is not the one that this scene was read with before", context.scene_path,
                  now->first);
  }
}

std::string format_tree(toml::table tree, const SceneContext& context) {
  toml::table files;
  for (const auto& [file, hash] : context.files) files.insert(file, hash);
  if (!files.empty()) tree.insert("files", std::move(files));
  std::ostringstream out;
  out << tree;
  return out.str();
}

}  // namespace

SceneFile parse_scene(const std::string& text, const std::string& path,
                      const std::vector<std::string>& overrides, const ReadLimits& limits) {
  toml::table tree = parse_toml(text, path);
  for (const std::string& option : overrides) apply_override(option, tree);
  return read_scene_tree(std::move(tree), path, limits);
}

SceneFile read_scene_tree(toml::table tree, const std::string& path, const ReadLimits& limits) {
  SceneContext context;
  context.scene_path = path;
  context.folder = std::filesystem::path(path).parent_path();
  context.limits = limits;
  const toml::table recorded = take_recorded_files(tree);
  TableReader reader(tree, "");
  if (tree["scene"].is_string() && !tree.contains("dimension"))
    throw InputError(path, "this is a study, not a scene: run it by saltus study");
  SceneFile file;
  file.path = path;
  if (reader.integer("dimension", 2, 3) == 2)
    file.scene = read_tree<2>(reader, context);
  else
    file.scene = read_tree<3>(reader, context);
  std::visit([&](auto& scene) { scene.name = std::filesystem::path(path).stem().string(); }, file.scene);
  warn_of_changed_files(recorded, context);
  file.text = format_tree(std::move(tree), context);
  return file;
}

SceneFile read_scene(const std::string& name, const std::vector<std::string>& overrides) {
  const std::string path = find_scene(name);
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(path, "the scene cannot be read, or is empty");
  if (text.str().rfind("\x89HDF", 0) == 0)
    throw InputError(
        path, "this is a trajectory or another HDF5 file, not a scene: `saltus info` tells what is in it");
  return parse_scene(text.str(), path, overrides);
}

}  // namespace saltus
