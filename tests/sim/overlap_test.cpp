// Overlap is certified in units of the bodies, and what lies inside another is told before the run.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/sim_scenes.hpp"

namespace saltus::overlap_test {
namespace {

// Bodies at rest without gravity: a velocity law leaves an overlap as it is, and nothing else takes it back.
template <int Dim>
Scene<Dim> at_rest(const PairLaw& law) {
  Scene<Dim> scene = test::scene<Dim>(law, 1e-3);
  scene.scheme.position_correction = false;
  scene.gravity.setZero();
  return scene;
}

bool warns(const Simulation<2>& simulation, const std::string& of) {
  for (const std::string& warning : simulation.warnings())
    if (warning.find(of) != std::string::npos) return true;
  return false;
}

constexpr double kRoundOff = 1e-13;  // relative, of a gap between numbers around 1

TEST(Penetration, is_counted_in_the_thickness_of_the_thinner_body_and_names_the_pair) {
  Scene<2> scene = at_rest<2>(test::law(LawKind::velocity_signorini));
  // 2 mm between a disk of 4 cm and one of 2 m; 10 mm, more but relatively less, between two of 2 m.
  scene.bodies = {test::body<2>(Disk{1}, {0, 0}), test::body<2>(Disk{0.02}, {0, 1.018}),
                  test::body<2>(Disk{1}, {1.99, 0})};
  scene.bodies[1].name = "small";
  Simulation<2> simulation(scene);
  const StepReport report = simulation.step();
  EXPECT_NEAR(report.penetration, 0.01, kRoundOff);
  EXPECT_NEAR(report.penetration_relative, 0.002 / 0.04, kRoundOff / 0.04);
  EXPECT_EQ(report.penetration_a, 0);
  EXPECT_EQ(report.penetration_b, 1);
  EXPECT_EQ(simulation.summary().overlap_steps, 1);
  EXPECT_TRUE(
      warns(simulation, "5 % of the thickness of the thinner one, at t = 0.001 s body 0 and \"small\""));
}

TEST(Penetration, is_warned_of_above_one_percent_or_a_lower_limit_of_the_scene) {
  for (const double part : {0.009, 0.011}) {
    Scene<2> scene = at_rest<2>(test::law(LawKind::velocity_signorini));
    scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.5}, {0, 0.5 - part})};
    Simulation<2> simulation(scene);
    simulation.step();
    EXPECT_EQ(warns(simulation, "bodies overlap"), part > 0.01);
    scene.penetration_limit = 0.005;
    Simulation<2> limited(scene);
    limited.step();
    EXPECT_TRUE(warns(limited, "run.penetration_limit is 0.5 %"));
  }
}

// k x = m g: the layer is compressed by 10 % of the disk, which is its equilibrium and no fault of the run.
TEST(Penetration, of_an_elastic_layer_is_its_compression_and_no_alarm) {
  PairLaw law = test::law(LawKind::elastic);
  Scene<2> scene = test::scene<2>(law, 1e-3);
  SceneBody<2> disk = test::body<2>(Disk{0.1}, {0, 0.08});
  disk.mass = 1;
  law.stiffness_normal = test::kGravity / 0.02;
  scene.default_law = law;
  scene.bodies = {test::ground<2>(), disk};
  Simulation<2> simulation(scene);
  EXPECT_EQ(simulation.initial_overlaps().count, 0);
  EXPECT_EQ(simulation.initial_overlaps().layers, 1);
  EXPECT_NEAR(simulation.initial_overlaps().compression, 0.02, kRoundOff);
  const StepReport report = test::run(simulation, 10);
  EXPECT_EQ(report.penetration_relative, 0);
  EXPECT_NEAR(report.compression, 0.1, 1e-9);  // at rest to the tolerance of 1e-13 m/s for 10 steps
  EXPECT_TRUE(simulation.warnings().empty());
}

TEST(Relaxation, that_fails_says_what_is_left) {
  Scene<2> scene = at_rest<2>(test::law(LawKind::velocity_signorini));
  // A disk of 20 cm between two fixed walls 10 cm apart: 10 cm are left on both sides together whatever one does.
  SceneBody<2> ceiling = test::body<2>(HalfPlane{Vec<2>(0, -1), -0.1}, {0, 0});
  ceiling.fixed = true;
  scene.bodies = {test::ground<2>(), test::body<2>(Disk{0.1}, {0, 0.06}), ceiling};
  scene.relax_overlaps = true;
  const Simulation<2> stuck(scene);
  EXPECT_GE(stuck.initial_overlaps().left, 0.05 - 1e-6);  // solved to 1e-8 of the size in every pass
  EXPECT_LE(stuck.initial_overlaps().left, 0.1 + 1e-6);
  EXPECT_TRUE(warns(stuck, "relaxation failed: after 200 passes 0."));
  EXPECT_TRUE(warns(stuck, " m are left, of "));
  scene.bodies.pop_back();
  const Simulation<2> freed(scene);
  EXPECT_EQ(freed.initial_overlaps().left, 0);
  EXPECT_TRUE(warns(freed, "; relaxed in"));
}

TEST(Buried, grains_behind_a_hopper_that_faces_the_wrong_way_are_told) {
  // Drawn from left to right a valley carries what is in it; the other way round grains are in its matter.
  for (const bool wrong : {false, true}) {
    Scene<2> scene = at_rest<2>(test::law(LawKind::velocity_signorini));
    Polyline hopper{{{-1, 1}, {-0.1, 0}, {0.1, 0}, {1, 1}}};
    if (wrong) std::reverse(hopper.points.begin(), hopper.points.end());
    scene.bodies = {test::body<2>(hopper, {0, 0}), test::body<2>(Disk{0.05}, {0, 0.4}),
                    test::body<2>(Disk{0.05}, {0.2, 0.5}), test::body<2>(Disk{0.05}, {0, 3})};
    scene.bodies[0].fixed = true;
    scene.bodies[0].name = "hopper";
    const Simulation<2> simulation(scene);
    // The third is far above: nearest to a rim, past which there is no behind.
    EXPECT_EQ(simulation.initial_overlaps().inside, wrong ? 2 : 0);
    EXPECT_EQ(warns(simulation, "2 bodies lie inside the matter of another, body 1 in \"hopper\""), wrong);
    EXPECT_EQ(simulation.initial_overlaps().count, 0);  // nothing else would tell
  }
}

TEST(Buried, a_body_in_a_solid_is_told_unless_they_never_touch) {
  Scene<2> scene = at_rest<2>(test::law(LawKind::velocity_signorini));
  scene.bodies = {test::body<2>(build_rectangle(1, 1), {0, 0}), test::body<2>(Disk{0.1}, {0.3, 0.3}),
                  test::body<2>(Disk{0.1}, {0.55, 0})};
  const Simulation<2> simulation(scene);
  EXPECT_EQ(simulation.initial_overlaps().inside, 1);
  EXPECT_EQ(simulation.initial_overlaps().inside_body, 1);
  EXPECT_EQ(simulation.initial_overlaps().inside_of, 0);
  scene.bodies[1].mask = 0;
  EXPECT_EQ(Simulation<2>(scene).initial_overlaps().inside, 0);
}

TEST(InitialOverlaps, an_elastic_body_on_the_floor_overlaps_only_where_its_nodes_do) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 1e-3);
  scene.bodies = {test::ground<2>()};
  SceneElasticBody block;
  block.name = "block";
  block.size = Vec<2>(4, 0.5);
  block.divisions[0] = 2,
  block.divisions[1] = 4;  // nodes of the long side are farther apart than it is thick
  block.centre = Vec<2>(0, 0.25);
  scene.elastic = {block};
  const Simulation<2> on_floor(scene);
  EXPECT_EQ(on_floor.initial_overlaps().count, 0);
  EXPECT_TRUE(on_floor.warnings().empty());
  scene.elastic[0].centre.y() -= 1e-5;
  const Simulation<2> below(scene);
  EXPECT_EQ(below.initial_overlaps().count, 3);  // the nodes of its lower side
  EXPECT_NEAR(below.initial_overlaps().deepest, 1e-5, kRoundOff);
}

TEST(Buried, a_body_behind_a_wall_is_told_and_one_in_a_drum_is_not) {
  Scene<3> scene = at_rest<3>(test::law(LawKind::velocity_signorini));
  scene.bodies = {test::ground<3>(), test::body<3>(Sphere{0.1}, {0, 0, -5}),
                  test::body<3>(HollowCylinder{1}, {0, 0, 0}), test::body<3>(Sphere{0.1}, {0.5, 0, 1})};
  scene.bodies[2].fixed = true;
  const Simulation<3> simulation(scene);
  EXPECT_EQ(simulation.initial_overlaps().inside, 1);
  EXPECT_EQ(simulation.initial_overlaps().inside_body, 1);
}

}  // namespace
}  // namespace saltus::overlap_test
