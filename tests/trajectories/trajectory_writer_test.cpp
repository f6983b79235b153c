#include "saltus/trajectories/trajectory_writer.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <random>

#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/files/trajectory_files.hpp"
#include "trajectories/trajectory_support.hpp"

namespace saltus::trajectory_writer_test {
namespace {

using testing::h5dump_opens;
using testing::start_child;
using testing::wait_for;

TrajectoryHeader make_header() {
  TrajectoryHeader header;
  header.dimension = 2;
  header.name = "test", header.title = "A test", header.scene_text = "dimension = 2\n",
  header.program = "saltus test";
  header.h = 0.01;
  header.gravity = {0, -10}, header.period = {0, 0};
  header.body_names = {"first", "second"};
  return header;
}

// Every number of a frame follows from its number, so that a reader can tell a right frame from a wrong one.
TrajectoryData make_frame(std::int64_t number, int bodies = 3) {
  TrajectoryData frame;
  for (const TrajectoryColumn& column : trajectory_columns()) {
    if (column.rows != Rows::frame && column.rows != Rows::body && column.rows != Rows::contact) continue;
    const int rows = column.rows == Rows::frame ? 1 : bodies;
    std::visit(
        [&](auto member) {
          for (int i = 0; i < rows * column.width(2); ++i)
            (frame.*member)
                .push_back(static_cast<std::decay_t<decltype((frame.*member)[0])>>((number + i) % 3));
        },
        column.data);
  }
  frame.step[0] = number;
  frame.body_begin[0] = frame.contact_begin[0] = number * bodies;
  frame.body_count[0] = frame.contact_count[0] = bodies;
  frame.coordinate_begin[0] = frame.coordinate_count[0] = frame.joint_begin[0] = frame.joint_count[0] = 0;
  for (double& x : frame.position) x = static_cast<double>(number) + 0.25;
  return frame;
}

TrajectoryData read_frames(const TrajectoryFile& file) {
  TrajectoryData data;
  for (const Rows rows : {Rows::frame, Rows::body, Rows::contact}) file.read(rows, 0, file.rows(rows), data);
  return data;
}

void expect_frames(const std::string& path, std::int64_t count, int bodies = 3) {
  const TrajectoryFile file = TrajectoryFile::open(path, TrajectoryFile::Mode::read);
  ASSERT_EQ(file.frames(), count);
  TrajectoryData expected;
  for (std::int64_t i = 0; i < count; ++i) append(make_frame(i, bodies), expected);
  const TrajectoryData found = read_frames(file);
  EXPECT_EQ(found.step, expected.step);
  EXPECT_EQ(found.position, expected.position);
  EXPECT_EQ(found.status, expected.status);
  EXPECT_EQ(found.impulse, expected.impulse);
  EXPECT_EQ(found.feature, expected.feature);
  EXPECT_EQ(found.step_status, expected.step_status);
}

TEST(TrajectoryWriter, what_is_written_can_be_read_back) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  TrajectoryWriter writer = TrajectoryWriter::create(path, make_header());
  for (int i = 0; i < 7; ++i) {
    writer.add(make_frame(i));
    if (i % 3 == 0) writer.flush();
  }
  writer.finish({true, "{\"steps\": 7}", {}, {}});
  expect_frames(path, 7);
  const TrajectoryFile file = TrajectoryFile::open(path, TrajectoryFile::Mode::read);
  EXPECT_TRUE(file.is_finished());
  EXPECT_EQ(file.read_summary(), "{\"steps\": 7}");
  const TrajectoryHeader header = file.read_header();
  EXPECT_EQ(header.scene_text, "dimension = 2\n");
  EXPECT_EQ(header.body_names, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(header.gravity, (std::vector<double>{0, -10}));
  EXPECT_FALSE(std::filesystem::exists(path + ".next"));
}

// More than the 8 MiB that may wait for the other file: both are written at each flush.
TEST(TrajectoryWriter, frames_of_many_bodies_are_in_the_file_once) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  constexpr int kBodies = 60'000;
  TrajectoryWriter writer = TrajectoryWriter::create(path, make_header());
  for (int i = 0; i < 3; ++i) {
    writer.add(make_frame(i, kBodies));
    EXPECT_TRUE(writer.is_due());
    writer.flush();
    expect_frames(path, i + 1, kBodies);
  }
  writer.finish({true, "{}", {}, {}});
  expect_frames(path, 3, kBodies);
}

TEST(TrajectoryWriter, only_the_fields_that_were_asked_for_are_in_the_file) {
  const TemporaryFolder folder;
  TrajectoryHeader header = make_header();
  header.fields = {"positions", "gaps"};
  TrajectoryWriter writer = TrajectoryWriter::create(folder.path("a.h5"), header);
  writer.add(make_frame(0));
  writer.finish({true, {}, {}, {}});
  const TrajectoryFile file = TrajectoryFile::open(folder.path("a.h5"), TrajectoryFile::Mode::read);
  for (const TrajectoryColumn& column : trajectory_columns()) {
    const std::string field = column.field;
    // Gaps mean nothing without the pairs they are between.
    const bool wanted = field.empty() || field == "positions" || field == "gaps" || field == "contacts";
    EXPECT_EQ(file.has(column), wanted && !column.of_meshes) << column.path;  // there is no mesh
  }
}

TEST(TrajectoryWriter, the_file_is_whole_for_the_stock_tool_after_every_flush) {
  if (!testing::has_h5dump()) GTEST_SKIP() << "h5dump is not installed";
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  TrajectoryWriter writer = TrajectoryWriter::create(path, make_header());
  EXPECT_TRUE(h5dump_opens(path));
  for (int i = 0; i < 4; ++i) {
    writer.add(make_frame(i));
    writer.flush();
    EXPECT_TRUE(h5dump_opens(path));
    expect_frames(path, i + 1);
  }
}

TEST(TrajectoryWriter, a_run_killed_at_any_moment_leaves_every_flushed_frame) {
  if (!testing::has_h5dump()) GTEST_SKIP() << "h5dump is not installed";
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  auto* flushed = static_cast<std::atomic<std::int64_t>*>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::mt19937 random(7);
  constexpr int kBodies = 200;
  for (int trial = 0; trial < 12; ++trial) {
    *flushed = -1;
    const pid_t child = start_child([&] {
      TrajectoryWriter writer = TrajectoryWriter::create(path, make_header());
      for (std::int64_t i = 0;; ++i) {
        writer.add(make_frame(i, kBodies));
        writer.flush();
        *flushed = i + 1;
      }
      return 0;
    });
    while (*flushed < 1) ::usleep(200);
    ::usleep(std::uniform_int_distribution<unsigned>(0, 60000)(random));
    ::kill(child, SIGKILL);
    EXPECT_EQ(wait_for(child), 128 + SIGKILL);
    const std::int64_t frames = TrajectoryFile::open(path, TrajectoryFile::Mode::read).frames();
    // Killed between the exchange of names and the report of it, there is one frame more.
    EXPECT_TRUE(frames == *flushed || frames == *flushed + 1) << frames << " of " << *flushed;
    EXPECT_TRUE(h5dump_opens(path));
    expect_frames(path, frames, kBodies);
  }
  ::munmap(flushed, 4096);
}

TEST(TrajectoryWriter, a_continued_file_drops_the_frames_after_the_checkpoint) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  {
    TrajectoryWriter writer = TrajectoryWriter::create(path, make_header());
    for (int i = 0; i < 9; ++i) writer.add(make_frame(i));
    writer.flush();
  }
  {
    TrajectoryWriter writer = TrajectoryWriter::resume(path, 4, 1 << 30, "dimension = 2\n");
    expect_frames(path, 4);
    for (int i = 4; i < 6; ++i) {
      writer.add(make_frame(i));
      writer.flush();
    }
    writer.finish({false, "{}", {}, {}});
  }
  expect_frames(path, 6);
  EXPECT_THROW(TrajectoryWriter::resume(path, 7, 1 << 30, ""), InputError);
}

TEST(TrajectoryWriter, a_full_disk_is_an_error_and_leaves_what_was_flushed) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  const pid_t child = start_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200000, 200000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::mt19937 random(1);
    try {
      TrajectoryWriter writer = TrajectoryWriter::create(path, make_header());
      for (std::int64_t i = 0; i < 100000; ++i) {
        TrajectoryData frame = make_frame(i, 300);
        for (double& v : frame.velocity) v = std::uniform_real_distribution<>()(random);  // does not compress
        writer.add(frame);
        writer.flush();
      }
    } catch (const OutputError& error) {
      return std::string(error.what()).find(path) == std::string::npos ? 2 : 4;
    }
    return 0;
  });
  EXPECT_EQ(wait_for(child), 4);
  const std::int64_t frames = TrajectoryFile::open(path, TrajectoryFile::Mode::read).frames();
  EXPECT_GT(frames, 1);
  expect_frames(path, frames, 300);
  EXPECT_FALSE(std::filesystem::exists(path + ".next"));
  EXPECT_TRUE(!testing::has_h5dump() || h5dump_opens(path));
}

// Not even the first bytes can be written: nothing is left behind.
TEST(TrajectoryWriter, a_disk_that_is_full_from_the_start_is_left_as_it_was) {
  const TemporaryFolder folder;
  const pid_t child = start_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int failed = 0;
    try {
      TrajectoryWriter::create(folder.path("a.h5"), make_header());
    } catch (const OutputError&) {
      ++failed;
    }
    try {
      FcProblemFile problem;
      problem.problem = ContactProblem{};
      write_fclib(folder.path("b.hdf5"), problem);
    } catch (const OutputError&) {
      ++failed;
    }
    return failed;
  });
  EXPECT_EQ(wait_for(child), 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(TrajectoryWriter, a_folder_that_is_not_there_is_an_error_that_names_the_file) {
  try {
    TrajectoryWriter::create("/nowhere/at/all.h5", make_header());
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all.h5"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos) << error.what();
  }
}

TEST(TrajectoryWriter, a_file_that_is_no_trajectory_is_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  EXPECT_THROW(TrajectoryFile::open(path, TrajectoryFile::Mode::read), InputError);
  std::ofstream(path) << "not HDF5";
  EXPECT_THROW(TrajectoryFile::open(path, TrajectoryFile::Mode::read), InputError);
  // An HDF5 file of another kind: a contact problem.
  FcProblemFile problem;
  problem.problem = ContactProblem{};
  write_fclib(folder.path("b.h5"), problem);
  EXPECT_THROW(TrajectoryFile::open(folder.path("b.h5"), TrajectoryFile::Mode::read), InputError);
}

TEST(TrajectoryFiles, names_are_exchanged_and_files_replaced_whole) {
  const TemporaryFolder folder;
  replace_file(folder.path("a"), std::string("one"));
  replace_file(folder.path("b"), std::string("two"));
  exchange_files(folder.path("a"), folder.path("b"));
  EXPECT_EQ(testing::read_all(folder.path("a")), "two");
  EXPECT_EQ(testing::read_all(folder.path("b")), "one");
  replace_file(folder.path("a"), std::string("three"));
  EXPECT_EQ(testing::read_all(folder.path("a")), "three");
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.part")));
  EXPECT_THROW(replace_file("/dev/full/x", std::string("x")), OutputError);
}

}  // namespace
}  // namespace saltus::trajectory_writer_test
