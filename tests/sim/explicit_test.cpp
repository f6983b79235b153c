// Explicit steps of deformable bodies, and dynamic relaxation.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "sim/solid_scenes.hpp"

namespace saltus::explicit_test {
namespace {

using test::soft_body;

// A bar of 1 m, held at its left end, set off along itself; waves go at 100 m/s.
Scene<2> bar_scene(const std::string& kind, double h) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), h);
  scene.gravity.setZero();
  scene.scheme.kind = SchemeKind::explicit_forces;
  SceneDeformable<2> bar = soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(1, 0.2), 10, 2),
                                        Vec<2>::Zero(), kind, 1e7, 0.3);
  bar.kinematics = kind == "linear-elastic" ? Kinematics::small : Kinematics::finite;
  bar.velocity = Vec<2>(2, 0.3);
  test::hold(bar, "left", 0);
  test::hold(bar, "left", 1);
  scene.deformable = {bar};
  return scene;
}

Eigen::VectorXd end_of(const Scene<2>& scene, double time) {
  Simulation<2> simulation(scene);
  const int steps = static_cast<int>(std::lround(time / scene.scheme.h));
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    EXPECT_LT(report.energy.relative_defect(), 1e-9);
    EXPECT_LT(report.momentum, 1e-12);
  }
  return simulation.system_coordinates(0);
}

// Against 8 times as many steps the error falls by (1 - 1/64)/(1/4 - 1/64) = 4.2 from h to h/2; first order would give 2.3.
TEST(Explicit, free_swinging_converges_at_second_order_for_linear_and_large_strains) {
  for (const char* kind : {"linear-elastic", "neo-hookean"}) {
    const double h = 2e-4, time = 0.02;
    const Eigen::VectorXd exact = end_of(bar_scene(kind, h / 8), time);
    const double coarse = (end_of(bar_scene(kind, h), time) - exact).norm(),
                 fine = (end_of(bar_scene(kind, h / 2), time) - exact).norm();
    EXPECT_GT(coarse / fine, 3.7) << kind;
    EXPECT_LT(coarse / fine, 4.8) << kind;
    EXPECT_LT(fine, 0.02 * exact.norm()) << kind;
  }
}

TEST(Explicit, a_step_above_the_critical_one_is_refused_with_the_number_and_just_below_it_nothing_grows) {
  double critical = 0;
  {
    const Simulation<2> simulation(bar_scene("linear-elastic", 1e-5));
    critical = simulation.system(0).critical_step();
  }
  // A wave at the speed of plane strain crosses the 0.1 m of an element in 0.86 ms.
  EXPECT_GT(critical, 0.3e-3);
  EXPECT_LT(critical, 0.9e-3);
  try {
    Simulation<2> simulation(bar_scene("linear-elastic", 1.001 * critical));
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(fmt::format("{:.6g} s or less", critical)), std::string::npos)
        << error.what();
  }
  Simulation<2> simulation(bar_scene("linear-elastic", 0.999 * critical));
  const double start = 0.5 * 1000 * 0.2 * (4 + 0.09);
  for (int k = 0; k < 3000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged);
    // The energy of the scheme is that of v at the ends of steps and of q in their middles: of the fastest oscillation it
    // differs from the real one by as much as there is.
    ASSERT_LT(report.energy.kinetic, 2 * start) << k;
  }
}

TEST(Explicit, a_viscous_body_has_a_shorter_critical_step_that_holds) {
  Scene<2> scene = bar_scene("linear-elastic", 1e-6);
  scene.deformable[0].solids[0].kind = "kelvin-voigt";
  test::give(scene.deformable[0], "viscosity", 4e3);
  // With viscosity the bound depends on h: the largest h that is not above its own bound.
  double h = 1e-6;
  for (double longer = h; longer < 1e-3; longer *= 1.05) {
    scene.scheme.h = longer;
    try {
      const Simulation<2> simulation(scene);
      h = longer;
    } catch (const InputError&) {
      break;
    }
  }
  EXPECT_LT(h, 0.8 * Simulation<2>(bar_scene("linear-elastic", 1e-6)).system(0).critical_step());
  scene.scheme.h = h;
  Simulation<2> simulation(scene);
  double kinetic = 1e9;
  for (int k = 0; k < 2000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    ASSERT_LE(report.energy.viscous, 0);
    ASSERT_LT(report.energy.relative_defect(), 1e-9);
    kinetic = report.energy.kinetic;
  }
  // Of 409 J: nothing grows; what is left is the slowest swing, which viscosity damps least.
  EXPECT_LT(kinetic, 1e-2 * 409);
}

// Gravity, friction on a slope of 20 degrees: contact is implicit, and the body rests with its weight.
TEST(Explicit, a_block_falls_and_rests_with_its_weight) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.5), 2e-4);
  scene.scheme.kind = SchemeKind::explicit_forces;
  scene.bodies = {test::ground<2>()};
  scene.deformable = {soft_body<2>(test::rectangle_mesh(ElementKind::t3, Vec<2>(1, 0.5), 4, 2),
                                   Vec<2>(0, 0.26), "st-venant-kirchhoff", 1e6, 0.3)};
  scene.deformable[0].kinematics = Kinematics::finite;
  scene.deformable[0].damping_mass = 30;
  scene.solver.tolerance_velocity = 1e-10;
  Simulation<2> simulation(scene);
  for (int k = 0; k < 5000; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
    ASSERT_LT(report.momentum, 1e-9) << k;
    ASSERT_EQ(report.energy.gain, 0) << k;
    ASSERT_LE(report.energy.impact + report.energy.friction, 1e-9) << k;
  }
  const double weight = 500 * test::kGravity;
  EXPECT_NEAR(test::contact_force_sum(simulation).y(), weight, 2e-3 * weight);
}

// The bar of Deformable.a_plastic_bar...: explicit and implicit steps of the same length, 0.4 of the critical one, flow alike.
TEST(Explicit, a_plastic_bar_hits_a_wall_as_by_implicit_steps_and_resumes_to_the_same_bits_looked_at_or_not) {
  double shortened[2], flowed[2];
  for (const bool is_explicit : {false, true}) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini), 2e-8);
    scene.gravity.setZero();
    if (is_explicit) scene.scheme.kind = SchemeKind::explicit_forces;
    scene.bodies = {test::ground<2>()};
    SceneDeformable<2> bar = soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(3.2e-3, 8e-3), 3, 6),
                                          Vec<2>(1.6e-3, 4e-3), "j2-plasticity", 117e9, 0.35);
    test::give(bar, "yield", 400e6);
    test::give(bar, "hardening", 100e6);
    bar.solids[0].density = 8930;
    bar.kinematics = Kinematics::finite;
    bar.plane = PlaneKind::axisymmetric;
    bar.mass = MassKind::lumped;
    bar.velocity = Vec<2>(0, -150);
    test::hold(bar, "left", 0);
    scene.deformable = {bar};
    Simulation<2> simulation(scene);
    std::optional<Simulation<2>> resumed;
    for (int k = 0; k < 400; ++k) {
      const StepReport report = simulation.step();
      ASSERT_EQ(report.status, StepStatus::converged) << k << ' ' << report.reason;
      ASSERT_LT(report.energy.relative_defect(), 1e-9) << k;
      ASSERT_LE(report.energy.plastic, 0) << k;
      if (resumed) {
        resumed->step();
        EXPECT_FALSE(resumed->system_fields(0).cell_stress.empty());  // what outputs ask for
      }
      if (k == 250 && is_explicit) resumed.emplace(scene), resumed->restore(simulation.save());
    }
    if (resumed) {
      EXPECT_EQ(simulation.state_hash(), resumed->state_hash());
    }
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    shortened[is_explicit] = q[q.size() - 1];
    flowed[is_explicit] = -simulation.summary().energy.plastic;
  }
  EXPECT_GT(flowed[0], 0);
  // theta = 1/2 and Verlet differ by terms of second order, (0.4)^2/12 of the fastest oscillations: 1 %.
  EXPECT_NEAR(flowed[1], flowed[0], 0.02 * flowed[0]);
  EXPECT_NEAR(shortened[1], shortened[0], 0.01 * std::abs(shortened[0]));
}

TEST(Explicit, masses_that_are_not_a_diagonal_and_systems_without_elements_are_refused) {
  Scene<2> scene = bar_scene("linear-elastic", 1e-5);
  scene.deformable[0].mass = MassKind::consistent;
  EXPECT_THROW(Simulation<2>{scene}, InputError);
  scene = bar_scene("linear-elastic", 1e-5);
  scene.deformable[0].redistribute = true;
  EXPECT_THROW(Simulation<2>{scene}, InputError);
}

// A column that rests on its foot, and is loaded slowly at its top: with steps 300 times the critical one the end is the static one, and
// its weight is that of the real density.
TEST(Relaxation, a_column_loaded_slowly_ends_in_its_static_shape) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 0.05);
  scene.scheme.kind = SchemeKind::dynamic_relaxation;
  SceneDeformable<2> column = soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 1), 2, 10),
                                           Vec<2>(0, 0.5), "linear-elastic", 1e7, 0);
  test::hold(column, "bottom", 0);
  test::hold(column, "bottom", 1);
  column.loads.push_back({SceneDeformable<2>::Load::Kind::traction, "top", 1,
                          TimeFunction::table({0, 50, 100}, {0, -2e4, -2e4}), ""});
  column.damping_mass = 2;
  scene.deformable = {column};
  scene.gravity *= 0;
  for (const double g : {0.0, test::kGravity}) {
    scene.gravity = Vec<2>(0, -g);
    Simulation<2> simulation(scene);
    StepReport report;
    for (int k = 0; k < 2000; ++k) report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::converged);
    const Eigen::VectorXd& q = simulation.system_coordinates(0);
    // Load sigma L/E, own weight rho g L^2/(2E); q4 elements without Poisson's effect have both exactly at their nodes.
    const double load = 2e4 / 1e7, weight = 1000 * g / 2e7;
    EXPECT_NEAR(q[q.size() - 1], -(load + weight), 1e-3 * load) << g;
    EXPECT_LT(report.inertia_ratio, 1e-3) << g;
    EXPECT_GT(simulation.summary().inertia_ratio.worst(), 0) << g;
    EXPECT_LT(report.energy.relative_defect(), 1e-9) << g;
  }
}

// Nothing but round-off within it: inertia is all that answers its weight.
TEST(Relaxation, the_inertia_of_a_body_in_free_fall_is_once_its_weight) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), 0.05);
  scene.scheme.kind = SchemeKind::dynamic_relaxation;
  scene.deformable = {soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 1), 2, 10),
                                   Vec<2>(0, 0.5), "linear-elastic", 1e7, 0)};
  Simulation<2> simulation(scene);
  // Fictitious masses differ from node to node, weights do not follow them: the first step strains it, by its weight at most.
  EXPECT_NEAR(simulation.step().inertia_ratio, 1, 1e-9);
  for (int k = 0; k < 100; ++k) EXPECT_LT(simulation.step().inertia_ratio, 2) << k;
}

// Loaded ten times as fast inertia matters: the run says so, and half of h lowers it.
TEST(Relaxation, inertia_beyond_its_limit_is_told_and_a_smaller_step_lowers_it) {
  const auto worst_late = [](double h) {
    Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic), h);
    scene.gravity.setZero();
    scene.scheme.kind = SchemeKind::dynamic_relaxation;
    SceneDeformable<2> column = soft_body<2>(test::rectangle_mesh(ElementKind::q4, Vec<2>(0.2, 1), 2, 10),
                                             Vec<2>(0, 0.5), "linear-elastic", 1e7, 0);
    test::hold(column, "bottom", 0);
    test::hold(column, "bottom", 1);
    column.supports.push_back(
        {"top", 1, {Drive::Kind::position, TimeFunction::table({0, 2, 10}, {0, -1e-3, -1e-3})}, ""});
    column.damping_mass = 2;
    scene.deformable = {column};
    Simulation<2> simulation(scene);
    double worst = 0;
    for (int k = 0; k < std::lround(5 / h); ++k) {
      const StepReport report = simulation.step();
      // At the very start there is no force yet to be compared with.
      if (k * h > 0.5) worst = std::max(worst, report.inertia_ratio);
    }
    EXPECT_FALSE(simulation.warnings().empty());
    return worst;
  };
  const double coarse = worst_late(0.05), fine = worst_late(0.025);
  EXPECT_GT(coarse, 0.05);
  EXPECT_LT(
      fine,
      0.75 *
          coarse);  // the ratio goes with h at the least: the stop of the support is a jump, M dv/h with M as h^2
}

}  // namespace
}  // namespace saltus::explicit_test
