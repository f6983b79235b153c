#include "saltus/drawing/plot_units.hpp"

#include <algorithm>

#include "saltus/scenes/scene_measure_reader.hpp"
#include "saltus/scenes/scene_table.hpp"
#include "saltus/trajectories/trajectory_file.hpp"

namespace saltus {

namespace {

bool begins(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

bool is_coordinate(const std::string& part) { return part == "x" || part == "y" || part == "z"; }

// By what the part is called: the same words mean the same in every measure.
std::string unit_of_part(const std::string& part) {
  if (begins(part, "velocity") || begins(part, "speed")) return "m/s";
  if (begins(part, "spin") || part == "relative_spin") return "rad/s";
  if (begins(part, "force")) return "N";
  if (begins(part, "moment") || begins(part, "torque")) return "N m";
  if (begins(part, "length_")) return "m";
  if (begins(part, "angle")) return "rad";
  return "";
}

std::string unit_of_frames(const std::string& name) {
  if (begins(name, "residual_rms_gh") || begins(name, "residual_max_gh")) return "g h";
  if (begins(name, "residual") || name == "tolerance") return "m/s";
  return begins(name, "penetration") ? "m" : "";
}

}  // namespace

std::string ColumnUnits::of(const std::string& column) const {
  if (column == "time") return "s";
  if (column == "place") return "m";
  if (dimension == 0) return "";
  if (begins(column, "energy.")) return "J";
  if (begins(column, "solver.")) return unit_of_frames(column.substr(7));
  const auto measure = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& entry) { return begins(column, entry.first + "."); });
  if (measure == kinds.end()) return "";
  const std::string part = column.substr(measure->first.size() + 1);
  const std::string stress = dimension == 2 ? "N/m" : "Pa";
  switch (measure->second) {
    case MeasureKind::stress: return part == "sin_phi" ? "" : stress;
    case MeasureKind::body_stress: return stress;
    case MeasureKind::profile: return begins(part, "stress") ? stress : unit_of_part(part);
    case MeasureKind::wall: return part == "stress" ? stress : unit_of_part(part);
    case MeasureKind::energy: return "J";
    case MeasureKind::body: return is_coordinate(part) ? "m" : unit_of_part(part);
    case MeasureKind::extent: return "m";
    case MeasureKind::joint: return part == "gap" ? "m" : unit_of_part(part);
    case MeasureKind::packing:
      if (part != "solid" && part != "volume") return "";
      return dimension == 2 ? "m2" : "m3";
    case MeasureKind::slip:
      if (part == "mean" || part == "largest") return "m/s";
      return unit_of_part(part);
    default: return unit_of_part(part);
  }
}

ColumnUnits read_units(const std::string& trajectory) {
  const TrajectoryFile file = TrajectoryFile::open(trajectory, TrajectoryFile::Mode::read);
  ColumnUnits units;
  units.dimension = file.dimension();
  const toml::table tree = parse_toml(file.read_header().scene_text, trajectory);
  TableReader reader(tree, "");
  const auto add = [&](const auto& specs) {
    for (const auto& spec : specs) units.kinds[spec.name] = spec.kind;
  };
  if (units.dimension == 2)
    add(read_measures<2>(reader));
  else
    add(read_measures<3>(reader));
  return units;
}

}  // namespace saltus
