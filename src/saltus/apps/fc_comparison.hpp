// Several solvers on several problems: the results, as a table, as CSV and as a picture.
#pragma once

#include <string>
#include <vector>

#include "saltus/apps/fc_report.hpp"
#include "saltus/drawing/performance_profile.hpp"

namespace saltus {

struct FcComparison {
  std::vector<std::string> solvers;
  std::vector<FcSummary> problems;
  std::vector<std::vector<FcRun>> runs;  // runs[problem][solver], without the vectors r and u
};

// CPU seconds per problem and solver, the best of a row marked with *; where a solver did not
// converge, its status. Then how many each solved.
std::string format_table(const FcComparison& comparison);

std::string format_csv(const FcComparison& comparison);

PerformanceProfile build_profile(const FcComparison& comparison, const SolveOptions& options);

}  // namespace saltus
