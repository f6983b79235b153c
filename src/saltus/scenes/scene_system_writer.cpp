#include "saltus/scenes/scene_system_writer.hpp"

#include <fmt/format.h>

#include "saltus/scenes/scene_function_writer.hpp"

namespace saltus {

namespace {

std::string format_gap(const SceneGap& gap, int size) {
  std::vector<double> row(size, 0.0);
  for (const auto& [dof, factor] : gap.row) row[dof] = factor;
  const bool is_one = gap.row.size() == 1 && (gap.row[0].second == 1 || gap.row[0].second == -1);
  const std::string gradient = is_one
                                   ? fmt::format("dof = {}, sign = {}", gap.row[0].first, gap.row[0].second)
                                   : "row = " + to_toml(row);
  const std::string restitution =
      gap.law.kind == LawKind::newton ? ", restitution = " + to_toml(gap.law.restitution) : "";
  return fmt::format("{{ {}, offset = {}, kind = {}{}, active_below = {} }}", gradient, to_toml(gap.offset),
                     quote(name(gap.law.kind)), restitution, to_toml(gap.active_below));
}

}  // namespace

std::string format_matrix(const SceneMatrix& matrix) {
  std::string entries;
  for (const auto& [row, column, value] : matrix.entries)
    append_item(entries, fmt::format("[{}, {}, {}]", row, column, to_toml(value)));
  return fmt::format("{{ size = {}, entries = [{}] }}", matrix.size, entries);
}

void write_system(const SceneLinearSystem& system, TextWriter& out) {
  out.section("[[system]]");
  if (!system.name.empty()) out.key("name", quote(system.name));
  out.key("mass", format_matrix(system.mass));
  if (system.damping.size > 0) out.key("damping", format_matrix(system.damping));
  if (system.stiffness.size > 0) out.key("stiffness", format_matrix(system.stiffness));
  out.key("q", to_toml(system.q));
  out.key("v", to_toml(system.v));
  std::string forces, locked, driven, gaps;
  for (const auto& [dof, force] : system.forces)
    append_item(forces, fmt::format("{{ dof = {}, value = {} }}", dof, format_function(force)));
  for (const auto& [dof, drive] : system.driven) {
    if (drive.kind == Drive::Kind::locked)
      append_item(locked, fmt::format("{}", dof));
    else
      append_item(driven, fmt::format("{{ dof = {}, {} }}", dof, format_drive(drive)));
  }
  for (const SceneGap& gap : system.gaps) append_item(gaps, format_gap(gap, system.mass.size));
  if (!forces.empty()) out.key("forces", "[" + forces + "]");
  if (!locked.empty()) out.key("locked", "[" + locked + "]");
  if (!driven.empty()) out.key("drive", "[" + driven + "]");
  if (!gaps.empty()) out.key("gaps", "[" + gaps + "]");
}

void write_elastic(const SceneElasticBody& body, TextWriter& out) {
  constexpr const char* kSides[] = {"left", "right", "bottom", "top"};
  const SceneElasticBody preset;
  out.section("[[elastic]]");
  if (!body.name.empty()) out.key("name", quote(body.name));
  if (body.material.str() != preset.material.str()) out.key("material", quote(body.material.str()));
  out.key("centre", to_toml(body.centre));
  out.key("size", to_toml(body.size));
  out.key("divisions", fmt::format("[{}, {}]", body.divisions[0], body.divisions[1]));
  if (body.angle != 0) out.key("angle", to_toml(body.angle));
  out.key("young", to_toml(body.elasticity.young));
  out.key("poisson", to_toml(body.elasticity.poisson));
  out.key("plane", quote(body.elasticity.plane == PlaneState::strain ? "strain" : "stress"));
  out.key("density", to_toml(body.density));
  out.key("thickness", to_toml(body.thickness));
  if (body.damping_mass != 0) out.key("damping_mass", to_toml(body.damping_mass));
  if (body.damping_stiffness != 0) out.key("damping_stiffness", to_toml(body.damping_stiffness));
  if (body.velocity != preset.velocity) out.key("velocity", to_toml(body.velocity));
  if (body.spin != 0) out.key("spin", to_toml(body.spin));
  std::vector<std::string> clamped;
  for (const SceneElasticBody::Side side : body.clamped) clamped.emplace_back(kSides[side]);
  if (!clamped.empty()) out.key("clamped", to_toml(clamped));
  if (body.group != preset.group) out.key("groups", group_list(body.group));
  if (body.mask != preset.mask) out.key("touches", group_list(body.mask));
}

}  // namespace saltus
