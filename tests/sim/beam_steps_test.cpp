// Steps of beams that may turn far, as a simulation takes them.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/scene_beam.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::beam_steps_test {
namespace {

// Steel, 1 m long, 2 cm thick, clamped at its start: E A = 6e7 N.
template <int Dim>
Scene<Dim> cantilever(SchemeKind scheme, double h, double force) {
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::quasi_inelastic), h);
  scene.gravity.setZero();
  scene.scheme.kind = scheme;
  scene.scheme.theta = 1;
  LineMesh<Dim> mesh;
  constexpr int kElements = 10;
  for (int i = 0; i <= kElements; ++i)
    mesh.nodes.push_back(static_cast<double>(i) / kElements * Vec<Dim>::Unit(0));
  for (int i = 0; i < kElements; ++i) mesh.elements.push_back({{i, i + 1}, 0});
  mesh.node_groups = {{"start", {0}}, {"end", {kElements}}};
  SceneBeam<Dim> beam;
  beam.name = "beam";
  beam.mesh = std::make_shared<LineMesh<Dim>>(mesh);
  beam.large = true;
  BeamSection section = circle_section(0.01);
  section.young = 2e11, section.density = 7800;
  beam.sections = {{"", section, ""}};
  for (int dof = 0; dof < kDofs<Dim>; ++dof)
    beam.supports.push_back({"start", dof, {Drive::Kind::locked, {}}, ""});
  beam.loads.push_back(
      {SceneBeam<Dim>::Load::Kind::force, "end", Dim - 1, TimeFunction::constant(force), ""});
  beam.contact = SceneBeam<Dim>::Contact::none;
  scene.beams = {beam};
  return scene;
}

// Round-off of strains, some epsilon, makes forces of 1e-8 N: that a step cannot get below, and need not.
template <int Dim>
void expect_bends_as_theory_says(SchemeKind scheme, double h, int steps) {
  for (const double force : {1e-3, 0.1, 10.0}) {
    Simulation<Dim> simulation(cantilever<Dim>(scheme, h, force));
    for (int k = 0; k < steps; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << force << ' ' << k << ' ' << report.reason;
      ASSERT_EQ(report.halved, 0) << force << ' ' << k;
    }
    const double stiffness = 2e11 * circle_section(0.01).inertia;  // N m2
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    // F L^3/(3 E I): elements bend with a constant curvature, which leaves out 1/(4 n^2) of it; n = 10.
    const double tip = force / (3 * stiffness);
    EXPECT_NEAR(q[q.size() - kDofs<Dim> + Dim - 1], tip, 0.004 * tip) << force;
  }
}

TEST(BeamSteps, a_stiff_beam_bends_under_small_and_large_forces_without_inertia) {
  expect_bends_as_theory_says<2>(SchemeKind::quasi_static, 0.1, 10);
  expect_bends_as_theory_says<3>(SchemeKind::quasi_static, 0.1, 10);
}

// The period is 0.07 s: steps of ten times that, with theta = 1, leave nothing of the swinging.
TEST(BeamSteps, a_stiff_beam_comes_to_rest_under_small_and_large_forces) {
  expect_bends_as_theory_says<2>(SchemeKind::moreau_jean, 1, 20);
  expect_bends_as_theory_says<3>(SchemeKind::moreau_jean, 1, 20);
}

TEST(BeamSteps, dynamic_relaxation_refuses_beams_for_what_they_lack) {
  Scene<2> scene = cantilever<2>(SchemeKind::dynamic_relaxation, 0.1, 1);
  scene.beams[0].large = false;
  try {
    const Simulation<2> simulation(scene);
    FAIL() << "was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("fictitious masses are those of solid elements"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace saltus::beam_steps_test
