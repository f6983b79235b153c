// Groups of contacts that share no moving body, and which of several solutions a group at rest takes.
#include <gtest/gtest.h>

#include "saltus/contact/canonical.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus::hyperstatic_test {
namespace {

template <int Dim>
Simulation<Dim> simulate(const std::string& text, int steps) {
  Simulation<Dim> simulation(std::get<Scene<Dim>>(parse_scene(text, "test.toml", {}).scene));
  for (int i = 0; i < steps; ++i) simulation.step();
  return simulation;
}

// A box of 2 kg between two jaws that cannot turn; mu = 0.25 holds it from 2 g / (2 mu) = 39.24 N on. In
// space sweeps from zero find another solution of Coulomb's law: it drops and turns, 58 mm in half a second.
std::string jaws(double force, const std::string& solver) {
  return fmt::format(R"(
dimension = 3
gravity = [0, 0, -9.81]
[scheme]
h = 1e-3
[solver]
name = "{1}"
[law]
friction = 0.25
[[bodies]]
shape = {{ kind = "box", size = [0.2, 0.2, 0.2] }}
mass = 2
[[bodies]]
shape = {{ kind = "box", size = [0.1, 0.4, 0.4] }}
mass = 1
position = [-0.15, 0, 0]
locked = ["y", "z", "rx", "ry", "rz"]
force = {{ x = {0} }}
[[bodies]]
shape = {{ kind = "box", size = [0.1, 0.4, 0.4] }}
mass = 1
position = [0.15, 0, 0]
locked = ["y", "z", "rx", "ry", "rz"]
force = {{ x = -{0} }}
)",
                     force, solver);
}

class Jaws : public testing::TestWithParam<const char*> {};

TEST_P(Jaws, one_percent_above_the_limit_hold_the_box_and_one_below_let_it_slide) {
  constexpr double kLimit = 39.24;  // N
  for (const double part : {1.01, 1.05, 1.5}) {
    const Simulation<3> held = simulate<3>(jaws(part * kLimit, GetParam()), 500);
    // Half a second at the velocity that the tolerance of 1e-3 g h leaves, 1e-5 m/s, for each contact of
    // four.
    EXPECT_NEAR(held.bodies().pose[0].position.z(), 0, 4 * 0.5e-5) << part;
    EXPECT_NEAR(held.bodies().spin[0].norm(), 0, 1e-3) << part;
    EXPECT_EQ(held.summary().unconverged_steps, 0) << part;
  }
  const double part = 0.99;
  const Simulation<3> slides = simulate<3>(jaws(part * kLimit, GetParam()), 500);
  // Falls with (1 - 0.99) g for half a second; rounded off by h g and by the tolerance of each step.
  const double fall = 0.5 * (1 - part) * 9.81 * 0.25;
  EXPECT_LT(slides.bodies().pose[0].position.z(), -0.8 * fall);
}

INSTANTIATE_TEST_SUITE_P(by_every_solver, Jaws,
                         testing::Values("auto", "nlgs", "newton", "ipm", "admm", "apgd"),
                         [](const auto& solver) { return std::string(solver.param); });

// All contacts slide, each its own way, and have more impulses than the box has freedoms: steps of the method collapse. The problems with
// De Saxce's term given lead on, each solution closer than the one before, though the first are worse than where the steps collapsed.
TEST(Hyperstatic, a_box_that_slides_and_turns_between_jaws_is_solved_by_the_interior_point_method) {
  const Simulation<3> slides = simulate<3>(jaws(0.99 * 39.24, "auto"), 100);
  const ContactProblem problem =
      build_contact_problem<3>(slides.build_velocity_problem(), ProblemUnits::physical);
  SolveOptions options;
  options.tolerance = 1e-8;
  Eigen::VectorXd r, u;
  const SolveReport report = solve(SolverKind::ipm, problem, options, r, u);
  EXPECT_EQ(report.status, SolveStatus::converged) << report.reason;
}

TEST(Hyperstatic, a_box_that_could_stick_or_drop_is_told) {
  const Simulation<3> held = simulate<3>(jaws(41.2, "nlgs"), 20);
  EXPECT_GT(held.summary().several_steps, 0);
  bool told = false;
  for (const std::string& warning : held.warnings())
    told |= warning.find("stick or move") != std::string::npos;
  EXPECT_TRUE(told);
  // A box on the floor has more contacts than it needs too, but its velocity is unique.
  const Simulation<2> rests = simulate<2>(R"(
dimension = 2
gravity = [0, -9.81]
[law]
friction = 0.5
[[bodies]]
shape = { kind = "half-plane" }
fixed = true
[[bodies]]
shape = { kind = "rectangle", size = [0.2, 0.2] }
position = [0, 0.1]
)",
                                          20);
  EXPECT_EQ(rests.summary().several_steps, 0);
}

const char* const kSpinningBox = R"(
dimension = 3
gravity = [0, 0, -9.81]
[scheme]
h = 2e-3
[law]
friction = 0.5
[[bodies]]
shape = { kind = "plane" }
fixed = true
[[bodies]]
shape = { kind = "box", size = [0.3, 0.2, 0.1] }
position = [0, 0, 0.05]
spin = [0.5, -0.3, 20]
velocity = [0.4, 0, 0]
)";

TEST(Groups, bodies_that_touch_no_common_moving_body_do_not_change_each_other_by_a_bit) {
  const Simulation<3> alone = simulate<3>(kSpinningBox, 200);
  std::string text = kSpinningBox;
  // Far away on the same plane: a heavy stack, a ball that rolls, a box of other units.
  for (int k = 0; k < 5; ++k)
    text += fmt::format(
        "[[bodies]]\nshape = {{ kind = \"box\", size = [2, 2, 1] }}\nposition = [50, {}, {}]\ndensity = "
        "5000\n",
        0.1 * k, 0.5 + k);
  text +=
      "[[bodies]]\nshape = { kind = \"sphere\", radius = 0.01 }\nposition = [-7, 3, 0.01]\nvelocity = [3, 0, "
      "0]\n";
  const Simulation<3> among = simulate<3>(text, 200);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(alone.bodies().pose[1].position[i], among.bodies().pose[1].position[i]);
    EXPECT_EQ(alone.bodies().velocity[1][i], among.bodies().velocity[1][i]);
    EXPECT_EQ(alone.bodies().spin[1][i], among.bodies().spin[1][i]);
  }
}

}  // namespace
}  // namespace saltus::hyperstatic_test
