#include "saltus/scenes/scene_system_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_body_reader.hpp"
#include "saltus/scenes/scene_function_reader.hpp"
#include "saltus/scenes/scene_matrix_reader.hpp"
#include "saltus/systems/linear_system.hpp"

namespace saltus {

namespace {

// [0.1, 0.2, ...], or { all = 0.1 }; zero when not there.
std::vector<double> read_state(TableReader& t, std::string_view key, int size) {
  const toml::node* node = t.node(key);
  if (!node) return std::vector<double>(size, 0.0);
  if (node->is_table()) {
    TableReader form = t.table(key);
    const double value = form.number("all", kAnyNumber);
    form.integer("size", size, size, size);
    form.finish();
    return std::vector<double>(size, value);
  }
  std::vector<double> values = t.numbers(key);
  if (static_cast<int>(values.size()) != size)
    t.fail(key, fmt::format("{} numbers", values.size()), fmt::format("{}, as the mass has rows", size));
  return values;
}

SceneMatrix read_matrix_of_size(TableReader& t, std::string_view key, int size, SceneContext& context) {
  if (!t.has(key)) return {};
  SceneMatrix matrix = read_matrix(t, key, context);
  if (matrix.size != size)
    t.fail(key, fmt::format("a matrix of {} rows", matrix.size), fmt::format("{}, as the mass has", size));
  return matrix;
}

std::vector<std::pair<int, double>> read_gap_row(TableReader& t, int size) {
  if (t.has("row") == t.has("dof")) t.fail("row", "none or both", "one of row and dof");
  if (t.has("dof")) {
    const int dof = static_cast<int>(t.integer("dof", 0, size - 1));
    const auto sign = static_cast<double>(t.integer("sign", 1, -1, 1));
    if (sign == 0) t.fail("sign", "0", "1 or -1");
    return {{dof, sign}};
  }
  const std::vector<double> row = t.numbers("row");
  if (static_cast<int>(row.size()) != size)
    t.fail("row", fmt::format("{} numbers", row.size()), fmt::format("{}, as the mass has rows", size));
  std::vector<std::pair<int, double>> result;
  for (int i = 0; i < size; ++i)
    if (row[i] != 0) result.emplace_back(i, row[i]);
  if (result.empty()) t.fail("row", "zeros", "a row with a number that is not zero");
  return result;
}

SceneGap read_gap(TableReader& t, int size) {
  constexpr std::array kGapLaws = {LawKind::velocity_signorini, LawKind::newton, LawKind::quasi_inelastic,
                                   LawKind::gap_signorini};
  std::vector<std::string> kinds;
  for (const LawKind kind : kGapLaws) kinds.emplace_back(name(kind));
  SceneGap gap;
  gap.where = t.where();
  gap.row = read_gap_row(t, size);
  gap.offset = t.number("offset", 0, kAnyNumber);
  gap.law.kind = kGapLaws[t.choice("kind", kinds, 1)];
  if (t.has("restitution") && gap.law.kind != LawKind::newton)
    t.fail("restitution", fmt::format("a value that the law \"{}\" does not use", name(gap.law.kind)),
           "with kind = \"newton\"");
  gap.law.restitution = t.number("restitution", 0, Range{0, 1});
  gap.active_below = t.number("active_below", 0, kAnyNumber);
  t.finish();
  return gap;
}

void read_driven(TableReader& t, int size, SceneContext& context, SceneLinearSystem& system) {
  for (const int dof : t.integers("locked", 0, size - 1))
    system.driven.emplace_back(dof, Drive{Drive::Kind::locked, {}});
  for (TableReader& drive : t.tables("drive")) {
    const int dof = static_cast<int>(drive.integer("dof", 0, size - 1));
    system.driven.emplace_back(dof, read_drive(drive, context));
  }
}

SceneLinearSystem read_system(TableReader& t, SceneContext& context) {
  SceneLinearSystem system;
  system.name = t.text("name", "");
  system.where = t.where();
  system.mass = read_matrix(t, "mass", context);
  const int size = system.mass.size;
  system.damping = read_matrix_of_size(t, "damping", size, context);
  system.stiffness = read_matrix_of_size(t, "stiffness", size, context);
  system.q = read_state(t, "q", size);
  system.v = read_state(t, "v", size);
  for (TableReader& force : t.tables("forces")) {
    const int dof = static_cast<int>(force.integer("dof", 0, size - 1));
    system.forces.emplace_back(dof, read_function(force, "value", context));
    force.finish();
  }
  read_driven(t, size, context, system);
  for (TableReader& gap : t.tables("gaps")) system.gaps.push_back(read_gap(gap, size));
  t.finish();
  check_model(build_model(system));
  return system;
}

std::vector<SceneElasticBody::Side> read_sides(TableReader& t) {
  const std::vector<std::string> names = {"left", "right", "bottom", "top"};
  std::vector<SceneElasticBody::Side> sides;
  for (const std::string& word : t.texts("clamped")) {
    const auto side = std::find(names.begin(), names.end(), word);
    if (side == names.end()) t.fail("clamped", '"' + word + '"', join_names(names));
    sides.push_back(static_cast<SceneElasticBody::Side>(side - names.begin()));
  }
  return sides;
}

void read_rectangle(TableReader& t, const SceneContext& context, SceneElasticBody& body) {
  constexpr double kLargest = 1e9, kMostDivisions = 1e6;
  body.centre = t.vector<2>("centre", body.centre, Range{-kLargest, kLargest});
  body.size = t.vector<2>("size", Range{1e-9, kLargest});
  body.angle = t.number("angle", 0, kAnyNumber);
  const Vec<2> divisions = t.vector<2>("divisions", Range{1, kMostDivisions});
  const double nodes = (divisions[0] + 1) * (divisions[1] + 1);
  if (divisions != divisions.array().floor().matrix())
    t.fail("divisions", fmt::format("[{}, {}]", divisions[0], divisions[1]), "two whole numbers, 1 or more");
  if (nodes > static_cast<double>(context.limits.bodies))
    t.fail("divisions", fmt::format("{} nodes", nodes), fmt::format("up to {}", context.limits.bodies));
  body.divisions[0] = static_cast<int>(divisions[0]);
  body.divisions[1] = static_cast<int>(divisions[1]);
}

SceneElasticBody read_elastic_body(TableReader& t, SceneContext& context) {
  SceneElasticBody body;
  body.name = t.text("name", "");
  body.where = t.where();
  body.material = context.material(t, "material");
  read_rectangle(t, context, body);
  body.elasticity.young = t.number("young", kPositive);
  body.elasticity.poisson = t.number("poisson", 0, kAnyNumber);
  body.elasticity.plane =
      t.choice("plane", {"strain", "stress"}, 0) == 0 ? PlaneState::strain : PlaneState::stress;
  check_elasticity(body.elasticity, t.where("poisson"));
  const auto material = context.materials.find(body.material);
  const bool has_density = material != context.materials.end() && material->second;
  body.density = t.number("density", has_density ? *material->second : body.density, kPositive);
  body.thickness = t.number("thickness", 1, kPositive);
  body.damping_mass = t.number("damping_mass", 0, kNotNegative);
  body.damping_stiffness = t.number("damping_stiffness", 0, kNotNegative);
  body.velocity = t.vector<2>("velocity", body.velocity);
  body.spin = t.number("spin", 0, kAnyNumber);
  body.clamped = read_sides(t);
  body.group = read_group_bits(t, "groups", body.group);
  body.mask = read_group_bits(t, "touches", body.mask);
  t.finish();
  return body;
}

template <class Part>
void check_part_names(const std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!parts[i].name.empty() && parts[i].name == parts[j].name)
        throw InputError(parts[i].where, "a second one of one name", '"' + parts[i].name + '"',
                         "another name: the first is at " + parts[j].where);
}

}  // namespace

std::vector<SceneLinearSystem> read_systems(TableReader& scene, SceneContext& context) {
  std::vector<SceneLinearSystem> systems;
  for (TableReader& t : scene.tables("system"))
    if (!t.has("coordinates"))
      systems.push_back(read_system(t, context));  // others: scene_lagrangian_reader.hpp
  check_part_names(systems);
  return systems;
}

std::vector<SceneElasticBody> read_elastic(TableReader& scene, SceneContext& context) {
  std::vector<SceneElasticBody> bodies;
  for (TableReader& t : scene.tables("elastic")) bodies.push_back(read_elastic_body(t, context));
  check_part_names(bodies);
  return bodies;
}

}  // namespace saltus
