// Stresses, strains and reactions of finite elements in trajectories.
#include <cmath>
#include <filesystem>
#include <numeric>

#include "files/hdf5_edit.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/trajectories/stored_fields.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"
#include "trajectories/trajectory_support.hpp"

namespace saltus::trajectory_fields_test {
namespace {

// A strip of length 2, height 0.5 and thickness 0.1, stretched by 1e-3 in plane stress: its nodes start where it is in
// equilibrium, and both ends are held there.
std::string stretched(const std::string& element, const std::string& fields) {
  return R"(
dimension = 2
[scheme]
h = 1e-3
[run]
steps = 2
[output]
)" + fields +
         R"(
[[deformable]]
name = "strip"
mesh = { kind = "bar", size = [2, 0.5], divisions = [4, 1], element = ")" +
         element + R"(" }
solid = { kind = "linear-elastic", young = 1e6, poisson = 0.3, density = 1000 }
plane = "stress"
thickness = 0.1
supports = [{ on = "left", locked = ["x"] }, { on = "right", locked = ["x"] }]
displacements = )";
}

const FrameField* find(const std::vector<FrameField>& fields, const std::string& name) {
  for (const FrameField& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

class TrajectoryFields : public ::testing::Test {
 protected:
  void SetUp() override { set_log_level(LogLevel::error); }
  void TearDown() override { set_log_level(LogLevel::info); }
  template <int Dim>
  std::string run(const std::string& text, const std::string& name,
                  const std::function<void(const Simulation<Dim>&)>& at_end = {}) {
    RunOptions options;
    options.output = folder_.path(name);
    options.show_progress = false;
    run_to_file<Dim>(std::get<Scene<Dim>>(parse_scene(text, "fields.toml").scene), options, at_end);
    return options.output;
  }
  // The strip with displacements of its nodes, whose places a first scene tells.
  std::string run_strip(const std::string& element, const std::string& fields, const std::string& name) {
    const std::string text = stretched(element, fields);
    const auto bare =
        std::get<Scene<2>>(parse_scene(text.substr(0, text.rfind("displacements")), "bare.toml").scene);
    std::string q;
    for (const Vec<2>& x : bare.deformable[0].mesh->nodes)
      q += (q.empty() ? "[" : ", ") +
           ("[" + std::to_string(1e-3 * x.x()) + ", " + std::to_string(-0.3e-3 * x.y()) + "]");
    return run<2>(text + q + "]\n", name);
  }
  TemporaryFolder folder_;
};

// Displacements are written with six decimals, which hold them exactly: nodes are at multiples of 0.25 and 0.05 mm of strain, so
// stresses are right to round-off of E eps, some 1e-16 of 1e6 Pa times a few nodes' worth of cancellation.
TEST_F(TrajectoryFields, a_stretched_strip_has_its_stress_strain_and_reactions) {
  for (const std::string element : {"t3", "q4", "t6", "q8"}) {
    SCOPED_TRACE(element);
    const TrajectoryReader<2> reader(run_strip(element, "", element + ".h5"));
    const Frame<2> frame = reader.frame(reader.frames() - 1);
    const FrameSystem<2>& strip = frame.systems[0];
    ASSERT_EQ(strip.mesh->cells.size(), element[0] == 't' ? 8u : 4u);
    EXPECT_NEAR(std::accumulate(strip.mesh->cell_volume.begin(), strip.mesh->cell_volume.end(), 0.0), 0.1,
                1e-14);
    for (const auto* fields : {&strip.node_fields, &strip.cell_fields}) {
      const FrameField *stress = find(*fields, "stress"), *strain = find(*fields, "strain");
      ASSERT_TRUE(stress && strain);
      EXPECT_EQ(stress->components, (std::vector<std::string>{"xx", "yy", "zz", "xy"}));
      for (std::size_t row = 0; row < stress->values.size() / 4; ++row) {
        const double expected[2][4] = {{1000, 0, 0, 0}, {1e-3, -0.3e-3, -0.3e-3, 0}};
        for (std::size_t k = 0; k < 4; ++k) {
          EXPECT_NEAR(stress->values[4 * row + k], expected[0][k], 1e-7);
          EXPECT_NEAR(strain->values[4 * row + k], expected[1][k], 1e-13);
        }
      }
    }
    // Held by sigma times the section on either side, in opposite senses.
    const FrameField* reaction = find(strip.node_fields, "reaction");
    ASSERT_TRUE(reaction);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < strip.nodes.size(); ++i)
      (strip.mesh->nodes[i].x() < 1 ? left : right) += reaction->values[2 * i];
    EXPECT_NEAR(right, 1000 * 0.5 * 0.1, 1e-8);
    EXPECT_NEAR(left, -1000 * 0.5 * 0.1, 1e-8);
    ASSERT_EQ(strip.mesh->surfaces.size(), 4u);
    EXPECT_EQ(strip.mesh->surfaces[0].name, "left");
    for (const auto& side : strip.mesh->surfaces[0].sides)
      for (const int node : side) {
        if (node < 0) continue;
        EXPECT_EQ(strip.mesh->nodes[static_cast<std::size_t>(node)].x(), 0);
      }
  }
}

TEST_F(TrajectoryFields, only_chosen_fields_are_stored) {
  const TrajectoryReader<2> reader(run_strip("q4", "fields = [\"positions\", \"stresses\"]", "some.h5"));
  const FrameSystem<2> strip = reader.frame(0).systems[0];
  EXPECT_TRUE(find(strip.node_fields, "stress") && find(strip.cell_fields, "stress"));
  EXPECT_EQ(strip.node_fields.size(), 1u);
  const TrajectoryReader<2> none(run_strip("q4", "fields = [\"positions\"]", "none.h5"));
  EXPECT_TRUE(none.frame(0).systems[0].node_fields.empty());
  EXPECT_EQ(none.frame(0).systems[0].mesh->cells.size(), 4u);
}

TEST_F(TrajectoryFields, columns_of_meshes_that_are_missing_or_of_another_size_are_refused) {
  const std::string whole = run_strip("q4", "", "whole.h5"), damaged = folder_.path("damaged.h5");
  const auto read_all = [&] {
    const TrajectoryReader<2> reader(damaged);
    for (std::int64_t i = 0; i < reader.frames(); ++i) reader.frame(i);
  };
  for (const TrajectoryColumn& column : trajectory_columns()) {
    if (!column.of_meshes) continue;
    for (const bool removed : {true, false}) {
      std::filesystem::copy_file(whole, damaged, std::filesystem::copy_options::overwrite_existing);
      {
        Hdf5Edit edit(damaged);
        if (removed)
          edit.remove(column.path);
        else
          edit.reals(column.path, {1, 2});
      }
      EXPECT_THROW(read_all(), InputError) << column.path << (removed ? " removed" : " cut");
    }
  }
}

// A plastic bar pulled beyond its yield, in space; resumed in the middle it leaves the same rows.
TEST_F(TrajectoryFields, plastic_strains_are_those_of_the_simulation_and_survive_a_resume) {
  const std::string text = R"(
dimension = 3
[scheme]
h = 1e-3
[run]
steps = 40
[output]
every = 0.01
[[deformable]]
name = "bar"
mesh = { kind = "bar", size = [1, 0.2, 0.2], divisions = [3, 1, 1] }
solid = { kind = "j2-plasticity", young = 1e6, poisson = 0.3, yield = 1e3, hardening = 1e5, density = 1 }
supports = [{ on = "left", locked = ["x", "y", "z"] }, { on = "right", drive = { x = { velocity = 0.2 } } }]
)";
  SystemFields last;
  const std::string whole =
      run<3>(text, "whole.h5", [&](const Simulation<3>& end) { last = end.system_fields(0); });
  const TrajectoryReader<3> reader(whole);
  const FrameSystem<3> bar = reader.frame(reader.frames() - 1).systems[0];
  const FrameField *plastic = find(bar.cell_fields, "plastic_strain"),
                   *stress = find(bar.node_fields, "stress");
  ASSERT_TRUE(plastic && stress);
  EXPECT_EQ(plastic->values, last.cell_plastic_strain);
  EXPECT_EQ(stress->values, last.node_stress);
  EXPECT_EQ(stress->components.size(), 6u);
  for (const double strain : plastic->values) EXPECT_GT(strain, 1e-3);

  RunOptions options;
  options.output = folder_.path("cut.h5");
  options.show_progress = false;
  int steps = 0;
  options.is_interrupted = [&] { return ++steps == 17; };
  const auto scene = std::get<Scene<3>>(parse_scene(text, "fields.toml").scene);
  EXPECT_EQ(run_to_file<3>(scene, options, {}).outcome, RunOutcome::interrupted);
  options.is_interrupted = {};
  options.resume = true;
  EXPECT_EQ(run_to_file<3>(scene, options, {}).outcome, RunOutcome::finished);
  const TrajectoryReader<3> resumed(options.output);
  ASSERT_EQ(resumed.frames(), reader.frames());
  for (std::int64_t i = 0; i < reader.frames(); ++i)
    EXPECT_EQ(find(resumed.frame(i).systems[0].node_fields, "stress")->values,
              find(reader.frame(i).systems[0].node_fields, "stress")->values);
}

// Three disks on a floor, solved loosely. Older programs wrote no residuals of contacts: their files are read without.
TEST_F(TrajectoryFields, residuals_of_contacts_are_those_of_the_simulation) {
  const std::string text = R"(
dimension = 2
gravity = [0, -9.81]
[scheme]
h = 1e-3
[run]
steps = 60
[law]
friction = 0.5
[[bodies]]
shape = { kind = "half-plane" }
fixed = true
[[bodies]]
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.1]
[[bodies]]
shape = { kind = "disk", radius = 0.1 }
position = [0.2, 0.1]
[[bodies]]
shape = { kind = "disk", radius = 0.1 }
position = [0.1, 0.28]
)";
  std::vector<double> told;
  double largest = 0;
  const std::string path = run<2>(text, "a.h5", [&](const Simulation<2>& simulation) {
    for (int i = 0; i < simulation.contact_count(); ++i) told.push_back(simulation.contact(i).residual);
  });
  {
    const TrajectoryReader<2> reader(path);
    const Frame<2> frame = reader.frame(reader.frames() - 1);
    ASSERT_EQ(frame.contacts.size(), told.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
      EXPECT_EQ(frame.contacts[i].residual, told[i]) << i;
      largest = std::max(largest, told[i]);
    }
    EXPECT_GT(largest, 0);
    EXPECT_TRUE(has_field(reader.file(), "residuals"));
  }
  Hdf5Edit(path).remove("/contacts/residual");
  const TrajectoryReader<2> older(path);
  EXPECT_FALSE(has_field(older.file(), "residuals"));
  EXPECT_EQ(older.frame(older.frames() - 1).contacts[0].residual, 0);
}

}  // namespace
}  // namespace saltus::trajectory_fields_test
