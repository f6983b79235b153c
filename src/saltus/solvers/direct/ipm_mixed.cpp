#include "saltus/solvers/direct/interior_point.hpp"

namespace saltus {

SolveReport solve_mixed_ipm(const ContactProblem& problem, PreparedProblem& prepared,
                            const SolveOptions& options, Eigen::VectorXd& r, Eigen::VectorXd& u) {
  return with_cone(problem.cone, [&](auto cone) {
    return solve_interior<Mixed<decltype(cone)>>(problem, prepared, options, r, u);
  });
}

}  // namespace saltus
