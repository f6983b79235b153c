#include "saltus/scenes/scene_lagrangian_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_body_reader.hpp"
#include "saltus/scenes/scene_matrix_reader.hpp"
#include "saltus/scenes/scene_shape_reader.hpp"
#include "saltus/scenes/scene_text.hpp"

namespace saltus {

namespace {

constexpr const char* kFormula = "a number, or a formula in quotes";

// A number or a text, with its place.
SceneFormula read_formula(const toml::node& node, const std::string& path) {
  if (node.is_number()) return {to_toml(read_number(node, path, kAnyNumber)), locate(node)};
  if (!node.is_string()) fail_value(node, path, kFormula);
  return {node.as_string()->get(), locate(node)};
}

SceneFormula read_formula(TableReader& t, std::string_view key) {
  const toml::node* node = t.node(key);
  if (!node) throw InputError(t.where(), fmt::format("missing key \"{}\"", t.path(key)), {}, kFormula);
  return read_formula(*node, t.path(key));
}

std::vector<SceneFormula> read_list(const toml::node& node, const std::string& path, int size,
                                    const char* of) {
  const toml::array* list = node.as_array();
  if (!list || static_cast<int>(list->size()) != size)
    throw InputError(locate(node), path, list ? fmt::format("{} entries", list->size()) : describe(node),
                     fmt::format("a list of {} {}", size, of));
  std::vector<SceneFormula> result;
  for (int i = 0; i < size; ++i) result.push_back(read_formula((*list)[i], fmt::format("{}.{}", path, i)));
  return result;
}

SystemNames read_names(TableReader& t) {
  constexpr std::size_t kMost = 100;
  SystemNames names;
  names.coordinates = t.texts("coordinates");
  if (names.coordinates.empty() || names.coordinates.size() > kMost)
    t.fail("coordinates", fmt::format("{} names", names.coordinates.size()),
           fmt::format("1 to {} names", kMost));
  if (t.has("velocities"))
    names.velocities = t.texts("velocities");
  else
    for (const std::string& name : names.coordinates) names.velocities.push_back("d" + name);
  if (std::optional<TableReader> parameters = t.optional_table("parameters")) {
    for (const auto& [key, value] : parameters->tree())
      names.parameters.emplace_back(std::string(key.str()), parameters->number(key.str(), kAnyNumber));
    parameters->finish();
  }
  check_names(names, t.where("coordinates"));
  return names;
}

// Rows of formulas, or { diagonal = [...] }.
std::vector<std::vector<SceneFormula>> read_mass(TableReader& t, int size) {
  const toml::node* node = t.node("mass");
  const std::string allowed = fmt::format("{} rows of {} formulas, or {{ diagonal }}", size, size);
  if (!node) throw InputError(t.where(), fmt::format("missing key \"{}\"", t.path("mass")), {}, allowed);
  std::vector<std::vector<SceneFormula>> mass;
  if (node->is_table()) {
    TableReader form = t.table("mass");
    const toml::node* diagonal = form.node("diagonal");
    if (!diagonal) throw InputError(locate(*node), t.path("mass"), "a table", allowed);
    const std::vector<SceneFormula> entries = read_list(*diagonal, form.path("diagonal"), size, "formulas");
    form.finish();
    mass.assign(size, std::vector<SceneFormula>(size, SceneFormula{"0"}));
    for (int i = 0; i < size; ++i) mass[i][i] = entries[i];
    return mass;
  }
  const toml::array* rows = node->as_array();
  if (!rows || static_cast<int>(rows->size()) != size)
    throw InputError(locate(*node), t.path("mass"),
                     rows ? fmt::format("{} rows", rows->size()) : describe(*node), allowed);
  for (int i = 0; i < size; ++i)
    mass.push_back(read_list((*rows)[i], fmt::format("{}.{}", t.path("mass"), i), size, "formulas"));
  return mass;
}

// A list, or a table by names of coordinates: others have none.
std::vector<SceneFormula> read_forces(TableReader& t, const SystemNames& names) {
  std::vector<SceneFormula> forces(names.coordinates.size(), SceneFormula{"0"});
  const toml::node* node = t.node("force");
  if (!node) return forces;
  if (!node->is_table())
    return read_list(*node, t.path("force"), names.size(), "formulas, one per coordinate");
  TableReader form = t.table("force");
  for (int i = 0; i < names.size(); ++i)
    if (form.has(names.coordinates[i])) forces[i] = read_formula(form, names.coordinates[i]);
  form.finish();
  return forces;
}

std::vector<double> read_values(TableReader& t, std::string_view key, int size) {
  if (!t.has(key)) return std::vector<double>(size, 0.0);
  std::vector<double> values = t.numbers(key);
  if (static_cast<int>(values.size()) != size)
    t.fail(key, fmt::format("{} numbers", values.size()), fmt::format("{}, as names of coordinates", size));
  return values;
}

SceneMatrix read_square(TableReader& t, std::string_view key, int size, SceneContext& context) {
  if (!t.has(key)) return {};
  SceneMatrix matrix = read_matrix(t, key, context);
  if (matrix.size != size)
    t.fail(key, fmt::format("a matrix of {} rows", matrix.size),
           fmt::format("{}, as names of coordinates", size));
  return matrix;
}

double read_for(TableReader& t, const char* key, double fallback, const Range& range, LawKind kind,
                std::initializer_list<LawKind> users) {
  if (!t.has(key)) return fallback;
  if (std::find(users.begin(), users.end(), kind) != users.end()) return t.number(key, range);
  std::string allowed;
  for (const LawKind user : users)
    allowed += fmt::format("{}\"{}\"", allowed.empty() ? "" : " or ", name(user));
  t.fail(key, fmt::format("a value that the law \"{}\" does not use", name(kind)), "with kind = " + allowed);
}

PairLaw read_gap_law(TableReader& t, double theta) {
  constexpr std::array kKinds = {
      LawKind::velocity_signorini, LawKind::newton,       LawKind::moreau, LawKind::fremond,
      LawKind::quasi_inelastic,    LawKind::gap_signorini};
  std::vector<std::string> kinds;
  for (const LawKind kind : kKinds) kinds.emplace_back(name(kind));
  PairLaw law;
  law.kind = kKinds[t.choice("kind", kinds, 1)];
  law.friction = t.number("friction", 0, kNotNegative);
  if (t.has("friction_dynamic")) law.friction_dynamic = t.number("friction_dynamic", Range{0, law.friction});
  law.restitution = read_for(t, "restitution", 0, Range{0, 1}, law.kind, {LawKind::newton, LawKind::fremond});
  law.restitution_tangent = read_for(t, "restitution_tangent", 0, Range{-1, 1}, law.kind, {LawKind::newton});
  law.dissipation = read_for(t, "dissipation", 1, Range{0, 1}, law.kind, {LawKind::moreau});
  law.regularisation = t.number("regularisation", 0, kNotNegative);
  check_law(law, theta, t.where());
  return law;
}

template <int Dim>
SceneSystemGap read_gap(TableReader& t, const SceneContext& context) {
  SceneSystemGap gap;
  gap.where = t.where();
  gap.name = t.text("name", "");
  gap.gap = read_formula(t, "gap");
  if (const toml::node* node = t.node("tangent")) {
    if (node->is_array())
      gap.tangents =
          read_list(*node, t.path("tangent"), Dim - 1, Dim == 2 ? "formula in 2D" : "formulas in 3D");
    else if (Dim == 2)
      gap.tangents = {read_formula(*node, t.path("tangent"))};
    else
      fail_value(*node, t.path("tangent"), "a list of two formulas in 3D");
  }
  gap.law = read_gap_law(t, context.theta);
  if (gap.law.friction > 0 && gap.tangents.empty())
    t.fail("friction", to_toml(gap.law.friction),
           "0, or a tangent: the position along the surface, as a formula");
  gap.active_below = t.number("active_below", 0, kAnyNumber);
  if (t.has("release_above")) gap.release_above = t.number("release_above", kNotNegative);
  t.finish();
  return gap;
}

std::vector<SceneConstraint> read_constraints(TableReader& t) {
  std::vector<SceneConstraint> result;
  const toml::node* node = t.node("constraints");
  if (!node) return result;
  const toml::array* list = node->as_array();
  if (!list)
    fail_value(*node, t.path("constraints"),
               "a list of formulas, or of { formula, stabilisation_time, may_be_off }");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const toml::node& entry = (*list)[i];
    const std::string path = fmt::format("{}.{}", t.path("constraints"), i);
    SceneConstraint constraint;
    constraint.where = locate(entry);
    if (const toml::table* table = entry.as_table()) {
      TableReader form(*table, path);
      constraint.name = form.text("name", "");
      constraint.formula = read_formula(form, "formula");
      if (form.has("stabilisation_time"))
        constraint.stabilisation_time = form.number("stabilisation_time", kNotNegative);
      constraint.may_be_off = form.flag("may_be_off", false);
      form.finish();
    } else {
      constraint.formula = read_formula(entry, path);
    }
    result.push_back(std::move(constraint));
  }
  return result;
}

template <int Dim>
SceneSystemPoint<Dim> read_point(TableReader& t, SceneContext& context) {
  SceneSystemPoint<Dim> point;
  point.where = t.where();
  point.name = t.text("name", "");
  point.material = context.material(t, "material");
  point.shape = read_shape<Dim>(t.table("shape"), context);
  const auto fill = [&](const char* key, auto& formulas) {
    const toml::node* node = t.node(key);
    const int size = static_cast<int>(formulas.size());
    if (!node)
      throw InputError(t.where(), fmt::format("missing key \"{}\"", t.path(key)), {},
                       fmt::format("a list of {} formulas of the coordinates", size));
    const std::vector<SceneFormula> read = read_list(*node, t.path(key), size, "formulas of the coordinates");
    std::copy(read.begin(), read.end(), formulas.begin());
  };
  fill("position", point.position);
  if constexpr (Dim == 2) {
    if (t.has("angle")) point.turn[0] = read_formula(t, "angle");
  } else {
    if (t.has("rotation")) fill("rotation", point.turn);
  }
  point.group = read_group_bits(t, "groups", point.group);
  point.mask = read_group_bits(t, "touches", point.mask);
  t.finish();
  return point;
}

// Every formula once, for its mistakes.
template <int Dim>
void parse_formulas(const SceneLagrangianSystem<Dim>& system) {
  build_lagrangian<Dim>(system);
  const auto parse = [&](const SceneFormula& formula) { build_function(formula, system.names); };
  for (const SceneSystemGap& gap : system.gaps) {
    parse(gap.gap);
    for (const SceneFormula& tangent : gap.tangents) parse(tangent);
  }
  for (const SceneConstraint& constraint : system.constraints) parse(constraint.formula);
  for (const SceneSystemPoint<Dim>& point : system.points) {
    for (const SceneFormula& formula : point.position) parse(formula);
    for (const SceneFormula& formula : point.turn)
      if (!formula.text.empty()) parse(formula);
  }
}

template <int Dim>
SceneLagrangianSystem<Dim> read_one(TableReader& t, SceneContext& context) {
  SceneLagrangianSystem<Dim> system;
  system.name = t.text("name", "");
  system.where = t.where();
  system.names = read_names(t);
  const int size = system.names.size();
  system.mass = read_mass(t, size);
  system.forces = read_forces(t, system.names);
  system.damping = read_square(t, "damping", size, context);
  system.stiffness = read_square(t, "stiffness", size, context);
  system.q = read_values(t, "q", size);
  system.v = read_values(t, "v", size);
  system.trapezoidal = t.choice("integration", {"momentum", "trapezoidal"}, 0) == 1;
  if (t.has("newton_tolerance") && !system.trapezoidal)
    t.fail("newton_tolerance", "a key that the integration \"momentum\" does not use",
           "with integration = \"trapezoidal\"; otherwise steps are solved to round-off");
  system.newton_tolerance = t.number("newton_tolerance", system.newton_tolerance, kPositive);
  for (TableReader& gap : t.tables("gaps")) system.gaps.push_back(read_gap<Dim>(gap, context));
  system.constraints = read_constraints(t);
  for (TableReader& point : t.tables("points")) system.points.push_back(read_point<Dim>(point, context));
  t.finish();
  parse_formulas<Dim>(system);
  return system;
}

}  // namespace

template <int Dim>
std::vector<SceneLagrangianSystem<Dim>> read_lagrangian(TableReader& scene, SceneContext& context) {
  std::vector<SceneLagrangianSystem<Dim>> systems;
  std::vector<std::pair<std::string, std::string>> names;  // and places
  for (TableReader& t : scene.tables("system")) {
    const std::string name = t.has("name") ? t.text("name") : "";
    const bool is_ours = t.has("coordinates");
    if (is_ours) systems.push_back(read_one<Dim>(t, context));
    for (const auto& [other, where] : names)
      if (!name.empty() && other == name)
        throw InputError(t.where(), "a second one of one name", '"' + name + '"',
                         "another name: the first is at " + where);
    names.emplace_back(name, t.where());
  }
  return systems;
}

template std::vector<SceneLagrangianSystem<2>> read_lagrangian<2>(TableReader&, SceneContext&);
template std::vector<SceneLagrangianSystem<3>> read_lagrangian<3>(TableReader&, SceneContext&);

}  // namespace saltus
