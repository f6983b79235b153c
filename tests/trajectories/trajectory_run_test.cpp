#include "saltus/running/trajectory_run.hpp"

#include <csignal>
#include <ctime>
#include <map>
#include <random>

#include "saltus/base/hash.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/files/trajectory_files.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"
#include "saltus/trajectories/checkpoint_file.hpp"
#include "saltus/trajectories/trajectory_capture.hpp"
#include "saltus/trajectories/trajectory_file.hpp"
#include "saltus/trajectories/trajectory_final.hpp"
#include "trajectories/trajectory_support.hpp"

namespace saltus::trajectory_run_test {
namespace {

using testing::h5dump_opens;
using testing::start_child;
using testing::wait_for;

const char* const kText = "dimension = 2\n[law]\nfriction = 0.5\n";

// Disks fall in a heap; one comes later and one goes, so that the bodies of a frame change.
Scene<2> make_heap(double end_time) {
  Scene<2> scene;
  scene.name = "heap";
  scene.gravity = {0, -10};
  scene.scheme.h = 0.002;
  scene.end_time = end_time;
  scene.default_law = PairLaw{};
  scene.default_law->friction = 0.5;
  SceneBody<2> floor;
  floor.name = "floor", floor.shape = HalfPlane{}, floor.fixed = true;
  scene.bodies.push_back(floor);
  for (int i = 0; i < 24; ++i) {
    SceneBody<2> disk;
    disk.name = "disk " + std::to_string(i);
    disk.shape = Disk{0.1 + 0.01 * (i % 5)};
    disk.pose = Pose<2>({0.23 * (i % 4) + 0.02 * (i / 4), 0.2 + 0.27 * (i / 4)}, 0.1 * i);
    scene.bodies.push_back(disk);
  }
  scene.bodies[5].added_at = end_time / 3;
  scene.bodies[5].pose.position = {0.3, 3};
  scene.bodies[9].removed_at = end_time / 2;
  return scene;
}

class TrajectoryRun : public ::testing::Test {
 protected:
  void SetUp() override { set_log_level(LogLevel::error); }
  void TearDown() override { set_log_level(LogLevel::info); }

  RunOptions options(const std::string& name) const {
    RunOptions result;
    result.output = folder_.path(name);
    result.scene_text = kText;
    result.show_progress = false;
    return result;
  }
  static std::string state_hash(const std::string& summary) {
    const std::size_t at = summary.find("\"state_hash\"");
    return at == std::string::npos ? "" : summary.substr(at, 40);
  }
  static TrajectoryData read_everything(const std::string& path) {
    const TrajectoryFile file = TrajectoryFile::open(path, TrajectoryFile::Mode::read);
    TrajectoryData data;
    for (int i = 0; i < kRowKinds; ++i) {
      const Rows rows = static_cast<Rows>(i);
      file.read(rows, 0, file.rows(rows), data);
    }
    return data;
  }
  // Every number of every column, bit for bit.
  static void expect_same_trajectory(const std::string& path_a, const std::string& path_b) {
    const TrajectoryData a = read_everything(path_a), b = read_everything(path_b);
    for (const TrajectoryColumn& column : trajectory_columns())
      std::visit([&](auto member) { EXPECT_EQ(a.*member, b.*member) << column.path; }, column.data);
  }

  TemporaryFolder folder_;
};

TEST_F(TrajectoryRun, frames_are_written_at_the_start_at_the_times_asked_for_and_at_the_end) {
  Scene<2> scene = make_heap(0.105);  // 52.5 steps of 2 ms: ends to half a step, after 52 or 53
  scene.output.every = 0.01;
  const RunResult result = run_to_file(scene, options("a.h5"));
  EXPECT_EQ(result.outcome, RunOutcome::finished);
  const TrajectoryData data = read_everything(folder_.path("a.h5"));
  ASSERT_EQ(data.frames(), 12);
  for (std::size_t i = 0; i < 11; ++i) EXPECT_EQ(data.step[i], static_cast<std::int64_t>(5 * i));
  EXPECT_GT(data.step[11], 50);
  EXPECT_EQ(data.steps[1], 5);
}

TEST_F(TrajectoryRun, energies_of_the_frames_close_the_balance_of_the_run) {
  Scene<2> scene = make_heap(0.2);
  scene.bodies[5].added_at = 0;  // a body that comes or goes takes its energy along
  scene.bodies[9].removed_at = 1e9;
  run_to_file(scene, options("a.h5"));
  const TrajectoryData d = read_everything(folder_.path("a.h5"));
  for (std::size_t i = 0; i < d.kinetic.size(); ++i) {
    const double work = d.gravity[i] + d.forces[i] + d.drives[i] + d.damping[i] + d.gyroscopic[i] +
                        d.impact[i] + d.friction[i] + d.elastic[i] + d.cohesion[i] + d.scheme[i] +
                        d.defect[i];
    // Round-off of 100 steps of sums of terms of the size of the work of gravity (about 600 J).
    EXPECT_NEAR(d.kinetic[i] - d.kinetic[0], work, 1e-10) << "frame " << i;
  }
}

// Gravity stands at 30 degrees: a disk at (0, 2) is at the height 2 cos(30 degrees) of it, in the first frame
// as in those that follow.
TEST_F(TrajectoryRun, the_potential_energy_of_the_first_frame_knows_the_tilt) {
  Scene<2> scene;
  scene.gravity = {0, -10};
  scene.tilt.angle = TimeFunction::constant(std::acos(-1.0) / 6);
  scene.default_law = PairLaw{};
  scene.end_time = 2e-6, scene.scheme.h = 1e-6;
  SceneBody<2> disk;
  disk.shape = Disk{0.1}, disk.mass = 3, disk.pose.position = {0, 2};
  scene.bodies = {disk};
  run_to_file(scene, options("a.h5"));
  const TrajectoryData data = read_everything(folder_.path("a.h5"));
  ASSERT_GE(data.frames(), 2);
  EXPECT_NEAR(data.potential[0], 3 * 10 * std::sqrt(3.0), 1e-13);
  // It falls g h^2/2 = 5e-12 m in the step: 1.5e-10 J.
  EXPECT_NEAR(data.potential[1], data.potential[0], 2e-10);
}

TEST_F(TrajectoryRun, bodies_come_and_go_with_their_ids) {
  run_to_file(make_heap(0.3), options("a.h5"));
  const TrajectoryData data = read_everything(folder_.path("a.h5"));
  EXPECT_EQ(data.body_count.front(), 24);
  EXPECT_EQ(data.body_count[60], 25);   // t = 0.12: the late one came at 0.1
  EXPECT_EQ(data.body_count[100], 24);  // t = 0.2: another one went at 0.15
  EXPECT_EQ(data.body_id.size(), 25u);
  EXPECT_EQ(data.body_id.back(), 5);  // the last to appear
}

// Kills this process once it has used so much CPU time: a machine that is busy does not change what is
// tested.
void die_after(double cpu_seconds) {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer{};
  itimerspec time{};
  time.it_value.tv_nsec = static_cast<long>(1e9 * cpu_seconds);
  if (::timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 ||
      ::timer_settime(timer, 0, &time, nullptr) != 0)
    std::abort();
}

TEST_F(TrajectoryRun, a_run_killed_again_and_again_ends_in_the_same_state_and_file) {
  Scene<2> scene = make_heap(0.8);
  const RunResult whole = run_to_file(scene, options("whole.h5"));
  scene.output.checkpoint_every = 0.02;
  RunOptions resumed = options("killed.h5");
  resumed.resume = true;
  std::mt19937 random(3);
  int kills = 0, status = -1;
  std::int64_t stages = 0, reached = -1;  // lives that left more frames than the one before
  // A life may be too short to reach a checkpoint on a slow machine: they grow until the run ends.
  for (double longest = 0.02; status != 0 && kills < 300; longest *= 1.05) {
    const double life = std::uniform_real_distribution<double>(0.002, longest)(random);
    const pid_t child = start_child([&] {
      die_after(life);
      run_to_file(scene, resumed);
      return 0;
    });
    status = wait_for(child);
    kills += status != 0;
    if (!std::filesystem::exists(resumed.output)) continue;  // killed before it was made
    const TrajectoryFile file = TrajectoryFile::open(resumed.output, TrajectoryFile::Mode::read);
    stages += file.frames() > reached;
    reached = std::max(reached, file.frames());
    EXPECT_TRUE(kills % 5 || !testing::has_h5dump() || h5dump_opens(resumed.output));
  }
  EXPECT_EQ(status, 0);
  // The first life alone is too short for the run.
  EXPECT_GE(kills, 3) << "the test must kill to mean anything";
  EXPECT_GE(stages, 3) << "the run must go on from several checkpoints";
  const TrajectoryFile file = TrajectoryFile::open(resumed.output, TrajectoryFile::Mode::read);
  EXPECT_EQ(state_hash(file.read_summary()), state_hash(whole.summary));
  expect_same_trajectory(folder_.path("whole.h5"), resumed.output);
  EXPECT_FALSE(std::filesystem::exists(checkpoint_path(resumed.output)));
  EXPECT_FALSE(std::filesystem::exists(resumed.output + ".next"));
  EXPECT_FALSE(std::filesystem::exists(resumed.output + ".lock"));
}

TEST_F(TrajectoryRun, a_file_that_another_process_writes_is_refused_until_that_one_ends) {
  RunOptions forced = options("a.h5");
  forced.force = true;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = start_child([&] {
    RunOptions held = forced;
    held.is_interrupted = [&] {
      if (::write(ready[1], "x", 1) != 1) std::abort();
      ::pause();
      return false;
    };
    run_to_file(make_heap(0.1), held);
    return 0;
  });
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  try {
    run_to_file(make_heap(0.1), forced);
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("another run is writing"), std::string::npos) << error.what();
  }
  ::kill(child, SIGKILL);
  wait_for(child);
  ::close(ready[0]);
  ::close(ready[1]);
  EXPECT_EQ(run_to_file(make_heap(0.1), forced).outcome, RunOutcome::finished);
}

TEST_F(TrajectoryRun, an_interrupted_run_goes_on_to_the_same_bits_even_with_frames_between_checkpoints) {
  Scene<2> scene = make_heap(0.2);
  scene.output.every = 0.014;  // the interruption falls between two frames
  const RunResult whole = run_to_file(scene, options("whole.h5"));
  RunOptions first = options("a.h5");
  int steps = 0;
  first.is_interrupted = [&] { return steps++ == 45; };
  const RunResult stopped = run_to_file(scene, first);
  EXPECT_EQ(stopped.outcome, RunOutcome::interrupted);
  EXPECT_NE(stopped.summary.find("\"interrupted\""), std::string::npos);
  EXPECT_FALSE(TrajectoryFile::open(first.output, TrajectoryFile::Mode::read).is_finished());
  RunOptions second = options("a.h5");
  second.resume = true;
  const RunResult result = run_to_file(scene, second);
  EXPECT_EQ(result.first_step, 45);
  EXPECT_EQ(state_hash(result.summary), state_hash(whole.summary));
  expect_same_trajectory(folder_.path("whole.h5"), first.output);
}

TEST_F(TrajectoryRun, an_existing_output_is_overwritten_only_when_forced) {
  RunOptions plain = options("a.h5");
  replace_file(plain.output, std::string("precious"));
  EXPECT_THROW(run_to_file(make_heap(0.02), plain), InputError);
  plain.resume = true;
  EXPECT_THROW(run_to_file(make_heap(0.02), plain), InputError);  // not a trajectory
  EXPECT_EQ(testing::read_all(plain.output), "precious");
  plain.resume = false;
  plain.force = true;
  EXPECT_EQ(run_to_file(make_heap(0.02), plain).outcome, RunOutcome::finished);
}

TEST_F(TrajectoryRun, a_finished_run_stays_as_it_is_when_resumed) {
  RunOptions options_a = options("a.h5");
  const RunResult first = run_to_file(make_heap(0.02), options_a);
  const std::string before = testing::read_all(options_a.output);
  options_a.resume = true;
  const RunResult second = run_to_file(make_heap(0.02), options_a);
  EXPECT_EQ(second.outcome, RunOutcome::was_finished);
  EXPECT_EQ(second.summary, first.summary);
  EXPECT_EQ(testing::read_all(options_a.output), before);
}

TEST_F(TrajectoryRun, nothing_to_resume_starts_at_the_beginning_and_says_so) {
  std::string said;
  set_log_level(LogLevel::info);
  set_log_sink([&](LogLevel, std::string_view message) { said += message; });
  RunOptions fresh = options("a.h5");
  fresh.resume = true;
  EXPECT_EQ(run_to_file(make_heap(0.02), fresh).outcome, RunOutcome::finished);
  set_log_sink({});
  EXPECT_NE(said.find("nothing to resume, starting at the beginning"), std::string::npos) << said;
}

TEST_F(TrajectoryRun, a_changed_scene_is_an_error_that_names_the_key) {
  RunOptions first = options("a.h5");
  int steps = 0;
  first.is_interrupted = [&] { return steps++ == 5; };
  run_to_file(make_heap(0.1), first);
  RunOptions second = options("a.h5");
  second.resume = true;
  second.scene_text = "dimension = 2\n[law]\nfriction = 0.4\n";
  try {
    run_to_file(make_heap(0.1), second);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("law.friction"), std::string::npos) << error.what();
  }
}

TEST_F(TrajectoryRun, a_frame_given_in_parts_has_the_same_rows) {
  Simulation<2> simulation(make_heap(0.3));
  TrajectoryCapture<2> at_once({}), in_parts({}, 7);
  for (int frame = 0; frame < 3; ++frame) {
    for (int i = 0; i < 40; ++i) simulation.step();
    TrajectoryData whole, joined;
    int parts = 0;
    at_once.capture(simulation, {}, [&](TrajectoryData&& rows) { append(rows, whole); });
    in_parts.capture(simulation, {}, [&](TrajectoryData&& rows) {
      append(rows, joined);
      EXPECT_EQ(joined.frames() == 1,
                ++parts > (simulation.bodies().count() + simulation.contact_count()) / 7);
    });
    EXPECT_GT(simulation.contact_count(), 7);
    for (const TrajectoryColumn& column : trajectory_columns())
      std::visit([&](auto data) { EXPECT_EQ(joined.*data, whole.*data) << column.path; }, column.data);
  }
}

TEST_F(TrajectoryRun, a_damaged_checkpoint_is_refused) {
  RunOptions first = options("a.h5");
  int steps = 0;
  first.is_interrupted = [&] { return steps++ == 5; };
  run_to_file(make_heap(0.1), first);
  const std::string path = checkpoint_path(first.output);
  std::string bytes = testing::read_all(path);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  replace_file(path, bytes);
  RunOptions second = options("a.h5");
  second.resume = true;
  EXPECT_THROW(run_to_file(make_heap(0.1), second), InputError);
  replace_file(path, bytes.substr(0, bytes.size() - 1));
  EXPECT_THROW(run_to_file(make_heap(0.1), second), InputError);
}

TEST_F(TrajectoryRun, a_checkpoint_of_another_version_tells_what_to_do) {
  std::string bytes;
  const ByteSink sink = [&](std::span<const std::byte> part) {
    bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
  };
  encode_checkpoint(
      {}, [](const ByteSink&) {}, sink);
  ASSERT_EQ(bytes.substr(0, 7), "saltusc");
  // An older one, whole: version and checksum are its own. The checksum is that of saltus::StateHash over words of 8 bytes.
  bytes[7] = '3';
  StateHash hash;
  const std::string content = bytes.substr(0, bytes.size() - 8);
  for (std::size_t at = 0; at < content.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, content.data() + at, std::min<std::size_t>(8, content.size() - at));
    hash.add(word);
  }
  if (content.size() % 8 == 0) hash.add(std::uint64_t{0});
  hash.add(std::uint64_t{content.size()});
  const std::uint64_t sum = hash.value();
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  try {
    decode_checkpoint(std::as_bytes(std::span(bytes)), "a.h5.checkpoint");
    FAIL() << "it was taken";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("a.h5.checkpoint"), std::string::npos) << text;
    EXPECT_NE(text.find("another version"), std::string::npos) << text;
    EXPECT_NE(text.find("--force"), std::string::npos) << text;
  }
}

TEST_F(TrajectoryRun, the_end_state_as_a_scene_starts_where_the_run_ended) {
  std::string text;
  run_to_file<2>(make_heap(0.2), options("a.h5"), [&](const Simulation<2>& simulation) {
    text = format_scene(build_final_scene(simulation));
  });
  const SceneFile file = parse_scene(text, folder_.path("final.toml"));
  const Scene<2>& scene = std::get<Scene<2>>(file.scene);
  // The time of a step is its number times h: to round-off of the end time.
  EXPECT_NEAR(scene.start_time, 0.2, 1e-15);
  EXPECT_NEAR(scene.end_time, 0.4, 1e-15);
  EXPECT_EQ(scene.bodies.size(), 24u);  // one of 25 is gone
  const TrajectoryData data = read_everything(folder_.path("a.h5"));
  std::map<std::string, std::size_t> row;  // in the last frame, by the name of the body
  const Scene<2> original = make_heap(0.2);
  for (std::size_t i = static_cast<std::size_t>(data.body_begin.back()); i < data.id.size(); ++i)
    row[original.bodies[static_cast<std::size_t>(data.id[i])].name] = i;
  for (const SceneBody<2>& body : scene.bodies) {
    EXPECT_EQ(body.pose.position.x(), data.position[3 * row.at(body.name)]) << body.name;
    EXPECT_EQ(body.velocity.y(), data.velocity[3 * row.at(body.name) + 1]) << body.name;
  }
  RunOptions onward = options("b.h5");
  EXPECT_EQ(run_to_file(scene, onward).outcome, RunOutcome::finished);
}

// A long run without an output would otherwise fill the memory with rows that nobody asks for.
TEST_F(TrajectoryRun, without_an_output_rows_of_measures_are_kept_only_when_they_are_asked_for) {
  const SceneFile file = parse_scene(
      "dimension = 2\n[run]\nsteps = 20\n[[bodies]]\nshape = { kind = \"disk\", radius = 1 }\n"
      "[[measures]]\nkind = \"motion\"\n",
      "scene.toml");
  RunOptions none = options("");
  none.output.clear();
  // One of each step.
  EXPECT_EQ(run_to_file(std::get<Scene<2>>(file.scene), none).measures.rows.measure_step.size(), 20u);
  none.keep_measures = false;
  EXPECT_TRUE(run_to_file(std::get<Scene<2>>(file.scene), none).measures.rows.measure_step.empty());
}

}  // namespace
}  // namespace saltus::trajectory_run_test
