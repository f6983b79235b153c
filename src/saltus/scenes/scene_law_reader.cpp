#include "saltus/scenes/scene_law_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr std::array kKinds = {
    LawKind::velocity_signorini, LawKind::newton,        LawKind::moreau,  LawKind::fremond,
    LawKind::quasi_inelastic,    LawKind::gap_signorini, LawKind::elastic, LawKind::hertz};
constexpr std::array kBondings = {Bonding::initial, Bonding::adhesive};

// A number that only some kinds of law use: for the others it would be ignored, which is not what was meant.
double read_for_kinds(TableReader& t, std::string_view key, double fallback, const Range& range, LawKind kind,
                      std::initializer_list<LawKind> users) {
  if (!t.has(key)) return fallback;
  if (std::find(users.begin(), users.end(), kind) == users.end()) {
    std::string allowed;
    for (const LawKind user : users)
      allowed += fmt::format("{}\"{}\"", allowed.empty() ? "" : " or ", name(user));
    t.fail(key, fmt::format("a value that the law \"{}\" does not use", name(kind)),
           "with kind = " + allowed);
  }
  return t.number(key, range);
}

void read_bond(TableReader& t, PairLaw& law) {
  law.cohesion = t.number("cohesion", 0, kNotNegative);
  law.rupture_gap = t.number("rupture_gap", 0, kNotNegative);
  law.bonding = kBondings[t.choice("bonding", {"initial", "adhesive"}, 0)];
  const bool idle = law.cohesion == 0 && (law.rupture_gap > 0 || law.bonding != Bonding::initial);
  if (idle) t.fail("cohesion", "0 for a law with a rupture_gap or bonding", "a number of N above 0");
}

// "0.3*t^2", or { speeds = [0, 1], forces = [0, 20] }.
std::shared_ptr<const FrictionFunction> read_friction_function(TableReader& law) {
  const toml::node* node = law.node("friction_function");
  if (!node) return nullptr;
  if (!node->is_table())
    return std::make_shared<FrictionFunction>(law.text("friction_function"), law.where("friction_function"));
  TableReader t = law.table("friction_function");
  std::vector<double> speeds = t.numbers("speeds", kNotNegative), forces = t.numbers("forces", kNotNegative);
  t.finish();
  return std::make_shared<FrictionFunction>(std::move(speeds), std::move(forces), t.where());
}

}  // namespace

PairLaw read_law(TableReader& t, const SceneContext& context) {
  std::vector<std::string> kinds;
  for (const LawKind kind : kKinds) kinds.emplace_back(name(kind));
  PairLaw law;
  const auto preset = std::find(kKinds.begin(), kKinds.end(), law.kind) - kKinds.begin();
  law.kind = kKinds[t.choice("kind", kinds, static_cast<int>(preset))];
  law.friction = t.number("friction", 0, kNotNegative);
  if (t.has("friction_dynamic")) law.friction_dynamic = t.number("friction_dynamic", Range{0, law.friction});
  law.restitution =
      read_for_kinds(t, "restitution", 0, Range{0, 1}, law.kind, {LawKind::newton, LawKind::fremond});
  law.restitution_tangent =
      read_for_kinds(t, "restitution_tangent", 0, Range{-1, 1}, law.kind, {LawKind::newton});
  law.dissipation = read_for_kinds(t, "dissipation", 1, Range{0, 1}, law.kind, {LawKind::moreau});
  law.stiffness_normal =
      read_for_kinds(t, "stiffness_normal", 0, kPositive, law.kind, {LawKind::elastic, LawKind::hertz});
  law.stiffness_tangent =
      read_for_kinds(t, "stiffness_tangent", 0, kNotNegative, law.kind, {LawKind::elastic, LawKind::hertz});
  read_bond(t, law);
  law.viscosity = t.number("viscosity", 0, kNotNegative);
  law.function = read_friction_function(t);
  law.regularisation = t.number("regularisation", 0, kNotNegative);
  law.rolling = t.number("rolling", 0, kNotNegative);
  t.finish();
  check_law(law, context.theta, t.where());
  return law;
}

void read_materials(TableReader& scene, SceneContext& context) {
  context.materials["default"];
  std::optional<TableReader> materials = scene.optional_table("materials");
  if (!materials) return;
  for (const auto& [key, value] : materials->tree()) {
    TableReader t = materials->table(key.str());
    std::optional<double>& density = context.materials[std::string(key.str())];
    if (t.has("density")) density = t.number("density", kPositive);
    t.finish();
  }
}

std::vector<SceneLaw> read_laws(TableReader& scene, const SceneContext& context) {
  std::vector<SceneLaw> laws;
  for (TableReader& t : scene.tables("laws")) {
    SceneLaw law;
    const std::vector<std::string> pair = t.texts("between");
    if (pair.size() != 2) t.fail("between", fmt::format("{} names", pair.size()), "two names of materials");
    law.material_a = context.checked_material(pair[0], t, "between");
    law.material_b = context.checked_material(pair[1], t, "between");
    for (const SceneLaw& other : laws) {
      const bool same = (other.material_a == law.material_a && other.material_b == law.material_b) ||
                        (other.material_a == law.material_b && other.material_b == law.material_a);
      if (same)
        t.fail("between", "a second law for this pair", "one law per pair; the first is at " + other.where);
    }
    law.where = t.where();
    law.law = read_law(t, context);
    laws.push_back(std::move(law));
  }
  return laws;
}

}  // namespace saltus
