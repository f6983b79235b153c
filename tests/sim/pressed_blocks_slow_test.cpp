// Blocks pressed between plates to half their height: large strains, held by nothing but contacts, without gravity.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "saltus/meshes/mesh_shapes.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/systems/solid_model.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::pressed_blocks_slow_test {
namespace {

struct Made {
  const char* kind;
  MaterialParameters parameters;
};
const Made kSoft = {"neo-hookean", {"", {{"young", 1e6}, {"poisson", 0.3}}}};
const Made kRubber = {"neo-hookean", {"", {{"young", 1e6}, {"poisson", 0.45}}}};
const Made kMetal = {"j2-plasticity",
                     {"", {{"young", 1e8}, {"poisson", 0.3}, {"yield", 1e6}, {"hardening", 1e6}}}};

// A cube of side 1 m on the ground, under a plate that comes down by 0.5 m in 100 steps.
template <int Dim>
Scene<Dim> pressed(const Made& made, int cells, double friction, NewtonMatrix newton) {
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::gap_signorini, friction), 0.01);
  scene.solver = {};
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  MeshGrid<Dim> grid;
  grid.kind = Dim == 2 ? ElementKind::q4 : ElementKind::h8;
  grid.cells.setConstant(cells);
  SceneDeformable<Dim> block;
  block.mesh = std::make_shared<SolidMesh<Dim>>(build_box_mesh<Dim>(Vec<Dim>::Ones(), grid, ""));
  block.solids = {{"", made.kind, made.parameters, 1000}};
  block.kinematics = Kinematics::finite;
  block.newton = newton;
  scene.deformable = {block};
  for (const int side : {-1, 1}) {
    HalfSpace<Dim> half;
    half.normal = -side * Vec<Dim>::Unit(Dim - 1);
    SceneBody<Dim> plate;
    plate.shape = half;
    plate.pose.position = 0.5 * side * Vec<Dim>::Unit(Dim - 1);
    if (side < 0) {
      plate.fixed = true;
    } else {
      plate.mass = 1, plate.inertia = Eigen::Matrix<double, kSpins<Dim>, kSpins<Dim>>::Identity().eval();
      for (Drive& drive : plate.drive) drive.kind = Drive::Kind::locked;
      plate.drive[Dim - 1] = {Drive::Kind::velocity, TimeFunction::constant(-0.5)};
    }
    scene.bodies.push_back(plate);
  }
  return scene;
}

template <int Dim>
void expect_whole_steps(const Made& made, int cells, double friction, int most_halvings,
                        NewtonMatrix newton = NewtonMatrix::kept) {
  SCOPED_TRACE(fmt::format("{}D, {}, {} cells, friction {}", Dim, made.kind, cells, friction));
  Simulation<Dim> simulation(pressed<Dim>(made, cells, friction, newton));
  int halved = 0;
  double deepest = 0;
  for (int k = 0; k < 100; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    halved += report.halved;
    deepest = std::max(deepest, report.penetration);
  }
  EXPECT_LE(halved, most_halvings);
  EXPECT_LT(deepest,
            1e-4);  // of 1 m: what a solve to 1e-3 of the motion without contacts leaves is ten times that
  const Eigen::VectorXd& q = simulation.system_coordinates(0);
  double lowest = 1;
  for (Eigen::Index i = Dim - 1; i < q.size(); i += Dim) lowest = std::min(lowest, q[i]);
  EXPECT_NEAR(lowest, -0.5, 1e-4);  // of the nodes on top
}

// Pressed so, a body would buckle or fly apart if its contacts let go, and its stiffness alone is not positive definite: it was a factor of the
// mass alone then, and steps were halved 1 to 340 times. Springs where contacts are make it definite.
TEST(PressedBlocks, take_whole_steps_to_half_their_height) {
  expect_whole_steps<2>(kSoft, 4, 0.3, 2);
  expect_whole_steps<2>(kSoft, 12, 0.3, 5);   // was 148
  expect_whole_steps<2>(kRubber, 4, 0.3, 2);  // was 57
  expect_whole_steps<2>(kMetal, 4, 0.3, 2);   // was 87
  expect_whole_steps<3>(kRubber, 2, 0.3, 2);  // was 13
  expect_whole_steps<3>(kMetal, 2, 0.3, 2);   // was 69
  expect_whole_steps<2>(kSoft, 8, 0.1, 5);
  expect_whole_steps<2>(kMetal, 6, 1.0, 5);
  expect_whole_steps<2>(kSoft, 4, 0.3, 10, NewtonMatrix::tangent);
  expect_whole_steps<3>(kSoft, 3, 0.6, 5);
}

}  // namespace
}  // namespace saltus::pressed_blocks_slow_test
