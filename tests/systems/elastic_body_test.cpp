#include "saltus/systems/elastic_body.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"

namespace saltus {
namespace {

constexpr double kHalf = 0.5;

StepWeights midpoint(double h) {
  return {.h = h,
          .force = kHalf,
          .damping = h * kHalf,
          .stiffness = h * h * kHalf * kHalf,
          .advance = h * kHalf,
          .position_end = h * kHalf,
          .position_start = h * kHalf};
}

ElasticModel block() {
  ElasticModel model;
  model.mesh = build_rectangle(2, 1, 4, 2);
  model.elasticity = {1e5, 0.3, PlaneState::strain};
  model.density = 100;
  model.thickness = 0.5;
  model.where = "block";
  return model;
}

TEST(ElasticBody, FallsAsAPointDoes) {
  ElasticModel model = block();
  model.velocity = {1, 2};
  ElasticBody body(model);
  const std::array<double, 2> gravity = {0, -10};
  for (int k = 0; k < 10; ++k) {
    body.predict(midpoint(0.01), 0.01 * k, gravity);
    body.correct(Eigen::VectorXd::Zero(30));
  }
  for (int i = 0; i < 15; ++i) {
    EXPECT_LT((body.node_velocity(i) - Vec<2>(1, 1)).norm(), 1e-12);
    EXPECT_LT((body.position(i) - model.mesh.nodes[i] - Vec<2>(0.1, 0.15)).norm(), 1e-12);
  }
  EXPECT_NEAR(body.audit().kinetic, 0.5 * 100 * 2 * 0.5 * 2, 1e-10);
  EXPECT_LT(body.largest_rotation(), 1e-12);
}

TEST(ElasticBody, HangsByItsWeight) {
  // A column of length L hung by its top: with nu = 0 its end sinks by rho g L^2/(2E), exactly at the nodes.
  ElasticModel model = block();
  model.mesh = build_rectangle(1, 2, 2, 8);
  model.elasticity = {1e5, 0.0, PlaneState::stress};
  model.damping_mass = 40, model.damping_stiffness = 0.01;
  for (int i = 24; i < 27; ++i)
    for (const int d : {0, 1}) model.driven.push_back({i, d, {Drive::Kind::locked, {}}});
  ElasticBody body(model);
  const std::array<double, 2> gravity = {0, -10};
  for (int k = 0; k < 400; ++k) {
    body.predict(midpoint(0.01), 0.01 * k, gravity);
    body.correct(Eigen::VectorXd::Zero(54));
  }
  // The mesh is the exact solution of equal loads per cell; triangles spread a cell's weight unevenly on its
  // nodes, which costs a hundredth.
  EXPECT_NEAR(body.position(1).y() - model.mesh.nodes[1].y(), -100 * 10 * 4 / 2e5, 0.01 * 0.02);
  // What holds it is its weight: the impulse of the drives over h.
  Eigen::VectorXd reaction = body.model().K * body.coordinates();
  double held = 0;
  for (int i = 24; i < 27; ++i) held += reaction[2 * i + 1];
  double own = 0;  // the weight that the held nodes themselves carry
  const Eigen::VectorXd down = [&] {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(54);
    for (int i = 0; i < 27; ++i) a[2 * i + 1] = 10;
    return Eigen::VectorXd(body.model().M * a);
  }();
  for (int i = 24; i < 27; ++i) own += down[2 * i + 1];
  EXPECT_NEAR(held + own, 100 * 0.5 * 2 * 10, 1e-6);
  EXPECT_NEAR(down.sum(), 1000, 1e-10);
}

TEST(ElasticBody, SpinIsAboutTheCentreOfMassAndItsRotationIsSeen) {
  ElasticModel model = block();
  for (auto& node : model.mesh.nodes) node += Vec<2>(5, 7);
  model.spin = 2;
  ElasticBody body(model);
  // m (a^2 + b^2)/12 = 41.67 kg m2
  const Eigen::VectorXd momentum = body.model().M * body.velocity();
  EXPECT_NEAR(body.velocity().dot(momentum), 100 * 5.0 / 12 * 4, 1e-10);
  EXPECT_NEAR(momentum.sum(), 0, 1e-10);
  body.predict(midpoint(0.01), 0, {});
  body.correct(Eigen::VectorXd::Zero(30));
  EXPECT_NEAR(body.largest_rotation(), std::atan(0.02), 1e-12);
  EXPECT_LT(body.stress(3).norm(), 1e-9);  // linear: a rotation makes no stress at all, E = 1e5
}

TEST(ElasticBody, TheSurfaceIsItsOutline) {
  const ElasticBody body(block());
  EXPECT_EQ(body.surface_edges().size(), 12u);
  EXPECT_EQ(body.surface_nodes().size(), 12u);
  EXPECT_EQ(body.surface_edges().front(), (std::array<int, 2>{0, 1}));
}

TEST(ElasticBody, AClampedBarRingsAtItsAxialFrequency) {
  // L = 2, along x only; a quarter period after its release from the first mode it passes through zero.
  ElasticModel model = block();
  model.mesh = build_rectangle(2, 0.5, 16, 4);
  model.elasticity = {2e4, 0.0, PlaneState::stress};
  for (int i = 0; i < 85; ++i) {
    model.driven.push_back({i, 1, {Drive::Kind::locked, {}}});
    if (i % 17 == 0) model.driven.push_back({i, 0, {Drive::Kind::locked, {}}});
  }
  ElasticBody body(model);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(170);
  for (int i = 0; i < 85; ++i)
    q[2 * i] = 0.01 * std::sin(std::numbers::pi / 4 * (model.mesh.nodes[i].x() + 1));
  body.set_state(q, Eigen::VectorXd::Zero(170));
  const double quarter = 2 / std::sqrt(2e4 / 100);
  const int steps = 200;
  for (int k = 0; k < steps; ++k) {
    body.predict(midpoint(quarter / steps), 0, {});
    body.correct(Eigen::VectorXd::Zero(170));
  }
  // The frequency of this mesh is high by 3.12e-4 (tests/fem/assembly_test.cpp), so that the mode is past zero by
  // that times pi/2 of its amplitude. The step of T/800 lowers it by (omega h)^2/12 = 5e-6.
  const double amplitude = q.dot(body.model().M * body.coordinates()) / q.dot(body.model().M * q);
  EXPECT_NEAR(amplitude, -std::numbers::pi / 2 * 3.12e-4, 1e-5);
}

std::string message_of(const ElasticModel& model) {
  try {
    ElasticBody body(model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ElasticBody, ModelsThatAreNoneAreRefused) {
  EXPECT_EQ(message_of(block()), "no error");
  ElasticModel model = block();
  model.elasticity.poisson = 0.5;
  EXPECT_EQ(message_of(model), "block: Poisson's ratio: got 0.5, allowed: a number above -1, below 0.5");
  model = block();
  model.elasticity.young = 0;
  EXPECT_EQ(message_of(model), "block: Young's modulus: got 0, allowed: a number above 0");
  model = block();
  model.density = -1;
  EXPECT_EQ(message_of(model), "block: density: got -1, allowed: a number above 0");
  model = block();
  model.thickness = 0;
  EXPECT_EQ(message_of(model), "block: thickness: got 0, allowed: a number above 0");
  model = block();
  model.damping_stiffness = -1;
  EXPECT_EQ(message_of(model), "block: damping_stiffness: got -1, allowed: a number, 0 or more");
  model = block();
  model.driven = {{15, 0, {}}};
  EXPECT_EQ(message_of(model), "block: node that is driven: got 15, allowed: 0 to 14");
  model = block();
  model.driven = {{1, 2, {}}};
  EXPECT_EQ(message_of(model), "block: direction that is driven: got 2, allowed: 0 or 1");
  model = block();
  model.mesh.triangles[3][0] = 99;
  EXPECT_EQ(message_of(model), "block: node of element 3: got 99, allowed: 0 to 14");
}

}  // namespace
}  // namespace saltus
