#include "saltus/scenes/scene_lagrangian_writer.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_shape_writer.hpp"
#include "saltus/scenes/scene_system_writer.hpp"

namespace saltus {

namespace {

std::string format_formula(const SceneFormula& formula) {
  if (formula.function)
    throw InputError("", "a system with functions of a program cannot be written as a scene", {}, "formulas");
  return quote(formula.text);
}

template <class List>
std::string format_list(const List& formulas) {
  std::string items;
  for (const SceneFormula& formula : formulas) append_item(items, format_formula(formula));
  return "[" + items + "]";
}

std::string format_gap(const SceneSystemGap& gap) {
  const PairLaw& law = gap.law;
  std::string text = "gap = " + format_formula(gap.gap);
  const auto add = [&](const char* key, const std::string& value) {
    text += fmt::format(", {} = {}", key, value);
  };
  if (!gap.name.empty()) add("name", quote(gap.name));
  if (!gap.tangents.empty()) add("tangent", format_list(gap.tangents));
  add("kind", quote(name(law.kind)));
  if (law.friction != 0) add("friction", to_toml(law.friction));
  if (law.friction_dynamic >= 0) add("friction_dynamic", to_toml(law.friction_dynamic));
  if (law.kind == LawKind::newton || law.kind == LawKind::fremond)
    add("restitution", to_toml(law.restitution));
  if (law.kind == LawKind::newton && law.restitution_tangent != 0)
    add("restitution_tangent", to_toml(law.restitution_tangent));
  if (law.kind == LawKind::moreau) add("dissipation", to_toml(law.dissipation));
  if (law.regularisation != 0) add("regularisation", to_toml(law.regularisation));
  if (gap.active_below != 0) add("active_below", to_toml(gap.active_below));
  if (gap.release_above >= 0) add("release_above", to_toml(gap.release_above));
  return "{ " + text + " }";
}

std::string format_constraint(const SceneConstraint& constraint) {
  std::string text = "formula = " + format_formula(constraint.formula);
  if (!constraint.name.empty()) text += ", name = " + quote(constraint.name);
  if (constraint.stabilisation_time >= 0)
    text += ", stabilisation_time = " + to_toml(constraint.stabilisation_time);
  if (constraint.may_be_off) text += ", may_be_off = true";
  return "{ " + text + " }";
}

template <int Dim>
std::string format_point(const SceneSystemPoint<Dim>& point) {
  const SceneSystemPoint<Dim> preset;
  std::string text = "shape = " + format_shape<Dim>(point.shape);
  const auto add = [&](const char* key, const std::string& value) {
    text += fmt::format(", {} = {}", key, value);
  };
  if (!point.name.empty()) add("name", quote(point.name));
  if (point.material.str() != preset.material.str()) add("material", quote(point.material.str()));
  add("position", format_list(point.position));
  if (!point.turn[0].text.empty() || point.turn[0].function) {
    if constexpr (Dim == 2)
      add("angle", format_formula(point.turn[0]));
    else
      add("rotation", format_list(point.turn));
  }
  if (point.group != preset.group) add("groups", group_list(point.group));
  if (point.mask != preset.mask) add("touches", group_list(point.mask));
  return "{ " + text + " }";
}

}  // namespace

template <int Dim>
void write_lagrangian(const SceneLagrangianSystem<Dim>& system, TextWriter& out) {
  if (system.model)
    throw InputError("", "a system with functions of a program cannot be written as a scene", {}, "formulas");
  out.section("[[system]]");
  if (!system.name.empty()) out.key("name", quote(system.name));
  out.key("coordinates", to_toml(system.names.coordinates));
  out.key("velocities", to_toml(system.names.velocities));
  std::string parameters, rows, gaps, constraints, points;
  for (const auto& [name, value] : system.names.parameters)
    append_item(parameters, fmt::format("{} = {}", name, to_toml(value)));
  if (!parameters.empty()) out.key("parameters", "{ " + parameters + " }");
  for (const auto& row : system.mass) append_item(rows, format_list(row));
  out.key("mass", "[" + rows + "]");
  out.key("force", format_list(system.forces));
  if (system.damping.size > 0) out.key("damping", format_matrix(system.damping));
  if (system.stiffness.size > 0) out.key("stiffness", format_matrix(system.stiffness));
  if (system.trapezoidal) {
    out.key("integration", quote("trapezoidal"));
    out.key("newton_tolerance", to_toml(system.newton_tolerance));
  }
  out.key("q", to_toml(system.q));
  out.key("v", to_toml(system.v));
  for (const SceneSystemGap& gap : system.gaps) append_item(gaps, format_gap(gap));
  for (const SceneConstraint& constraint : system.constraints)
    append_item(constraints, format_constraint(constraint));
  for (const SceneSystemPoint<Dim>& point : system.points) append_item(points, format_point<Dim>(point));
  if (!gaps.empty()) out.key("gaps", "[" + gaps + "]");
  if (!constraints.empty()) out.key("constraints", "[" + constraints + "]");
  if (!points.empty()) out.key("points", "[" + points + "]");
}

template void write_lagrangian<2>(const SceneLagrangianSystem<2>&, TextWriter&);
template void write_lagrangian<3>(const SceneLagrangianSystem<3>&, TextWriter&);

}  // namespace saltus
