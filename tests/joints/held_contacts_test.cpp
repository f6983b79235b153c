// Contacts between bodies whose joints hold them where they touch: nothing is left for an impulse to do.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::held_contacts_test {
namespace {

struct Outcome {
  double most =
      0;  // largest of kinetic + potential energy, above that of the start, over what the fall from 1 m gives
  double contact = 0;  // J, largest work of contacts and joints in a step
  double defect = 0;   // worst relative balance
  std::int64_t missed = 0, held = 0;
};

template <int Dim>
Outcome run(const std::string& text) {
  Simulation<Dim> simulation(std::get<Scene<Dim>>(parse_scene(text, "scene.toml").scene));
  Outcome outcome;
  double start = 0, weight = 0;
  for (int i = 0; i < simulation.bodies().slots(); ++i)
    if (simulation.bodies().is_moving(i)) weight += 9.81 * simulation.bodies().model[i].mass;
  while (!simulation.finished()) {
    const StepReport report = simulation.step();
    const EnergyBalance& e = report.energy;
    if (report.step == 1) start = e.kinetic + e.potential;
    outcome.most = std::max(outcome.most, (e.kinetic + e.potential - start) / weight);
    outcome.contact =
        std::max({outcome.contact, std::abs(e.impact), std::abs(e.friction), std::abs(e.joints)});
    outcome.defect = std::max(outcome.defect, e.relative_defect());
  }
  outcome.contact /= weight;
  outcome.missed = simulation.summary().unconverged_steps;
  outcome.held = simulation.summary().held_steps;
  return outcome;
}

std::string head(int dimension, const std::string& law) {
  return "dimension = " + std::to_string(dimension) +
         "\ngravity = " + (dimension == 2 ? "[0, -9.81]" : "[0, 0, -9.81]") +
         "\n[scheme]\nh = 1e-3\n[run]\nuntil = 0.5\n[law]\nkind = \"" + law + "\"\nfriction = 0.3\n" +
         (law == "newton"   ? "restitution = 0.5\n"
          : law == "moreau" ? "dissipation = 0.3\n"
                            : "");
}

std::string place(int dimension, double x, double height) {
  const std::string y = std::to_string(height);
  return "[" + std::to_string(x) + (dimension == 2 ? ", " : ", 0, ") + y + "]";
}

// Links in a row, the first held by the world, each hinged to the next in the middle of the faces that touch (or overlap).
std::string chain(int dimension, const std::string& law, const std::string& shape, const std::string& kind,
                  const std::string& axis) {
  std::string text = head(dimension, law);
  for (int i = 0; i < 5; ++i)
    text += "[[bodies]]\nname = \"link-" + std::to_string(i) + "\"\nshape = " + shape +
            "\nposition = " + place(dimension, 0.1 * i, 1) + "\n";
  text += "[[joints]]\nkind = \"" + kind +
          "\"\nbodies = [\"link-0\"]\npoint = " + place(dimension, -0.05, 1) + "\n" + axis;
  for (int i = 0; i < 4; ++i)
    text += "[[joints]]\nkind = \"" + kind + "\"\nbodies = [\"link-" + std::to_string(i) + "\", \"link-" +
            std::to_string(i + 1) + "\"]\npoint = " + place(dimension, 0.1 * i + 0.05, 1) +
            "\ncollide = true\n" + axis;
  return text;
}

// Falls by no more than 0.5 m: the energy of the start is never passed, but for the tolerance of the solver at contacts, 1e-3 g h per step;
// a step's works are bounded by what it can fall in all.
void expect_bounded(const Outcome& outcome, const std::string& what) {
  EXPECT_LT(outcome.most, 1e-3) << what;
  EXPECT_LT(outcome.contact, 0.5) << what;
  EXPECT_LT(outcome.defect, 1e-10) << what;
  EXPECT_EQ(outcome.missed, 0) << what;
}

TEST(HeldContacts, links_hinged_where_they_touch_do_not_blow_up_in_the_plane) {
  for (const std::string law : {"quasi-inelastic", "newton", "velocity-signorini", "gap-signorini"})
    for (const std::string radius : {"0.05", "0.0505"})
      expect_bounded(run<2>(chain(2, law, "{ kind = \"disk\", radius = " + radius + " }", "revolute", "")),
                     law + ", disks of " + radius);
}

TEST(HeldContacts, links_hinged_where_they_touch_do_not_blow_up_in_space) {
  for (const std::string law : {"quasi-inelastic", "newton", "gap-signorini"})
    for (const std::string radius : {"0.05", "0.0505"})
      expect_bounded(run<3>(chain(3, law, "{ kind = \"sphere\", radius = " + radius + " }", "spherical", "")),
                     law + ", balls of " + radius);
}

TEST(HeldContacts, boxes_hinged_in_the_middle_of_their_faces_stay_straight) {
  for (const std::string law : {"quasi-inelastic", "newton", "gap-signorini"}) {
    expect_bounded(run<2>(chain(2, law, "{ kind = \"rectangle\", size = [0.1, 0.04] }", "revolute", "")),
                   law);
    expect_bounded(run<3>(chain(3, law, "{ kind = \"box\", size = [0.1, 0.04, 0.04] }", "revolute",
                                "axis = [0, 1, 0]\n")),
                   law + " in space");
  }
}

// Contacts on either side of each hinge hold it both ways, from the start on. Their rebounds agree: the spin about the hinge is reversed, and halved.
TEST(HeldContacts, boxes_hinged_in_overlap_do_not_gain_from_rebounds) {
  for (const std::string law : {"newton", "moreau"})
    for (const std::string length : {"0.1001", "0.101", "0.11"}) {
      expect_bounded(
          run<2>(chain(2, law, "{ kind = \"rectangle\", size = [" + length + ", 0.04] }", "revolute", "")),
          law + ", " + length);
      expect_bounded(run<3>(chain(3, law, "{ kind = \"box\", size = [" + length + ", 0.04, 0.04] }",
                                  "revolute", "axis = [0, 1, 0]\n")),
                     law + ", " + length + " in space");
    }
}

// On positions what the joint holds stays overlapped: no step asks for the impossible.
TEST(HeldContacts, boxes_hinged_in_overlap_are_projected_on_their_hinges_alone) {
  for (const std::string length : {"0.1001", "0.11"}) {
    std::string text =
        chain(2, "newton", "{ kind = \"rectangle\", size = [" + length + ", 0.04] }", "revolute", "");
    text.replace(text.find("h = 1e-3"), 8, "h = 1e-3\nkind = \"moreau-jean-projected\"");
    expect_bounded(run<2>(text), length);
  }
}

// Likewise: asked to open both sides of a hinge, positions moved the hinge by metres and missed in every step.
TEST(HeldContacts, boxes_hinged_in_overlap_stay_so_under_generalized_alpha) {
  const auto check = [](const Outcome& outcome, const std::string& what) {
    EXPECT_LT(outcome.most, 1e-3) << what;
    EXPECT_LT(outcome.defect, 1e-10) << what;
    EXPECT_EQ(outcome.missed, 0) << what;
  };
  const auto alpha = [](std::string text) {
    return text.replace(text.find("h = 1e-3"), 8, "h = 1e-3\nkind = \"generalized-alpha\"");
  };
  for (const std::string law : {"velocity-signorini", "newton"}) {
    const std::string size = "[0.1001, 0.04";
    check(run<2>(alpha(chain(2, law, "{ kind = \"rectangle\", size = " + size + "] }", "revolute", ""))),
          law);
    check(run<3>(alpha(chain(3, law, "{ kind = \"box\", size = " + size + ", 0.04] }", "revolute",
                             "axis = [0, 1, 0]\n"))),
          law + " in space");
  }
}

// Welded bodies that touch, or overlap by a hundredth, are one body: they fall and land as such.
template <int Dim>
void weld(const std::string& law, double length) {
  const std::string shape = Dim == 2
                                ? "{ kind = \"rectangle\", size = [" + std::to_string(length) + ", 0.1] }"
                                : "{ kind = \"box\", size = [" + std::to_string(length) + ", 0.1, 0.1] }";
  std::string text = head(Dim, law);
  text += std::string("[[bodies]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"") +
          (Dim == 2 ? "half-plane" : "plane") + "\" }\n";
  for (int i = 0; i < 3; ++i)
    text += "[[bodies]]\nname = \"part-" + std::to_string(i) + "\"\nshape = " + shape +
            "\nposition = " + place(Dim, 0.1 * i, 0.2) + "\n";
  for (int i = 0; i < 2; ++i)
    text += "[[joints]]\nkind = \"weld\"\nbodies = [\"part-" + std::to_string(i) + "\", \"part-" +
            std::to_string(i + 1) + "\"]\npoint = " + place(Dim, 0.1 * i + 0.05, 0.2) + "\ncollide = true\n";
  const Outcome outcome = run<Dim>(text);
  const std::string what = law + ", " + std::to_string(length) + " in " + std::to_string(Dim);
  EXPECT_LT(outcome.most, 1e-3) << what;
  EXPECT_LT(outcome.contact, 0.2) << what;  // the height of the fall
  EXPECT_LT(outcome.defect, 1e-10) << what;
  EXPECT_EQ(outcome.missed, 0) << what;
  EXPECT_GT(outcome.held, 0) << what;
}

TEST(HeldContacts, welded_bodies_that_touch_are_one) {
  for (const std::string law : {"quasi-inelastic", "newton", "velocity-signorini", "gap-signorini"})
    for (const double length : {0.1, 0.101}) {
      weld<2>(law, length);
      weld<3>(law, length);
    }
}

// An arm welded to the world, that a fixed frame touches: no joint ties the two, and nothing can part them. A ball falls on it from 0.2 m.
TEST(HeldContacts, what_the_world_holds_rests_on_what_is_fixed) {
  const Outcome outcome = run<2>(
      head(2, "quasi-inelastic") +
      "[[bodies]]\nname = \"frame\"\nfixed = true\nshape = { kind = \"rectangle\", size = [0.1, 1.0] }\n"
      "[[bodies]]\nname = \"arm\"\nshape = { kind = \"rectangle\", size = [0.5, 0.1] }\nposition = [0.3, 0]\n"
      "[[bodies]]\nshape = { kind = \"disk\", radius = 0.05 }\nposition = [0.4, 0.3]\n"
      "[[joints]]\nkind = \"weld\"\nbodies = [\"arm\"]\npoint = [0.05, 0]\n");
  EXPECT_LT(outcome.contact, 0.2);
  EXPECT_LT(outcome.most, 1e-3);
  EXPECT_GT(outcome.held, 0);
  EXPECT_EQ(outcome.missed, 0);
}

}  // namespace
}  // namespace saltus::held_contacts_test
