#include "saltus/solvers/direct/ipm.hpp"

#include "saltus/solvers/direct/interior_point.hpp"

namespace saltus {

SolveReport solve_ipm(const ContactProblem& problem, PreparedProblem& prepared, const SolveOptions& options,
                      Eigen::VectorXd& r, Eigen::VectorXd& u) {
  if (problem.is_mixed()) return solve_mixed_ipm(problem, prepared, options, r, u);
  return with_cone(problem.cone, [&](auto cone) {
    return solve_interior<decltype(cone)>(problem, prepared, options, r, u);
  });
}

SolveReport solve_ipm(const ContactProblem& problem, const SolveOptions& options, Eigen::VectorXd& r,
                      Eigen::VectorXd& u) {
  PreparedProblem prepared(problem);
  return solve_ipm(problem, prepared, options, r, u);
}

}  // namespace saltus
