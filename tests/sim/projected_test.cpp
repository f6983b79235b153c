// The projected scheme: positions on their constraints, velocities untouched, what it costs in the audit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "joints/joint_scenes.hpp"

namespace saltus::projected_test {
namespace {

void project(ProjectionKind kind, SchemeOptions& scheme) {
  scheme.kind = SchemeKind::moreau_jean_projected;
  scheme.projection.kind = kind;
}

// Two rods of 1 m that hang on each other, from the side.
Scene<2> double_pendulum(double h) {
  Scene<2> scene = test::bare_scene_2d(h);
  for (const double x : {0.5, 1.5}) {
    SceneBody<2> rod = test::unit_body(x < 1 ? "upper" : "lower", Vec<2>(x, 0), 1.0 / 12);
    scene.bodies.push_back(rod);
  }
  scene.joints = {test::joint<2>(JointKind::revolute, "", "upper", Vec<2>(0, 0)),
                  test::joint<2>(JointKind::revolute, "upper", "lower", Vec<2>(1, 0))};
  project(ProjectionKind::direct, scene.scheme);
  return scene;
}

// A crank that turns, a rod and a rocker.
Scene<2> four_bar(double h) {
  Scene<2> scene = test::bare_scene_2d(h);
  const Vec<2> a(0, 0), b(0, 0.5), c(1.2, 1), d(1.2, 0);
  const auto bar = [&](const char* name, const Vec<2>& from, const Vec<2>& to) {
    return test::unit_body(name, Vec<2>(0.5 * (from + to)), (to - from).squaredNorm() / 12);
  };
  scene.bodies = {bar("crank", a, b), bar("rod", b, c), bar("rocker", c, d)};
  scene.joints = {test::joint<2>(JointKind::revolute, "", "crank", a),
                  test::joint<2>(JointKind::revolute, "crank", "rod", b),
                  test::joint<2>(JointKind::revolute, "rod", "rocker", c),
                  test::joint<2>(JointKind::revolute, "", "rocker", d)};
  project(ProjectionKind::direct, scene.scheme);
  return scene;
}

struct Outcome {
  double off = 0, drift = 0, defect = 0, projection = 0;
  int passes = 0;
};

Outcome run(Simulation<2>& simulation, int steps) {
  Outcome result;
  double start = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    if (report.status != StepStatus::converged) break;
    for (int j = 0; j < simulation.joint_count(); ++j)
      result.off = std::max(result.off, simulation.joint_place(j).gap);
    const double energy = report.energy.kinetic + report.energy.potential;
    if (k == 0) start = energy;
    result.drift = std::max(result.drift, std::abs(energy - start));
    result.defect = std::max(result.defect, report.energy.relative_defect());
    result.projection += report.energy.projection;
    result.passes = std::max(result.passes, report.projection_passes);
  }
  return result;
}

// The tolerance asked is 1e-12 m of each row, of two rows a joint. Without projection this pendulum is off by some 1e-4 m.
TEST(Projected, joints_are_where_they_should_be_to_round_off) {
  Simulation<2> simulation(double_pendulum(2e-3));
  const Outcome result = run(simulation, 3000);
  EXPECT_LT(result.off, 1.5e-12);
  EXPECT_LE(result.passes, 3);
  EXPECT_LT(result.defect, 1e-12);
  Simulation<2> loop(four_bar(2e-3));
  EXPECT_LT(run(loop, 2000).off, 1.5e-12);
}

// 0 = c(q) and the velocity law of the midpoint: order two on smooth motion, as without projection.
TEST(Projected, keeps_the_order_of_the_scheme) {
  const auto angle = [](double h) {
    Scene<2> scene = double_pendulum(h);
    Simulation<2> simulation(scene);
    test::run(simulation, static_cast<int>(std::lround(0.5 / h)));
    return simulation.bodies().pose[1].angle();
  };
  const double coarse = angle(0.01), middle = angle(0.005), fine = angle(0.0025);
  EXPECT_NEAR((coarse - middle) / (middle - fine), 4, 0.3);
}

Scene<2> ball(double restitution, ProjectionKind kind, double h = 5e-3) {
  PairLaw law = test::law(LawKind::newton);
  law.restitution = restitution;
  Scene<2> scene = test::scene<2>(law, h);
  scene.bodies = {test::ground<2>(), test::body<2>(Ball<2>{0.1}, Vec<2>(0, 1.1))};
  project(kind, scene.scheme);
  return scene;
}

TEST(Projected, nothing_overlaps_at_the_end_of_a_step) {
  for (const ProjectionKind kind : {ProjectionKind::direct, ProjectionKind::combined}) {
    Simulation<2> simulation(ball(0.5, kind));
    double lowest = 1, moved = 0;
    for (int k = 0; k < 800; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
      ASSERT_LT(report.energy.relative_defect(), 1e-12);
      lowest = std::min(lowest, simulation.bodies().pose[1].position.y() - 0.1);
      moved += std::abs(report.energy.projection);
    }
    EXPECT_GT(lowest, -1e-12) << name(kind);
    EXPECT_GT(moved, 0) << name(kind);
    // Direct projection closes the gap after the law: a ball that rebounds from g h finds its contact open in the next step, and
    // so it goes on for ever, by less than g h. Combined, contacts act that the step would close, and it rests.
    const double rest = kind == ProjectionKind::direct ? test::kGravity * 5e-3 : 1e-12;
    EXPECT_LT(std::abs(simulation.bodies().velocity[1].y()), rest) << name(kind);
    EXPECT_NEAR(simulation.bodies().pose[1].position.y(), 0.1, 1e-9) << name(kind);
    const std::vector<std::string> warnings = simulation.warnings();
    EXPECT_EQ(warnings.size(), kind == ProjectionKind::direct ? 1u : 0u);
    for (const std::string& warning : warnings)
      EXPECT_NE(warning.find("combined"), std::string::npos) << warning;
  }
}

// Places of 1e5 m are not known to 1e-12 m: a pendulum there missed its tolerance in every step.
TEST(Projected, a_pendulum_far_from_the_origin_converges) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 2e-3);
  project(ProjectionKind::combined, scene.scheme);
  const Vec<2> far(1e5, 1e5);
  SceneBody<2> bar = test::body<2>(build_rectangle(1, 0.1), Vec<2>(far + Vec<2>(0.5, 0)));
  bar.name = "bar";
  scene.bodies = {bar};
  SceneJoint<2> hinge;
  hinge.b = "bar";
  hinge.points[0] = hinge.points[1] = far;
  scene.joints = {hinge};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 500; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    ASSERT_LE(simulation.joint_place(0).gap, 64 * std::numeric_limits<double>::epsilon() * (1e5 + 1));
  }
}

// Of two masses on a line that overlap the lighter one gives way by its part, in the metric of M; both the same in that of
// the identity. The velocity is that of the scheme without projection.
TEST(Projected, the_metric_shares_out_a_displacement) {
  for (const ProjectionMetric metric : {ProjectionMetric::mass, ProjectionMetric::identity}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini), 1e-3);
    scene.gravity.setZero();
    SceneLagrangianSystem<2> masses;
    masses.names = {{"a", "b"}, {"u", "v"}};
    masses.mass = {{{"3"}, {"0"}}, {{"0"}, {"1"}}};
    masses.forces = {{"0"}, {"0"}};
    masses.q = {0.4, 0};
    masses.v = {0.1, 0.1};
    SceneSystemGap gap;
    gap.gap = {"b - a"};
    gap.law = test::law(LawKind::velocity_signorini);
    masses.gaps = {gap};
    scene.lagrangian = {masses};
    project(ProjectionKind::direct, scene.scheme);
    scene.scheme.projection.metric = metric;
    Simulation<2> simulation(scene);
    const StepReport report = simulation.step();
    EXPECT_EQ(report.projection_passes, 1);
    const double to = metric == ProjectionMetric::mass ? 0.3 : 0.2;
    EXPECT_NEAR(simulation.system_coordinates(0)[0], to + 1e-4, 1e-13) << name(metric);
    EXPECT_NEAR(simulation.system_coordinates(0)[1], to + 1e-4, 1e-13) << name(metric);
    EXPECT_EQ(simulation.system_velocity(0)[0], 0.1);
    EXPECT_EQ(simulation.gaps()[0].gap,
              simulation.system_coordinates(0)[1] - simulation.system_coordinates(0)[0]);
  }
}

// Coordinates x, y with x^2 + y^2 = 1 and a wall: bilateral and unilateral rows together; K and F in the audit.
TEST(Projected, constraints_and_gaps_of_a_system_hold_together) {
  PairLaw law = test::law(LawKind::newton);
  law.restitution = 0.6;
  Scene<2> scene = test::scene<2>(law, 2e-3);
  SceneLagrangianSystem<2> point;
  point.names = {{"x", "y"}, {"u", "v"}};
  point.mass = {{{"2"}, {"0"}}, {{"0"}, {"2"}}};
  point.forces = {{"0"}, {"-19.62"}};
  point.q = {1, 0};
  point.v = {0, 0};
  SceneConstraint rod;
  rod.formula = {"x^2 + y^2 - 1"};
  point.constraints = {rod};
  SceneSystemGap wall;
  wall.gap = {"x + 0.3"};
  wall.law = law;
  point.gaps = {wall};
  scene.lagrangian = {point};
  project(ProjectionKind::direct, scene.scheme);
  Simulation<2> simulation(scene);
  double worst = 0, lowest = 1;
  for (int k = 0; k < 3000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-11);
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    worst = std::max(worst, std::abs(q.squaredNorm() - 1));
    lowest = std::min(lowest, q[0] + 0.3);
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(lowest, -1e-12);
}

TEST(Projected, constraints_that_contradict_each_other_are_told) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
  SceneLagrangianSystem<2> point;
  point.names = {{"x"}, {"u"}};
  point.mass = {{{"1"}}};
  point.forces = {{"0"}};
  point.q = {0.5};
  point.v = {0};
  SceneConstraint left, right;
  left.formula = {"x"};
  right.formula = {"x - 1"};
  left.may_be_off = right.may_be_off = true;
  point.constraints = {left, right};
  scene.lagrangian = {point};
  project(ProjectionKind::direct, scene.scheme);
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_EQ(report.status, StepStatus::unconverged);
  EXPECT_GT(report.projection_left, 0.4);
}

TEST(Projected, a_run_goes_on_from_a_saved_state_to_the_same_bits) {
  Scene<2> scene = ball(0.5, ProjectionKind::combined);
  Simulation<2> whole(scene), first(scene), second(scene);
  test::run(whole, 300);
  test::run(first, 150);
  second.restore(first.save());
  test::run(second, 150);
  EXPECT_EQ(whole.state_hash(), second.state_hash());
}

// A box on a slope below the angle of friction, where it lies, and a row of spheres that fall on each other in space.
TEST(Projected, piles_stand_and_do_not_overlap) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::newton, 0.4), 2e-3);
  scene.bodies = {test::ground<3>(), test::body<3>(build_box(Vec<3>(1, 1, 0.4)), Vec<3>(0, 0, 0.21)),
                  test::body<3>(Ball<3>{0.2}, Vec<3>(0.1, 0, 0.7)),
                  test::body<3>(Ball<3>{0.2}, Vec<3>(0.1, 0.05, 1.2))};
  project(ProjectionKind::direct, scene.scheme);
  scene.scheme.projection.tolerance = 1e-10;
  scene.solver.tolerance_velocity = 1e-8;
  Simulation<3> simulation(scene);
  double worst = 0;
  for (int k = 0; k < 500; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason << k;
    worst = std::max(worst, report.penetration);
    ASSERT_LT(report.energy.relative_defect(), 1e-9);
  }
  EXPECT_LT(worst, 1e-10);
}

// What rests does no work: it sinks by what the solver leaves of its velocity, 1e-3 g h, and is put back, under the same impulses.
TEST(Projected, a_stack_at_rest_books_neither_impact_nor_projection) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
  scene.bodies.push_back(test::ground<2>());
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back(test::body<2>(build_rectangle(0.4, 0.3), Vec<2>(0.03 * i, 0.15 + 0.3 * i)));
    scene.bodies.back().mass = 120;
  }
  project(ProjectionKind::combined, scene.scheme);
  Simulation<2> simulation(scene);
  for (int k = 0; k < 500; ++k) simulation.step();
  // Without, m g times the tolerance over half a second, 0.01 J. With, it falls by no more than a tolerance and a few steps: kinetic energy of 360 kg
  // at 1e-3 g h, and as much again.
  const EnergyBalance& energy = simulation.summary().energy;
  EXPECT_LT(std::abs(energy.impact), 360 * std::pow(1e-3 * 9.81 * 1e-3, 2));
  EXPECT_LT(std::abs(energy.projection), 360 * std::pow(1e-3 * 9.81 * 1e-3, 2));
}

}  // namespace
}  // namespace saltus::projected_test
