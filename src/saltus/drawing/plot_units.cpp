#include "saltus/drawing/plot_units.hpp"

#include <algorithm>
#include <initializer_list>

#include "saltus/base/input_error.hpp"
#include "saltus/joints/joint.hpp"
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

std::string one_of(const std::string& part, std::initializer_list<const char*> starts, const char* unit,
                   const std::string& other) {
  return std::any_of(starts.begin(), starts.end(), [&](const char* start) { return begins(part, start); })
             ? unit
             : other;
}

std::string unit_of_flux(const std::string& part) {
  if (part == "mass") return "kg";
  return part == "mass_rate" ? "kg/s" : part == "rate" ? "1/s" : "";
}

std::string unit_of_count(const std::string& part, int dimension) {
  if (part == "density") return dimension == 2 ? "1/m2" : "1/m3";
  return begins(part, "mass") ? "kg" : "";
}

// value1, rate1, effort1: of the free direction of this number.
std::string unit_of_joint(const std::string& part, const std::vector<bool>& turns) {
  if (part.empty()) return "";
  if (part == "gap") return "m";
  if (part == "power") return "W";
  const auto direction = static_cast<std::size_t>(part.back() - '1');
  const bool numbered = begins(part, "value") || begins(part, "rate") || begins(part, "effort");
  if (!numbered) return unit_of_part(part);
  if (direction >= turns.size()) return "";
  if (begins(part, "value")) return turns[direction] ? "rad" : "m";
  if (begins(part, "rate")) return turns[direction] ? "rad/s" : "m/s";
  return turns[direction] ? "N m" : "N";
}

std::string unit_of_frames(const std::string& name) {
  if (begins(name, "residual_rms_gh") || begins(name, "residual_max_gh")) return "g h";
  if (begins(name, "residual") || name == "tolerance") return "m/s";
  return name == "penetration" || name == "penetration_solver" ? "m" : "";
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
    case MeasureKind::profile:
      return begins(part, "stress") ? stress : one_of(part, {"slip"}, "m/s", unit_of_part(part));
    case MeasureKind::forces: return one_of(part, {"mean_", "largest"}, "N", "");
    case MeasureKind::motion: return one_of(part, {"mean_"}, "m/s", unit_of_part(part));
    case MeasureKind::wall: return part == "stress" ? stress : unit_of_part(part);
    case MeasureKind::energy: return "J";
    case MeasureKind::body: return is_coordinate(part) ? "m" : unit_of_part(part);
    case MeasureKind::extent: return "m";
    case MeasureKind::joint: {
      const auto found = turns.find(measure->first);
      return unit_of_joint(part, found == turns.end() ? std::vector<bool>() : found->second);
    }
    case MeasureKind::flux: return unit_of_flux(part);
    case MeasureKind::count: return unit_of_count(part, dimension);
    case MeasureKind::surface: return part == "rms" || part == "top" ? "m" : "rad";
    case MeasureKind::reaction: return begins(part, "moment") ? "N m" : "N";
    case MeasureKind::solid_stress: return "Pa";
    case MeasureKind::point_stress: return one_of(part, {"stress", "pressure", "mises"}, "Pa", "");
    case MeasureKind::section:
      return part == "area" ? "m2" : one_of(part, {"normal", "shear"}, "N", unit_of_part(part));
    case MeasureKind::beam_forces:
      return one_of(part, {"axial", "shear"}, "N", one_of(part, {"torsion", "moment"}, "N m", ""));
    case MeasureKind::packing:
      if (part != "solid" && part != "volume") return "";
      return dimension == 2 ? "m2" : "m3";
    case MeasureKind::slip:
      if (part == "mean" || part == "largest") return "m/s";
      return unit_of_part(part);
    default: return unit_of_part(part);
  }
}

namespace {

// Of the joint of this name: per value that a measure tells of it, whether it is an angle.
std::vector<bool> find_turns(const toml::table& scene, const std::string& joint, int dimension) {
  std::vector<bool> turns;
  const toml::array* joints = scene["joints"].as_array();
  for (std::size_t i = 0; joints && i < joints->size(); ++i) {
    const toml::table* entry = (*joints)[i].as_table();
    if (!entry || (*entry)["name"].value_or(std::string()) != joint) continue;
    const std::string kind = (*entry)["kind"].value_or(std::string());
    for (int k = 0; k <= static_cast<int>(JointKind::pulley); ++k) {
      const auto each = static_cast<JointKind>(k);
      if (name(each) != kind) continue;
      for (const std::string& direction :
           dimension == 2 ? direction_names<2>(each) : direction_names<3>(each)) {
        const bool turning = direction == "rotation" || direction == "swing" || direction == "twist";
        turns.push_back(turning || direction.find("angle") != std::string::npos);
      }
    }
  }
  return turns;
}

}  // namespace

std::string unit_of_summary(const std::string& key) {
  const std::string name = key.substr(0, key.find('.'));
  if (key.find(".worst_time") != std::string::npos) return "s";
  if (name == "time" || name == "h" || name == "cpu_seconds" || name == "wall_seconds" ||
      name == "critical_step")
    return "s";
  if (name == "dissipation" || name == "energy" || name == "energy_gain") return "J";
  if (name == "peak_memory_bytes") return "bytes";
  return unit_of_frames(name == "penetration_max" ? "penetration" : name);
}

std::string label_of(const std::vector<std::string>& columns,
                     const std::function<std::string(const std::string&)>& unit_of) {
  const auto with_unit = [&](const std::string& name) {
    const std::string unit = unit_of(name);
    return unit.empty() || name.empty() ? name : name + ", " + unit;
  };
  if (columns.empty()) return "";
  if (columns.size() == 1) return with_unit(columns[0]);
  const std::string unit = unit_of(columns[0]);
  const bool same = std::all_of(columns.begin(), columns.end(),
                                [&](const std::string& column) { return unit_of(column) == unit; });
  const std::string group = columns[0].substr(0, columns[0].find('.') + 1);  // with its dot; empty: none
  const bool grouped = std::all_of(columns.begin(), columns.end(),
                                   [&](const std::string& column) { return column.starts_with(group); });
  if (same && !unit.empty())
    return grouped && !group.empty() ? group.substr(0, group.size() - 1) + ", " + unit : unit;
  std::string label;
  for (const std::string& column : columns) label += (label.empty() ? "" : "; ") + with_unit(column);
  return label;
}

ColumnUnits read_units(const std::string& trajectory) {
  const TrajectoryFile file = TrajectoryFile::open(trajectory, TrajectoryFile::Mode::read);
  ColumnUnits units;
  units.dimension = file.dimension();
  const toml::table tree = parse_toml(file.read_header().scene_text, trajectory);
  TableReader reader(tree, "");
  const auto add = [&](const auto& specs) {
    for (const auto& spec : specs) {
      units.kinds[spec.name] = spec.kind;
      if (spec.kind == MeasureKind::joint)
        units.turns[spec.name] = find_turns(tree, spec.part, units.dimension);
    }
  };
  if (units.dimension == 2)
    add(read_measures<2>(reader));
  else
    add(read_measures<3>(reader));
  return units;
}

std::vector<std::vector<bool>> read_joint_turns(const std::string& scene_text,
                                                const std::vector<std::string>& joints, int dimension) {
  std::vector<std::vector<bool>> turns(joints.size());
  if (joints.empty()) return turns;
  try {
    const toml::table tree = parse_toml(scene_text, "scene");
    for (std::size_t i = 0; i < joints.size(); ++i)
      if (!joints[i].empty()) turns[i] = find_turns(tree, joints[i], dimension);
  } catch (const InputError&) {
  }
  return turns;
}

}  // namespace saltus
