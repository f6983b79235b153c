// Elementary cases with known answers, through the C++ interface.
#include <gtest/gtest.h>

#include <numbers>

#include "sim/sim_scenes.hpp"

namespace saltus::elementary_test {
namespace {

using test::kGravity;

TEST(BouncingBall, ends_its_bounces_at_the_accumulation_point) {
  const double H = 1, e = 0.8, R = 0.1;
  const double done = std::sqrt(2 * H / kGravity) * (1 + e) / (1 - e);
  for (const double h : {2e-3, 1e-3}) {
    PairLaw newton = test::law(LawKind::newton);
    newton.restitution = e;
    Scene<2> scene = test::scene<2>(newton, h);
    scene.bodies = {test::ground<2>(), test::body<2>(Disk{R}, {0, R + H})};
    Simulation<2> simulation(scene);
    double peak = 0, last_bounce = 0, previous = 0;
    for (int k = 0; simulation.time() < 2 * done; ++k) {
      simulation.step();
      const double v = simulation.bodies().velocity[1].y();
      if (previous < 0 && v > 1e-3) last_bounce = simulation.time();
      if (last_bounce == 0)
        peak = 0;
      else if (simulation.time() < done)
        peak = std::max(peak, simulation.bodies().pose[1].position.y() - R);
      previous = v;
    }
    // First peak H e^2. First order: the impact is placed within one step, so height and time change by
    // v h <= sqrt(2 g H) h at each of the two passages of the impact.
    EXPECT_NEAR(peak, H * e * e, 2 * std::sqrt(2 * kGravity * H) * h);
    // Bounces with v > 1e-3 end before the accumulation point by 2 v/g /(1-e) ~ 1e-3 s; each bounce is late
    // by at most h, and the geometric sum of the delays is h/(1-e) for the flight times that they change.
    EXPECT_NEAR(last_bounce, done, 2 * h / (1 - e) + 2e-3);
    EXPECT_LT(std::abs(simulation.bodies().velocity[1].y()), 2 * kGravity * h);
    EXPECT_GT(simulation.bodies().pose[1].position.y(), R - 2 * kGravity * h * h);
  }
}

// Sliding disk (k = 1/2) or sphere (k = 2/5): rolls after v0/(mu g (1 + 1/k)) at v0/(1 + k).
template <int Dim>
void thrown_ball(double k) {
  const double v0 = 2, mu = 0.2, R = 0.1, h = 1e-3;
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::quasi_inelastic, mu), h);
  scene.bodies = {test::ground<Dim>(),
                  test::body<Dim>(Ball<Dim>{R}, R * Vec<Dim>::Unit(Dim - 1), v0 * Vec<Dim>::Unit(0))};
  Simulation<Dim> simulation(scene);
  double rolls_at = 0;
  while (simulation.time() < 1) {
    simulation.step();
    const Vec<Dim> v = simulation.bodies().velocity[1];
    const Spin<Dim> w = simulation.bodies().spin_world(1);
    const double slip = v[0] - R * (Dim == 2 ? -w[0] : w[kSpins<Dim> / 2]);
    if (rolls_at == 0 && std::abs(slip) < 1e-9) rolls_at = simulation.time();
  }
  EXPECT_NEAR(rolls_at, v0 / (mu * kGravity * (1 + 1 / k)), 2 * h);
  // Friction at the radius keeps v + k R w = v0, and the slip ends to the tolerance of 1e-13 m/s: what 1000
  // steps may leave is 1e-10 m/s.
  EXPECT_NEAR(simulation.bodies().velocity[1][0], v0 / (1 + k), 1e-10);
}

TEST(ThrownBall, a_disk_rolls_at_two_thirds_of_its_speed) { thrown_ball<2>(0.5); }
TEST(ThrownBall, a_sphere_rolls_at_five_sevenths_of_its_speed) { thrown_ball<3>(0.4); }

template <int Dim>
void rolling_incline(double k) {
  const double R = 0.1, h = 1e-3, angle = 0.4;
  const int steps = 300;
  for (const double ratio : {0.8, 1.2}) {
    const double mu = ratio * k / (1 + k) * std::tan(angle);
    Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::quasi_inelastic, mu), h);
    SceneBody<Dim> ball = test::body<Dim>(Ball<Dim>{R}, Vec<Dim>::Zero());
    ball.pose = test::tilted<Dim>(angle, R);
    scene.bodies = {test::ground<Dim>(angle), ball};
    Simulation<Dim> simulation(scene);
    test::run(simulation, steps);
    const double a = ratio > 1 ? kGravity * std::sin(angle) / (1 + k)
                               : kGravity * (std::sin(angle) - mu * std::cos(angle));
    // Constant acceleration, so exact but for the tolerance; 1e-4 is the bound to hold.
    EXPECT_NEAR(simulation.bodies().velocity[1].norm() / (steps * h), a, 1e-4 * a);
  }
}

TEST(RollingIncline, a_disk_rolls_when_friction_allows) { rolling_incline<2>(0.5); }
TEST(RollingIncline, a_sphere_rolls_when_friction_allows) { rolling_incline<3>(0.4); }

TEST(Cradle, three_balls_share_an_impact_as_moreau_says) {
  // e = 1: (-1/3, 2/3, 2/3) v with the energy kept; e = 0: all v/3. One simultaneous impact, exact.
  for (const double e : {1.0, 0.0}) {
    PairLaw newton = test::law(LawKind::newton);
    newton.restitution = e;
    Scene<2> scene = test::scene<2>(newton, 1e-3);
    scene.gravity.setZero();
    scene.bodies = {test::body<2>(Disk{0.1}, {-0.2 - 1e-4, 0}, {1, 0}), test::body<2>(Disk{0.1}, {0, 0}),
                    test::body<2>(Disk{0.1}, {0.2, 0})};
    Simulation<2> simulation(scene);
    test::run(simulation, 2);
    const auto& v = simulation.bodies().velocity;
    const double first = e == 1 ? -1.0 / 3 : 1.0 / 3, others = e == 1 ? 2.0 / 3 : 1.0 / 3;
    EXPECT_NEAR(v[0].x(), first, 1e-12);
    EXPECT_NEAR(v[1].x(), others, 1e-12);
    EXPECT_NEAR(v[2].x(), others, 1e-12);
  }
}

}  // namespace
}  // namespace saltus::elementary_test
