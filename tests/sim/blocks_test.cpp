// Blocks with known answers, through the C++ interface.
#include <gtest/gtest.h>

#include "sim/sim_scenes.hpp"

namespace saltus::blocks_test {
namespace {

using test::kGravity;

template <int Dim>
Shape<Dim> block_shape();
template <>
Shape<2> block_shape<2>() {
  return build_rectangle(0.4, 0.2);
}
template <>
Shape<3> block_shape<3>() {
  return build_box({0.4, 0.3, 0.2});
}

template <int Dim>
void incline_grid() {
  const double h = 1e-3;
  const int steps = 200;
  for (const double mu : {0.2, 0.5, 0.8})
    for (const double ratio : {0.5, 0.95, 1.05, 1.5}) {
      const double angle = std::atan(ratio * mu);
      Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::quasi_inelastic, mu), h);
      SceneBody<Dim> block = test::body<Dim>(block_shape<Dim>(), Vec<Dim>::Zero());
      block.pose = test::tilted<Dim>(angle, 0.1);
      scene.bodies = {test::ground<Dim>(angle), block};
      Simulation<Dim> simulation(scene);
      test::run(simulation, steps);
      const double speed = simulation.bodies().velocity[1].norm();
      if (ratio <= 1) {
        EXPECT_LT(speed, 1e-10) << "mu " << mu << " angle " << angle;
      } else {
        // Constant acceleration: the scheme is exact up to the solver's tolerance; 1e-6 is the bound to hold.
        const double a = kGravity * (std::sin(angle) - mu * std::cos(angle));
        EXPECT_NEAR(speed / (steps * h), a, 1e-6 * a) << "mu " << mu << " angle " << angle;
      }
    }
}

TEST(Incline, a_block_sticks_or_slides_by_the_friction_angle_in_2d) { incline_grid<2>(); }
TEST(Incline, a_block_sticks_or_slides_by_the_friction_angle_in_3d) { incline_grid<3>(); }

template <int Dim>
void fast_box() {
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::quasi_inelastic, 0.5), 1e-3);
  scene.bodies = {test::ground<Dim>(), test::body<Dim>(block_shape<Dim>(), 0.1 * Vec<Dim>::Unit(Dim - 1),
                                                       10.0 * Vec<Dim>::Unit(0))};
  Simulation<Dim> simulation(scene);
  for (int i = 0; i < 500; ++i) {
    simulation.step();
    ASSERT_NEAR(simulation.bodies().pose[1].position[Dim - 1], 0.1, 1e-8) << "step " << i;
  }
}

TEST(FastBox, stays_flat_in_2d) { fast_box<2>(); }
TEST(FastBox, stays_flat_in_3d) { fast_box<3>(); }

TEST(RockingBlock, loses_at_impact_what_housner_says) {
  const double b = 0.2, height = 1.0, h = 5e-5;
  const double alpha = std::atan(b / height), R = 0.5 * std::hypot(b, height),
               p = std::sqrt(3 * kGravity / (4 * R));
  const double theta0 = 0.4 * alpha;
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 2.0), h);
  SceneBody<2> block = test::body<2>(build_rectangle(b, height), {0, 0});
  // Turned by theta0 about its right corner, at rest there.
  const Vec<2> corner(b / 2, 0);
  block.pose = Pose<2>(Vec<2>(0, 0), -theta0);
  block.pose.position = corner + block.pose.rotated(Vec<2>(-b / 2, height / 2));
  scene.bodies = {test::ground<2>(), block};
  Simulation<2> simulation(scene);
  double before = 0, impact = 0, after = 0;
  for (int k = 0, past = 0; k < 20000 && past < 3; ++k) {
    simulation.step();
    const double spin = simulation.bodies().spin[1][0];
    past += simulation.bodies().pose[1].angle() > 0;
    if (past == 0)
      before = std::max(before, spin), impact = simulation.time();
    else
      after = spin;
  }
  const double quarter = std::acosh(1 / (1 - theta0 / alpha)) / p;
  EXPECT_NEAR(impact, quarter, 0.01 * quarter);
  // The spin is read three steps after the impact (which the quasi-inelastic law spreads over two), each of
  // which changes it by p^2 alpha h = 1.4e-4 rad/s, 3e-4 of its value: 1e-3.
  EXPECT_NEAR(after / before, 1 - 1.5 * std::sin(alpha) * std::sin(alpha), 1e-3);
}

TEST(Painleve, a_rod_in_the_paradox_goes_on_with_bounded_impulses) {
  // Uniform rod at tan = 2 pushed along the floor: the paradox is possible for mu > 4/3.
  for (const double mu : {1.0, 2.0}) {
    const double length = 1, angle = std::atan(2.0), h = 1e-3;
    Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, mu), h);
    SceneBody<2> rod = test::body<2>(Capsule<2>{Vec<2>(-length / 2, 0), Vec<2>(length / 2, 0), 1e-3}, {0, 0});
    rod.pose = Pose<2>(Vec<2>(0, 0.5 * length * std::sin(angle) + 1e-3), angle);
    rod.velocity = {-3, 0};
    scene.bodies = {test::ground<2>(), rod};
    scene.solver.tolerance_velocity = 1e-9;
    Simulation<2> simulation(scene);
    const double mass = simulation.bodies().model[1].mass;
    int ambiguous = 0;
    for (int k = 0; k < 400; ++k) {
      const StepReport report = simulation.step();
      ASSERT_NE(report.status, StepStatus::not_finite);
      ambiguous += report.ambiguous > 0;
      for (const ContactState<2>& c : simulation.contacts()) ASSERT_LT(c.impulse.norm(), 100 * mass * 3);
    }
    EXPECT_EQ(ambiguous > 0, mu > 4.0 / 3);
  }
}

TEST(Stack, twenty_boxes_with_the_heaviest_on_top_stand) {
  // 1000:1 from top to bottom, in geometric progression.
  Scene<2> scene = test::scene<2>(test::law(LawKind::quasi_inelastic, 0.5), 5e-3);
  scene.solver.tolerance_velocity = 0;
  scene.solver.tolerance = 1e-3;
  scene.solver.kind = SolverKind::automatic;
  scene.solver.max_iterations = 5000;
  scene.bodies = {test::ground<2>()};
  for (int i = 0; i < 20; ++i) {
    SceneBody<2> box = test::body<2>(build_rectangle(0.2, 0.1), {0, 0.05 + 0.1 * i});
    box.density = 1000 * std::pow(1000.0, i / 19.0);
    scene.bodies.push_back(box);
  }
  Simulation<2> simulation(scene);
  for (int k = 0; k < 100; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason << " at step " << k;
  }
  // Creep: the residual leaves at most its own tolerance (per contact and step) of velocity.
  EXPECT_NEAR(simulation.bodies().pose[20].position.y(), 0.05 + 0.1 * 19, 1e-3);
  EXPECT_LT(simulation.summary().penetration.worst(), 1e-4);
}

}  // namespace
}  // namespace saltus::blocks_test
