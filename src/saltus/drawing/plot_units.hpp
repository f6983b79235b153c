// Units of the columns of a trajectory, for the axes of figures.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "saltus/sim/scene_measures.hpp"

namespace saltus {

struct ColumnUnits {
  int dimension = 0;                         // 0: not known
  std::map<std::string, MeasureKind> kinds;  // of the measures, by name
  std::map<std::string, std::vector<bool>>
      turns;  // of measures of joints, by name: per free direction, it is an angle

  // Of a column (stress.xx), a profile (profile.velocity.x) or its places ("place"); empty: a pure number, or
  // not known.
  std::string of(const std::string& column) const;
};

ColumnUnits read_units(const std::string& trajectory);

// Of each of these joints of a scene: per free direction, whether it is an angle. Empty for one without a name of
// its own, and for all where the text is no scene.
std::vector<std::vector<bool>> read_joint_turns(const std::string& scene_text,
                                                const std::vector<std::string>& joints, int dimension);

// Of a key of the summary of a run ("cpu_seconds.total"); empty: a pure number, or not known.
std::string unit_of_summary(const std::string& key);

// Of the axis of these columns: "ball.y, m"; several of one unit: that of their group, "energy, J", or the unit alone; else their names,
// with units where there are.
std::string label_of(const std::vector<std::string>& columns,
                     const std::function<std::string(const std::string&)>& unit_of);

}  // namespace saltus
