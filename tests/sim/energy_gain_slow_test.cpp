// A heap that settles gains no energy in any step, however loosely it is solved.
#include <gtest/gtest.h>

#include "sim/sim_scenes.hpp"

namespace saltus::energy_gain_slow_test {
namespace {

template <int Dim>
void settle(LawKind kind, double tolerance) {
  // A heap of disks or balls that falls and comes to rest, solved loosely: single contacts do win energy from
  // their neighbours.
  Scene<Dim> scene = test::scene<Dim>(test::law(kind, 0.5), 2e-3);
  scene.solver.tolerance_velocity = 0;
  scene.solver.tolerance = tolerance;
  scene.bodies = {test::ground<Dim>()};
  for (const double side : {-1.0, 1.0}) {
    HalfSpace<Dim> wall;
    wall.normal = -side * Vec<Dim>::Unit(0);
    wall.offset = -0.3;
    scene.bodies.push_back(test::body<Dim>(wall, Vec<Dim>::Zero()));
    scene.bodies.back().fixed = true;
  }
  for (int i = 0; i < 30; ++i) {
    Vec<Dim> x = Vec<Dim>::Zero();
    x[0] = -0.2 + 0.1 * (i % 5) + 0.01 * (i % 3);
    x[Dim - 1] = 0.06 + 0.11 * (i / 5);
    scene.bodies.push_back(test::body<Dim>(Ball<Dim>{0.045 + 0.002 * (i % 4)}, x));
  }
  Simulation<Dim> simulation(scene);
  test::run(simulation, 400);
  EXPECT_GT(simulation.summary().contacts_max, 30);
  EXPECT_EQ(simulation.summary().gain_steps, 0) << name(kind) << ", tolerance " << tolerance;
}

TEST(EnergyGainSlow, an_inelastic_heap_never_gains_whatever_its_tolerance) {
  for (const LawKind kind : {LawKind::quasi_inelastic, LawKind::velocity_signorini})
    for (const double tolerance : {1e-1, 1e-3, 1e-6}) {
      settle<2>(kind, tolerance);
      settle<3>(kind, tolerance);
    }
}

}  // namespace
}  // namespace saltus::energy_gain_slow_test
