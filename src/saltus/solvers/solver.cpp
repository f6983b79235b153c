#include "saltus/solvers/solver.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"
#include "saltus/solvers/apgd.hpp"
#include "saltus/solvers/auto.hpp"
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

}  // namespace

const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Named& named : kSolvers) list.emplace_back(named.name);
    return list;
  }();
  return names;
}

SolveReport solve(const std::string& solver, const ContactProblem& problem, const SolveOptions& options,
                  Eigen::VectorXd& r, Eigen::VectorXd& u) {
  for (const Named& named : kSolvers)
    if (solver == named.name) return named.solve(problem, options, r, u);
  throw InputError("", "unknown solver", solver, fmt::format("{}", fmt::join(solver_names(), ", ")));
}

}  // namespace saltus
