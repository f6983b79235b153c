// Performance profiles of solvers over a set of problems, as a drawing.
//
//     rho_s(tau) = fraction of the problems that solver s solved at a cost of at most tau
//                  times the cost of the best solver for that problem
//
// (E. Dolan, J. More, "Benchmarking optimization software with performance profiles", Math.
// Program. 91, 2002). rho_s(1) tells how often s was the best, the right end how often it
// solved at all. Problems that nobody solved count in the fraction.
#pragma once

#include <string>
#include <vector>

namespace saltus {

struct PerformanceProfile {
  std::string title;
  std::vector<std::string> solvers;
  std::vector<std::vector<double>> cost;  // of each solver on each problem, > 0; infinity: not solved
};

// Ratios to the best solver, sorted, of the problems that the solver solved: rho_s climbs by
// one problem at each of them.
std::vector<double> compute_ratios(const PerformanceProfile& profile, std::size_t solver);

// A picture of the profiles: tau on a logarithmic axis, a step curve and a legend entry per
// solver, those that solved most first.
std::string format_svg(const PerformanceProfile& profile);

}  // namespace saltus
