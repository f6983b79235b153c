#include "saltus/systems/linear_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "counting_allocations.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/systems/expression_model.hpp"
#include "saltus/systems/lagrangian_system.hpp"

namespace saltus::linear_system_test {
namespace {

constexpr std::array<double, 2> kNoGravity = {0, 0};

StepWeights moreau_jean(double h, double theta) {
  return {.h = h,
          .force = theta,
          .damping = h * theta,
          .stiffness = h * h * theta * theta,
          .advance = h * theta,
          .position_end = h * theta,
          .position_start = h * (1 - theta)};
}

StepWeights schatzman_paoli(double h, double theta) {
  return {.h = h,
          .force = theta,
          .damping = h * theta,
          .stiffness = h * h * theta,
          .advance = h * theta,
          .position_end = h,
          .position_start = 0};
}

Eigen::SparseMatrix<double> sparse(const Eigen::MatrixXd& dense) { return dense.sparseView(); }

// m = 2, k = 18: omega = 3 rad/s.
LinearModel oscillator(double damping) {
  LinearModel model;
  model.M = sparse(Eigen::MatrixXd::Constant(1, 1, 2));
  model.K = sparse(Eigen::MatrixXd::Constant(1, 1, 18));
  if (damping > 0) model.C = sparse(Eigen::MatrixXd::Constant(1, 1, damping));
  model.q = Eigen::VectorXd::Constant(1, 1.0);
  model.v = Eigen::VectorXd::Constant(1, 0.5);
  model.where = "oscillator";
  return model;
}

// Five masses in a row, coupled by M, C and K.
LinearModel chain() {
  constexpr int n = 5;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), K = M;
  for (int i = 0; i < n; ++i) {
    M(i, i) = 2 + 0.1 * i;
    K(i, i) = 30 + i;
    if (i + 1 < n) M(i, i + 1) = M(i + 1, i) = 0.5, K(i, i + 1) = K(i + 1, i) = -15;
  }
  LinearModel model;
  model.M = sparse(M);
  model.K = sparse(K);
  model.C = sparse(Eigen::MatrixXd(0.2 * M + 0.03 * K));
  model.q = Eigen::VectorXd::LinSpaced(n, 0.1, -0.2);
  model.v = Eigen::VectorXd::LinSpaced(n, -1, 2);
  model.force = {{1, TimeFunction::sine(3, 0.7)}, {4, TimeFunction::constant(-2)}};
  model.direction = {0, 1, 0, 1, -1};
  model.where = "chain";
  return model;
}

void run(
    LinearSystem& system, const StepWeights& weights, int steps,
    const std::function<void(int)>& after = [](int) {}) {
  const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(system.degrees_of_freedom());
  for (int k = 0; k < steps; ++k) {
    system.predict(weights, k * weights.h, kNoGravity);
    system.correct(nothing);
    after(k);
  }
}

// Distance of (q, v) from the exact solution after 1 s.
double oscillator_error(int steps, double theta, double damping) {
  LinearSystem system(oscillator(damping));
  run(system, moreau_jean(1.0 / steps, theta), steps);
  const double decay = damping / 4, omega = std::sqrt(9 - decay * decay);
  const double b = (0.5 + decay) / omega, fade = std::exp(-decay), c = std::cos(omega), s = std::sin(omega);
  const double q = fade * (c + b * s);
  const double v = fade * (-decay * (c + b * s) + omega * (b * c - s));
  return std::hypot(system.coordinates()[0] - q, system.velocity()[0] - v);
}

TEST(LinearSystem, AnOscillatorConvergesAtTheOrderOfTheScheme) {
  for (const double damping : {0.0, 1.0}) {
    EXPECT_NEAR(std::log2(oscillator_error(200, 0.5, damping) / oscillator_error(400, 0.5, damping)), 2,
                0.02);
    EXPECT_NEAR(std::log2(oscillator_error(800, 1, damping) / oscillator_error(1600, 1, damping)), 1, 0.02);
    EXPECT_LT(oscillator_error(400, 0.5, damping), 1e-4);
  }
}

TEST(LinearSystem, TheMidpointRuleKeepsTheEnergyToRoundOff) {
  LinearSystem system(oscillator(0));
  const double before = 0.5 * 2 * 0.25 + 0.5 * 18;
  run(system, moreau_jean(0.05, 0.5), 1000, [&](int) {
    const SystemEnergy energy = system.audit();
    // A thousand steps, each rounds by some units in the last place.
    ASSERT_NEAR(energy.kinetic + energy.stored, before, 1e-12 * before);
    ASSERT_NEAR(energy.scheme, 0, 1e-14 * before);
  });
}

TEST(LinearSystem, AConstantForceBalancesTheSpringAtRest) {
  LinearModel model = oscillator(0);
  model.q[0] = 0.5, model.v[0] = 0;
  model.force = {{0, TimeFunction::constant(9)}};  // 18 N/m x 0.5 m
  LinearSystem system(model);
  run(system, moreau_jean(0.01, 0.7), 100);
  EXPECT_NEAR(system.coordinates()[0], 0.5, 1e-14);
}

TEST(LinearSystem, GravityActsAlongTheDirectionsThatAreGiven) {
  LinearModel model;
  model.M = sparse(Eigen::MatrixXd::Identity(3, 3) * 4);
  model.q = model.v = Eigen::VectorXd::Zero(3);
  model.direction = {0, 1, -1};
  LinearSystem system(model);
  const std::array<double, 2> gravity = {1, -9.81};
  system.predict(moreau_jean(0.1, 0.5), 0, gravity);
  system.correct(Eigen::VectorXd::Zero(3));
  EXPECT_LT((system.velocity() - Eigen::Vector3d(0.1, -0.981, 0)).norm(), 1e-15);
  // Work of the weight: 4 kg x (1 x 0.1 + 9.81 x 0.981)/2 m/s x 0.1 s.
  EXPECT_NEAR(system.audit().gravity, 4 * (0.1 + 9.81 * 0.981) / 2 * 0.1, 1e-14);
  EXPECT_NEAR(system.audit().gravity, -system.audit().potential, 1e-14);
}

TEST(LinearSystem, LockedStaysAndDrivenFollowsItsCurve) {
  LinearModel model = chain();
  model.v[0] = 0;
  model.driven = {{0, {Drive::Kind::locked, {}}},
                  {3, {Drive::Kind::position, TimeFunction::expression("0.1*sin(3*t)")}},
                  {4, {Drive::Kind::velocity, TimeFunction::constant(0.25)}}};
  const double start3 = model.q[3], start4 = model.q[4];
  model.v[4] = 0.25;
  LinearSystem system(model);
  run(system, moreau_jean(0.01, 0.5), 50);
  EXPECT_EQ(system.coordinates()[0], model.q[0]);
  EXPECT_EQ(system.velocity()[0], 0);
  EXPECT_NEAR(system.coordinates()[3] - start3, 0.1 * std::sin(1.5), 1e-14);
  EXPECT_NEAR(system.coordinates()[4] - start4, 0.125, 1e-14);
}

// Two masses on a spring, the first driven: the second is an oscillator on a support that moves as sin(2 t).
TEST(LinearSystem, WhatIsDrivenPullsTheOthersAtTheOrderOfTheScheme) {
  const auto error = [](int steps) {
    LinearModel model;
    model.M = sparse(Eigen::Matrix2d::Identity());
    Eigen::Matrix2d K;
    K << 9, -9, -9, 9;
    model.K = sparse(K);
    model.q = Eigen::Vector2d(0, 0);
    model.v = Eigen::Vector2d(2, 0);
    model.driven = {{0, {Drive::Kind::position, TimeFunction::expression("sin(2*t)")}}};
    LinearSystem system(model);
    run(system, moreau_jean(1.0 / steps, 0.5), steps);
    // x'' + 9 x = 9 sin 2t from rest: x = (9 sin 2t - 6 sin 3t)/5.
    return system.coordinates()[1] - (9 * std::sin(2.0) - 6 * std::sin(3.0)) / 5;
  };
  EXPECT_NEAR(std::log2(error(100) / error(200)), 2, 0.02);
}

TEST(LinearSystem, TheAuditClosesToRoundOffWithAnyWeights) {
  const std::array<double, 2> gravity = {0.3, -9.81};
  for (const bool is_driven : {false, true})
    for (const StepWeights& weights : {moreau_jean(0.02, 0.5), moreau_jean(0.02, 0.8), moreau_jean(0.02, 1),
                                       schatzman_paoli(0.02, 0.5), schatzman_paoli(0.02, 1)}) {
      LinearModel model = chain();
      if (is_driven)
        model.driven = {{0, {Drive::Kind::locked, {}}},
                        {2, {Drive::Kind::position, TimeFunction::expression("0.2*t^2")}},
                        {3, {Drive::Kind::acceleration, TimeFunction::constant(1.5)}}};
      LinearSystem system(model);
      Eigen::VectorXd impulse = Eigen::VectorXd::Zero(5);
      for (int k = 0; k < 20; ++k) {
        const Eigen::VectorXd q0 = system.coordinates();
        system.predict(weights, k * weights.h, gravity);
        impulse[1] = 0.1 * k, impulse[4] = -0.3;
        system.correct(impulse);
        const SystemEnergy e = system.audit();
        // Impulses of blocks work along what moved: the system leaves their part to the blocks.
        const double blocks = impulse.dot(system.coordinates() - q0) / weights.h;
        const double works = e.gravity + e.forces + e.damping + e.elastic + e.drives + e.scheme + blocks;
        ASSERT_NEAR(e.kinetic_change, works, 1e-12);  // energies here are of order 10 J
        ASSERT_LT(e.momentum_defect, 1e-14 * e.momentum_scale);
        if (weights.position_end == 0.01 && !is_driven) {
          ASSERT_NEAR(e.scheme, 0, 1e-13);
        }
      }
    }
}

TEST(LinearSystem, SchatzmanPaoliIsTheTwoStepScheme) {
  // M (q2 - 2 q1 + q0)/h^2 + C (theta v2 + (1-theta) v1) + K (theta q2 + (1-theta) q1) = F, v of a step its
  // difference of positions over h.
  const double h = 0.02, theta = 0.6;
  LinearModel model = chain();
  model.force = {{1, TimeFunction::constant(3)}};
  LinearSystem system(model);
  const Eigen::VectorXd v0 = model.v, q0 = model.q;
  run(system, schatzman_paoli(h, theta), 1);
  const Eigen::VectorXd v1 = system.velocity(), q1 = system.coordinates();
  EXPECT_LT((q1 - q0 - h * v1).norm(), 1e-15);
  Eigen::VectorXd balance = model.M * (v1 - v0) / h + model.C * (theta * v1 + (1 - theta) * v0) +
                            model.K * (theta * q1 + (1 - theta) * q0);
  balance[1] -= 3;
  EXPECT_LT(balance.norm(), 1e-12);
}

TEST(LinearSystem, TheInverseBetweenDegreesIsThatOfTheWholeMatrix) {
  LinearModel model = chain();
  model.driven = {{2, {Drive::Kind::locked, {}}}};
  LinearSystem system(model);
  const std::array<int, 4> asked = {4, 2, 0, 1};
  for (const StepWeights& weights : {moreau_jean(0.1, 0.5), moreau_jean(0.3, 0.7)}) {
    system.predict(weights, 0, kNoGravity);
    Eigen::MatrixXd whole = Eigen::MatrixXd(model.M) + weights.damping * Eigen::MatrixXd(model.C) +
                            weights.stiffness * Eigen::MatrixXd(model.K);
    whole.row(2).setZero();
    whole.col(2).setZero();
    whole(2, 2) = 1;
    Eigen::MatrixXd inverse = whole.inverse();
    inverse(2, 2) = 0;  // what is locked moves by no impulse
    const Eigen::MatrixXd part = system.inverse_between(asked);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) EXPECT_NEAR(part(i, j), inverse(asked[i], asked[j]), 1e-14);
  }
}

TEST(LinearSystem, AnImpulseChangesTheVelocityByTheInverse) {
  LinearSystem system(chain());
  system.predict(moreau_jean(0.1, 0.5), 0, kNoGravity);
  const Eigen::VectorXd free = system.free_velocity();
  const std::array<int, 5> all = {0, 1, 2, 3, 4};
  const Eigen::VectorXd impulse = Eigen::VectorXd::LinSpaced(5, 1, 3);
  const Eigen::VectorXd expected = free + system.inverse_between(all) * impulse;
  system.correct(impulse);
  EXPECT_LT((system.velocity() - expected).norm(), 1e-14);
}

TEST(LinearSystem, AStepDoesNotAllocateOnceSizesAreKnown) {
  LinearModel model = chain();
  model.driven = {{2, {Drive::Kind::velocity, TimeFunction::constant(0.1)}}};
  LinearSystem system(model);
  const Eigen::VectorXd impulse = Eigen::VectorXd::Ones(5);
  const auto step = [&](int k) {
    system.predict(moreau_jean(0.01, 0.5), 0.01 * k, kNoGravity);
    system.correct(impulse);
    return system.audit().kinetic;
  };
  step(0);
  const long before = testing::allocations;
  for (int k = 1; k < 5; ++k) step(k);
  EXPECT_EQ(testing::allocations - before, 0);
}

std::string message_of(const LinearModel& model) {
  try {
    LinearSystem system(model);
    system.predict(moreau_jean(0.1, 0.5), 0, kNoGravity);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LinearSystem, ModelsThatAreNoneAreRefused) {
  EXPECT_EQ(message_of(chain()), "no error");
  EXPECT_EQ(message_of({}), "a system without degrees of freedom");
  LinearModel model = chain();
  model.M.coeffRef(0, 1) += 0.1;
  EXPECT_EQ(message_of(model), "chain: M is not symmetric");
  model = chain();
  model.C.coeffRef(0, 1) += 0.1;
  EXPECT_EQ(message_of(model), "chain: C is not symmetric");
  model = chain();
  model.K = sparse(Eigen::MatrixXd::Identity(4, 4));
  EXPECT_EQ(message_of(model), "chain: size of K: got 4 x 4, allowed: 5 x 5");
  model = chain();
  model.K.coeffRef(0, 0) = std::nan("");
  EXPECT_EQ(message_of(model), "chain: K has a number that is not finite");
  model = chain();
  model.v.resize(4);
  EXPECT_EQ(message_of(model), "chain: number of velocities: got 4, allowed: 5, as coordinates");
  model = chain();
  model.force = {{5, TimeFunction::constant(1)}};
  EXPECT_EQ(message_of(model), "chain: degree of freedom of a force: got 5, allowed: 0 to 4");
  model = chain();
  model.driven = {{1, {Drive::Kind::locked, {}}}, {1, {Drive::Kind::locked, {}}}};
  EXPECT_EQ(message_of(model), "chain: a second drive of one degree of freedom: got 1, allowed: one");
  model = chain();
  model.direction = {0, 1};
  EXPECT_EQ(message_of(model), "chain: number of directions: got 2, allowed: none, or 5, as coordinates");
  model = chain();
  model.M.coeffRef(3, 3) = -1;
  EXPECT_EQ(message_of(model).substr(0, 51), "chain: M + weights (C, K) is not positive definite:");
}

// Here because the allocator that counts is in this file.
TEST(LagrangianSystem, a_step_allocates_nothing) {
  const auto model = std::make_shared<ExpressionModel>(
      SystemNames{{"a", "b"}, {"da", "db"}},
      std::vector<std::vector<ExpressionModel::Text>>{{{"2", ""}, {"cos(a - b)", ""}},
                                                      {{"cos(a - b)", ""}, {"1", ""}}},
      std::vector<ExpressionModel::Text>{{"-9.81*sin(a) - 0.1*da", ""}, {"-9.81*sin(b)", ""}});
  LagrangianSystem system(model, {Eigen::Vector2d(1.2, -0.5), Eigen::Vector2d(0.3, 1.0)});
  const Eigen::VectorXd impulse = Eigen::Vector2d(0.3, -0.2);
  const auto step = [&](int k) {
    system.predict(moreau_jean(0.01, 0.5), 0.01 * k, kNoGravity);
    system.relinearise(impulse);
    system.correct(impulse);
    system.audit();
  };
  step(0);
  const long before = testing::allocations;
  for (int k = 1; k < 10; ++k) step(k);
  EXPECT_EQ(testing::allocations - before, 0);
}

}  // namespace
}  // namespace saltus::linear_system_test
