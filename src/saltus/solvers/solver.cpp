#include "saltus/solvers/solver.hpp"

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/solvers/nlgs.hpp"

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

const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names{"auto", "nlgs"};
  return names;
}

SolveReport solve(const std::string& solver, const ContactProblem& problem, const SolveOptions& options,
                  Eigen::VectorXd& r, Eigen::VectorXd& u) {
  if (std::find(solver_names().begin(), solver_names().end(), solver) == solver_names().end())
    throw InputError("", "unknown solver", solver, "auto, nlgs");
  return solve_nlgs(problem, options, r, u);
}

}  // namespace saltus
