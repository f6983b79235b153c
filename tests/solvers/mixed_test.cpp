// Problems whose blocks have different sets and sizes: all solvers against each other and against the laws.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/solvers/bilateral.hpp"
#include "saltus/solvers/solver.hpp"
#include "solvers/random_mixed.hpp"
#include "solvers/random_problem.hpp"

namespace saltus::mixed_test {
namespace {

using testing::MixedRecipe;
using testing::MixedViolation;
using testing::random_mixed_global;
using testing::random_mixed_problem;

constexpr ConeKind kCones[] = {ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_2d,
                               ConeKind::rolling_3d};
constexpr double kTolerance = 1e-10;
// The residual is a norm over all blocks in nearly the same units, and bounds what each breaks of its law up
// to a small factor: the discs of the checks are not scaled by their radius.
constexpr double kBreach = 10 * kTolerance;
// Velocities move with the residual by the condition of W on active components, about 1e3 here.
constexpr double kSameVelocity = 1e3 * kTolerance;

SolveReport solve_mixed(const std::string& solver, const ContactProblem& problem, Eigen::VectorXd& r,
                        Eigen::VectorXd& u) {
  SolveOptions options;
  options.tolerance = kTolerance;
  return solve(solver, problem, options, r, u);
}

class MixedTest : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_solved(const ContactProblem& problem) {
    Eigen::VectorXd r, u, r_nlgs, u_nlgs;
    const SolveReport sweeps = solve_mixed("nlgs", problem, r_nlgs, u_nlgs);
    ASSERT_EQ(sweeps.status, SolveStatus::converged) << sweeps.reason;
    const SolveReport report = solve_mixed(GetParam(), problem, r, u);
    ASSERT_EQ(report.status, SolveStatus::converged) << report.reason;
    EXPECT_LE(MixedViolation(problem, r).worst(), kBreach);
    EXPECT_LE((u - u_nlgs).norm(), kSameVelocity * problem.b.norm());
    // Rows given twice leave impulses undetermined, not unbounded.
    EXPECT_LE(r.norm(), 10 * r_nlgs.norm());
  }
};

TEST_P(MixedTest, all_sets_in_one_problem_are_solved_to_their_laws) {
  for (const ConeKind cone : kCones)
    for (unsigned seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(std::string(name(cone)) + ", seed " + std::to_string(seed));
      MixedRecipe recipe;
      recipe.cone = cone;
      expect_solved(random_mixed_problem(recipe, seed));
    }
}

TEST_P(MixedTest, bilateral_rows_given_twice_do_no_harm) {
  for (const ConeKind cone : kCones)
    for (unsigned seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(std::string(name(cone)) + ", seed " + std::to_string(seed));
      MixedRecipe recipe;
      recipe.cone = cone;
      recipe.doubled = true;
      expect_solved(random_mixed_problem(recipe, seed));
    }
}

TEST_P(MixedTest, a_few_blocks_of_a_mechanism_are_solved) {
  for (const ConeKind cone : kCones)
    for (unsigned seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(std::string(name(cone)) + ", seed " + std::to_string(seed));
      MixedRecipe recipe{cone, 3, 20, seed % 2 == 1};
      expect_solved(random_mixed_problem(recipe, seed));
    }
}

TEST_P(MixedTest, problems_of_one_set_are_solved) {
  for (const SetKind kind : {SetKind::half_line, SetKind::space, SetKind::ball})
    for (const ConeKind cone : kCones) {
      SCOPED_TRACE(std::string(name(cone)) + ", " + name(kind));
      MixedRecipe recipe;
      recipe.cone = cone;
      recipe.kinds = {kind};
      expect_solved(random_mixed_problem(recipe, 1));
    }
}

TEST_P(MixedTest, a_solution_as_a_warm_start_costs_nothing) {
  MixedRecipe recipe;
  recipe.doubled = true;
  const ContactProblem problem = random_mixed_problem(recipe, 11);
  SolveOptions options;
  Eigen::VectorXd r, u;
  ASSERT_EQ(solve(GetParam(), problem, options, r, u).status, SolveStatus::converged);
  options.tolerance *= 1.0001;  // the same point, whatever the order of summation
  const SolveReport again = solve(GetParam(), problem, options, r, u);
  EXPECT_EQ(again.status, SolveStatus::converged);
  EXPECT_LE(again.iterations, 1);
}

TEST_P(MixedTest, a_warm_start_of_a_neighbouring_problem_is_taken) {
  MixedRecipe recipe;
  ContactProblem problem = random_mixed_problem(recipe, 12);
  Eigen::VectorXd r, u;
  ASSERT_EQ(solve_mixed(GetParam(), problem, r, u).status, SolveStatus::converged);
  problem.b *= 1.01;
  for (BlockSet& set : problem.sets) set.radius *= 1.001;
  const SolveReport report = solve_mixed(GetParam(), problem, r, u);
  ASSERT_EQ(report.status, SolveStatus::converged) << report.reason;
  EXPECT_LE(MixedViolation(problem, r).worst(), kBreach);
}

TEST_P(MixedTest, contacts_alone_have_the_answer_of_the_problem_without_sets) {
  for (const ConeKind cone : kCones) {
    ContactProblem plain = testing::random_problem(cone, 20, 80, 3);
    plain.mu *= 0.2;
    if (plain.mu_r.size()) plain.mu_r *= 0.2;
    ContactProblem mixed = plain;
    mixed.sets.assign(20, {SetKind::coulomb, block_size(cone)});
    Eigen::VectorXd r, u, r_mixed, u_mixed;
    ASSERT_EQ(solve_mixed(GetParam(), plain, r, u).status, SolveStatus::converged);
    ASSERT_EQ(solve_mixed(GetParam(), mixed, r_mixed, u_mixed).status, SolveStatus::converged);
    EXPECT_LE((u - u_mixed).norm(), kSameVelocity * plain.b.norm());
    const Residuals a = compute_residuals(plain, r, u), b = compute_residuals(mixed, r, u);
    EXPECT_NEAR(a.scaled, b.scaled, 1e-14);  // round-off of r - P_K(r - u) in units of one
    EXPECT_NEAR(a.absolute, b.absolute, 1e-14 * plain.b.norm());
  }
}

TEST_P(MixedTest, what_is_in_the_padding_is_not_read) {
  MixedRecipe recipe;
  const ContactProblem clean = random_mixed_problem(recipe, 5);
  ContactProblem dirty = clean;
  const int block = clean.W.block;
  for (int row = 0; row < clean.contacts(); ++row)
    for (int k = clean.W.row_begin[row]; k < clean.W.row_begin[row + 1]; ++k)
      for (int j = 0; j < block; ++j)
        for (int i = 0; i < block; ++i)
          if (i >= clean.sets[row].size || j >= clean.sets[clean.W.column[k]].size)
            dirty.W.block_at(k)[i + block * j] = 0.3 * (i + 1) - 0.2 * j;
  Eigen::VectorXd r, u, r_dirty, u_dirty;
  ASSERT_EQ(solve_mixed(GetParam(), clean, r, u).status, SolveStatus::converged);
  const SolveReport report = solve_mixed(GetParam(), dirty, r_dirty, u_dirty);
  ASSERT_EQ(report.status, SolveStatus::converged) << report.reason;
  multiply(clean.W, r_dirty, u_dirty);
  u_dirty += clean.b;
  EXPECT_LE((u - u_dirty).norm(), kSameVelocity * clean.b.norm());
}

TEST_P(MixedTest, rows_that_contradict_each_other_are_named) {
  MixedRecipe recipe;
  recipe.doubled = true;
  ContactProblem problem = random_mixed_problem(recipe, 2);
  int first = 0;
  while (problem.sets[first].kind != SetKind::space) ++first;
  problem.b[first * problem.W.block] += 1;  // its copy, the next block, is left as it was
  SolveOptions options;
  options.max_iterations = 300;
  Eigen::VectorXd r, u;
  const SolveReport report = solve(GetParam(), problem, options, r, u);
  EXPECT_EQ(report.status, SolveStatus::failed);
  EXPECT_NE(report.reason.find("contradict"), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("blocks " + std::to_string(first) + ", " + std::to_string(first + 1)),
            std::string::npos)
      << report.reason;
  EXPECT_TRUE(r.allFinite());
}

INSTANTIATE_TEST_SUITE_P(All, MixedTest, ::testing::ValuesIn(solver_names()),
                         [](const auto& test) { return test.param; });

// Metres to millimetres, kilograms to grams, and a unit of its own for each bilateral row.
TEST(MixedProblem, units_do_not_change_the_scaled_residual) {
  const ContactProblem problem = random_mixed_problem({}, 4);
  ContactProblem other = problem;
  Eigen::VectorXd unit = Eigen::VectorXd::Constant(problem.size(), 1e3);  // of velocity
  const int block = problem.W.block;
  for (int c = 0; c < problem.contacts(); ++c)
    for (int i = 0; i < problem.sets[c].size; ++i)
      if (problem.sets[c].kind == SetKind::space) unit[c * block + i] = 7.0 + c + i;
  const double energy = 1e9;  // 1 J in g mm^2 / s^2
  const Eigen::VectorXd impulse = energy * unit.cwiseInverse();
  for (int row = 0; row < problem.contacts(); ++row)
    for (int k = problem.W.row_begin[row]; k < problem.W.row_begin[row + 1]; ++k)
      for (int j = 0; j < block; ++j)
        for (int i = 0; i < block; ++i)
          other.W.block_at(k)[i + block * j] *=
              unit[row * block + i] / impulse[problem.W.column[k] * block + j];
  other.b = problem.b.cwiseProduct(unit);
  for (BlockSet& set : other.sets) set.radius *= energy / 1e3;
  Eigen::VectorXd r = Eigen::VectorXd::Constant(problem.size(), 0.1), u;
  for (int c = 0; c < problem.contacts(); ++c)
    r.segment(c * block + problem.sets[c].size, block - problem.sets[c].size).setZero();
  multiply(problem.W, r, u);
  u += problem.b;
  const double before = compute_residuals(problem, r, u).scaled;
  const double after = compute_residuals(other, r.cwiseProduct(impulse), u.cwiseProduct(unit)).scaled;
  EXPECT_GT(before, 1e-3);
  EXPECT_NEAR(after / before, 1, 1e-12);  // sums of some hundred terms
}

TEST(MixedProblem, a_set_that_does_not_fit_its_block_is_refused) {
  const ContactProblem good = random_mixed_problem({}, 1);
  Eigen::VectorXd r, u;
  for (const BlockSet bad : {BlockSet{SetKind::half_line, 2}, BlockSet{SetKind::space, 0},
                             BlockSet{SetKind::space, 4}, BlockSet{SetKind::coulomb, 1},
                             BlockSet{SetKind::ball, 1, -1}, BlockSet{SetKind::ball, 1, std::nan("")}}) {
    ContactProblem problem = good;
    problem.sets[2] = bad;
    try {
      solve("nlgs", problem, {}, r, u);
      FAIL() << name(bad.kind) << " of size " << bad.size;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("block 2"), std::string::npos) << error.what();
    }
  }
}

TEST(MixedProblem, bilateral_rows_as_blocks_and_eliminated_give_the_same_contacts) {
  for (const ConeKind cone : kCones) {
    SCOPED_TRACE(name(cone));
    MixedRecipe recipe;
    recipe.cone = cone;
    recipe.kinds = {SetKind::coulomb, SetKind::half_line, SetKind::space};
    const GlobalProblem mixed = random_mixed_global(recipe, 7);
    const GlobalProblem rows = build_bilateral_rows(mixed);
    const GlobalProblem again = build_bilateral_blocks(rows);
    ASSERT_GT(rows.bilateral(), 0);
    ASSERT_TRUE(rows.sets.empty());
    ASSERT_EQ(again.bilateral(), 0);
    Eigen::VectorXd r, u, r_rows, u_rows, r_again, u_again;
    ASSERT_EQ(solve_mixed("newton", condense(mixed), r, u).status, SolveStatus::converged);
    ASSERT_EQ(solve_mixed("newton", condense(rows), r_rows, u_rows).status, SolveStatus::converged);
    ASSERT_EQ(solve_mixed("newton", condense(again), r_again, u_again).status, SolveStatus::converged);
    const Eigen::VectorXd v = compute_global_solution(mixed, r).v;
    const GlobalSolution eliminated = compute_global_solution(rows, r_rows);
    EXPECT_LE((v - eliminated.v).norm(), kSameVelocity * v.norm());
    EXPECT_LE((v - compute_global_solution(again, r_again).v).norm(), kSameVelocity * v.norm());
    const BilateralSplit split = split_bilateral(mixed.sets, block_size(cone));
    EXPECT_LE((Eigen::VectorXd(r(split.equations)) - eliminated.l).norm(), kSameVelocity * r.norm());
    EXPECT_LE((Eigen::VectorXd(r(split.contacts)) - r_rows).norm(), kSameVelocity * r.norm());
  }
}

TEST(MixedProblem, a_ball_cannot_be_said_with_rows) {
  MixedRecipe recipe;
  recipe.kinds = {SetKind::ball};
  EXPECT_THROW(build_bilateral_rows(random_mixed_global(recipe, 1)), InputError);
  EXPECT_THROW(build_local_equalities(random_mixed_problem(recipe, 1)), InputError);
}

}  // namespace
}  // namespace saltus::mixed_test
