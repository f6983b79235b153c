// Newton's method on all contacts of a small problem at once.
#include "saltus/solvers/direct/dense_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/solvers/residual.hpp"
#include "saltus/solvers/solver.hpp"
#include "solvers/random_problem.hpp"

namespace saltus::dense_newton_test {
namespace {

class DenseNewton : public ::testing::TestWithParam<ConeKind> {};

double residual_of(const ContactProblem& problem, const Eigen::VectorXd& r) {
  Eigen::VectorXd u;
  multiply(problem.W, r, u);
  u += problem.b;
  return compute_residuals(problem, r, u).of(ResidualKind::relative_b);
}

// Three contacts on four bodies: W is regular, so that a Newton step exists. Undamped convergence is
// local: from the third sweep, as `auto` calls it, most of the problems must fall to round-off.
TEST_P(DenseNewton, finds_the_velocities_of_gauss_seidel_where_it_converges) {
  constexpr int kProblems = 100;
  int solved = 0;
  for (unsigned seed = 1; seed <= kProblems; ++seed) {
    const ContactProblem problem = testing::random_problem(GetParam(), 3, 4, seed);
    Eigen::VectorXd r, u, expected_r, expected_u;
    SolveOptions few, many;
    few.max_iterations = 3;
    many.tolerance = 1e-12;
    many.max_iterations = 1000000;
    many.time_limit = 1;
    solve("nlgs", problem, few, r, u);
    improve_by_dense_newton(problem, 30, r);
    // Round-off of a product with W of condition 1e4 or so.
    if (!(residual_of(problem, r) <= 1e-11)) continue;
    ++solved;
    if (solve("nlgs", problem, many, expected_r, expected_u).status != SolveStatus::converged) continue;
    multiply(problem.W, r, u);
    u += problem.b;
    // Coulomb's problem may have several solutions, random ones with mu near 1 among them: then both
    // are solutions by the residual above, and only a common status tells the same branch.
    if ((r - expected_r).norm() > 1e-3 * expected_r.norm()) continue;
    EXPECT_LE((u - expected_u).norm(), 1e-9 * problem.b.norm()) << "seed " << seed;
  }
  EXPECT_GE(solved, kProblems * 9 / 10);
}

TEST_P(DenseNewton, a_solution_costs_no_step) {
  const ContactProblem problem = testing::random_problem(GetParam(), 2, 4, 7);
  Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.size());
  improve_by_dense_newton(problem, 50, r);
  ASSERT_LE(residual_of(problem, r), 1e-12);
  const Eigen::VectorXd before = r;
  EXPECT_LE(improve_by_dense_newton(problem, 50, r), 1);
  EXPECT_LE((r - before).norm(), 1e-12 * before.norm());
}

TEST_P(DenseNewton, a_singular_matrix_leaves_a_finite_point) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const ContactProblem problem = testing::random_problem(GetParam(), 4, 2, seed);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.size());
    improve_by_dense_newton(problem, 30, r);
    EXPECT_TRUE(r.allFinite()) << "seed " << seed;
  }
}

std::string name_of(const ::testing::TestParamInfo<ConeKind>& info) {
  constexpr const char* kNames[] = {"plane", "space", "plane_rolling", "space_rolling"};
  return kNames[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Cones, DenseNewton,
                         ::testing::Values(ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_2d,
                                           ConeKind::rolling_3d),
                         name_of);

}  // namespace
}  // namespace saltus::dense_newton_test
