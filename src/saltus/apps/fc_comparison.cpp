#include "saltus/apps/fc_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace saltus {

namespace {

constexpr double kUnsolved = std::numeric_limits<double>::infinity();

double cost(const FcRun& run) {
  return run.report.status == SolveStatus::converged ? run.cpu_seconds : kUnsolved;
}

double best_cost(const std::vector<FcRun>& runs) {
  double best = kUnsolved;
  for (const FcRun& run : runs) best = std::min(best, cost(run));
  return best;
}

std::string file_name(const FcSummary& summary) {
  return std::filesystem::path(summary.path).filename().string();
}

std::string format_cell(const FcRun& run, double best) {
  if (run.report.status != SolveStatus::converged) return name(run.report.status);
  return fmt::format("{:.3g}{}", run.cpu_seconds, cost(run) == best ? "*" : " ");
}

// Fields with a comma or a quote are quoted (RFC 4180).
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string format_table(const FcComparison& comparison) {
  std::size_t width = 7;
  for (const FcSummary& problem : comparison.problems) width = std::max(width, file_name(problem).size());
  std::string table = fmt::format("{:<{}}  dim  contacts", "problem", width);
  for (const std::string& solver : comparison.solvers) table += fmt::format("{:>15} ", solver);
  std::vector<int> solved(comparison.solvers.size(), 0);
  for (std::size_t p = 0; p < comparison.problems.size(); ++p) {
    const FcSummary& problem = comparison.problems[p];
    table +=
        fmt::format("\n{:<{}}  {:>3}{:>10}", file_name(problem), width, problem.dimension, problem.contacts);
    const double best = best_cost(comparison.runs[p]);
    for (std::size_t s = 0; s < comparison.solvers.size(); ++s) {
      const FcRun& run = comparison.runs[p][s];
      table += fmt::format("{:>16}", format_cell(run, best));
      solved[s] += run.report.status == SolveStatus::converged;
    }
  }
  table += fmt::format("\n{:<{}}  {:>3}{:>10}", "solved", width, "", comparison.problems.size());
  for (const int count : solved) table += fmt::format("{:>15} ", count);
  return table + "\n";
}

std::string format_csv(const FcComparison& comparison) {
  std::string csv =
      "file,dimension,contacts,degrees_of_freedom,solver,status,iterations,residual_abs,residual_relative_b,"
      "residual_siconos,residual_scaled,cpu_seconds,wall_seconds,reason\n";
  for (std::size_t p = 0; p < comparison.problems.size(); ++p)
    for (const FcRun& run : comparison.runs[p]) {
      const FcSummary& problem = comparison.problems[p];
      const Residuals& residuals = run.report.residuals;
      csv += fmt::format("{},{},{},{},{},{},{},{:.6e},{:.6e},{:.6e},{:.6e},{:.6e},{:.6e},{}\n",
                         csv_field(file_name(problem)), problem.dimension, problem.contacts,
                         problem.degrees_of_freedom, run.solver, name(run.report.status),
                         run.report.iterations, residuals.absolute, residuals.relative_b, residuals.siconos,
                         residuals.scaled, run.cpu_seconds, run.wall_seconds, csv_field(run.report.reason));
    }
  return csv;
}

PerformanceProfile build_profile(const FcComparison& comparison, const SolveOptions& options) {
  PerformanceProfile profile;
  profile.title = fmt::format("{} problems to {} residual {:g}", comparison.problems.size(),
                              name(options.residual), options.tolerance);
  profile.solvers = comparison.solvers;
  profile.cost.resize(comparison.solvers.size());
  for (const auto& runs : comparison.runs)
    for (std::size_t s = 0; s < runs.size(); ++s) profile.cost[s].push_back(cost(runs[s]));
  return profile;
}

}  // namespace saltus
