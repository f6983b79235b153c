// Systems by formulas whose motion is known: what holds them, what moves their gaps, and what their audit says of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::systems_of_formulas_test {
namespace {

Scene<2> scene_of(const std::string& system, const std::string& scheme = "moreau-jean",
                  const std::string& h = "1e-3") {
  const std::string text = "dimension = 2\ngravity = [0, 0]\n[scheme]\nkind = \"" + scheme + "\"\nh = " + h +
                           "\n[run]\nuntil = 10\n[[system]]\nname = \"s\"\n" + system;
  return std::get<Scene<2>>(parse_scene(text, "system.toml").scene);
}

std::string message_of(const std::string& system) {
  try {
    Simulation<2> simulation(scene_of(system));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool warns_of(const Simulation<2>& simulation, const std::string& words) {
  const std::vector<std::string> told = simulation.warnings();
  return std::any_of(told.begin(), told.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

EnergyBalance run(Simulation<2>& simulation, int steps) {
  EnergyBalance sum;
  for (int k = 0; k < steps; ++k) {
    const EnergyBalance e = simulation.step().energy;
    sum.kinetic = e.kinetic;
    sum.forces += e.forces, sum.friction += e.friction, sum.impact += e.impact, sum.drives += e.drives;
    sum.defect += e.defect;
  }
  return sum;
}

// x = |t - kink|: dx is 1 after it. The velocity that the step with the kink is left with goes in the next; what its position
// is off, h at most, goes with exp(-t/T), T ten steps.
TEST(SystemsOfFormulas, a_constraint_with_a_kink_is_met_again_after_it) {
  for (const std::string scheme : {"moreau-jean", "moreau-jean-projected"})
    for (const std::string kink : {"0.05", "0.0503", "0.0507"}) {
      Simulation<2> simulation(scene_of("coordinates = [\"x\"]\nmass = [[\"1\"]]\nv = [-1]\nq = [" + kink +
                                            "]\nconstraints = [\"x - abs(t - " + kink + ")\"]\n",
                                        scheme));
      run(simulation, 53);
      double last = simulation.system_velocity(0)[0] - 1;
      for (int k = 53; k < 100; ++k) {
        simulation.step();
        const double off = simulation.system_velocity(0)[0] - 1;
        EXPECT_LT(std::abs(off), 0.2 * std::exp(-(k - 53) / 10.0)) << scheme << ' ' << kink << ' ' << k;
        EXPECT_LE(std::abs(off - last), 0.05) << "it rings";
        last = off;
      }
    }
}

TEST(SystemsOfFormulas, a_velocity_that_contradicts_a_constraint_goes_at_once) {
  Simulation<2> simulation(
      scene_of("coordinates = [\"x\"]\nmass = [[\"1\"]]\nv = [1]\nconstraints = [\"x\"]\n"));
  for (int k = 0; k < 100; ++k) {
    simulation.step();
    // The first step is half a step of 1 m/s off; that goes in ten steps.
    EXPECT_LT(std::abs(simulation.system_velocity(0)[0]), 0.06);
  }
  EXPECT_LT(std::abs(simulation.system_velocity(0)[0]), 1e-4);
}

TEST(SystemsOfFormulas, a_constraint_that_cannot_hold_is_refused_by_how_much) {
  const std::string one = "coordinates = [\"x\"]\nmass = [[\"1\"]]\n";
  const std::string off = message_of(one + "constraints = [\"x - 1\"]\n");
  EXPECT_NE(off.find("system.toml:12:"), std::string::npos) << off;
  EXPECT_NE(off.find("does not hold at the start: it is"), std::string::npos) << off;
  EXPECT_NE(off.find("-1"), std::string::npos) << off;
  EXPECT_NE(message_of(one + "constraints = [\"0*x\"]\n").find("all 0"), std::string::npos);
  EXPECT_NE(message_of(one + "constraints = [\"x - 0.1\", \"x + 0.1\"]\n").find("does not hold"),
            std::string::npos);
  EXPECT_EQ(message_of(one + "constraints = [{ formula = \"x - 1\", may_be_off = true }]\n"), "no error");
  EXPECT_EQ(message_of(one + "q = [1]\nconstraints = [\"x - 1\", \"2*x - 2\"]\n"), "no error");
}

TEST(SystemsOfFormulas, a_gap_that_overlaps_at_the_start_is_told) {
  const std::string one = "coordinates = [\"x\"]\nmass = [[\"1\"]]\n";
  EXPECT_TRUE(warns_of(Simulation<2>(scene_of(one + "gaps = [{ gap = \"x - 1\" }]\n")), "an overlap"));
  EXPECT_FALSE(warns_of(Simulation<2>(scene_of(one + "gaps = [{ gap = \"x\" }]\n")), "an overlap"));
}

// A cart with a pendulum: M(q) brings terms that are no forces. Works are integrated to 1e-10 and better.
TEST(SystemsOfFormulas, terms_of_a_mass_that_changes_do_no_work_between_events) {
  const auto cart = [](const std::string& force) {
    return "coordinates = [\"x\", \"a\"]\nparameters = { mc = 2, m = 1, l = 0.7 }\n"
           "mass = [[\"mc + m\", \"m*l*cos(a)\"], [\"m*l*cos(a)\", \"m*l^2\"]]\nforce = [\"0\", \"" +
           force + "\"]\nq = [0.1, 2]\nv = [0, 0.5]\n";
  };
  Simulation<2> free(scene_of(cart("0"), "event-driven")),
      falls(scene_of(cart("-9.81*m*l*sin(a)"), "event-driven"));
  const EnergyBalance none = run(free, 1000), weight = run(falls, 1000);
  EXPECT_EQ(none.forces, 0);
  EXPECT_NEAR(none.defect, 0, 1e-9);
  EXPECT_NEAR(weight.defect, 0, 1e-9);
  const double angle = falls.system_coordinates(0)[1];
  EXPECT_NEAR(weight.forces, 9.81 * 0.7 * (std::cos(angle) - std::cos(2.0)), 1e-8);
}

// A body without friction on a floor that shakes: the floor does work, friction none. And one on a belt: friction takes what
// slips, m v^2/2 of 2 kg at 1.5 m/s, and the belt gives twice that.
TEST(SystemsOfFormulas, what_moves_a_gap_does_its_work) {
  for (const std::string scheme : {"event-driven", "moreau-jean"}) {
    Simulation<2> shaken(
        scene_of("coordinates = [\"y\"]\nmass = [[\"2\"]]\nforce = [\"-19.62\"]\n"
                 "gaps = [{ gap = \"y - 0.1*sin(6*t)\" }]\n",
                 scheme));
    const EnergyBalance floor = run(shaken, 600);
    EXPECT_EQ(floor.friction, 0) << scheme;
    EXPECT_GT(std::abs(floor.drives), 0.1) << scheme;
    EXPECT_NEAR(floor.defect, 0, 1e-8) << scheme;
    EXPECT_NEAR(floor.drives + floor.forces + floor.impact, floor.kinetic, 1e-8) << scheme;
    EXPECT_FALSE(warns_of(shaken, "gained energy")) << scheme;
    Simulation<2> carried(
        scene_of("coordinates = [\"x\", \"y\"]\nmass = { diagonal = [\"2\", \"2\"] }\n"
                 "force = [\"0\", \"-19.62\"]\n"
                 "gaps = [{ gap = \"y\", tangent = \"x - 1.5*t\", friction = 0.2 }]\n",
                 scheme));
    const EnergyBalance belt = run(carried, 1000);
    EXPECT_NEAR(carried.system_velocity(0)[0], 1.5, 1e-8) << scheme;
    EXPECT_NEAR(belt.friction, -2.25, 0.01) << scheme;  // a step of slip at most: h mu m g v
    EXPECT_NEAR(belt.drives, 4.5, 0.01) << scheme;
    EXPECT_NEAR(belt.defect, 0, 1e-8) << scheme;
    EXPECT_FALSE(warns_of(carried, "gained energy")) << scheme;
  }
}

// a'' = 1000 a^3 from 1 at 1/s: 1/a falls to zero in less than 0.1 s, and steps of 0.1 s have an end only far away, or none.
// Forces there are so large that any iterate of Newton's is right beside them but for round-off: a step that is told as taken
// balances, of momentum to 1e-9 of its parts at worst.
TEST(SystemsOfFormulas, a_step_that_is_not_solved_is_missed) {
  for (const std::string force : {"1e3*a^3", "-1e8*sinh(a)"}) {
    Simulation<2> simulation(
        scene_of("coordinates = [\"a\"]\nmass = [[\"1\"]]\nforce = [\"" + force + "\"]\nq = [1]\nv = [1]\n",
                 "moreau-jean", "0.1"));
    int missed = 0;
    for (int k = 0; k < 4000; ++k) {
      const StepReport report = simulation.step();
      missed += report.status != StepStatus::converged;
      if (report.status != StepStatus::converged) {
        EXPECT_NE(report.reason.find("no solution that Newton's method finds"), std::string::npos);
        continue;
      }
      EXPECT_LT(report.momentum, 1e-8) << force << " step " << k;
    }
    EXPECT_GT(missed, 0) << force;
  }
}

// 2 kg on a stop with restitution 1/2: each rebound is half as fast, and after a few it rests on the stop with its weight.
TEST(SystemsOfFormulas, what_falls_on_a_stop_comes_to_rest_under_the_projected_scheme) {
  const std::string text =
      "dimension = 2\ngravity = [0, -9.81]\n[scheme]\nkind = \"moreau-jean-projected\"\nh = 1e-3\n"
      "[run]\nuntil = 10\n[law]\nfriction = 0\n[[bodies]]\nname = \"b\"\n"
      "shape = { kind = \"disk\", radius = 0.1 }\nmass = 2\n";
  const std::string stops[2] = {
      "[[joints]]\nkind = \"prismatic\"\nbodies = [\"b\"]\npoint = [0, 0]\naxis = [0, 1]\n"
      "slide = { lower = -0.5, upper = 0.1, restitution = 0.5 }\n",
      "[[joints]]\nkind = \"rope\"\nbodies = [\"b\"]\npoints = [[0, 1], [0, 0]]\nlength = 1.5\n"
      "restitution = 0.5\n"};
  for (const std::string& stop : stops) {
    Simulation<2> simulation(std::get<Scene<2>>(parse_scene(text + stop, "stop.toml").scene));
    for (int k = 0; k < 2500; ++k) simulation.step();
    const auto place = simulation.joint_place(0);
    EXPECT_NEAR(simulation.bodies().pose[0].position.y(), -0.5, 1e-11);  // the tolerance of the projection
    EXPECT_NEAR(place.rate[0], 0, 1e-9);
    EXPECT_NEAR(std::abs(place.effort[0]), 19.62e-3, 1e-9);
  }
}

}  // namespace
}  // namespace saltus::systems_of_formulas_test
