#include "saltus/solvers/sticking.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <vector>

#include "solvers/random_problem.hpp"

namespace saltus::sticking_test {
namespace {

using testing::random_problem;

constexpr ConeKind kCones[] = {ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_2d,
                               ConeKind::rolling_3d};

void project_all(const ContactProblem& problem, Eigen::VectorXd& r) {
  with_cone(problem.cone, [&](auto cone) {
    using C = decltype(cone);
    for (int c = 0; c < problem.contacts(); ++c)
      r.segment<C::kSize>(c * C::kSize) =
          project<C>(r.segment<C::kSize>(c * C::kSize), problem.mu[c], problem.rolling(c));
  });
}

Eigen::MatrixXd dense(const BlockMatrix& W) {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(W.rows * W.block, W.rows * W.block);
  for (int row = 0; row < W.rows; ++row)
    for (int k = W.row_begin[row]; k < W.row_begin[row + 1]; ++k)
      full.block(row * W.block, W.column[k] * W.block, W.block, W.block) =
          Eigen::Map<const Eigen::MatrixXd>(W.block_at(k), W.block, W.block);
  return full;
}

// Contacts outnumber bodies, so that many impulses keep all of them at rest.
ContactProblem resting_problem(ConeKind cone, unsigned seed, Eigen::VectorXd& inside) {
  ContactProblem problem = random_problem(cone, 8, 3, seed);
  inside = Eigen::VectorXd::Random(problem.size());
  for (int c = 0; c < problem.contacts(); ++c) inside[c * problem.W.block] = 5;
  project_all(problem, inside);
  problem.b = -(dense(problem.W) * inside);
  return problem;
}

TEST(Sticking, finds_the_nearest_impulses_that_hold_every_contact) {
  for (const ConeKind cone : kCones)
    for (unsigned seed = 1; seed <= 5; ++seed) {
      Eigen::VectorXd inside;
      const ContactProblem problem = resting_problem(cone, seed, inside);
      const Eigen::MatrixXd W = dense(problem.W);
      const Eigen::VectorXd near = inside + 2 * Eigen::VectorXd::Random(problem.size());
      Eigen::VectorXd r = near;
      const double tolerance = 1e-9 * problem.b.norm();
      ASSERT_TRUE(solve_sticking(problem, std::vector<char>(problem.contacts(), 1), tolerance, r));
      EXPECT_LE((W * r + problem.b).norm(), tolerance);
      Eigen::VectorXd on_cone = r;
      project_all(problem, on_cone);
      EXPECT_LE((on_cone - r).norm(), 1e-12 * r.norm());  // round-off of a projection

      // Dykstra's alternating projections find the nearest point of an intersection from first principles.
      const auto decomposition = W.completeOrthogonalDecomposition();
      Eigen::VectorXd x = near, p = Eigen::VectorXd::Zero(x.size());
      for (int k = 0; k < 20000; ++k) {
        const Eigen::VectorXd y = x - decomposition.solve(W * x + problem.b);
        Eigen::VectorXd z = y + p;
        project_all(problem, z);
        p += y - z;
        x = z;
      }
      // It converges linearly at best: what it leaves of W x + b tells how far it is from its end.
      EXPECT_LE((x - r).norm(), 1e-3 * (near - r).norm() + 10 * (W * x + problem.b).norm());
      EXPECT_LE((near - r).norm(), (near - inside).norm() * (1 + 1e-9));
    }
}

TEST(Sticking, tells_when_nothing_can_hold_the_contacts) {
  for (const ConeKind cone : kCones) {
    ContactProblem problem = random_problem(cone, 4, 6, 7);  // W is regular: one r, which must pull
    Eigen::VectorXd pulls = Eigen::VectorXd::Zero(problem.size());
    for (int c = 0; c < problem.contacts(); ++c) pulls[c * problem.W.block] = -1;
    problem.b = -(dense(problem.W) * pulls);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.size());
    EXPECT_FALSE(solve_sticking(problem, std::vector<char>(problem.contacts(), 1), 1e-9, r));
    EXPECT_TRUE(r.isZero(0));
  }
}

// As many bodies as contacts: W has full rank, and there is one answer.
TEST(Sticking, where_rows_are_independent_takes_the_only_impulses_or_none) {
  for (const ConeKind cone : kCones)
    for (unsigned seed = 1; seed <= 5; ++seed) {
      ContactProblem problem = random_problem(cone, 4, 8, seed);
      for (int c = 0; c < problem.contacts(); ++c)  // a body of its own: well conditioned
        for (int k = problem.W.row_begin[c]; k < problem.W.row_begin[c + 1]; ++k)
          if (problem.W.column[k] == c)
            for (int i = 0; i < problem.W.block; ++i) problem.W.block_at(k)[i * (problem.W.block + 1)] += 1;
      const Eigen::MatrixXd W = dense(problem.W);
      ASSERT_EQ(W.completeOrthogonalDecomposition().rank(), W.rows());
      Eigen::VectorXd inside = Eigen::VectorXd::Random(problem.size());
      for (int c = 0; c < problem.contacts(); ++c) inside[c * problem.W.block] = 5;
      project_all(problem, inside);
      problem.b = -(W * inside);
      const double tolerance = 1e-9 * problem.b.norm();
      const std::vector<char> all(problem.contacts(), 1);
      Eigen::VectorXd r = inside + Eigen::VectorXd::Random(problem.size());
      ASSERT_TRUE(solve_sticking(problem, all, tolerance, r));
      EXPECT_LE((W * r + problem.b).norm(), tolerance);
      // One that would have to pull.
      inside[0] = -1;
      problem.b = -(W * inside);
      EXPECT_FALSE(solve_sticking(problem, all, tolerance, r));
    }
}

TEST(Sticking, leaves_open_contacts_without_impulse) {
  Eigen::VectorXd inside;
  ContactProblem problem = resting_problem(ConeKind::coulomb_3d, 3, inside);
  inside.tail<3>().setZero();
  problem.b = -(dense(problem.W) * inside);
  std::vector<char> sticks(problem.contacts(), 1);
  sticks.back() = 0;
  Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.size());
  ASSERT_TRUE(solve_sticking(problem, sticks, 1e-9 * problem.b.norm(), r));
  EXPECT_TRUE(r.tail<3>().isZero(0));
}

}  // namespace
}  // namespace saltus::sticking_test
