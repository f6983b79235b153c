// Systems, meshes and joints in trajectories; files of format version 1.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <numeric>

#include "files/hdf5_edit.hpp"
#include "paths.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/running/measure_table.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"
#include "trajectories/trajectory_support.hpp"

namespace saltus::trajectory_parts_test {
namespace {

// A ball on an arm that swings onto an elastic block, and two masses between stops.
const char* const kScene = R"(
dimension = 2
gravity = [0, -9.81]
[scheme]
h = 2e-3
[run]
until = 0.3
[output]
every = 0.02
[law]
friction = 0.4
[[bodies]]
name = "ground"
shape = { kind = "half-plane" }
fixed = true
[[elastic]]
name = "block"
centre = [0, 0.2]
size = [0.8, 0.4]
divisions = [4, 2]
young = 2e6
poisson = 0.3
density = 1500
[[bodies]]
name = "arm"
shape = { kind = "rectangle", size = [0.6, 0.06] }
position = [-0.3, 0.9]
density = 500
[[bodies]]
name = "ball"
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.55]
density = 2000
[[joints]]
name = "hinge"
kind = "revolute"
bodies = ["arm"]
point = [-0.6, 0.9]
stabilisation_time = 0.01
[[system]]
name = "masses"
mass = { diagonal = [1, 3] }
stiffness = [[2000, -1000], [-1000, 2000]]
q = [0.1, -0.05]
v = [0.5, 0]
gaps = [{ dof = 0, offset = 0.05, restitution = 0.8 }]
[[measures]]
kind = "joint"
name = "hinge"
joint = "hinge"
[[measures]]
kind = "system"
name = "masses"
system = "masses"
coordinates = [1]
)";

Scene<2> scene_of(const std::string& text) {
  return std::get<Scene<2>>(parse_scene(text, "parts.toml").scene);
}

class TrajectoryParts : public ::testing::Test {
 protected:
  void SetUp() override { set_log_level(LogLevel::error); }
  void TearDown() override { set_log_level(LogLevel::info); }
  RunOptions options(const std::string& name) const {
    RunOptions result;
    result.output = folder_.path(name);
    result.scene_text = kScene;
    result.show_progress = false;
    return result;
  }
  TemporaryFolder folder_;
};

TEST_F(TrajectoryParts, coordinates_nodes_and_joints_come_back_as_they_were) {
  Eigen::VectorXd masses, block, velocity;
  Simulation<2>::JointPlace hinge;
  SystemMesh<2> mesh;
  run_to_file<2>(scene_of(kScene), options("a.h5"), [&](const Simulation<2>& end) {
    masses = end.system_coordinates(0), block = end.system_coordinates(1), velocity = end.system_velocity(1);
    mesh = end.system_mesh(1);
    hinge = end.joint_place(0);
  });
  const TrajectoryReader<2> reader(folder_.path("a.h5"));
  EXPECT_EQ(reader.file().version(), 2);
  EXPECT_EQ(reader.header().system_names, (std::vector<std::string>{"masses", "block"}));
  EXPECT_EQ(reader.header().joint_names, std::vector<std::string>{"hinge"});
  const Frame<2> frame = reader.frame(reader.frames() - 1);
  ASSERT_EQ(frame.systems.size(), 2u);
  EXPECT_EQ(frame.systems[0].coordinates, masses);
  EXPECT_TRUE(frame.systems[0].nodes.empty());
  EXPECT_EQ(frame.systems[1].coordinates, block);
  EXPECT_EQ(frame.systems[1].velocity, velocity);
  ASSERT_EQ(frame.systems[1].nodes.size(), mesh.nodes.size());
  EXPECT_EQ(*frame.systems[1].elements, mesh.elements);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    EXPECT_EQ(frame.systems[1].nodes[i],
              Vec<2>(mesh.nodes[i] + block.segment<2>(2 * static_cast<Eigen::Index>(i))));
  ASSERT_EQ(frame.joints.size(), 1u);
  EXPECT_EQ(frame.joints[0].a, -1);
  EXPECT_EQ(frame.bodies[static_cast<std::size_t>(frame.joints[0].b)].id, 1);
  EXPECT_EQ(frame.joints[0].value[0], hinge.angle());
  EXPECT_EQ(frame.joints[0].rate[0], hinge.rate[0]);
  EXPECT_EQ(frame.joints[0].impulse, Vec<2>(hinge.impulse.head<2>()));
  EXPECT_NE(hinge.angle(), 0);
  // Points and edges of the mesh are bodies for contacts alone.
  const auto following = std::count_if(frame.bodies.begin(), frame.bodies.end(),
                                       [](const FrameBody<2>& body) { return body.follows; });
  EXPECT_EQ(static_cast<std::size_t>(following), frame.bodies.size() - 3);
  EXPECT_GT(following, 0);
}

TEST_F(TrajectoryParts, a_run_that_is_stopped_and_resumed_leaves_the_same_file) {
  run_to_file<2>(scene_of(kScene), options("whole.h5"), {});
  int steps = 0;
  RunOptions first = options("cut.h5");
  first.is_interrupted = [&] { return ++steps == 77; };
  EXPECT_EQ(run_to_file<2>(scene_of(kScene), first, {}).outcome, RunOutcome::interrupted);
  RunOptions rest = options("cut.h5");
  rest.resume = true;
  EXPECT_EQ(run_to_file<2>(scene_of(kScene), rest, {}).outcome, RunOutcome::finished);
  const auto read_all_rows = [&](const char* name) {
    const TrajectoryFile file = TrajectoryFile::open(folder_.path(name), TrajectoryFile::Mode::read);
    TrajectoryData data;
    for (int i = 0; i < kRowKinds; ++i)
      file.read(static_cast<Rows>(i), 0, file.rows(static_cast<Rows>(i)), data);
    return data;
  };
  const TrajectoryData a = read_all_rows("whole.h5"), b = read_all_rows("cut.h5");
  EXPECT_GT(a.coordinate.size(), 0u);
  EXPECT_GT(a.joint_value.size(), 0u);
  for (const TrajectoryColumn& column : trajectory_columns())
    std::visit([&](auto member) { EXPECT_EQ(a.*member, b.*member) << column.path; }, column.data);
}

TEST_F(TrajectoryParts, energies_of_the_first_frame_count_systems_and_works_sum_to_the_change) {
  run_to_file<2>(scene_of(kScene), options("a.h5"), {});
  const TrajectoryReader<2> reader(folder_.path("a.h5"));
  const TrajectoryData& d = reader.index();
  // 1/2 . 1 kg . (0.5 m/s)^2; 1/2 q K q = (2000 . 0.01 + 2000 . 0.0025 - 2 . 1000 . 0.1 . (-0.05))/2. Round-off.
  EXPECT_NEAR(d.kinetic[0], 0.125, 1e-12);
  EXPECT_NEAR(d.elastic_stored[0], 17.5, 1e-10);
  const std::size_t n = d.kinetic.size() - 1;
  const double works = d.gravity[n] + d.forces[n] + d.drives[n] + d.damping[n] + d.gyroscopic[n] +
                       d.impact[n] + d.friction[n] + d.elastic[n] + d.cohesion[n] + d.joints[n] +
                       d.scheme[n] + d.defect[n];
  EXPECT_NE(d.joints[n], 0);  // stabilisation does work
  // Sums of 150 steps of some 20 J: round-off.
  EXPECT_NEAR(d.kinetic[n] - d.kinetic[0], works, 1e-9);
}

TEST_F(TrajectoryParts, measures_of_joints_and_systems_are_those_of_the_run) {
  run_to_file<2>(scene_of(kScene), options("a.h5"), {});
  const MeasureTable stored = read_tables(folder_.path("a.h5")).measures;
  const MeasureTable computed = compute_measures(folder_.path("a.h5"), {}, 0.29, 1);
  ASSERT_EQ(computed.rows(), 1u);
  ASSERT_EQ(stored.columns, computed.columns);
  const std::size_t last = stored.rows() - 1;
  for (std::size_t c = 0; c < stored.columns.size(); ++c)
    EXPECT_EQ(stored.at(last, c), computed.at(0, c)) << stored.columns[c];
  EXPECT_GE(stored.find("hinge.force_y"), 0);
  EXPECT_GE(stored.find("masses.q@1"), 0);
  const auto message = [&](const std::string& measure) -> std::string {
    try {
      compute_measures(folder_.path("a.h5"), {measure}, 0, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("{ kind = \"joint\", joint = \"hnge\" }").find("hinge"), std::string::npos);
  EXPECT_NE(message("{ kind = \"system\", system = \"x\" }").find("masses, block"), std::string::npos);
  EXPECT_NE(message("{ kind = \"system\", system = \"masses\", coordinates = [2] }").find("0 to 1"),
            std::string::npos);
}

TEST_F(TrajectoryParts, coordinates_that_have_names_are_measured_under_them) {
  const char* const text = R"(
dimension = 2
[scheme]
h = 1e-3
[run]
until = 0.01
[[system]]
name = "pendulum"
coordinates = ["r", "turn"]
velocities = ["dr", "spin"]
mass = [["2", "0"], ["0", "2*r^2"]]
q = [1, 0]
v = [0, 3]
[[measures]]
kind = "system"
name = "p"
system = "pendulum"
coordinates = [1]
)";
  RunOptions asked = options("a.h5");
  asked.scene_text = text;
  run_to_file<2>(scene_of(text), asked, {});
  const MeasureTable stored = read_tables(folder_.path("a.h5")).measures;
  const std::vector<std::string> names = {"p.turn", "p.spin"};
  for (const std::string& name : names) ASSERT_GE(stored.find(name), 0);
  const MeasureTable computed = compute_measures(folder_.path("a.h5"), {}, 0.01, 1);
  EXPECT_EQ(computed.columns, stored.columns);
}

// Written by the program before version 2: a ball that falls, 3 frames.
class OldTrajectory : public ::testing::Test {
 protected:
  OldTrajectory() {
    std::filesystem::copy_file(std::string(SALTUS_SOURCE) + "/tests/trajectories/version-1.hdf5", path_);
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.path("old.h5");
};

TEST_F(OldTrajectory, is_read) {
  const TrajectoryReader<2> reader(path_);
  EXPECT_EQ(reader.file().version(), 1);
  ASSERT_EQ(reader.frames(), 3);
  const Frame<2> frame = reader.frame(1);
  EXPECT_TRUE(frame.systems.empty());
  ASSERT_EQ(frame.bodies.size(), 2u);
  // Free fall from 0.2 m for 0.1 s, by the midpoint rule, which is exact here.
  EXPECT_NEAR(frame.bodies[1].pose.position.y(), 0.2 - 0.5 * 9.81 * 0.01, 1e-12);
  EXPECT_FALSE(frame.bodies[1].follows);
  EXPECT_EQ(compute_measures(path_, {"energy", "motion"}, 0, 1).rows(), 3u);
}

// The oldest files of version 1 had fewer datasets yet.
TEST_F(OldTrajectory, is_read_without_what_was_added_later) {
  {
    Hdf5Edit edit(path_);
    for (const char* dataset :
         {"/solver/penetration_relative", "/models/prescribed", "/measures", "/scene/measures"})
      edit.remove(dataset);
  }
  const TrajectoryReader<2> reader(path_);
  EXPECT_EQ(reader.frame(2).bodies.size(), 2u);
}

TEST_F(OldTrajectory, is_refused_without_what_was_always_there) {
  Hdf5Edit(path_).remove("/models/mass");
  EXPECT_THROW(TrajectoryReader<2>{path_}, InputError);
}

}  // namespace
}  // namespace saltus::trajectory_parts_test
