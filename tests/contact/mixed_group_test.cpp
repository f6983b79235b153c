// Groups of joints, contacts and other blocks in velocity form, judged by the canonical problem.
#include "saltus/contact/mixed_group.hpp"

#include <gtest/gtest.h>

#include "counting_allocations.hpp"
#include "random_mechanism.hpp"

namespace saltus::mixed_group_test {
namespace {

using testing::Mechanism;
using testing::MechanismBuilder;
using testing::MechanismOptions;

constexpr double kTolerance = 1e-9;

template <int Dim>
GroupSolution solve(const char* solver, Mechanism<Dim>& m, GroupSolver<Dim>& groups) {
  GroupSolverOptions options;
  options.solver = solver_of_name(solver);
  options.tolerance = kTolerance;
  options.max_iterations = 20'000;
  return groups.solve(options, m.start, m.problem, &m.coupling);
}

template <int Dim>
void expect_solved(const MechanismOptions& options, unsigned seed, const char* solver) {
  const Mechanism<Dim> free = MechanismBuilder<Dim>(options, seed).build();
  Mechanism<Dim> m = free;
  GroupSolver<Dim> groups;
  const GroupSolution solution = solve<Dim>(solver, m, groups);
  ASSERT_EQ(solution.groups, 1);
  EXPECT_TRUE(solution.converged) << seed << ": " << solution.reason;
  const double residual = testing::canonical_residual(free, m);
  EXPECT_LE(residual, 1.01 * kTolerance + 1e-14) << seed;
  // What is told is what the canonical problem says, up to round-off of velocities of order 1.
  EXPECT_NEAR(solution.residual.rms, residual, 0.01 * kTolerance + 1e-12) << seed;
}

TEST(MixedGroup, joints_and_contacts_satisfy_the_canonical_problem_in_2d) {
  for (unsigned seed = 1; seed <= 30; ++seed) expect_solved<2>({}, seed, "nlgs");
}
TEST(MixedGroup, joints_and_contacts_satisfy_the_canonical_problem_in_3d) {
  for (unsigned seed = 1; seed <= 30; ++seed) expect_solved<3>({}, seed, "auto");
}
TEST(MixedGroup, so_do_joints_that_say_the_same_twice) {
  MechanismOptions options;
  options.redundant = true;
  for (unsigned seed = 1; seed <= 15; ++seed) {
    expect_solved<2>(options, seed, "auto");
    expect_solved<3>(options, seed, "auto");
  }
}
TEST(MixedGroup, so_do_half_lines_balls_and_rolling_contacts) {
  MechanismOptions options;
  options.others = options.rolling = true;
  for (unsigned seed = 1; seed <= 15; ++seed) {
    expect_solved<2>(options, seed, "auto");
    expect_solved<3>(options, seed, "auto");
  }
}
TEST(MixedGroup, so_does_a_mechanism_whose_every_link_touches_the_ground) {
  MechanismOptions options;
  options.grains = 0;
  options.links = 40;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    expect_solved<2>(options, seed, "auto");
    expect_solved<3>(options, seed, "auto");
  }
}

// Without friction the velocities are those of one convex problem: every solver finds the same.
template <int Dim>
void expect_one_answer(const MechanismOptions& options, unsigned seed) {
  const Mechanism<Dim> free = MechanismBuilder<Dim>(options, seed).build();
  GroupSolver<Dim> groups;
  Mechanism<Dim> chosen = free;
  EXPECT_TRUE(solve<Dim>("auto", chosen, groups).converged) << seed;
  for (const char* solver : {"nlgs", "newton", "ipm", "admm", "apgd"}) {
    Mechanism<Dim> other = free;
    const GroupSolution solution = solve<Dim>(solver, other, groups);
    ASSERT_TRUE(solution.converged) << solver << ", seed " << seed << ": " << solution.reason;
    for (std::size_t i = 0; i < free.problem.bodies.size(); ++i)
      for (int k = 0; k < Dim; ++k)
        // The residual bounds the error up to the condition of the problem, some hundreds.
        EXPECT_NEAR(chosen.problem.bodies[i].v[k], other.problem.bodies[i].v[k], 1e3 * kTolerance)
            << solver << ", seed " << seed;
  }
}
TEST(MixedGroup, without_friction_auto_has_the_velocities_of_every_other_solver) {
  MechanismOptions options;
  options.friction = 0;
  options.redundant = true;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    options.others = seed % 2 == 0;  // half lines and balls among them
    expect_one_answer<2>(options, seed);
    expect_one_answer<3>(options, seed);
  }
}

// With friction there may be several answers: each solver's obeys the laws.
TEST(MixedGroup, with_friction_every_solver_satisfies_the_canonical_problem) {
  MechanismOptions options;
  options.others = options.redundant = options.rolling = true;
  for (const char* solver : {"nlgs", "newton", "ipm", "admm"})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(solver);
      expect_solved<2>(options, seed, solver);
      expect_solved<3>(options, seed, solver);
    }
}

TEST(MixedGroup, multipliers_of_joints_said_twice_are_shared_evenly) {
  MechanismOptions options;
  options.redundant = true;
  Mechanism<3> m = MechanismBuilder<3>(options, 3).build();
  GroupSolver<3> groups;
  EXPECT_TRUE(solve<3>("auto", m, groups).converged);
  // The shortest multipliers give copies of one joint the same share: blocks 0 and 1 are such copies.
  EXPECT_LT((m.coupling.blocks[0].r - m.coupling.blocks[1].r).norm(), 1e-9 * m.coupling.blocks[0].r.norm());
  EXPECT_GT(m.coupling.blocks[0].r.norm(), 1e-3);
}

TEST(MixedGroup, a_heavy_end_a_thousand_times_the_links_is_no_harder) {
  MechanismOptions options;
  options.heavy = 1000;
  options.links = 30;
  for (unsigned seed = 1; seed <= 5; ++seed) expect_solved<3>(options, seed, "auto");
}

template <int Dim>
void expect_no_allocation(MechanismOptions options) {
  const Mechanism<Dim> free = MechanismBuilder<Dim>(options, 2).build();
  Mechanism<Dim> m = free;
  GroupSolver<Dim> groups;
  GroupSolverOptions asked;
  asked.solver = SolverKind::nlgs;
  asked.tolerance = 1e-6;
  const auto step = [&] {
    m.problem.bodies = free.problem.bodies;
    return groups.solve(asked, m.start, m.problem, &m.coupling).converged;
  };
  EXPECT_TRUE(step());
  EXPECT_TRUE(step());
  const long before = testing::allocations;
  EXPECT_TRUE(step());
  EXPECT_EQ(testing::allocations - before, 0);
}

TEST(MixedGroup, a_second_step_allocates_nothing) {
  MechanismOptions options;
  options.others = true;
  expect_no_allocation<2>(options);
  expect_no_allocation<3>(options);
  options.redundant = true;
  expect_no_allocation<3>(options);
  options.grains = 0;
  options.links = 60;  // joints are loose
  expect_no_allocation<3>(options);
}

}  // namespace
}  // namespace saltus::mixed_group_test
