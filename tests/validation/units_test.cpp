// Units are the user's: a scene in millimetres, hours or tons is the same scene. Units that are powers of two change no
// digit of a number, so that every place has to come out the same to the last bit, whatever was compared with whatever on
// the way: a length that a tolerance takes for a number, or a moment that is added to a force, shows here.
//
// Not here: laws and schemes whose formulas have roots of units (Hertz), and the projected scheme, whose tolerance is a length.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::units_test {
namespace {

struct Units {
  double length, time, mass;
};

// Numbers with units are written <9.81 L T-2>.
std::string in_units(const std::string& text, const Units& units) {
  static const std::regex number("<([-0-9.e]+)((?: [LTM]-?[0-9]?)+)>"), power("([LTM])(-?[0-9]?)");
  std::string result;
  auto from = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
    double value = std::stod((*it)[1]);
    const std::string of = (*it)[2];
    for (std::sregex_iterator unit(of.begin(), of.end(), power); unit != end; ++unit) {
      const double size = (*unit)[1] == "L" ? units.length : (*unit)[1] == "T" ? units.time : units.mass;
      const std::string exponent = (*unit)[2];
      value *= std::pow(size, exponent.empty() ? 1 : std::stoi(exponent));
    }
    result.append(from, (*it)[0].first);
    result += fmt::format("{}", value);  // the shortest text that is read as the same number
    from = (*it)[0].second;
  }
  return result.append(from, text.end());
}

// Places of bodies and nodes after some steps, in units of length.
template <int Dim>
Eigen::VectorXd end_of(const AnyScene& scene, int steps, double length) {
  Simulation<Dim> simulation(std::get<Scene<Dim>>(scene));
  for (int k = 0; k < steps; ++k) EXPECT_EQ(simulation.step().status, StepStatus::converged) << "step " << k;
  std::vector<double> places;
  for (const Pose<Dim>& pose : simulation.bodies().pose)
    places.insert(places.end(), pose.position.data(), pose.position.data() + Dim);
  for (int system = 0; system < simulation.system_count(); ++system) {
    const Eigen::VectorXd& q = simulation.system_coordinates(system);
    places.insert(places.end(), q.data(), q.data() + q.size());
  }
  return Eigen::Map<Eigen::VectorXd>(places.data(), static_cast<Eigen::Index>(places.size())) / length;
}

Eigen::VectorXd end_of(const std::string& text, int steps, const Units& units) {
  const AnyScene scene = parse_scene(in_units(text, units), "scene.toml").scene;
  return std::holds_alternative<Scene<2>>(scene) ? end_of<2>(scene, steps, units.length)
                                                 : end_of<3>(scene, steps, units.length);
}

void expect_same_in_all_units(const std::string& text, int steps = 150) {
  const Eigen::VectorXd expected = end_of(text, steps, {1, 1, 1});
  ASSERT_TRUE(expected.allFinite());
  // About: millimetres, sixtieths of a second and micrograms; quarters of a kilometre; small masses; short times.
  for (const Units& units :
       {Units{0x1p-10, 0x1p-6, 0x1p-30}, Units{0x1p8, 1, 0x1p6}, Units{1, 1, 0x1p-24}, Units{1, 0x1p-8, 1}})
    EXPECT_EQ(end_of(text, steps, units), expected)
        << units.length << " m, " << units.time << " s, " << units.mass << " kg";
}

std::string head(int dimension, const std::string& law, const std::string& scheme = "") {
  const bool plane = dimension == 2;
  return fmt::format(
      "dimension = {}\ngravity = [{}0, <-9.81 L T-2>]\n[scheme]\nh = <0.00390625 T>\n{}\n[run]\nsteps = "
      "1000\n"
      "[law]\n{}\n[materials.default]\ndensity = <1000 M L{}>\n[[bodies]]\nfixed = true\nshape = {{ kind = "
      "\"{}\" }}\n",
      dimension, plane ? "" : "0, ", scheme, law, plane ? -2 : -3, plane ? "half-plane" : "plane");
}

// Bodies that fall on each other, turned each in its own way.
std::string heap(int dimension, const std::string& shape) {
  std::string text;
  for (int k = 0; k < (dimension == 2 ? 12 : 8); ++k) {
    const double x = -0.3 + 0.3 * (k % 3) + 0.003 * ((7 * k) % 5), up = 0.2 + 0.3 * (k / 3);
    text += fmt::format("[[bodies]]\nshape = {}\n", shape);
    text +=
        dimension == 2
            ? fmt::format("position = [<{:.3f} L>, <{:.3f} L>]\nangle = {:.2f}\n", x, up, 0.37 * k)
            : fmt::format("position = [<{:.3f} L>, <{:.3f} L>, <{:.3f} L>]\nrotation = [{:.2f}, 0.2, 0.1]\n",
                          x, 0.004 * (k % 4), up, 0.37 * k);
  }
  return text;
}

const std::string kFriction = "friction = 0.4";
const std::string kRectangle = "{ kind = \"rectangle\", size = [<0.25 L>, <0.1875 L>] }";
const std::string kDisk = "{ kind = \"disk\", radius = <0.125 L> }";
const std::string kBox = "{ kind = \"box\", size = [<0.25 L>, <0.1875 L>, <0.125 L>] }";
const std::string kCylinder = "{ kind = \"cylinder\", radius = <0.125 L>, length = <0.125 L> }";

TEST(Units, heaps_are_the_same_in_all_units) {
  for (const std::string& law :
       {kFriction, std::string("kind = \"newton\"\nrestitution = 0.5\nfriction = 0.4"),
        std::string("kind = \"fremond\"\nrestitution = 0.5\nfriction = 0.4")}) {
    SCOPED_TRACE(law);
    expect_same_in_all_units(head(2, law) + heap(2, kRectangle));
    expect_same_in_all_units(head(2, law) + heap(2, kDisk));
    expect_same_in_all_units(head(3, law) + heap(3, kBox));
    expect_same_in_all_units(head(3, law) + heap(3, kCylinder));
  }
}

TEST(Units, every_solver_takes_the_same_path_in_all_units) {
  for (const char* solver : {"nlgs", "newton", "ipm", "admm", "apgd"}) {
    SCOPED_TRACE(solver);
    const std::string name = fmt::format("[solver]\nname = \"{}\"\n", solver);
    expect_same_in_all_units(head(2, kFriction) + name + heap(2, kRectangle), 80);
    expect_same_in_all_units(head(3, kFriction) + name + heap(3, kBox), 60);
  }
}

TEST(Units, parts_of_laws_with_units_of_their_own_follow_them) {
  const std::string layer =
      "kind = \"elastic\"\nfriction = 0.4\nstiffness_normal = <1e5 M T-2>\nstiffness_tangent = <5e4 M T-2>\n";
  for (const std::string& law :
       {layer, layer + "cohesion = <100 M L T-2>\nrupture_gap = <0.01 L>\nbonding = \"adhesive\"",
        kFriction + "\nrolling = <0.01 L>", kFriction + "\nviscosity = <10 M T-1>",
        kFriction + "\nregularisation = <10 M T-1>"}) {
    SCOPED_TRACE(law);
    expect_same_in_all_units(head(2, law) + heap(2, kDisk));
    expect_same_in_all_units(head(3, law) + heap(3, kBox));
  }
}

TEST(Units, mechanisms_are_the_same_in_all_units) {
  expect_same_in_all_units(head(2, kFriction) + heap(2, kRectangle) + R"(
[[bodies]]
name = "arm"
shape = { kind = "rectangle", size = [<1.2 L>, <0.06 L>] }
position = [<-1.5 L>, <1.9 L>]
[[bodies]]
name = "ball"
shape = { kind = "disk", radius = <0.2 L> }
position = [<-2.1 L>, <1.9 L>]
[[bodies]]
name = "cart"
shape = { kind = "rectangle", size = [<0.4 L>, <0.2 L>] }
position = [<1.0 L>, <0.5 L>]
[[joints]]
kind = "revolute"
bodies = ["arm"]
point = [<-0.9 L>, <1.9 L>]
angle = { friction = <1 M L2 T-2>, damping = <0.5 M L2 T-1> }
[[joints]]
kind = "revolute"
bodies = ["arm", "ball"]
point = [<-2.1 L>, <1.9 L>]
angle = { lower = -0.3, upper = 0.3, restitution = 0.3, stiffness = <20 M L2 T-2> }
[[joints]]
kind = "prismatic"
bodies = ["cart"]
point = [<1.0 L>, <0.5 L>]
axis = [1, 0]
slide = { motor = { velocity = <0.5 L T-1>, limit = <50 M L T-2> }, friction_coefficient = 0.1 }
[[chains]]
links = 8
width = <0.04 L>
points = [[<0.5 L>, <1.5 L>], [<1.5 L>, <1.5 L>]]
)");
}

TEST(Units, deformable_bodies_are_the_same_in_all_units) {
  const auto block = [](int dimension, const char* solid) {
    // In the plane a body is a metre thick in all units: stresses are forces per length.
    const bool plane = dimension == 2;
    const bool finite = std::string(solid) != "linear-elastic";
    return fmt::format(
        "[[deformable]]\nmesh = {{ kind = \"{}\", size = [<0.8 L>, {}<0.3 L>], divisions = [{}] }}\n"
        "centre = [0, {}<0.2 L>]\nkinematics = \"{}\"\n"
        "solid = {{ kind = \"{}\", young = <1e5 M {}T-2>, poisson = 0.3, density = <1000 M L{}> }}\n"
        "[[bodies]]\nshape = {{ kind = \"{}\", radius = <0.125 L> }}\nposition = [<0.1 L>, {}<0.6 L>]\n",
        plane ? "rectangle" : "box", plane ? "" : "<0.4 L>, ", plane ? "6, 3" : "3, 2, 2", plane ? "" : "0, ",
        finite ? "finite" : "small", solid, plane ? "" : "L-1 ", plane ? -2 : -3, plane ? "disk" : "sphere",
        plane ? "" : "0, ");
  };
  const std::string law = "kind = \"gap-signorini\"\nfriction = 0.4";
  for (const char* solid : {"linear-elastic", "neo-hookean"}) {
    SCOPED_TRACE(solid);
    expect_same_in_all_units(head(2, law) + block(2, solid), 60);
    expect_same_in_all_units(head(3, law) + block(3, solid), 30);
  }
}

TEST(Units, alpha_schemes_are_the_same_in_all_units) {
  const std::string law = "kind = \"newton\"\nrestitution = 0.3\nfriction = 0.4";
  expect_same_in_all_units(head(2, law, "kind = \"generalized-alpha\"") + heap(2, kDisk), 80);
  expect_same_in_all_units(head(3, law, "kind = \"newmark\"") + heap(3, kBox), 40);
}

}  // namespace
}  // namespace saltus::units_test
