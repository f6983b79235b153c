// What every solver owes its caller, checked on all of them alike.
#include "saltus/solvers/solver.hpp"

#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "solvers/random_problem.hpp"

namespace saltus::solver_test {
namespace {

using testing::random_problem;

constexpr ConeKind kCones[] = {ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_2d,
                               ConeKind::rolling_3d};

// Few contacts on many bodies, little friction: the solution is unique.
ContactProblem unique_problem(ConeKind cone, unsigned seed) {
  ContactProblem problem = random_problem(cone, 20, 80, seed);
  problem.mu *= 0.2;
  if (problem.mu_r.size()) problem.mu_r *= 0.2;
  return problem;
}

class SolverTest : public ::testing::TestWithParam<std::string> {};

TEST_P(SolverTest, finds_the_velocities_that_gauss_seidel_finds) {
  SolveOptions options;
  options.tolerance = 1e-10;
  for (const ConeKind cone : kCones)
    for (unsigned seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(std::string(name(cone)) + ", seed " + std::to_string(seed));
      const ContactProblem problem = unique_problem(cone, seed);
      Eigen::VectorXd r, u, r_nlgs, u_nlgs;
      ASSERT_EQ(solve("nlgs", problem, options, r_nlgs, u_nlgs).status, SolveStatus::converged);
      const SolveReport report = solve(GetParam(), problem, options, r, u);
      ASSERT_EQ(report.status, SolveStatus::converged) << report.reason;
      EXPECT_LE(report.residuals.scaled, options.tolerance);
      EXPECT_EQ(report.residuals.scaled, compute_residuals(problem, r, u).scaled);
      // Both within 1e-10 of a solution that moves at most by the condition of W, about 1e3.
      EXPECT_LT((u - u_nlgs).norm(), 2e-7 * problem.b.norm());
    }
}

TEST_P(SolverTest, a_solution_as_a_warm_start_costs_nothing) {
  const ContactProblem problem = unique_problem(ConeKind::coulomb_3d, 11);
  SolveOptions options;
  Eigen::VectorXd r, u;
  ASSERT_EQ(solve(GetParam(), problem, options, r, u).status, SolveStatus::converged);
  options.tolerance *= 1.0001;  // the same point, whatever the order of summation
  const SolveReport again = solve(GetParam(), problem, options, r, u);
  EXPECT_EQ(again.status, SolveStatus::converged);
  EXPECT_LE(again.iterations, 1);
}

TEST_P(SolverTest, a_limit_on_iterations_gives_the_best_point_and_says_so) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_3d, 60, 30, 5);
  SolveOptions options;
  options.tolerance = 1e-12;
  options.max_iterations = 1;
  Eigen::VectorXd r, u, product;
  const SolveReport report = solve(GetParam(), problem, options, r, u);
  EXPECT_EQ(report.status, SolveStatus::max_iterations);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_TRUE(r.allFinite());
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(problem.size());
  EXPECT_LE(report.residuals.scaled, compute_residuals(problem, zero, problem.b).scaled);
  multiply(problem.W, r, product);
  EXPECT_EQ((product + problem.b - u).norm(), 0.0);
}

TEST_P(SolverTest, a_limit_on_time_is_respected) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_3d, 400, 150, 5);
  SolveOptions options;
  options.tolerance = 0;  // out of reach
  options.max_iterations = 2000;
  Eigen::VectorXd r, u;
  const std::int64_t wanted = solve(GetParam(), problem, options, r, u).iterations;
  // Over at once: the first look at the clock ends it. No solver works more than ten iterations between two
  // looks, and all of them would go on for more.
  constexpr std::int64_t kBetweenLooks = 10;
  ASSERT_GT(wanted, kBetweenLooks);
  options.time_limit = 1e-9;
  r.resize(0);
  const SolveReport report = solve(GetParam(), problem, options, r, u);
  EXPECT_EQ(report.status, SolveStatus::time_limit) << report.reason;
  EXPECT_LE(report.iterations, kBetweenLooks);
  EXPECT_TRUE(r.allFinite());
}

TEST_P(SolverTest, no_contact_is_solved_by_doing_nothing) {
  ContactProblem problem;
  problem.W.block = 3;
  problem.W.row_begin = {0};
  Eigen::VectorXd r, u;
  const SolveReport report = solve(GetParam(), problem, {}, r, u);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST_P(SolverTest, contacts_that_only_part_need_no_impulse) {
  ContactProblem problem = unique_problem(ConeKind::coulomb_3d, 2);
  problem.b.setZero();
  for (int c = 0; c < problem.contacts(); ++c) problem.b[3 * c] = 1;
  Eigen::VectorXd r, u;
  EXPECT_EQ(solve(GetParam(), problem, {}, r, u).status, SolveStatus::converged);
  EXPECT_EQ(r.norm(), 0.0);
}

TEST_P(SolverTest, frictionless_contacts_among_others_carry_no_tangential_impulse) {
  for (const ConeKind cone : {ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_3d}) {
    ContactProblem problem = unique_problem(cone, 3);
    const int block = block_size(cone);
    for (int c = 0; c < problem.contacts(); c += 2) {
      problem.mu[c] = 0;
      if (problem.mu_r.size()) problem.mu_r[c] = 0;
    }
    Eigen::VectorXd r, u;
    const SolveReport report = solve(GetParam(), problem, {}, r, u);
    EXPECT_EQ(report.status, SolveStatus::converged) << name(cone) << ": " << report.reason;
    for (int c = 0; c < problem.contacts(); c += 2)
      EXPECT_EQ(r.segment(c * block + 1, block - 1).norm(), 0.0);
  }
}

TEST_P(SolverTest, units_do_not_change_the_answer) {
  const ContactProblem problem = unique_problem(ConeKind::coulomb_3d, 8);
  ContactProblem small = problem;  // kilograms to micrograms, metres to micrometres per second
  for (double& value : small.W.value) value *= 1e-9;
  small.b *= 1e6;
  Eigen::VectorXd r, u, r_small, u_small;
  const SolveReport report = solve(GetParam(), problem, {}, r, u);
  const SolveReport scaled = solve(GetParam(), small, {}, r_small, u_small);
  ASSERT_EQ(report.status, SolveStatus::converged);
  ASSERT_EQ(scaled.status, SolveStatus::converged);
  // Each within 1e-8 of the solution; it moves by the condition of W, about 1e3, at most.
  EXPECT_LT((u * 1e6 - u_small).norm(), 2e-5 * small.b.norm());
}

INSTANTIATE_TEST_SUITE_P(All, SolverTest, ::testing::ValuesIn(solver_names()),
                         [](const auto& parameter) { return parameter.param; });

// More contacts than degrees of freedom: impulses are not unique, and the first-order methods are
// too slow; the ones meant for it must get there.
TEST(Solver, hyperstatic_problems_are_solved_to_high_accuracy) {
  SolveOptions options;
  options.tolerance = 1e-10;
  for (const char* solver : {"auto", "newton"})
    for (const ConeKind cone : kCones)
      for (unsigned seed = 0; seed < 3; ++seed) {
        const ContactProblem problem = random_problem(cone, 60, 25, seed);
        Eigen::VectorXd r, u;
        const SolveReport report = solve(solver, problem, options, r, u);
        EXPECT_EQ(report.status, SolveStatus::converged)
            << solver << ", " << name(cone) << ", seed " << seed << ": " << report.reason;
      }
}

TEST(Solver, a_slightly_unsymmetric_matrix_is_solved) {
  ContactProblem problem = random_problem(ConeKind::coulomb_3d, 40, 80, 4);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(1 - 1e-3, 1 + 1e-3);
  for (double& value : problem.W.value) value *= noise(random);
  for (const std::string& solver : solver_names()) {
    SolveOptions options;
    options.tolerance = 1e-7;
    Eigen::VectorXd r, u;
    const SolveReport report = solve(solver, problem, options, r, u);
    EXPECT_EQ(report.status, SolveStatus::converged) << solver << ": " << report.reason;
  }
}

TEST(Solver, auto_takes_the_same_path_twice) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_3d, 120, 50, 9);
  Eigen::VectorXd r1, u1, r2, u2;
  const SolveReport first = solve("auto", problem, {}, r1, u1), second = solve("auto", problem, {}, r2, u2);
  EXPECT_EQ(r1, r2);
  ASSERT_EQ(first.stages.size(), second.stages.size());
  for (std::size_t k = 0; k < first.stages.size(); ++k)
    EXPECT_EQ(first.stages[k].iterations, second.stages[k].iterations);
}

TEST(Solver, an_unknown_name_lists_the_known_ones) {
  const ContactProblem problem = random_problem(ConeKind::coulomb_2d, 2, 2, 1);
  Eigen::VectorXd r, u;
  try {
    solve("lemke", problem, {}, r, u);
    FAIL() << "an unknown solver was accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unknown solver: got lemke, allowed: auto, nlgs, newton, ipm, admm, apgd");
  }
}

}  // namespace
}  // namespace saltus::solver_test
