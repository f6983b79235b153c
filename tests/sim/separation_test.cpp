// Overlaps are taken back on positions: bodies do not overlap, velocities stay, the work is accounted for.
#include "saltus/sim/separation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/sim_scenes.hpp"

namespace saltus::separation_test {
namespace {

constexpr double kEdge = 0.12;

// Depth of two cubes by brute force over the fifteen axes that may separate two boxes (Gottschalk 1996): no code of detection.
double cube_depth(const Pose<3>& a, const Pose<3>& b) {
  const Mat<3> ra = a.rotation(), rb = b.rotation();
  const Vec<3> arm = b.position - a.position;
  double depth = 1e300;
  const auto try_axis = [&](const Vec<3>& axis) {
    if (axis.norm() < 1e-6) return;
    const Vec<3> n = axis.normalized();
    const double half =
        kEdge / 2 * ((ra.transpose() * n).cwiseAbs().sum() + (rb.transpose() * n).cwiseAbs().sum());
    depth = std::min(depth, half - std::abs(n.dot(arm)));
  };
  for (int i = 0; i < 3; ++i) try_axis(ra.col(i)), try_axis(rb.col(i));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) try_axis(ra.col(i).cross(rb.col(j)));
  return depth;
}

SceneBody<3> wall(const Vec<3>& normal, const Vec<3>& at) {
  HalfSpace<3> half;
  half.normal = normal;
  SceneBody<3> result = test::body<3>(half, at);
  result.fixed = true;
  return result;
}

// 27 cubes, each turned its own way, fall into a box.
Scene<3> falling_cubes() {
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 0.5), 5e-3);
  scene.solver.tolerance_velocity = 0;
  scene.bodies = {test::ground<3>(), wall(Vec<3>::UnitX(), {-0.33, 0, 0}),
                  wall(-Vec<3>::UnitX(), {0.33, 0, 0}), wall(Vec<3>::UnitY(), {0, -0.33, 0}),
                  wall(-Vec<3>::UnitY(), {0, 0.33, 0})};
  for (int i = 0; i < 27; ++i) {
    SceneBody<3> cube = test::body<3>(build_box(Vec<3>::Constant(kEdge)),
                                      {0.22 * (i % 3 - 1), 0.22 * (i / 3 % 3 - 1), 0.22 * (i / 9) + 0.2});
    cube.pose.rotate(Vec<3>(0.37 * (i % 17), 0.53 * (i % 13), 0.71 * (i % 11)));
    scene.bodies.push_back(cube);
  }
  return scene;
}

double deepest_cubes(const Simulation<3>& simulation) {
  const std::vector<Pose<3>>& poses = simulation.bodies().pose;
  double deepest = 0;
  for (std::size_t i = 5; i < poses.size(); ++i)
    for (std::size_t k = 5; k < i; ++k) deepest = std::max(deepest, cube_depth(poses[k], poses[i]));
  return deepest;
}

TEST(Separation, cubes_that_fall_into_a_box_never_overlap_by_more_than_the_slop) {
  Simulation<3> simulation(falling_cubes());
  const EnergyBalance start = simulation.energy_at_start();
  double deepest = 0;
  for (int i = 0; i < 150; ++i) {
    simulation.step();
    deepest = std::max(deepest, deepest_cubes(simulation));
  }
  // What is asked of a run is 2 %; a pass ends at half a slop, and takes back what is deeper than a slop.
  EXPECT_LE(deepest, 1.01 * kSlop * kEdge);
  EXPECT_GT(simulation.summary().separated_steps, 0);
  // The certificate measures the same, at the same poses (walls included: it may be the deeper).
  EXPECT_GE(simulation.summary().penetration.worst(), deepest * (1 - 1e-6));
  EXPECT_LE(simulation.summary().penetration_relative.worst(), 1.01 * kSlop);
  // Gravity is constant: its work is the loss of potential energy, projection included, to round-off of the sums.
  const EnergyBalance& e = simulation.summary().energy;
  const double size = std::abs(e.gravity) + std::abs(e.impact) + std::abs(e.friction);
  EXPECT_NEAR(e.potential - start.potential, -e.gravity, 1e-11 * size);
  EXPECT_NEAR(e.kinetic + e.potential - start.kinetic - start.potential,
              e.impact + e.friction + e.gyroscopic + e.projection, 1e-11 * size);
  EXPECT_LT(std::abs(e.projection), 0.01 * std::abs(e.impact));
}

// Coins that lie on each other, each a little tilted and 5 % of its thickness in the one below: with one point of each rim they
// would be turned about it into their neighbours.
TEST(Separation, coins_that_lie_flat_are_lifted_and_not_tipped_into_their_neighbours) {
  constexpr double kRadius = 0.05, kThick = 0.01, kTilt = 2e-3;
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic, 0.5), 5e-3);
  scene.gravity.setZero();
  scene.bodies = {test::ground<3>()};
  for (int i = 0; i < 4; ++i) {
    const Vec<3> at(0.01 * (i % 2), 0, kThick * (0.5 + 0.95 * i) - 0.05 * kThick);
    scene.bodies.push_back(test::body<3>(Cylinder{kRadius, kThick / 2}, at));
    scene.bodies.back().pose.rotate(kTilt * Vec<3>(std::cos(2.0 * i), std::sin(2.0 * i), 0));
  }
  Simulation<3> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_LE(report.penetration_relative, 1.01 * kSlop);
  EXPECT_LE(report.separation_passes, 8);
  EXPECT_FALSE(report.overlaps_left);
  // The lowest point of each coin above the highest of the one below, but for the slop: of cylinders that are nearly level.
  const auto& pose = simulation.bodies().pose;
  for (int i = 1; i <= 4; ++i) {
    const Vec<3> axis = pose[i].rotation().col(2);
    EXPECT_LE(kRadius * std::hypot(axis.x(), axis.y()), 0.05 * kThick) << i;
    if (i > 1) {
      EXPECT_GE(pose[i].position.z() - pose[i - 1].position.z(), 0.95 * kThick) << i;
    }
  }
}

// Laws that act where a contact is forecast leave more: half a percent, here more than the 0.5 mm that bodies fall in two steps.
TEST(Separation, under_laws_of_impact_cubes_overlap_by_no_more_than_their_slop) {
  for (const LawKind kind :
       {LawKind::velocity_signorini, LawKind::newton, LawKind::moreau, LawKind::fremond}) {
    SCOPED_TRACE(name(kind));
    Scene<3> scene = falling_cubes();
    scene.default_law = test::law(kind, 0.5);
    if (kind == LawKind::newton || kind == LawKind::fremond) scene.default_law->restitution = 0.3;
    if (kind == LawKind::fremond) scene.scheme.theta = 1 / 1.3;
    Simulation<3> simulation(scene);
    const EnergyBalance start = simulation.energy_at_start();
    StepReport report;
    double deepest = 0;
    for (int i = 0; i < 150; ++i) {
      report = simulation.step();
      deepest = std::max(deepest, deepest_cubes(simulation));
    }
    EXPECT_LE(deepest, 1.01 * kForecastSlop * kEdge);
    EXPECT_GT(simulation.summary().separated_steps, 0);
    // An impact at v goes h v/2 deep before the law sees it and is lifted by that: m g h v/2 of the m v2/2 it has, g h/v. Bodies
    // that fell 5 cm have v = 1 m/s: 5 %.
    const EnergyBalance& end = report.energy;
    EXPECT_LT(std::abs(simulation.summary().energy.projection),
              0.05 * (start.kinetic + start.potential - end.kinetic - end.potential));
  }
}

TEST(Separation, without_it_the_same_cubes_overlap) {
  Scene<3> scene = falling_cubes();
  scene.scheme.position_correction = false;
  Simulation<3> simulation(scene);
  test::run(simulation, 150);
  EXPECT_GT(deepest_cubes(simulation), 2 * kSlop * kEdge);
  EXPECT_EQ(simulation.summary().energy.projection, 0);
  EXPECT_EQ(simulation.summary().separated_steps, 0);
}

// Boxes of equal mass, 10 % in each other along x: each moves by half of what is to go, and none has a velocity after.
template <int Dim>
Scene<Dim> two_boxes(LawKind kind, double overlap, double mass_ratio = 1) {
  Scene<Dim> scene = test::scene<Dim>(test::law(kind), 5e-3);
  scene.gravity.setZero();
  Shape<Dim> box;
  if constexpr (Dim == 2)
    box = build_rectangle(0.1, 0.1);
  else
    box = build_box(Vec<3>::Constant(0.1));
  scene.bodies = {test::body<Dim>(box, Vec<Dim>::Zero()),
                  test::body<Dim>(box, (0.1 - overlap) * Vec<Dim>::Unit(0))};
  scene.bodies[1].density = 1000 * mass_ratio;
  return scene;
}

template <int Dim>
void check_two_boxes() {
  constexpr double kOverlapped = 0.004, kRatio = 3;
  Simulation<Dim> simulation(two_boxes<Dim>(LawKind::quasi_inelastic, kOverlapped, kRatio));
  const StepReport report = simulation.step();
  const auto& bodies = simulation.bodies();
  // The displacements are inverse to the masses, so that the common centre stays; the solver ends within a tenth of a slop.
  const double taken = kOverlapped - kKept * 0.1, tolerance = 0.1 * kSlop * 0.1;
  EXPECT_NEAR(bodies.pose[0].position[0], -taken * kRatio / (1 + kRatio), tolerance);
  EXPECT_NEAR(bodies.pose[0].position[0] + kRatio * bodies.pose[1].position[0], kRatio * (0.1 - kOverlapped),
              1e-15);
  EXPECT_TRUE(bodies.velocity[0].isZero(0));
  EXPECT_TRUE(bodies.velocity[1].isZero(0));
  EXPECT_EQ(report.energy.kinetic, 0);
  EXPECT_EQ(report.energy.projection, 0);
  EXPECT_FALSE(report.overlaps_left);
  EXPECT_EQ(report.separation_passes, 1);
  EXPECT_NEAR(report.penetration, kKept * 0.1, tolerance);
  // Less than a slop: nothing moves any more.
  const Vec<Dim> first = bodies.pose[0].position, second = bodies.pose[1].position;
  EXPECT_EQ(simulation.step().separation_passes, 0);
  EXPECT_EQ(bodies.pose[0].position, first);
  EXPECT_EQ(bodies.pose[1].position, second);
}

TEST(Separation, moves_two_bodies_apart_by_their_masses_and_gives_them_no_velocity) {
  check_two_boxes<2>();
  check_two_boxes<3>();
}

TEST(Separation, reaches_across_the_boundary_of_a_periodic_cell) {
  Scene<2> scene = two_boxes<2>(LawKind::quasi_inelastic, 0.004);
  scene.period = {1, 0};
  scene.bodies[0].pose.position[0] += 0.96;
  scene.bodies[1].pose.position[0] += -0.04;
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_LE(report.penetration, 1.01 * kSlop * 0.1);
  EXPECT_LT(simulation.bodies().pose[0].position[0], 0.96);
}

TEST(Separation, leaves_layers_and_bonds_alone) {
  PairLaw layer = test::law(LawKind::elastic);
  layer.stiffness_normal = 1e4;
  PairLaw bond = test::law(LawKind::quasi_inelastic);
  bond.cohesion = 10;
  for (const PairLaw& law : {layer, bond}) {
    Scene<2> scene = two_boxes<2>(LawKind::quasi_inelastic, 0.004);
    scene.default_law = law;
    Simulation<2> with(scene);
    scene.scheme.position_correction = false;
    Simulation<2> without(scene);
    test::run(with, 20);
    test::run(without, 20);
    EXPECT_EQ(with.state_hash(), without.state_hash());
    EXPECT_EQ(with.summary().separated_steps, 0);
  }
}

// Newton's law with e = 1 and theta = 1/2 keeps the energy; a ball lifted out of the floor at every bounce would gain it.
TEST(Separation, does_not_lift_a_ball_that_bounces) {
  PairLaw law = test::law(LawKind::newton);
  law.restitution = 1;
  Scene<2> scene = test::scene<2>(law, 5e-3);
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.05}, {0, 1})};
  Simulation<2> simulation(scene);
  const EnergyBalance start = simulation.energy_at_start();
  const StepReport report = test::run(simulation, 2000);
  EXPECT_NEAR(report.energy.kinetic + report.energy.potential, start.potential, 1e-10 * start.potential);
  EXPECT_EQ(simulation.summary().energy.projection, 0);
}

// A box in a slot that is narrower than it cannot be freed: it is told, every step costs no more than its passes, and the
// box stays where it is.
TEST(Separation, tells_of_bodies_that_nothing_can_free) {
  Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic), 5e-3);
  scene.gravity.setZero();
  scene.bodies = {wall(Vec<3>::UnitX(), {-0.05, 0, 0}), wall(-Vec<3>::UnitX(), {0.05, 0, 0}),
                  test::body<3>(build_box(Vec<3>(0.11, 0.1, 0.1)), Vec<3>::Zero())};
  Simulation<3> simulation(scene);
  const StepReport report = test::run(simulation, 20);
  EXPECT_TRUE(report.overlaps_left);
  EXPECT_LE(report.separation_passes, 8);  // one round: it helps nobody
  EXPECT_EQ(simulation.summary().left_steps, 20);
  // Which way it leans is decided by the last bit.
  EXPECT_LT(simulation.bodies().pose[2].position.norm(), 0.01);
}

TEST(Separation, keeps_the_bits_on_any_number_of_threads_and_after_a_restart) {
  Scene<3> scene = falling_cubes();
  Simulation<3> straight(scene), first(scene);
  scene.solver.threads = 2;
  Simulation<3> two(scene);
  test::run(straight, 80);
  test::run(two, 80);
  test::run(first, 50);
  scene.solver.threads = 1;
  Simulation<3> resumed(scene);
  resumed.restore(first.save());
  test::run(resumed, 30);
  EXPECT_EQ(two.state_hash(), straight.state_hash());
  EXPECT_EQ(resumed.state_hash(), straight.state_hash());
  EXPECT_EQ(resumed.summary().energy.projection, straight.summary().energy.projection);
}

SceneJoint<2> held_joint(JointKind kind, const Vec<2>& point, const Vec<3>& axis = Vec<3>::Zero()) {
  SceneJoint<2> joint;
  joint.kind = kind;
  joint.b = "held";
  joint.points[0] = joint.points[1] = point;
  joint.axis = axis;
  return joint;
}

// Two boxes that overlap along x; the first is held by a joint.
TEST(Separation, moves_bodies_of_joints_as_far_as_their_joints_allow) {
  struct Case {
    SceneJoint<2> joint;
    double first;  // part of the way that the first box goes: both have the same mass
  };
  const Case cases[] = {{held_joint(JointKind::revolute, Vec<2>(-0.05, 0)), 0},
                        {held_joint(JointKind::weld, Vec<2>(0, 0)), 0},
                        {held_joint(JointKind::prismatic, Vec<2>(0, 0), Vec<3>(0, 1, 0)), 0},
                        {held_joint(JointKind::prismatic, Vec<2>(0, 0), Vec<3>(1, 0, 0)), 0.5}};
  for (const Case& c : cases) {
    Scene<2> scene = two_boxes<2>(LawKind::quasi_inelastic, 0.004);
    scene.bodies[0].name = "held";
    scene.joints = {c.joint};
    Simulation<2> simulation(scene);
    const StepReport report = simulation.step();
    const double way = 0.004 - kKept * 0.1, slop = 0.1 * kSlop * 0.1;  // what a pass may leave
    EXPECT_NEAR(simulation.bodies().pose[0].position[0], -c.first * way, slop) << name(c.joint.kind);
    EXPECT_NEAR(simulation.bodies().pose[1].position[0], 0.096 + (1 - c.first) * way, slop)
        << name(c.joint.kind);
    EXPECT_LT(simulation.joint_place(0).gap,
              1e-9);  // the turn of a pass is of first order: its square is not seen here
    EXPECT_LE(report.penetration, 1.01 * kSlop * 0.1);
  }
}

// A spring takes up what the displacement of its slide stores, and projection pays for it.
TEST(Separation, springs_of_joints_are_accounted_for) {
  Scene<2> scene = two_boxes<2>(LawKind::quasi_inelastic, 0.004);
  scene.bodies[0].name = "held";
  scene.joints = {held_joint(JointKind::prismatic, Vec<2>(0, 0), Vec<3>(1, 0, 0))};
  scene.joints[0].direction("slide").spring = JointSpring{50, 0, 0, 0};
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  const double moved = simulation.joint_place(0).value[0], stored = 0.5 * 50 * moved * moved;
  EXPECT_LT(moved, -1e-3);
  EXPECT_NEAR(report.energy.elastic_stored, stored, 1e-12 * stored);
  EXPECT_NEAR(report.energy.elastic, -stored, 1e-12 * stored);
  EXPECT_NEAR(report.energy.projection, stored, 1e-12 * stored);
}

// A chain of links that a slab pushes down by more than the slop: it gives way at its pins, which stay closed.
TEST(Separation, a_chain_gives_way_at_its_pins) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.3), 5e-3);
  scene.gravity.setZero();
  constexpr int kLinks = 6;
  const double length = 0.2, radius = 0.02;
  scene.bodies = {test::body<2>(build_rectangle(0.1, 0.1), Vec<2>(0.7, 0.05 + radius - 0.008))};
  scene.bodies[0].fixed = true;
  for (int i = 0; i < kLinks; ++i) {
    SceneBody<2> link = test::body<2>(Capsule<2>{Vec<2>(-length / 2, 0), Vec<2>(length / 2, 0), radius},
                                      Vec<2>((i + 0.5) * length, 0));
    link.name = "l" + std::to_string(i);
    scene.bodies.push_back(link);
    SceneJoint<2> pin;
    if (i > 0) pin.a = "l" + std::to_string(i - 1);
    pin.b = link.name;
    pin.points[0] = pin.points[1] = Vec<2>(i * length, 0);
    scene.joints.push_back(pin);
  }
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.overlaps_left);
  EXPECT_LE(report.penetration_relative, 1.01 * kSlop);
  EXPECT_LT(simulation.bodies().pose[4].position[1], -0.007);  // the link under the slab
  // A displacement is right to first order: links that turn by 8 mm in 0.2 m leave their pins by the square of that over two.
  for (int i = 0; i < kLinks; ++i) EXPECT_LT(simulation.joint_place(i).gap, 0.5 * 0.008 * 0.008 / length);
}

// Neither can give way: that is found out in one pass, and the overlap is told.
TEST(Separation, bodies_that_their_joints_hold_stay_and_are_told) {
  Scene<2> scene = two_boxes<2>(LawKind::quasi_inelastic, 0.004);
  for (const int i : {0, 1}) {
    scene.bodies[i].name = i == 0 ? "first" : "second";
    SceneJoint<2> joint;
    joint.kind = JointKind::weld;
    joint.b = scene.bodies[i].name;
    joint.points[0] = joint.points[1] = scene.bodies[i].pose.position;
    scene.joints.push_back(joint);
  }
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_EQ(report.separation_passes, 1);
  EXPECT_NEAR(report.penetration, 0.004, 1e-12);  // round-off of places
  EXPECT_TRUE(report.overlaps_left);
}

}  // namespace
}  // namespace saltus::separation_test
