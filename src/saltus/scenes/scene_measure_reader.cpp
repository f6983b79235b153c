#include "saltus/scenes/scene_measure_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/scenes/scene_table.hpp"

namespace saltus {

namespace {

constexpr int kMostBins = 10000;

template <int Dim>
RegionSpec<Dim> read_region(TableReader t) {
  using Kind = typename RegionSpec<Dim>::Kind;
  RegionSpec<Dim> region;
  if (t.has("walls")) {
    region.kind = Kind::walls;
    region.walls = t.texts("walls");
  } else if (t.has("radii")) {
    region.kind = Kind::ring;
    region.centre = t.vector<Dim>("centre", Vec<Dim>::Zero());
    const Vec<2> radii = t.vector<2>("radii", kNotNegative);
    region.r0 = radii[0], region.r1 = radii[1];
    if (!(region.r1 > region.r0))
      t.fail("radii", fmt::format("{}, {}", radii[0], radii[1]), "increasing radii");
    if constexpr (Dim == 3) {
      const Vec<2> z = t.vector<2>("z");
      region.low[2] = z[0], region.high[2] = z[1];
    }
  } else {
    region.kind = Kind::box;
    region.low = t.vector<Dim>("from"), region.high = t.vector<Dim>("to");
    if (!(region.high.array() > region.low.array()).all()) t.fail("to", "a corner", "one above `from`");
  }
  t.finish();
  return region;
}

template <int Dim>
GateSpec<Dim> read_gate(TableReader t) {
  using Kind = typename GateSpec<Dim>::Kind;
  GateSpec<Dim> gate;
  gate.point = t.vector<Dim>("point");
  gate.normal = t.vector<Dim>("normal");
  if (!(gate.normal.norm() > 0)) t.fail("normal", "zero", "a direction");
  if (t.has(Dim == 2 ? "width" : "radius")) {
    gate.kind = Kind::disc;
    gate.radius = Dim == 2 ? t.number("width", kPositive) / 2 : t.number("radius", kPositive);
  }
  if constexpr (Dim == 3)
    if (t.has("sides")) {
      if (gate.kind == Kind::disc) t.fail("sides", "beside radius", "one of radius and sides");
      gate.kind = Kind::rectangle;
      gate.sides = t.vector<2>("sides", kPositive);
      gate.along = t.vector<3>("along");
      if (!(gate.along.cross(gate.normal).norm() > 1e-6 * gate.along.norm() * gate.normal.norm()))
        t.fail("along", "zero or along the normal", "a direction in the plane");
    }
  t.finish();
  return gate;
}

// The axis of a profile: a name, or a direction.
template <int Dim>
void read_axis(TableReader& t, MeasureSpec<Dim>& spec) {
  if (const toml::node* node = t.node("axis"); node && node->is_array()) {
    spec.along = t.vector<Dim>("axis");
    if (!(spec.along.norm() > 0)) t.fail("axis", "zero", "a direction");
    spec.along.normalize();
    return;
  }
  std::vector<std::string> axes = {"x", "y", "z"};
  axes.resize(Dim);
  axes.push_back("radius");
  const int axis = t.choice("axis", axes, Dim - 1);
  spec.axis = axis == Dim ? -1 : axis;
}

bool uses_region(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::stress:
    case MeasureKind::strain:
    case MeasureKind::packing:
    case MeasureKind::fabric:
    case MeasureKind::profile:
    case MeasureKind::count:
    case MeasureKind::surface:
    case MeasureKind::network:
    case MeasureKind::wall: return true;
    default: return false;
  }
}

template <int Dim>
MeasureSpec<Dim> read_measure(TableReader& t) {
  MeasureSpec<Dim> spec;
  spec.where = t.where();
  const int kind = t.choice("kind", measure_kind_names());
  spec.kind = static_cast<MeasureKind>(kind);
  spec.name = t.text("name", measure_kind_names()[static_cast<std::size_t>(kind)]);
  const bool plain = !spec.name.empty() && std::all_of(spec.name.begin(), spec.name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  });
  if (!plain) t.fail("name", '"' + spec.name + '"', "letters, digits, - and _");
  if (uses_region(spec.kind) && t.has("region")) spec.region = read_region<Dim>(t.table("region"));
  if (spec.kind == MeasureKind::wall || spec.kind == MeasureKind::body) spec.body = t.text("body");
  if (spec.kind == MeasureKind::joint) spec.part = t.text("joint");
  if (spec.kind == MeasureKind::system) {
    spec.part = t.text("system");
    if (t.has("coordinates"))
      spec.coordinates = t.integers("coordinates", 0, std::numeric_limits<int>::max());
  }
  if (uses_elements(spec.kind))
    spec.part = spec.kind == MeasureKind::solid_stress ? t.text("system", "") : t.text("system");
  if (spec.kind == MeasureKind::reaction) spec.body = t.text("surface", "");
  if (spec.kind == MeasureKind::point_stress || spec.kind == MeasureKind::section)
    spec.gate.point = t.vector<Dim>("point");
  if (spec.kind == MeasureKind::beam_forces) {
    spec.part = t.text("system");
    spec.has_point = t.has("point");
    if (spec.has_point) spec.gate.point = t.vector<Dim>("point");
  }
  if (spec.kind == MeasureKind::section) {
    spec.gate.normal = t.vector<Dim>("normal");
    if (!(spec.gate.normal.norm() > 0)) t.fail("normal", "zero", "a direction");
  }
  if (spec.kind == MeasureKind::extent) {
    spec.connected = t.flag("connected", false);
    if (t.has("gap")) spec.gap = t.number("gap", kPositive);
    if (spec.connected && spec.gap > 0) t.fail("gap", "beside connected", "one of gap and connected");
  }
  if (spec.kind == MeasureKind::flux) spec.gate = read_gate<Dim>(t.table("through"));
  if (spec.kind == MeasureKind::flux || spec.kind == MeasureKind::count) spec.bodies = t.texts("bodies");
  if (spec.kind == MeasureKind::network) {
    spec.threshold = t.number("threshold", spec.threshold, kNotNegative);
    spec.angle = t.number("angle", spec.angle, Range{0, 1.5707963267948966});
  }
  if (uses_bins(spec.kind))
    spec.bins = static_cast<int>(
        t.integer("bins", spec.bins, 1, spec.kind == MeasureKind::surface && Dim == 3 ? 1000 : kMostBins));
  if (spec.kind == MeasureKind::forces) spec.range = t.number("range", spec.range, kPositive);
  if (spec.kind == MeasureKind::profile) {
    read_axis(t, spec);
    spec.of = t.texts("of");
    if (spec.of.empty())
      t.fail("of", "nothing", fmt::format("a list of {}", fmt::join(profile_quantities<Dim>(), ", ")));
  }
  t.finish();
  return spec;
}

}  // namespace

template <int Dim>
std::vector<MeasureSpec<Dim>> read_measures(TableReader& scene) {
  std::vector<MeasureSpec<Dim>> specs;
  for (TableReader& t : scene.tables("measures")) specs.push_back(read_measure<Dim>(t));
  return specs;
}

std::vector<StopCondition> read_stops(TableReader& run) {
  std::vector<StopCondition> stops;
  for (TableReader& t : run.tables("stop")) {
    StopCondition stop;
    stop.where = t.where();
    stop.when = t.text("when");
    if (t.has("above") == t.has("below")) t.fail("above", "none or both", "one of above and below");
    if (t.has("above")) stop.above = t.number("above", kAnyNumber);
    if (t.has("below")) stop.below = t.number("below", kAnyNumber);
    stop.hold = t.number("hold", 0, kNotNegative);
    if (t.has("after")) stop.after = t.number("after", kAnyNumber);
    stop.rests = t.choice("then", {"end", "rest"}, 0) == 1;
    t.finish();
    stops.push_back(std::move(stop));
  }
  return stops;
}

template <int Dim>
MeasureSpec<Dim> parse_measure(const std::string& text, const std::string& where) {
  const bool is_table = text.find('{') != std::string::npos;
  try {
    const toml::table tree =
        parse_bounded(is_table ? "m = " + text : fmt::format("m = {{ kind = \"{}\" }}", text), where);
    const toml::table* table = tree.get_as<toml::table>("m");
    if (!table) throw InputError(where, "a measure", text, "a kind, or { kind = \"...\", ... }");
    TableReader reader(*table, "");
    return read_measure<Dim>(reader);
  } catch (const toml::parse_error& error) {
    throw InputError(where, std::string(error.description()), text);
  }
}

template std::vector<MeasureSpec<2>> read_measures<2>(TableReader&);
template std::vector<MeasureSpec<3>> read_measures<3>(TableReader&);
template MeasureSpec<2> parse_measure<2>(const std::string&, const std::string&);
template MeasureSpec<3> parse_measure<3>(const std::string&, const std::string&);

}  // namespace saltus
