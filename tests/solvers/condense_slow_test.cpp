#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>

#include "saltus/base/input_error.hpp"
#include "saltus/solvers/problem.hpp"

namespace saltus::condense_slow_test {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Recipe {
  ConeKind cone = ConeKind::coulomb_3d;
  int bodies = 5, dofs = 6;  // dofs of one body
  int contacts = 8, bilateral = 0;
  bool symmetric = true, diagonal = false;
};

class Generator {
 public:
  explicit Generator(unsigned seed) : engine_(seed) {}

  GlobalProblem build(const Recipe& recipe) {
    const int dof = recipe.bodies * recipe.dofs, size = recipe.contacts * block_size(recipe.cone);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(dof, dof), H = Eigen::MatrixXd::Zero(dof, size);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(dof, recipe.bilateral);
    for (int body = 0; body < recipe.bodies; ++body)
      M.block(body * recipe.dofs, body * recipe.dofs, recipe.dofs, recipe.dofs) = mass(recipe);
    for (int c = 0; c < recipe.contacts; ++c)
      for (const int body : {pick(recipe.bodies), pick(recipe.bodies)})
        H.block(body * recipe.dofs, c * block_size(recipe.cone), recipe.dofs, block_size(recipe.cone)) =
            random(recipe.dofs, block_size(recipe.cone));
    for (int k = 0; k < recipe.bilateral; ++k)
      for (const int body : {pick(recipe.bodies), pick(recipe.bodies)})
        G.block(body * recipe.dofs, k, recipe.dofs, 1) = random(recipe.dofs, 1);
    GlobalProblem problem;
    problem.cone = recipe.cone;
    problem.M = M.sparseView();
    problem.H = H.sparseView();
    problem.G = G.sparseView();
    problem.f = random(dof, 1);
    problem.w = random(size, 1);
    problem.c = random(recipe.bilateral, 1);
    problem.mu = Eigen::VectorXd::Constant(recipe.contacts, 0.5);
    if (is_rolling(recipe.cone)) problem.mu_r = Eigen::VectorXd::Constant(recipe.contacts, 0.1);
    return problem;
  }

  Eigen::MatrixXd random(int rows, int cols) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return uniform(engine_); });
  }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }

  Eigen::MatrixXd mass(const Recipe& recipe) {
    if (recipe.diagonal) return Eigen::VectorXd(random(recipe.dofs, 1).array() + 1.5).asDiagonal();
    const Eigen::MatrixXd factor = random(recipe.dofs, recipe.dofs);
    Eigen::MatrixXd M = factor * factor.transpose() / recipe.dofs;
    M.diagonal().array() += 0.5;
    if (!recipe.symmetric) return M + 0.1 * random(recipe.dofs, recipe.dofs);
    return 0.5 * (M + M.transpose());
  }

  std::mt19937 engine_;
};

// The saddle-point matrix of [v; -l], whole and dense.
Eigen::MatrixXd saddle(const GlobalProblem& problem) {
  const int dof = problem.degrees_of_freedom(), rows = problem.bilateral();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(dof + rows, dof + rows);
  K.topLeftCorner(dof, dof) = Eigen::MatrixXd(problem.M);
  K.topRightCorner(dof, rows) = Eigen::MatrixXd(problem.G);
  K.bottomLeftCorner(rows, dof) = Eigen::MatrixXd(problem.G).transpose();
  return K;
}

void expect_dense_algebra_agrees(const GlobalProblem& problem) {
  const int dof = problem.degrees_of_freedom(), rows = problem.bilateral();
  const Eigen::MatrixXd K = saddle(problem);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(dof + rows, problem.w.size());
  H.topRows(dof) = Eigen::MatrixXd(problem.H);
  Eigen::VectorXd load(dof + rows);
  load << problem.f, -problem.c;
  const Eigen::FullPivLU<Eigen::MatrixXd> factor(K);
  const Eigen::MatrixXd W = H.transpose() * factor.solve(H);
  const Eigen::VectorXd b = H.transpose() * factor.solve(load) + problem.w;
  const auto singular = K.jacobiSvd().singularValues();
  const double inverse_norm = 1 / singular.minCoeff(), condition = singular.maxCoeff() * inverse_norm;
  // Backward stable solves: error of A^-1 h at most a small multiple of n eps cond |A^-1| |h|; the
  // product with H adds its norm once more.
  const double unit = double(dof + rows) * kEpsilon * condition * inverse_norm * H.norm();

  const ContactProblem local = condense(problem);
  EXPECT_LT((Eigen::MatrixXd(build_sparse(local.W)) - W).norm(), unit * H.norm());
  EXPECT_LT((local.b - b).norm(), unit * load.norm() + kEpsilon * b.norm() * double(dof));
  EXPECT_EQ(local.cone, problem.cone);
  EXPECT_EQ(local.mu, problem.mu);
  EXPECT_EQ(local.mu_r, problem.mu_r);
}

void expect_motion_satisfies_its_equations(const GlobalProblem& problem, const Eigen::VectorXd& r) {
  const GlobalSolution solution = compute_global_solution(problem, r);
  const Eigen::VectorXd momentum =
      problem.M * solution.v - problem.H * r - problem.G * solution.l - problem.f;
  // Residuals of backward stable solves: n eps |K| |x|, without the condition number.
  const double scale = saddle(problem).norm() * (solution.v.norm() + solution.l.norm()) +
                       (problem.H * r).norm() + problem.f.norm() + problem.c.norm();
  const double allowed = double(problem.degrees_of_freedom() + problem.bilateral()) * kEpsilon * scale;
  EXPECT_LT(momentum.norm(), allowed);
  EXPECT_LT((problem.G.transpose() * solution.v + problem.c).norm(), allowed);
  const ContactProblem local = condense(problem);
  Eigen::VectorXd u;
  multiply(local.W, r, u);
  u += local.b;
  const auto singular = saddle(problem).jacobiSvd().singularValues();
  EXPECT_LT(
      (problem.H.transpose() * solution.v + problem.w - u).norm(),
      allowed * problem.H.norm() * 4 * singular.maxCoeff() / (singular.minCoeff() * singular.minCoeff()));
}

TEST(Condense, equals_dense_algebra_for_every_kind_of_contact_and_body) {
  Generator generator(1);
  for (const ConeKind cone :
       {ConeKind::coulomb_2d, ConeKind::coulomb_3d, ConeKind::rolling_2d, ConeKind::rolling_3d})
    for (const bool diagonal : {true, false})
      for (const int bilateral : {0, 3}) {
        Recipe recipe;
        recipe.cone = cone;
        recipe.dofs = space_dimension(cone) == 3 ? 6 : 3;
        recipe.diagonal = diagonal;
        recipe.bilateral = bilateral;
        SCOPED_TRACE(std::string(name(cone)) + (diagonal ? " diagonal " : " full ") +
                     std::to_string(bilateral));
        const GlobalProblem problem = generator.build(recipe);
        expect_dense_algebra_agrees(problem);
        expect_motion_satisfies_its_equations(problem, generator.random(int(problem.w.size()), 1));
      }
}

TEST(Condense, equals_dense_algebra_for_large_bodies) {
  Generator generator(2);
  for (const bool symmetric : {true, false})
    for (const int bilateral : {0, 4}) {
      Recipe recipe;
      recipe.bodies = 3;
      recipe.dofs = 80;  // beyond the dense limit: sparse factors
      recipe.contacts = 30;
      recipe.symmetric = symmetric;
      recipe.bilateral = bilateral;
      SCOPED_TRACE(std::string(symmetric ? "symmetric " : "unsymmetric ") + std::to_string(bilateral));
      const GlobalProblem problem = generator.build(recipe);
      expect_dense_algebra_agrees(problem);
      expect_motion_satisfies_its_equations(problem, generator.random(int(problem.w.size()), 1));
    }
}

TEST(Condense, a_symmetric_mass_gives_W_symmetric_to_the_last_bit) {
  Generator generator(3);
  Recipe recipe;
  recipe.bilateral = 2;
  EXPECT_EQ(compute_asymmetry(condense(generator.build(recipe)).W), 0.0);
  recipe.dofs = 80;
  EXPECT_EQ(compute_asymmetry(condense(generator.build(recipe)).W), 0.0);
}

TEST(Condense, an_unsymmetric_mass_is_respected) {
  Generator generator(4);
  Recipe recipe;
  recipe.symmetric = false;
  const GlobalProblem problem = generator.build(recipe);
  expect_dense_algebra_agrees(problem);
  EXPECT_GT(compute_asymmetry(condense(problem).W), 1e-3);
}

TEST(Condense, contacts_that_share_no_body_share_no_block) {
  GlobalProblem problem;
  problem.M = Eigen::VectorXd::Ones(12).asDiagonal().toDenseMatrix().sparseView();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(12, 6);
  H.block(0, 0, 3, 3).setIdentity();
  H.block(6, 3, 3, 3).setIdentity();
  problem.H = H.sparseView();
  problem.G.resize(12, 0);
  problem.f.setZero(12);
  problem.w.setZero(6);
  problem.mu.setZero(2);
  const ContactProblem local = condense(problem);
  EXPECT_EQ(local.W.blocks(), 2);
  // The second contact now acts on the first body, but along directions the first does not feel.
  H.block(6, 3, 3, 3).setZero();
  H.block(3, 3, 3, 3).setIdentity();
  problem.H = H.sparseView();
  EXPECT_EQ(condense(problem).W.blocks(), 2);
}

TEST(Condense, a_problem_without_contacts_stays_empty) {
  GlobalProblem problem;
  problem.M = Eigen::VectorXd::Ones(6).asDiagonal().toDenseMatrix().sparseView();
  problem.H.resize(6, 0);
  problem.G.resize(6, 0);
  problem.f.setOnes(6);
  const ContactProblem local = condense(problem);
  EXPECT_EQ(local.contacts(), 0);
  EXPECT_EQ(local.W.rows, 0);
  EXPECT_EQ(compute_global_solution(problem, Eigen::VectorXd()).v, problem.f);
}

TEST(Condense, badly_scaled_masses_are_not_taken_for_singular) {
  Generator generator(5);
  GlobalProblem problem = generator.build({});
  Eigen::VectorXd units(problem.degrees_of_freedom());
  for (Eigen::Index i = 0; i < units.size(); ++i) units[i] = i % 2 ? 1e12 : 1e-12;
  const ContactProblem before = condense(problem);
  problem.M = units.asDiagonal() * problem.M * units.asDiagonal();
  problem.H = units.asDiagonal() * problem.H;
  problem.f = units.asDiagonal() * problem.f;
  const ContactProblem after = condense(problem);
  // The change of units cancels in H^T M^-1 H up to the rounding of the scaled entries, which
  // the condition number of a body (below 20 here) amplifies.
  EXPECT_LT((build_sparse(after.W) - build_sparse(before.W)).norm(),
            1e3 * kEpsilon * build_sparse(before.W).norm());
}

std::string message_of(const GlobalProblem& problem) {
  try {
    condense(problem);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Condense, a_singular_mass_is_reported_with_its_degree_of_freedom) {
  Generator generator(6);
  Recipe recipe;
  recipe.diagonal = true;
  GlobalProblem problem = generator.build(recipe);
  problem.M.coeffRef(7, 7) = 0;
  EXPECT_EQ(message_of(problem), "M: the mass matrix is singular at degree of freedom 7");

  recipe.diagonal = false;
  problem = generator.build(recipe);
  Eigen::MatrixXd M(problem.M);
  M.row(10) = M.row(9);
  M.col(10) = M.col(9);
  problem.M = M.sparseView();
  EXPECT_TRUE(message_of(problem) == "M: the mass matrix is singular at degree of freedom 9" ||
              message_of(problem) == "M: the mass matrix is singular at degree of freedom 10")
      << message_of(problem);
}

TEST(Condense, a_singular_large_body_is_reported) {
  Generator generator(7);
  Recipe recipe;
  recipe.bodies = 1;
  recipe.dofs = 80;
  for (const bool symmetric : {true, false}) {
    recipe.symmetric = symmetric;
    GlobalProblem problem = generator.build(recipe);
    Eigen::MatrixXd M(problem.M);
    M.row(50) = M.row(40);
    M.col(50) = M.col(40);
    problem.M = M.sparseView();
    EXPECT_TRUE(message_of(problem) == "M: the mass matrix is singular at degree of freedom 40" ||
                message_of(problem) == "M: the mass matrix is singular at degree of freedom 50")
        << message_of(problem);
  }
}

TEST(Condense, repeated_or_empty_bilateral_rows_are_reported) {
  Generator generator(8);
  Recipe recipe;
  recipe.bilateral = 2;
  GlobalProblem problem = generator.build(recipe);
  Eigen::MatrixXd G(problem.G);
  G.col(1) = G.col(0);
  problem.G = G.sparseView();
  EXPECT_TRUE(message_of(problem).starts_with("G: bilateral row 0 repeats or contradicts others") ||
              message_of(problem).starts_with("G: bilateral row 1 repeats or contradicts others"))
      << message_of(problem);
  EXPECT_NE(message_of(problem).find("--keep-bilateral"), std::string::npos);  // the remedy
  G.col(1).setZero();
  problem.G = G.sparseView();
  EXPECT_EQ(message_of(problem), "G: bilateral row 1 has no entry");
}

}  // namespace
}  // namespace saltus::condense_slow_test
