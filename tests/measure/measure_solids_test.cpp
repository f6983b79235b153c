// Measures of deformable bodies against answers known beforehand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/meshes/mesh_shapes.hpp"
#include "saltus/systems/solid_model.hpp"
#include "sim/sim_scenes.hpp"

namespace saltus::measure_solids_test {
namespace {

template <int Dim>
SceneDeformable<Dim> block_of(SolidMesh<Dim> mesh, const Vec<Dim>& centre, double young) {
  SceneDeformable<Dim> body;
  body.name = "block";
  for (Vec<Dim>& x : mesh.nodes) x += centre;
  body.mesh = std::make_shared<SolidMesh<Dim>>(std::move(mesh));
  body.solids = {{"", "linear-elastic", {"", {{"young", young}, {"poisson", 0.3}}}, 1000}};
  body.newton = NewtonMatrix::kept;
  return body;
}

template <int Dim>
MeasureSpec<Dim> spec_of(MeasureKind kind, const std::string& name) {
  MeasureSpec<Dim> spec;
  spec.kind = kind, spec.name = name, spec.part = "block";
  return spec;
}

// Columns of the measures of a simulation now.
template <int Dim>
std::map<std::string, double> measure_now(const Simulation<Dim>& simulation) {
  Snapshot<Dim> snapshot;
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

// A block on the ground under its weight, damped until it rests. Its bottom carries the weight; the mean of its stress is
// the moment tensor of the reactions. They differ by the strain, since reactions are where the block is deformed and stresses are of
// small displacements: rho g H / E = 4e-6 of rho g H, 2e-5 with the corners. theta = 1 takes fast modes to rest in a few steps, damping
// slow ones by exp(-20/s 1 s).
template <int Dim>
void rest_on_the_ground(ElementKind kind, ContactPoints points) {
  Scene<Dim> scene = test::scene<Dim>(test::law(LawKind::quasi_inelastic, 0.5), 2e-3);
  MeshGrid<Dim> grid;
  grid.kind = kind;
  grid.cells.fill(2);
  Vec<Dim> size = Vec<Dim>::Constant(0.4), centre = Vec<Dim>::Zero();
  size[0] = 0.6;
  centre[1] = 0.2;
  scene.gravity.setZero();
  scene.gravity[1] = -10;
  scene.scheme.theta = 1;
  SceneBody<Dim> ground = test::ground<Dim>();
  ground.shape = HalfSpace<Dim>{Vec<Dim>::Unit(1), 0};
  scene.bodies = {ground};
  scene.deformable = {block_of<Dim>(build_box_mesh<Dim>(size, grid, ""), centre, 1e9)};
  scene.deformable[0].points = points;
  scene.deformable[0].damping_mass = 40;
  auto bottom = spec_of<Dim>(MeasureKind::reaction, "bottom"),
       left = spec_of<Dim>(MeasureKind::reaction, "left");
  bottom.body = "bottom", left.body = "left";
  auto cut = spec_of<Dim>(MeasureKind::section, "cut");
  cut.gate.point = centre, cut.gate.normal = Vec<Dim>::Unit(1);
  scene.measures = {bottom, left, spec_of<Dim>(MeasureKind::solid_stress, "mean"), cut};
  Simulation<Dim> simulation(scene);
  for (int k = 0; k < 500; ++k) simulation.step();
  const auto values = measure_now(simulation);
  const double weight = 1000 * 10 * size.prod(), scale = 1000 * 10 * size[1];
  EXPECT_NEAR(values.at("bottom.force_y"), weight, 1e-6 * weight);
  EXPECT_NEAR(values.at("bottom.contact_y"), weight, 1e-6 * weight);
  EXPECT_EQ(values.at("left.force_y"), 0);
  for (const std::string& part : tensor_parts<Dim>(""))
    EXPECT_NEAR(values.at("mean.stress_" + part), values.at("mean.moment_" + part), 2e-5 * scale) << part;
  EXPECT_NEAR(values.at("mean.stress_yy"), -scale / 2, 2e-5 * scale);  // free at the top: its mean is half
  // The half above hangs on the cut; nodes carry the weight of half an element each, and cells on the two sides of the
  // plane differ by half of what a cell weighs: the cells behind the plane see weight/2 and that.
  const double behind = weight / 2 + weight / 4;
  if (kind != ElementKind::t3) {
    EXPECT_NEAR(values.at("cut.force_y"), -behind, 0.02 * weight);
  }
  EXPECT_NEAR(values.at("cut.area"), Dim == 2 ? 0.6 : 0.24, 0.02 * 0.6);
}

TEST(MeasureSolids, a_block_on_the_ground_has_its_weight_below_and_the_mean_stress_of_its_reactions) {
  rest_on_the_ground<2>(ElementKind::t3, ContactPoints::middles);
  rest_on_the_ground<2>(ElementKind::q4, ContactPoints::nodes);
  rest_on_the_ground<3>(ElementKind::h8, ContactPoints::nodes);
}

// A cantilever that an end force bends: N = 0, Q = -F, M = F (L - x) on each cut, by the elements' own stresses. Linear elements
// through the height would lock: q8, whose mean stresses of cells across a height of four leave 1/16 of a linear distribution out.
TEST(MeasureSolids, sections_of_a_cantilever_carry_the_force_and_its_moment) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini), 1e-2);
  MeshGrid<2> grid;
  grid.kind = ElementKind::q8;
  grid.cells = {20, 4};
  scene.gravity.setZero();
  scene.scheme.theta = 1;
  SceneDeformable<2> bar = block_of<2>(build_bar_mesh<2>(Vec<2>(2, 0.2), grid, ""), Vec<2>::Zero(), 1e7);
  bar.damping_mass = 20;
  for (int k = 0; k < 2; ++k) bar.supports.push_back({"left", k, {Drive::Kind::locked, {}}, ""});
  bar.loads.push_back({SceneDeformable<2>::Load::Kind::force, "right", 1, TimeFunction::constant(-3), ""});
  scene.deformable = {bar};
  auto held = spec_of<2>(MeasureKind::reaction, "held");
  held.body = "left";
  auto cut = spec_of<2>(MeasureKind::section, "cut");
  cut.gate.point = Vec<2>(1.03, 0), cut.gate.normal = Vec<2>(1, 0);
  auto point = spec_of<2>(MeasureKind::point_stress, "point");
  point.gate.point = Vec<2>(1.0, 0.1);
  scene.measures = {held, cut, point};
  Simulation<2> simulation(scene);
  for (int k = 0; k < 800; ++k) simulation.step();
  const auto values = measure_now(simulation);
  EXPECT_NEAR(values.at("held.force_y"), 3, 1e-4 * 3);
  EXPECT_NEAR(values.at("held.support_x"), 0, 1e-4 * 3);
  EXPECT_NEAR(values.at("cut.force_y"), -3, 0.02 * 3);
  EXPECT_NEAR(values.at("cut.shear"), 3, 0.02 * 3);
  EXPECT_NEAR(values.at("cut.normal"), 0, 0.02 * 3);
  const double bending = 3 * (2 - 1.03);
  EXPECT_NEAR(values.at("cut.moment_z"), -bending * (1 - 1.0 / 16), 0.03 * bending);
  // sigma = M y / I, I = 0.2^3/12 per unit of thickness, tension above.
  const double sigma = 3 * 1.0 * 0.1 / (std::pow(0.2, 3) / 12);
  EXPECT_NEAR(values.at("point.stress_xx"), sigma, 0.03 * sigma);
  EXPECT_NEAR(values.at("point.mises"), sigma * std::sqrt(1 - 0.3 + 0.3 * 0.3),
              0.03 * sigma);  // plane strain
  EXPECT_NEAR(values.at("point.mises"), std::sqrt(3.0) * values.at("point.stress_deviator"), 1e-9 * sigma);
}

TEST(MeasureSolids, what_is_not_there_is_told_with_what_is) {
  Scene<2> scene = test::scene<2>(test::law(LawKind::velocity_signorini), 1e-2);
  scene.deformable = {
      block_of<2>(build_box_mesh<2>(Vec<2>(1, 1), {ElementKind::q4, {1, 1}}, ""), Vec<2>::Zero(), 1e5)};
  const auto message = [&](MeasureSpec<2> spec) -> std::string {
    scene.measures = {spec};
    try {
      measure_now(Simulation<2>(scene));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  auto spec = spec_of<2>(MeasureKind::reaction, "r");
  spec.body = "bottum";
  EXPECT_NE(message(spec).find("left, right, bottom, top"), std::string::npos) << message(spec);
  spec.part = "brick";
  EXPECT_NE(message(spec).find("block"), std::string::npos) << message(spec);
  auto point = spec_of<2>(MeasureKind::point_stress, "p");
  point.gate.point = Vec<2>(0.6, 0);
  EXPECT_NE(message(point).find("(-0.5, -0.5) to (0.5, 0.5)"), std::string::npos) << message(point);
  auto cut = spec_of<2>(MeasureKind::section, "c");
  cut.gate.point = Vec<2>(2, 0), cut.gate.normal = Vec<2>(1, 0);
  EXPECT_NE(message(cut).find("goes through it"), std::string::npos) << message(cut);
}

}  // namespace
}  // namespace saltus::measure_solids_test
