// The fault of Jean 1995, section 5.1, on a coarse mesh (scenes/experiments/fault.toml has the fine one): two viscoelastic layers of
// 20 km x 10 km, cut by a fault that dips by 45 degrees, shortened at 0.33e-10 m/s.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/solid_scenes.hpp"

namespace saltus::fault_slow_test {
namespace {

constexpr double kYear = 365.25 * 86400, kDensity = 2700, kSpeed = 0.33e-10;

SceneDeformable<2> side_of_fault(bool left, int cells) {
  const std::array<Vec<2>, 4> corners =
      left ? std::array{Vec<2>(0, 0), Vec<2>(5e3, 0), Vec<2>(15e3, 10e3), Vec<2>(0, 10e3)}
           : std::array{Vec<2>(5e3, 0), Vec<2>(20e3, 0), Vec<2>(20e3, 10e3), Vec<2>(15e3, 10e3)};
  MeshGrid<2> grid;
  grid.kind = ElementKind::t3;
  grid.cells = {cells * 5 / 6, cells};
  SolidMesh<2> mesh = build_quadrilateral_mesh(corners, grid, "");
  mesh.materials = {"lower", "upper"};
  for (auto& element : mesh.elements) {
    double y = 0;
    for (const int node : mesh.nodes_of(element)) y += mesh.nodes[node].y() / 3;
    element.material = y > 5e3;
  }
  SceneDeformable<2> body;
  body.name = left ? "left" : "right";
  body.mesh = std::make_shared<SolidMesh<2>>(std::move(mesh));
  for (const auto& [group, viscosity] : {std::pair("lower", 1e21), std::pair("upper", 1e23)})
    body.solids.push_back(
        {group, "maxwell", {"", {{"young", 1e10}, {"poisson", 0.25}, {"viscosity", viscosity}}}, kDensity});
  body.newton = NewtonMatrix::tangent;
  body.kinematics = Kinematics::finite;
  body.lithostatic = 10e3;
  body.surfaces = {left ? "right" : "left"};
  test::hold(body, "bottom", 1);
  return body;
}

Scene<2> fault_scene(SchemeKind kind, double speed, int steps, int cells) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::gap_signorini, 0.2), 1e6 * kYear / steps);
  scene.scheme.kind = kind;
  SceneDeformable<2> left = side_of_fault(true, cells), right = side_of_fault(false, cells);
  left.supports.push_back(
      {"left", 0, {Drive::Kind::velocity, TimeFunction::table({0, 2e4 * kYear}, {0, speed})}, ""});
  test::hold(right, "right", 0);
  scene.deformable = {left, right};
  scene.solver.tolerance_velocity = 1e-16;
  return scene;
}

// Sliding of the nodes of the left side of the fault against the right one, from bottom to top, over the speed of the edge.
std::vector<double> sliding(const Simulation<2>& simulation) {
  const auto& nodes = simulation.scene().deformable[0].mesh->nodes;
  std::vector<std::pair<double, double>> found;
  for (const ContactState<2>& c : simulation.contacts())
    found.emplace_back(c.point.y(), std::abs(c.velocity[1]) / kSpeed);
  std::sort(found.begin(), found.end());
  EXPECT_GE(nodes.size(), found.size() / 2);
  std::vector<double> values;
  for (const auto& [y, value] : found) values.push_back(value);
  return values;
}

// Under the weight above it alone nothing moves, and the fault carries the pressure of its depth.
TEST(Fault, starts_in_lithostatic_equilibrium) {
  Simulation<2> simulation(fault_scene(SchemeKind::quasi_static, 0, 100, 6));
  StepReport report;
  for (int k = 0; k < 5; ++k) {
    report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
  }
  // Without its pressure the weight would press it together by rho g H^2/(2 E) = 130 m; contact is solved to 1e-16 m/s times the
  // step of 1e4 years, 3e-5 m, at each point in each step.
  const double sunk = kDensity * test::kGravity * 1e8 / 2e10;
  for (int i = 0; i < 2; ++i)
    EXPECT_LT(simulation.system_coordinates(i).cwiseAbs().maxCoeff(), 1e-4 * sunk) << i;
  // Against the horizontal: rho g H^2/2 of 10 km, on each side of the fault.
  double push = 0;
  for (const ContactState<2>& c : simulation.contacts())
    push += std::abs((c.axes * c.impulse).x()) / simulation.scene().scheme.h;
  const double exact = kDensity * test::kGravity * 1e8 / 2;
  EXPECT_NEAR(push, exact, 1e-5 * exact);
}

// By equilibrium and by fictitious masses: the fault sticks below, in the layer that flows, and slides more and more towards the surface.
TEST(Fault, slides_in_the_stiff_layer_and_sticks_in_the_soft_one) {
  std::vector<double> slow;
  for (const SchemeKind kind : {SchemeKind::quasi_static, SchemeKind::dynamic_relaxation}) {
    const bool relaxes = kind == SchemeKind::dynamic_relaxation;
    const int steps = relaxes ? 3000 : 200;
    Simulation<2> simulation(fault_scene(kind, kSpeed, steps, 6));
    for (int k = 0; k < steps; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << name(kind) << ' ' << k << ' ' << report.reason;
      ASSERT_LE(report.energy.viscous, 0);
    }
    const std::vector<double> found = sliding(simulation);
    ASSERT_GE(found.size(), 7u);
    EXPECT_LT(found.front(), 0.02) << name(kind);
    EXPECT_GT(found.back(), 0.3) << name(kind);
    if (!relaxes) slow = found;
    if (relaxes) {
      EXPECT_NEAR(found.back(), slow.back(), 0.1 * slow.back());
      EXPECT_LT(simulation.summary().inertia_ratio.mean(), 0.01);
    }
  }
}

}  // namespace
}  // namespace saltus::fault_slow_test
