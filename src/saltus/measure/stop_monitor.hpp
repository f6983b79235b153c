// Watches the rows of measures for the end of a run, and for the moments when velocities are to become zero.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/sim/scene_measures.hpp"

namespace saltus {

class StopMonitor {
 public:
  // InputError, opened by the place of the condition, when it names a column that is not measured.
  StopMonitor(std::vector<StopCondition> conditions, const std::vector<std::string>& columns);

  struct Verdict {
    std::string end;   // why the run ends ("strain.x above 0.1"), empty: it goes on
    std::string rest;  // why velocities become zero now; empty: they do not
  };
  // Looks at the next row.
  Verdict update(double time, std::span<const double> row);

 private:
  struct Watch {
    StopCondition condition;
    std::size_t column;
    double since;            // nan: does not hold now
    bool has_acted = false;  // and rests no more
  };
  std::vector<Watch> watches_;
};

}  // namespace saltus
