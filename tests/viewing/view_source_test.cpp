#include "saltus/viewing/view_source.hpp"

#include <fcntl.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "saltus/base/input_error.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"
#include "saltus/viewing/scene_friction.hpp"
#include "saltus/viewing/watched_view.hpp"
#include "trajectories/trajectory_support.hpp"
#include "viewing/sliding_ball.hpp"
#include "viewing/unpacked_view.hpp"

namespace saltus::view_source_test {
namespace {

FrameWish wish_all() {
  FrameWish wish;
  wish.motion = wish.contacts = true;
  wish.fields = {"velocity", "status"};
  return wish;
}

TEST(ViewSource, a_frame_holds_what_the_trajectory_holds_about_the_origin_of_the_model) {
  const TemporaryFolder folder;
  const std::string path = run_sliding_ball<3>(folder);
  const auto source = open_view(path);
  const UnpackedView model(source->model()), frame(source->frame(10, wish_all()));
  const Frame<3> stored = TrajectoryReader<3>(path).frame(10);
  EXPECT_EQ(model.about["dimension"], 3);
  EXPECT_EQ(model.about["body_names"], nlohmann::json::parse("[[1, \"the ball\"]]"));
  EXPECT_EQ(model.at("body.flags"), (std::vector<double>{3, 0}));  // the floor is held and endless
  EXPECT_EQ(model.about["shapes"][1]["radius"], 0.5);
  EXPECT_EQ(model.about["origin"][0], 100);  // the middle of the first frame, where the ball was
  EXPECT_EQ(frame.at("body.row"), (std::vector<double>{0, 1}));
  EXPECT_EQ(frame.at("body.place")[3], static_cast<float>(stored.bodies[1].pose.position.x() - 100));
  EXPECT_EQ(frame.at("body.velocity")[3], static_cast<float>(stored.bodies[1].velocity.x()));
  EXPECT_EQ(frame.at("field.velocity")[1], static_cast<float>(stored.bodies[1].velocity.norm()));
  EXPECT_EQ(frame.at("field.status"), (std::vector<double>{3, 2}));  // held; slides
  const Eigen::Quaterniond turn = stored.bodies[1].pose.orientation();
  EXPECT_EQ(frame.at("body.turn")[7], static_cast<float>(turn.w()));
  EXPECT_EQ(frame.at("body.turn")[5], static_cast<float>(turn.y()));
  // Along the normal the weight for one step, across it friction against the sliding; the world's axes.
  const double weight = 1000 * M_PI / 6 * 10 * 0.001;
  EXPECT_NEAR(frame.at("contact.impulse")[2], weight, 1e-3 * weight);  // tolerance of the solver, 1e-3 g h
  EXPECT_NEAR(frame.at("contact.impulse")[0], -0.3 * weight, 1e-3 * weight);
  EXPECT_EQ(frame.at("contact.status"), std::vector<double>{3});
  EXPECT_EQ(frame.at("contact.a").size(), 1u);
  EXPECT_EQ(frame.at("contact.residual"), std::vector<double>{stored.contacts[0].residual});
  EXPECT_EQ(model.at("body.system"), (std::vector<double>{-1, -1}));  // neither follows a mesh
}

TEST(ViewSource, in_the_plane_places_have_no_height_and_turns_are_about_z) {
  const TemporaryFolder folder;
  const std::string path = run_sliding_ball<2>(folder);
  const auto source = open_view(path);
  const UnpackedView frame(source->frame(10, wish_all()));
  const Frame<2> stored = TrajectoryReader<2>(path).frame(10);
  EXPECT_EQ(frame.at("body.place")[5], 0);
  const double half = stored.bodies[1].pose.angle() / 2;
  EXPECT_NE(half, 0);
  EXPECT_EQ(frame.at("body.turn")[6], static_cast<float>(std::sin(half)));
  EXPECT_EQ(frame.at("body.turn")[7], static_cast<float>(std::cos(half)));
}

TEST(ViewSource, a_frame_holds_no_more_than_was_wished_for) {
  const TemporaryFolder folder;
  const auto source = open_view(run_sliding_ball<3>(folder));
  const UnpackedView frame(source->frame(3, {}));
  EXPECT_TRUE(frame.has("body.place"));
  for (const char* name : {"body.velocity", "contact.point", "field.velocity"})
    EXPECT_FALSE(frame.has(name)) << name;
  EXPECT_THROW(source->frame(11, {}), InputError);
  FrameWish unknown;
  unknown.fields = {"beauty"};
  EXPECT_THROW(source->frame(0, unknown), InputError);
}

TEST(ViewSource, series_have_a_row_for_every_chosen_frame) {
  const TemporaryFolder folder;
  const auto source = open_view(run_sliding_ball<2>(folder));
  const UnpackedView all(source->series(all_frames(*source))), some(source->series({0, 10}));
  EXPECT_EQ(all.at("time").size(), 11u);
  EXPECT_EQ(some.at("step"), (std::vector<double>{0, 10}));
  EXPECT_EQ(some.at("energy.kinetic")[1], all.at("energy.kinetic")[10]);
  EXPECT_EQ(some.about["frames_of_run"], 11);
  EXPECT_EQ(some.about["finished"], true);
}

// A run exchanges the file under its name for one that has more.
TEST(WatchedView, frames_that_a_run_adds_are_seen) {
  const TemporaryFolder folder;
  const std::string whole = run_sliding_ball<2>(folder), path = folder.path("b.h5");
  std::filesystem::copy_file(whole, path);
  {
    TrajectoryFile file = TrajectoryFile::open(path, TrajectoryFile::Mode::write);
    file.truncate(5, 4);
    file.close();
  }
  WatchedView view(path);
  const nlohmann::json before = nlohmann::json::parse(view.state());
  EXPECT_EQ(before["frames"], 5);
  EXPECT_THROW(view.frame(10, {}), InputError);
  std::filesystem::rename(whole, path);
  const nlohmann::json after = nlohmann::json::parse(view.state());
  EXPECT_EQ(after["frames"], 11);
  EXPECT_GT(after["revision"], before["revision"]);
  EXPECT_EQ(UnpackedView(view.frame(10, wish_all())).about["step"], 10);
  // The same without a question in between.
  EXPECT_EQ(UnpackedView(view.series()).at("time").size(), 11u);
}

// A run that flushes fifteen times, every 20 ms: the file that was just left is half a file at once, and whole again before the next
// exchange. Each can disturb what is read once, which is tried more often than that.
TEST(WatchedView, a_file_that_is_left_while_it_is_read_is_no_error) {
  const TemporaryFolder folder;
  const std::string path = run_sliding_ball<2>(folder), next = folder.path("next.h5");
  const std::string bytes = testing::read_all(path);
  std::atomic<bool> ended = false;
  const std::jthread run([&] {
    const auto write = [&](std::size_t size) {
      std::ofstream(next, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    };
    for (int flush = 0; flush < 15; ++flush) {
      write(bytes.size() / 2), write(bytes.size());
      ::renameat2(AT_FDCWD, next.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE);
    }
    ended = true;
  });
  WatchedView view(path);
  while (!ended) {
    ASSERT_NO_THROW(EXPECT_EQ(nlohmann::json::parse(view.state())["frames"], 11));
    ASSERT_NO_THROW(view.frame(10, wish_all()));
  }
}

// Other commands open a file once: what they read of one that was left is no damage.
TEST(TrajectoryReader, a_file_that_a_run_left_while_it_was_read_is_told_as_such) {
  const TemporaryFolder folder;
  const std::string path = run_sliding_ball<2>(folder), left = folder.path("left.h5");
  const TrajectoryReader<2> reader(path);
  std::filesystem::copy_file(path, folder.path("next.h5"));
  std::filesystem::create_hard_link(path, left);
  std::filesystem::rename(folder.path("next.h5"), path);
  std::filesystem::resize_file(left, 4096);
  try {
    reader.frame(10);
    ADD_FAILURE() << "read from half a file";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              path + ": the run that writes this file went on while it was read: try again");
  }
}

TEST(SceneFriction, pairs_have_the_law_that_names_them_and_the_others_the_common_one) {
  const std::vector<MaterialFriction> pairs = read_friction(
      "[law]\nfriction = 0.3\n[[laws]]\nbetween = [\"b\", \"a\"]\nfriction = 0.5\ncohesion = 2\n",
      {"a", "b"});
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].coefficient, 0.3);
  EXPECT_EQ(pairs[1].coefficient, 0.5);
  EXPECT_TRUE(pairs[1].cohesive);
  EXPECT_EQ(pairs[2].coefficient, 0.3);
  EXPECT_TRUE(read_friction("no TOML [", {"a"}).empty());
}

}  // namespace
}  // namespace saltus::view_source_test
