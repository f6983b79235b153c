// Damaged trajectories, read in child processes: each is read to the same numbers as the whole one, or
// refused; none ends by a signal, and none gives other numbers.
#include <gtest/gtest.h>

#include <random>

#include "files/hdf5_edit.hpp"
#include "saltus/base/hash.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/running/measure_table.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/trajectories/checkpoint_file.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"
#include "trajectories/trajectory_support.hpp"

namespace saltus::trajectory_damage_test {
namespace {

const char* const kScene = R"(dimension = 2
gravity = [0, -10]
[scheme]
h = 2e-3
[run]
until = 0.1
[output]
every = 0.05
[law]
friction = 0.3
[[bodies]]
shape = { kind = "half-plane" }
fixed = true
[[bodies]]
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.11]
[[bodies]]
shape = { kind = "polygon", points = [[-0.1, -0.1], [0.1, -0.1], [0, 0.1]] }
position = [0.05, 0.35]
[[measures]]
kind = "motion"
)";

void make_trajectory(const std::string& path) {
  const SceneFile file = parse_scene(kScene, "scene.toml");
  RunOptions options;
  options.output = path, options.scene_text = file.text, options.show_progress = false;
  run_to_file(std::get<Scene<2>>(file.scene), options);
}

// Everything that commands read of a trajectory, as one number.
std::uint64_t read_everything(const std::string& path) {
  StateHash hash;
  const TrajectoryReader<2> reader(path);
  for (std::int64_t i = 0; i < reader.frames(); ++i) {
    const Frame<2> frame = reader.frame(i);
    for (const FrameBody<2>& body : frame.bodies)
      for (const double x : {body.pose.position.x(), body.pose.angle(), body.velocity.y(), body.mass})
        hash.add(x);
    for (const FrameContact<2>& c : frame.contacts) hash.add(c.impulse.x()), hash.add(c.gap);
  }
  const TrajectoryTables tables = read_tables(path);
  hash.add(std::string_view(format_csv(tables.measures)));
  hash.add(std::string_view(format_csv(tables.frames)));
  hash.add(std::string_view(format_csv(compute_measures(path, {"stress", "packing"}, 0, 1e9))));
  hash.add(std::string_view(reader.header().scene_text));
  hash.add(std::string_view(reader.file().read_summary()));
  const std::vector<std::byte> state = reader.file().read_state();
  hash.add(state.empty() ? 0 : decode_checkpoint(state, path).frames);
  return hash.value();
}

enum Outcome { kSame = 0, kOther = 1, kRefused = 2, kException = 3 };

int read_in_child(const std::string& path, std::uint64_t expected) {
  return testing::wait_for(testing::start_child([&] {
    set_log_level(LogLevel::error);
    ::alarm(20);
    try {
      return read_everything(path) == expected ? kSame : kOther;
    } catch (const InputError&) {
      return kRefused;
    } catch (...) {
      return kException;
    }
  }));
}

class TrajectoryDamage : public ::testing::Test {
 protected:
  TrajectoryDamage() {
    make_trajectory(path_);
    expected_ = read_everything(path_);
  }
  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("a.h5");
  std::uint64_t expected_ = 0;
};

// Rows, texts, metadata and the indices of chunks have checksums; other bytes are not used.
TEST_F(TrajectoryDamage, flipped_bytes_give_the_same_numbers_or_an_error) {
  const std::string whole = testing::read_all(path_);
  std::mt19937 engine(12);
  int refused = 0;
  for (int trial = 0; trial < 150; ++trial) {
    std::string damaged = whole;
    for (int k = 1 + static_cast<int>(engine() % 3); k > 0; --k)
      damaged[engine() % damaged.size()] ^= static_cast<char>(1 + engine() % 255);
    const int outcome = read_in_child(folder_.write("damaged.h5", damaged), expected_);
    EXPECT_TRUE(outcome == kSame || outcome == kRefused) << "trial " << trial << ": " << outcome;
    refused += outcome == kRefused;
  }
  EXPECT_GT(refused, 50);
}

TEST_F(TrajectoryDamage, a_file_cut_anywhere_is_refused) {
  const std::string whole = testing::read_all(path_);
  for (std::size_t part = 0; part < 20; ++part)
    EXPECT_EQ(read_in_child(folder_.write("cut.h5", whole.substr(0, part * whole.size() / 20)), expected_),
              kRefused)
        << part;
}

TEST_F(TrajectoryDamage, a_dataset_that_is_missing_cut_or_of_another_kind_is_refused) {
  for (const TrajectoryColumn& column : trajectory_columns()) {
    if (column.of_meshes) continue;  // the file has no mesh; trajectory_fields_test.cpp damages one that has
    const auto outcome_after = [&](auto change) {
      const std::string copy = folder_.path("edited.h5");
      std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
      {
        Hdf5Edit edit(copy);
        change(edit);
      }
      return read_in_child(copy, expected_);
    };
    const int missing = outcome_after([&](Hdf5Edit& edit) { edit.remove(column.path); });
    // The field is then one that was not stored, or a column that older programs did not write.
    EXPECT_LE(missing, kRefused) << column.path;
    EXPECT_EQ(outcome_after([&](Hdf5Edit& edit) {
                edit.reals(column.path, {1, 2});
              }),
              kRefused)
        << column.path;
    EXPECT_EQ(outcome_after([&](Hdf5Edit& edit) { edit.announced(column.path, hsize_t(1) << 40); }), kRefused)
        << column.path;
    EXPECT_EQ(outcome_after([&](Hdf5Edit& edit) { edit.text(column.path, "text"); }), kRefused)
        << column.path;
    EXPECT_EQ(outcome_after([&](Hdf5Edit& edit) { edit.group(column.path); }), kRefused) << column.path;
  }
}

}  // namespace
}  // namespace saltus::trajectory_damage_test
