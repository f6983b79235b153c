// A deformable body that touches itself: a fork whose prongs are pressed together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "saltus/meshes/mesh_shapes.hpp"
#include "saltus/systems/solid_model.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::self_contact_test {
namespace {

// Prongs along x from a stem that is held at its left end, a slot between them about y = 0.
struct Fork {
  double stem = 0.1, length = 0.4, thickness = 0.04, slot = 2e-3;  // m
  int stem_cells = 2, prong_cells = 8, layers = 2;
};

// Groups of nodes: left, upper and lower (outer faces of the prongs), axis (of the stem, y = 0, but for its left end).
// `half`: the part above y = 0, whose side "inside" faces the slot.
SolidMesh<2> fork_mesh(const Fork& fork, bool half) {
  SolidMesh<2> mesh;
  std::map<std::pair<int, int>, int> node_at;
  SolidMesh<2>::NodeGroup left{"left", {}}, upper{"upper", {}}, lower{"lower", {}}, axis{"axis", {}};
  SolidMesh<2>::SideGroup inside{"inside", {}};
  // Rows count from the axis: 0 on it, 1 at the edge of the slot, then the layers of a prong.
  const auto height = [&](int row) {
    const int up = std::abs(row);
    const double y =
        up == 0 ? 0 : fork.slot / 2 + fork.thickness * (up - 1) / static_cast<double>(fork.layers);
    return row < 0 ? -y : y;
  };
  const auto node = [&](int column, int row) {
    const auto [at, is_new] = node_at.try_emplace({column, row}, static_cast<int>(mesh.nodes.size()));
    if (is_new) {
      const double x = column <= fork.stem_cells
                           ? fork.stem * (column - fork.stem_cells) / fork.stem_cells
                           : fork.length * (column - fork.stem_cells) / fork.prong_cells;
      mesh.nodes.emplace_back(x, height(row));
      if (column == 0) left.nodes.push_back(at->second);
      if (row == 0 && column > 0) axis.nodes.push_back(at->second);
      if (column > fork.stem_cells && row == 1 + fork.layers) upper.nodes.push_back(at->second);
      if (column > fork.stem_cells && row == -1 - fork.layers) lower.nodes.push_back(at->second);
    }
    return at->second;
  };
  for (int column = 0; column < fork.stem_cells + fork.prong_cells; ++column)
    for (int row = half ? 0 : -1 - fork.layers; row < 1 + fork.layers; ++row) {
      const bool in_slot = column >= fork.stem_cells && (row == 0 || row == -1);
      if (in_slot) continue;
      const int own[4] = {node(column, row), node(column + 1, row), node(column + 1, row + 1),
                          node(column, row + 1)};
      if (column >= fork.stem_cells && row == 1)
        inside.sides.push_back({static_cast<int>(mesh.elements.size()), 0});
      mesh.add_element(ElementKind::q4, own);
    }
  mesh.node_groups = {left, upper, axis};
  if (!half) mesh.node_groups.push_back(lower);
  mesh.side_groups = {inside};
  return mesh;
}

SceneDeformable<2> fork_body(const Fork& fork, bool half, const std::string& material, double young) {
  SceneDeformable<2> body;
  body.name = "fork";
  body.mesh = std::make_shared<SolidMesh<2>>(fork_mesh(fork, half));
  body.solids = {{"", material, {"", {{"young", young}, {"poisson", 0.3}}}, 1000}};
  body.newton = NewtonMatrix::tangent;
  body.touches_itself = !half;
  for (const int direction : {0, 1})
    body.supports.push_back({"left", direction, {Drive::Kind::locked, {}}, ""});
  return body;
}

void press(double force, const std::string& on, SceneDeformable<2>& body) {
  body.loads.push_back({SceneDeformable<2>::Load::Kind::force, on, 1, TimeFunction::constant(force), ""});
}

// What contacts push up with, whichever of the two the normal points from.
double lift(const Simulation<2>& simulation, double h) {
  double force = 0;
  for (const ContactState<2>& c : simulation.contacts())
    force += (c.axes * c.impulse).y() / h * (c.axes(1, 0) > 0 ? 1 : -1);
  return force;
}

// By symmetry the prongs meet as each would meet a rigid plane in the middle of the slot: the upper half of the fork on
// such a plane, its stem held to it, is the same problem without any contact of a body with itself.
TEST(SelfContact, prongs_pressed_together_meet_as_on_a_plane_of_symmetry) {
  const Fork fork;
  const double h = 1e-2, load = 40;
  // Displacements of the upper nodes, by place, and the force that contacts carry.
  std::map<std::pair<double, double>, Vec<2>> moved[2];
  double carried[2];
  for (const bool half : {false, true}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini), h);
    scene.gravity.setZero();
    scene.scheme.theta = 1;
    scene.solver.tolerance_velocity = 1e-11;
    SceneDeformable<2> body = fork_body(fork, half, "linear-elastic", 1e7);
    body.damping_mass = 20;
    press(-load, "upper", body);
    if (half) {
      scene.bodies = {test::ground<2>()};
      body.surfaces = {"inside"};
      body.supports.push_back({"axis", 1, {Drive::Kind::locked, {}}, ""});
    } else {
      press(load, "lower", body);
    }
    scene.deformable = {body};
    Simulation<2> simulation(scene);
    for (int k = 0; k < 400; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << half << ' ' << k << ' ' << report.reason;
      // The law takes gaps to zero within the step, to what the residual leaves of them.
      ASSERT_LT(report.penetration, 1e-9) << half << ' ' << k;
    }
    carried[half] = lift(simulation, h);
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    for (std::size_t n = 0; n < body.mesh->nodes.size(); ++n)
      if (const Vec<2>& x = body.mesh->nodes[n]; x.y() > 0)
        moved[half][{x.x(), x.y()}] = Vec<2>(q[2 * n], q[2 * n + 1]);
  }
  // Between the forked case and its half normals lean by the slope of the prongs, 3/2 slot/2 over length at the tip.
  const double slope = 0.75 * fork.slot / fork.length;
  EXPECT_GT(carried[1], 0.2 * load);  // a propped prong gives 3/8 of it to its end, less what closes the slot
  EXPECT_NEAR(carried[0], carried[1], slope * slope * load);
  ASSERT_EQ(moved[0].size(), moved[1].size());
  for (const auto& [x, u] : moved[1])
    EXPECT_NEAR((moved[0][x] - u).norm(), 0, slope * slope * fork.slot)
        << "at " << x.first << ' ' << x.second;
}

// Large deformation: prongs of rubber clap together and part again.
TEST(SelfContact, prongs_of_rubber_clap_without_passing_through_and_the_books_close) {
  Fork fork;
  fork.slot = 0.04;
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.3), 1e-3);
  scene.gravity.setZero();
  SceneDeformable<2> body = fork_body(fork, false, "neo-hookean", 1e6);
  body.kinematics = Kinematics::finite;
  press(-60, "upper", body);
  press(60, "lower", body);
  scene.deformable = {body};
  Simulation<2> simulation(scene);
  int touching = 0, parted = 0;
  double deepest = 0, travel = 0;  // m: of contacts; of a node in a step
  Eigen::VectorXd before = simulation.system_coordinates(0);
  for (int k = 0; k < 250; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    // Round-off of sums over 150 degrees of freedom, and what Newton's method leaves of them (1e-11).
    ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
    ASSERT_LT(report.momentum, 1e-9) << k;
    deepest = std::max(deepest, report.penetration);
    travel = std::max(travel, (simulation.system_coordinates(0) - before).lpNorm<Eigen::Infinity>());
    before = simulation.system_coordinates(0);
    if (report.active > 0) ++touching;
    if (report.active == 0 && touching > 0) ++parted;
  }
  EXPECT_GT(touching, 10);
  EXPECT_GT(parted, 10);
  // Contacts hold where facets are expected half a step ahead: what is left is less than a node moves in a step.
  EXPECT_LT(deepest, travel);
  EXPECT_LT(travel, 0.1 * fork.slot);  // or nothing would be said
}

// A spring in the shape of a C, shut between two plates: its mouth, 60 cm wide, is closed half way down, and its ends carry from then on. Nothing
// touches before, though the ring bends where it is pressed.
TEST(SelfContact, a_c_shaped_spring_pressed_shut_meets_at_its_mouth_alone) {
  const double h = 5e-3;
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.3), h);
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  scene.solver = {};
  MeshGrid<2> grid;
  grid.kind = ElementKind::q4;
  grid.cells = IntVec<2>(3, 40);
  SceneDeformable<2> spring;
  spring.mesh = std::make_shared<SolidMesh<2>>(
      build_ring_mesh<2>({0.8, 1, 0.3, 2 * std::numbers::pi - 0.3, 1}, grid, ""));
  spring.solids = {{"", "neo-hookean", {"", {{"young", 1e6}, {"poisson", 0.3}}}, 1000}};
  spring.kinematics = Kinematics::finite;
  spring.newton = NewtonMatrix::kept;
  spring.touches_itself = true;
  scene.deformable = {spring};
  for (const int side : {-1, 1}) {
    HalfSpace<2> half;
    half.normal = Vec<2>(0, -side);
    SceneBody<2> plate = test::body<2>(half, Vec<2>(0, 1.0001 * side));
    if (side < 0) {
      plate.fixed = true;
    } else {
      plate.mass = 1, plate.inertia = Mat<1>::Identity().eval();
      for (Drive& drive : plate.drive) drive.kind = Drive::Kind::locked;
      plate.drive[1] = {Drive::Kind::velocity, TimeFunction::constant(-0.8)};
    }
    scene.bodies.push_back(plate);
  }
  Simulation<2> simulation(scene);
  double first = -1;  // s
  for (int k = 0; k < 200; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    EXPECT_LT(report.penetration, 1e-5) << k;
    EXPECT_LT(report.energy.relative_defect(), 1e-9) << k;
    for (const ContactState<2>& c : simulation.contacts()) {
      if (c.a < 2 || c.b < 2 || !(c.impulse[0] > 0)) continue;
      if (first < 0) first = simulation.time();
      // Its ends are the faces at 0.8 to 1 m along x, where the ring was cut.
      EXPECT_GT(c.point.x(), 0.6) << k;
    }
  }
  // 2 sin(0.3) = 0.59 m of outer edges, 0.47 m of inner ones: the plate has come down by about as much when they meet.
  EXPECT_GT(first, 0.47 / 0.8 * 0.7);
  EXPECT_LT(first, 0.59 / 0.8);
}

}  // namespace
}  // namespace saltus::self_contact_test
