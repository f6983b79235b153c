// Blocks with known answers, from scene files.
#include <algorithm>

#include "validation/library_run.hpp"

namespace saltus::blocks_test {
namespace {

using test::kGravity;

// A block at rest sticks iff tan(angle) <= mu, else a = g (sin - mu cos): constant, so the scheme makes no
// error of its own and what is left is the solver's, stopped at 1e-10 g h = 1e-12 m/s.
template <int Dim>
void check_incline(const std::string& name) {
  double drift = 0, worst = 0;
  for (const double mu : {0.1, 0.3, 0.6, 1.0})
    for (const double ratio : {0.0, 0.5, 0.99, 1.01, 1.5}) {
      const double angle = std::atan(ratio * mu);
      Simulation<Dim> simulation = test::open_scene<Dim>(
          name, {test::set_incline<Dim>(angle), test::set("law.friction", mu), "run.until=0.25"});
      double fastest = 0;
      while (!simulation.finished()) {
        simulation.step();
        fastest = std::max(fastest, simulation.bodies().velocity[1].norm());
      }
      if (ratio <= 1) {
        drift = std::max(drift, fastest);
        EXPECT_LT(fastest, 1e-10) << "mu " << mu << ", angle " << angle;
      } else {
        const double a = kGravity * (std::sin(angle) - mu * std::cos(angle));
        const double v = simulation.bodies().velocity[1][0];
        worst = std::max(worst, std::abs(v / (0.25 * a) - 1));
        EXPECT_NEAR(v / 0.25, a, 1e-6 * a) << "mu " << mu << ", angle " << angle;
      }
    }
  test::show(name + ", drift of a block at rest, m/s", drift);
  test::show(name + ", worst relative error of a", worst);
}

TEST(Incline, a_rectangle_sticks_or_slides_by_the_friction_angle) { check_incline<2>("incline"); }
TEST(Incline, a_box_sticks_or_slides_by_the_friction_angle) { check_incline<3>("incline-3d"); }

// A convexified cone lifts it by mu |u_t| h = 5 cm a step.
template <int Dim>
void check_fast_box(const std::string& name) {
  Simulation<Dim> simulation = test::open_scene<Dim>(name);
  double lift = 0;
  while (!simulation.finished()) {
    simulation.step();
    lift = std::max(lift, std::abs(simulation.bodies().pose[1].position[Dim - 1] - 0.1));
  }
  const double v = 20 - 0.5 * kGravity * simulation.time();
  test::show(name + ", largest lift, m", lift);
  test::show(name + ", speed at the end", simulation.bodies().velocity[1][0], v);
  EXPECT_LT(lift, 1e-8);
  // Constant deceleration: what is left is the tolerance of the scene, 1e-10 g h = 5e-12 m/s in each of 200
  // steps.
  EXPECT_NEAR(simulation.bodies().velocity[1][0], v, 1e-9);
}

TEST(FastBox, a_rectangle_stays_flat) { check_fast_box<2>("fast-box-2d"); }
TEST(FastBox, a_box_stays_flat) { check_fast_box<3>("fast-box"); }

double forward_spin(const BodySet<2>& bodies) { return bodies.spin_world(1)[0]; }
double forward_spin(const BodySet<3>& bodies) { return -bodies.spin_world(1)[1]; }
double lean(const BodySet<2>& bodies) { return bodies.pose[1].angle(); }
double lean(const BodySet<3>& bodies) {
  const Vec<3> up = bodies.pose[1].rotated(Vec<3>::UnitZ());
  return std::atan2(-up.x(), up.z());
}

// Housner: the quarter period, and the ratio of spins at the impact.
template <int Dim>
void check_rocking(const std::string& name) {
  const double width = 0.2, height = 1, theta0 = 0.1, h = 2e-5;
  const double alpha = std::atan(width / height), R = std::hypot(width, height) / 2;
  const double p = std::sqrt(3 * kGravity / (4 * R));
  Simulation<Dim> simulation = test::open_scene<Dim>(name, {test::set("scheme.h", h), "run.until=1"});
  double before = 0, after = 0, impact = 0;
  for (int past = 0; !simulation.finished() && past < 3;) {
    simulation.step();
    past += lean(simulation.bodies()) > 0;
    if (past == 0)
      before = std::max(before, forward_spin(simulation.bodies())), impact = simulation.time();
    else
      after = forward_spin(simulation.bodies());
  }
  const double quarter = std::acosh(1 / (1 - theta0 / alpha)) / p;
  const double ratio = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);
  test::show(name + ", quarter period, s", impact, quarter);
  test::show(name + ", ratio of spins at the impact", after / before, ratio);
  // Housner's period takes sin(x) = x for angles up to alpha = 0.2: alpha^2/6 = 0.7 % in the moment.
  EXPECT_NEAR(impact, quarter, 0.01 * quarter);
  // Read three steps after the impact, each of which changes the spin by p^2 alpha h = 6e-5 rad/s, 1e-4 of
  // it.
  EXPECT_NEAR(after / before, ratio, 1e-3);
}

TEST(RockingBlock, a_rectangle_loses_at_impact_what_housner_says) { check_rocking<2>("rocking-block"); }
TEST(RockingBlock, a_box_loses_at_impact_what_housner_says) { check_rocking<3>("rocking-block-3d"); }

// With mu = 2 the joints of an arch have W_nn <= mu |W_nt|, but they stick: nothing in them slides into the
// paradox, and nothing is told.
TEST(Painleve, an_arch_of_rough_stones_that_stands_is_no_alarm) {
  Simulation<2> simulation = test::open_scene<2>("arch", {test::set("law.friction", 2.0), "run.until=0.2"});
  while (!simulation.finished()) simulation.step();
  EXPECT_EQ(simulation.summary().ambiguous_steps, 0);
}

// At tan = 2 the normal mobility of the sliding tip is 1 + 3/5 - 6/5 mu, negative for mu > 4/3: then the law
// may have no solution or two, and the step says so.
TEST(Painleve, the_run_goes_on_and_says_where_the_paradox_is) {
  for (const double mu : {1.0, 1.3, 1.4, 2.0}) {
    Simulation<2> simulation = test::open_scene<2>("painleve", {test::set("law.friction", mu)});
    int told = 0;
    double largest = 0;
    while (!simulation.finished()) {
      const StepReport report = simulation.step();
      ASSERT_NE(report.status, StepStatus::not_finite);
      told += report.ambiguous > 0 || report.unsolved > 0;
      for (const ContactState<2>& c : simulation.contacts()) largest = std::max(largest, c.impulse.norm());
    }
    test::show("painleve, mu = " + std::to_string(mu) + ": steps that tell of it", told);
    test::show("painleve, largest impulse, N s", largest);
    EXPECT_EQ(told > 0, mu > 4.0 / 3);
    EXPECT_EQ(simulation.summary().ambiguous_steps, told);
    const std::vector<std::string> warnings = simulation.warnings();
    EXPECT_EQ(std::any_of(warnings.begin(), warnings.end(),
                          [](const std::string& w) { return w.find("Painleve") != std::string::npos; }),
              told > 0);
    // In the paradox only one solution is left, an impact without collision: the tip that slides at 2 m/s
    // stops dead. With W = [1.6, 1.2; 1.2, 3.4] 1/kg for (n, t) that takes r = (0.6, -0.8) N s, and the
    // weight of a step g h = 1e-3. Below it the tip slides until the rod has turned, and impulses stay those
    // of forces.
    if (mu > 4.0 / 3) {
      EXPECT_NEAR(largest, 1, 2e-3);
    } else {
      EXPECT_LT(largest, 0.1);
    }
  }
}

}  // namespace
}  // namespace saltus::blocks_test
