#include "saltus/apps/fc_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace saltus {

FcSummary summarise(const std::string& path, const FcProblemFile& file) {
  return {path, space_dimension(cone(file)), block_size(cone(file)), contacts(file),
          degrees_of_freedom(file)};
}

std::string format_json(const FcSummary& summary, const FcRun& run) {
  const SolveReport& report = run.report;
  nlohmann::ordered_json json{{"file", summary.path},
                              {"dimension", summary.dimension},
                              {"contacts", summary.contacts},
                              {"degrees_of_freedom", summary.degrees_of_freedom},
                              {"solver", run.solver},
                              {"status", name(report.status)},
                              {"iterations", report.iterations},
                              {"residual_abs", report.residuals.absolute},
                              {"residual_relative_b", report.residuals.relative_b},
                              {"residual_siconos", report.residuals.siconos},
                              {"residual_scaled", report.residuals.scaled},
                              {"cpu_seconds", run.cpu_seconds},
                              {"wall_seconds", run.wall_seconds},
                              {"reason", report.reason},
                              {"block_size", summary.block_size},
                              {"contact_updates", report.contact_updates},
                              {"repetitions", run.repetitions},
                              {"stages", nlohmann::ordered_json::array()}};
  for (const SolveStage& stage : report.stages)
    json["stages"].push_back({{"solver", stage.solver},
                              {"iterations", stage.iterations},
                              {"residual", stage.residual},
                              {"seconds", stage.seconds}});
  // File names need not be UTF-8, JSON must be.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string format_table_head(std::size_t width, ResidualKind residual) {
  return fmt::format("{:<{}}  dim  contacts  {:<7} {:<15}{:>11}{:>11}{:>11}{:>11}", "problem", width,
                     "solver", "status", "iterations", name(residual),
                     residual == ResidualKind::relative_b ? "scaled" : "relative-b", "cpu s");
}

std::string format_table_row(const FcSummary& summary, const FcRun& run, std::size_t width,
                             ResidualKind residual) {
  const Residuals& residuals = run.report.residuals;
  const double other = residual == ResidualKind::relative_b ? residuals.scaled : residuals.relative_b;
  return fmt::format("{:<{}}  {:>3}{:>10}  {:<7} {:<15}{:>11}{:>11.2e}{:>11.2e}{:>11.3g}", summary.path,
                     width, summary.dimension, summary.contacts, run.solver, name(run.report.status),
                     run.report.iterations, residuals.of(residual), other, run.cpu_seconds);
}

std::string format_details(const FcRun& run) {
  std::string text;
  const auto& stages = run.report.stages;
  for (std::size_t i = 0; i < stages.size(); ++i)
    text += fmt::format("{}{} {} iterations to {:.1e} in {:.3g} s", i == 0 ? "  did: " : ", then ",
                        stages[i].solver, stages[i].iterations, stages[i].residual, stages[i].seconds);
  if (run.report.status != SolveStatus::converged)
    text += fmt::format("{}  why: {}", text.empty() ? "" : "\n", run.report.reason);
  return text;
}

std::string format_contacts(ConeKind kind, const Eigen::VectorXd& r, const Eigen::VectorXd& u) {
  const int block = block_size(kind), tangents = space_dimension(kind) - 1, rollings = block - 1 - tangents;
  const auto row = [&](const Eigen::VectorXd& x, Eigen::Index first) {
    std::string text = fmt::format("{:>14.6g}{:>14.6g}", x[first], x.segment(first + 1, tangents).norm());
    if (rollings > 0) text += fmt::format("{:>14.6g}", x.segment(first + 1 + tangents, rollings).norm());
    return text;
  };
  std::string text = rollings > 0 ? fmt::format("{:>10}{:>14}{:>14}{:>14}{:>14}{:>14}{:>14}\n", "contact",
                                                "r_n", "|r_t|", "|r_w|", "u_n", "|u_t|", "|u_w|")
                                  : fmt::format("{:>10}{:>14}{:>14}{:>14}{:>14}\n", "contact", "r_n", "|r_t|",
                                                "u_n", "|u_t|");
  for (Eigen::Index first = 0; first < r.size(); first += block)
    text += fmt::format("{:>10}{}{}\n", first / block, row(r, first), row(u, first));
  return text;
}

}  // namespace saltus
