// What the scheme on positions refuses, with the reason, and what it takes.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::schatzman_paoli_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    const SceneFile file = parse_scene(text, "scene.toml");
    std::visit([](const auto& read) { Simulation simulation(read); }, file.scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string scene(const std::string& law, const std::string& body, const std::string& scheme = "") {
  return "dimension = 3\n[scheme]\nkind = \"schatzman-paoli\"\n" + scheme + "[law]\n" + law +
         "[[bodies]]\nname = \"b\"\nposition = [0, 0, 1]\n" + body;
}

const std::string kNewton = "kind = \"newton\"\nrestitution = 0.5\n";
const std::string kBall = "shape = { kind = \"sphere\", radius = 0.1 }\n";
const std::string kBox = "shape = { kind = \"box\", size = [1, 1, 1] }\n";

bool says(const std::string& message, const std::string& words) {
  return message.find(words) != std::string::npos;
}

TEST(SchatzmanPaoli, takes_balls_and_bodies_whose_rotations_are_locked) {
  EXPECT_EQ(refusal(scene(kNewton, kBall)), "");
  EXPECT_EQ(refusal(scene("kind = \"gap-signorini\"\n", kBall)), "");
  EXPECT_EQ(refusal(scene(kNewton, kBox + "locked = [\"rx\", \"ry\", \"rz\"]\n")), "");
  EXPECT_EQ(refusal(scene(kNewton, kBall + "locked = [\"rx\", \"ry\", \"rz\"]\n")), "");
}

TEST(SchatzmanPaoli, refuses_rotations_in_space) {
  for (const std::string& body :
       {kBox, kBall + "spin = [1, 0, 0]\n", kBox + "locked = [\"rx\", \"ry\"]\n",
        kBox + "drive = { rx = { velocity = 1 }, ry = { velocity = 0 }, rz = { velocity = 0 } }\n"}) {
    const std::string message = refusal(scene(kNewton, body));
    EXPECT_TRUE(says(message, "scene.toml:")) << message;
    EXPECT_TRUE(says(message, "no meaning for rotations")) << body << message;
  }
}

TEST(SchatzmanPaoli, refuses_laws_on_velocities_at_their_place) {
  const std::string friction = refusal(scene(kNewton + "friction = 0.3\n", kBall));
  EXPECT_TRUE(says(friction, "scene.toml:4")) << friction;
  EXPECT_TRUE(says(friction, "friction is a law on velocities")) << friction;
  for (const char* law : {"kind = \"moreau\"\n", "kind = \"fremond\"\n", "kind = \"velocity-signorini\"\n",
                          "kind = \"quasi-inelastic\"\n", "kind = \"elastic\"\nstiffness_normal = 1e5\n"})
    EXPECT_TRUE(says(refusal(scene(law, kBall)), "newton or gap-signorini")) << law;
  for (const char* key :
       {"cohesion = 5\n", "viscosity = 5\n", "rolling = 0.1\n", "restitution_tangent = 0.5\n"})
    EXPECT_TRUE(says(refusal(scene(kNewton + key, kBall)), "schatzman-paoli")) << key;
}

TEST(SchatzmanPaoli, refuses_keys_of_other_schemes) {
  EXPECT_TRUE(says(refusal(scene(kNewton, kBall, "theta = 0.6\n")), "none under schatzman-paoli"));
  EXPECT_TRUE(
      says(refusal(scene(kNewton, kBall, "jacobian_at = \"start\"\n")), "none under schatzman-paoli"));
}

TEST(SchatzmanPaoli, refuses_activation_and_joints) {
  EXPECT_TRUE(says(refusal(scene(kNewton, kBall, "activation = \"implicit\"\n")), "on every contact"));
  const std::string joint =
      "[[joints]]\nkind = \"revolute\"\nbodies = [\"b\"]\npoint = [0, 0, 2]\naxis = [1, 0, 0]\n";
  EXPECT_TRUE(says(refusal(scene(kNewton, kBall + joint)), "schatzman-paoli"));
}

std::string system_scene(const std::string& mass, const std::string& rows) {
  return "dimension = 2\n[scheme]\nkind = \"schatzman-paoli\"\nh = 1e-3\n[[system]]\ncoordinates = [\"x\", "
         "\"y\"]\nmass = " +
         mass + "\nforce = { y = \"-9.81\" }\nq = [0.6, 0.8]\n" + rows;
}

TEST(SchatzmanPaoli, takes_systems_with_a_constant_mass_and_refuses_others) {
  const std::string gaps = "gaps = [{ gap = \"x^2 + y^2 - 0.5\", restitution = 0.5 }]\n";
  EXPECT_EQ(refusal(system_scene("{ diagonal = [1, 1] }", gaps)), "");
  const std::string depends = refusal(system_scene("{ diagonal = [\"1 + y^2\", 1] }", gaps));
  EXPECT_TRUE(says(depends, "mass that depends on coordinates")) << depends;
  EXPECT_TRUE(says(depends, "scene.toml:")) << depends;
  const std::string rubs = "gaps = [{ gap = \"y\", tangent = \"x\", friction = 0.5 }]\n";
  EXPECT_TRUE(says(refusal(system_scene("{ diagonal = [1, 1] }", rubs)), "friction is a law on velocities"));
  const std::string other = "gaps = [{ gap = \"y\", kind = \"quasi-inelastic\" }]\n";
  EXPECT_TRUE(says(refusal(system_scene("{ diagonal = [1, 1] }", other)), "newton or gap-signorini"));
}

Simulation<2> open(const std::string& text) {
  return Simulation<2>(std::get<Scene<2>>(parse_scene(text, "scene.toml").scene));
}

// A point falls on a round hill, x^2 + y^2 = 0.49. With e = 0 no end of a step lies inside, but for what one linearisation at the
// end of the free step leaves of it, of the order of (h^2 g)^2 and of (h v)^2 in the step of impact; the audit closes to round-off.
TEST(SchatzmanPaoli, a_point_slides_down_a_hill_and_the_audit_closes_at_t_k) {
  Simulation<2> simulation = open(
      system_scene("{ diagonal = [1, 1] }", "gaps = [{ gap = \"x^2 + y^2 - 0.49\", restitution = 0 }]\n"));
  double deepest = 0, touched = 0;
  for (int k = 0; k < 600; ++k) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    ASSERT_LT(report.energy.relative_defect(), 1e-12) << k;
    EXPECT_EQ(report.energy.scheme, 0);
    deepest = std::max(deepest, report.penetration);
    touched += simulation.gap_impulses()[0];
    EXPECT_GE(simulation.gap_impulses()[0], 0);
  }
  EXPECT_GT(touched, 0);
  // Impact at 3 m/s or less: (h v)^2 = 9e-6.
  EXPECT_LT(deepest, 1e-5);
}

// In free flight V changes by h g in a step and the centred velocity is exact: K + U of t_k is constant.
TEST(SchatzmanPaoli, energies_are_those_of_the_instant_of_the_centred_velocity) {
  Simulation<2> simulation = open(system_scene("{ diagonal = [1, 1] }", "v = [1, 2]\n"));
  for (int k = 0; k < 100; ++k) {
    const StepReport report = simulation.step();
    // The first velocity is V_0 = 2 - as of t_(-1/2): v_k = 2 - g h (k + 1/2).
    const double v = 2 - 9.81 * 1e-3 * (k + 0.5);
    EXPECT_NEAR(report.energy.kinetic, 0.5 * (1 + v * v), 1e-11);
    EXPECT_LT(report.energy.relative_defect(), 1e-13);
  }
}

// One step stops the ball and the next sends it back: neither is an impact, and their sum loses what the law says.
TEST(SchatzmanPaoli, an_impact_of_two_steps_is_no_gain) {
  Simulation<3> simulation(std::get<Scene<3>>(
      parse_scene(
          "dimension = 3\ngravity = [0, 0, -9.81]\n[scheme]\nkind = \"schatzman-paoli\"\nh = 1e-3\n[law]\n" +
              kNewton + "[[bodies]]\nname = \"floor\"\nshape = { kind = \"plane\" }\nfixed = true\n" +
              "[[bodies]]\nname = \"b\"\nposition = [0, 0, 0.6]\nmass = 1\n" + kBall,
          "scene.toml")
          .scene));
  double impact = 0;
  for (int k = 0; k < 500; ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.gain_groups, 0) << k;
    impact += report.energy.impact;
  }
  EXPECT_NEAR(impact, -0.75 * 9.81 * 0.5, 0.05);  // 1 - e^2 of the fall
  EXPECT_TRUE(simulation.warnings().empty());
}

// A pendulum by x^2 + y^2 = 1: the constraint holds on positions at every step.
TEST(SchatzmanPaoli, constraints_of_systems_hold_on_positions) {
  Simulation<2> simulation =
      open(system_scene("{ diagonal = [1, 1] }", "constraints = [\"x^2 + y^2 - 1\"]\n"));
  double off = 0;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_EQ(simulation.step().status, StepStatus::converged);
    off = std::max(off, std::abs(simulation.system_coordinates(0).squaredNorm() - 1));
  }
  // Linearised once, at the end of the free step: what is left is the square of h^2 times the acceleration of the rod.
  EXPECT_LT(off, 1e-8);
}

}  // namespace
}  // namespace saltus::schatzman_paoli_test
