#include "saltus/solvers/solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/solvers/apgd.hpp"
#include "saltus/solvers/auto.hpp"
#include "saltus/solvers/contradiction.hpp"
#include "saltus/solvers/direct/admm.hpp"
#include "saltus/solvers/direct/ipm.hpp"
#include "saltus/solvers/direct/newton.hpp"
#include "saltus/solvers/sweeps/nlgs.hpp"

namespace saltus {

const char* name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged: return "converged";
    case SolveStatus::max_iterations: return "max_iterations";
    case SolveStatus::time_limit: return "time_limit";
    case SolveStatus::stalled: return "stalled";
    case SolveStatus::failed: break;
  }
  return "failed";
}

namespace {

using Solve = SolveReport (*)(const ContactProblem&, const SolveOptions&, Eigen::VectorXd&, Eigen::VectorXd&);

struct Named {
  const char* name;
  Solve solve;
};

constexpr Named kSolvers[] = {
    // in the order of SolverKind
    {"auto", solve_auto},
    {"nlgs", solve_nlgs},
    {"newton", [](const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                  Eigen::VectorXd& u) { return solve_newton(problem, options, r, u); }},
    {"ipm", [](const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
               Eigen::VectorXd& u) { return solve_ipm(problem, options, r, u); }},
    {"admm", [](const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                Eigen::VectorXd& u) { return solve_admm(problem, options, r, u); }},
    {"apgd", solve_apgd},
};

// No solver can say why it does not converge when there is no solution.
void explain_contradiction(const ContactProblem& problem, SolveReport& report) {
  if (report.status == SolveStatus::converged) return;
  const std::vector<int> blocks = find_contradiction(problem);
  if (blocks.empty()) return;
  report.status = SolveStatus::failed;
  constexpr std::size_t kListed = 8;
  report.reason =
      fmt::format("bilateral rows contradict each other, no impulse stops them all: blocks {}{}; {}",
                  fmt::join(blocks.begin(), blocks.begin() + std::min(kListed, blocks.size()), ", "),
                  blocks.size() > kListed ? " and others" : "", report.reason);
}

}  // namespace

const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Named& named : kSolvers) list.emplace_back(named.name);
    return list;
  }();
  return names;
}

const char* name(SolverKind solver) { return kSolvers[static_cast<int>(solver)].name; }

SolverKind solver_of_name(const std::string& name) {
  const auto& names = solver_names();
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    throw InputError("", "unknown solver", name, fmt::format("{}", fmt::join(names, ", ")));
  return static_cast<SolverKind>(at - names.begin());
}

SolveReport solve(SolverKind solver, const ContactProblem& problem, const SolveOptions& options,
                  Eigen::VectorXd& r, Eigen::VectorXd& u) {
  for (int c = 0; c < static_cast<int>(problem.sets.size()); ++c) check_set(problem.sets[c], problem.cone, c);
  SolveReport report = kSolvers[static_cast<int>(solver)].solve(problem, options, r, u);
  if (problem.is_mixed()) explain_contradiction(problem, report);
  return report;
}

SolveReport solve(const std::string& solver, const ContactProblem& problem, const SolveOptions& options,
                  Eigen::VectorXd& r, Eigen::VectorXd& u) {
  return solve(solver_of_name(solver), problem, options, r, u);
}

}  // namespace saltus
