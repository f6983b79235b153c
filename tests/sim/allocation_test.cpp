// No step allocates once sizes have settled, whatever moves and whichever scheme moves it.
#include <gtest/gtest.h>

#include "counting_allocations.hpp"
#include "sim/alpha_scenes.hpp"
#include "sim/solid_scenes.hpp"

namespace saltus::allocation_test {
namespace {

// Of 50 steps after as many as lists need to reach their size.
template <int Dim>
long count_allocations(Simulation<Dim>& simulation, int warm_up) {
  for (int i = 0; i < warm_up; ++i) simulation.step();
  const long before = testing::allocations;
  for (int i = 0; i < 50; ++i) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
  }
  return testing::allocations - before;
}

template <int Dim>
Shape<Dim> cube();
template <>
Shape<2> cube<2>() {
  return build_rectangle(0.1, 0.1);
}
template <>
Shape<3> cube<3>() {
  return build_box({0.1, 0.1, 0.1});
}

// Columns at rest.
template <int Dim>
Scene<Dim> columns() {
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::quasi_inelastic, 0.5), 2e-3);
  scene.solver.tolerance_velocity = 1e-5;
  scene.bodies = {test::ground<Dim>()};
  for (int i = 0; i < 12; ++i)
    scene.bodies.push_back(test::body<Dim>(
        cube<Dim>(), 0.2 * (i % 4) * Vec<Dim>::Unit(0) + (0.05 + 0.1 * (i / 4)) * Vec<Dim>::Unit(Dim - 1)));
  return scene;
}

// Grains on an elastic block, a mass that bounces on the floor of its system.
Scene<2> grains_on_a_block() {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.5), 1e-3);
  scene.solver.kind = SolverKind::nlgs;
  scene.solver.tolerance_velocity = 1e-6;
  scene.bodies = {test::ground<2>()};
  SceneElasticBody block;
  block.size = Vec<2>(0.8, 0.2);
  block.centre = Vec<2>(0, 0.1);
  block.divisions[0] = 8, block.divisions[1] = 2;
  block.elasticity.young = 1e7;
  block.damping_stiffness = 1e-3;
  scene.elastic = {block};
  for (int i = 0; i < 4; ++i)
    scene.bodies.push_back(test::body<2>(cube<2>(), Vec<2>(-0.15 + 0.2 * (i % 2), 0.25 + 0.1 * (i / 2))));
  SceneLinearSystem system;
  system.mass.size = 1;
  system.mass.entries = {{0, 0, 2.0}};
  system.q = {0.001};
  system.v = {0.0};
  system.forces = {{0, TimeFunction::constant(-20)}};
  SceneGap floor;
  floor.row = {{0, 1.0}};
  floor.law = test::law(LawKind::newton);
  system.gaps = {floor};
  scene.systems = {system};
  return scene;
}

// Two double pendulums that swing apart from each other, with a spring and with friction.
void add_pendulums(const JointFriction& friction, Scene<2>& scene) {
  for (const double x : {2.0, 4.0}) {
    const std::string name = x < 3 ? "left" : "right";
    for (const int link : {0, 1}) {
      SceneBody<2> body = test::body<2>(build_rectangle(0.4, 0.05), Vec<2>(x + 0.2 + 0.4 * link, 2));
      body.name = name + std::to_string(link);
      scene.bodies.push_back(body);
      SceneJoint<2> hinge;
      hinge.b = body.name;
      if (link > 0) hinge.a = name + "0";
      hinge.points[0] = hinge.points[1] = Vec<2>(x + 0.4 * link, 2);
      if (link > 0)
        hinge.direction("angle").spring = JointSpring{2, 0.1};
      else
        hinge.direction("angle").friction = friction;
      scene.joints.push_back(hinge);
    }
  }
}

// A bar on a hinge turned by a motor, and a slide between two stops that a force pushes against one of them.
void add_driven(Scene<2>& scene) {
  for (const bool slides : {false, true}) {
    SceneBody<2> body = test::body<2>(build_rectangle(0.4, 0.05), Vec<2>(slides ? 8 : 6, 2));
    body.name = slides ? "slide" : "wheel";
    scene.bodies.push_back(body);
    SceneJoint<2> joint;
    joint.kind = slides ? JointKind::prismatic : JointKind::revolute;
    joint.b = body.name;
    joint.points[0] = joint.points[1] = body.pose.position;
    if (slides) {
      joint.direction("slide").limits = JointLimits{-0.01, 0.02, 0.5};
      joint.direction("slide").motor = JointMotor{JointMotor::Kind::force, TimeFunction::constant(30), {}};
    } else {
      joint.direction("angle").motor = JointMotor{JointMotor::Kind::velocity, TimeFunction::constant(3), {}};
    }
    scene.joints.push_back(joint);
  }
}

template <int Dim>
void check_columns(SchemeOptions scheme) {
  Scene<Dim> scene = columns<Dim>();
  scheme.h = scene.scheme.h;
  scene.scheme = scheme;
  Simulation<Dim> simulation(scene);
  EXPECT_EQ(count_allocations(simulation, 100), 0) << name(scheme.kind);
  EXPECT_GE(simulation.contacts().size(), 24u);
}

TEST(Allocations, rigid_bodies) {
  check_columns<2>({});
  check_columns<3>({});
}

SchemeOptions scheme_of(SchemeKind kind) {
  SchemeOptions scheme = test::alpha_scheme(0.8, 1e-3);
  scheme.kind = kind;
  if (kind == SchemeKind::newmark) scheme.alpha = alpha_options(0, 0);
  if (kind == SchemeKind::hht) scheme.alpha = alpha_options(0, 0.1);
  return scheme;
}
constexpr SchemeKind kAlphaSchemes[] = {SchemeKind::generalized_alpha, SchemeKind::newmark, SchemeKind::hht};

TEST(Allocations, rigid_bodies_under_the_alpha_schemes) {
  for (const SchemeKind kind : kAlphaSchemes) {
    check_columns<2>(scheme_of(kind));
    check_columns<3>(scheme_of(kind));
  }
}

TEST(Allocations, bodies_and_systems) {
  Simulation<2> simulation(grains_on_a_block());
  EXPECT_EQ(count_allocations(simulation, 500), 0);
  EXPECT_GE(simulation.contacts().size(), 8u + 9u);  // cubes, nodes on the floor
  EXPECT_GT(simulation.gap_impulses()[0], 0);
}

TEST(Allocations, mechanisms_beside_bodies_and_systems) {
  Scene<2> scene = grains_on_a_block();
  add_pendulums({0, 0.3, 0.01}, scene);  // friction that follows the load
  Simulation<2> simulation(scene);
  EXPECT_EQ(count_allocations(simulation, 500), 0);
  EXPECT_GT(std::abs(simulation.joint_place(0).rate[0]), 0.1);  // they swing
}

TEST(Allocations, mechanisms_beside_bodies_and_systems_under_the_alpha_schemes) {
  for (const SchemeKind kind : kAlphaSchemes) {
    Scene<2> scene = grains_on_a_block();
    // Disks side by side: a box whose corner comes and goes on a facet rattles under these schemes (docs/schemes.md).
    for (int i = 1; i <= 4; ++i) scene.bodies[i] = test::body<2>(Disk{0.05}, Vec<2>(-0.5 + 0.2 * i, 0.25));
    add_pendulums({0.05}, scene);
    add_driven(scene);
    scene.scheme = scheme_of(kind);
    Simulation<2> simulation(scene);
    EXPECT_EQ(count_allocations(simulation, 500), 0) << name(kind);
    EXPECT_GT(std::abs(simulation.joint_place(0).rate[0]), 0.1);
    EXPECT_NEAR(simulation.joint_place(5).value[0], 0.02, 1e-12);  // at its stop
    EXPECT_GE(simulation.contacts().size(), 4u + 9u);
    EXPECT_GT(simulation.gap_impulses()[0], 0);
  }
}

// A pendulum held by a constraint, with a spring and a mass that depend on where it is, on a floor that holds it.
TEST(Allocations, lagrangian_systems_under_the_alpha_schemes) {
  SceneLagrangianSystem<2> system;
  system.names = {{"x", "y"}, {"u", "v"}};
  system.mass = {{{"1 + x^2"}, {"0"}}, {{"0"}, {"1"}}};
  system.forces = {{"-3*x"}, {"-9.81 - 0.1*v"}};
  system.q = {std::sin(1.0), -std::cos(1.0)};
  system.v = {0, 0};
  SceneConstraint rod;
  rod.formula = {"sqrt(x^2 + y^2) - 1"};
  system.constraints = {rod};
  SceneSystemGap floor;
  floor.gap = {"y + 0.9"};
  floor.law = test::law(LawKind::newton);
  system.gaps = {floor};
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton), 1e-3);
  scene.solver.tolerance_velocity = 1e-10;
  scene.scheme = scheme_of(SchemeKind::generalized_alpha);
  scene.lagrangian = {system};
  Simulation<2> simulation(scene);
  EXPECT_EQ(count_allocations(simulation, 2000), 0);
}

TEST(Allocations, rubber_in_contact_under_the_alpha_schemes) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini, 0.3), 1e-3);
  scene.solver.tolerance_velocity = 1e-9;
  scene.scheme = scheme_of(SchemeKind::generalized_alpha);
  scene.bodies = {test::ground<2>()};
  SceneDeformable<2> block = test::soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 0.1), 4, 2),
                                                Vec<2>(0, 0.05), "neo-hookean", 1e6, 0.3);
  block.kinematics = Kinematics::finite;
  scene.deformable = {block};
  Simulation<2> simulation(scene);
  EXPECT_EQ(count_allocations(simulation, 300), 0);
  EXPECT_GE(simulation.contacts().size(), 5u);
}

TEST(Allocations, a_pressed_sample) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.5), 1e-3);
  scene.gravity.setZero();
  scene.solver.tolerance_velocity = 1e-5;
  scene.membranes.push_back({TimeFunction::constant(500), ~0u, 0.2});
  for (int i = 0; i < 7; ++i) {  // one disk and six around it
    const double turn = M_PI / 3 * i;
    const Vec<2> at = i == 6 ? Vec<2>(0, 0) : Vec<2>(0.1 * std::cos(turn), 0.1 * std::sin(turn));
    scene.bodies.push_back(test::body<2>(Disk{0.05}, at));
  }
  Simulation<2> simulation(scene);
  EXPECT_EQ(count_allocations(simulation, 50), 0);
  EXPECT_EQ(simulation.summary().lost_membrane_steps, 0);
  EXPECT_GE(simulation.contacts().size(), 12u);
}

}  // namespace
}  // namespace saltus::allocation_test
