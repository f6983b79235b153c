// Balls with known answers, from scene files.
#include <algorithm>

#include "validation/library_run.hpp"

namespace saltus::balls_test {
namespace {

// Rolling scenes are solved to 1e-10 g h a step in the velocity of the contact: m times as much in its
// impulse, which W = (1 + 1/k)/m brings back to velocity. Over a time t that is (1 + 1/k) kResidual t.
constexpr double kResidual = 1e-10 * test::kGravity;  // m/s2

using test::kGravity;

struct Bounces {
  std::vector<double> peaks;  // heights of the flights, the fall first
  double last = 0;            // s, the last impact faster than `slowest`
  int impacts = 0;
  double rest_speed = 0, rest_height = 0;
};

// The ball of a scene that falls from H = 1 m with radius 0.1 m.
template <int Dim>
Bounces watch_bounces(const std::string& name, double h, double slowest) {
  Simulation<Dim> simulation = test::open_scene<Dim>(name, {test::set("scheme.h", h)});
  Bounces result;
  double before = 0, peak = 1;
  while (!simulation.finished()) {
    simulation.step();
    const double v = simulation.bodies().velocity[1][Dim - 1];
    const double height = simulation.bodies().pose[1].position[Dim - 1] - 0.1;
    if (before < 0 && v > slowest) {
      result.peaks.push_back(peak);
      result.last = simulation.time();
      ++result.impacts;
      peak = height;
    }
    peak = std::max(peak, height);
    before = v;
  }
  result.rest_speed = std::abs(before);
  result.rest_height = simulation.bodies().pose[1].position[Dim - 1] - 0.1;
  return result;
}

// An impact is placed where |gap| <= h v/2, in a step that ends at gap - h v (1-e)/2. With the exact flights
// of theta = 1/2 the next peak is e^2 times the last one, off by at most (2+e)(1-e) h v/2 (and g h^2 for the
// steps at its top); its time is off by at most 3h/2, and by 2 dv/g = e h for the speed, which is off by e g
// h/2, at this flight and e^k of it at those after: h (3/2 + e/(1-e)) in all.
template <int Dim>
void check_bounces(const std::string& name) {
  const double H = 1, e = 0.5, slowest = 0.02;
  const double done = std::sqrt(2 * H / kGravity) * (1 + e) / (1 - e);
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    const Bounces ball = watch_bounces<Dim>(name, h, slowest);
    ASSERT_GT(ball.peaks.size(), 5u);
    double bound = 0;
    for (int k = 1; k <= 4; ++k) {
      const double v = std::sqrt(2 * kGravity * ball.peaks[k - 1]);
      bound = e * e * bound + (2 + e) * (1 - e) / 2 * h * v + kGravity * h * h;
      EXPECT_NEAR(ball.peaks[k], H * std::pow(e, 2 * k), bound) << "peak " << k << ", h " << h;
    }
    // Left after the last impact that was counted, whose rebound is slower than `slowest`/e.
    const double rest = 2 * slowest / (e * kGravity * (1 - e));
    EXPECT_NEAR(ball.last, done, (1.5 + e / (1 - e)) * h * ball.impacts + rest) << "h " << h;
    // At rest: within a step of free fall of the floor.
    EXPECT_LE(ball.rest_speed, kGravity * h);
    EXPECT_LE(std::abs(ball.rest_height), kGravity * h * h);
    test::show(name + ", h = " + std::to_string(h) + ": first peak", ball.peaks[1], H * e * e);
    test::show(name + ", last impact above 0.02 m/s", ball.last, done);
    test::show(name + ", speed at the end", ball.rest_speed);
  }
}

TEST(BouncingBall, a_disk_bounces_through_the_accumulation_point) { check_bounces<2>("bouncing-ball-2d"); }
TEST(BouncingBall, a_sphere_bounces_through_the_accumulation_point) { check_bounces<3>("bouncing-ball"); }

double rolling_spin(const BodySet<2>& bodies) { return -bodies.spin_world(1)[0]; }
double rolling_spin(const BodySet<3>& bodies) { return bodies.spin_world(1)[1]; }

// k = inertia/(m R^2): 1/2 for a disk, 2/5 for a sphere. Rolls after v0/(mu g (1 + 1/k)) at v0/(1 + k).
template <int Dim>
void check_thrown(const std::string& name, double k) {
  const double v0 = 2, mu = 0.2, R = 0.1;
  Simulation<Dim> simulation = test::open_scene<Dim>(name);
  double rolls_at = 0;
  while (!simulation.finished()) {
    simulation.step();
    const double slip = simulation.bodies().velocity[1][0] - R * rolling_spin(simulation.bodies());
    // The step that ends the slip ends it exactly; before it, mu g h (1 + 1/k) = 7e-3 m/s are lost a step.
    if (rolls_at == 0 && std::abs(slip) < 1e-9) rolls_at = simulation.time();
  }
  const double time = v0 / (mu * kGravity * (1 + 1 / k)), speed = v0 / (1 + k);
  test::show(name + ", rolls at", rolls_at, time);
  test::show(name + ", speed", simulation.bodies().velocity[1][0], speed);
  EXPECT_NEAR(rolls_at, time, 2 * simulation.scene().scheme.h);
  // Friction at the radius keeps v + k R w = v0, and the slip ends to the residual.
  EXPECT_NEAR(simulation.bodies().velocity[1][0], speed, (1 + 1 / k) * kResidual * simulation.time());
}

TEST(ThrownBall, a_disk_rolls_at_two_thirds_of_its_speed) { check_thrown<2>("rolling-disk", 0.5); }
TEST(ThrownBall, a_sphere_rolls_at_five_sevenths_of_its_speed) { check_thrown<3>("rolling-sphere", 0.4); }

// Rolls iff mu >= tan/(1 + 1/k), then a = g sin/(1 + k); else a = g (sin - mu cos), and the ball spins slower
// than it would roll. Accelerations are constant, so the scheme makes no error of its own.
template <int Dim>
void check_rolling_incline(const std::string& name, double k) {
  double worst = 0;
  for (const double angle : {0.2, 0.6})
    for (const double ratio : {0.5, 0.95, 1.05, 2.0}) {
      const double mu = ratio * std::tan(angle) / (1 + 1 / k);
      Simulation<Dim> simulation =
          test::open_scene<Dim>(name, {test::set_incline<Dim>(angle), test::set("law.friction", mu),
                                       "bodies.1.velocity.0=0.0", "run.until=0.5"});
      while (!simulation.finished()) simulation.step();
      const double a = ratio > 1 ? kGravity * std::sin(angle) / (1 + k)
                                 : kGravity * (std::sin(angle) - mu * std::cos(angle));
      const double v = simulation.bodies().velocity[1][0], slip = v - 0.1 * rolling_spin(simulation.bodies());
      worst = std::max(worst, std::abs(v / (a * 0.5) - 1));
      EXPECT_NEAR(v / 0.5, a, (1 + 1 / k) * kResidual) << "angle " << angle << ", mu " << mu;
      if (ratio > 1)
        EXPECT_NEAR(slip, 0, (1 + 1 / k) * kResidual * simulation.scene().scheme.h);
      else
        EXPECT_GT(slip, 1e-2 * v);
    }
  test::show(name + " on inclines, worst relative error of a", worst);
}

TEST(RollingIncline, a_disk_rolls_iff_friction_allows) { check_rolling_incline<2>("rolling-disk", 0.5); }
TEST(RollingIncline, a_sphere_rolls_iff_friction_allows) { check_rolling_incline<3>("rolling-sphere", 0.4); }

// Moreau's law, one simultaneous impact: (-1/3, 2/3, 2/3) v for e = 1, v/3 for e = 0.
template <int Dim>
void check_cradle(const std::string& name) {
  for (const double e : {1.0, 0.0}) {
    Simulation<Dim> simulation = test::open_scene<Dim>(name, {test::set("law.restitution", e)});
    while (!simulation.finished()) simulation.step();
    const double expected[] = {e == 1 ? -1.0 / 3 : 1.0 / 3, e == 1 ? 2.0 / 3 : 1.0 / 3,
                               e == 1 ? 2.0 / 3 : 1.0 / 3};
    double worst = 0, energy = 0;
    for (int i = 0; i < 3; ++i) {
      const Vec<Dim> v = simulation.bodies().velocity[i];
      worst = std::max(worst, (v - expected[i] * Vec<Dim>::Unit(0)).norm());
      energy += v.squaredNorm();
    }
    test::show(name + ", e = " + std::to_string(e) + ", worst difference of velocity", worst);
    EXPECT_LT(worst, 1e-12) << "e " << e;
    if (e == 1) {
      EXPECT_NEAR(energy, 1, 1e-12);
    }
  }
}

TEST(Cradle, three_disks_share_an_impact_as_moreau_says) { check_cradle<2>("cradle"); }
TEST(Cradle, three_spheres_share_an_impact_as_moreau_says) { check_cradle<3>("cradle-3d"); }

}  // namespace
}  // namespace saltus::balls_test
