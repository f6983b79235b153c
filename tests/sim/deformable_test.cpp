// Deformable bodies in the step: meshes in contact with rigid bodies and with each other, linear and not.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "saltus/meshes/mesh_shapes.hpp"
#include "saltus/systems/solid_model.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::deformable_test {
namespace {

template <int Dim>
SceneDeformable<Dim> body_of(SolidMesh<Dim> mesh, const Vec<Dim>& centre, const std::string& kind,
                             double young, double poisson) {
  SceneDeformable<Dim> body;
  body.name = "soft";
  for (Vec<Dim>& x : mesh.nodes) x += centre;
  body.mesh = std::make_shared<SolidMesh<Dim>>(std::move(mesh));
  body.solids = {{"", kind, {"", {{"young", young}, {"poisson", poisson}}}, 1000}};
  body.newton = NewtonMatrix::kept;
  return body;
}

SolidMesh<2> rectangle(ElementKind kind, const Vec<2>& size, int nx, int ny) {
  MeshGrid<2> grid;
  grid.kind = kind;
  grid.cells = {nx, ny};
  return build_box_mesh<2>(size, grid, "");
}

SolidMesh<3> box(ElementKind kind, const Vec<3>& size, int n) {
  MeshGrid<3> grid;
  grid.kind = kind;
  grid.cells = {n, n, n};
  return build_box_mesh<3>(size, grid, "");
}

template <int Dim>
Vec<Dim> contact_force(const Simulation<Dim>& simulation, double h) {
  Vec<Dim> force = Vec<Dim>::Zero();
  for (const ContactState<Dim>& c : simulation.contacts()) force += c.axes * c.impulse / h;
  return force;
}

// A ball far smaller than the distance of the nodes falls between two of them: facets hold it.
TEST(Deformable, small_bodies_do_not_pass_between_nodes) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.3), 1e-3);
  SceneBody<2> ball = test::body<2>(Ball<2>{0.01}, Vec<2>(0.21, 0.56));
  SceneBody<2> corner = test::body<2>(build_rectangle(0.02, 0.02), Vec<2>(-0.2, 0.56));
  corner.pose = Pose<2>(Vec<2>(-0.2, 0.56), std::numbers::pi / 4);
  scene.bodies = {test::ground<2>(), ball, corner};
  scene.deformable = {body_of<2>(rectangle(ElementKind::t3, Vec<2>(1, 0.5), 1, 1), Vec<2>(0, 0.25),
                                 "linear-elastic", 1e7, 0.3)};
  scene.deformable[0].damping_stiffness = 1e-3;
  Simulation<2> simulation(scene);
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k;
    ASSERT_LT(report.penetration, 1e-4) << k;
  }
  EXPECT_NEAR(simulation.bodies().pose[1].position.y(), 0.51, 2e-3);
  EXPECT_GT(simulation.bodies().pose[2].position.y(), 0.508);
}

// A box as wide as the block that it stands on, or flush with one of its sides: the far side of the box is no contact of the
// side of the block. It rests with its weight on it, where it stood.
TEST(Deformable, a_box_flush_with_a_side_of_the_block_below_rests_on_it) {
  for (const double width : {1.0, 0.9999, 1.001, 0.4}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.3), 1e-3);
    scene.scheme.theta = 0.7;
    scene.solver.tolerance_velocity = 1e-8;
    SceneBody<2> box =
        test::body<2>(build_rectangle(width, 0.3), Vec<2>(width < 0.5 ? 0.5 - width / 2 : 0.0, 0.65));
    box.density = 500;
    scene.bodies = {box};
    scene.deformable = {body_of<2>(rectangle(ElementKind::q4, Vec<2>(1, 0.5), 4, 2), Vec<2>(0, 0.25),
                                   "linear-elastic", 1e6, 0.3)};
    for (const int direction : {0, 1})
      scene.deformable[0].supports.push_back({"bottom", direction, {Drive::Kind::locked, {}}, ""});
    scene.deformable[0].damping_mass = 20;
    Simulation<2> simulation(scene);
    for (int k = 0; k < 1500; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << width << ' ' << k << ' ' << report.reason;
      ASSERT_LT(report.penetration_relative, 0.01) << width << ' ' << k;
    }
    const double weight = width * 0.3 * 500 * test::kGravity;
    EXPECT_NEAR(std::abs(contact_force(simulation, 1e-3).y()), weight, 1e-2 * weight) << width;
    EXPECT_LT(simulation.bodies().velocity[0].norm(), 1e-2) << width;
    EXPECT_NEAR(simulation.bodies().pose[0].position.y(), 0.648, 5e-3) << width;
  }
}

// The same block, as a linear system and by Newton's method on elements that turn: small displacements agree.
TEST(Deformable, a_body_that_may_turn_and_one_that_may_not_agree_where_nothing_turns) {
  std::vector<double> heights;
  for (const Kinematics kinematics : {Kinematics::small, Kinematics::corotational}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.3), 1e-3);
    scene.scheme.theta = 1;
    scene.bodies = {test::ground<2>()};
    scene.deformable = {body_of<2>(rectangle(ElementKind::q4, Vec<2>(1, 0.5), 4, 2), Vec<2>(0, 0.25),
                                   "linear-elastic", 1e7, 0.25)};
    scene.deformable[0].kinematics = kinematics;
    scene.solver.tolerance_velocity = 1e-11;
    Simulation<2> simulation(scene);
    for (int k = 0; k < 600; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
      // At rest there is nothing left to compare with.
      if (report.energy.kinetic > 1e-9) {
        ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
      }
    }
    const double weight = 0.5 * 1000 * test::kGravity;
    EXPECT_NEAR(contact_force(simulation, 1e-3).y(), weight, 1e-6 * weight);
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    heights.push_back(q[q.size() - 1]);
  }
  // Strains are of 2.5e-4: what differs is of their square.
  EXPECT_NEAR(heights[0], heights[1], 1e-3 * std::abs(heights[0]));
  EXPECT_LT(heights[0], 0);
}

// Far from everything, spinning: a turn and more without strain, with the energy it had.
TEST(Deformable, large_rotations_make_no_strain) {
  for (const char* kind : {"linear-elastic", "neo-hookean"}) {
    Scene<3> scene = test::scene<3>(test::law(LawKind::quasi_inelastic), 5e-4);
    scene.gravity.setZero();
    scene.deformable = {
        body_of<3>(box(ElementKind::h8, Vec<3>(0.3, 0.2, 0.1), 1), Vec<3>::Zero(), kind, 1e9, 0.3)};
    SceneDeformable<3>& body = scene.deformable[0];
    body.kinematics = kind[0] == 'l' ? Kinematics::corotational : Kinematics::finite;
    body.spin = Vec<3>(0, 0, 10);
    Simulation<3> simulation(scene);
    double first = 0, last = 0;
    for (int k = 0; k < 1400; ++k) {  // 7 rad
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << kind << ' ' << k << ' ' << report.reason;
      last = report.energy.kinetic;
      if (k == 0) first = last;
      ASSERT_LT(report.energy.elastic_stored, 1e-3 * first) << kind << ' ' << k;
    }
    EXPECT_NEAR(last, first, 2e-3 * first) << kind;
  }
}

TEST(Deformable, solids_of_every_kind_rest_with_their_weight_on_the_ground) {
  for (const ElementKind kind : {ElementKind::t4, ElementKind::t10, ElementKind::h8, ElementKind::h20}) {
    Scene<3> scene = test::scene<3>(test::law(LawKind::gap_signorini, 0.4), 2e-3);
    scene.scheme.theta = 1;
    scene.bodies = {test::ground<3>()};
    scene.deformable = {
        body_of<3>(box(kind, Vec<3>(0.2, 0.2, 0.2), 2), Vec<3>(0, 0, 0.1), "linear-elastic", 1e6, 0.3)};
    scene.solver.tolerance_velocity = 1e-9;
    Simulation<3> simulation(scene);
    for (int k = 0; k < 300; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << name(kind) << ' ' << k << ' ' << report.reason;
    }
    const double weight = 0.008 * 1000 * test::kGravity;
    EXPECT_NEAR(contact_force(simulation, 2e-3).z(), weight, 1e-3 * weight) << name(kind);
  }
}

// Two blocks whose nodes do not meet, pressed by a uniform traction without Poisson's effect: all nodes of the interface go
// down alike, as they would in one piece.
TEST(Deformable, a_uniform_pressure_passes_through_meshes_that_do_not_match) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.0), 1e-2);
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  scene.bodies = {test::ground<2>()};
  SceneDeformable<2> lower =
      body_of<2>(rectangle(ElementKind::q4, Vec<2>(1, 0.5), 3, 2), Vec<2>(0, 0.25), "linear-elastic", 1e7, 0);
  SceneDeformable<2> upper =
      body_of<2>(rectangle(ElementKind::q4, Vec<2>(1, 0.5), 4, 2), Vec<2>(0, 0.75), "linear-elastic", 1e7, 0);
  lower.name = "lower";
  upper.loads.push_back(
      {SceneDeformable<2>::Load::Kind::traction, "top", 1, TimeFunction::constant(-1e4), ""});
  for (SceneDeformable<2>* body : {&lower, &upper})
    body->supports.push_back({"left", 0, {Drive::Kind::locked, {}}, ""});
  scene.deformable = {lower, upper};
  scene.solver.tolerance_velocity = 1e-12;
  Simulation<2> simulation(scene);
  StepReport report;
  for (int k = 0; k < 400; ++k) report = simulation.step();
  ASSERT_EQ(report.status, StepStatus::converged);
  const double settled = 1e4 / 1e7 * 0.5;  // of the interface
  for (int i = 0; i < 2; ++i) {
    const auto& nodes = scene.deformable[i].mesh->nodes;
    const Eigen::VectorXd& q = simulation.system_coordinates(i);
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (std::abs(nodes[n].y() - 0.5) < 1e-9) {
        EXPECT_NEAR(q[2 * n + 1], -settled, 0.02 * settled) << "node " << n << " of body " << i;
      }
  }
  EXPECT_NEAR(contact_force(simulation, 1e-2).y(), 2e4, 1);  // at the interface and on the ground
}

// A block whose foot is held, on a floor that cannot move either: no impulse changes anything there, and a plate presses it as
// it does without the floor. (Such contacts were rows of zeros, at which solvers worked to their last iteration.)
TEST(Deformable, contacts_of_what_supports_hold_leave_the_solve_alone) {
  double force[2];
  for (const bool on_floor : {false, true}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.0), 0.05);
    scene.gravity.setZero();
    scene.scheme.theta = 1;
    scene.solver.tolerance_velocity = 1e-9;
    SceneBody<2> plate = test::body<2>(build_rectangle(2, 0.2), Vec<2>(0, 0.9));
    plate.drive[0] = plate.drive[2] = {Drive::Kind::locked, {}};
    plate.drive[1] = {Drive::Kind::velocity, TimeFunction::constant(-0.01)};
    scene.bodies = {plate};
    if (on_floor) scene.bodies.push_back(test::ground<2>());
    SceneDeformable<2> block = body_of<2>(rectangle(ElementKind::q4, Vec<2>(1, 0.8), 4, 4), Vec<2>(0, 0.4),
                                          "linear-elastic", 1e6, 0.3);
    block.supports.push_back({"left", 0, {Drive::Kind::locked, {}}, ""});
    block.supports.push_back({"bottom", 1, {Drive::Kind::locked, {}}, ""});
    scene.deformable = {block};
    Simulation<2> simulation(scene);
    for (int k = 0; k < 8; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << on_floor << ' ' << k;
      ASSERT_EQ(report.active, 5);
    }
    force[on_floor] = contact_force(simulation, 0.05).norm();
  }
  EXPECT_GT(force[0], 1e3);
  EXPECT_EQ(force[0], force[1]);
}

// A plastic bar hits a wall: the audit closes, flow dissipates, and a run that was interrupted goes on to the same bits.
TEST(Deformable, a_plastic_bar_keeps_its_books_and_its_memory) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini), 2e-7);
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  scene.bodies = {test::ground<2>()};
  SceneDeformable<2> bar = body_of<2>(rectangle(ElementKind::q4, Vec<2>(3.2e-3, 8e-3), 3, 6),
                                      Vec<2>(1.6e-3, 4e-3), "j2-plasticity", 117e9, 0.35);
  bar.solids[0].parameters.given.push_back({"yield", 400e6});
  bar.solids[0].parameters.given.push_back({"hardening", 100e6});
  bar.solids[0].density = 8930;
  bar.kinematics = Kinematics::finite;
  bar.plane = PlaneKind::axisymmetric;
  bar.velocity = Vec<2>(0, -150);
  bar.supports.push_back({"left", 0, {Drive::Kind::locked, {}}, ""});
  scene.deformable = {bar};
  Simulation<2> simulation(scene);
  double flowed = 0;
  std::optional<Simulation<2>> resumed;
  for (int k = 0; k < 60; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
    ASSERT_LE(report.energy.plastic, 0) << k;
    ASSERT_EQ(report.energy.damping, 0) << k;
    ASSERT_EQ(report.energy.viscous, 0) << k;
    flowed -= report.energy.plastic;
    if (resumed) resumed->step();
    if (k == 30) resumed.emplace(scene), resumed->restore(simulation.save());
  }
  EXPECT_GT(flowed, 0);
  EXPECT_GT(simulation.summary().energy.hardening_stored, 0);
  EXPECT_EQ(simulation.state_hash(), resumed->state_hash());
}

TEST(Deformable, a_soft_block_bounces_between_rigid_ones_and_the_books_close) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::newton, 0.3), 5e-4);
  scene.bodies = {test::ground<2>(),
                  test::body<2>(build_rectangle(0.3, 0.1), Vec<2>(0.05, 0.75), Vec<2>(0.3, -1))};
  scene.deformable = {body_of<2>(rectangle(ElementKind::t6, Vec<2>(0.5, 0.5), 2, 2), Vec<2>(0, 0.3),
                                 "neo-hookean", 2e5, 0.3)};
  scene.deformable[0].kinematics = Kinematics::finite;
  scene.deformable[0].velocity = Vec<2>(0, -2);
  Simulation<2> simulation(scene);
  int touched = 0;
  for (int k = 0; k < 600; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
    ASSERT_LT(report.momentum, 1e-9) << k;
    touched += !simulation.contacts().empty();
  }
  EXPECT_GT(touched, 50);
}

}  // namespace
}  // namespace saltus::deformable_test
