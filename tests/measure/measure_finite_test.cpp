// Measures of deformable bodies at large strain, and of what stands beside them, against answers that do not come from elements.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "saltus/measure/measure.hpp"
#include "saltus/scenes/scene_reader.hpp"

namespace saltus::measure_finite_test {
namespace {

template <int Dim>
std::map<std::string, double> measure_after(const std::string& text, int steps) {
  Simulation<Dim> simulation(std::get<Scene<Dim>>(parse_scene(text, "scene.toml").scene));
  Snapshot<Dim> snapshot;
  for (int k = 0; k < steps; ++k) simulation.step();
  take_snapshot(simulation, snapshot);
  std::vector<std::string> names;
  for (const auto& body : simulation.scene().bodies) names.push_back(body.name);
  Measurer<Dim> measurer(simulation.scene().measures, names, snapshot);
  std::vector<double> row;
  measurer.measure(snapshot, row);
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < row.size(); ++i) values[measurer.columns()[i]] = row[i];
  return values;
}

std::string measures_of(const std::string& point, const std::string& normal) {
  return "[[measures]]\nkind = \"reaction\"\nsystem = \"b\"\nsurface = \"top\"\n"
         "[[measures]]\nkind = \"section\"\nsystem = \"b\"\npoint = " +
         point + "\nnormal = " + normal + "\n[[measures]]\nkind = \"solid-stress\"\nsystem = \"b\"\n";
}

const std::string kStill =
    "gravity = [0, 0]\n[scheme]\nkind = \"quasi-static\"\nh = 0.1\n[run]\nuntil = 1\n"
    "[solver]\ntolerance_velocity = 1e-12\n[[deformable]]\nname = \"b\"\ncontact = \"none\"\n";

// A block of 0.5 x 1 that its top pulls to 1 + `stretch`, free across.
std::string pulled(const std::string& plane, const std::string& kinematics, const std::string& solid,
                   double stretch) {
  return "dimension = 2\n" + kStill +
         "mesh = { kind = \"rectangle\", size = [0.5, 1], divisions = [2, 4] }\ncentre = [0.25, 0.5]\n"
         "plane = \"" +
         plane + "\"\nkinematics = \"" + kinematics + "\"\nsolid = { kind = \"" + solid +
         "\", young = 200, poisson = 0.3, density = 1 }\n"
         "supports = [{ on = \"left\", locked = [\"x\"] }, { on = \"bottom\", locked = [\"y\"] },\n"
         "  { on = \"top\", drive = { y = { position = { times = [0, 1], values = [0, " +
         std::to_string(stretch) + "] } } } }]\n" + measures_of("[0.2, 0.4]", "[0, 1]");
}

// A section carries what pulls at the end: both are of one uniform state, so that what they differ by is the tolerance of Newton's
// method, 1e-9 of the force.
TEST(MeasureFinite, a_section_carries_the_force_of_the_end_whatever_the_kinematics_and_the_plane) {
  for (const std::string plane : {"strain", "stress", "axisymmetric"})
    for (const auto& [kinematics, solid] :
         {std::pair("small", "linear-elastic"), std::pair("corotational", "linear-elastic"),
          std::pair("finite", "neo-hookean")})
      for (const double stretch : {0.8, -0.2}) {
        if (plane == "axisymmetric" && std::string(kinematics) == "corotational") continue;  // there is none
        const auto at = measure_after<2>(pulled(plane, kinematics, solid, stretch), 10);
        const double pull = at.at("reaction.force_y");
        SCOPED_TRACE(plane + " " + kinematics + " " + std::to_string(stretch));
        EXPECT_GT(std::abs(pull), 10);
        EXPECT_NEAR(at.at("section.force_y"), pull, 1e-8 * std::abs(pull));
        // The stress is uniform, and the area is what the force is over it.
        EXPECT_NEAR(at.at("section.area") * at.at("solid-stress.stress_yy"), pull, 1e-8 * std::abs(pull));
      }
}

// Plane stress, uniaxial: neo-Hookean energy gives the thickness ratio and the force; linear elasticity E A strain, with the area at rest.
TEST(MeasureFinite, areas_are_those_that_the_theory_has_forces_on) {
  const auto small = measure_after<2>(pulled("stress", "small", "linear-elastic", 0.2), 10);
  EXPECT_NEAR(small.at("section.area"), 0.5, 1e-12);
  EXPECT_NEAR(small.at("section.force_y"), 200 * 0.5 * 0.2, 1e-8);
  // A cylinder is a bar under uniaxial stress: its area is pi r^2 of now, and the volume of its matter that area times the length.
  const auto ring = measure_after<2>(pulled("axisymmetric", "finite", "neo-hookean", 0.8), 10);
  const double area = ring.at("section.area"), across = std::sqrt(area / (M_PI * 0.25)),
               J = 1.8 * across * across;
  const double mu = 200 / 2.6, lambda = 200 * 0.3 / (1.3 * 0.4);
  // sigma_across = (mu (b - 1) + lambda ln J)/J = 0 with b = across^2, to the tolerance of Newton's method.
  EXPECT_NEAR(mu * (across * across - 1) + lambda * std::log(J), 0, 1e-6 * mu);
  EXPECT_NEAR(ring.at("section.force_y"), area * (mu * (1.8 * 1.8 - 1) + lambda * std::log(J)) / J, 1e-6);
}

// In equilibrium the mean of the stress is the moment of the forces over the volume of now, to the tolerance of Newton's method; a ring's hoop
// stress is on no force's side, and is taken off.
TEST(MeasureFinite, the_moment_of_the_forces_is_the_mean_stress) {
  for (const std::string plane : {"strain", "stress", "axisymmetric"})
    for (const auto& [kinematics, solid] :
         {std::pair("small", "linear-elastic"), std::pair("finite", "neo-hookean")}) {
      const auto at = measure_after<2>(pulled(plane, kinematics, solid, 0.8), 10);
      SCOPED_TRACE(plane + " " + kinematics);
      for (const char* part : {"xx", "xy", "yx", "yy"})
        EXPECT_NEAR(at.at(std::string("solid-stress.stress_") + part),
                    at.at(std::string("solid-stress.moment_") + part), 1e-6 * at.at("solid-stress.stress_yy"))
            << part;
    }
}

// A thick ring that its bore is driven out by a tenth: rr, theta and rz are all there and vary, the forces are those of the bore and of both ends.
TEST(MeasureFinite, a_ring_under_pressure_has_the_mean_stress_of_its_forces) {
  for (const std::string kinematics : {"small", "finite"}) {
    const std::string solid = kinematics == "small" ? "linear-elastic" : "neo-hookean";
    const auto at = measure_after<2>(
        "dimension = 2\n" + kStill +
            "mesh = { kind = \"rectangle\", size = [1, 1], divisions = [16, 8] }\ncentre = [1.5, 0.5]\n"
            "plane = \"axisymmetric\"\nkinematics = \"" +
            kinematics + "\"\nsolid = { kind = \"" + solid +
            "\", young = 200, poisson = 0.3, density = 1 }\n"
            "supports = [{ on = \"bottom\", locked = [\"y\"] }, { on = \"top\", locked = [\"y\"] },\n"
            "  { on = \"left\", drive = { x = { position = { times = [0, 1], values = [0, 0.1] } } } }]\n" +
            measures_of("[1.5, 0.4]", "[0, 1]"),
        10);
    // Cells have means of what varies like 1/r^2 across them: of order (1/16)^2 of the stress at the bore.
    const double size = 200 * 0.1;
    EXPECT_LT(at.at("solid-stress.stress_xx"), -0.05 * size);
    EXPECT_NEAR(at.at("solid-stress.stress_xx"), at.at("solid-stress.moment_xx"), 0.004 * size) << kinematics;
    EXPECT_NEAR(at.at("solid-stress.stress_yy"), at.at("solid-stress.moment_yy"), 0.004 * size) << kinematics;
    EXPECT_NEAR(at.at("solid-stress.stress_xy"), at.at("solid-stress.moment_xy"), 0.004 * size) << kinematics;
    EXPECT_NEAR(at.at("solid-stress.stress_xy"), at.at("solid-stress.moment_yx"), 0.004 * size) << kinematics;
  }
}

const std::string kFalling =
    "dimension = 2\ngravity = [0, -10]\n[scheme]\nh = 1e-2\n[run]\nuntil = 1\n[law]\n"
    "[[measures]]\nkind = \"motion\"\n";

// Without grains there is no mean over them; what moves is told by the nodes. v = g t after ten steps, to round-off.
TEST(MeasureFinite, nodes_of_meshes_and_lines_have_a_speed) {
  const auto block = measure_after<2>(
      kFalling +
          "[[deformable]]\nmesh = { kind = \"rectangle\", size = [1, 1], divisions = [2, 2] }\ncontact = "
          "\"none\"\n"
          "solid = { kind = \"linear-elastic\", young = 1e6, poisson = 0.3, density = 1000 }\n",
      10);
  EXPECT_NEAR(block.at("motion.speed_max"), 1, 1e-9);
  EXPECT_TRUE(std::isnan(block.at("motion.speed_rms")));
  const auto bar = measure_after<2>(
      kFalling +
          "[[beams]]\nmesh = { kind = \"line\", from = [0, 0], to = [1, 0], divisions = 4 }\n"
          "section = { kind = \"rectangle\", width = 0.1, height = 0.1, young = 1e6, density = 1000 }\n",
      10);
  EXPECT_NEAR(bar.at("motion.speed_max"), 1, 1e-9);
  EXPECT_TRUE(std::isnan(measure_after<2>(kFalling, 1).at("motion.speed_max")));
}

// A cantilever of 1 m under 10 N/m: the support carries 10 N and 5 N m, which no section of an element tells (between its ends: 9.5 N
// in the first of ten). Steps of 1 s with theta = 1 take it to rest; sections of the large one turn by 1e-4 rad, whose cosine is 1 - 1e-8.
TEST(MeasureFinite, the_support_of_a_cantilever_carries_its_load_and_its_moment) {
  for (const std::string kinematics : {"small", "large"}) {
    const auto at = measure_after<2>(
        "dimension = 2\ngravity = [0, 0]\n[scheme]\nh = 1\ntheta = 1\n[run]\nsteps = 12\n[law]\n"
        "[[beams]]\nname = \"plank\"\nmesh = { kind = \"line\", from = [0, 0], to = [1, 0], divisions = 10 "
        "}\n"
        "section = { kind = \"rectangle\", width = 0.1, height = 0.05, young = 5e9, density = 1000 }\n"
        "supports = [{ on = \"start\", locked = [\"x\", \"y\", \"rz\"] }]\nkinematics = \"" +
            kinematics +
            "\"\nloads = [{ kind = \"line\", on = \"all\", direction = \"y\", value = -10 }]\n"
            "[[measures]]\nkind = \"reaction\"\nsystem = \"plank\"\nsurface = \"start\"\n"
            "[[measures]]\nname = \"all\"\nkind = \"reaction\"\nsystem = \"plank\"\n",
        12);
    EXPECT_NEAR(at.at("reaction.support_y"), 10, 1e-6) << kinematics;
    EXPECT_NEAR(at.at("reaction.moment_z"), 5, 1e-6) << kinematics;
    EXPECT_NEAR(at.at("all.support_y"), 10, 1e-6) << kinematics;
    EXPECT_EQ(at.at("all.contact_y"), 0) << kinematics;
  }
}

}  // namespace
}  // namespace saltus::measure_finite_test
