// Fremond's law on finite elements with friction (Acary 2023): with 1/2 <= theta <= 1/(1+e) no step gains energy.
//
//     E_1 - E_0 - W_ext = (1/2-theta) (|dv|_M^2 + |dq|_K^2) + sum u_(k+theta) . r,    both terms <= 0
#include <gtest/gtest.h>

#include <cmath>

#include "sim/solid_scenes.hpp"

namespace saltus::fremond_solid_test {
namespace {

// An elastic block is thrown at the ground and slides; it lands on an edge, rocks, and its corners ring.
Scene<2> thrown(LawKind kind, Kinematics kinematics) {
  PairLaw law = test::law(kind, 0.4);
  law.restitution = 0.5;
  Scene<2> scene = test::scene<2>(law, 2e-4);
  scene.scheme.theta = kind == LawKind::fremond ? 1 / 1.5 : 0.5;
  scene.bodies = {test::ground<2>()};
  SolidMesh<2> mesh = test::rectangle_mesh(ElementKind::q4, Vec<2>(0.4, 0.2), 6, 3);
  const double angle = 0.05;
  for (Vec<2>& x : mesh.nodes)
    x = Vec<2>(std::cos(angle) * x[0] - std::sin(angle) * x[1],
               std::sin(angle) * x[0] + std::cos(angle) * x[1]);
  SceneDeformable<2> block = test::soft_body<2>(std::move(mesh), Vec<2>(0, 0.12), "linear-elastic", 5e6, 0.3);
  block.kinematics = kinematics;
  block.velocity = Vec<2>(2, -1);
  scene.deformable = {block};
  scene.solver.tolerance_velocity = 1e-10;
  return scene;
}

struct Gains {
  double worst = -1e9;  // of the change of energy in a step beyond what the residual of its solve allows, J
  double told = 0;      // by the certificate
  int active = 0;       // steps with contact
  double slid = 0;      // J, lost by friction
};

Gains run_thrown(LawKind kind, Kinematics kinematics) {
  const Scene<2> scene = thrown(kind, kinematics);
  Simulation<2> simulation(scene);
  Gains gains;
  double before = 0;
  for (int k = 0; k < 2500; ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    const EnergyBalance& e = report.energy;
    EXPECT_LT(e.relative_defect(), 1e-9) << k;
    const double energy = e.kinetic + e.potential + e.elastic_stored;
    // A contact whose law is met to the residual e works at most e |r| more than the law; round-off of the sums beside it.
    double pushed = 0;
    for (const ContactState<2>& c : simulation.contacts()) pushed += c.impulse.norm();
    const double allowed =
        2 * report.residual_max * pushed + 1e-12 * (e.kinetic + std::abs(e.potential) + e.elastic_stored);
    if (k > 0) gains.worst = std::max(gains.worst, energy - before - allowed);
    before = energy;
    gains.told += e.gain;
    gains.active += pushed > 0;
    gains.slid -= e.friction;
  }
  return gains;
}

TEST(FremondSolid, no_step_of_an_elastic_block_that_slides_and_impacts_gains_energy) {
  const Gains gains = run_thrown(LawKind::fremond, Kinematics::small);
  EXPECT_LE(gains.worst, 0);
  EXPECT_EQ(gains.told, 0);
  EXPECT_GT(gains.active, 100);
  EXPECT_GT(gains.slid, 1);
}

// Turning elements are linear in each of their own axes: the forces of a step are taken at its ends, and what that makes is in `scheme`.
// The law itself gains nothing.
TEST(FremondSolid, the_law_gains_nothing_where_the_body_turns) {
  const Gains gains = run_thrown(LawKind::fremond, Kinematics::corotational);
  EXPECT_EQ(gains.told, 0);
  EXPECT_GT(gains.active, 100);
}

}  // namespace
}  // namespace saltus::fremond_solid_test
