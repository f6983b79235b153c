#include "saltus/scenes/scene_measure_writer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace saltus {

namespace {

template <int Dim>
std::string format_region(const RegionSpec<Dim>& region) {
  using Kind = typename RegionSpec<Dim>::Kind;
  switch (region.kind) {
    case Kind::walls: return fmt::format("{{ walls = {} }}", to_toml(region.walls));
    case Kind::box: return fmt::format("{{ from = {}, to = {} }}", to_toml(region.low), to_toml(region.high));
    case Kind::ring: break;
    case Kind::sample: return "";
  }
  std::string text = fmt::format("{{ centre = {}, radii = {}", to_toml(region.centre),
                                 to_toml(std::vector<double>{region.r0, region.r1}));
  if constexpr (Dim == 3)
    text += fmt::format(", z = {}", to_toml(std::vector<double>{region.low[2], region.high[2]}));
  return text + " }";
}

template <int Dim>
std::string format_gate(const GateSpec<Dim>& gate) {
  using Kind = typename GateSpec<Dim>::Kind;
  std::string text = fmt::format("{{ point = {}, normal = {}", to_toml(gate.point), to_toml(gate.normal));
  if (gate.kind == Kind::disc && Dim == 2) text += ", width = " + to_toml(2 * gate.radius);
  if (gate.kind == Kind::disc && Dim == 3) text += ", radius = " + to_toml(gate.radius);
  if (gate.kind == Kind::rectangle)
    text += fmt::format(", sides = {}, along = {}", to_toml(gate.sides), to_toml(gate.along));
  return text + " }";
}

}  // namespace

template <int Dim>
void write_measures(const std::vector<MeasureSpec<Dim>>& measures, TextWriter& out) {
  for (const MeasureSpec<Dim>& m : measures) {
    out.section("[[measures]]");
    out.key("kind", quote(measure_kind_names()[static_cast<std::size_t>(m.kind)]));
    out.key("name", quote(m.name));
    if (const std::string region = format_region<Dim>(m.region); !region.empty()) out.key("region", region);
    if (!m.body.empty()) out.key(m.kind == MeasureKind::reaction ? "surface" : "body", quote(m.body));
    if (m.kind == MeasureKind::joint) out.key("joint", quote(m.part));
    const bool of_elements = uses_elements(m.kind) && !m.part.empty();
    if (m.kind == MeasureKind::system || m.kind == MeasureKind::beam_forces || of_elements)
      out.key("system", quote(m.part));
    if (m.kind == MeasureKind::point_stress || m.kind == MeasureKind::section || m.has_point)
      out.key("point", to_toml(m.gate.point));
    if (m.kind == MeasureKind::section) out.key("normal", to_toml(m.gate.normal));
    if (!m.coordinates.empty()) out.key("coordinates", fmt::format("[{}]", fmt::join(m.coordinates, ", ")));
    if (m.connected) out.key("connected", "true");
    if (m.gap > 0) out.key("gap", to_toml(m.gap));
    if (m.kind == MeasureKind::flux) out.key("through", format_gate<Dim>(m.gate));
    if (!m.bodies.empty()) out.key("bodies", to_toml(m.bodies));
    if (m.kind == MeasureKind::network) {
      out.key("threshold", to_toml(m.threshold));
      out.key("angle", to_toml(m.angle));
    }
    if (uses_bins(m.kind)) out.key("bins", fmt::format("{}", m.bins));
    if (m.kind == MeasureKind::forces) out.key("range", to_toml(m.range));
    if (m.kind == MeasureKind::profile) {
      if (!m.along.isZero(0))
        out.key("axis", to_toml(m.along));
      else
        out.key("axis", m.axis < 0 ? "\"radius\"" : quote(std::string(1, "xyz"[m.axis])));
      out.key("of", to_toml(m.of));
    }
  }
}

std::string format_stops(const std::vector<StopCondition>& stops) {
  std::string list;
  for (const StopCondition& stop : stops) {
    list += fmt::format("{}{{ when = {}", list.empty() ? "" : ", ", quote(stop.when));
    if (std::isfinite(stop.above)) list += ", above = " + to_toml(stop.above);
    if (std::isfinite(stop.below)) list += ", below = " + to_toml(stop.below);
    if (stop.hold > 0) list += ", hold = " + to_toml(stop.hold);
    if (std::isfinite(stop.after)) list += ", after = " + to_toml(stop.after);
    if (stop.rests) list += ", then = \"rest\"";
    list += " }";
  }
  return "[" + list + "]";
}

template void write_measures<2>(const std::vector<MeasureSpec<2>>&, TextWriter&);
template void write_measures<3>(const std::vector<MeasureSpec<3>>&, TextWriter&);

}  // namespace saltus
