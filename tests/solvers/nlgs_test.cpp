#include "saltus/solvers/sweeps/nlgs.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "saltus/solvers/sweeps/matrix_sweeps.hpp"
#include "solvers/random_problem.hpp"

namespace saltus::nlgs_test {
namespace {

using testing::random_problem;

constexpr ConeKind kCones[] = {ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_2d,
                               ConeKind::rolling_3d};

ContactProblem one_contact(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu) {
  ContactProblem problem;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = W.sparseView();
  problem.W = build_block_matrix(sparse, 3);
  problem.b = b;
  problem.mu = Eigen::VectorXd::Constant(1, mu);
  return problem;
}

TEST(Nlgs, random_problems_of_every_cone_reach_the_tolerance) {
  for (const ConeKind cone : kCones)
    for (unsigned seed = 0; seed < 5; ++seed) {
      const ContactProblem problem = random_problem(cone, 30, 60, seed);
      Eigen::VectorXd r, u, product;
      const SolveReport report = solve_nlgs(problem, {}, r, u);
      EXPECT_EQ(report.status, SolveStatus::converged)
          << name(cone) << " seed " << seed << ": " << report.reason;
      multiply(problem.W, r, product);
      EXPECT_EQ((product + problem.b - u).norm(), 0.0);
      EXPECT_LE(compute_residuals(problem, r, u).scaled, 1e-8);
      EXPECT_EQ(compute_residuals(problem, r, u).scaled, report.residuals.scaled);
      EXPECT_EQ(report.contact_updates, report.iterations * problem.contacts());
    }
}

TEST(Nlgs, every_local_solver_finds_the_same_velocities) {
  for (const ConeKind cone : kCones) {
    ContactProblem problem = random_problem(cone, 20, 80, 7);
    problem.mu *= 0.2;
    if (problem.mu_r.size()) problem.mu_r *= 0.2;
    SolveOptions options;
    options.tolerance = 1e-12;
    Eigen::VectorXd r, u;
    ASSERT_EQ(solve_nlgs(problem, options, r, u).status, SolveStatus::converged);
    for (const LocalSolverKind local : {LocalSolverKind::newton, LocalSolverKind::projection}) {
      options.local = local;
      Eigen::VectorXd r2, u2;
      ASSERT_EQ(solve_nlgs(problem, options, r2, u2).status, SolveStatus::converged);
      // W is well-conditioned (80 bodies, 20 contacts), mu small: the solution is unique and moves
      // at most about the condition number, 1e3, times the residual.
      EXPECT_LT((u - u2).norm(), 1e-9 * problem.b.norm()) << name(cone);
    }
  }
}

TEST(Nlgs, a_warm_start_from_the_solution_needs_no_sweep) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_3d, 30, 60, 3);
  Eigen::VectorXd r, u;
  solve_nlgs(problem, {}, r, u);
  const Eigen::VectorXd solution = r;
  const SolveReport report = solve_nlgs(problem, {}, r, u);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ((r - solution).norm(), 0.0);
}

TEST(Nlgs, no_contact_is_converged_at_once) {
  for (const ConeKind cone : kCones) {
    ContactProblem problem;
    problem.cone = cone;
    problem.W = build_block_matrix(Eigen::SparseMatrix<double, Eigen::RowMajor>(0, 0), block_size(cone));
    Eigen::VectorXd r, u;
    const SolveReport report = solve_nlgs(problem, {}, r, u);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(r.size(), 0);
    EXPECT_EQ(u.size(), 0);
  }
}

TEST(Nlgs, one_contact_is_solved_in_one_sweep_and_a_second_sees_that_nothing_changes) {
  // A particle of mass 2 that slides at 3 and arrives at -1: r_n = 2, friction 0.5 * 2 leaves 2.5.
  const ContactProblem problem = one_contact(0.5 * Eigen::Matrix3d::Identity(), {-1, 3, 0}, 0.5);
  Eigen::VectorXd r, u;
  const SolveReport report = solve_nlgs(problem, {}, r, u);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(report.iterations, 2);
  EXPECT_LT((r - Eigen::Vector3d(2, -1, 0)).norm(), 1e-12);  // round-off of the root search, 1e-13
  EXPECT_LT((u - Eigen::Vector3d(0, 2.5, 0)).norm(), 1e-12);
}

TEST(Nlgs, an_unsymmetric_matrix_is_solved) {
  ContactProblem problem = random_problem(ConeKind::coulomb_3d, 30, 90, 5);
  for (std::size_t i = 0; i < problem.W.value.size(); i += 3) problem.W.value[i] *= 1.02;
  ASSERT_GT(compute_asymmetry(problem.W), 1e-3);
  Eigen::VectorXd r, u;
  EXPECT_EQ(solve_nlgs(problem, {}, r, u).status, SolveStatus::converged);
}

TEST(Nlgs, the_sweep_limit_is_kept_and_the_best_point_returned) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_3d, 60, 40, 2);
  SolveOptions options;
  options.max_iterations = 7;
  options.tolerance = 1e-15;
  Eigen::VectorXd r, u;
  const SolveReport report = solve_nlgs(problem, options, r, u);
  EXPECT_EQ(report.status, SolveStatus::max_iterations);
  EXPECT_EQ(report.iterations, 7);
  EXPECT_EQ(compute_residuals(problem, r, u).scaled, report.residuals.scaled);
}

TEST(Nlgs, the_time_limit_ends_the_run) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_3d, 500, 200, 2);
  SolveOptions options;
  options.time_limit = 1e-3;
  options.tolerance = 0;
  Eigen::VectorXd r, u;
  const SolveReport report = solve_nlgs(problem, options, r, u);
  EXPECT_EQ(report.status, SolveStatus::time_limit);
  EXPECT_FALSE(report.reason.empty());
}

TEST(Nlgs, a_contact_without_solution_is_reported_and_ends) {
  // W = 0 and b_n < 0: no impulse can stop the approach.
  const ContactProblem problem = one_contact(Eigen::Matrix3d::Zero(), {-1, 0.5, 0}, 0.3);
  Eigen::VectorXd r, u;
  const SolveReport report = solve_nlgs(problem, {}, r, u);
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_NE(report.reason.find("no solution of its own block of W: 1 of 1 contacts"), std::string::npos)
      << report.reason;
  EXPECT_TRUE(r.allFinite());
}

TEST(Nlgs, not_a_number_in_the_problem_is_a_failure_with_finite_impulses) {
  ContactProblem problem = random_problem(ConeKind::coulomb_3d, 10, 10, 1);
  problem.b[4] = std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd r, u;
  const SolveReport report = solve_nlgs(problem, {}, r, u);
  EXPECT_EQ(report.status, SolveStatus::failed);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_TRUE(r.allFinite());
}

TEST(Nlgs, a_warm_start_that_is_not_finite_is_replaced_by_zero) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_3d, 10, 20, 1);
  Eigen::VectorXd r = Eigen::VectorXd::Constant(30, std::numeric_limits<double>::infinity()), u;
  EXPECT_EQ(solve_nlgs(problem, {}, r, u).status, SolveStatus::converged);
}

TEST(Nlgs, sweeps_on_demand_give_the_bits_of_the_solver) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_3d, 30, 20, 4);
  SolveOptions options;
  options.max_iterations = 5;
  options.tolerance = 0;
  Eigen::VectorXd solved, u, r = Eigen::VectorXd::Zero(problem.size());
  solve_nlgs(problem, options, solved, u);
  MatrixSweeps iteration(problem);
  bool met = false;
  for (int i = 0; i < 5; ++i) {
    EXPECT_GT(iteration.sweep(r), 0);
    met = met || r == solved;
  }
  EXPECT_TRUE(met) << "the solver's best point is one of the sweeps";
  EXPECT_EQ(iteration.contact_updates(), 150);
}

}  // namespace
}  // namespace saltus::nlgs_test
