// Units of the columns of a trajectory, for the axes of figures.
#pragma once

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

}  // namespace saltus
